"""The trees of LicketySPLIT and SPLIT for an instance: the search, within its limits, and its proven bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Integers
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.lookahead.completed_rows import CompletedRows
from algorithms.optimal.never import NEVER
from algorithms.optimal.plan import Leaf, Plan, plan_of, tree_of_plan
from algorithms.optimal.solution import Effort, OnProgress, Solution, Status


def licketysplit(instance: Instance, effort: Effort, thresholds: int | None) -> Solution:
    """The tree of LicketySPLIT; see `LicketySPLITClassifier`."""
    completed = CompletedRows(instance, effort, thresholds)
    plan = node_by_node(completed, completed.all_rows, _depth(instance))
    return _solution(completed, plan, completed.stopped, completed.work)


def split(
    instance: Instance, levels: int, effort: Effort, thresholds: int | None, on_progress: OnProgress | None = None
) -> Solution:
    """The tree of SPLIT with an upper part of some levels; see `SPLITClassifier`. Only an exact search has progress."""
    if levels >= _depth(instance):
        return solve(instance, effort, on_progress=on_progress)
    half = Effort(
        seconds=None if effort.seconds is None else effort.seconds / 2,
        work=None if effort.work is None else -(-effort.work // 2),
    )
    completed = CompletedRows(instance, half, thresholds)
    whole = UpperNode(completed.all_rows, _depth(instance), completed.coded.leaf_cost(completed.all_rows))
    root = _upper_part(completed, whole.rows, whole.depth, levels, NEVER) or whole
    refined = _LowerParts(completed, effort, root)
    if not root.below and completed.stopped is None:  # the whole tree is a lower part
        return refined.solved(instance, 1)
    plan = root.tree(completed, refined.plans())
    return _solution(completed, plan, completed.stopped or refined.stopped, refined.work)


@dataclass(eq=False)
class UpperNode:
    """A node of a tree that is being built; without branches, it is the root of a lower part.

    depth : the greatest depth of its tree
    cost  : of its tree, once known; of a lower part, the cost of the greedy tree
    """

    rows: Integers
    depth: int
    cost: int
    attribute: int = -1
    below: list[UpperNode] = field(default_factory=list)

    def lower_parts(self) -> Iterator[UpperNode]:
        """The roots of the lower parts, in the order of the branches."""
        if not self.below:
            yield self
        for node in self.below:
            yield from node.lower_parts()

    def tree(self, completed: CompletedRows, lower: Iterator[Plan]) -> Plan:
        """The tree, given the trees of its lower parts in their order."""
        if not self.below:
            return next(lower)
        parts = [node.rows for node in self.below]
        return completed.node(parts, self.attribute, [node.tree(completed, lower) for node in self.below])


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
        lower = list(self.root.lower_parts())
        for index, node in enumerate(lower):
            rows = np.flatnonzero(np.isin(self.completed.coded.of_row, node.rows))
            yield self._plan(node, rows, len(lower) - index)

    def solved(self, instance: Instance, parts: int) -> Solution:
        """The solution for a part of the rows, within the remaining effort divided by the number of parts."""
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
    """The most levels that a tree may have."""
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


def node_by_node(completed: CompletedRows, rows: Integers, depth: int) -> Plan:
    """The tree of LicketySPLIT for some rows, within a depth.

    At each node it takes the split whose branches cost least if greedy trees complete them, and then splits the
    branches. A node whose tree does not cost less than a leaf becomes a leaf. A greedy tree is kept if it is proven
    best, or a limit has been reached.
    """
    nodes = [UpperNode(rows, depth, 0)]
    for node in nodes:  # the list grows
        node.cost, tried = completed.greedy(node.rows, node.depth)
        if node.depth < 2 or node.cost == completed.lower_bound(node.rows) or completed.spent():
            continue
        limit = NEVER if tried is None else tried.cost + 1
        split = completed.best_split(node.rows, node.depth, limit) or tried
        if split is not None:
            node.attribute = split.attribute
            parts = completed.coded.parts(node.rows, split.attribute, split.split)
            node.below = [UpperNode(part, node.depth - 1, 0) for part in parts]
            nodes += node.below
    plans: dict[UpperNode, Plan] = {}
    for node in reversed(nodes):
        cost = completed.price_of(len(node.below)) + sum(branch.cost for branch in node.below)
        if node.below and cost < node.cost:  # otherwise the greedy tree, which is a leaf if a leaf costs no more
            node.cost = cost
            parts = [branch.rows for branch in node.below]
            plans[node] = completed.node(parts, node.attribute, [plans.pop(branch) for branch in node.below])
        else:
            plans[node] = completed.greedy_tree(node.rows, node.depth)
    return plans[nodes[0]]


def _upper_part(completed: CompletedRows, rows: Integers, depth: int, levels: int, limit: int) -> UpperNode | None:
    """The upper part, of some levels, of the first of the best trees whose lower parts are greedy trees.

    It has no split if no split reduces the cost. It is None if no tree costs less than a limit. If the effort is spent,
    it is the best so far.
    """
    leaf = completed.coded.leaf_cost(rows)
    best = UpperNode(rows, depth, leaf) if leaf < limit else None
    limit = min(limit, leaf)
    if completed.lower_bound(rows) >= limit:
        return best
    cost, tried = completed.greedy(rows, depth)
    if not levels:
        return UpperNode(rows, depth, cost) if cost < limit else best
    if levels == 1:
        if tried is not None and tried.cost < limit:
            tried = completed.best_split(rows, depth, tried.cost + 1) or tried
        else:
            tried = completed.best_split(rows, depth, limit)
        if tried is None:
            return best
        parts = completed.coded.parts(rows, tried.attribute, tried.split)
        return UpperNode(
            rows, depth, tried.cost, tried.attribute, [UpperNode(part, depth - 1, NEVER) for part in parts]
        )
    first = None if tried is None else _upper_part_of(completed, rows, depth, levels, tried[1:], limit)
    best, limit = (first, first.cost + 1) if first else (best, limit)
    for split in completed.splits(rows):
        if completed.spent():
            break
        result = _upper_part_of(completed, rows, depth, levels, split, limit)
        best, limit = (result, result.cost) if result else (best, limit)
    return best


def _upper_part_of(
    completed: CompletedRows, rows: Integers, depth: int, levels: int, split: tuple[int, int], limit: int
) -> UpperNode | None:
    """The upper part of least cost below a limit that begins with a split, or None."""
    attribute, cut = split
    parts = completed.coded.parts(rows, attribute, cut)
    least = [completed.lower_bound(part) for part in parts]
    cost = completed.price_of(len(parts)) + sum(least)
    below: list[UpperNode] = []
    for part, low in zip(parts, least, strict=True):
        result = _upper_part(completed, part, depth - 1, levels - 1, limit - cost + low) if cost < limit else None
        if result is None:
            return None
        cost += result.cost - low
        below.append(result)
    return UpperNode(rows, depth, cost, attribute, below)
