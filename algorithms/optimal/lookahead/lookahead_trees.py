"""The trees of LicketySPLIT and SPLIT for an instance: the search, within its limits, and its proven bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.lookahead.completed_rows import CompletedRows
from algorithms.optimal.lookahead.upper_part import UpperNode, node_by_node, upper_part
from algorithms.optimal.plan import Leaf, Plan, plan_of, tree_of_plan
from algorithms.optimal.solution import Effort, OnProgress, Solution, Status


def licketysplit(instance: Instance, effort: Effort, thresholds: int | None) -> Solution:
    """The tree of LicketySPLIT; see `LicketySPLITClassifier`."""
    completed = CompletedRows(instance, effort, thresholds)
    _, plan = node_by_node(completed, completed.all_rows, _depth(instance))
    return _solution(completed, plan, completed.stopped, completed.work)


def split(
    instance: Instance, levels: int, effort: Effort, thresholds: int | None, on_progress: OnProgress | None = None
) -> Solution:
    """The tree of SPLIT with an upper part of some levels; see `SPLITClassifier`. Only an exact search reports."""
    if levels >= _depth(instance):
        return solve(instance, effort, on_progress=on_progress)
    half = Effort(
        seconds=None if effort.seconds is None else effort.seconds / 2,
        work=None if effort.work is None else -(-effort.work // 2),
    )
    completed = CompletedRows(instance, half, thresholds)
    root = upper_part(completed, completed.all_rows, _depth(instance), levels)
    refined = _LowerParts(completed, effort, root)
    if not root.below and completed.stopped is None:  # the whole tree is a lower part
        return refined.solved(instance, 1)
    plan = root.tree(completed, refined.plans())
    return _solution(completed, plan, completed.stopped or refined.stopped, refined.work)


class _LowerParts:
    """The best trees for the lower parts of a tree, within an effort that is shared among them.

    stopped : the limit that a search reached; its part gets the better of the greedy tree and the search's tree
    """

    def __init__(self, completed: CompletedRows, effort: Effort, root: UpperNode) -> None:
        self.completed, self.effort, self.root = completed, effort, root
        self.work = completed.work
        self.stopped: Status | None = None

    def plans(self) -> Iterator[Plan]:
        """The tree of each lower part."""
        instance, lower = self.completed.instance, list(self.root.lower_parts())
        upper = self.root.tree(self.completed, iter([Leaf()] * len(lower)))
        ends = tree_of_plan(upper, instance.data, instance.weights).last_nodes(instance.data.values())
        for index, (node, end) in enumerate(zip(lower, np.unique(ends), strict=True)):
            yield self._plan(node, np.flatnonzero(ends == end), len(lower) - index)

    def solved(self, instance: Instance, parts: int) -> Solution:
        """The solution for a part of the rows, within an equal share of the effort that is left for so many parts."""
        effort = self.effort
        seconds = None if effort.seconds is None else max(effort.seconds - self.completed.clock.seconds, 1e-3) / parts
        work = None if effort.work is None else max((effort.work - self.work) // parts, 1)
        result = solve(instance, replace(effort, seconds=seconds, work=work))
        if result.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        self.work += result.work
        self.stopped = self.stopped or (None if result.optimal else result.status)
        return result

    def _plan(self, node: UpperNode, rows: NDArray[np.int64], parts: int) -> Plan:
        completed, whole = self.completed, self.completed.instance
        leaf = completed.coded.leaf_cost(node.rows)
        if not node.depth or leaf == completed.lower_bound(node.rows):
            return Leaf()
        alpha = whole.size_cost / (leaf * completed.coded.unit)  # a split costs the same in the part's own objective
        part = replace(
            whole, data=whole.data.take(rows), weights=whole.weights[rows], max_depth=node.depth, alpha=alpha
        )
        solution = self.solved(part, parts)
        greedy, _ = completed.greedy(node.rows, node.depth)
        cost = round(solution.errors / completed.coded.unit)
        cost += completed.price * (solution.leaves - 1 if completed.problem.per_leaf else solution.splits)
        if solution.optimal or cost <= greedy:
            return plan_of(solution.tree, range(len(part.data.attributes)))
        return completed.greedy_tree(node.rows, node.depth)


def _depth(instance: Instance) -> int:
    """The levels that a tree may have."""
    return instance.data.rows - 1 if instance.max_depth is None else min(instance.max_depth, instance.data.rows - 1)


def _solution(completed: CompletedRows, plan: Plan, stopped: Status | None, work: int) -> Solution:
    """The solution with a tree; it is optimal if its cost is a lower bound for all trees."""
    instance, coded = completed.instance, completed.coded
    low, leaf = completed.lower_bound(completed.all_rows), completed.coded.leaf_cost(completed.all_rows)
    splits = 0 if low == leaf else 1
    errors = max(0.0, (leaf if low == leaf else coded.forced) * coded.unit - completed.rounding_error)
    result = Solution.of(
        instance,
        tree_of_plan(plan, instance.data, instance.weights),
        bound=instance.objective(errors, splits, splits + 1),
        status=stopped or Status.HEURISTIC,
        work=work,
        forced=coded.forced * coded.unit,
    )
    met = result.status is Status.HEURISTIC and result.bound == result.objective
    return replace(result, status=Status.OPTIMAL) if met else result
