"""The rows of a list summed by class, before many cuts and without a cut, for `list_sweeps`.

Rows of little weight are summed in bytes, as many at a time as a byte holds: a vector has four times as many numbers of
8 bits as of 32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from algorithms._numba.lanes import LANES, WORD, VectorCode

__all__ = ["ClassSums", "TwoClassSums", "index_of", "whole"]

BYTE = 255
"""The greatest number of a byte."""
FEW = 16
"""Rows that must fit into a byte together; otherwise they are summed in wider numbers."""
COPIES = 4
"""Sums of a class that rows are added to in turn, so that no row waits for the one before it."""


class ClassSums:
    """Rows summed by class, in two vectors a class: before each cut; and in all, as the first number."""

    def __init__(self, code: Any, classes: Any, data: Any) -> None:
        self.code, self.classes, self.data = code, classes, data
        self.copies = code.builder.gep(data, [index_of(code, classes, 0)])

    def sum(self, rows: Any, first: Any, end: Any) -> None:
        """Sum the rows from `first` to `end`."""
        _clear(self.code, self.data, self.classes)
        _sum(self.code, rows, first, end, self._add)

    def _add(self, code: Any, rows: Any, first: Any, end: Any) -> None:
        """Add rows, which are summed in numbers of `code` before."""
        builder, copies = code.builder, code.own(self.copies)
        _clear(code, copies, builder.mul(self.classes, whole(COPIES)))
        with rows.each(first, end) as row:
            at = index_of(code, self._copy(rows.slot, builder.and_(row, whole(COPIES - 1))), 0)
            weight = code.narrowed(rows.weight)
            before = builder.select(rows.before, code.everywhere(weight), code.nothing)
            code.store(builder.add(code.load(copies, at), before), copies, at)
            code.add_to(builder.gep(copies, [builder.add(at, whole(LANES))]), weight)
        with code.upto(whole(0), self.classes) as loop:
            for copy, side in product(range(COPIES), range(2)):
                more = self.code.widened(code.load(copies, index_of(code, self._copy(loop.index, whole(copy)), side)))
                into = index_of(code, loop.index, side)
                self.code.store(builder.add(self.code.load(self.data, into), more), self.data, into)

    def _copy(self, slot: Any, copy: Any) -> Any:
        """The number of a copy of the sums of a class."""
        return self.code.builder.add(self.code.builder.mul(slot, whole(COPIES)), copy)

    def of(self, slot: Any) -> tuple[Any, Any]:
        """The weight of a class before each cut, and after it."""
        code = self.code
        before = code.load(self.data, index_of(code, slot, 0))
        everything = code.number(self.data, index_of(code, slot, 1))
        return before, code.builder.sub(code.everywhere(everything), before)


class TwoClassSums:
    """Rows of two classes, summed in registers: all before each cut, those of the second class; and without a cut."""

    def __init__(self, code: Any) -> None:
        self.code = code
        self.before = [code.buffer() for _ in range(2)]
        self.everything = [code.single_buffer() for _ in range(2)]

    def sum(self, rows: Any, first: Any, end: Any) -> None:
        """Sum the rows from `first` to `end`."""
        for before, everything in zip(self.before, self.everything, strict=True):
            self.code.clear(before)
            self.code.builder.store(ir.Constant(self.code.lane, 0), everything)
        _sum(self.code, rows, first, end, self._add)

    def _add(self, code: Any, rows: Any, first: Any, end: Any) -> None:
        """Add rows, which are summed in numbers of `code` before."""
        builder, sums = code.builder, [code.buffer() for _ in range(2)]
        for before in sums:
            code.clear(before)
        with rows.each(first, end):
            second = builder.select(rows.is_second(), rows.weight, ir.Constant(self.code.lane, 0))
            for before, everything, weight in zip(sums, self.everything, (rows.weight, second), strict=True):
                code.add_to(before, builder.select(rows.before, code.everywhere(code.narrowed(weight)), code.nothing))
                self.code.add_to(everything, weight)
        for before, into in zip(sums, self.before, strict=True):
            self.code.add_to(into, self.code.widened(builder.load(before)))

    def of_both(self) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        """The weight of each class before each cut, and after it."""
        code, builder = self.code, self.code.builder
        both, second = (builder.load(buffer) for buffer in self.before)
        all_both, all_second = (code.everywhere(builder.load(buffer)) for buffer in self.everything)
        first, all_first = builder.sub(both, second), builder.sub(all_both, all_second)
        return (first, builder.sub(all_first, first)), (second, builder.sub(all_second, second))


def _sum(code: Any, rows: Any, first: Any, end: Any, add: Callable[..., None]) -> None:
    """Add rows in bytes, some at a time, or all in numbers of `code`."""
    builder, in_bytes = code.builder, VectorCode(code.context, code.builder, 8)
    if code.bits == WORD.width:
        add(code, rows, first, end)
        return
    size = builder.udiv(whole(BYTE), rows.heaviest)
    with builder.if_else(builder.icmp_signed(">=", size, whole(FEW))) as (light, heavy):
        with light, _parts(code, first, end, size) as (begin, stop):
            add(in_bytes, rows, begin, stop)
        with heavy:
            add(code, rows, first, end)


@contextmanager
def _parts(code: Any, first: Any, end: Any, size: Any) -> Iterator[tuple[Any, Any]]:
    """A loop over parts of at most `size` rows."""
    builder, at = code.builder, cgutils.alloca_once(code.builder, WORD)
    builder.store(first, at)
    with code.during(lambda: builder.icmp_signed("<", builder.load(at), end)):
        begin = builder.load(at)
        stop = code.least(builder.add(begin, size), end)
        yield begin, stop
        builder.store(stop, at)


def _clear(code: Any, data: Any, pairs: Any) -> None:
    """Set pairs of vectors to 0."""
    with code.upto(whole(0), pairs) as loop:
        for side in range(2):
            code.store(code.nothing, data, index_of(code, loop.index, side))


def index_of(code: Any, slot: Any, side: int) -> Any:
    """The index of the vector of a class for a side."""
    return code.builder.add(code.builder.mul(slot, whole(2 * LANES)), whole(side * LANES))


def whole(number: int) -> Any:
    """A constant of 64 bits."""
    return ir.Constant(WORD, number)
