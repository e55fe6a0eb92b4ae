"""A tree as if-then rules (Alpaydin, ch. 9, "Rule Learning")."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby

import numpy as np

from algorithms.pruning.subtrees import rows_that_end
from algorithms.rules.condition import Condition, Interval, LinearInterval, NoneOf, OneOf, conjoined
from algorithms.rules.rule_list import Rule, RuleList
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree

Path = tuple[Condition, ...]


def tree_rules(tree: DecisionTree) -> RuleList:
    """The rule list that predicts the same as the tree: a rule for each leaf, conditions on one attribute joined.

    A nonterminal node's rule comes after those of the leaves below it. It is for the rows that end there because a
    value is missing or a code has no edge. It is left out if the next node above has the same decision. The root's rule
    is the default. Rules have the counts of the tree; the rule of a nonterminal node has the counts of the rows that
    end there, and of the rows that end at nodes whose rules it replaces.

    Rows that go down all branches of a node are the exception: the list gives them the decision of that node, while the
    tree may give them another decision. Raises TreeError if the tree has no counts.
    """
    ending = rows_that_end(tree)
    parent = tree.parents().tolist()
    by_decision = list(range(tree.nodes))  # the node whose rule decides for rows that end at a nonterminal node
    for node in range(1, tree.nodes):
        if tree.kind[node] != NodeKind.TERMINAL and tree.decision[node] == tree.decision[parent[node]]:
            by_decision[node] = by_decision[parent[node]]
    counts = np.zeros_like(ending)
    np.add.at(counts, by_decision, ending)
    rules = []
    for node, path in _from_the_leaves_up(tree):
        if node and by_decision[node] == node:
            rules.append(Rule(path, int(tree.decision[node]), tuple(counts[node].tolist())))
            counts[node] = 0  # count once if a node has two rules
    root = Rule((), int(tree.decision[0]), tuple(counts[0].tolist()))
    return RuleList((*rules, root))


def _from_the_leaves_up(tree: DecisionTree) -> Iterator[tuple[int, Path]]:
    """Every node after the nodes below it, with the conditions of its path."""
    waiting: list[tuple[int, Path, bool]] = [(0, (), False)]
    while waiting:
        node, path, below_done = waiting.pop()
        if below_done or tree.kind[node] == NodeKind.TERMINAL:
            yield node, path
            continue
        waiting.append((node, path, True))
        waiting += [(child, conjoined(path, condition), False) for child, condition in reversed(_branches(tree, node))]


def _branches(tree: DecisionTree, node: int) -> list[tuple[int, Condition]]:
    """The children of a node, each with the condition of its rows.

    A child occurs more than once if its intervals are not neighbours.
    """
    edges, tested, unknown = tree.edges_of(node), int(tree.attribute[node]), int(tree.unknown_to[node])
    to = tree.edge_to[edges].tolist()
    if tree.kind[node] == NodeKind.CODES:
        return [(child, _codes(tree, node, child)) for child in tree.children(node)]
    linear = tree.kind[node] == NodeKind.LINEAR
    between = (
        partial(LinearInterval, tuple(tree.coefficients[tested].tolist())) if linear else partial(Interval, tested)
    )
    bounds = [-np.inf, *tree.edge_bound[edges].tolist()]
    branches: list[tuple[int, Condition]] = []
    for child, group in groupby(range(len(to)), key=to.__getitem__):
        neighbours = list(group)
        takes_unknown = child == unknown and child not in [earlier for earlier, _ in branches]
        interval = between(bounds[neighbours[0]], bounds[neighbours[-1] + 1], unknown=takes_unknown)
        branches.append((child, interval))
    if unknown >= 0 and unknown not in to:
        branches.append((unknown, between(np.inf, np.inf, unknown=True)))
    return branches


def _codes(tree: DecisionTree, node: int, child: int) -> Condition:
    """The condition of the rows that go from a CODES node to a child."""
    edges, attribute = tree.edges_of(node), int(tree.attribute[node])
    codes, to = tree.edge_code[edges], tree.edge_to[edges]
    if child == tree.unknown_to[node]:
        return NoneOf(attribute, tuple(sorted(codes[to != child].tolist())))
    return OneOf(attribute, tuple(sorted(codes[to == child].tolist())))
