"""The decorators of kernels: how they are compiled, and that they are kept between processes.

Each is numba's `njit` with options, and `cached` in place of its `cache=True`. Kernels that only other kernels call,
with many arrays, are compiled without Python wrappers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from algorithms._numba.primitives import COMPILER, PLAIN, cached

__all__ = ["OPTIONS", "UNCOUNTED", "allocating", "compiled", "inlined", "inner", "kernel", "of_words", "outer", "part"]

UNCOUNTED: Any = {"nogil": True} if PLAIN else {"nogil": True, "_nrt": False}
"""For code that allocates nothing: references to arrays are not counted, which would take as long as the kernel."""

OPTIONS: Any = UNCOUNTED | {"error_model": "numpy", "no_cfunc_wrapper": True}
"""For kernels that allocate nothing."""

PUBLIC = ("nogil", "error_model", "fastmath")
"""Options that numba documents and that change answers, or let other threads run."""


def compiled(**options: Any) -> Any:
    """A decorator: `njit` with these options, and kept between processes."""
    if PLAIN:
        options = {name: value for name, value in options.items() if name in PUBLIC}
    jitted: Callable[[Any], Any] = njit(**options, **COMPILER)
    return lambda function: cached(jitted(function))


kernel: Any = compiled(nogil=True, no_cfunc_wrapper=True)
"""For a kernel that Python calls, and that may make arrays."""

outer: Any = compiled(**OPTIONS)
"""For a kernel that Python calls, and that allocates nothing."""

inner: Any = compiled(**OPTIONS, no_cpython_wrapper=True)
"""The same for a kernel that Python does not call, which takes a third of the time to compile."""

part: Any = compiled(**OPTIONS, no_cpython_wrapper=True, inline="always")
"""The same for a kernel that one other kernel calls, once: it is compiled along with that, not by itself before."""

inlined: Any = compiled(**OPTIONS, no_cpython_wrapper=True, forceinline=True)
"""The same for a kernel that is so short, or called so often, that each caller has its code in place of a call."""

of_words: Any = njit if PLAIN else njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, **COMPILER)
"""For a few operations on words: each caller has their code, and is kept with it; they are not kept by themselves."""

allocating: Any = compiled(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For a kernel that Python does not call either, and that may make arrays."""
