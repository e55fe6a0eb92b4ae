"""SIMD vectors in kernels: one machine instruction processes the numbers of many attributes or cuts.

`+`, `-`, `*`, `&`, `|` and comparisons work element by element; one operand may be a single number. By themselves,
compilers vectorise only long and simple loops. LLVM splits vectors that are wider than the machine's registers.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from algorithms._numba.lanes import broadcast

__all__ = [
    "LANES",
    "any_flag",
    "beside",
    "bit_counts",
    "choose",
    "flags_of",
    "greater",
    "least_lane",
    "lesser",
    "load",
    "store",
    "vector",
    "zeros",
]

LANES = 32
"""Lanes of a vector: 32 numbers of 16 bits fill the widest registers, of 512 bits."""

INDEX = ir.IntType(32)
INTEGERS = {16: types.int16, 32: types.int32, 64: types.int64}

ARITHMETIC = {
    operator.add: ("add", "fadd"),
    operator.sub: ("sub", "fsub"),
    operator.mul: ("mul", "fmul"),
    operator.and_: ("and_", ""),
    operator.or_: ("or_", ""),
}
"""LLVM's instructions for each operator: on integers, and on float64."""

COMPARISONS = {operator.lt: "<", operator.gt: ">", operator.ge: ">=", operator.le: "<=", operator.eq: "=="}


class Vector(types.Type):  # type: ignore[misc] # numba has no types
    """A vector of `lanes` numbers of one type: signed integers, float64, or booleans, called flags."""

    def __init__(self, lane: Any, lanes: int) -> None:
        super().__init__(f"vector({lane}, {lanes})")
        self.lane, self.lanes = lane, lanes

    @property
    def flags(self) -> Vector:
        """The type of a comparison's result."""
        return Vector(types.boolean, self.lanes)

    @property
    def code(self) -> Any:
        """LLVM's type."""
        return ir.VectorType(_lane_of(self.lane), self.lanes)


def _lane_of(lane: Any) -> Any:
    return ir.DoubleType() if lane == types.float64 else ir.IntType(1 if lane == types.boolean else lane.bitwidth)


@register_model(Vector)
class VectorModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, kind.code)


class _Operator(AbstractTemplate):  # type: ignore[misc]
    """The type of an operator's result for two vectors of one type, or for a vector and a single number."""

    def generic(self, args: Any, kws: Any) -> Any:  # noqa: ARG002
        vectors = {kind for kind in args if isinstance(kind, Vector)}
        if len(vectors) != 1 or not all(isinstance(kind, Vector | types.Number) for kind in args):
            return None
        vector = vectors.pop()
        return signature(vector.flags if self.key in COMPARISONS else vector, *args)


def _broadcast(context: Any, builder: Any, kind: Any, vector: Vector, value: Any) -> Any:
    """A value as a vector: a single number is repeated."""
    if isinstance(kind, Vector):
        return value
    return broadcast(builder, context.cast(builder, value, kind, vector.lane), vector.lanes)


def _lower(operation: Any) -> None:
    """Generate code for an operator."""

    def generate(context: Any, builder: Any, called: Any, values: Any) -> Any:
        vector = next(kind for kind in called.args if isinstance(kind, Vector))
        pair = [_broadcast(context, builder, kind, vector, it) for kind, it in zip(called.args, values, strict=True)]
        real = vector.lane == types.float64
        if operation in COMPARISONS:
            compare = builder.fcmp_ordered if real else builder.icmp_signed
            return compare(COMPARISONS[operation], *pair)
        return getattr(builder, ARITHMETIC[operation][real])(*pair)

    infer_global(operation)(_Operator)
    for kinds in ((Vector, Vector), (Vector, types.Number), (types.Number, Vector)):
        lower_builtin(operation, *kinds)(generate)


for _operation in (*ARITHMETIC, *COMPARISONS):
    _lower(_operation)


@intrinsic
def zeros(_context: Any, like: Any) -> Any:
    """A vector of zeros: LANES of the dtype of an array, or as many and of the type of a given vector."""
    vector = like
    if isinstance(like, types.Array):
        vector = Vector(like.dtype if like.dtype == types.float64 else INTEGERS[like.dtype.bitwidth], LANES)
    return vector(like), lambda *_: ir.Constant(vector.code, [0] * vector.lanes)


@intrinsic
def vector(_context: Any, numbers: Any) -> Any:
    """The numbers of a tuple, all of one type, as a vector."""
    kind = Vector(numbers.dtype, len(numbers))

    def generate(_context: Any, builder: Any, _called: Any, values: Any) -> Any:
        result = ir.Constant(kind.code, ir.Undefined)
        for lane, number in enumerate(cgutils.unpack_tuple(builder, values[0])):
            result = builder.insert_element(result, number, INDEX(lane))
        return result

    return kind(numbers), generate


