"""A first tree that meets conditions: each node takes the test that is best with leaves as its branches."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from algorithms.optimal.conditions.branch_states import State
from algorithms.optimal.conditions.node_tests import ConditionedNode, NodeTests
from algorithms.optimal.conditions.steps import Steps, run
from algorithms.optimal.conditions.terms import UNRANKED
from algorithms.optimal.plan import Leaf, Plan


def greedy_tree(tests: NodeTests, levels: int, spend: Callable[[], None]) -> tuple[float, Plan]:
    """The cost of the tree, and the tree.

    levels : of the tree at most; it may have any number of splits, and no attribute may be required or first
    spend  : counts each node that is tested, and raises Stopped at a limit
    """
    rows = tests.rows

    def grown(node: ConditionedNode, levels: int, state: State) -> Steps:
        levels, state = tests.useful(node, levels, state)
        leaf = node.leaf, Leaf(int(rows.classes[node.decision]))
        if tests.is_leaf(node, levels, state):
            return leaf
        spend()
        tests.try_all(node, levels, state)
        if tests.cost.min(initial=inf) == inf:
            return leaf
        test = int(tests.cost.argmin())
        branches, total, children = rows.branches(node.rows, test), tests.price(node, state, test), list[Plan]()
        for part, below in zip(branches.parts, tests.cheapest(test, branches, state), strict=True):
            cost, plan = yield grown(tests.node(part, below), levels - 1, below)
            total += cost
            children.append(plan)
        return leaf if total >= node.leaf else (total, rows.split(node.rows, test, None, tuple(children)))

    state = State(inf, 0, UNRANKED, 0, 0, len(rows.classes) - 1)
    result: tuple[float, Plan] = run(grown(tests.node(rows.all_rows(), state), levels, state))
    return result
