"""Rows of numeric and nominal attributes as an exact search reads them, and what is asked of its trees.

A row of a node stands in a list for each attribute, sorted by its value there, as one word: rank, class, row. Rows of
equal values and class are one row, with their weight and their number. Weights are whole numbers of a fixed unit, so
that sums are exact and compare alike everywhere.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = [
    "BRANCHES",
    "CLASS_BITS",
    "CLASS_MASK",
    "CUTS",
    "NEVER",
    "RANK_SHIFT",
    "ROW_BITS",
    "ROW_MASK",
    "Rows",
    "Rule",
]

ROW_BITS, CLASS_BITS = 28, 12
ROW_MASK, CLASS_MASK = (1 << ROW_BITS) - 1, (1 << CLASS_BITS) - 1
RANK_SHIFT = ROW_BITS + CLASS_BITS

NEVER = 1 << 60
"""More than any tree costs."""

CUTS, BRANCHES = 0, 1
"""Kinds of attribute: split in two between neighbouring ranks; or a branch per rank (and into two sets of them)."""


class Rows(NamedTuple):
    """The rows."""

    weight: Any  # (rows,) int64
    count: Any  # (rows,) int64: how many rows it stands for
    forced: Any  # (rows,) int64: its errors that no tree avoids, since rows of equal values have different classes
    grains: Any  # (rows,) int64: weight in units of the rule's grain
    key: Any  # (rows, 2) uint64: random; a set of rows is known by the exclusive or of theirs


class Rule(NamedTuple):
    """What is asked."""

    price: Any  # what a split costs, in the unit of the weights
    per_leaf: Any  # ... for each of its branches less one
    least: Any  # fewest rows in a leaf
    subsets: Any  # whether nominal attributes are split into two sets of their values, too
    sheds: Any  # whether a tree for some rows is one for more rows, each of which costs it no more than its weight
    budgeted: Any  # whether splits are counted: then a node is solved for 0, 1, ... splits at once, else for any number
    width: Any  # numbers of splits that are told apart
    binary: Any  # whether every split has two branches
    classes: Any  # number of classes
    bits: Any
    """Of a field, where the weights of two sets of rows by class fit into one word, in units of `grain`; else 0."""
    lanes: Any  # bits of a number that holds all their weight in `grain`s, where many cuts may be swept at once; else 0
    grain: Any  # a common divisor of the weights; that of one row, where rows are counted and `bits` is not 0
    row: Any  # what each row weighs; 0 where they differ
    thorough: Any
    """Whether classes bound costs, see `class_bounds`, and looser trees of a cut those of other cuts, see `cut_bounds`;
    of equally good trees another may then be met first."""
