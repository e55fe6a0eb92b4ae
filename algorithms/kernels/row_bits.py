"""Columns of two values as bits."""

from __future__ import annotations

import numpy as np
from numba import njit

from algorithms.kernels.bits import popcount

__all__ = ["CONSTANT", "NOT_TWO", "TWO", "best_single_split", "write_bits"]

NOT_TWO, CONSTANT, TWO = -1, 0, 1


@njit(nogil=True, cache=True)
def write_bits(column, place, words, mark, keys):
    """Set the bits of the rows that have the greater of a column's two values.

    Returns TWO, CONSTANT or NOT_TWO as it has two values, one, or more; and the two, the lesser first.

    place (rows,) : the bit of each row; words : where they are, all 0
    mark : what is added to the keys (rows,) of these rows, so that rows with the same values have the same key
    """
    rows = len(column)
    low = high = column[0]
    for row in range(rows):
        value = column[row]
        if value not in (low, high):
            if low != high:
                return NOT_TWO, low, high
            low, high = min(low, value), max(high, value)
    if low == high:
        return CONSTANT, low, high
    for row in range(rows):
        if column[row] == high:
            bit = place[row]
            words[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
            keys[row] += mark
    return TWO, low, high


@njit(nogil=True, cache=True)
def best_single_split(columns, start, class_of, weight, classes, mask, fewest):
    """The first column with the fewest errors when both its sides are leaves of so many rows, -1 if none.

    Second are the errors, third those of a leaf.

    The rows are those of `algorithms.optimal.row_bits.RowBits` that are in `mask`.
    """
    all_of, ones_of = np.zeros(classes), np.empty(classes)
    rows = 0
    for s in range(len(class_of)):
        there = 0
        for w in range(start[s], start[s + 1]):
            there += np.int64(popcount(mask[w]))
        all_of[class_of[s]] += there * weight[s]
        rows += there
    total = all_of.sum()
    best, fewest_errors = -1, np.inf
    for column in range(len(columns) - 1):
        ones_of[:] = 0
        ones = 0
        for s in range(len(class_of)):
            there = 0
            for w in range(start[s], start[s + 1]):
                there += np.int64(popcount(mask[w] & columns[column, w]))
            ones_of[class_of[s]] += there * weight[s]
            ones += there
        if ones < fewest or rows - ones < fewest:
            continue
        errors = total - ones_of.max() - (all_of - ones_of).max()
        if errors < fewest_errors:
            best, fewest_errors = column, errors
    return best, fewest_errors, total - all_of.max()
