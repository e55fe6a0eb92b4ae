"""The decorators of kernels: how kernels are compiled and cached.

Each is numba's `njit` with options, and `cached` in place of its `cache=True`:

    called by     may allocate arrays    allocates nothing
    Python        kernel                 outer; large, if it is a whole search
    kernels       allocating             inner; part or inlined, if its code replaces the call

Kernels that only other kernels call, with many arrays, are compiled without Python wrappers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from algorithms._numba.primitives import COMPILER, LARGE_COMPILER, PLAIN, cached

UNCOUNTED: Any = {"nogil": True} if PLAIN else {"nogil": True, "_nrt": False}
"""For code that allocates nothing: references to arrays are not counted, which would take as long as the kernel."""

OPTIONS: Any = UNCOUNTED | {"error_model": "numpy", "no_cfunc_wrapper": True}
"""For kernels that allocate nothing."""

PUBLIC = ("nogil", "error_model", "fastmath")
"""Documented options of numba that change results or let other threads run."""


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
"""Like `outer`, for a whole search: its loops are neither unrolled nor vectorised, which would take long to compile."""

inner: Any = compiled(**OPTIONS, no_cpython_wrapper=True)
"""Like `outer`, for a kernel that Python does not call; it compiles in a third of the time."""

part: Any = compiled(**OPTIONS, no_cpython_wrapper=True, inline="always")
"""Like `inner`, for a kernel that one other kernel calls once: it is compiled as part of that one."""

inlined: Any = compiled(**OPTIONS, no_cpython_wrapper=True, forceinline=True)
"""Like `inner`, for a kernel so short or called so often that its code replaces each call."""

of_words: Any = njit if PLAIN else njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, **COMPILER)
"""For a few operations on words: their code replaces each call and is cached with the caller, not by itself."""

allocating: Any = compiled(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""Like `inner`, for a kernel that may allocate arrays."""
