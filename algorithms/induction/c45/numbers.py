"""The ranks of the numbers of a column, which are their codes in C4.5, and J48's bound between two numbers."""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import cells
from algorithms._numba.sorting import INDEX_BITS, INDEX_MASK, sort
from algorithms.induction.c45.shares import EPSILON
from algorithms.kernel_arrays import array

SPARE = 1024  # integers are ranked by counting if their range is below 2 * rows + SPARE


class Ranks(NamedTuple):
    """The distinct numbers of a column in increasing order, and scratch to count integers."""

    value: Any = array("rows", np.float64)  # the distinct numbers
    first_row: Any = array("rows")  # the first row that has each of them
    first: Any = array("range")  # scratch: the first row that has each integer of a range, or -1
    rank: Any = array("range", np.int32)  # scratch: the rank of each integer that occurs


@outer
def rank(column, order, codes, ranks):
    """Rank the distinct numbers of a column in increasing order, from 0; return how many there are.

    column (rows,) : the numbers; NaN is missing
    order (known rows,) : the rows whose number is not missing, by increasing number
    codes (rows,) : receives the rank of the number of each of these rows
    """
    value, first_row, distinct = ranks.value, ranks.first_row, 0
    for row in order:
        if distinct == 0 or column[row] > value[distinct - 1]:
            value[distinct], first_row[distinct] = column[row], row
            distinct += 1
        first_row[distinct - 1] = min(first_row[distinct - 1], row)
        codes[row] = distinct - 1
    return distinct


@outer
def rank_whole(column, codes, ranks):
    """As `rank`, without an order, for a column of integers in a small range; returns 0 for any other column."""
    column, codes = cells(column), cells(codes)
    first, rank_of, low, high = ranks.first, ranks.rank, np.inf, -np.inf
    for row in range(len(column)):
        number = column[row]
        if not np.isnan(number):
            low, high = min(low, number), max(high, number)
            if number != np.floor(number):
                return 0
    if not 0 <= high - low < 2 * len(column) + SPARE:
        return 0
    numbers, distinct = np.int64(high - low) + 1, 0
    for number in range(numbers):
        first[number] = -1
    for row in range(len(column)):
        if not np.isnan(column[row]):
            offset = np.int64(column[row] - low)
            if first[offset] < 0:
                first[offset] = row
    for offset in range(numbers):
        if first[offset] >= 0:
            ranks.value[distinct], ranks.first_row[distinct], rank_of[offset] = offset + low, first[offset], distinct
            distinct += 1
    for row in range(len(column)):
        if not np.isnan(column[row]):
            codes[row] = rank_of[np.int64(column[row] - low)]
    return distinct


@inner
def bound_code(columns, attribute, middle, keys):
    """The code of the largest number that J48 sends down the lower branch, for a gap with that middle.

    J48 searches all rows for the largest number up to the middle. It takes a number only if it exceeds the best so far
    by more than EPSILON, so among closer numbers the first row decides. Its test also tolerates EPSILON.

    keys (distinct numbers of the attribute,) int64 : scratch for sort keys
    """
    begin, value, first_row = columns.first_value[attribute], columns.value, columns.first_row
    last, end = begin, begin + columns.width[attribute]
    above = end
    while above - last > 1:
        between = (last + above) // 2
        if value[between] - middle < EPSILON:
            last = between
        else:
            above = between
    lowest = last
    while lowest > begin and value[lowest] - value[lowest - 1] <= EPSILON:
        lowest -= 1
    kept = value[last]
    if lowest < last:
        kept = -np.inf
        close = last + 1 - lowest
        for index in range(close):
            keys[index] = (first_row[lowest + index] << INDEX_BITS) | index
        sort(keys[:close])
        for index in range(close):
            number = value[lowest + (keys[index] & INDEX_MASK)]
            if number - kept > EPSILON:
                kept = number
    while last + 1 < end and value[last + 1] - kept < EPSILON:
        last += 1
    return last - begin
