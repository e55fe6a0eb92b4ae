"""Single machine instructions: packing selected bits, and work on many attributes at once.

Rows of a table are bits of words. The words of the attributes are side by side ("lanes"), so one vector instruction
counts bits, adds or compares for many attributes. Compilers find such instructions only in long and plain loops; these
loops are neither, so the instructions are written out here, for any machine. LLVM splits vectors that a machine does
not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["LANES", "WORD", "VectorCode", "broadcast", "constant", "pack", "tile_counts"]

LANES = 32
"""Attributes per vector: 32 words of 16 bits fill the widest vectors."""

WORD = ir.IntType(64)
INDEX = ir.IntType(32)


def has_bmi2(triple: str, features: str) -> bool:
    """Whether a processor that LLVM generates code for has BMI2, by LLVM's feature list; the last entry counts.

    It may differ from this machine: NUMBA_CPU_NAME and NUMBA_CPU_FEATURES choose another.
    """
    listed = [feature for feature in features.split(",") if feature[1:] == "bmi2"]
    return triple.startswith("x86_64") and listed[-1:] == ["+bmi2"]


@intrinsic
def pack(_context: Any, word: Any, chosen: Any) -> Any:
    """The bits of a uint64 selected by `chosen`, moved together at its low end, in order."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        triple, _, features = context.codegen().magic_tuple()
        if has_bmi2(triple, features):
            function = ir.FunctionType(WORD, [WORD, WORD])
            pext = cgutils.get_or_insert_function(builder.module, function, "llvm.x86.bmi.pext.64")
            return builder.call(pext, arguments)
        return _packed_bit_by_bit(builder, *arguments)

    both = types.uint64
    return (both(both, both), generate) if (word, chosen) == (both, both) else None


def _packed_bit_by_bit(builder: Any, word: Any, chosen: Any) -> Any:
    """`pack` without a single instruction: take the lowest chosen bit until none is left."""
    zero, one = ir.Constant(WORD, 0), ir.Constant(WORD, 1)
    before = builder.block
    check, body, done = (builder.append_basic_block(name) for name in ("check", "body", "done"))
    builder.branch(check)
    builder.position_at_end(check)
    left, packed, bit = (builder.phi(WORD) for _ in range(3))
    for phi, start in ((left, chosen), (packed, zero), (bit, one)):
        phi.add_incoming(start, before)
    builder.cbranch(builder.icmp_unsigned("!=", left, zero), body, done)
    builder.position_at_end(body)
    lowest = builder.and_(left, builder.neg(left))
    is_set = builder.icmp_unsigned("!=", builder.and_(word, lowest), zero)
    left.add_incoming(builder.xor(left, lowest), body)
    packed.add_incoming(builder.or_(packed, builder.select(is_set, bit, zero)), body)
    bit.add_incoming(builder.shl(bit, one), body)
    builder.branch(check)
    builder.position_at_end(done)
    return packed


def constant(number: int) -> Any:
    """A constant of 64 bits."""
    return ir.Constant(WORD, number)


def broadcast(builder: Any, number: Any, lanes: int) -> Any:
    """A vector that repeats one number."""
    undefined = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined)
    first = builder.insert_element(undefined, number, ir.Constant(INDEX, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(INDEX, lanes), [0] * lanes))


