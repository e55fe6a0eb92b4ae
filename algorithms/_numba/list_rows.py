"""Reads the rows of a sorted list for `list_sweeps`: one by one, value by value, or batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from algorithms._numba.lanes import LANES, WORD, constant

__all__ = ["Batch", "ListedRows"]

FEW_ROWS = 4
"""Rows per value and class, on average, up to which a batch is not the rows of a value."""
SHORTEST, LONGEST = 32, 2048
"""Rows of a batch."""
ONE_BY_ONE = 128
"""Rows that are taken one by one if the shortest batch may improve a split."""


class Batch:
    """Rows of a list from `first` to `end`: those of one value if it is `by_value`, else `size` rows, which varies."""

    def __init__(self, rows: ListedRows, position: Any, size: Any, by_value: Any) -> None:
        self.builder, self.list, self.position, self.size, self.by_value = rows.builder, rows, position, size, by_value
        self.first, self.rows = self.builder.load(position), self.builder.load(size)
        self.at = cgutils.alloca_once(self.builder, WORD)

    @contextmanager
    def each(self) -> Iterator[None]:
        """A loop over the rows, like `ListedRows.each`; after it, `end` is known."""
        builder = self.builder
        end = builder.select(self.by_value, self.list.last, self._end_of(self.rows))
        word = self.list.code.load_number(self.list.words, self.first)
        builder.store(self.first, self.at)

        def is_inside() -> Any:
            at = builder.load(self.at)
            other = self.list.differs(word, self.list.code.load_number(self.list.words, at))
            return builder.and_(builder.icmp_signed("<", at, end), builder.not_(builder.and_(self.by_value, other)))

        with self.list.code.while_loop(is_inside):
            at = builder.load(self.at)
            self.list.read(at)
            yield
            builder.store(builder.add(at, constant(1)), self.at)
        self.end = builder.load(self.at)

    def take_one_by_one(self) -> None:
        """Set the range of the rows to take one by one: some from the first on, or only the last row of a value."""
        builder = self.builder
        self.first_single = builder.select(self.by_value, builder.sub(self.end, constant(1)), self.first)
        self.end = builder.select(self.by_value, self.end, self._end_of(constant(ONE_BY_ONE)))

    def advance(self) -> None:
        """Continue after these rows."""
        self.builder.store(self.end, self.position)

    def advance_faster(self) -> None:
        """Continue after these rows with a larger batch."""
        self.advance()
        twice = self.builder.shl(self.rows, constant(1))
        self.builder.store(self.list.code.minimum(twice, constant(LONGEST)), self.size)

    def shrink(self) -> None:
        """Continue with a smaller batch from the same row on."""
        self.builder.store(self.builder.lshr(self.rows, constant(2)), self.size)

    def is_long(self) -> Any:
        """Whether the batch has several values and can be made smaller."""
        return self.builder.and_(
            self.builder.not_(self.by_value), self.builder.icmp_signed(">", self.rows, constant(SHORTEST))
        )

    def _end_of(self, rows: Any) -> Any:
        return self.list.code.minimum(self.builder.add(self.first, rows), self.list.last)


class ListedRows:
    """The rows of a list, one after another, value by value."""

    def __init__(
        self, code: Any, kinds: Any, arguments: Any, rank_shift: int, row_mask: int, weight_shift: int
    ) -> None:
        self.code, self.builder = code, code.builder
        self.rank_shift, self.row_mask, self.weight_shift = rank_shift, row_mask, weight_shift
        self.words, self.marks, self.units = (code.data(kinds[k], arguments[k]) for k in (0, 3, 4))
        self.begin, self.end = arguments[1], arguments[2]
        self.last = self.builder.sub(self.end, constant(1))

    @contextmanager
    def each_batch(self, by_value: Any) -> Iterator[Batch]:
        """A loop over batches of rows; its body decides where it continues."""
        position, size = (cgutils.alloca_once(self.builder, WORD) for _ in range(2))
        self.builder.store(self.begin, position)
        self.builder.store(constant(SHORTEST), size)
        with self.code.while_loop(lambda: self.builder.icmp_signed("<", self.builder.load(position), self.last)):
            yield Batch(self, position, size, by_value)

    def have_many_rows_per_value(self, classes: Any) -> Any:
        """Whether values have many rows, by the ranks of the first and the last row."""
        builder, shift = self.builder, constant(self.rank_shift)
        first, last = (builder.lshr(self.code.load_number(self.words, at), shift) for at in (self.begin, self.last))
        values = builder.add(builder.sub(last, first), constant(1))
        few = builder.mul(builder.mul(values, classes), constant(FEW_ROWS))
        return builder.icmp_signed(">", builder.sub(self.end, self.begin), few)

    @contextmanager
    def each(self, first: Any, end: Any) -> Iterator[Any]:
        """A loop over a range of rows: word, class and weight of each, and the cuts that it lies before."""
        with self.code.loop(first, end) as loop:
            self.read(loop.index)
            yield loop.index

    def read(self, at: Any) -> None:
        """Read the word at an index and the mark of its row."""
        builder = self.builder
        self.word = self.code.load_number(self.words, at)
        row = builder.and_(self.word, constant(self.row_mask))
        mark = self.code.load_number(self.marks, row)
        self.before = builder.bitcast(builder.trunc(mark, ir.IntType(LANES)), ir.VectorType(ir.IntType(1), LANES))
        classes = constant((1 << self.weight_shift) - 1)
        self.class_index = builder.lshr(builder.and_(mark, classes), constant(LANES))
        self.weight = self.code.narrowed(builder.ashr(mark, constant(self.weight_shift)))
        if self.code.bits == WORD.width:
            self.weight = builder.mul(self.weight, self.code.load_number(self.units, row))

    def where_next_differs(self, at: Any) -> AbstractContextManager[Any]:
        """Run the block only if the next row has another value than the current one."""
        other = self.code.load_number(self.words, self.builder.add(at, constant(1)))
        result: AbstractContextManager[Any] = self.builder.if_then(self.differs(self.word, other))
        return result

    def differs(self, word: Any, other: Any) -> Any:
        differs = self.builder.lshr(self.builder.xor(word, other), constant(self.rank_shift))
        return self.builder.icmp_unsigned("!=", differs, constant(0))

    def is_second(self) -> Any:
        """Whether the row is of the second class."""
        return self.builder.icmp_signed("!=", self.class_index, constant(0))

    def on_sides(self) -> tuple[Any, Any]:
        """The row's weight at each cut that it lies before, else 0; and at each cut that it lies behind."""
        weight, nothing = self.code.broadcast(self.weight), self.code.zeros
        return self.builder.select(self.before, weight, nothing), self.builder.select(self.before, nothing, weight)
