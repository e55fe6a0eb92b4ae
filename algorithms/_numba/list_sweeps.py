"""The best single split on both sides of many cuts of one attribute, in one pass over a sorted list of rows.

A vector has a number for each cut. The cuts divide the rows into strips: a row of strip s lies before cut s and all
later cuts. The sweep first sums rows by class and strip, a batch at a time. Prefix sums over the strips give the weight
of each class on both sides of every cut, so far and in the rest of the list. A split there classifies correctly the
weight of one class so far and of another in the rest.

The weight of a class so far is greatest at the end of a batch, its weight in the rest at the beginning. If the best
pair of these improves no cut, no split inside the batch does, and the next batch is longer. Otherwise the next is
shorter, and a short batch is counted again row by row. If a value has many rows, a batch is a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from algorithms._numba.lanes import LANES, WORD, VectorCode
from algorithms._numba.list_rows import Rows

__all__ = ["list_sweeps"]


def list_sweeps(rank_shift: int, row_mask: int, weight_shift: int, bits: int) -> tuple[Any, Any]:
    """The two sweeps for words that hold a row number under a mask and, from a bit on, the rank of its value.

    Returns `sweep_list_of_two_classes` and `sweep_list`. They compute with numbers of `bits` bits, which must hold
    twice the weight of all rows.
    """

    @intrinsic
    def sweep_list_of_two_classes(
        _context: Any, arena: Any, begin: Any, end: Any, mark: Any, unit: Any, most: Any, room: Any
    ) -> Any:
        """Widen the range of weight(first class) - weight(second class) by a list's words from `begin` to `end`.

        mark (rows,) int32    : of each row, 2 * LANES * class + strip; from bit `weight_shift` on, its weight
        unit (rows,) int64    : of each row, the factor of its weight; read only for numbers of 64 bits
        most (4, LANES) int64 : the greatest and the least difference on the first side of each cut, and on the second;
                                at least that of all rows
        room (2, 2, LANES) int64 or more : scratch
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, bits)
            rows = Rows(code, signature.args, arguments, rank_shift, row_mask, weight_shift)
            into, working = (code.data(signature.args[k], arguments[k]) for k in (5, 6))
            sides = _TwoClasses(code, working, into)
            _sweep(builder, rows, sides, _whole(2))
            sides.write(into)
            return context.get_dummy_value()

        return types.void(arena, begin, end, mark, unit, most, room), generate

    @intrinsic
    def sweep_list(
        _context: Any,
        arena: Any,
        begin: Any,
        end: Any,
        mark: Any,
        unit: Any,
        classes: Any,
        total: Any,
        right: Any,
        room: Any,
    ) -> Any:
        """Raise the correct weight of the best split on each side of each cut, by a list's words from `begin` to `end`.

        mark, unit (rows,) : as above
        total (classes or more, 2, LANES) int64   : the weight of each class on each side
        right (2, LANES) int64                    : by side; at least the correct weight of a leaf
        room (3, classes or more, 2, LANES) int64 : scratch
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, bits)
            rows = Rows(code, signature.args, arguments, rank_shift, row_mask, weight_shift)
            totals, into, working = (code.data(signature.args[k], arguments[k]) for k in (6, 7, 8))
            sides = _Sides(code, arguments[5], working, into)
            sides.begin(totals)
            _sweep(builder, rows, sides, arguments[5])
            sides.write(into)
            return context.get_dummy_value()

        return types.void(arena, begin, end, mark, unit, classes, total, right, room), generate

    return sweep_list_of_two_classes, sweep_list


def _sweep(builder: Any, rows: Any, sides: Any, classes: Any) -> None:
    """Add the rows of a list to the sides, by values or by batches."""
    many = rows.are_many_a_value(classes)
    with rows.each_batch(many) as batch:
        sides.sum_rows(rows, batch.each())
        with builder.if_else(sides.may_improve()) as (improving, passed):
            with passed:
                sides.keep()
                batch.go_on()
            with improving, builder.if_else(batch.is_long()) as (long, short):
                with long:
                    batch.shorten()
                with short:
                    with builder.if_then(many):
                        sides.keep()
                    batch.lengthen()
                    sides.begin_rows()
                    with rows.each(batch.first_alone, batch.end) as at:
                        with builder.if_then(builder.not_(many)):
                            sides.move(rows)
                        with rows.where_next_differs(at):
                            sides.improve()
                    batch.advance()


class _Strips:
    """Rows summed by class and strip, in two vectors a class: the first strips and the last."""

    def __init__(self, code: Any, classes: Any, data: Any) -> None:
        self.code, self.classes, self.data = code, classes, data

    def sum(self, rows: Any, each: AbstractContextManager[Any]) -> None:
        """Sum rows in a loop over them."""
        with self.code.upto(_whole(0), self.classes) as loop:
            for side in range(2):
                self.code.store(self.code.nothing, self.data, _place_of(self.code, loop.index, side))
        with each:
            self.code.add_to(self.code.builder.gep(self.data, [rows.place]), rows.weight)

    def of(self, slot: Any) -> tuple[Any, Any]:
        """The weight of a class before each cut, and after it."""
        code, builder = self.code, self.code.builder
        at = _place_of(code, slot, 0)
        before = code.summed(code.load(self.data, at))
        in_first = builder.extract_element(before, ir.Constant(ir.IntType(32), LANES - 1))
        in_last = code.number(self.data, builder.add(at, _whole(LANES)))
        return before, builder.sub(code.everywhere(builder.add(in_first, in_last)), before)


def _place_of(code: Any, slot: Any, side: int) -> Any:
    """The index of the vector of a class for a side."""
    return code.builder.add(code.builder.mul(slot, _whole(2 * LANES)), _whole(side * LANES))


class _TwoClasses:
    """weight(first class) - weight(second class) so far, on both sides of each cut: `ahead`, and its range."""

    def __init__(self, code: Any, room: Any, into: Any) -> None:
        self.code, self.builder = code, code.builder
        self.strips = _Strips(code, _whole(2), code.own(room))
        self.ahead, self.now, self.highest, self.lowest, self.most, self.least = (
            [code.room() for _ in range(2)] for _ in range(6)
        )
        for k, place in enumerate(self._ends()):
            self.builder.store(code.load_narrowed(into, _whole(k * LANES)), place)

    def _ends(self) -> list[Any]:
        return [place for pair in zip(self.most, self.least, strict=True) for place in pair]

    def write(self, into: Any) -> None:
        for k, place in enumerate(self._ends()):
            self.code.store_widened(self.builder.load(place), into, _whole(k * LANES))

    def sum_rows(self, rows: Any, each: AbstractContextManager[Any]) -> None:
        """Sum rows of the list: `now` with all, `highest` with those of the first class, `lowest` of the second."""
        builder = self.builder
        self.strips.sum(rows, each)
        first, second = (self.strips.of(_whole(slot)) for slot in range(2))
        for side in range(2):
            ahead = builder.load(self.ahead[side])
            highest = builder.add(ahead, first[side])
            builder.store(highest, self.highest[side])
            builder.store(builder.sub(ahead, second[side]), self.lowest[side])
            builder.store(builder.sub(highest, second[side]), self.now[side])

    def may_improve(self) -> Any:
        """Whether a range may become wider at any cut."""
        wider = ir.Constant(ir.VectorType(ir.IntType(1), LANES), [0] * LANES)
        for side in range(2):
            for one, sign, other in (
                (self.highest[side], ">", self.most[side]),
                (self.lowest[side], "<", self.least[side]),
            ):
                beyond = self.builder.icmp_signed(sign, self.builder.load(one), self.builder.load(other))
                wider = self.builder.or_(wider, beyond)
        return self.code.any_set(wider)

    def keep(self) -> None:
        """Take the sums as the current state."""
        for now, ahead in zip(self.now, self.ahead, strict=True):
            self.builder.store(self.builder.load(now), ahead)

    def begin_rows(self) -> None:
        """Begin to take rows one by one."""

    def move(self, rows: Any) -> None:
        builder, code = self.builder, self.code
        weight = builder.select(rows.is_second(), builder.neg(rows.weight), rows.weight)
        before = rows.before_cuts(weight)
        for ahead, more in zip(self.ahead, (before, builder.sub(code.everywhere(weight), before)), strict=True):
            code.add_to(ahead, more)

    def improve(self) -> None:
        """Widen the ranges by a split here."""
        for side in range(2):
            ahead = self.builder.load(self.ahead[side])
            for which, end in ((self.code.greatest, self.most[side]), (self.code.least, self.least[side])):
                self.builder.store(which(self.builder.load(end), ahead), end)


class _Sides:
    """The class weights on both sides of each cut, so far and in all, and the correct weight of the best split."""

    def __init__(self, code: Any, classes: Any, room: Any, into: Any) -> None:
        self.code, self.builder, self.classes = code, code.builder, classes
        self.so_far = code.own(room)
        self.total = self.builder.gep(self.so_far, [self._of(classes, 0)])
        self.summed = self.builder.gep(self.total, [self._of(classes, 0)])
        self.strips = _Strips(code, classes, self.summed)
        self.most, self.greatest, self.second, self.rights, self.pairs = (
            [code.room() for _ in range(2)] for _ in range(5)
        )
        for side, best in enumerate(self.rights):
            self.builder.store(code.load_narrowed(into, _whole(side * LANES)), best)

    def begin(self, totals: Any) -> None:
        """Begin with all weight in the rest."""
        with self._each_class() as slot:
            for side in range(2):
                at = self._of(slot, side)
                self.code.store(self.code.load_narrowed(totals, at), self.total, at)
                self.code.store(self.code.nothing, self.so_far, at)

    def write(self, into: Any) -> None:
        """Write the correct weight of each side."""
        for side, best in enumerate(self.rights):
            self.code.store_widened(self.builder.load(best), into, _whole(side * LANES))

    def sum_rows(self, rows: Any, each: AbstractContextManager[Any]) -> None:
        """Sum rows of the list and store the class weights so far including them.

        The greatest pair of these and of the rest without them is in `pairs`.
        """
        self._find_rest()
        self.strips.sum(rows, each)
        self._clear(self.pairs)
        with self._each_class() as slot:
            for side, moved in enumerate(self.strips.of(slot)):
                at = self._of(slot, side)
                was = self.code.load(self.so_far, at)
                now = self.builder.add(was, moved)
                self.code.store(now, self.summed, at)
                self._pair(side, at, was, now)

    def _find_rest(self) -> None:
        """Find the greatest and the second class of the rest on each side."""
        builder, code = self.builder, self.code
        self._clear(self.greatest)
        self._clear(self.second)
        with self._each_class() as slot:
            for side in range(2):
                at = self._of(slot, side)
                rest = builder.sub(code.load(self.total, at), code.load(self.so_far, at))
                first, second = self.greatest[side], self.second[side]
                least = code.least(builder.load(first), rest)
                builder.store(code.greatest(builder.load(second), least), second)
                builder.store(code.greatest(builder.load(first), rest), first)

    def may_improve(self) -> Any:
        """Whether a pair is greater than the correct weight, at any cut."""
        return self._any_greater([self.builder.load(pair) for pair in self.pairs])

    def keep(self) -> None:
        """Take the sums as the class weights so far."""
        with self._each_class() as slot:
            for side in range(2):
                at = self._of(slot, side)
                self.code.store(self.code.load(self.summed, at), self.so_far, at)

    def begin_rows(self) -> None:
        """Find the greatest class so far and of the rest, before rows are moved one by one."""
        self._clear(self.most)
        with self._each_class() as slot:
            for side, room in enumerate(self.most):
                here = self.code.load(self.so_far, self._of(slot, side))
                self.builder.store(self.code.greatest(self.builder.load(room), here), room)

    def move(self, rows: Any) -> None:
        """Remove a row from the rest."""
        builder, code = self.builder, self.code
        before = rows.before_cuts(rows.weight)
        for side, moved in enumerate((before, builder.sub(code.everywhere(rows.weight), before))):
            at = builder.add(rows.slot_at(), _whole(side * LANES))
            so_far = builder.add(code.load(self.so_far, at), moved)
            code.store(so_far, self.so_far, at)
            builder.store(code.greatest(builder.load(self.most[side]), so_far), self.most[side])

    def improve(self) -> None:
        """Raise the correct weight of each side to that of a split here.

        The greatest class of the rest is found again only if it may matter: its weight never exceeds the last one
        found.
        """
        with self.builder.if_then(self._any_greater(self._right())):
            self._find_greatest()
            for both, best in zip(self._right(), self.rights, strict=True):
                self.builder.store(self.code.greatest(self.builder.load(best), both), best)

    def _any_greater(self, values: list[Any]) -> Any:
        """Whether a value is greater than the correct weight of its side, at any cut."""
        better = [
            self.builder.icmp_signed(">", value, self.builder.load(best))
            for value, best in zip(values, self.rights, strict=True)
        ]
        return self.code.any_set(self.builder.or_(*better))

    def _pair(self, side: int, at: Any, was: Any, now: Any) -> None:
        """Widen the pairs of a side by a class: `now` so far, with the greatest other class of the rest."""
        builder, code = self.builder, self.code
        greatest = builder.load(self.greatest[side])
        own = builder.icmp_signed("==", builder.sub(code.load(self.total, at), was), greatest)
        other = builder.select(own, builder.load(self.second[side]), greatest)
        pair = self.pairs[side]
        builder.store(code.greatest(builder.load(pair), builder.add(now, other)), pair)

    def _right(self) -> list[Any]:
        """On each side, the greatest class so far and the greatest of the rest."""
        pairs = zip(self.most, self.greatest, strict=True)
        return [self.builder.add(self.builder.load(most), self.builder.load(greatest)) for most, greatest in pairs]

    def _find_greatest(self) -> None:
        self._clear(self.greatest)
        with self._each_class() as slot:
            for side, room in enumerate(self.greatest):
                at = self._of(slot, side)
                rest = self.builder.sub(self.code.load(self.total, at), self.code.load(self.so_far, at))
                self.builder.store(self.code.greatest(self.builder.load(room), rest), room)

    def _clear(self, rooms: list[Any]) -> None:
        for room in rooms:
            self.code.clear(room)

    @contextmanager
    def _each_class(self) -> Iterator[Any]:
        """A loop over the classes."""
        with self.code.upto(_whole(0), self.classes) as loop:
            yield loop.index

    def _of(self, slot: Any, side: int) -> Any:
        return _place_of(self.code, slot, side)


def _whole(number: int) -> Any:
    return ir.Constant(WORD, number)
