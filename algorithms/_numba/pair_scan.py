"""The best second split below every first one, from the counts of attribute pairs, without reading rows.

A first attribute i and a second j divide the rows into four cells, 11, 10, 01, 00 by their values. Per class, with q
the count of both, s the counts of one attribute and n of all rows, the cells have q, s_i - q, s_j - q and n - s_i - s_j
+ q rows. The errors of a cell are its weight minus that of its greatest class. A pair serves both orders.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from algorithms._numba.lanes import LANES, VectorCode, constant

__all__ = [
    "scan_both_sides",
    "scan_both_sides_of_two_classes",
    "scan_counted_side",
    "scan_counted_side_of_two_classes",
    "scan_other_side",
    "scan_other_side_of_two_classes",
    "scan_three_branches",
    "scan_three_branches_of_two_classes",
]


def _scan(of_sides: tuple[bool, bool], *, two_classes: bool) -> Any:
    """An instruction that lowers the errors after a second split, for one first attribute and those in its tile.

    of_sides    : the sides of the rows to scan: the counted one, and the other
    two_classes : for two classes and leaves of any size

    lanes (words * stride,), words (attributes, width), start (classes + 1,) : the rows counted, as
        `pair_counts.Lanes` has them
    singles (2, classes, stride), totals (2, classes) : the rows of each side with each attribute, and all
    after (2, 2, stride) : by side, the least errors of the rows with value 1, and with 0, of each first attribute
    pairs, pairs_at : the counts of all rows; index of the first attribute in the plane of the first class; not read for
        the counted side alone
    first, counted, tiles : the first attribute; the counted side; the number of tiles of LANES second attributes
    fewest      : rows in a leaf at least; splits that leave fewer count as all wrong
    """

    @intrinsic
    def scan(
        _context: Any,
        lanes: Any,
        words: Any,
        start: Any,
        singles: Any,
        totals: Any,
        after: Any,
        pairs: Any,
        pairs_at: Any,
        first: Any,
        counted: Any,
        tiles: Any,
        stride: Any,
        width: Any,
        classes: Any,
        fewest: Any,
    ) -> Any:
        kinds = (lanes, words, start, singles, totals, after, pairs)
        numbers = (pairs_at, first, counted, tiles, stride, width, classes, fewest)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, lanes.dtype.bitwidth)
            data = [code.data(kind, array) for kind, array in zip(signature.args, arguments[:7], strict=False)]
            _Scan(code, data, arguments[7:], of_sides, two_classes=two_classes).write()
            return context.get_dummy_value()

        return types.void(*kinds, *numbers), generate

    return scan


class _Scan:
    """The code of a scan: one first attribute with all second ones up to the end of its tile."""

    branches = 2

    def __init__(self, code: Any, data: Any, numbers: Any, of_sides: tuple[bool, bool], *, two_classes: bool) -> None:
        self.code, self.builder = code, code.builder
        self.lanes, self.words, self.start, self.singles, self.totals, self.after, self.pairs = data
        self.pairs_at, self.first, self.counted, self.tiles, self.stride, self.width, self.classes, self.fewest = (
            numbers
        )
        self.two_classes = two_classes
        other = self.builder.sub(constant(1), self.counted)
        self.sides = [side for side, included in ((self.counted, of_sides[0]), (other, of_sides[1])) if included]
        self.is_counted = [is_counted for is_counted, included in zip((True, False), of_sides, strict=True) if included]

    def write(self) -> None:
        """Lower `after` of the first attribute, and of each second one, to the errors of its pairs."""
        add, code = self.builder.add, self.code
        bases = [[self._after_at(side, branch) for branch in range(self.branches)] for side in self.sides]
        best = [[code.buffer() for _ in range(self.branches)] for _ in self.sides]
        for buffers, bases_of_side in zip(best, bases, strict=True):
            for buffer, base in zip(buffers, bases_of_side, strict=True):
                self.builder.store(code.broadcast(code.load_number(self.after, add(base, self.first))), buffer)
        with code.loop(constant(0), self.tiles) as loop:
            offset = self.builder.mul(loop.index, constant(LANES))
            for cells, buffers, bases_of_side in zip(self._errors(offset), best, bases, strict=True):
                of_first = [cells[start : start + self.branches] for start in range(0, len(cells), self.branches)]
                for buffer, of_branch in zip(buffers, of_first, strict=True):
                    self._lower(buffer, reduce(add, of_branch))
                of_second = [reduce(add, of_branch) for of_branch in zip(*of_first, strict=True)]
                for base, errors in zip(bases_of_side, of_second, strict=True):
                    index = add(base, offset)
                    code.store(code.minimum(code.load(self.after, index), errors), self.after, index)
        for buffers, bases_of_side in zip(best, bases, strict=True):
            for buffer, base in zip(buffers, bases_of_side, strict=True):
                index = add(base, self.first)
                least = code.minimum(code.load_number(self.after, index), code.minimum_of(self.builder.load(buffer)))
                self.builder.store(least, self.builder.gep(self.after, [index]))

    def _errors(self, offset: Any) -> list[list[Any]]:
        """For each side, the errors in each cell: by the branch of the first attribute, then by that of the second."""
        if self.two_classes:
            of_class = [self._cells(constant(c), offset) for c in range(2)]
            return [
                [self.code.minimum(first, second) for first, second in zip(*cells, strict=True)]
                for cells in zip(*of_class, strict=True)
            ]
        code, load = self.code, self.builder.load
        all_of = [[code.buffer() for _ in range(self.branches**2)] for _ in self.sides]
        most_of = [[code.buffer() for _ in range(self.branches**2)] for _ in self.sides]
        with code.loop(constant(0), self.classes) as loop:
            for cells, alls, mosts in zip(self._cells(loop.index, offset), all_of, most_of, strict=True):
                for cell, in_all, most in zip(cells, alls, mosts, strict=True):
                    self.builder.store(self.builder.add(load(in_all), cell), in_all)
                    self.builder.store(code.maximum(load(most), cell), most)
        result = []
        for side, alls, mosts in zip(self.sides, all_of, most_of, strict=True):
            everything, least = code.broadcast(self._everything(side)), code.broadcast(code.narrowed(self.fewest))
            result.append(
                [
                    self.builder.select(
                        self._too_few(load(in_all), least),
                        everything,
                        self.builder.sub(load(in_all), load(most)),
                    )
                    for in_all, most in zip(alls, mosts, strict=True)
                ]
            )
        return result

    def _cells(self, of_class: Any, offset: Any) -> list[list[Any]]:
        """For each side, the rows of a class in each cell."""
        add, sub, mul, code = self.builder.add, self.builder.sub, self.builder.mul, self.code
        ends = [self.builder.load(self.builder.gep(self.start, [add(of_class, constant(k))])) for k in (0, 1)]
        first_at = mul(self.first, self.width)
        counts = code.shared_bits(self.lanes, offset, self.stride, self.words, first_at, *ends)
        result = []
        for side, is_counted in zip(self.sides, self.is_counted, strict=True):
            q = counts
            if not is_counted:
                plane = mul(of_class, mul(self.stride, self.stride))
                q = sub(code.load(self.pairs, add(add(self.pairs_at, plane), offset)), counts)
            row = add(mul(side, self.classes), of_class)
            at = mul(row, self.stride)
            first = code.load_number(self.singles, add(at, self.first))
            total = code.load_number(self.totals, row)
            only_first = sub(code.broadcast(first), q)
            only_second = sub(code.load(self.singles, add(at, offset)), q)
            result.append([q, only_first, only_second, sub(code.broadcast(sub(total, first)), only_second)])
        return result

    def _everything(self, side: Any) -> Any:
        buffer = self.code.single_buffer()
        with self.code.loop(constant(0), self.classes) as loop:
            row = self.builder.add(self.builder.mul(side, self.classes), loop.index)
            total = self.code.load_number(self.totals, row)
            self.builder.store(self.builder.add(self.builder.load(buffer), total), buffer)
        return self.builder.load(buffer)

    def _lower(self, buffer: Any, errors: Any) -> None:
        self.builder.store(self.code.minimum(self.builder.load(buffer), errors), buffer)

    def _after_at(self, side: Any, branch: int) -> Any:
        row = self.builder.add(self.builder.mul(side, constant(self.branches)), constant(branch))
        return self.builder.mul(row, self.stride)

    def _too_few(self, rows: Any, least: Any) -> Any:
        return self.builder.icmp_signed("<", rows, least)


class _ThreeBranchScan(_Scan):
    """The code of a scan of attributes with up to three codes, whose second branch is that of code 2.

    Columns mark code 1; those that mark code 2 follow from half the stride on, for the first `number` attributes. There
    is a row of words for each column up to the stride.
    """

    branches = 3

    def __init__(self, code: Any, data: Any, numbers: Any, *, two_classes: bool) -> None:
        self.code, self.builder, self.two_classes, self.sides = code, code.builder, two_classes, [constant(0)]
        self.lanes, self.words, self.start, self.segment_of, self.weight, self.singles, self.totals, self.after = data
        self.first, self.number, self.tiles, self.stride, self.width, self.classes, self.fewest = numbers

    def _cells(self, of_class: Any, offset: Any) -> list[list[Any]]:
        add, sub, code = self.builder.add, self.builder.sub, self.code
        half, at = self.builder.lshr(self.stride, constant(1)), self.builder.mul(of_class, self.stride)
        firsts, seconds = (self.first, add(self.first, half)), (offset, add(offset, half))
        always, has_two = ir.Constant(ir.IntType(1), 1), self.builder.icmp_signed("<", offset, self.number)
        shared = [self._shared(of_class, firsts, seconds[k], there) for k, there in enumerate((always, has_two))]
        neither, cells = code.broadcast(code.load_number(self.totals, of_class)), []
        for of_second, first in zip(zip(*shared, strict=True), firsts, strict=True):
            of_first = code.broadcast(code.load_number(self.singles, add(at, first)))
            cells += [*of_second, sub(sub(of_first, of_second[0]), of_second[1])]
            neither = sub(neither, of_first)
        for of_first, second in zip(shared, seconds, strict=True):
            cells.append(sub(sub(code.load(self.singles, add(at, second)), of_first[0]), of_first[1]))
            neither = sub(neither, cells[-1])
        return [[*cells, neither]]

    def _shared(self, of_class: Any, firsts: tuple[Any, Any], lane_at: Any, there: Any) -> list[Any]:
        """The weight of the rows of a class in each column of the first attribute and in those of the second ones."""
        code, builder, add, mul = self.code, self.builder, self.builder.add, self.builder.mul
        totals = [code.buffer() for _ in firsts]
        first, end = (builder.load(builder.gep(self.segment_of, [add(of_class, constant(k))])) for k in (0, 1))
        with code.loop(first, builder.select(there, end, first)) as segment:
            counted = [code.buffer() for _ in firsts]
            words = [builder.load(builder.gep(self.start, [add(segment.index, constant(k))])) for k in (0, 1)]
            with code.loop(*words) as loop:
                lane = code.load(self.lanes, add(lane_at, mul(loop.index, self.stride)))
                for buffer, column in zip(counted, firsts, strict=True):
                    word = code.broadcast(code.load_number(self.words, add(mul(column, self.width), loop.index)))
                    code.add_to(buffer, code.bit_counts(builder.and_(lane, word)))
            weight = code.broadcast(code.load_number(self.weight, segment.index))
            for total, buffer in zip(totals, counted, strict=True):
                code.add_to(total, mul(builder.load(buffer), weight))
        return [builder.load(total) for total in totals]

    def _too_few(self, rows: Any, least: Any) -> Any:
        """Whether a cell has rows, but too few: an empty one is no branch."""
        one = self.code.broadcast(ir.Constant(self.code.lane, 1))
        return self.builder.icmp_unsigned("<", self.builder.sub(rows, one), self.builder.sub(least, one))


def _scan_three_branches(*, two_classes: bool) -> Any:
    """An instruction that lowers the errors of all rows after a second split, by attributes with up to three codes.

    The arguments are those of `_scan`, except for:

    start (segments + 1,), segment_of (classes + 1,), weight (segments,) : the words of each segment, the first segment
        of each class, and the weight of each of its rows
    singles (classes, stride), totals (classes,), after (3, stride) : as there, of rows with code 1, 2 and 0
    number      : of attributes with three codes, which are first
    """

    @intrinsic
    def scan(
        _context: Any,
        lanes: Any,
        words: Any,
        start: Any,
        segment_of: Any,
        weight: Any,
        singles: Any,
        totals: Any,
        after: Any,
        first: Any,
        number: Any,
        tiles: Any,
        stride: Any,
        width: Any,
        classes: Any,
        fewest: Any,
    ) -> Any:
        kinds = (lanes, words, start, segment_of, weight, singles, totals, after)
        numbers = (first, number, tiles, stride, width, classes, fewest)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, lanes.dtype.bitwidth)
            data = [code.data(kind, array) for kind, array in zip(signature.args, arguments[:8], strict=False)]
            _ThreeBranchScan(code, data, arguments[8:], two_classes=two_classes).write()
            return context.get_dummy_value()

        return types.void(*kinds, *numbers), generate

    return scan


scan_both_sides_of_two_classes = _scan((True, True), two_classes=True)
scan_counted_side_of_two_classes = _scan((True, False), two_classes=True)
scan_other_side_of_two_classes = _scan((False, True), two_classes=True)
scan_both_sides = _scan((True, True), two_classes=False)
scan_counted_side = _scan((True, False), two_classes=False)
scan_other_side = _scan((False, True), two_classes=False)
scan_three_branches_of_two_classes = _scan_three_branches(two_classes=True)
scan_three_branches = _scan_three_branches(two_classes=False)
