"""How kernels are compiled that only other kernels call, with many arrays: nothing of Python is made ready for them."""

from __future__ import annotations

from typing import Any

from numba import njit

__all__ = ["inner", "outer"]

outer: Any = njit(nogil=True, cache=True, _nrt=False)
"""For a kernel that allocates nothing: references to its arrays are not counted, which would take as long as itself."""

inner: Any = njit(nogil=True, cache=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""The same for one that Python does not call, which takes a third of the time to compile."""