class VectorCode:
    """Instructions on vectors of LANES integers of a given number of bits."""

    def __init__(self, context: Any, builder: Any, bits: int) -> None:
        self.context, self.builder, self.bits = context, builder, bits
        self.lane = ir.IntType(self.bits)
        self.vector = ir.VectorType(self.lane, LANES)
        self.zeros = ir.Constant(self.vector, [0] * LANES)

    def data(self, kind: Any, array: Any) -> Any:
        """The address of an array's numbers."""
        return cgutils.create_struct_proxy(kind)(self.context, self.builder, array).data

    def load_number(self, data: Any, at: Any) -> Any:
        """The number at an index."""
        return self.builder.load(self.builder.gep(data, [at]))

    def buffer(self) -> Any:
        """A vector buffer, all 0."""
        buffer = cgutils.alloca_once(self.builder, self.vector)
        self.clear(buffer)
        return buffer

    def clear(self, buffer: Any) -> None:
        """Set a vector to 0."""
        self.builder.store(self.zeros, buffer)

    def single_buffer(self) -> Any:
        """A buffer of one number, 0."""
        buffer = cgutils.alloca_once(self.builder, self.lane)
        self.builder.store(ir.Constant(self.lane, 0), buffer)
        return buffer

    def load(self, data: Any, at: Any) -> Any:
        """LANES numbers from an index on, in the width that they are stored in."""
        address = self.builder.gep(data, [at])
        lane = address.type.pointee
        vector = ir.VectorType(lane, LANES)
        return self.builder.load(self.builder.bitcast(address, vector.as_pointer()), align=lane.width // 8)

    def store(self, value: Any, data: Any, at: Any) -> None:
        """Write LANES numbers from an index on."""
        address = self.builder.bitcast(self.builder.gep(data, [at]), value.type.as_pointer())
        self.builder.store(value, address, align=value.type.element.width // 8)

    def narrow_address(self, data: Any) -> Any:
        """The address of a buffer of wider numbers, to hold numbers of our width."""
        return self.builder.bitcast(data, self.lane.as_pointer())

    def add_to(self, buffer: Any, more: Any) -> None:
        """Add to a number or a vector in a buffer."""
        self.builder.store(self.builder.add(self.builder.load(buffer), more), buffer)

    def narrowed(self, wide: Any) -> Any:
        """A number of 64 bits as one of our width, which it fits into."""
        return self.builder.trunc(wide, self.lane) if self.bits < WORD.width else wide

    def load_narrowed(self, data: Any, at: Any) -> Any:
        """LANES numbers of 64 bits from an index on, in our width, which they fit into."""
        wide = self.load(data, at)
        return self.builder.trunc(wide, self.vector) if self.bits < WORD.width else wide

    def store_widened(self, value: Any, data: Any, at: Any) -> None:
        """Write LANES of our numbers from an index on as numbers of 64 bits."""
        wide = ir.VectorType(WORD, LANES)
        self.store(self.builder.sext(value, wide) if self.bits < WORD.width else value, data, at)

    def broadcast(self, number: Any) -> Any:
        """A vector that repeats one number."""
        return broadcast(self.builder, number, LANES)

    def minimum(self, first: Any, second: Any) -> Any:
        """The smaller of two numbers, or of each pair of numbers of two vectors."""
        return self.builder.select(self.builder.icmp_signed("<", first, second), first, second)

    def maximum(self, first: Any, second: Any) -> Any:
        """The greater of each pair of numbers."""
        return self.builder.select(self.builder.icmp_signed(">", first, second), first, second)

    def any_set(self, flags: Any) -> Any:
        """Whether any of LANES flags is set."""
        bits = self.builder.bitcast(flags, ir.IntType(LANES))
        return self.builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

    def minimum_of(self, vector: Any) -> Any:
        """The smallest number of a vector."""
        name = f"llvm.vector.reduce.smin.v{LANES}i{self.bits}"
        function = ir.FunctionType(self.lane, [self.vector])
        return self.builder.call(cgutils.get_or_insert_function(self.builder.module, function, name), [vector])

    def bit_counts(self, vector: Any) -> Any:
        """The number of set bits of each number."""
        name = f"llvm.ctpop.v{LANES}i{self.bits}"
        function = ir.FunctionType(self.vector, [self.vector])
        return self.builder.call(cgutils.get_or_insert_function(self.builder.module, function, name), [vector])

    @contextmanager
    def while_loop(self, holds: Callable[[], Any]) -> Iterator[None]:
        """A loop while a condition holds; the condition is generated where it is checked."""
        check, body, done = (self.builder.append_basic_block(name) for name in ("check", "body", "done"))
        self.builder.branch(check)
        self.builder.position_at_end(check)
        self.builder.cbranch(holds(), body, done)
        self.builder.position_at_end(body)
        yield
        self.builder.branch(check)
        self.builder.position_at_end(done)

    def loop(self, first: Any, end: Any) -> AbstractContextManager[Any]:
        """A loop whose index counts from `first` to `end`."""
        loop: AbstractContextManager[Any] = cgutils.for_range(self.builder, end, start=first, intp=WORD)
        return loop

    def shared_bits(self, lanes: Any, lane_at: Any, stride: Any, words: Any, word_at: Any, first: Any, end: Any) -> Any:
        """For each lane, the number of bits that it shares with one attribute in the words from `first` to `end`."""
        counted = self.buffer()
        with self.loop(first, end) as loop:
            word = self.broadcast(self.load_number(words, self.builder.add(word_at, loop.index)))
            lane = self.load(lanes, self.builder.add(lane_at, self.builder.mul(loop.index, stride)))
            both = self.bit_counts(self.builder.and_(lane, word))
            self.builder.store(self.builder.add(self.builder.load(counted), both), counted)
        return self.builder.load(counted)


@intrinsic
def tile_counts(
    _context: Any,
    into: Any,
    at: Any,
    lanes: Any,
    lane_at: Any,
    stride: Any,
    words: Any,
    word_at: Any,
    first: Any,
    end: Any,
) -> Any:
    """Write from `at` on the number of bits that LANES attributes share with one, in the words from `first` to `end`.

    into  : flat, signed, as wide as the words
    lanes : flat, unsigned, words of attributes side by side, `stride` apart, starting at `lane_at`
    words : (attributes, words), those of the one attribute from `word_at` on
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        work = VectorCode(context, builder, lanes.dtype.bitwidth)
        target, source, other = (work.data(signature.args[k], arguments[k]) for k in (0, 2, 5))
        shared = work.shared_bits(source, arguments[3], arguments[4], other, arguments[6], arguments[7], arguments[8])
        work.store(shared, target, arguments[1])
        return context.get_dummy_value()

    return types.void(into, at, lanes, lane_at, stride, words, word_at, first, end), generate
