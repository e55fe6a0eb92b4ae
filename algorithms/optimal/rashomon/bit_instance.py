"""The rows of an instance and what a node can ask of them, as bits.

A set of rows is an array of words. Rows are sorted by class, and those of a class begin at a new word, so that a count
of set bits, word by word, counts the rows of each class.
"""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["CODES", "CUT", "SET", "Questions", "Rows", "Terms"]

CUT, CODES, SET = 0, 1, 2
"""Kinds of question: rows of a mask and the others; a branch for each of several masks; a set of codes and the others.

Only a code that some row of the node has makes a branch. A cut is asked only if it splits the rows otherwise than the
cut before it, a set only in the one form that names codes of the node alone and leaves out the last of them.
"""


class Rows(NamedTuple):
    """The rows.

    start  (classes + 1,) int64 : the words of each class
    weight (64 * words,) int64  : of the row of each bit
    each   int64                : the weight of each row if all are equal, else 0
    forced (words,) uint64      : rows that every tree misclassifies: among equal ones, not of the heaviest class
    """

    start: Any
    weight: Any
    each: Any
    forced: Any


class Questions(NamedTuple):
    """What a node can ask, by attribute; the cuts of an attribute increase, its sets follow its codes.

    kind      (questions,) uint8     : CUT, CODES or SET
    attribute (questions,) int64     : the attribute, or the first of several
    first     (questions + 1,) int64 : its first mask
    chosen    (questions,) uint64    : the codes of a set, as bits
    mask      (masks, words) uint64
    """

    kind: Any
    attribute: Any
    first: Any
    chosen: Any
    mask: Any


class Terms(NamedTuple):
    """What trees cost and which are allowed.

    split, leaf : the cost of each, in the unit of the weights
    least       : fewest rows in a leaf
    shift       : a key is errors << 2 * shift | splits << shift | leaves
    tie         : costs that differ by no more are equal
    """

    split: Any
    leaf: Any
    least: Any
    shift: Any
    tie: Any
