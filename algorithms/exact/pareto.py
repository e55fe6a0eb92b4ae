"""Exact Pareto fronts of two costs over a set of decision trees, with a tree for each point.

If both costs are sums over nodes, the front of a node is the undominated part of the sums of its children's fronts,
over all its splits. If one cost is the depth, the front has, for each limit 0, 1, 2… of the depth, the least other cost
of a tree within the limit.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from algorithms.array_types import Integers
from algorithms.exact.front_sums import fronts, sums_of_fronts
from algorithms.exact.least_costs import added_at_nodes, least_costs
from algorithms.exact.split_graph import NO_TREE, least_sums_within
from algorithms.exact.tree_set import TreeSet
from algorithms.options import Number, check_parameters, check_type, made_by
from algorithms.pictures.fronts import DrawnFront, Points
from algorithms.trees.costs import AVERAGE_DEPTH, DEPTH, TOTAL_PATH_LENGTH, CostFunction
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["DEFAULT_LIMIT", "FrontTooLargeError", "ParetoFront", "pareto_front"]

DEFAULT_LIMIT = 50_000_000
"""The most points of the fronts of all nodes together. A point takes 16 bytes, and 32 bytes while the fronts grow."""

Point = tuple[int, int]
Pairs = list[Point]
Front = tuple[Integers, Integers]
Fronts = tuple[Integers, Integers, Integers]
"""start, x and y of the fronts of all nodes: see `front_sums.fronts`."""
TreeOf = Callable[[Point], DecisionTree]


class FrontTooLargeError(MemoryError):
    """The fronts of all nodes together have more points than the limit."""


@made_by("pareto_front(trees, first, second)")
@dataclass(frozen=True, eq=False, repr=False)
class ParetoFront(DrawnFront):
    """The undominated pairs of two costs of the trees of a set.

    `tree` builds a tree for any of the pairs. A notebook shows the front as the picture that `plot` draws.

    Attributes
    ----------
    costs : tuple of two CostFunction
    points : tuple of pairs of float
        The values of both costs. From point to point, the first cost increases and the second decreases.

    Examples
    --------
    >>> from orchard import DEPTH, NODES, RandomTables, SubtableGraph, TreeSet, pareto_front
    >>> table = RandomTables(rows=12, attributes=4).table(seed=0, group=1, index=4)
    >>> front = pareto_front(TreeSet.of(SubtableGraph.of(table)), DEPTH, NODES)
    >>> front.points
    ((2, 9),)
    >>> front.tree(0)
    <DecisionTree: 9 nodes, 6 leaves, depth 2>
    """

    costs: tuple[CostFunction, CostFunction]
    points: tuple[tuple[float, float], ...]
    _pairs: Pairs  # the points in integers: the depth first, and total path lengths, which come last
    _tree_of: TreeOf

    def _points(self) -> Points:
        x, y = (cost.name.replace("_", " ") for cost in self.costs)
        return Points((x, y), self.points)

    def tree(self, index: int) -> DecisionTree:
        """A tree with the costs of `points[index]`.

        Raises
        ------
        IndexError
            There is no such point.
        """
        index = operator.index(index)
        if not 0 <= index < len(self.points):
            raise IndexError(
                f"`index` is {index}: expected the index of a point of the front, 0 to {len(self.points) - 1}"
            )
        return self._tree_of(self._pairs[index])


def pareto_front(trees: TreeSet, first: CostFunction, second: CostFunction, limit: int = DEFAULT_LIMIT) -> ParetoFront:
    """Return the Pareto front of two costs over the trees of a set.

    Parameters
    ----------
    trees : TreeSet
        The set of trees, such as `TreeSet.of(graph)`.
    first, second : CostFunction
        Two different costs among DEPTH, AVERAGE_DEPTH, TOTAL_PATH_LENGTH, NODES, NONTERMINAL_NODES and TERMINAL_NODES.
    limit : int, default=50_000_000
        Maximum number of points of the fronts of all nodes together. A point takes up to 32 bytes. The limit is not
        used if one cost is the depth.

    Returns
    -------
    ParetoFront

    Raises
    ------
    TypeError
        An argument is of another type.
    ValueError
        A cost is not in this list, or both costs are the same.
    FrontTooLargeError
        There would be more than `limit` points.

    Examples
    --------
    >>> from orchard import DEPTH, NODES, DecisionTable, SubtableGraph, TreeSet, pareto_front
    >>> table = DecisionTable.from_labels({"f": ["a", "a", "b"], "g": ["x", "y", "x"]}, ["yes", "no", "no"])
    >>> pareto_front(TreeSet.of(SubtableGraph.of(table)), DEPTH, NODES).points
    ((2, 5),)
    """
    check_type("trees", trees, TreeSet, "TreeSet.of(SubtableGraph.of(table))")
    for cost in (first, second):
        check_type("cost", cost, CostFunction, "COST_FUNCTIONS[name]")
        if cost != DEPTH and added_at_nodes(cost, trees.size) is None:
            raise ValueError(
                f"cost {cost.name!r} has no Pareto front: expected the depth, a path length or a count of nodes"
            )
    check_parameters({"limit": (Number(0),)}, {"limit": limit})
    if first == second:
        raise ValueError(f"both costs are {first.name!r}: expected two different costs")
    # the depth comes first and a path length last: its values are too sparse to index an array
    swapped = second == DEPTH or (first != DEPTH and first in (TOTAL_PATH_LENGTH, AVERAGE_DEPTH))
    x, y = (second, first) if swapped else (first, second)
    points, tree_of = _by_depth(trees, y) if x == DEPTH else _of_sums(trees, x, y, limit)
    rows = trees.graph.table.size
    values = [(a / rows if x.per_row else a, b / rows if y.per_row else b) for a, b in points]
    if swapped:
        points, values = points[::-1], [(b, a) for a, b in reversed(values)]
    return ParetoFront((first, second), tuple(values), points, tree_of)


def _by_depth(trees: TreeSet, cost: CostFunction) -> tuple[Pairs, TreeOf]:
    """The points (depth, cost), and the first tree with each."""
    added = added_at_nodes(cost, trees.size)
    terminal = np.diff(trees.splits) == 0
    value = np.where(terminal, int(cost.psi_zero), NO_TREE)
    least = int(least_costs(cost, trees.size, trees.links)[0][-1])
    points = [(0, int(value[-1]))] if terminal[-1] else []
    depth = 0
    while int(value[-1]) != least:
        value, before = least_sums_within(value, added, *trees.links), int(value[-1])
        depth += 1
        if value[-1] < before:
            points.append((depth, int(value[-1])))
    return points, partial(_tree_by_depth, trees, cost)


def _tree_by_depth(trees: TreeSet, cost: CostFunction, point: Point) -> DecisionTree:
    return trees.within_depth(point[0]).optimal(cost).tree()


def _of_sums(trees: TreeSet, x_cost: CostFunction, y_cost: CostFunction, limit: int) -> tuple[Pairs, TreeOf]:
    """The points (x, y), and for each a tree."""
    added_x, added_y = added_at_nodes(x_cost, trees.size), added_at_nodes(y_cost, trees.size)
    assert added_x is not None
    assert added_y is not None
    found = fronts(added_x, added_y, int(x_cost.psi_zero), int(y_cost.psi_zero), *trees.links, limit)
    if not len(found[0]):
        raise FrontTooLargeError(
            f"the Pareto fronts of {x_cost.name} and {y_cost.name} have more than {limit:,} points, summed over the "
            f"{trees.nodes:,} nodes of the set of trees: raise `limit` (each point takes 32 bytes), or first restrict "
            "the set to a smaller depth or cost"
        )
    points = zip(*(costs.tolist() for costs in _front_of(found, trees.nodes - 1)), strict=True)
    return list(points), partial(_tree_of_sums, trees, added_x, added_y, found)


def _front_of(found: Fronts, node: int) -> Front:
    start, xs, ys = found
    points = slice(start[node], start[node + 1])
    return xs[points], ys[points]


def _tree_of_sums(trees: TreeSet, added_x: Integers, added_y: Integers, found: Fronts, point: Point) -> DecisionTree:
    """A tree for a point of the last node: it takes at every node the first split that allows its costs.

    added_x, added_y : (nodes,) what each node adds to the costs below it
    """

    def choose(node: int, point: Point) -> tuple[int, Pairs]:
        below = point[0] - int(added_x[node]), point[1] - int(added_y[node])
        for split in trees.splits_of(node):
            parts = _parts_of_sum(below, [_front_of(found, child) for child in trees.children(split)])
            if parts:
                return split, parts
        raise AssertionError(f"node {node} has no split for the point {point} of its own front")  # pragma: no cover

    return trees.grow(choose, point)


def _parts_of_sum(point: Point, parts: list[Front]) -> Pairs:
    """A point of each front, which add up to this point; empty if there are none.

    No sum of the fronts improves this point. So the points chosen from the first fronts add up to a point on the front
    of their sums: otherwise the whole sum could be improved, too.
    """
    (x, y), rest_x, rest_y = point, sum(int(xs[0]) for xs, _ in parts), sum(int(ys[-1]) for _, ys in parts)
    if rest_x > x or rest_y > y:
        return []
    sums: list[Front] = [(np.zeros(1, np.int64), np.zeros(1, np.int64))]
    for xs, ys in parts:
        rest_x, rest_y = rest_x - int(xs[0]), rest_y - int(ys[-1])
        sums.append(sums_of_fronts(*sums[-1], xs, ys, x - rest_x, y - rest_y))
        if not len(sums[-1][0]):
            return []
    chosen: Pairs = []
    for (xs, ys), before in zip(reversed(parts), reversed(sums[:-1]), strict=True):
        y_of = dict(zip(*(part.tolist() for part in before), strict=True))
        own = next((a, b) for a, b in zip(xs.tolist(), ys.tolist(), strict=True) if y_of.get(x - a) == y - b)
        chosen.append(own)
        x, y = x - own[0], y - own[1]
    return chosen[::-1]
