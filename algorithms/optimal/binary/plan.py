"""From what a search over binary attributes has found of sets of rows to the tree itself."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.attributes.thresholds import cut_between
from algorithms.data_set import AttributeKind, DataSet
from algorithms.kernels.binary.row_bits import best_single_split as kernel
from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.binary.search import BinarySearch, Known
from algorithms.optimal.plan import ByBounds, ByCodes, Leaf, Plan

__all__ = ["best_single_split", "plan_found", "split_plan"]

Numbers = NDArray[np.float64]
Words = NDArray[np.uint64]


class SingleSplit(NamedTuple):
    """The best split of a set of rows whose sides are leaves; column -1 where none is allowed."""

    column: int
    errors: float
    leaf_errors: float


def best_single_split(rows: RowBits, mask: Words, fewest: int) -> SingleSplit:
    """The first split with the fewest errors, sides of at least `fewest` rows; in units of the rows' weights."""
    found = kernel(rows.columns, rows.start, rows.class_of, rows.weight, rows.classes, mask, fewest)
    return SingleSplit(*found)


def split_plan(rows: RowBits, data: DataSet, column: int, zero: Plan, one: Plan) -> Plan:
    """A node that asks the attribute of a column."""
    attribute = int(rows.attributes[column])
    low, high = rows.values[column].tolist()
    if data.attributes[attribute].kind is AttributeKind.NUMERIC:
        return ByBounds(attribute, (cut_between(low, high),), (zero, one))
    return ByCodes(attribute, ((int(low),), (int(high),)), (zero, one))


def plan_found(search: BinarySearch, data: DataSet, mask: Words, known: Known, size: int) -> Plan:
    """The tree that a search has found for a set of rows: of least cost, or of at most `size` splits."""
    column, found = int(known.attribute[size]), int(known.found[size])
    if column < 0:
        return Leaf()
    rows = search.rows
    sides = [rows.side(mask, column, value) for value in (0, 1)]
    counted = [side.any() for side in sides]
    if not all(counted):  # one side is all of it: the split below is the tree
        return _below(search, data, sides[int(counted[1] > 0)], found - 1, size)
    if found == 2:
        plans = _leaves_or_splits(search, data, sides, size)
    elif search.sizes == 1:
        plans = [plan_found(search, data, side, search.known(side, found - 1), 0) for side in sides]
    else:
        below = [search.known(side, found - 1) for side in sides]
        first, second = _sizes(below[0].value, below[1].value, size)
        plans = [
            plan_found(search, data, side, of_side, its)
            for side, of_side, its in zip(sides, below, (first, second), strict=True)
        ]
    return split_plan(rows, data, column, *plans)


def _below(search: BinarySearch, data: DataSet, mask: Words, depth: int, size: int) -> Plan:
    if depth >= 2:
        return plan_found(search, data, mask, search.known(mask, depth), size)
    single = best_single_split(search.rows, mask, search.fewest)
    worth = single.errors + search.split_cost < single.leaf_errors
    return split_plan(search.rows, data, single.column, Leaf(), Leaf()) if worth else Leaf()


def _leaves_or_splits(search: BinarySearch, data: DataSet, sides: list[Words], size: int) -> list[Plan]:
    """What stands below a node whose sides have one level left: leaves, or their best splits."""
    single = [best_single_split(search.rows, side, search.fewest) for side in sides]
    splits = [
        split_plan(search.rows, data, one.column, Leaf(), Leaf()) if one.column >= 0 else Leaf() for one in single
    ]
    if search.sizes == 1:
        return [
            plan if one.errors + search.split_cost < one.leaf_errors else Leaf()
            for plan, one in zip(splits, single, strict=True)
        ]
    values = [np.array([one.leaf_errors, min(one.errors, one.leaf_errors)]) for one in single]
    chosen = _sizes(values[0], values[1], size)
    return [plan if its else Leaf() for plan, its in zip(splits, chosen, strict=True)]


def _sizes(zero: Numbers, one: Numbers, size: int) -> tuple[int, int]:
    """How many splits each side has, of `size` less one together, for the least errors."""
    least, chosen = np.inf, (0, 0)
    for both in range(size):
        for first in range(both + 1):
            second = both - first
            if first < len(zero) and second < len(one) and zero[first] + one[second] < least:
                least, chosen = zero[first] + one[second], (first, second)
    return chosen
