"""The rows of an instance and what a node can ask of them, as bits.

A set of rows is an array of words. Rows are sorted by class, and those of a class begin at a new word, so that a count
of set bits, word by word, counts the rows of each class.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Words
from algorithms.data_set import AttributeKind, DataSet, DataSetError
from algorithms.optimal.instance import Instance
from algorithms.optimal.solution import EffortSpentError
from algorithms.row_weights import whole_weights

__all__ = ["CODES", "CUT", "SET", "TIE", "BitRows", "Questions", "Rows", "Terms", "bit_rows"]

CUT, CODES, SET = 0, 1, 2
"""Kinds of question: rows of a mask and the others; a branch for each of several masks; a set of codes and the others.

Only a code that some row of the node has makes a branch. A cut is asked only if it splits the rows otherwise than the
cut before it, a set only in the one form that names codes of the node alone and leaves out the last of them.
"""

WORD = 64
MOST_CODES = 16
"""An attribute of k codes has 2**(k - 1) sets."""
KEY_BITS = 62
"""Bits of the key that errors, splits and leaves share."""

TIE = 1e-9
"""Objectives that differ by less than this are equal."""


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
    attribute (questions,) int64     : the attribute
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


@dataclass(frozen=True, eq=False)
class BitRows:
    """An instance as bits.

    row  : (64 * words,) the row of each bit, -1 without one
    all  : (words,) all rows
    unit : the weight of an error of 1
    """

    rows: Rows
    questions: Questions
    terms: Terms
    row: NDArray[np.int64]
    all: Words
    unit: float

    def rows_of(self, words: Words) -> NDArray[np.int64]:
        """The rows of a set, increasing."""
        bits = np.unpackbits(words.view(np.uint8), bitorder="little").view(np.bool_)
        return np.sort(self.row[bits])


def bit_rows(instance: Instance, memory: int, *, subsets: bool) -> BitRows:
    """The rows and questions of an instance; with `subsets` nominal attributes are also split into two sets of codes.

    Raises
    ------
    DataSetError
        An attribute has too many codes for sets of them.
    EffortSpentError
        The masks take more bytes than `memory`.
    """
    data = instance.data
    order = np.argsort(data.decisions, kind="stable")
    of_class = np.bincount(data.decisions, minlength=1)
    start = np.concatenate([[0], np.cumsum(-(-of_class // WORD))])
    place = np.arange(data.rows) + np.repeat(start[:-1] * WORD - np.cumsum(of_class) + of_class, of_class)
    row = np.full(WORD * start[-1], -1)
    row[place] = order
    shift = int(data.rows).bit_length()
    whole, unit = whole_weights(instance.weights, float(instance.weights.sum()), KEY_BITS - 2 * shift)
    grain = int(np.gcd.reduce(whole))
    weight = np.zeros(len(row), np.int64)
    weight[place] = whole[order] // grain
    each = weight[place[0]] if (weight[place] == weight[place[0]]).all() else 0

    def bits(inside: NDArray[np.bool_]) -> Words:
        spread = np.zeros(len(row), np.bool_)
        spread[place] = inside[order]
        return np.packbits(spread, bitorder="little").view(np.uint64)

    asked: list[_Question] = []
    masks: list[Words] = []
    for question in _asked(data, subsets=subsets):
        asked.append(question)
        masks += [bits(inside) for inside in question.inside]
        if len(masks) * masks[-1].nbytes > memory:
            msg = (
                f"the questions about {data.rows:,} rows and {len(data.columns):,} attributes take more than the "
                f"{memory:,} bytes allowed. Raise the limit, or leave out attributes of many values"
            )
            raise EffortSpentError(msg)
    scale = (instance.baseline or 1.0) / (unit * grain)
    return BitRows(
        Rows(start, weight, each, bits(_forced(data, whole))),
        Questions(
            np.array([question.kind for question in asked], np.uint8),
            np.array([question.attribute for question in asked], np.int64),
            np.concatenate([[0], np.cumsum([len(question.inside) for question in asked])]).astype(np.int64),
            np.array([question.chosen for question in asked], np.uint64),
            np.array(masks, np.uint64).reshape(len(masks), int(start[-1])),
        ),
        Terms(
            split=instance.alpha * scale if instance.penalty == "splits" else 0.0,
            leaf=instance.alpha * scale if instance.penalty == "leaves" else 0.0,
            least=instance.min_samples_leaf,
            shift=shift,
            tie=TIE * scale,
        ),
        row,
        bits(np.ones(data.rows, np.bool_)),
        unit * grain,
    )


class _Question(NamedTuple):
    kind: int
    attribute: int
    inside: list[NDArray[np.bool_]]
    chosen: int = 0


def _asked(data: DataSet, *, subsets: bool) -> Iterator[_Question]:
    for place, (about, column) in enumerate(zip(data.attributes, data.columns, strict=True)):
        values = np.unique(column)
        if about.kind is AttributeKind.NUMERIC or len(values) <= 2:
            yield from (_Question(CUT, place, [column <= value]) for value in values[:-1])
            continue
        yield _Question(CODES, place, [column == value for value in values])
        if not subsets:
            continue
        if len(values) > MOST_CODES:
            msg = (
                f"attribute {about.name!r} has {len(values)} values: to split it into two sets of them at most "
                f"{MOST_CODES} are allowed. Leave `subsets` out, or merge rare values"
            )
            raise DataSetError(msg)
        for chosen in range(1, 1 << (len(values) - 1)):
            codes = values[np.flatnonzero(chosen >> np.arange(len(values)) & 1)]
            yield _Question(SET, place, [np.isin(column, codes)], chosen)


def _forced(data: DataSet, weight: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(rows,): whether a row is not of the heaviest class of the rows with equal values."""
    _, alike = np.unique(data.values(), axis=0, return_inverse=True)
    alike = alike.ravel()
    by_class = np.zeros((alike.max() + 1, len(data.classes)), np.int64)
    np.add.at(by_class, (alike, data.decisions), weight)
    heaviest: NDArray[np.intp] = by_class.argmax(axis=1)
    return np.not_equal(heaviest[alike], data.decisions)
