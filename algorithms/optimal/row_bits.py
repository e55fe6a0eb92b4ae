"""Rows whose attributes have two values, as bits by class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from algorithms.kernels.pair_counts import Segments
from algorithms.kernels.row_bits import NOT_TWO, TWO, write_bits
from algorithms.optimal.instance import Instance

__all__ = ["RowBits"]

Numbers = NDArray[np.float64]
Words = NDArray[np.uint64]
Bits = NDArray[np.bool_]

WORD = 64


@dataclass(frozen=True, eq=False)
class RowBits:
    """The rows of an instance; rows of one class and one weight together, each such segment from a new word on.

    attributes : (columns,) which attribute of the data each column is; constant ones are left out, and those that part
                 the rows as one before them does
    values     : the two values of each column, the lesser first
    columns    : (columns + 1, words) bits: whether the row has the greater of the two values; last, whether it is a row
    start      : (segments + 1,) the words of each segment
    class_of   : (segments,) the class, of those that there are; weight : (segments,) of each row, in units of `unit`
    unit       : the weight of each row where all are the same, else 1
    classes    : how many there are among the rows
    place      : (rows of the data,) the bit of each; keys : a hash of its values, by which equal rows are known
    """

    attributes: NDArray[np.int32]
    values: tuple[tuple[float, float], ...]
    columns: Words
    start: NDArray[np.int64]
    class_of: NDArray[np.int64]
    weight: Numbers
    unit: float
    classes: int
    place: NDArray[np.int64]
    keys: Words

    @staticmethod
    def of(instance: Instance) -> RowBits | None:
        """The rows of an instance; None where an attribute has more than two values."""
        data, weights = instance.data, instance.weights
        alike = bool((weights == weights[0]).all())
        order = np.argsort(data.decisions, kind="stable") if alike else np.lexsort((weights, data.decisions))
        decisions, ordered = data.decisions[order], weights[order]
        first = np.append(0, np.flatnonzero((np.diff(decisions) != 0) | (np.diff(ordered) != 0)) + 1)
        sizes = np.diff(np.append(first, len(order)))
        start = np.append(0, np.cumsum(-(-sizes // WORD)))
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order)) + np.repeat(start[:-1] * WORD - first, sizes)
        columns = np.zeros((len(data.columns) + 1, int(start[-1])), np.uint64)
        keys = np.zeros(len(order), np.uint64)
        marks = _mixed(np.arange(1, len(data.columns) + 1, dtype=np.uint64))
        asked: list[int] = []
        values: list[tuple[float, float]] = []
        for attribute, column in enumerate(data.columns):
            found, low, high = write_bits(column, place, columns[len(asked)], marks[attribute], keys)
            if found == NOT_TWO:
                return None
            if found == TWO:
                asked.append(attribute)
                values.append((float(low), float(high)))
        columns = columns[: len(asked) + 1]
        columns[-1] = _ones(sizes, start)
        kept = _different(columns)
        if len(kept) < len(asked):
            columns = columns[[*kept, len(asked)]]
        classes, class_of = np.unique(decisions[first], return_inverse=True)
        return RowBits(
            attributes=np.array(asked, np.int32)[kept],
            values=tuple(values[column] for column in kept),
            columns=columns,
            start=start,
            class_of=class_of,
            weight=np.ones(len(first)) if alike else ordered[first],
            unit=float(weights[0]) if alike else 1.0,
            classes=len(classes),
            place=place,
            keys=keys,
        )

    @property
    def number(self) -> int:
        """Number of columns that are attributes."""
        return len(self.attributes)

    @property
    def rows(self) -> Words:
        """(words,) all rows."""
        rows: Words = self.columns[-1]
        return rows

    @property
    def alike(self) -> bool:
        """Whether all rows weigh the same."""
        return bool((self.weight == 1).all())

    def side(self, mask: Words, column: int, value: int) -> Words:
        """(words,) the rows of a mask that have a value."""
        return np.asarray(mask & (self.columns[column] if value else ~self.columns[column]))

    @cached_property
    def total(self) -> float:
        """The weight of all rows, in units of `unit`."""
        return float((self.rows_in(self.rows) * self.weight).sum())

    def rows_in(self, mask: Words) -> NDArray[np.int64]:
        """(segments,) how many rows a mask has."""
        return np.asarray(np.add.reduceat(np.bitwise_count(mask), self.start[:-1], dtype=np.int64))

    @cached_property
    def forced(self) -> Words:
        """(words,) rows that every tree gets wrong: not of the weightiest class among those with equal values."""
        wrong = np.zeros(len(self.rows) * WORD, np.bool_)
        ordered = np.sort(self.keys)
        if (ordered[1:] == ordered[:-1]).any():
            group = np.unique(self.keys, return_inverse=True)[1]
            groups = int(group.max()) + 1
            segment = np.searchsorted(self.start, self.place // WORD, side="right") - 1
            decision = self.class_of[segment]
            cell = group * self.classes + decision
            weight = np.bincount(cell, self.weight[segment], groups * self.classes).reshape(groups, self.classes)
            wrong[self.place] = weight.argmax(axis=1)[group] != decision
        return np.packbits(wrong, bitorder="little").view(np.uint64)

    def forced_weight(self) -> float:
        """The weight of the rows that every tree gets wrong."""
        return float((self.rows_in(self.forced) * self.weight).sum() * self.unit)

    def segments(self, *, count_rows: bool) -> Segments:
        """What the kernels know of the segments; `count_rows` adds a plane of rows, whatever they weigh."""
        return Segments(
            plane=self.class_of,
            weight=None if self.alike else self.weight,
            rows_plane=self.classes if count_rows else -1,
        )


def _different(columns: Words) -> list[int]:
    """The first of the columns that part the rows alike, that is, are equal or each other's complement."""
    turned = np.where(columns[:-1, :1] & np.uint64(1), columns[:-1] ^ columns[-1], columns[:-1])  # first row: always 0
    seen: dict[bytes, int] = {}
    for place, column in enumerate(turned):
        seen.setdefault(column.tobytes(), place)
    return list(seen.values())


def _mixed(words: Words) -> Words:
    """Words that look random, the same for the same (splitmix64)."""
    words = words * np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _ones(sizes: NDArray[np.int64], start: NDArray[np.int64]) -> Words:
    """(words,) which bits are rows."""
    bits = np.arange(int(start[-1]) * WORD) - np.repeat(start[:-1] * WORD, np.diff(start) * WORD)
    is_row = bits < np.repeat(sizes, np.diff(start) * WORD)
    return np.packbits(is_row, bitorder="little").view(np.uint64)
