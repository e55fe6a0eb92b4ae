"""Least costs on a graph of subtables: of its nodes, and of each of their splits."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from math import isclose
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.exact.split_graph import least_sums
from algorithms.options import check_type
from algorithms.trees.costs import (
    AVERAGE_DEPTH,
    NODES,
    NONTERMINAL_NODES,
    TERMINAL_NODES,
    TOTAL_PATH_LENGTH,
    CostFunction,
)

MOST_CHECKED = 1000
"""The splits at which a user-defined cost is checked; each check computes it twice more."""

Links = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]
"""splits, split_edges and edge_to of a graph; see `algorithms.exact.tree_set.TreeSet`."""


def added_at_nodes(cost: CostFunction, size: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """(nodes,): the amount that a nonterminal node adds to the costs of the trees below it.

    size (nodes,) sums the row weights; the average depth counts as total path length. None for the depth, which is no
    sum, and for user-defined costs.
    """
    if cost in (TOTAL_PATH_LENGTH, AVERAGE_DEPTH):
        return size
    if cost in (NODES, NONTERMINAL_NODES):
        return np.ones_like(size)
    if cost == TERMINAL_NODES:
        return np.zeros_like(size)
    return None


def least_costs(cost: CostFunction, size: NDArray[np.int64], links: Links) -> tuple[NDArray[Any], NDArray[Any]]:
    """(nodes,) and (splits,): the least of a monotone cost at each node and by each split.

    They are int64 for the five costs, where the average depth counts as total path length. For user-defined costs they
    have the type that F returns (dtype object, not rounded).

    Raises ValueError if a user-defined cost is NaN, or falls where the costs of its parts rise: the
    first splits are checked.
    """
    check_type("cost", cost, CostFunction, "COST_FUNCTIONS[name]")
    added = added_at_nodes(cost, size)
    if added is not None:
        value, split_value = least_sums(added, int(cost.psi_zero), *links)
        return value, split_value
    splits, split_edges, edge_to = (array.tolist() for array in links)
    values: list[float] = []
    split_values: list[float] = []
    checked = 0
    for node, n in enumerate(size.tolist()):
        values_of_splits: list[float] = []
        for split in range(splits[node], splits[node + 1]):
            parts: Sequence[float] = [values[to] for to in edge_to[split_edges[split] : split_edges[split + 1]]]
            value = cost.combine(n, parts)
            if not isinstance(value, Real | Decimal) or value != value:  # noqa: PLR0124 - NaN
                raise ValueError(
                    f"cost {cost.name!r} is {value!r} for a table of size {n}: expected a number other than NaN"
                )
            if checked < MOST_CHECKED and min(parts) < max(parts):
                checked += 1
                _check_monotone(cost, n, parts, value)
            values_of_splits.append(value)
        values.append(min(values_of_splits, default=cost.psi_zero))
        split_values += values_of_splits
    return np.array(values, dtype=object), np.array(split_values, dtype=object)


def _check_monotone(cost: CostFunction, n: int, parts: Sequence[float], value: float) -> None:
    """Compare a cost with those of as many parts that all cost as little, or as much, as one of them."""
    lowest, highest = ([end(parts)] * len(parts) for end in (min, max))
    steps = ((lowest, cost.combine(n, lowest)), (list(parts), value), (highest, cost.combine(n, highest)))
    for (before, less), (after, more) in pairwise(steps):
        if more < less and not (isinstance(more, float) and isclose(more, less)):
            raise ValueError(
                f"cost {cost.name!r} for a table of size {n} falls from {less} to {more} when the costs of the "
                f"subtrees rise from {before} to {after}: expected a cost that never falls in this case"
            )
