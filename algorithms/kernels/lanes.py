"""Bit counts of many attributes at once, and the packing of chosen bits: what the machine has single instructions for.

Rows of a table are bits of words. Laid out word by word, attribute beside attribute ("lanes"), one vector instruction
counts the bits of many attributes.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["LANES", "pack", "tile_counts_1", "tile_counts_2", "tile_counts_4"]

LANES = 32
"""Attributes that are counted at once: 32 words of 16 bits fill the widest vectors; narrower machines take several."""

WORD = ir.IntType(64)
INDEX = ir.IntType(32)
BMI2 = llvm.get_process_triple().startswith("x86_64") and llvm.get_host_cpu_features().get("bmi2", False)


@intrinsic
def pack(_context: Any, word: Any, chosen: Any) -> Any:
    """The bits of a uint64 where those of `chosen` are set, moved together at its low end, in their order."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        if BMI2:
            function = ir.FunctionType(WORD, [WORD, WORD])
            pext = cgutils.get_or_insert_function(builder.module, function, "llvm.x86.bmi.pext.64")
            return builder.call(pext, arguments)
        return _packed_one_by_one(builder, *arguments)

    both = types.uint64
    return (both(both, both), generate) if (word, chosen) == (both, both) else None


def _packed_one_by_one(builder: Any, word: Any, chosen: Any) -> Any:
    """What `pack` does where no instruction does it: the lowest chosen bit, again and again."""
    zero, one = ir.Constant(WORD, 0), ir.Constant(WORD, 1)
    before = builder.block
    check, body, done = (builder.append_basic_block(name) for name in ("check", "body", "done"))
    builder.branch(check)
    builder.position_at_end(check)
    left, packed, place = (builder.phi(WORD) for _ in range(3))
    for phi, start in ((left, chosen), (packed, zero), (place, one)):
        phi.add_incoming(start, before)
    builder.cbranch(builder.icmp_unsigned("!=", left, zero), body, done)
    builder.position_at_end(body)
    lowest = builder.and_(left, builder.neg(left))
    is_set = builder.icmp_unsigned("!=", builder.and_(word, lowest), zero)
    left.add_incoming(builder.xor(left, lowest), body)
    packed.add_incoming(builder.or_(packed, builder.select(is_set, place, zero)), body)
    place.add_incoming(builder.shl(place, one), body)
    builder.branch(check)
    builder.position_at_end(done)
    return packed


def _tile_counts(tiles: int) -> Any:
    @intrinsic
    def counts(_context: Any, into: Any, lanes: Any, stride: Any, words: Any, number: Any) -> Any:
        bits = lanes.dtype.bitwidth
        lane = ir.IntType(bits)
        vector = ir.VectorType(lane, LANES)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            target, source, other = (
                cgutils.create_struct_proxy(signature.args[place])(context, builder, arguments[place]).data
                for place in (0, 1, 3)
            )
            wide, last = arguments[2], arguments[4]
            popcount = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(vector, [vector]), f"llvm.ctpop.v{LANES}i{bits}"
            )
            before = builder.block
            check, body, done = (builder.append_basic_block(name) for name in ("check", "body", "done"))
            builder.branch(check)
            builder.position_at_end(check)
            at = builder.phi(WORD)
            at.add_incoming(ir.Constant(WORD, 0), before)
            sums = [builder.phi(vector) for _ in range(tiles)]
            for phi in sums:
                phi.add_incoming(ir.Constant(vector, [0] * LANES), before)
            builder.cbranch(builder.icmp_signed("<", at, last), body, done)
            builder.position_at_end(body)
            single = builder.insert_element(
                ir.Constant(vector, ir.Undefined), builder.load(builder.gep(other, [at])), ir.Constant(INDEX, 0)
            )
            everywhere = ir.Constant(ir.VectorType(INDEX, LANES), [0] * LANES)
            word = builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), everywhere)
            start = builder.mul(at, wide)
            for tile, phi in enumerate(sums):
                place = builder.gep(source, [builder.add(start, ir.Constant(WORD, LANES * tile))])
                loaded = builder.load(builder.bitcast(place, vector.as_pointer()))
                loaded.align = bits // 8
                phi.add_incoming(builder.add(phi, builder.call(popcount, [builder.and_(loaded, word)])), body)
            at.add_incoming(builder.add(at, ir.Constant(WORD, 1)), body)
            builder.branch(check)
            builder.position_at_end(done)
            for tile, phi in enumerate(sums):
                place = builder.gep(target, [ir.Constant(WORD, LANES * tile)])
                builder.store(phi, builder.bitcast(place, vector.as_pointer())).align = bits // 8
            return context.get_dummy_value()

        return types.void(into, lanes, stride, words, number), generate

    counts.__doc__ = f"""Write how many bits words and the lanes of {tiles} x {LANES} attributes have in common.

    into   : ({tiles} * {LANES},) signed, as wide as the words; lanes : unsigned, `number` words of the attributes,
             `stride` apart; words : (number,) the words they are held against
    """
    return counts


tile_counts_1, tile_counts_2, tile_counts_4 = _tile_counts(1), _tile_counts(2), _tile_counts(4)
