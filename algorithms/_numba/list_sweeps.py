"""The best single split of both sides of many cuts of one attribute, in one pass over a sorted list of their rows.

A vector has a number for each of the cuts. A row that is met in the list is counted at those cuts that it lies before;
so is known, at the end of each value, what every class weighs so far on both sides of every cut. A split there gets
right what the greatest class so far weighs, and the greatest of the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from algorithms._numba.lanes import LANES, WORD, VectorCode

__all__ = ["list_sweeps"]


def list_sweeps(rank_shift: int, row_mask: int) -> tuple[Any, Any]:
    """The sweeps for words that hold a row under a mask and, from a bit on, the rank of its value.

    These are `sweep_list_of_two_classes` and `sweep_list`.
    """

    @intrinsic
    def sweep_list_of_two_classes(
        _context: Any, arena: Any, begin: Any, end: Any, place: Any, weight: Any, cut: Any, most: Any
    ) -> Any:
        """Widen what the first class weighs more than the second so far, by the words of a list in `begin` to `end`.

        place (rows,)   : of each row, its place in the list of the attribute that is cut
        cut (LANES,)    : the first place after each cut
        weight (rows,)  : of each row, negative in the second class
        most (4, LANES) : the greatest and the least on the first side of each cut, and on the second
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, cut)
            rows = _Rows(code, signature.args, arguments, rank_shift, row_mask)
            into = code.data(most, arguments[6])
            mosts = [code.room() for _ in range(4)]
            for k, room in enumerate(mosts):
                builder.store(code.load(into, _whole(k * LANES)), room)
            before, all_so_far = code.room(), code.single_room()
            with rows.each() as at:
                rows.take(at)
                builder.store(builder.add(builder.load(before), rows.before_cuts()), before)
                builder.store(builder.add(builder.load(all_so_far), rows.weight), all_so_far)
                with rows.where_values_differ(at, 1):
                    first = builder.load(before)
                    second = builder.sub(code.everywhere(builder.load(all_so_far)), first)
                    for room, one, which in zip(
                        mosts, (first, first, second, second), (code.greatest, code.least) * 2, strict=True
                    ):
                        builder.store(which(builder.load(room), one), room)
            for k, room in enumerate(mosts):
                code.store(builder.load(room), into, _whole(k * LANES))
            return context.get_dummy_value()

        return types.void(arena, begin, end, place, weight, cut, most), generate

    @intrinsic
    def sweep_list(
        _context: Any,
        arena: Any,
        begin: Any,
        end: Any,
        place: Any,
        weight: Any,
        cut: Any,
        slot: Any,
        right: Any,
        so_far: Any,
        all_so_far: Any,
        most: Any,
    ) -> Any:
        """Raise what the best split gets right on each side of each cut, by the words of a list in `begin` to `end`.

        What the greatest class weighs only grows with the rows that are met: forward it is written, and backward, where
        the rest is met, the two are added.

        place, weight (rows,), cut (LANES,) : as above, no weight being negative
        slot (rows,)                        : of each row, its class
        right (2, LANES)                    : by side
        so_far (2, classes, LANES)          : room, zeros: forward and backward, what was met before the cuts, by class
        all_so_far (2, classes)             : the same of all rows
        most (rows, 2, LANES)               : room
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, cut)
            rows = _Rows(code, signature.args, arguments, rank_shift, row_mask)
            into, mosts = (code.data(signature.args[k], arguments[k]) for k in (7, 10))
            classes = builder.extract_value(
                cgutils.create_struct_proxy(all_so_far)(context, builder, arguments[9]).shape, 1
            )
            there, back = (
                _Greatest(rows, signature.args, arguments, builder.mul(classes, _whole(way))) for way in (0, 1)
            )
            with rows.each() as at:
                there.take(at)
                with rows.where_values_differ(at, 1):
                    for side in range(2):
                        code.store(builder.load(there.most[side]), mosts, rows.lanes_of(at, side))
            rights = [code.room() for _ in range(2)]
            for side, room in enumerate(rights):
                builder.store(code.load(into, _whole(side * LANES)), room)
            with rows.each_backward() as at:
                back.take(at)
                before = builder.sub(at, _whole(1))
                with rows.where_values_differ(at, -1):
                    for side, room in enumerate(rights):
                        both = builder.add(code.load(mosts, rows.lanes_of(before, side)), builder.load(back.most[side]))
                        builder.store(code.greatest(builder.load(room), both), room)
            for side, room in enumerate(rights):
                code.store(builder.load(room), into, _whole(side * LANES))
            return context.get_dummy_value()

        return types.void(arena, begin, end, place, weight, cut, slot, right, so_far, all_so_far, most), generate

    return sweep_list_of_two_classes, sweep_list


class _Greatest:
    """What the greatest class weighs of the rows that were met one way, on both sides of each cut."""

    def __init__(self, rows: Any, kinds: Any, arguments: Any, first: Any) -> None:
        self.rows, self.code, self.builder, self.first = rows, rows.code, rows.builder, first
        self.slots, self.before, self.all = (self.code.data(kinds[k], arguments[k]) for k in (6, 8, 9))
        self.most = [self.code.room() for _ in range(2)]
        for room in self.most:
            self.code.clear(room)

    def take(self, at: Any) -> None:
        """Meet the row at a place of the arena."""
        builder, code, rows = self.builder, self.code, self.rows
        rows.take(at)
        of_row = builder.add(self.first, builder.sext(code.number(self.slots, rows.row), WORD))
        lanes = builder.mul(of_row, _whole(LANES))
        first = builder.add(code.load(self.before, lanes), rows.before_cuts())
        code.store(first, self.before, lanes)
        everything = builder.add(code.number(self.all, of_row), rows.weight)
        builder.store(everything, builder.gep(self.all, [of_row]))
        second = builder.sub(code.everywhere(everything), first)
        for room, one in zip(self.most, (first, second), strict=True):
            builder.store(code.greatest(builder.load(room), one), room)


class _Rows:
    """The rows of a list, one after another."""

    def __init__(self, code: Any, kinds: Any, arguments: Any, rank_shift: int, row_mask: int) -> None:
        self.code, self.builder = code, code.builder
        self.rank_shift, self.row_mask = rank_shift, row_mask
        self.words, self.places, self.weights, cuts = (code.data(kinds[k], arguments[k]) for k in (0, 3, 4, 5))
        self.begin, self.end = arguments[1], arguments[2]
        self.cuts = code.load(cuts, _whole(0))
        self.nothing = ir.Constant(code.vector, [0] * LANES)

    @contextmanager
    def each(self) -> Iterator[Any]:
        """A loop over all but the last, after which nothing is left to be split."""
        with self.code.upto(self.begin, self.builder.sub(self.end, _whole(1))) as loop:
            yield loop.index

    def take(self, at: Any) -> None:
        """Go to the row at a place of the arena."""
        self.word = self.code.number(self.words, at)
        self.row = self.builder.and_(self.word, _whole(self.row_mask))
        self.place, self.weight = (self.code.number(kind, self.row) for kind in (self.places, self.weights))

    def before_cuts(self) -> Any:
        """The weight of the row at each cut that it lies before, else 0."""
        lies = self.builder.icmp_signed("<", self.code.everywhere(self.place), self.cuts)
        return self.builder.select(lies, self.code.everywhere(self.weight), self.nothing)

    @contextmanager
    def each_backward(self) -> Iterator[Any]:
        """A loop over all but the first, the last first."""
        last = self.builder.sub(self.end, _whole(1))
        with self.code.upto(_whole(0), self.builder.sub(last, self.begin)) as loop:
            yield self.builder.sub(last, loop.index)

    def where_values_differ(self, at: Any, step: int) -> AbstractContextManager[Any]:
        """Do what follows only if the row that is so many steps on has another value than the one in hand."""
        other = self.code.number(self.words, self.builder.add(at, _whole(step)))
        differs = self.builder.lshr(self.builder.xor(self.word, other), _whole(self.rank_shift))
        found: AbstractContextManager[Any] = self.builder.if_then(self.builder.icmp_unsigned("!=", differs, _whole(0)))
        return found

    def lanes_of(self, at: Any, side: int) -> Any:
        """Where the vector of a side stands for a place of the arena."""
        place = self.builder.mul(self.builder.sub(at, self.begin), _whole(2 * LANES))
        return self.builder.add(place, _whole(side * LANES))


def _whole(number: int) -> Any:
    return ir.Constant(WORD, number)
