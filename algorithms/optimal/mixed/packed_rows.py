"""The rows and the rules of an exact search over numeric and nominal attributes, as its kernels read them.

A node has a list of its rows for each attribute, sorted by value. Each row is one word: rank, class, row. Rows of equal
values and class are merged into one, which has their weight and their number. Weights are whole multiples of a unit, so
sums are exact and the same on any machine.
"""

from typing import Any, NamedTuple

from algorithms._numba.decorators import inlined

ROW_BITS, CLASS_BITS = 28, 12
ROW_MASK, CLASS_MASK = (1 << ROW_BITS) - 1, (1 << CLASS_BITS) - 1
RANK_SHIFT = ROW_BITS + CLASS_BITS

BELOW, CUTS, BRANCHES = -1, 0, 1
"""Kinds of attribute: CUTS are split in two between neighbouring ranks; BRANCHES have a branch for each rank, and may
also be split into two sets of ranks. A greater kind is the rank of missing numbers, the last one: they have a branch of
their own, and the other ranks are split as in CUTS.

The others are CUTS, too. Missing numbers that may go to either side have rank 0 in an attribute of kind BELOW. In the
next attribute they have the last rank, whose negative is the kind, and any other rank is less by one.
"""


class PackedRows(NamedTuple):
    """The rows."""

    weight: Any  # (rows,) int64
    count: Any  # (rows,) int64: number of rows that were merged into it
    forced: Any  # (rows,) int64: errors that no tree avoids, because rows of equal values differ in class
    grains: Any  # (rows,) int64: weight in units of the rule's grain
    key: Any  # (rows, 2) uint64: random; the exclusive or of some rows is the key of their set


class TreeRule(NamedTuple):
    """Which trees are allowed, and what they cost."""

    price: Any  # cost of a split, in the unit of the weights
    per_leaf: Any  # whether a split with k branches costs k - 1 times as much
    min_leaf: Any  # fewest rows in a leaf
    subsets: Any  # whether nominal attributes may be split into two sets of values, too
    weight_bounds: Any  # whether a further row costs at most its weight: a tree of some rows is one of any superset
    counts_splits: Any  # whether the least cost is sought for each number of splits: at most 0, 1, ...
    width: Any  # length of the vectors of costs; 1 unless splits are counted
    binary: Any  # whether all splits are binary
    classes: Any  # number of classes
    packed_bits: Any  # bits of a field if one word holds the weight of each class on two sides, in `grain`s; else 0
    sweep_bits: Any  # bits of a number that holds all weight in units of `grain`, if cuts are swept; else 0
    grain: Any  # a common divisor of the weights; the weight of a row if leaves have a minimum size
    row_weight: Any  # of each row; 0 if they differ
    repeats: Any  # whether an attribute appears twice, the first time of kind BELOW
    thorough: Any
    """Whether to use `class_bounds`, and the relaxed trees of `cut_bounds` beyond the current run. Of equally good
    trees, a thorough search may meet another one first."""


@inlined
def is_cut(kind, attribute):
    """Whether an attribute is split between neighbouring ranks."""
    if kind is None:
        return True
    return kind[attribute] != BRANCHES


@inlined
def has_missing(kind, attribute, arena, begin, n_rows):
    """Whether some rows of an attribute's list lack the number, and have a branch of their own."""
    if kind is None:
        return False
    return kind[attribute] > BRANCHES and arena[begin + n_rows - 1] >> RANK_SHIFT == kind[attribute]


@inlined
def may_go_below(kind, attribute, arena, begin, n_rows):
    """Whether some rows of an attribute's list lack the number, and a cut of the attribute before sends them below."""
    if kind is None:
        return False
    return kind[attribute] < BELOW and arena[begin + n_rows - 1] >> RANK_SHIFT == -kind[attribute]
