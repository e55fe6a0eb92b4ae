"""Parallel bit extract, by a machine instruction if there is one, and vectors that repeat a number."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from algorithms._numba.plain import pack as plain_pack

__all__ = ["broadcast", "pack"]

WORD = ir.IntType(64)
INDEX = ir.IntType(32)


def has_bmi2(triple: str, features: str) -> bool:
    """Whether the processor that LLVM generates code for has BMI2. In LLVM's feature list the last entry counts.

    This may be another processor than this machine's: NUMBA_CPU_NAME and NUMBA_CPU_FEATURES select it.
    """
    listed = [feature for feature in features.split(",") if feature[1:] == "bmi2"]
    return triple.startswith("x86_64") and listed[-1:] == ["+bmi2"]


@intrinsic
def pack(_context: Any, word: Any, chosen: Any) -> Any:
    """Parallel bit extract: the bits of `word` that `chosen` selects, moved to the low end, in order; uint64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        triple, _, features = context.codegen().magic_tuple()
        if not has_bmi2(triple, features):
            return context.compile_internal(builder, plain_pack.py_func, signature, arguments)
        function = ir.FunctionType(WORD, [WORD, WORD])
        pext = cgutils.get_or_insert_function(builder.module, function, "llvm.x86.bmi.pext.64")
        return builder.call(pext, arguments)

    uint64 = types.uint64
    return (uint64(uint64, uint64), generate) if (word, chosen) == (uint64, uint64) else None


def broadcast(builder: Any, number: Any, lanes: int) -> Any:
    """A vector that repeats one number."""
    undefined = ir.Constant(ir.VectorType(number.type, lanes), ir.Undefined)
    first = builder.insert_element(undefined, number, ir.Constant(INDEX, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(INDEX, lanes), [0] * lanes))
