"""The search of the upper part of a tree whose lower parts are greedy trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from algorithms.array_types import Integers
from algorithms.optimal.lookahead.completed_rows import CompletedRows
from algorithms.optimal.mixed.plan_of_ranks import parts_of_split
from algorithms.optimal.never import NEVER
from algorithms.optimal.plan import Plan


@dataclass(eq=False)
class UpperNode:
    """A node of a tree in the making; without branches, it is the root of a lower part.

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
        """The tree, by the trees of its lower parts in their order."""
        if not self.below:
            return next(lower)
        parts = [node.rows for node in self.below]
        return completed.node(parts, self.attribute, [node.tree(completed, lower) for node in self.below])


def node_by_node(completed: CompletedRows, rows: Integers, depth: int) -> tuple[int, Plan]:
    """The cost and the tree of LicketySPLIT for some rows, within a depth.

    At each node it takes the split whose branches cost least if greedy trees complete them, and then splits the
    branches. A node whose tree does not cost less than a leaf becomes one. A greedy tree is kept if it is proven best,
    or a limit has been reached.
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
            parts = parts_of_split(completed.coded, node.rows, split.attribute, split.split)
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
    return nodes[0].cost, plans[nodes[0]]


def upper_part(completed: CompletedRows, rows: Integers, depth: int, levels: int) -> UpperNode:
    """The upper part, of some levels, of the best tree whose lower parts are greedy trees; the first of several.

    It has no split if no split reduces the cost. At a limit, it is the best so far.
    """
    return _upper_part(completed, rows, depth, levels, NEVER) or UpperNode(rows, depth, completed.coded.leaf_cost(rows))


def _upper_part(completed: CompletedRows, rows: Integers, depth: int, levels: int, limit: int) -> UpperNode | None:
    """The upper part of least cost below a limit, or None."""
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
        parts = parts_of_split(completed.coded, rows, tried.attribute, tried.split)
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
    parts = parts_of_split(completed.coded, rows, attribute, cut)
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
