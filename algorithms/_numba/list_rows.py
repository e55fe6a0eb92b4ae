"""Reads the rows of a sorted list for `list_sweeps`: one by one, value by value, or batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from algorithms._numba.lanes import LANES, WORD
from algorithms._numba.list_sums import whole

__all__ = ["Batch", "ListedRows"]

FEW = 4
"""Rows per value and class, on average, below which a value is not a batch."""
SHORTEST, LONGEST = 32, 2048
"""Rows of a batch."""
ALONE = 128
"""Rows that are taken one by one if the shortest batch may improve a split."""


class Batch:
    """Rows of a list from `first` to `end`: of one value if values have `many` rows, else `size`, which varies."""

    def __init__(self, rows: ListedRows, position: Any, size: Any, many: Any) -> None:
        self.builder, self.list, self.position, self.size, self.many = rows.builder, rows, position, size, many
        self.first, self.rows = self.builder.load(position), self.builder.load(size)
        self.at = cgutils.alloca_once(self.builder, WORD)

    @contextmanager
    def each(self) -> Iterator[None]:
        """A loop over the rows, like `ListedRows.each`; after it, `end` is known."""
        builder = self.builder
        end = builder.select(self.many, self.list.last, self._end_of(self.rows))
        word = self.list.code.number(self.list.words, self.first)
        builder.store(self.first, self.at)

        def is_inside() -> Any:
            at = builder.load(self.at)
            other = self.list.differs(word, self.list.code.number(self.list.words, at))
            return builder.and_(builder.icmp_signed("<", at, end), builder.not_(builder.and_(self.many, other)))

        with self.list.code.during(is_inside):
            at = builder.load(self.at)
            self.list.read(at)
            yield
            builder.store(builder.add(at, whole(1)), self.at)
        self.end = builder.load(self.at)

    def lengthen(self) -> None:
        """Extend the batch to the rows taken one by one; a batch of one value to its last row."""
        builder = self.builder
        self.first_alone = builder.select(self.many, builder.sub(self.end, whole(1)), self.first)
        self.end = builder.select(self.many, self.end, self._end_of(whole(ALONE)))

    def advance(self) -> None:
        """Continue after these rows."""
        self.builder.store(self.end, self.position)

    def go_on(self) -> None:
        """Continue after these rows with a larger batch."""
        self.advance()
        self.builder.store(self.list.code.least(self.builder.shl(self.rows, whole(1)), whole(LONGEST)), self.size)

    def shorten(self) -> None:
        """Make the batch smaller."""
        self.builder.store(self.builder.lshr(self.rows, whole(2)), self.size)

    def is_long(self) -> Any:
        """Whether the batch has several values and can be made smaller."""
        return self.builder.and_(
            self.builder.not_(self.many), self.builder.icmp_signed(">", self.rows, whole(SHORTEST))
        )

    def _end_of(self, rows: Any) -> Any:
        return self.list.code.least(self.builder.add(self.first, rows), self.list.last)


class ListedRows:
    """The rows of a list, one after another, value by value."""

    def __init__(
        self, code: Any, kinds: Any, arguments: Any, rank_shift: int, row_mask: int, weight_shift: int
    ) -> None:
        self.code, self.builder = code, code.builder
        self.rank_shift, self.row_mask, self.weight_shift = rank_shift, row_mask, weight_shift
        self.words, self.marks, self.units = (code.data(kinds[k], arguments[k]) for k in (0, 3, 4))
        self.begin, self.end = arguments[1], arguments[2]
        self.last = self.builder.sub(self.end, whole(1))

    @contextmanager
    def each_batch(self, many: Any) -> Iterator[Batch]:
        """A loop over batches of rows; its body decides where it continues."""
        position, size = (cgutils.alloca_once(self.builder, WORD) for _ in range(2))
        self.builder.store(self.begin, position)
        self.builder.store(whole(SHORTEST), size)
        with self.code.during(lambda: self.builder.icmp_signed("<", self.builder.load(position), self.last)):
            yield Batch(self, position, size, many)

    def are_many_a_value(self, classes: Any) -> Any:
        """Whether values have many rows, by the ranks of the first and the last row."""
        builder, shift = self.builder, whole(self.rank_shift)
        first, last = (builder.lshr(self.code.number(self.words, at), shift) for at in (self.begin, self.last))
        values = builder.add(builder.sub(last, first), whole(1))
        few = builder.mul(builder.mul(values, classes), whole(FEW))
        return builder.icmp_signed(">", builder.sub(self.end, self.begin), few)

    @contextmanager
    def each(self, first: Any, end: Any) -> Iterator[Any]:
        """A loop over a range of rows: word, class and weight of each, and the cuts that it lies before."""
        with self.code.upto(first, end) as loop:
            self.read(loop.index)
            yield loop.index

    def read(self, at: Any) -> None:
        """Read the word at an index and the mark of its row."""
        builder = self.builder
        self.word = self.code.number(self.words, at)
        row = builder.and_(self.word, whole(self.row_mask))
        mark = self.code.number(self.marks, row)
        self.before = builder.bitcast(builder.trunc(mark, ir.IntType(LANES)), ir.VectorType(ir.IntType(1), LANES))
        classes = whole((1 << self.weight_shift) - 1)
        self.slot = builder.lshr(builder.and_(mark, classes), whole(LANES))
        self.weight = self.code.narrowed(builder.ashr(mark, whole(self.weight_shift)))
        if self.code.bits == WORD.width:
            self.weight = builder.mul(self.weight, self.code.number(self.units, row))

    def where_next_differs(self, at: Any) -> AbstractContextManager[Any]:
        """Run the block only if the next row has another value than the current one."""
        other = self.code.number(self.words, self.builder.add(at, whole(1)))
        result: AbstractContextManager[Any] = self.builder.if_then(self.differs(self.word, other))
        return result

    def differs(self, word: Any, other: Any) -> Any:
        differs = self.builder.lshr(self.builder.xor(word, other), whole(self.rank_shift))
        return self.builder.icmp_unsigned("!=", differs, whole(0))

    def is_second(self) -> Any:
        """Whether the row is of the second class."""
        return self.builder.icmp_signed("!=", self.slot, whole(0))

    def on_sides(self) -> tuple[Any, Any]:
        """The row's weight at each cut that it lies before, else 0; and at each cut that it lies behind."""
        weight, nothing = self.code.everywhere(self.weight), self.code.nothing
        return self.builder.select(self.before, weight, nothing), self.builder.select(self.before, nothing, weight)
