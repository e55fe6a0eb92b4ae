"""Columns of two values as bits."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["CONSTANT", "NOT_TWO", "TWO", "write_bits"]

NOT_TWO, CONSTANT, TWO = -1, 0, 1


@njit(nogil=True, cache=True)
def write_bits(column, place, words, mark, keys):
    """Set the bits of the rows that have the greater of a column's two values; -1 if it has more, 0 if it has one.

    place (rows,) : the bit of each row; words : where they are, all 0; mark : what is added to the keys (rows,) of these
    rows, so that rows with the same values in all columns have the same key
    """
    rows = len(column)
    low = high = column[0]
    for row in range(rows):
        value = column[row]
        if value != low and value != high:
            if low != high:
                return NOT_TWO
            low, high = min(low, value), max(high, value)
    if low == high:
        return CONSTANT
    for row in range(rows):
        if column[row] == high:
            bit = place[row]
            words[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
            keys[row] += mark
    return TWO
