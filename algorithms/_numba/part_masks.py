"""Classify the parts that many branches take of a set of rows: empty, of one decision, of three rows, of more.

Each vector instruction tests eight branches. LLVM splits vectors that are wider than the machine's registers.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from algorithms._numba.bits import is_wide, words_of
from algorithms._numba.lanes import broadcast

__all__ = ["BRANCHES_AT_ONCE", "part_masks"]

BRANCHES_AT_ONCE = 8
WORD, NUMBER, FLAGS = ir.IntType(64), ir.IntType(32), ir.IntType(BRANCHES_AT_ONCE)
WORDS, NUMBERS = ir.VectorType(WORD, BRANCHES_AT_ONCE), ir.VectorType(NUMBER, BRANCHES_AT_ONCE)


@intrinsic
def part_masks(
    _context: Any, value_rows: Any, decision_rows: Any, rows: Any, branch: Any, edge: Any, first: Any, last: Any
) -> Any:
    """Write a number for each of at most 64 parts of a set of rows, and return which parts have certain sizes.

    Part i has the rows of `rows`, which is not empty, that branch first + i takes. `branch[edge + i]` becomes 0 if the
    part is empty, 1 if its rows have one decision, else 2. For parts of at most two rows, these are the indices of
    their known costs in `packed_cost`.

    Parameters
    ----------
    value_rows : ndarray of shape (attributes, values, words), uint64
        The rows of each branch, in memory followed by BRANCHES_AT_ONCE wide words that are 0.
    decision_rows : ndarray of shape (decisions, words), uint64
        The rows of each decision.
    rows : wide word
    branch : ndarray of shape (edges + BRANCHES_AT_ONCE,), uint32
        Up to BRANCHES_AT_ONCE - 1 entries after those of the parts become 0.
    edge, first, last : uint64
        The branches are those from `first` up to, not including, `last`.

    Returns
    -------
    tuple of three uint64
        Bit i is set if part i has several decisions and three rows; in the second word, several decisions and more than
        three rows, but not all; in the third, all rows.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        masks = _Branches(context, builder, signature, arguments).masks()
        return context.make_tuple(builder, signature.return_type, masks)

    word = types.uint64
    signature = types.UniTuple(word, 3)(value_rows, decision_rows, rows, branch, edge, first, last)
    return (signature, generate) if is_wide(rows) and (edge, first, last) == (word, word, word) else None


class _Branches:
    """Generates the code of one call."""

    def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        self.builder, kinds = builder, signature.args
        self.set = [self._broadcast(word) for word in words_of(builder, kinds[2], arguments[2])]
        arrays = [cgutils.create_struct_proxy(kinds[i])(context, builder, arguments[i]) for i in (0, 1, 3)]
        self.value_rows, self.decision_rows, self.branch = (array.data for array in arrays)
        self.decisions = builder.extract_value(arrays[1].shape, 0)
        self.edge, self.first, self.last = arguments[4:]

    def masks(self) -> list[Any]:
        """The loop over the branches, and the three words that it computes."""
        builder, result = self.builder, [self._buffer(WORD) for _ in range(3)]
        step, three = ir.Constant(WORD, BRANCHES_AT_ONCE), self._constant(3)
        with cgutils.for_range_slice(builder, self.first, self.last, step, WORD) as (b, _):
            part = [builder.and_(self._word(b, k), of_set) for k, of_set in enumerate(self.set)]
            size, whole = self._size(part), self._is_whole(part)
            occupied, several = self._decisions(part)
            numbers = builder.add(*(builder.zext(self._flags(bits), NUMBERS) for bits in (occupied, several)))
            at = builder.bitcast(
                builder.gep(self.branch, [builder.add(self.edge, builder.sub(b, self.first))]), NUMBERS.as_pointer()
            )
            builder.store(numbers, at, align=4)
            threes = builder.and_(self._bits(builder.icmp_unsigned("==", size, three)), several)
            larger = builder.and_(self._bits(builder.icmp_unsigned(">", size, three)), several)
            for buffer, bits in zip(result, (threes, builder.and_(larger, builder.not_(whole)), whole), strict=True):
                shifted = builder.shl(builder.zext(bits, WORD), builder.sub(b, self.first))
                builder.store(builder.or_(builder.load(buffer), shifted), buffer)
        return [builder.load(buffer) for buffer in result]

    def _word(self, b: Any, k: int) -> Any:
        """The k-th machine words of the rows of the eight branches from `b` on."""
        if len(self.set) == 1:
            at = self.builder.bitcast(self.builder.gep(self.value_rows, [b]), WORDS.as_pointer())
            return self.builder.load(at, align=8)
        result = ir.Constant(WORDS, ir.Undefined)
        for lane in range(BRANCHES_AT_ONCE):
            at = self._at(self.builder.add(b, ir.Constant(WORD, lane)), k)
            word = self.builder.load(self.builder.gep(self.value_rows, [at]))
            result = self.builder.insert_element(result, word, ir.Constant(NUMBER, lane))
        return result

    def _size(self, part: list[Any]) -> Any:
        """The number of rows of each part."""
        function = ir.FunctionType(WORDS, [WORDS])
        count_bits = cgutils.get_or_insert_function(self.builder.module, function, f"llvm.ctpop.v{BRANCHES_AT_ONCE}i64")
        total = self._constant(0)
        for word in part:
            total = self.builder.add(total, self.builder.call(count_bits, [word]))
        return total

    def _is_whole(self, part: list[Any]) -> Any:
        """Bits of the parts that have all rows."""
        result = ir.Constant(FLAGS, -1)
        for word, of_set in zip(part, self.set, strict=True):
            result = self.builder.and_(result, self._bits(self.builder.icmp_unsigned("==", word, of_set)))
        return result

    def _decisions(self, part: list[Any]) -> tuple[Any, Any]:
        """Bits of the parts that have rows, and of those whose rows have several decisions."""
        builder, occupied, several = self.builder, self._buffer(FLAGS), self._buffer(FLAGS)
        with cgutils.for_range(builder, self.decisions, intp=WORD) as loop:
            together = self._constant(0)
            for k, word in enumerate(part):
                with_decision = builder.load(builder.gep(self.decision_rows, [self._at(loop.index, k)]))
                together = builder.or_(together, builder.and_(word, self._broadcast(with_decision)))
            touched = self._bits(builder.icmp_unsigned("!=", together, self._constant(0)))
            before = builder.load(occupied)
            builder.store(builder.or_(builder.load(several), builder.and_(before, touched)), several)
            builder.store(builder.or_(before, touched), occupied)
        return builder.load(occupied), builder.load(several)

    def _at(self, index: Any, k: int) -> Any:
        """The flat index of the k-th machine word of a wide word in an array."""
        first = self.builder.mul(index, ir.Constant(WORD, len(self.set)))
        return self.builder.add(first, ir.Constant(WORD, k))

    def _bits(self, flags: Any) -> Any:
        return self.builder.bitcast(flags, FLAGS)

    def _flags(self, bits: Any) -> Any:
        return self.builder.bitcast(bits, ir.VectorType(ir.IntType(1), BRANCHES_AT_ONCE))

    def _constant(self, number: int) -> Any:
        return ir.Constant(WORDS, [number] * BRANCHES_AT_ONCE)

    def _broadcast(self, number: Any) -> Any:
        """A vector that repeats a number."""
        return broadcast(self.builder, number, BRANCHES_AT_ONCE)

    def _buffer(self, kind: Any) -> Any:
        buffer = cgutils.alloca_once(self.builder, kind)
        self.builder.store(ir.Constant(kind, 0), buffer)
        return buffer
