"""The rows of an instance and the tests that a node may make, as bits.

A set of rows is an array (words,) of uint64. Bits are numbered 64 * w + i for bit i of word w, and each row has one.
Rows are sorted by class, and each class begins at a new word, so that counts of set bits, word by word, give the rows
of each class. The bits after the last row of a class are never set.
"""

from typing import Any, NamedTuple

CUT, CODES, SET = 0, 1, 2
"""Kinds of tests: the rows of a mask and the others; a branch for each of several masks; a set of codes and the others.

Only a code that some row of the node has makes a branch. A cut is made only if it splits the rows differently from the
cut before it. Of the sets of codes that split the rows in the same way, only one is made: it has only codes that occur
in the node, without the last of them.

An attribute whose value some rows lack has its cuts twice: first the mask of these rows, then the cuts that send them
below, then those that send them above. A cut of the last kind is made only if some rows of the node lack the value and
some others lie above it: otherwise it repeats one of the others.
"""


class WeightedBits(NamedTuple):
    """The rows as bits, and their weights."""

    start: Any  # (classes + 1,) int64: the first word of each class, and the number of words
    weight: Any  # (64 * words,) int64: of the row of each bit
    common_weight: Any  # int64: the weight of each row if all are equal, else 0
    forced: Any  # (words,) uint64: the rows of each equivalent point that are not of its heaviest class


class BitTests(NamedTuple):
    """The tests that a node may make, by attribute; the cuts of an attribute increase, its sets follow its codes."""

    kind: Any  # (tests,) uint8: CUT, CODES or SET
    attribute: Any  # (tests,) int64: the attribute, or the first of several that split all rows alike
    lacking: Any  # (tests,) int64: for a cut that sends rows without a value above, the mask of these rows; else -1
    first: Any  # (tests + 1,) int64: the first mask of each test
    chosen: Any  # (tests,) uint64: bit k is set if a set has the code of mask k of its CODES test, of at most 16 codes
    mask: Any  # (masks, words) uint64: a set of rows


class TreeTerms(NamedTuple):
    """The costs of trees, and which trees are allowed."""

    split: Any  # float: the cost of a split, in the unit of the weights
    leaf: Any  # float: the cost of a leaf, in the same unit
    least: Any  # fewest rows in a leaf
    shift: Any  # bits of each of splits and leaves in a key, errors << 2 * shift | splits << shift | leaves
    tie: Any  # costs that differ by no more are equal
