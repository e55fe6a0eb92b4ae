"""Sets as bits of words; each operation takes a few machine instructions a word.

A wide word is a uint64 or a tuple of several, the lowest first. A kernel of wide words is compiled for each number of
words that it is called with. `&`, `|`, `^`, `~` and `==` work on tuples as on a uint64. The last axis of an array of
wide words is that of their words.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

__all__ = [
    "MOST_WORDS",
    "any_bit",
    "fold",
    "keep_if",
    "lane_min",
    "lowest",
    "popcount",
    "read",
    "sum_of_each",
    "width",
    "with_bit",
    "without_lowest",
    "write",
]

MOST_WORDS = 8
"""Machine words of the widest wide word."""

WORD = ir.IntType(64)
ZERO, ONE = ir.Constant(WORD, 0), ir.Constant(WORD, 1)


def _is_tuple(kind: Any) -> bool:
    return isinstance(kind, types.UniTuple) and kind.dtype == types.uint64


def is_wide(kind: Any) -> bool:
    return kind == types.uint64 or _is_tuple(kind)


def words_of(builder: Any, kind: Any, value: Any) -> list[Any]:
    """The machine words of a wide word."""
    return cgutils.unpack_tuple(builder, value, len(kind)) if _is_tuple(kind) else [value]


def _joined(builder: Any, kind: Any, words: list[Any]) -> Any:
    return cgutils.pack_array(builder, words) if _is_tuple(kind) else words[0]


def _word_by_word(instruction: str) -> Any:
    """An operation on two wide words: one instruction for each pair of their words."""

    @intrinsic
    def operation(_context: Any, left: Any, right: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            pairs = zip(*(words_of(builder, left, argument) for argument in arguments), strict=True)
            return _joined(builder, left, [getattr(builder, instruction)(*pair) for pair in pairs])

        return (left(left, right), generate) if is_wide(left) and left == right else None

    return operation


sum_of_each = _word_by_word("add")
"""The sum of each pair of words, without a carry to the next pair."""


def _serve_tuples(operation: Any, instruction: str) -> None:
    """Extend an operator of two words to two tuples of words."""
    word_by_word = _word_by_word(instruction)

    @overload(operation, strict=False, jit_options={"forceinline": True})
    def of_tuples(left: Any, right: Any) -> Any:
        return (lambda left, right: word_by_word(left, right)) if _is_tuple(left) and left == right else None  # noqa: PLW0108


for _operation, _instruction in ((operator.and_, "and_"), (operator.or_, "or_"), (operator.xor, "xor")):
    _serve_tuples(_operation, _instruction)


@intrinsic
def _complement(_context: Any, word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _joined(builder, word, [builder.not_(each) for each in words_of(builder, word, arguments[0])])

    return word(word), generate


@overload(operator.invert, strict=False, jit_options={"forceinline": True})
def _complement_of_tuple(word: Any) -> Any:
    return (lambda word: _complement(word)) if _is_tuple(word) else None  # noqa: PLW0108


@intrinsic
def width(_context: Any, word: Any) -> Any:
    """Number of machine words of a wide word, as a uint64 that the compiler knows."""
    count = len(word) if _is_tuple(word) else 1
    return (types.uint64(word), lambda *_: ir.Constant(WORD, count)) if is_wide(word) else None


@intrinsic
def any_bit(_context: Any, word: Any) -> Any:
    """Whether any bit of a wide word is set."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        together, *rest = words_of(builder, word, arguments[0])
        for each in rest:
            together = builder.or_(together, each)
        return builder.icmp_unsigned("!=", together, ZERO)

    return (types.boolean(word), generate) if is_wide(word) else None


@intrinsic
def popcount(_context: Any, word: Any) -> Any:
    """Number of set bits of a wide word, as a uint64."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        total, *rest = (builder.ctpop(each) for each in words_of(builder, word, arguments[0]))
        for count in rest:
            total = builder.add(total, count)
        return total

    return (types.uint64(word), generate) if is_wide(word) else None


@intrinsic
def lowest(_context: Any, word: Any) -> Any:
    """Index of the lowest set bit of a wide word, as a uint64; the number of its bits if none is set."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zero_is_defined = context.get_constant(types.boolean, False)
        words = words_of(builder, word, arguments[0])
        last = len(words) - 1
        result = builder.add(builder.cttz(words[last], zero_is_defined), ir.Constant(WORD, 64 * last))
        for index in range(last - 1, -1, -1):
            here = builder.add(builder.cttz(words[index], zero_is_defined), ir.Constant(WORD, 64 * index))
            result = builder.select(builder.icmp_unsigned("!=", words[index], ZERO), here, result)
        return result

    return (types.uint64(word), generate) if is_wide(word) else None


