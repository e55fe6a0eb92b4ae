"""Alpha-decision trees: they stop at subtables of little uncertainty.

For 0 <= alpha < 1, a subtable Θ of the table T is terminal if and only if rt(Θ) <= alpha rt(T). Here rt is the number
of unordered pairs of rows with different decisions. No tree splits a terminal subtable; its answer is its most common
decision. With alpha 0 these are the ordinary decision trees.

If terminal subtables could be split further, none of the five minima would change. The set of trees of least depth
might become larger. The sets of trees of least cost by the other four costs would not change, because a further split
increases these costs.

A row of weight w counts as w rows. rt and the comparison are exact.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.data.table import DecisionTable
from algorithms.exact.graph import SubtableGraph
from algorithms.exact.tree_set import TreeSet, decision_counts
from algorithms.options import Number, check_parameters

__all__ = ["alpha_trees", "most_pairs"]

MOST_SQUARED = 2**31
"""Numbers whose squares are 64-bit integers are less than this."""


def alpha_trees(graph: SubtableGraph, alpha: float | Fraction) -> TreeSet:
    """All alpha-decision trees for the table of a graph.

    Count the pairs of rows with different decisions in a node's subtable and in the whole table. The node is terminal
    if and only if the first number is at most alpha times the second.

    Parameters
    ----------
    graph : SubtableGraph
    alpha : float or Fraction
        A number with 0 <= alpha < 1. A float counts as the decimal number that Python prints for it: 0.3 is 3/10, not
        the nearest binary fraction.

    Returns
    -------
    TreeSet

    Raises
    ------
    TypeError
        The graph is not a SubtableGraph.
    ValueError
        Alpha is out of range.

    Examples
    --------
    >>> from orchard import DEPTH, RandomTables, SubtableGraph, alpha_trees
    >>> graph = SubtableGraph.of(RandomTables(rows=12, attributes=4).table(seed=0, group=1, index=1))
    >>> [alpha_trees(graph, alpha).minimum(DEPTH) for alpha in (0, 0.1, 0.3)]
    [3, 2, 1]
    """
    trees = TreeSet.of(graph)
    is_split = _pairs(decision_counts(graph)) > most_pairs(graph.table, alpha)
    return trees.restricted(np.repeat(is_split, np.diff(trees.splits)))


def most_pairs(table: DecisionTable, alpha: float | Fraction) -> int:
    """The greatest rt of a terminal subtable. Raises ValueError unless 0 <= alpha < 1."""
    check_parameters({"alpha": [Number(0, 1, "left")]}, {"alpha": alpha})
    return floor(Fraction(str(alpha)) * int(_pairs(table.decision_counts())))


def _pairs(counts: NDArray[np.int64]) -> NDArray[Any]:
    """The rt of subtables with these counts (..., decisions); squares of sizes from 2**31 need Python's integers."""
    exact = counts.astype(object) if counts.sum(axis=-1).max() >= MOST_SQUARED else counts
    return np.asarray((exact.sum(axis=-1) ** 2 - (exact**2).sum(axis=-1)) // 2)
