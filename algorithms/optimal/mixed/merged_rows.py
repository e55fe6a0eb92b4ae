"""The rows of an instance as the search reads them: those of equal values and class are merged."""

import math
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import by_reference, cells
from algorithms.kernel_arrays import array
from algorithms.splitmix import mixed_word

POINTS, ROWS, GRAIN = range(3)
OF_ROW, POINT, FIRST, CLASS, COUNT, WEIGHT, GRAINS, FORCED = range(8)


class MergedRows(NamedTuple):
    """The merged rows, in the order of their first row; `rows` is the number of rows that are merged.

    A *point* is all rows of equal values. `slots` is a power of two, more than twice the rows.
    """

    number: Any = array("3")  # of POINTS; of merged ROWS; the greatest common divisor of their weights (GRAIN)
    table: Any = array("slots", np.int32)  # the points by the hash of their values, from 1
    hash: Any = array("rows", np.uint64)  # of the values of each row
    merged: Any = array("rows classes", np.int32)  # the merged row of each class at each point, from 1; 0 if none
    row: Any = array("8 rows")
    """OF_ROW: the merged row of each row. POINT: the first row of each point. Of each merged row: its FIRST row; its
    CLASS; the COUNT of its rows; their WEIGHT in units, and in GRAINS; at the first row of a point, the errors that no
    tree avoids there (FORCED)."""
    sum: Any = array("rows", np.float64)  # the weight of each merged row


@outer
def merge_rows(ranks, classes, weights, exponent, result):
    """Write the merged rows into arrays of zeros.

    ranks            : (attributes, rows)
    classes, weights : of each row
    exponent         : binary logarithm of the unit in which weights become whole; none is 0, which no kernel expects
    """
    result = by_reference(result)
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
    """Write which rows are merged."""
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
    """Write the errors that no tree avoids."""
    for point in range(result.number[POINTS]):
        first, total, most = result.number[ROWS], np.int64(0), np.int64(0)
        for of_class in range(result.merged.shape[1]):
            row = result.merged[point, of_class] - 1
            if row >= 0:
                first = min(first, row)
                total += result.row[WEIGHT, row]
                most = max(most, result.row[WEIGHT, row])
        result.row[FORCED, first] = total - most
