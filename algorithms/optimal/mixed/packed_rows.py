"""The rows and the rules of an exact search over numeric and nominal attributes, as its kernels read them.

Rows with equal values and the same class are merged into one row with the sum of their weights. Weights are integer
multiples of a unit, so sums are exact and the same on any machine.

A node has one list of its rows for each attribute, sorted by value. An element of a list is a *word*, an int64:

- bits 0 to 27 (ROW_BITS): the index of the merged row;
- bits 28 to 39 (CLASS_BITS): its class;
- bits 40 to 62: the rank of its value, the index among the increasing distinct values of the attribute.

The sign bit is 0. The 23 bits of the rank limit the rows to 2²³, the class bits limit the classes to 2¹².
"""

from typing import Any, NamedTuple

from algorithms._numba.decorators import inlined

ROW_BITS, CLASS_BITS = 28, 12
ROW_MASK, CLASS_MASK = (1 << ROW_BITS) - 1, (1 << CLASS_BITS) - 1
RANK_SHIFT = ROW_BITS + CLASS_BITS

BELOW, CUTS, BRANCHES, THREE_LABELS = -1, 0, 1, 1 << RANK_SHIFT
"""Kinds of attribute.

- CUTS: two branches, by a cut between neighbouring ranks.
- BRANCHES: a branch for each rank, or with `TreeRule.subsets` also two branches, for two sets of ranks.
- k > BRANCHES: k is the last rank, that of missing numbers. They have a branch of their own beside the two of a cut of
  the other ranks. They may also be separated from all other rows.
- THREE_LABELS + 2: an attribute with a branch for each of three ranks, read as numbers of two values, or missing. The
  rows of the last rank may be separated only from those of one other rank, if the node has no third rank.
- BELOW and k < BELOW: two consecutive attributes that are cut as CUTS and have the same numbers. Missing numbers, which
  may go to either side of a cut, have rank 0 in the first, of kind BELOW. In the second they have the last rank, -k,
  and the rank of every other number is one less than in the first.
"""


class PackedRows(NamedTuple):
    """The merged rows."""

    weight: Any  # (rows,) int64: at least 1
    count: Any  # (rows,) int64: number of rows that are merged into it
    forced: Any  # (rows,) int64: the equivalent points bound, at the first merged row of each point; 0 at the others
    grains: Any  # (rows,) int64: weight in units of `TreeRule.grain`
    key: Any  # (rows, 2) uint64: random bits; a set of rows has the exclusive or of their keys (Zobrist hashing)


class TreeRule(NamedTuple):
    """Which trees are allowed, and what they cost."""

    price: Any  # cost of a split, in the unit of the weights
    per_leaf: Any  # whether leaves are penalised: a split with k branches costs (k - 1) * price
    min_leaf: Any  # fewest rows in a leaf, counted before merging
    subsets: Any  # whether a nominal attribute may also be split into two sets of values
    weight_bounds: Any  # whether the similarity bound holds: a further row raises the cost by at most its weight
    counts_splits: Any  # whether to find the least cost for each number of splits: at most 0, 1, ...
    width: Any  # length of the vectors of costs: the greatest number of splits + 1 if splits are counted, else 1
    binary: Any  # whether all attributes are CUTS
    classes: Any  # number of classes
    packed_bits: Any  # bits of each field of a word with the weight of every class on both sides of a split; 0: none
    sweep_bits: Any  # bits of the integers of sweeps (16, 32 or 64); 0 if no cuts are swept
    grain: Any  # the greatest common divisor of the weights of merged rows
    row_weight: Any  # `grain` if every row, before merging, has this weight; else 0
    repeats: Any  # whether an attribute appears twice, the first time of kind BELOW
    thorough: Any
    """Whether to use class bounds (see `cut_bounds.raise_lows`), and to keep the bounds of relaxed trees for later
    intervals (see `cut_bounds`). A thorough search may return another of several equally good trees."""


@inlined
def is_cut(kind, attribute):
    """Whether an attribute is split between neighbouring ranks."""
    if kind is None:
        return True
    return kind[attribute] != BRANCHES


@inlined
def has_missing(kind, attribute, arena, begin, n_rows):
    """Whether the list that begins at `begin` has rows without the number, and these have a branch of their own."""
    if kind is None:
        return False
    return kind[attribute] > BRANCHES and arena[begin + n_rows - 1] >> RANK_SHIFT == missing_rank(kind, attribute)


@inlined
def missing_rank(kind, attribute):
    """The rank of missing numbers, if an attribute is of a kind that has one."""
    return abs(kind[attribute]) & (THREE_LABELS - 1)
