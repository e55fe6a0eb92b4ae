"""Make the arrays of a search over two-valued attributes, and compute their sizes."""

from __future__ import annotations

import numpy as np

from algorithms._numba.primitives import LANES
from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.binary.pair_counts import Lanes
from algorithms.optimal.binary.pair_levels import PairLevels, PairProblem, SideBuffers
from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.majority_rule import tolerance
from algorithms.rounding import EQUAL_SHARE

MOST_ROWS_OF_16_BITS = 16_383
"""The most rows that are counted in 16 bits: the sum of two counts fits in an int16."""


def problem_of(rows: RowBits, min_leaf: int, split_cost: float, sizes: int) -> PairProblem:
    """The constants of a search; `split_cost` is in units of the weights of `rows`."""
    return PairProblem(
        columns=rows.columns,
        start=rows.start,
        forced=rows.forced,
        segments=rows.segments(count_rows=min_leaf > 1 and not rows.alike),
        classes=rows.classes,
        min_leaf=min_leaf,
        split_cost=split_cost,
        sizes=sizes,
        stride=_stride(rows),
        slack=slack_of(rows, split_cost),
        barred=np.zeros(rows.number, np.bool_),
    )


def slack_of(rows: RowBits, split_cost: float = 0.0) -> float:
    """The largest rounding difference of equal costs, or of equal errors without `split_cost`, in units of `rows`."""
    if rows.alike:
        return EQUAL_SHARE * (rows.total + split_cost) if split_cost else 0.0
    return tolerance(rows.baseline, rows.total) + EQUAL_SHARE * split_cost


def planes_of(rows: RowBits, min_leaf: int) -> int:
    """The number of counts of a pair: one for each class, and one of rows if weights differ and leaves have a size."""
    return rows.classes + (min_leaf > 1 and not rows.alike)


def empty_levels(rows: RowBits, planes: int, levels: int, sizes: int) -> PairLevels:
    """Buffers for this many nested sets of rows."""
    return arrays_of(
        PairLevels,
        levels=levels,
        attributes=rows.number,
        words=len(rows.rows),
        segments=len(rows.weight),
        planes=planes,
        stride=_stride(rows),
        sizes=sizes,
        count=_types(rows)[1],
    )


def bytes_of_levels(rows: RowBits, planes: int, levels: int, sizes: int) -> int:
    """The size of the largest arrays of `empty_levels` and `empty_block`, in bytes."""
    pairs = planes * _stride(rows) ** 2 * np.dtype(_types(rows)[1]).itemsize
    return levels * (pairs + rows.columns.nbytes + 16 * rows.number * sizes) + 2 * rows.columns.nbytes


def empty_sides(rows: RowBits, planes: int, sizes: int) -> SideBuffers:
    """Buffers for both sides of an attribute."""
    return arrays_of(SideBuffers, planes=planes, stride=_stride(rows), sizes=sizes, count=_types(rows)[1])


def empty_block(rows: RowBits) -> Lanes:
    """Buffers for a block of rows whose pairs are counted."""
    word = np.dtype(_types(rows)[0])
    return arrays_of(
        Lanes,
        attributes=max(rows.number, 1),
        segments=len(rows.weight),
        words=len(rows.rows),
        narrow=len(rows.rows) * (8 // word.itemsize),
        stride=_stride(rows),
        word=word,
        count=f"i{word.itemsize}",
    )


def bytes_of_entry(sizes: int) -> int:
    """The size of a slot of the memo, in bytes."""
    return 18 + 13 * sizes


def _stride(rows: RowBits) -> int:
    return max(-(-rows.number // LANES), 1) * LANES


def _types(rows: RowBits) -> tuple[type[np.unsignedinteger], type[np.number]]:
    """The types of the words of lanes and of the counts."""
    if not rows.alike:
        return np.uint64, np.float64
    return (np.uint16, np.int16) if rows.count <= MOST_ROWS_OF_16_BITS else (np.uint32, np.int32)
