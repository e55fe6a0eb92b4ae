"""Merge the rows of an instance that have equal values and the same class, and make their weights integers."""

import math
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, large
from algorithms._numba.primitives import cells
from algorithms.kernel_arrays import array
from algorithms.splitmix import mixed_word

POINTS, ROWS, GRAIN = range(3)
OF_ROW, POINT, FIRST, CLASS, COUNT, WEIGHT, GRAINS, FORCED = range(8)


class MergedRows(NamedTuple):
    """The merged rows, in the order of the first row of each; `rows` is the number of rows before merging.

    A *point* is the set of all rows with the same values, of any class. `slots` is a power of two, more than twice the
    rows.
    """

    number: Any = array("3")
    """The number of POINTS; of merged ROWS; the GRAIN, the greatest common divisor of the weights of merged rows."""
    table: Any = array("slots", np.int32)  # hash table of the points: 1 + the index of a point; 0 in an empty slot
    hash: Any = array("rows", np.uint64)  # of the values of each row
    merged: Any = array("rows classes", np.int32)  # of each point and class: 1 + the merged row; 0 if it has no rows
    row: Any = array("8 rows")
    """By row: OF_ROW, its merged row. By point: POINT, its first row. By merged row: its FIRST row; its CLASS; the
    COUNT of its rows; its WEIGHT in units; its weight in GRAINS; FORCED, the equivalent points bound of its point, or 0
    if it is not the first merged row of the point."""
    sum: Any = array("rows", np.float64)  # by merged row: the sum of the weights of its rows, not rounded


@large
def merge_rows(ranks, classes, weights, exponent, result):
    """Merge the rows. Sums of weights are rounded to multiples of the unit, but never to 0.

    ranks    : (attributes, rows) int64
    classes  : (rows,) integers
    weights  : (rows,) float64
    exponent : binary logarithm of the unit
    result   : `MergedRows`, all zeros
    """
    _merge(cells(ranks), cells(classes), cells(weights), result)
    row_of, number, grain = result.row, result.number[ROWS], np.int64(0)
    for row in range(number):
        row_of[WEIGHT, row] = max(np.int64(np.rint(math.ldexp(result.sum[row], -exponent))), 1)
        divisor = row_of[WEIGHT, row]
        while grain:
            divisor, grain = grain, divisor % grain
        grain = divisor
    result.number[GRAIN] = grain
    for row in range(number):
        row_of[GRAINS, row] = row_of[WEIGHT, row] // grain
    _write_forced(result)


@inner
def _merge(ranks, classes, weights, result):
    """Write which rows are merged, and the sums of their weights."""
    hashes, table, mask, row_of, points, number = result.hash, result.table, len(result.table) - 1, result.row, 0, 0
    for attribute in range(len(ranks)):
        for row in range(len(classes)):
            hashes[row] = mixed_word(hashes[row] ^ np.uint64(ranks[attribute, row]))
    for row in range(len(classes)):
        slot = np.int64(hashes[row]) & mask
        while table[slot] and not _equal(ranks, hashes, row, row_of[POINT, table[slot] - 1]):
            slot = (slot + 1) & mask
        if table[slot] == 0:
            row_of[POINT, points] = row
            points += 1
            table[slot] = points
        point, of_class = table[slot] - 1, classes[row]
        if result.merged[point, of_class] == 0:
            row_of[FIRST, number], row_of[CLASS, number] = row, of_class
            number += 1
            result.merged[point, of_class] = number
        into = result.merged[point, of_class] - 1
        row_of[OF_ROW, row] = into
        row_of[COUNT, into] += 1
        result.sum[into] += weights[row]
    result.number[POINTS], result.number[ROWS] = points, number


@inner
def _equal(ranks, hashes, first, second):
    """Whether two rows have equal values."""
    if hashes[first] != hashes[second]:
        return False
    different = False
    for attribute in range(len(ranks)):
        different |= ranks[attribute, first] != ranks[attribute, second]
    return not different


@inner
def _write_forced(result):
    """Write the equivalent points bound of each point: the weight of all its classes but the heaviest."""
    for point in range(result.number[POINTS]):
        first, total, most = result.number[ROWS], np.int64(0), np.int64(0)
        for of_class in range(result.merged.shape[1]):
            row = result.merged[point, of_class] - 1
            if row >= 0:
                first = min(first, row)
                total += result.row[WEIGHT, row]
                most = max(most, result.row[WEIGHT, row])
        result.row[FORCED, first] = total - most
