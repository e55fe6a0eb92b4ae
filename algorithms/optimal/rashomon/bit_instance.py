"""The rows of an instance and the tests that a node may make, as bits.

A set of rows is an array of words. Rows are sorted by class, and those of a class begin at a new word, so that a count
of set bits, word by word, counts the rows of each class.
"""

from typing import Any, NamedTuple

CUT, CODES, SET = 0, 1, 2
"""Kinds of tests: the rows of a mask and the others; a branch for each of several masks; a set of codes and the others.

Only a code that some row of the node has makes a branch. A cut is made only if it splits the rows differently from the
cut before it. A set is made only in the form that has codes of the node alone, without the last of them.

An attribute whose value some rows lack has its cuts twice: first the mask of these rows, then the cuts that send them
below, then those that send them above. A cut of the last kind is made only if some rows of the node lack the value and
some others lie above it: otherwise it repeats one of the others.
"""


class WeightedBits(NamedTuple):
    """The rows as bits, and their weights."""

    start: Any  # (classes + 1,) int64: the words of each class
    weight: Any  # (64 * words,) int64: of the row of each bit
    common_weight: Any  # int64: the weight of each row if all are equal, else 0
    forced: Any  # (words,) uint64: rows that every tree misclassifies: among equal ones, not of the heaviest class


class BitTests(NamedTuple):
    """The tests that a node may make, by attribute; the cuts of an attribute increase, its sets follow its codes."""

    kind: Any  # (tests,) uint8: CUT, CODES or SET
    attribute: Any  # (tests,) int64: the attribute, or the first of several
    lacking: Any  # (tests,) int64: of a cut that sends rows without a value above, the mask of these rows; else -1
    first: Any  # (tests + 1,) int64: its first mask
    chosen: Any  # (tests,) uint64: the codes of a set, as bits
    mask: Any  # (masks, words) uint64


class TreeTerms(NamedTuple):
    """The costs of trees, and which trees are allowed."""

    split: Any  # the cost of a split, in the unit of the weights
    leaf: Any  # the cost of a leaf, likewise
    least: Any  # fewest rows in a leaf
    shift: Any  # a key is errors << 2 * shift | splits << shift | leaves
    tie: Any  # costs that differ by no more are equal
