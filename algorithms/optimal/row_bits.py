"""Rows whose attributes have two values, as bits by class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from algorithms.data_set import DataSet
from algorithms.kernels.pair_counts import Segments
from algorithms.optimal.instance import Instance

__all__ = ["RowBits", "has_two_values"]

Numbers = NDArray[np.float64]
Words = NDArray[np.uint64]
Bits = NDArray[np.bool_]

WORD = 64


def has_two_values(data: DataSet) -> bool:
    """Whether no attribute has more than two values among the rows."""
    for column in data.columns:
        if len(column) and not ((column == column[0]) | (column == column.max()) | (column == column.min())).all():
            return False
    return all(len(column) == 0 or _two(column) for column in data.columns)


def _two(column: NDArray[np.int32] | Numbers) -> bool:
    low, high = column.min(), column.max()
    return bool(((column == low) | (column == high)).all())


@dataclass(frozen=True, eq=False)
class RowBits:
    """The rows of an instance; rows of one class and one weight together, each such segment from a new word on.

    attributes : (columns,) which attribute of the data each column is; constant ones are left out, and those that part
                 the rows as one before them does
    columns    : (columns + 1, words) bits: whether the row has the greater of the two values; last, whether it is a row
    start      : (segments + 1,) the words of each segment
    class_of   : (segments,) the class, of those that there are; weight : (segments,) of each row, in units of `unit`
    unit       : the weight of each row where all are the same, else 1
    classes    : how many there are among the rows
    """

    attributes: NDArray[np.int32]
    columns: Words
    start: NDArray[np.int64]
    class_of: NDArray[np.int64]
    weight: Numbers
    unit: float
    classes: int

    @staticmethod
    def of(instance: Instance) -> RowBits:
        """The rows of an instance whose attributes have two values."""
        data, weights = instance.data, instance.weights
        alike = bool((weights == weights[0]).all())
        order = np.argsort(data.decisions, kind="stable") if alike else np.lexsort((weights, data.decisions))
        decisions, ordered = data.decisions[order], weights[order]
        new = np.flatnonzero((np.diff(decisions) != 0) | ((np.diff(ordered) != 0) & (not alike))) + 1
        first = np.concatenate([[0], new])
        sizes = np.diff(np.append(first, len(order)))
        start = np.concatenate([[0], np.cumsum(-(-sizes // WORD))]).astype(np.int64)
        place = np.arange(len(order)) + np.repeat(start[:-1] * WORD - first, sizes)
        bits = np.zeros((len(data.columns) + 1, int(start[-1]) * WORD), bool)
        asked = []
        for attribute, column in enumerate(data.columns):
            greater = column == column.max()
            if not greater.all():
                bits[len(asked), place] = greater[order]
                asked.append(attribute)
        bits[len(asked), place] = True
        columns = np.packbits(bits[: len(asked) + 1], axis=1, bitorder="little").view(np.uint64)
        kept = _different(columns)
        return RowBits(
            attributes=np.array(asked, np.int32)[kept],
            columns=np.ascontiguousarray(columns[[*kept, len(asked)]]),
            start=start,
            class_of=np.unique(decisions[first], return_inverse=True)[1].astype(np.int64),
            weight=np.ones(len(first)) if alike else ordered[first],
            unit=float(weights[0]) if alike else 1.0,
            classes=len(np.unique(decisions[first])),
        )

    @property
    def number(self) -> int:
        """Number of columns that are attributes."""
        return len(self.attributes)

    @property
    def rows(self) -> Words:
        """(words,) all rows."""
        return self.columns[-1]

    @property
    def alike(self) -> bool:
        """Whether all rows weigh the same."""
        return bool((self.weight == 1).all())

    def side(self, mask: Words, column: int, value: int) -> Words:
        """(words,) the rows of a mask that have a value."""
        return mask & (self.columns[column] if value else ~self.columns[column])

    def class_weights(self, mask: Words) -> Numbers:
        """(columns + 1, classes) the weight of each class among rows with the greater value; last, of all."""
        return self._by_class(self.rows_with(mask) * self.weight)

    def rows_with(self, mask: Words) -> NDArray[np.int64]:
        """(columns + 1, segments) how many rows of a mask have the greater value; last, of all."""
        counted = np.bitwise_count(self.columns & mask)
        return np.add.reduceat(counted, self.start[:-1], axis=1, dtype=np.int64)

    def _by_class(self, of_segments: Numbers) -> Numbers:
        found = np.zeros((len(of_segments), self.classes))
        np.add.at(found.T, self.class_of, of_segments.T)
        return found

    @cached_property
    def forced(self) -> Words:
        """(words,) rows that every tree gets wrong: not of the weightiest class among those with equal values."""
        bits = np.unpackbits(self.columns.view(np.uint8), axis=1, bitorder="little", count=int(self.start[-1]) * WORD)
        there = np.flatnonzero(bits[-1])
        packed = np.packbits(np.ascontiguousarray(bits[:-1, there].T), axis=1)
        wide = np.zeros((len(there), -(-packed.shape[1] // 8) * 8), np.uint8)
        wide[:, : packed.shape[1]] = packed
        keys = np.zeros(len(there), np.uint64)
        mixers = np.random.default_rng(0).integers(1, 1 << 63, wide.shape[1] // 8 + 1, np.uint64) | np.uint64(1)
        for word, mixer in zip(wide.view(np.uint64).T, mixers, strict=False):
            keys = (keys ^ (word * mixer) ^ (word >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)
            keys ^= keys >> np.uint64(32)
        _, group = np.unique(keys, return_inverse=True)
        segment = np.searchsorted(self.start, there // WORD, side="right") - 1
        decision = self.class_of[segment]
        weight = np.zeros((group.max() + 1, self.classes))
        np.add.at(weight, (group, decision), self.weight[segment])
        wrong = np.zeros(bits.shape[1], np.uint8)
        wrong[there] = weight.argmax(axis=1)[group] != decision
        return np.packbits(wrong, bitorder="little").view(np.uint64)

    def forced_weight(self) -> float:
        """The weight of the rows that every tree gets wrong."""
        counted = np.add.reduceat(np.bitwise_count(self.forced), self.start[:-1], dtype=np.int64)
        return float((counted * self.weight).sum() * self.unit)

    def segments(self, *, count_rows: bool) -> Segments:
        """What the kernels know of the segments; `count_rows` adds a plane of rows, whatever they weigh."""
        return Segments(
            plane=self.class_of,
            weight=None if self.alike else self.weight,
            rows_plane=self.classes if count_rows else -1,
        )


def _different(columns: Words) -> list[int]:
    """The first of the columns that part the rows alike, that is, are equal or each other's complement."""
    seen: dict[bytes, int] = {}
    for place, column in enumerate(columns[:-1]):
        same, complement = column.tobytes(), (column ^ columns[-1]).tobytes()
        seen.setdefault(min(same, complement), place)
    return list(seen.values())
