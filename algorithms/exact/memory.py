"""Arrays that grow, within a memory limit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

DOUBLED_BELOW = 2**20
"""Arrays of fewer bytes grow to twice their length, larger ones by an eighth, so that little is unused at the end."""

Array = NDArray[Any]


class NoMemoryLeftError(Exception):
    """More bytes were requested than the limit leaves."""


class Memory:
    """The bytes held by the arrays of a search, never more than a limit."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.held = 0

    def array(self, shape: int | tuple[int, ...], dtype: Any) -> Array:
        """A new array of zeros."""
        self.hold(int(np.prod(shape, dtype=object)) * np.dtype(dtype).itemsize)
        return np.zeros(shape, dtype)

    def hold(self, size: int) -> None:
        """Count this many bytes as held."""
        if self.held + size > self.limit:
            raise NoMemoryLeftError
        self.held += size

    def release(self, *arrays: Array) -> None:
        """Count arrays as released; nothing may use them afterwards."""
        self.held -= sum(array.nbytes for array in arrays)

    def resize(self, array: Array, length: int) -> None:
        """Change the length of an array in place; only the search may refer to it."""
        self.hold((length - len(array)) * array.strides[0])
        array.resize((length, *array.shape[1:]), refcheck=False)

    def grow(self, arrays: list[Array], needed: int) -> None:
        """Lengthen arrays of one length: at least to the needed length, and by a good share of the present one."""
        size = sum(array.strides[0] for array in arrays)
        length = len(arrays[0])
        target = max(needed, 2 * length if length * size < DOUBLED_BELOW else length + length // 8)
        left = length + (self.limit - self.held) // size
        for array in arrays:
            self.resize(array, max(needed, min(target, left)))
