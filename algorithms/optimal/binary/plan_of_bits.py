"""Build the tree from the results of a search over two-valued attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from algorithms.array_types import Numbers, Words
from algorithms.data_set import DataSet
from algorithms.optimal.binary import bit_columns as kernels
from algorithms.optimal.binary.buffers import slack_of
from algorithms.optimal.binary.pair_levels import PairProblem
from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.driver import Result
from algorithms.optimal.plan import Leaf, Plan, split_by_values
from algorithms.trees.decision_tree import DecisionTree


class SingleSplit(NamedTuple):
    """The best split of a set of rows whose sides are leaves; column -1 if none is allowed."""

    column: int
    errors: float
    leaf_errors: float
    rows: int


def best_single_split(rows: RowBits, mask: Words, min_leaf: int) -> SingleSplit:
    """The first split of fewest errors with sides of at least `min_leaf` rows; errors in units of the rows' weights."""
    return best_splits_below(rows, mask, rows.number, min_leaf)[1]


def best_splits_below(rows: RowBits, mask: Words, column: int, min_leaf: int) -> list[SingleSplit]:
    """`best_single_split` of both sides of a column, the rows with the lesser value first."""
    best, scratch = np.empty((2, 4)), np.empty((2, rows.classes))
    kernels.best_splits_below(
        rows.columns, rows.start, rows.class_of, rows.weight, mask, column, min_leaf, scratch, best
    )
    return [
        SingleSplit(int(split), errors, leaf_errors, int(counted))
        for split, errors, leaf_errors, counted in best.tolist()
    ]


def count_rows(rows: RowBits, tree: DecisionTree) -> None:
    """Add the rows to the `counts` of the nodes of a tree of such splits."""
    column = np.searchsorted(rows.attributes, tree.attribute)
    masks = np.empty((tree.nodes, len(rows.rows)), np.uint64)
    masks[0] = rows.rows
    weight = rows.weight * rows.unit
    kernels.write_counts(
        rows.columns, rows.start, rows.decision, weight, column, tree.edges, tree.edge_to, masks, tree.counts
    )


def split_plan(rows: RowBits, data: DataSet, column: int, zero: Plan, one: Plan) -> Plan:
    """A node that tests the attribute of a column."""
    return split_by_values(data, int(rows.attributes[column]), rows.values[column][:, None], (zero, one))


KnownOf = Callable[[Words, int], Result]
"""Returns the results for a set of rows and a depth of 2 or more."""


def plan_of_result(
    rows: RowBits, data: DataSet, problem: PairProblem, known: KnownOf, mask: Words, result: Result, size: int
) -> Plan:
    """The tree that a search found for a set of rows: of least cost, or of at most `size` splits."""
    column, depth = int(result.choice[size]), int(result.depth[size])
    if column < 0:
        return Leaf()
    if depth == 2:
        single = best_splits_below(rows, mask, column, problem.min_leaf)
        if all(best.rows for best in single):
            return split_plan(rows, data, column, *_leaves_or_splits(rows, data, problem, single, size))
    sides = [rows.side(mask, column, value) for value in (0, 1)]
    counted = [side.any() for side in sides]
    if not all(counted):  # one side has all rows, so the split below is the tree
        side = sides[int(counted[1] > 0)]
        if depth > 2:
            return plan_of_result(rows, data, problem, known, side, known(side, depth - 1), size)
        return best_single_plan(rows, data, side, problem)
    below = [known(side, depth - 1) for side in sides]
    allowed = (0, 0) if problem.sizes == 1 else _splits_of_sides(below[0].best, below[1].best, size, slack_of(rows))
    plans = [
        plan_of_result(rows, data, problem, known, side, of_side, splits)
        for side, of_side, splits in zip(sides, below, allowed, strict=True)
    ]
    return split_plan(rows, data, column, *plans)


def best_single_plan(rows: RowBits, data: DataSet, mask: Words, problem: PairProblem) -> Plan:
    """The best split whose sides are leaves, if it is worth its cost; else a leaf."""
    single = best_single_split(rows, mask, problem.min_leaf)
    worth = single.errors + problem.split_cost < single.leaf_errors - slack_of(rows)
    return split_plan(rows, data, single.column, Leaf(), Leaf()) if worth else Leaf()


def _leaves_or_splits(
    rows: RowBits, data: DataSet, problem: PairProblem, single: list[SingleSplit], size: int
) -> list[Plan]:
    """The subtrees of a node whose sides have one level left: leaves, or their best splits."""
    slack = slack_of(rows)
    if problem.sizes == 1:
        chosen = tuple(best.errors + problem.split_cost < best.leaf_errors - slack for best in single)
    else:
        values = [np.array([best.leaf_errors, min(best.errors, best.leaf_errors)]) for best in single]
        chosen = tuple(map(bool, _splits_of_sides(values[0], values[1], size, slack)))
    return [
        split_plan(rows, data, best.column, Leaf(), Leaf()) if split and best.column >= 0 else Leaf()
        for best, split in zip(single, chosen, strict=True)
    ]


def _splits_of_sides(zero: Numbers, one: Numbers, size: int, slack: float) -> tuple[int, int]:
    """The number of splits of each side, `size` - 1 in total, that gives the fewest errors."""
    least, chosen = np.inf, (0, 0)
    for both in range(size):
        for first in range(both + 1):
            second = both - first
            if first < len(zero) and second < len(one) and zero[first] + one[second] < least - slack:
                least, chosen = zero[first] + one[second], (first, second)
    return chosen
