"""The best single split of both sides of many cuts of one attribute, in one pass over a sorted list of their rows.

A vector has a number for each of the cuts. A row that is met in the list is counted at those cuts that it lies before;
so is known, at the end of each value, what every class weighs on both sides of every cut, so far and in the rest of the
list. A split there gets right what the greatest class so far weighs, and the greatest of the rest.

The cuts part the rows into strips: a row of strip s lies before cut s and all that follow. Where a value has many rows,
their weights are first summed by strip.
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

FEW = 4
"""For each class so many rows of a value, on average, are counted one by one."""


def list_sweeps(rank_shift: int, row_mask: int, bits: int) -> tuple[Any, Any]:
    """The sweeps for words that hold a row under a mask and, from a bit on, the rank of its value.

    These are `sweep_list_of_two_classes` and `sweep_list`. They reckon with numbers of so many bits, which must be
    enough for the weight of all rows.
    """

    @intrinsic
    def sweep_list_of_two_classes(
        _context: Any, arena: Any, begin: Any, end: Any, strip: Any, weight: Any, most: Any
    ) -> Any:
        """Widen what the first class weighs more than the second so far, by the words of a list in `begin` to `end`.

        strip (rows,) int32   : of each row
        weight (rows,) int64  : of each row, negative in the second class
        most (4, LANES) int64 : the greatest and the least on the first side of each cut, and on the second
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, bits)
            rows = _Rows(code, signature.args, arguments, rank_shift, row_mask)
            into = code.data(most, arguments[5])
            mosts = [code.room() for _ in range(4)]
            for k, place in enumerate(mosts):
                builder.store(code.load_narrowed(into, _whole(k * LANES)), place)
            before, all_so_far = code.room(), code.single_room()
            with rows.each(rows.begin, rows.last) as at:
                code.add_to(before, rows.before_cuts())
                code.add_to(all_so_far, rows.weight)
                with rows.where_next_differs(at):
                    left = builder.load(before)
                    right = builder.sub(code.everywhere(builder.load(all_so_far)), left)
                    for place, one, which in zip(
                        mosts, (left, left, right, right), (code.greatest, code.least) * 2, strict=True
                    ):
                        builder.store(which(builder.load(place), one), place)
            for k, place in enumerate(mosts):
                code.store_widened(builder.load(place), into, _whole(k * LANES))
            return context.get_dummy_value()

        return types.void(arena, begin, end, strip, weight, most), generate

    @intrinsic
    def sweep_list(
        _context: Any,
        arena: Any,
        begin: Any,
        end: Any,
        strip: Any,
        weight: Any,
        slot: Any,
        classes: Any,
        total: Any,
        right: Any,
        room: Any,
    ) -> Any:
        """Raise what the best split gets right on each side of each cut, by the words of a list in `begin` to `end`.

        strip, weight (rows,) : as above, no weight being negative
        slot (rows,) int16    : of each row, its class
        total (classes or more, 2, LANES) int64   : what each class weighs on each side
        right (2, LANES) int64                    : by side
        room (3, classes or more, 2, LANES) int64 : room
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, bits)
            rows = _Rows(code, signature.args, arguments, rank_shift, row_mask)
            slots, totals, into, working = (code.data(signature.args[k], arguments[k]) for k in (5, 7, 8, 9))
            sides = _Sides(code, arguments[6], working)
            sides.begin(totals)
            rights = [code.room() for _ in range(2)]
            for side, best in enumerate(rights):
                builder.store(code.load_narrowed(into, _whole(side * LANES)), best)
            with builder.if_else(rows.are_many_a_value(arguments[6])) as (many, few):
                with few, rows.each(rows.begin, rows.last) as at:
                    sides.move(rows.number_of(slots), rows.before_cuts(), rows.weight)
                    with rows.where_next_differs(at):
                        sides.raise_right(rights)
                with many, rows.each_value() as of_value:
                    sides.clear_strips()
                    with rows.each(*of_value):
                        slot_at = sides.strips_of(rows.number_of(slots))
                        at = builder.add(slot_at, builder.sext(rows.strip, WORD))
                        code.add_to(builder.gep(sides.strips, [at]), rows.weight)
                    with code.upto(_whole(0), arguments[6]) as loop:
                        at = sides.strips_of(loop.index)
                        in_strips = code.summed(code.load(sides.strips, at))
                        sides.move(loop.index, in_strips, rows.of_all(in_strips, sides.strips, at))
                    sides.raise_right(rights)
            for side, best in enumerate(rights):
                code.store_widened(builder.load(best), into, _whole(side * LANES))
            return context.get_dummy_value()

        return types.void(arena, begin, end, strip, weight, slot, classes, total, right, room), generate

    return sweep_list_of_two_classes, sweep_list


class _Sides:
    """What the classes weigh on both sides of each cut, so far and in all; the greatest so far, and of the rest."""

    def __init__(self, code: Any, classes: Any, room: Any) -> None:
        self.code, self.builder, self.classes = code, code.builder, classes
        self.so_far = code.own(room)
        self.total = self.builder.gep(self.so_far, [self._of(classes, 0)])
        self.strips = self.builder.gep(self.total, [self._of(classes, 0)])
        self.most, self.greatest = [code.room() for _ in range(2)], [code.room() for _ in range(2)]

    def begin(self, totals: Any) -> None:
        """All that the classes weigh is in the rest."""
        with self.code.upto(_whole(0), self.classes) as loop:
            for side in range(2):
                at = self._of(loop.index, side)
                self.code.store(self.code.load_narrowed(totals, at), self.total, at)
                self.code.store(self.code.nothing, self.so_far, at)
        self._find_greatest()

    def clear_strips(self) -> None:
        """Nothing was met in any strip."""
        with self.code.upto(_whole(0), self.classes) as loop:
            for half in range(2):
                self.code.store(self.code.nothing, self.strips, self._of(loop.index, half))

    def strips_of(self, slot: Any) -> Any:
        """Where the strips of a class begin."""
        return self._of(slot, 0)

    def move(self, slot: Any, before: Any, weight: Any) -> None:
        """Take rows of a class out of the rest: what they weigh before each cut, and in all."""
        builder, code = self.builder, self.code
        for side, moved in enumerate((before, builder.sub(code.everywhere(weight), before))):
            at = self._of(slot, side)
            so_far = builder.add(code.load(self.so_far, at), moved)
            code.store(so_far, self.so_far, at)
            builder.store(code.greatest(builder.load(self.most[side]), so_far), self.most[side])

    def raise_right(self, rights: list[Any]) -> None:
        """Raise what is got right on each side to what a split here gets right.

        The greatest class of the rest is found only where it may matter: it weighs no more than when it was last found.
        """
        better = [
            self.builder.icmp_signed(">", both, self.builder.load(best))
            for both, best in zip(self._right(), rights, strict=True)
        ]
        found = self.builder.bitcast(self.builder.or_(*better), ir.IntType(LANES))
        with self.builder.if_then(self.builder.icmp_unsigned("!=", found, ir.Constant(found.type, 0))):
            self._find_greatest()
            for both, best in zip(self._right(), rights, strict=True):
                self.builder.store(self.code.greatest(self.builder.load(best), both), best)

    def _right(self) -> list[Any]:
        """On each side, the greatest class so far and the greatest of the rest."""
        pairs = zip(self.most, self.greatest, strict=True)
        return [self.builder.add(self.builder.load(most), self.builder.load(greatest)) for most, greatest in pairs]

    def _find_greatest(self) -> None:
        for room in self.greatest:
            self.code.clear(room)
        with self.code.upto(_whole(0), self.classes) as loop:
            for side, room in enumerate(self.greatest):
                at = self._of(loop.index, side)
                rest = self.builder.sub(self.code.load(self.total, at), self.code.load(self.so_far, at))
                self.builder.store(self.code.greatest(self.builder.load(room), rest), room)

    def _of(self, slot: Any, side: int) -> Any:
        """Where the vector of a class stands for a side."""
        return self.builder.add(self.builder.mul(slot, _whole(2 * LANES)), _whole(side * LANES))


class _Rows:
    """The rows of a list, one after another, value by value."""

    def __init__(self, code: Any, kinds: Any, arguments: Any, rank_shift: int, row_mask: int) -> None:
        self.code, self.builder = code, code.builder
        self.rank_shift, self.row_mask = rank_shift, row_mask
        self.words, self.strips, self.weights = (code.data(kinds[k], arguments[k]) for k in (0, 3, 4))
        self.begin, self.end = arguments[1], arguments[2]
        self.last = self.builder.sub(self.end, _whole(1))

    @contextmanager
    def each_value(self) -> Iterator[tuple[Any, Any]]:
        """A loop over all values but the last, after which nothing is left to split: where rows begin and end."""
        builder, one = self.builder, _whole(1)
        first, end = (cgutils.alloca_once(builder, WORD) for _ in range(2))
        builder.store(self.begin, first)

        def is_not_last() -> Any:
            """Find where the rows of the value end."""
            at = builder.load(first)
            builder.store(builder.add(at, one), end)
            word = self.code.number(self.words, at)

            def goes_on() -> Any:
                next_at = builder.load(end)
                inside = builder.icmp_signed("<", next_at, self.end)
                other = self.code.number(self.words, builder.select(inside, next_at, at))
                return builder.and_(inside, builder.not_(self._differ(word, other)))

            with self.code.during(goes_on):
                builder.store(builder.add(builder.load(end), one), end)
            return builder.icmp_signed("<", builder.load(end), self.end)

        with self.code.during(is_not_last):
            yield builder.load(first), builder.load(end)
            builder.store(builder.load(end), first)

    def are_many_a_value(self, classes: Any) -> Any:
        """Whether there are many rows to a value, by the ranks of the first and the last."""
        builder, shift = self.builder, _whole(self.rank_shift)
        first, last = (builder.lshr(self.code.number(self.words, at), shift) for at in (self.begin, self.last))
        values = builder.add(builder.sub(last, first), _whole(1))
        few = builder.mul(builder.mul(values, classes), _whole(FEW))
        return builder.icmp_signed(">", builder.sub(self.end, self.begin), few)

    @contextmanager
    def each(self, first: Any, end: Any) -> Iterator[Any]:
        """A loop over the rows in a part of the list: row, weight and strip of each."""
        builder = self.builder
        with self.code.upto(first, end) as loop:
            self.word = self.code.number(self.words, loop.index)
            self.row = builder.and_(self.word, _whole(self.row_mask))
            self.strip = self.code.number(self.strips, self.row)
            self.weight = self.code.narrowed(self.code.number(self.weights, self.row))
            yield loop.index

    def where_next_differs(self, at: Any) -> AbstractContextManager[Any]:
        """Do what follows only if the next row has another value than the one in hand."""
        other = self.code.number(self.words, self.builder.add(at, _whole(1)))
        found: AbstractContextManager[Any] = self.builder.if_then(self._differ(self.word, other))
        return found

    def _differ(self, word: Any, other: Any) -> Any:
        differs = self.builder.lshr(self.builder.xor(word, other), _whole(self.rank_shift))
        return self.builder.icmp_unsigned("!=", differs, _whole(0))

    def number_of(self, numbers: Any) -> Any:
        """The row's number in an array of narrow ones."""
        return self.builder.sext(self.code.number(numbers, self.row), WORD)

    def before_cuts(self) -> Any:
        """The weight of the row at each cut that it lies before, else 0."""
        cuts = ir.Constant(ir.VectorType(self.strip.type, LANES), list(range(LANES)))
        lies = self.builder.icmp_signed(">=", cuts, self.code.everywhere(self.strip))
        return self.builder.select(lies, self.code.everywhere(self.weight), self.code.nothing)

    def of_all(self, summed: Any, strips: Any, at: Any) -> Any:
        """What lies in all strips, of which all but the last are summed up."""
        before_last = self.builder.extract_element(summed, ir.Constant(ir.IntType(32), LANES - 1))
        last = self.code.number(strips, self.builder.add(at, _whole(LANES)))
        return self.builder.add(before_last, last)


def _whole(number: int) -> Any:
    return ir.Constant(WORD, number)
