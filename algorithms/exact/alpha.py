"""Alpha-decision trees: they stop at subtables of little uncertainty.

For 0 <= alpha < 1, a subtable Θ of the table T is terminal if rt(Θ) <= alpha rt(T), where rt is the number of unordered
pairs of rows with different decisions, and only then: no tree splits it further, and its answer is its most common
decision. With alpha 0 these are the ordinary decision trees.

Allowing further splits there would change none of the five minima. It would change no set of optimal trees except that
of least depth, which might grow: by every other cost a further split costs more.

Rows count by their weights. rt and the comparison are exact on tables of size up to 2**26.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

import numpy as np

from algorithms.exact.graph import SubtableGraph
from algorithms.exact.tree_set import TreeSet, decision_counts
from algorithms.table import DecisionTable
from algorithms.uncertainty import rt

__all__ = ["alpha_trees", "most_pairs"]


def alpha_trees(graph: SubtableGraph, alpha: float | Fraction) -> TreeSet:
    """All alpha-decision trees for the table of a graph.

    A node of such a tree is terminal if and only if its subtable has at most alpha times as many pairs of rows with
    different decisions as the whole table.

    Parameters
    ----------
    graph : SubtableGraph
    alpha : float or Fraction
        From 0 up to, not including, 1. It is read as the decimal that it is written as: 0.3 is 3/10, not the nearest
        binary fraction.

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
    is_split = rt(decision_counts(graph)) > most_pairs(graph.table, alpha)
    return trees.restricted(np.repeat(is_split, np.diff(trees.splits)))


def most_pairs(table: DecisionTable, alpha: float | Fraction) -> int:
    """The greatest rt of a terminal subtable; ValueError where alpha is not from 0 up to, not including, 1."""
    if not 0 <= alpha < 1:
        raise ValueError(f"alpha is {alpha}: expected 0 or more and less than 1")
    return floor(Fraction(str(alpha)) * int(rt(table.decision_counts())))
