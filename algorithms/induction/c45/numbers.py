"""Numbers of a column as codes for C4.5, and J48's bound between two of them."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import kernel
from algorithms._numba.sorting import PLACE_BITS, PLACE_MASK, sort
from algorithms.induction.c45.shares import EPSILON

__all__ = ["bound", "rank", "rank_whole"]

SPARE = 1024  # integers in a range beyond twice the rows that may still be ranked by counting


@kernel
def rank(column, order, codes):
    """Number the distinct numbers of a column in increasing order: (the numbers, the first row that has each).

    order: (known rows,) by increasing number; codes: (rows,) output, the rank of each row's number
    """
    value, first_row = np.empty(len(order)), np.empty(len(order), np.int64)
    distinct = 0
    for row in order:
        if distinct == 0 or column[row] > value[distinct - 1]:
            value[distinct], first_row[distinct] = column[row], row
            distinct += 1
        first_row[distinct - 1] = min(first_row[distinct - 1], row)
        codes[row] = distinct - 1
    return value[:distinct].copy(), first_row[:distinct].copy()


@kernel
def rank_whole(column, codes):
    """As `rank`, without an order, for integers close to each other; for any other column no numbers."""
    low, high = np.inf, -np.inf
    for number in column:
        if not np.isnan(number):
            low, high = min(low, number), max(high, number)
            if number != np.floor(number):
                return np.empty(0), np.empty(0, np.int64)
    if not 0 <= high - low < 2 * len(column) + SPARE:
        return np.empty(0), np.empty(0, np.int64)
    place, first = np.zeros(int(high - low) + 1, np.int32), np.full(int(high - low) + 1, -1)
    distinct = 0
    for row in range(len(column)):
        if not np.isnan(column[row]):
            number = int(column[row] - low)
            if first[number] < 0:
                first[number] = row
                distinct += 1
    value, first_row, code = np.empty(distinct), np.empty(distinct, np.int64), 0
    for number in range(len(first)):
        if first[number] >= 0:
            value[code], first_row[code], place[number] = number + low, first[number], code
            code += 1
    for row in range(len(column)):
        if not np.isnan(column[row]):
            codes[row] = place[int(column[row] - low)]
    return value, first_row


@kernel
def bound(columns, attribute, middle):
    """The code of the largest number that J48 sends down the lower branch, for a gap with that middle.

    J48 searches all rows for the largest number up to the middle. It takes a number only if it exceeds the best so far
    by more than EPSILON, so among closer numbers the first row decides. Its test also tolerates EPSILON.
    """
    begin, width = columns.first_value[attribute], columns.width[attribute]
    value, first_row = columns.value[begin : begin + width], columns.first_row[begin : begin + width]
    last, above = 0, width
    while above - last > 1:
        between = (last + above) // 2
        if value[between] - middle < EPSILON:
            last = between
        else:
            above = between
    lowest = last
    while lowest > 0 and value[lowest] - value[lowest - 1] <= EPSILON:
        lowest -= 1
    kept = value[last]
    if lowest < last:
        kept = -np.inf
        by_row = np.empty(last + 1 - lowest, np.int64)
        for place in range(len(by_row)):
            by_row[place] = (first_row[lowest + place] << PLACE_BITS) | place
        sort(by_row)
        for word in by_row:
            number = value[lowest + (word & PLACE_MASK)]
            if number - kept > EPSILON:
                kept = number
    while last + 1 < width and value[last + 1] - kept < EPSILON:
        last += 1
    return last