def _address(context: Any, builder: Any, called: Any, values: Any, lanes: int) -> Any:
    """A pointer to the vector of `lanes` numbers of an array (first argument) at a flat index (second argument)."""
    kind, index = called.args[:2]
    data = cgutils.create_struct_proxy(kind)(context, builder, values[0]).data
    address = builder.gep(data, [context.cast(builder, values[1], index, types.intp)])
    return builder.bitcast(address, ir.VectorType(address.type.pointee, lanes).as_pointer())


@intrinsic
def load(_context: Any, array: Any, at: Any, like: Any) -> Any:
    """Load a vector of the type of `like` from a flat index of an array on.

    Wider numbers of the array are truncated, so they must fit into the lanes.
    """

    def generate(context: Any, builder: Any, called: Any, values: Any) -> Any:
        address = _address(context, builder, called, values, like.lanes)
        stored = address.type.pointee
        vector = builder.load(address, align=array.dtype.bitwidth // 8)
        return vector if stored == like.code else builder.trunc(vector, like.code)

    return like(array, at, like), generate


@intrinsic
def store(_context: Any, array: Any, at: Any, vector: Any) -> Any:
    """Write a vector to an array, from a flat index on. The numbers of the array may be wider than the lanes."""

    def generate(context: Any, builder: Any, called: Any, values: Any) -> Any:
        address = _address(context, builder, called, values, vector.lanes)
        stored = address.type.pointee
        value = values[2] if stored == vector.code else builder.sext(values[2], stored)
        builder.store(value, address, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, at, vector), generate


@intrinsic
def choose(_context: Any, flags: Any, first: Any, second: Any) -> Any:
    """The numbers of the first vector where a flag is set, else those of the second; either may be one number."""
    vector = first if isinstance(first, Vector) else second

    def generate(context: Any, builder: Any, called: Any, values: Any) -> Any:
        pair = [_broadcast(context, builder, called.args[k], vector, values[k]) for k in (1, 2)]
        return builder.select(values[0], *pair)

    return vector(flags, first, second), generate


def _extreme(sign: str) -> Any:
    @intrinsic
    def extreme(_context: Any, first: Any, second: Any) -> Any:
        """The smaller, or the greater, of each pair of numbers."""

        def generate(_context: Any, builder: Any, _called: Any, values: Any) -> Any:
            compare = builder.fcmp_ordered if first.lane == types.float64 else builder.icmp_signed
            return builder.select(compare(sign, *values), *values)

        return first(first, second), generate

    return extreme


lesser, greater = _extreme("<"), _extreme(">")


@intrinsic
def any_flag(_context: Any, flags: Any) -> Any:
    """Whether any flag is set."""

    def generate(_context: Any, builder: Any, _called: Any, values: Any) -> Any:
        bits = builder.bitcast(values[0], ir.IntType(flags.lanes))
        return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

    return types.boolean(flags), generate


@intrinsic
def flags_of(_context: Any, word: Any) -> Any:
    """The low LANES bits of an int64 as flags, the lowest first."""

    def generate(_context: Any, builder: Any, called: Any, values: Any) -> Any:
        return builder.bitcast(builder.trunc(values[0], ir.IntType(LANES)), called.return_type.code)

    return Vector(types.boolean, LANES)(word), generate


def _call_llvm(builder: Any, name: str, result: Any, vector: Vector, value: Any) -> Any:
    """Call an intrinsic function of LLVM on one vector; `result` is the type that it returns."""
    function = ir.FunctionType(result, [vector.code])
    full_name = f"{name}.v{vector.lanes}{'f' if vector.lane == types.float64 else 'i'}{vector.lane.bitwidth}"
    return builder.call(cgutils.get_or_insert_function(builder.module, function, full_name), [value])


@intrinsic
def bit_counts(_context: Any, vector: Any) -> Any:
    """The number of set bits of each number."""
    return vector(vector), lambda _, builder, __, values: _call_llvm(
        builder, "llvm.ctpop", vector.code, vector, values[0]
    )


@intrinsic
def least_lane(_context: Any, vector: Any) -> Any:
    """The smallest number of a vector."""
    name = "llvm.vector.reduce.fmin" if vector.lane == types.float64 else "llvm.vector.reduce.smin"
    lane = _lane_of(vector.lane)
    return vector.lane(vector), lambda _, builder, __, values: _call_llvm(builder, name, lane, vector, values[0])


@intrinsic
def beside(_context: Any, first: Any, second: Any) -> Any:
    """Concatenate two vectors of one type."""
    both = Vector(first.lane, 2 * first.lanes)

    def generate(_context: Any, builder: Any, _called: Any, values: Any) -> Any:
        indices = ir.Constant(ir.VectorType(INDEX, both.lanes), list(range(both.lanes)))
        return builder.shuffle_vector(*values, indices)

    return both(first, second), generate
