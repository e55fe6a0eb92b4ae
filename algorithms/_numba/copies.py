"""Copies of numbers, element by element: `into[:] = values` makes numba compile two seconds of words for its errors."""

from __future__ import annotations

from algorithms._numba.decorators import inner

__all__ = ["copy_into"]


@inner
def copy_into(values, into):
    """Write all values (n,) to the first places of an array (n or more,), which do not overlap them."""
    for k in range(len(values)):
        into[k] = values[k]
