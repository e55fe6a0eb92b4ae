"""The decorators of kernels: how kernels are compiled and cached.

Each is numba's `njit` with options, and `cached` in place of its `cache=True`:

    called by     may allocate arrays    allocates nothing
    Python        kernel                 outer; or large: a whole search, or a kernel that takes little time
    kernels       allocating             inner; or part or inlined: its code replaces the call

Kernels that only other kernels call are compiled without Python wrappers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from algorithms._numba.primitives import COMPILER, LARGE_COMPILER, PLAIN, cached

UNCOUNTED: Any = {"nogil": True} if PLAIN else {"nogil": True, "_nrt": False}
"""For code that allocates nothing: without reference counts of arrays, which can take as long as the kernel itself."""

OPTIONS: Any = UNCOUNTED | {"error_model": "numpy", "no_cfunc_wrapper": True}
"""For kernels that allocate nothing."""

PUBLIC = ("nogil", "error_model", "fastmath")
"""Documented options of numba that change results or let other threads run: the plain twins keep these."""


def compiled(**options: Any) -> Any:
    """A decorator: `njit` with these options, cached between processes."""
    if PLAIN:
        options = {name: value for name, value in options.items() if name in PUBLIC}
    jitted: Callable[[Any], Any] = njit(**COMPILER | options)
    return lambda function: cached(jitted(function))


kernel: Any = compiled(nogil=True, no_cfunc_wrapper=True)
"""For a kernel that Python calls and that may allocate arrays."""

outer: Any = compiled(**OPTIONS)
"""For a kernel that Python calls and that allocates nothing."""

large: Any = compiled(**OPTIONS, **LARGE_COMPILER)
"""Like `outer`, for a whole search, or for a kernel that takes little of a fit's time.

To save compile time, its loops are neither unrolled nor vectorised.
"""

inner: Any = compiled(**OPTIONS, no_cpython_wrapper=True)
"""Like `outer`, for a kernel that Python does not call; it compiles in a third of the time."""

part: Any = compiled(**OPTIONS, no_cpython_wrapper=True, inline="always")
"""Like `inner`, for a kernel with a single call: numba inserts its code into the caller before it infers types."""

inlined: Any = compiled(**OPTIONS, no_cpython_wrapper=True, forceinline=True)
"""Like `inner`, for a kernel that is short or called often: LLVM replaces each call by its code."""

of_words: Any = njit if PLAIN else njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, **COMPILER)
"""For a function of a few operations: its code replaces each call, and is cached only as part of the callers."""

allocating: Any = compiled(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Like `inner`, for a kernel that may allocate arrays."""
