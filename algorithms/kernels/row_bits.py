"""Columns of two values as bits."""

from __future__ import annotations

import numpy as np
from numba import njit

from algorithms.kernels.bits import popcount

__all__ = ["best_single_split", "write_bits"]


@njit(nogil=True, cache=True, fastmath={"nnan", "nsz"})  # so that least and greatest are found in vectors
def write_bits(columns, source, marks, words, keys, asked, values):
    """Set the bits of the rows that have the greater of a column's two values; constant columns are left out.

    columns (attributes, rows); source (64 * words,) : the row of each bit, any where there is none
    words (attributes + 1, words), asked (attributes,), values (attributes, 2) : the bits of the columns that are kept,
        which they are, and their two values, the lesser first
    marks (attributes,) : what is added to the keys (rows,) of these rows, so that equal rows have the same key

    Returns how many there are, or -1 where a column has more than two values.
    """
    number = 0
    for attribute in range(len(columns)):
        column = columns[attribute]
        low = high = column[0]
        for value in column:
            low = min(low, value)
            high = max(high, value)
        if low == high:
            continue
        others = False
        for value in column:
            others |= (value != low) & (value != high)
        if others:
            return -1
        mark = marks[attribute]
        for row in range(len(column)):
            keys[row] += mark * np.uint64(column[row] == high)
        for w in range(words.shape[1]):
            word = np.uint64(0)
            for bit in range(64):
                word |= np.uint64(column[source[w * 64 + bit]] == high) << np.uint64(bit)
            words[number, w] = word
        asked[number] = attribute
        values[number, 0], values[number, 1] = low, high
        number += 1
    return number


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
