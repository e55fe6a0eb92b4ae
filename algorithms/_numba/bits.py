"""Bit counts as single machine instructions, for the kernels that keep rows of a table in a 64-bit word."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

__all__ = ["lowest", "popcount"]


@intrinsic
def popcount(_context: Any, word: Any) -> Any:
    """Number of set bits of a uint64, as a uint64."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return (types.uint64(types.uint64), generate) if word == types.uint64 else None


@intrinsic
def lowest(_context: Any, word: Any) -> Any:
    """Position of the lowest set bit of a uint64, as a uint64; 64 where none is set."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zero_is_defined = context.get_constant(types.boolean, False)
        return builder.cttz(arguments[0], zero_is_defined)

    return (types.uint64(types.uint64), generate) if word == types.uint64 else None
