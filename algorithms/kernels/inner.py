"""How kernels are compiled that only other kernels call, with many arrays: nothing of Python is made ready for them."""

from __future__ import annotations

from typing import Any

from numba import njit

__all__ = ["OPTIONS", "allocating", "inlined", "inner", "outer", "part"]

OPTIONS: Any = {"nogil": True, "cache": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}

outer: Any = njit(**OPTIONS)
"""For a kernel that allocates nothing: references to its arrays are not counted, which would take as long as itself."""

inner: Any = njit(**OPTIONS, no_cpython_wrapper=True)
"""The same for one that Python does not call, which takes a third of the time to compile."""

part: Any = njit(**OPTIONS, no_cpython_wrapper=True, inline="always")
"""The same for one that one other kernel calls, at one place: it is compiled along with that, not by itself before."""

inlined: Any = njit(**OPTIONS, no_cpython_wrapper=True, forceinline=True)
"""The same for one that is so short, or called so often, that each caller has its code in place of a call."""

allocating: Any = njit(nogil=True, cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For one that Python does not call either, and that may make arrays."""
