"""Columns of two values as bits."""

from __future__ import annotations

import numpy as np
from numba import njit

from algorithms.kernels.bits import popcount

__all__ = ["best_single_split", "forced_bits", "laid_out", "write_bits"]


@njit(nogil=True, cache=True)
def laid_out(order, decisions, weights):
    """Rows in an order by class and weight, each such segment from a new word on.

    Returns the words of each segment (segments + 1,), its class (segments,), of those that there are, and weight
    (segments,); how many classes; the segment and the bit of each row in that order (rows,); and which bits are rows.
    """
    rows = len(order)
    start, class_of, weight = np.empty(rows + 1, np.int64), np.empty(rows, np.int64), np.empty(rows)
    segment, bit = np.empty(rows, np.int64), np.empty(rows, np.int64)
    segments = classes = free = 0
    for k in range(rows):
        row = order[k]
        other = k == 0 or decisions[row] != decisions[order[k - 1]]
        if other or weights[row] != weights[order[k - 1]]:
            classes += other
            free = (free + 63) // 64 * 64
            start[segments], class_of[segments], weight[segments] = free // 64, classes - 1, weights[row]
            segments += 1
        segment[k], bit[k] = segments - 1, free
        free += 1
    start[segments] = (free + 63) // 64
    are_rows = np.zeros(start[segments], np.uint64)
    for k in range(rows):
        are_rows[bit[k] >> 6] |= np.uint64(1) << np.uint64(bit[k] & 63)
    of = slice(0, segments)
    return start[: segments + 1].copy(), class_of[of].copy(), weight[of].copy(), classes, segment, bit, are_rows


@njit(nogil=True, cache=True)
def forced_bits(by_key, keys, segment, class_of, weight, classes, bit, words):
    """(words,) the rows that are not of the weightiest class among those with their key, the first of equal ones.

    by_key : (rows,) the rows by their keys (rows,); segment, bit : of each
    """
    forced = np.zeros(words, np.uint64)
    of_class = np.zeros(classes)
    first = 0
    while first < len(by_key):
        last = first
        while last < len(by_key) and keys[by_key[last]] == keys[by_key[first]]:
            there = segment[by_key[last]]
            of_class[class_of[there]] += weight[there]
            last += 1
        right = of_class.argmax()
        for k in range(first, last):
            row = by_key[k]
            if class_of[segment[row]] != right:
                forced[bit[row] >> 6] |= np.uint64(1) << np.uint64(bit[row] & 63)
        of_class[:] = 0
        first = last
    return forced


@njit(nogil=True, cache=True)
def _mixed(word):
    """A word that looks random, the same for the same (splitmix64)."""
    word = word * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(nogil=True, cache=True, fastmath={"nnan", "nsz"})  # so that least and greatest are found in vectors
def write_bits(columns, source, words, keys, asked, values):
    """Set the bits of the rows that have the greater of a column's two values; constant columns are left out.

    columns (attributes, rows); source (64 * words,) : the row of each bit, any where there is none
    words (attributes + 1, words), asked (attributes,), values (attributes, 2) : the bits of the columns that are kept,
        which they are, and their two values, the lesser first
    keys (rows,) : something is added for each column to those of these rows, so that equal rows have the same key

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
        mark = _mixed(np.uint64(attribute + 1))
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

    The rows are those of `algorithms.optimal.binary.row_bits.RowBits` that are in `mask`.
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
