"""Array types that most modules use, named by their content, and sets of rows as bits of machine words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]
Rows = NDArray[np.int64]
"""Indices of rows."""
Words = NDArray[np.uint64]
"""Machine words used as sets of bits."""


def unmasked(given: Any) -> Any:
    """A masked array as a plain one: of objects, with None in masked cells, if it has any. Anything else as given."""
    if not isinstance(given, np.ma.MaskedArray):
        return given
    mask = np.ma.getmaskarray(given)
    cells = given.data
    if mask.any():
        cells = cells.astype(object)
        cells[mask] = None
    return cells


def packed(sets: NDArray[np.bool_]) -> Words:
    """(..., words): sets (..., rows) as bits, row i as bit i % 64 of word i // 64."""
    octets = np.packbits(sets, axis=-1, bitorder="little")
    whole = np.zeros((*octets.shape[:-1], -(-sets.shape[-1] // 64) * 8), np.uint8)
    whole[..., : octets.shape[-1]] = octets
    return whole.view("<u8").astype(np.uint64)
