"""The best single split on both sides of many cuts, in one pass over a sorted list of rows.

A vector has a number for each cut; a row has a bit for each cut that it lies before. The cuts may be of any attributes.
The sweep first sums rows by class, a batch at a time: the weight of each class on both sides of every cut, so far and
in the rest of the list. A split there classifies correctly the weight of one class so far and of another in the rest.

The weight of a class so far is greatest at the end of a batch, its weight in the rest at the beginning. If the best
pair of these improves no cut, no split inside the batch does, and the next batch is longer. Otherwise the next is
shorter, and a short batch is counted again row by row. If a value has many rows, a batch is a value.

Leaves may have a least weight. Then two splits are sought on each side of each cut: the best whose leaves have that
weight, and the best whose leaves have another, which may differ from cut to cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from numba import types
from numba.extending import intrinsic

from algorithms._numba.lanes import LANES, VectorCode, constant
from algorithms._numba.leaf_weights import Leaves, leaves_of
from algorithms._numba.list_rows import ListedRows
from algorithms._numba.list_sums import ClassSums, TwoClassSums, index_of

__all__ = ["list_sweeps"]


def list_sweeps(rank_shift: int, row_mask: int, weight_shift: int, bits: int) -> tuple[Any, Any]:
    """The two sweeps for words that hold a row number under a mask and, from a bit on, the rank of its value.

    Returns `sweep_list_of_two_classes` and `sweep_list`. They compute with numbers of `bits` bits, which must hold
    twice the weight of all rows.
    """

    @intrinsic
    def sweep_list_of_two_classes(
        _context: Any,
        arena: Any,
        begin: Any,
        end: Any,
        mark: Any,
        unit: Any,
        total: Any,
        fewest: Any,
        most: Any,
    ) -> Any:
        """Widen the range of weight(first class) - weight(second class) by a list's words from `begin` to `end`.

        mark (rows,) int64    : of each row, a bit for each cut that it lies before; from bit LANES on, its class; from
                                bit `weight_shift` on, its weight
        unit (rows,) int64    : of each row, the factor of its weight; read only for numbers of 64 bits
        total (2, 2, LANES) int64  : the weight of each class on each side
        fewest (4, LANES) int64    : the least weight of a leaf on the first side of each cut, and on the second; then
                                     those of the other splits that are sought. None: any
        most (4 or 8, LANES) int64 : the greatest and the least difference on the first side of each cut, and on the
                                     second; at least that of all rows. Then those of the other splits
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, bits)
            rows = ListedRows(code, signature.args, arguments, rank_shift, row_mask, weight_shift)
            totals, into = (code.data(signature.args[k], arguments[k]) for k in (5, 7))
            leaves = leaves_of(code, signature.args[6], arguments[6], totals, constant(2))
            sides = _TwoClasses(code, leaves, into)
            _sweep(builder, rows, sides, constant(2))
            sides.write(into)
            return context.get_dummy_value()

        return types.void(arena, begin, end, mark, unit, total, fewest, most), generate

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
        fewest: Any,
        right: Any,
        buffer: Any,
    ) -> Any:
        """Raise the correct weight of the best split on each side of each cut, by a list's words from `begin` to `end`.

        mark, unit (rows,), fewest                : as above
        total (classes or more, 2, LANES) int64   : the weight of each class on each side
        right (2 or 4, LANES) int64               : by side; at least the correct weight of a leaf. Then that of the
                                                    other splits
        buffer (3, classes or more, 2, LANES) int64 : scratch
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = VectorCode(context, builder, bits)
            rows = ListedRows(code, signature.args, arguments, rank_shift, row_mask, weight_shift)
            totals, into, working = (code.data(signature.args[k], arguments[k]) for k in (6, 8, 9))
            leaves = leaves_of(code, signature.args[7], arguments[7], totals, arguments[5])
            sides = _ManyClasses(code, leaves, arguments[5], working, into)
            sides.begin(totals)
            _sweep(builder, rows, sides, arguments[5])
            sides.write(into)
            return context.get_dummy_value()

        return types.void(arena, begin, end, mark, unit, classes, total, fewest, right, buffer), generate

    return sweep_list_of_two_classes, sweep_list


def _sweep(builder: Any, rows: Any, sides: Any, classes: Any) -> None:
    """Add the rows of a list to the sides, `_TwoClasses` or `_ManyClasses`, by values or by batches."""
    by_value = rows.have_many_rows_per_value(classes)
    with rows.each_batch(by_value) as batch:
        sides.sum_rows(rows, batch.each())
        with builder.if_else(sides.may_improve()) as (improving, passed):
            with passed:
                sides.keep()
                batch.advance_faster()
            with improving, builder.if_else(batch.is_long()) as (long, short):
                with long:
                    batch.shrink()
                with short:
                    with builder.if_then(by_value):
                        sides.keep()
                    batch.take_one_by_one()
                    sides.begin_rows()
                    with rows.each(batch.first_single, batch.end) as at:
                        with builder.if_then(builder.not_(by_value)):
                            sides.move(rows)
                        with rows.where_next_differs(at):
                            sides.improve()
                    batch.advance()


class _TwoClasses:
    """On both sides of each cut, the `lead` so far, weight(first class) - weight(second class), and its range.

    ends : of each split that is sought, of each side, the greatest and the least lead
    """

    def __init__(self, code: Any, leaves: Leaves, into: Any) -> None:
        self.code, self.builder, self.leaves = code, code.builder, leaves
        self.batch = TwoClassSums(code)
        self.lead, self.next_lead, self.highest, self.lowest = ([code.buffer() for _ in range(2)] for _ in range(4))
        self.ends = [[(code.buffer(), code.buffer()) for _ in range(2)] for _ in range(leaves.splits)]
        for k, buffer in enumerate(self._end_buffers()):
            self.builder.store(code.load_narrowed(into, constant(k * LANES)), buffer)

    def _end_buffers(self) -> list[Any]:
        return [buffer for sides in self.ends for pair in sides for buffer in pair]

    def write(self, into: Any) -> None:
        for k, buffer in enumerate(self._end_buffers()):
            self.code.store_widened(self.builder.load(buffer), into, constant(k * LANES))

    def sum_rows(self, rows: Any, each: AbstractContextManager[Any]) -> None:
        """Sum rows of the list: `next_lead` has all, `highest` those of the first class, `lowest` of the second."""
        builder = self.builder
        self.batch.sum(rows, each)
        first, second = self.batch.of_both()
        self.leaves.begin_batch()
        for side in range(2):
            self.leaves.sum(side, first[side], second[side])
            lead = builder.load(self.lead[side])
            highest = builder.add(lead, first[side])
            builder.store(highest, self.highest[side])
            builder.store(builder.sub(lead, second[side]), self.lowest[side])
            builder.store(builder.sub(highest, second[side]), self.next_lead[side])

    def may_improve(self) -> Any:
        """Whether a range may become wider at any cut."""
        return self._any_wider(self.highest, self.lowest, self.leaves.may_allow)

    def _each_range(self) -> list[tuple[int, int, Any, Any]]:
        return [(split, side, *self.ends[split][side]) for split in range(self.leaves.splits) for side in range(2)]

    def keep(self) -> None:
        """Take the sums as the current state."""
        self.leaves.keep()
        for next_lead, lead in zip(self.next_lead, self.lead, strict=True):
            self.builder.store(self.builder.load(next_lead), lead)

    def begin_rows(self) -> None:
        """Begin to take rows one by one."""

    def move(self, rows: Any) -> None:
        builder, code = self.builder, self.code
        for side, more in enumerate(rows.on_sides()):
            self.leaves.move(side, more)
            code.add_to(self.lead[side], builder.select(rows.is_second(), builder.neg(more), more))

    def improve(self) -> None:
        """Widen the ranges by a split here."""
        builder = self.builder
        check = nullcontext()
        if self.leaves.splits > 1:
            check = builder.if_then(self._any_wider(self.lead, self.lead, self.leaves.allow))
        with check:
            for split, side, most, least in self._each_range():
                lead = builder.load(self.lead[side])
                for sign, end in ((">", most), ("<", least)):
                    before = builder.load(end)
                    beyond = self.leaves.allow(builder.icmp_signed(sign, lead, before), split, side)
                    builder.store(builder.select(beyond, lead, before), end)

    def _any_wider(self, highest: list[Any], lowest: list[Any], allow: Callable[[Any, int, int], Any]) -> Any:
        """Whether a range may become wider: the first of a side is narrower, the last leaves are lighter."""
        builder, wider = self.builder, []
        for side, (most, least) in enumerate(self.ends[0]):
            above = builder.icmp_signed(">", builder.load(highest[side]), builder.load(most))
            below = builder.icmp_signed("<", builder.load(lowest[side]), builder.load(least))
            wider.append(allow(builder.or_(above, below), self.leaves.splits - 1, side))
        return self.code.any_set(builder.or_(*wider))


class _ManyClasses:
    """The class weights on both sides of each cut, so far and in all, and the correct weight of the best split."""

    def __init__(self, code: Any, leaves: Leaves, classes: Any, buffer: Any, into: Any) -> None:
        self.code, self.builder, self.leaves, self.classes = code, code.builder, leaves, classes
        self.so_far = code.narrow_address(buffer)
        self.total = self.builder.gep(self.so_far, [self._of(classes, 0)])
        self.summed = self.builder.gep(self.total, [self._of(classes, 0)])
        self.batch = ClassSums(code, classes, self.summed)
        self.most, self.greatest, self.second, self.pairs = ([code.buffer() for _ in range(2)] for _ in range(4))
        self.rights = [code.buffer() for _ in range(2 * leaves.splits)]
        for k, best in enumerate(self.rights):
            self.builder.store(code.load_narrowed(into, constant(k * LANES)), best)

    def begin(self, totals: Any) -> None:
        """Begin with all weight in the rest."""
        with self._each_class() as class_index:
            for side in range(2):
                at = self._of(class_index, side)
                self.code.store(self.code.load_narrowed(totals, at), self.total, at)
                self.code.store(self.code.zeros, self.so_far, at)

    def write(self, into: Any) -> None:
        """Write the correct weights of each side."""
        for k, best in enumerate(self.rights):
            self.code.store_widened(self.builder.load(best), into, constant(k * LANES))

    def sum_rows(self, rows: Any, each: AbstractContextManager[Any]) -> None:
        """Sum rows of the list and store the class weights so far including them.

        The greatest pair of these and of the rest without them is in `pairs`.
        """
        self._find_rest()
        self.batch.sum(rows, each)
        self.leaves.begin_batch()
        self._clear(self.pairs)
        with self._each_class() as class_index:
            for side, moved in enumerate(self.batch.of(class_index)):
                at = self._of(class_index, side)
                was = self.code.load(self.so_far, at)
                now = self.builder.add(was, moved)
                self.code.store(now, self.summed, at)
                self.leaves.sum(side, moved)
                self._pair(side, at, was, now)

    def _find_rest(self) -> None:
        """Find the greatest and the second class of the rest on each side."""
        builder, code = self.builder, self.code
        self._clear(self.greatest)
        self._clear(self.second)
        with self._each_class() as class_index:
            for side in range(2):
                at = self._of(class_index, side)
                rest = builder.sub(code.load(self.total, at), code.load(self.so_far, at))
                first, second = self.greatest[side], self.second[side]
                least = code.minimum(builder.load(first), rest)
                builder.store(code.maximum(builder.load(second), least), second)
                builder.store(code.maximum(builder.load(first), rest), first)

    def may_improve(self) -> Any:
        """Whether a pair is greater than the correct weight, at any cut."""
        return self._any_greater([self.builder.load(pair) for pair in self.pairs], self.leaves.may_allow)

    def keep(self) -> None:
        """Take the sums as the class weights so far."""
        self.leaves.keep()
        with self._each_class() as class_index:
            for side in range(2):
                at = self._of(class_index, side)
                self.code.store(self.code.load(self.summed, at), self.so_far, at)

    def begin_rows(self) -> None:
        """Find the greatest class so far and of the rest, before rows are moved one by one."""
        self._clear(self.most)
        with self._each_class() as class_index:
            for side, buffer in enumerate(self.most):
                here = self.code.load(self.so_far, self._of(class_index, side))
                self.builder.store(self.code.maximum(self.builder.load(buffer), here), buffer)

    def move(self, rows: Any) -> None:
        """Remove a row from the rest."""
        builder, code = self.builder, self.code
        for side, moved in enumerate(rows.on_sides()):
            self.leaves.move(side, moved)
            at = index_of(code, rows.class_index, side)
            so_far = builder.add(code.load(self.so_far, at), moved)
            code.store(so_far, self.so_far, at)
            builder.store(code.maximum(builder.load(self.most[side]), so_far), self.most[side])

    def improve(self) -> None:
        """Raise the correct weight of each side to that of a split here.

        The greatest class of the rest is found again only if it may matter: its weight never exceeds the last one
        found.
        """
        builder = self.builder
        with builder.if_then(self._any_greater(self._right(), self.leaves.allow)):
            self._find_greatest()
            right = self._right()
            for k, best in enumerate(self.rights):
                before = builder.load(best)
                better = self.leaves.allow(builder.icmp_signed(">", right[k % 2], before), k // 2, k % 2)
                builder.store(builder.select(better, right[k % 2], before), best)

    def _any_greater(self, values: list[Any], allow: Callable[[Any, int, int], Any]) -> Any:
        """Whether the value of a side may raise a correct weight: the first is less, the last leaves are lighter."""
        greater = []
        for side, value in enumerate(values):
            above = self.builder.icmp_signed(">", value, self.builder.load(self.rights[side]))
            greater.append(allow(above, self.leaves.splits - 1, side))
        return self.code.any_set(self.builder.or_(*greater))

    def _pair(self, side: int, at: Any, was: Any, now: Any) -> None:
        """Widen the pairs of a side by a class: `now` so far, with the greatest other class of the rest."""
        builder, code = self.builder, self.code
        greatest = builder.load(self.greatest[side])
        own = builder.icmp_signed("==", builder.sub(code.load(self.total, at), was), greatest)
        other = builder.select(own, builder.load(self.second[side]), greatest)
        pair = self.pairs[side]
        builder.store(code.maximum(builder.load(pair), builder.add(now, other)), pair)

    def _right(self) -> list[Any]:
        """On each side, the greatest class so far and the greatest of the rest."""
        pairs = zip(self.most, self.greatest, strict=True)
        return [self.builder.add(self.builder.load(most), self.builder.load(greatest)) for most, greatest in pairs]

    def _find_greatest(self) -> None:
        self._clear(self.greatest)
        with self._each_class() as class_index:
            for side, buffer in enumerate(self.greatest):
                at = self._of(class_index, side)
                rest = self.builder.sub(self.code.load(self.total, at), self.code.load(self.so_far, at))
                self.builder.store(self.code.maximum(self.builder.load(buffer), rest), buffer)

    def _clear(self, buffers: list[Any]) -> None:
        for buffer in buffers:
            self.code.clear(buffer)

    @contextmanager
    def _each_class(self) -> Iterator[Any]:
        """A loop over the classes."""
        with self.code.loop(constant(0), self.classes) as loop:
            yield loop.index

    def _of(self, class_index: Any, side: int) -> Any:
        return index_of(self.code, class_index, side)