@intrinsic
def without_lowest(_context: Any, word: Any) -> Any:
    """A wide word without its lowest set bit."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        borrowed, words = ONE, []
        for each in words_of(builder, word, arguments[0]):
            words.append(builder.and_(each, builder.sub(each, borrowed)))
            here = builder.zext(builder.icmp_unsigned("==", each, ZERO), WORD)
            borrowed = builder.and_(borrowed, here)
        return _joined(builder, word, words)

    return (word(word), generate) if is_wide(word) else None


@intrinsic
def with_bit(_context: Any, word: Any, index: Any) -> Any:
    """A wide word with the bit at an index, an int64, set."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        words = words_of(builder, word, arguments[0])
        bit = builder.shl(ONE, builder.and_(arguments[1], ir.Constant(WORD, 63)))
        in_word = builder.lshr(arguments[1], ir.Constant(WORD, 6))
        for k, each in enumerate(words):
            is_here = builder.icmp_unsigned("==", in_word, ir.Constant(WORD, k))
            words[k] = builder.or_(each, builder.select(is_here, bit, ZERO))
        return _joined(builder, word, words)

    return (word(word, index), generate) if is_wide(word) and index == types.int64 else None


@intrinsic
def keep_if(_context: Any, mask: Any, word: Any) -> Any:
    """The set bits of each machine word of a wide word that are also set in `mask`, a uint64."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        words = words_of(builder, word, arguments[1])
        return _joined(builder, word, [builder.and_(arguments[0], each) for each in words])

    return (word(mask, word), generate) if mask == types.uint64 and is_wide(word) else None


@intrinsic
def lane_min(_context: Any, left: Any, right: Any) -> Any:
    """The lesser of each pair of four numbers of 16 bits, in two uint64."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        first, second = (builder.bitcast(word, ir.VectorType(ir.IntType(16), 4)) for word in arguments)
        less = builder.select(builder.icmp_unsigned("<", first, second), first, second)
        return builder.bitcast(less, WORD)

    both = types.uint64
    return (both(both, both), generate) if (left, right) == (both, both) else None


@intrinsic
def fold(_context: Any, word: Any, factor: Any) -> Any:
    """A uint64 that depends on every bit of a wide word; a single machine word stays as it is."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        folded, *rest = words_of(builder, word, arguments[0])
        for each in rest:
            mixed = builder.mul(folded, arguments[1])
            folded = builder.xor(builder.xor(mixed, builder.lshr(mixed, ir.Constant(WORD, 32))), each)
        return folded

    return (types.uint64(word, factor), generate) if is_wide(word) and factor == types.uint64 else None


def _addresses(context: Any, builder: Any, signature: Any, arguments: Any, like: Any) -> list[Any]:
    """The addresses of the machine words of the wide word at a flat index of an array."""
    kind, value = signature.args[0], arguments[0]
    array = cgutils.create_struct_proxy(kind)(context, builder, value)
    count = len(like) if _is_tuple(like) else 1
    first = context.cast(builder, arguments[1], signature.args[1], types.intp)
    first = builder.mul(first, ir.Constant(WORD, count))
    indices = [builder.add(first, ir.Constant(WORD, k)) for k in range(count)]
    if context.enable_boundscheck:
        for index in indices:
            cgutils.do_boundscheck(context, builder, index, array.nitems)
    return [builder.gep(array.data, [index], inbounds=True) for index in indices]


def _holds_words(array: Any, index: Any) -> bool:
    is_array = isinstance(array, types.Array) and array.layout == "C" and array.dtype == types.uint64
    return is_array and isinstance(index, types.Integer)


@intrinsic
def read(_context: Any, array: Any, index: Any, like: Any) -> Any:
    """The wide word at a flat index of an array, with as many machine words as `like`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _joined(
            builder, like, [builder.load(at) for at in _addresses(context, builder, signature, arguments, like)]
        )

    return (like(array, index, like), generate) if _holds_words(array, index) and is_wide(like) else None


@intrinsic
def write(_context: Any, array: Any, index: Any, word: Any) -> Any:
    """Write a wide word at a flat index of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        at = _addresses(context, builder, signature, arguments, word)
        for each, address in zip(words_of(builder, word, arguments[2]), at, strict=True):
            builder.store(each, address)
        return context.get_dummy_value()

    return (types.void(array, index, word), generate) if _holds_words(array, index) and is_wide(word) else None
