"""Find equal rows by hashing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algorithms._numba.decorators import inner, outer
from algorithms.splitmix import mixed_word


@outer
def random_words(words):
    """Fill an array with fixed pseudo-random words."""
    for row in range(words.shape[0]):
        for index in range(words.shape[1]):
            words[row, index] = mixed_word(np.uint64(row * words.shape[1] + index + 1))


def distinct_columns(cells: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Indices of the distinct columns of `cells` (rows, columns), at first occurrence, and each column's among them."""
    columns = cells.shape[1]
    table = np.full(1 << max(2 * columns - 1, 1).bit_length(), -1)  # at most half full
    first, index = np.empty(columns, np.int64), np.empty(columns, np.int64)
    number = _write_distinct(cells, np.zeros(columns, np.uint64), table, first, index)
    return first[:number], index


@outer
def _write_distinct(cells, keys, table, first, index):
    """Write the results of `distinct_columns` and return how many there are. `keys` start as 0, `table` as -1."""
    columns, number = cells.shape[1], 0
    for row in range(len(cells)):
        for column in range(columns):
            keys[column] = mixed_word(keys[column] ^ np.uint64(cells[row, column]))
    for column in range(columns):
        slot = np.int64(keys[column]) & (len(table) - 1)
        while table[slot] >= 0 and not _same(cells, keys, column, first[table[slot]]):
            slot = (slot + 1) & (len(table) - 1)
        if table[slot] < 0:
            table[slot], first[number] = number, column
            number += 1
        index[column] = table[slot]
    return number


@inner
def _same(cells, keys, first, second):
    if keys[first] != keys[second]:
        return False
    different = False
    for row in range(len(cells)):
        different |= cells[row, first] != cells[row, second]
    return not different
