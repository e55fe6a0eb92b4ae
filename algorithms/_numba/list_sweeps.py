"""The best single split of both sides of many cuts of one attribute, in one pass over a sorted list of their rows.

A vector has a number for each of the cuts. A row that is met in the list is counted at those cuts that it lies before;
so is known, at the end of each value, what every class weighs on both sides of every cut, so far and in the rest of the
list. A split there gets right what the greatest class so far weighs, and the greatest of the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from algorithms._numba.lanes import LANES, WORD, VectorCode

__all__ = ["list_sweeps"]


def list_sweeps(rank_shift: int, row_mask: int, bits: int) -> tuple[Any, Any]:
    """The sweeps for words that hold a row under a mask and, from a bit on, the rank of its value.

    These are `sweep_list_of_two_classes` and `sweep_list`. They reckon with numbers of so many bits, which must be
    enough for the weight of all rows.
    """

    @intrinsic
    def sweep_list_of_two_classes(
        _context: Any, arena: Any, begin: Any, end: Any, place: Any, weight: Any, cut: Any, most: Any
    ) -> Any:
        """Widen what the first class weighs more than the second so far, by the words of a list in `begin` to `end`.

        place (rows,) int32   : of each row, its place in the list of the attribute that is cut
        weight (rows,) int64  : of each row, negative in the second class
        cut (LANES,) int32    : the first place after each cut
        most (4, LANES) int64 : the greatest and the least on the first side of each cut, and on the second
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, bits)
            rows = _Rows(code, signature.args, arguments, rank_shift, row_mask)
            into = code.data(most, arguments[6])
            mosts = [code.room() for _ in range(4)]
            for k, room in enumerate(mosts):
                builder.store(code.load_narrowed(into, _whole(k * LANES)), room)
            before, all_so_far = code.room(), code.single_room()
            with rows.each() as at:
                rows.take(at)
                builder.store(builder.add(builder.load(before), rows.before_cuts()), before)
                builder.store(builder.add(builder.load(all_so_far), rows.weight), all_so_far)
                with rows.where_next_differs(at):
                    first = builder.load(before)
                    second = builder.sub(code.everywhere(builder.load(all_so_far)), first)
                    for room, one, which in zip(
                        mosts, (first, first, second, second), (code.greatest, code.least) * 2, strict=True
                    ):
                        builder.store(which(builder.load(room), one), room)
            for k, room in enumerate(mosts):
                code.store_widened(builder.load(room), into, _whole(k * LANES))
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
        classes: Any,
        total: Any,
        right: Any,
        room: Any,
    ) -> Any:
        """Raise what the best split gets right on each side of each cut, by the words of a list in `begin` to `end`.

        place, weight (rows,), cut (LANES,)  : as above, no weight being negative
        slot (rows,)                         : of each row, its class
        total (classes or more, 2, LANES) int64 : what each class weighs on each side
        right (2, LANES) int64               : by side
        room (2, classes or more, 2, LANES) int64 : room
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, bits)
            rows = _Rows(code, signature.args, arguments, rank_shift, row_mask)
            slots, totals, into, working = (code.data(signature.args[k], arguments[k]) for k in (6, 8, 9, 10))
            sides = _Sides(code, arguments[7], working)
            sides.begin(totals)
            rights = [code.room() for _ in range(2)]
            for side, best in enumerate(rights):
                builder.store(code.load_narrowed(into, _whole(side * LANES)), best)
            with rows.each() as at:
                rows.take(at)
                before = rows.before_cuts()
                after = builder.sub(code.everywhere(rows.weight), before)
                sides.move(builder.sext(code.number(slots, rows.row), WORD), (before, after))
                with rows.where_next_differs(at):
                    sides.raise_right(rights)
            for side, best in enumerate(rights):
                code.store_widened(builder.load(best), into, _whole(side * LANES))
            return context.get_dummy_value()

        return types.void(arena, begin, end, place, weight, cut, slot, classes, total, right, room), generate

    return sweep_list_of_two_classes, sweep_list


class _Sides:
    """What the classes weigh on both sides of each cut, so far and in all; the greatest so far, and of the rest."""

    def __init__(self, code: Any, classes: Any, room: Any) -> None:
        self.code, self.builder, self.classes = code, code.builder, classes
        self.so_far = self.builder.bitcast(room, code.lane.as_pointer())
        self.total = self.builder.gep(self.so_far, [self._of(classes, 0)])
        self.most, self.greatest = [code.room() for _ in range(2)], [code.room() for _ in range(2)]

    def begin(self, totals: Any) -> None:
        """All that the classes weigh is in the rest."""
        nothing = ir.Constant(self.code.vector, [0] * LANES)
        with self.code.upto(_whole(0), self.classes) as loop:
            for side in range(2):
                at = self._of(loop.index, side)
                self.code.store(self.code.load_narrowed(totals, at), self.total, at)
                self.code.store(nothing, self.so_far, at)
        self._find_greatest()

    def move(self, slot: Any, weights: tuple[Any, Any]) -> None:
        """Take a row of a class out of the rest."""
        builder, code = self.builder, self.code
        for side, weight in enumerate(weights):
            at = self._of(slot, side)
            so_far = builder.add(code.load(self.so_far, at), weight)
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
        self.place = self.code.number(self.places, self.row)
        self.weight = self.code.narrowed(self.code.number(self.weights, self.row))

    def before_cuts(self) -> Any:
        """The weight of the row at each cut that it lies before, else 0."""
        lies = self.builder.icmp_signed("<", self.code.everywhere(self.place), self.cuts)
        return self.builder.select(lies, self.code.everywhere(self.weight), self.nothing)

    def where_next_differs(self, at: Any) -> AbstractContextManager[Any]:
        """Do what follows only if the next row has another value than the one in hand."""
        other = self.code.number(self.words, self.builder.add(at, _whole(1)))
        differs = self.builder.lshr(self.builder.xor(self.word, other), _whole(self.rank_shift))
        found: AbstractContextManager[Any] = self.builder.if_then(self.builder.icmp_unsigned("!=", differs, _whole(0)))
        return found


def _whole(number: int) -> Any:
    return ir.Constant(WORD, number)
