"""Rows whose attributes have two values, as bits by class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words
from algorithms.data.data_set import DataSet, Matrix
from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.binary.bit_columns import NONE, Bits, RowLayout, lay_out_rows, write_bits
from algorithms.optimal.instance import Instance
from algorithms.optimal.majority_rule import majority_errors, tolerance
from algorithms.rounding import EQUAL_SHARE

MOST_ROWS_OF_16_BITS = 16_383
"""The most rows that are counted in 16 bits: the sum of two counts fits in an int16."""

SOME_ROWS = 8
"""Rows in which a column of numbers usually has three values or more: these are looked at first."""


@dataclass(frozen=True, eq=False)
class RowBits:
    """The rows of an instance as bits. Rows of one class and one weight form a segment, which starts at a new word."""

    attributes: NDArray[np.int32]
    """(columns,) the attribute of each column. Constant ones are left out, and those that split the rows like an
    earlier one."""
    values: Numbers  # (columns, 2) the two values of each column, the lesser first
    columns: Words
    """(columns + 1, words) bits: whether the row has the greater of the two values; last, whether it is a row."""
    start: NDArray[np.int64]  # (segments + 1,) the words of each segment
    decision: NDArray[np.int64]  # (segments,) the class
    class_of: NDArray[np.int64]  # (segments,) its index among those that occur
    weight: Numbers  # (segments,) of each row, in units of `unit`
    unit: float  # the weight of each row if all are equal, else 1
    classes: int  # number of classes that occur
    forced: Words
    """(words,) bits: rows that every tree misclassifies: among those with equal values, not of the heaviest class."""

    @staticmethod
    def of(instance: Instance) -> RowBits | None:
        """The rows of an instance; None if an attribute has more than two values."""
        data, weights = instance.data, instance.weights
        cells = _cells(data)
        if any(len({*column}) > 2 for column in cells[:SOME_ROWS].T.tolist()):
            return None
        alike = bool((weights == weights[0]).all())
        by_weight = np.arange(data.rows) if alike else np.argsort(weights, kind="stable")
        kinds = 1 if alike else 1 + int(np.count_nonzero(np.diff(weights[by_weight])))
        layout = arrays_of(RowLayout, rows=data.rows, segments=min(data.rows, len(data.classes) * kinds))
        segments = lay_out_rows(by_weight, data.decisions, weights, np.zeros(len(data.classes) + 1, np.int64), layout)
        bits = arrays_of(
            Bits,
            rows=data.rows,
            columns=cells.shape[1],
            words=layout.start[segments],
            classes=len(data.classes),
            slots=1 << (2 * max(cells.shape) - 1).bit_length(),  # at most half full
            cell=cells.dtype,
        )
        kept = write_bits(cells, layout, bits)
        if kept == NONE:
            return None
        return RowBits(
            attributes=bits.kept[:kept],
            values=bits.values[:kept],
            columns=bits.words[: kept + 1],
            start=layout.start[: segments + 1],
            decision=layout.decision[:segments],
            class_of=layout.class_of[:segments],
            weight=np.ones(segments) if alike else layout.weight[:segments],
            unit=float(weights[0]) if alike else 1.0,
            classes=int(layout.class_of[segments - 1]) + 1,
            forced=bits.forced,
        )

    @property
    def number(self) -> int:
        """Number of columns that are attributes."""
        return len(self.attributes)

    @property
    def rows(self) -> Words:
        """All rows (words,)."""
        rows: Words = self.columns[-1]
        return rows

    @cached_property
    def alike(self) -> bool:
        """Whether all rows weigh the same."""
        return bool((self.weight == 1).all())

    def side(self, mask: Words, column: int, value: int) -> Words:
        """The rows of a mask that have a value (words,)."""
        return np.asarray(mask & (self.columns[column] if value else ~self.columns[column]))

    @cached_property
    def total(self) -> float:
        """The weight of all rows, in units of `unit`."""
        return float((self.rows_in(self.rows) * self.weight).sum())

    @cached_property
    def baseline(self) -> float:
        """The errors of the majority rule, in units of `unit`."""
        return majority_errors(np.bincount(self.class_of, self.rows_in(self.rows) * self.weight))

    def rows_in(self, mask: Words) -> NDArray[np.int64]:
        """The number of rows of a mask in each segment (segments,)."""
        return np.asarray(np.add.reduceat(np.bitwise_count(mask), self.start[:-1], dtype=np.int64))

    def forced_weight(self) -> float:
        """The weight of the rows that every tree misclassifies."""
        return float((self.rows_in(self.forced) * self.weight).sum() * self.unit)

    def slack(self, split_cost: float = 0.0) -> float:
        """The largest rounding difference of equal costs, or of equal errors without `split_cost`, in units."""
        if self.alike:
            return EQUAL_SHARE * (self.total + split_cost) if split_cost else 0.0
        return tolerance(self.baseline, self.total) + EQUAL_SHARE * split_cost


def _cells(data: DataSet) -> NDArray[Any]:
    """Codes and numbers, row by row (rows, attributes)."""
    if isinstance(data.columns, Matrix):
        return np.ascontiguousarray(data.columns.cells)
    return np.stack(data.columns, axis=1) if data.columns else np.empty((data.rows, 0))
