"""Build the tree from the results of a search over two-valued attributes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from algorithms.array_types import Numbers, Words
from algorithms.data_set import DataSet
from algorithms.optimal.binary import bit_columns as kernels
from algorithms.optimal.binary.pair_levels import PairProblem
from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.driver import Result
from algorithms.optimal.plan import Leaf, Plan, split_by_values
from algorithms.trees.decision_tree import DecisionTree


def one_level(rows: RowBits, mask: Words, problem: PairProblem) -> Result:
    """The best leaf or single split of a set of rows, as the results of a search for depth 1."""
    split, scratch = np.empty(3), np.empty((2, rows.classes))
    kernels.best_split(rows.columns, rows.start, rows.class_of, rows.weight, mask, problem.min_leaf, scratch, split)
    column, errors, leaf = split.tolist()
    more = problem.sizes - 1
    best, choice = [leaf, *[min(errors, leaf)] * more], [-1, *[int(column)] * more]
    if not more and errors + problem.split_cost < leaf - rows.slack():
        best, choice = [errors + problem.split_cost], [int(column)]
    return Result(np.array(best), np.array(choice), [1] * problem.sizes, np.array(best))


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
"""Returns the results for a set of rows and a depth."""


def plan_of_result(rows: RowBits, data: DataSet, known: KnownOf, mask: Words, result: Result, size: int) -> Plan:
    """The tree that a search found for a set of rows: of least cost, or of at most `size` splits."""
    column, depth = int(result.choice[size]), int(result.depth[size])
    if column < 0:
        return Leaf()
    if depth == 1:
        return split_plan(rows, data, column, Leaf(), Leaf())
    sides = [side for value in (0, 1) if (side := rows.side(mask, column, value)).any()]
    below = [known(side, depth - 1) for side in sides]
    if len(sides) == 1:  # it has all rows, so the split below is the tree
        return plan_of_result(rows, data, known, mask, below[0], size)
    allowed = (0, 0) if len(result.best) == 1 else _splits_of_sides(below[0].best, below[1].best, size, rows.slack())
    plans = [
        plan_of_result(rows, data, known, side, of_side, splits)
        for side, of_side, splits in zip(sides, below, allowed, strict=True)
    ]
    return split_plan(rows, data, column, *plans)


def _splits_of_sides(zero: Numbers, one: Numbers, size: int, slack: float) -> tuple[int, int]:
    """The number of splits of each side, `size` - 1 in total, that gives the fewest errors."""
    least, chosen = np.inf, (0, 0)
    for both in range(size):
        for first in range(both + 1):
            second = both - first
            if first < len(zero) and second < len(one) and zero[first] + one[second] < least - slack:
                least, chosen = zero[first] + one[second], (first, second)
    return chosen
