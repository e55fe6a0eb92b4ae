"""Rows whose attributes have two values, as bits by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.kernels.binary.pair_counts import Segments
from algorithms.kernels.binary.row_bits import forced_bits, laid_out, write_bits
from algorithms.optimal.instance import Instance

__all__ = ["RowBits"]

Numbers = NDArray[np.float64]
Words = NDArray[np.uint64]
Bits = NDArray[np.bool_]

WORD = 64
FEW_VALUES = 1 << 17
"""So many are copied sooner than looked at where they stand."""


@dataclass(frozen=True, eq=False)
class RowBits:
    """The rows of an instance; rows of one class and one weight together, each such segment from a new word on.

    attributes : (columns,) which attribute of the data each column is; constant ones are left out, and those that part
                 the rows as one before them does
    values     : (columns, 2) the two values of each column, the lesser first
    columns    : (columns + 1, words) bits: whether the row has the greater of the two values; last, whether it is a row
    start      : (segments + 1,) the words of each segment
    class_of   : (segments,) the class, of those that there are; weight : (segments,) of each row, in units of `unit`
    unit       : the weight of each row where all are the same, else 1
    classes    : how many there are among the rows
    segment, bit : (rows,) of each row, in the order of the bits
    keys       : (rows,) a hash of the values of each, by which equal rows are known
    """

    attributes: NDArray[np.int32]
    values: Numbers
    columns: Words
    start: NDArray[np.int64]
    class_of: NDArray[np.int64]
    weight: Numbers
    unit: float
    classes: int
    segment: NDArray[np.int64]
    bit: NDArray[np.int64]
    keys: Words

    @staticmethod
    def of(instance: Instance) -> RowBits | None:
        """The rows of an instance; None where an attribute has more than two values."""
        data, weights = instance.data, instance.weights
        alike = bool((weights == weights[0]).all())
        order = np.argsort(data.decisions, kind="stable") if alike else np.lexsort((weights, data.decisions))
        start, class_of, weight, classes, segment, bit, rows = laid_out(order, data.decisions, weights)
        source = np.zeros(len(rows) * WORD, np.uint64)
        source[bit] = order
        number = len(data.columns)
        columns = np.empty((number + 1, len(rows)), np.uint64)
        keys = np.zeros(len(order), np.uint64)
        asked, values = np.empty(number, np.int32), np.empty((number, 2))
        found = write_bits(_side_by_side(data.columns), source, columns, keys, asked, values)
        if found < 0:
            return None
        columns = columns[: found + 1]
        columns[-1] = rows
        columns[:-1] &= rows
        kept = _different(columns)
        if len(kept) < found:
            columns = columns[[*kept, found]]
        return RowBits(
            attributes=asked[kept],
            values=values[kept],
            columns=columns,
            start=start,
            class_of=class_of,
            weight=np.ones(len(weight)) if alike else weight,
            unit=float(weights[0]) if alike else 1.0,
            classes=classes,
            segment=segment,
            bit=bit,
            keys=keys[order],
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
        ordered = np.sort(self.keys)
        if not (ordered[1:] == ordered[:-1]).any():
            return np.zeros(len(self.rows), np.uint64)
        by_key = np.argsort(self.keys)
        found: Words = forced_bits(
            by_key, self.keys, self.segment, self.class_of, self.weight, self.classes, self.bit, len(self.rows)
        )
        return found

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


def _side_by_side(columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """(attributes, rows): the columns as one array; without a copy where they are one, as those of a matrix are."""
    base = columns[0].base if columns else None
    if base is None or base.size < FEW_VALUES or base.T.shape != (len(columns), len(columns[0])):
        return np.array(columns) if columns else np.empty((0, 0))
    first = base.__array_interface__["data"][0]
    is_whole = base.flags.f_contiguous and all(
        column.base is base and column.__array_interface__["data"][0] == first + place * column.nbytes
        for place, column in enumerate(columns)
    )
    return np.asarray(base.T) if is_whole else np.array(columns)


def _different(columns: Words) -> list[int]:
    """The first of the columns that part the rows alike, that is, are equal or each other's complement."""
    turned = np.where(columns[:-1, :1] & np.uint64(1), columns[:-1] ^ columns[-1], columns[:-1])  # first row: always 0
    seen: dict[bytes, int] = {}
    for place, column in enumerate(turned):
        seen.setdefault(column.tobytes(), place)
    return list(seen.values())
