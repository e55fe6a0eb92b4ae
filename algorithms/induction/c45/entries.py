"""The rows of a node as entries (code, class, weight) of an attribute, in increasing order of code.

Rows are counted by code and class if the attribute has few codes for the number of rows; otherwise they are sorted by
code. Both take time linear in the number of rows.
"""

from math import log
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import inner, of_words
from algorithms._numba.sorting import INDEX_BITS, INDEX_MASK, sort
from algorithms.induction.c45.shares import EPSILON
from algorithms.kernel_arrays import array

LOG_2 = 0.6931471805599453
LOGARITHMS = 1 << 20  # x log2 x is tabulated for integers up to this one
MOST_CELLS = 1 << 16  # most cells, codes times classes, of an attribute whose rows are counted
ALL_CELLS = 1 << 22  # most cells of all attributes together
FEW_ROWS = 48  # up to this number, rows are sorted by comparisons


class Entries(NamedTuple):
    """The entries of an attribute at a node, in increasing order of code; several may have the same code and class.

    The rest is scratch of `gain_ratio`, which moves weight from the right side of a test to the left.
    """

    code: Any = array("entries", np.int32)
    decision: Any = array("entries", np.int32)  # the class
    weight: Any = array("entries", np.float64)
    known: Any = array("classes", np.float64)  # the summed weight of each class, over all entries
    left: Any = array("classes", np.float64)  # the part of it on the left side
    known_log: Any = array("classes", np.float64)  # x log2 x of `known`
    left_log: Any = array("classes", np.float64)  # x log2 x of `left`
    right_log: Any = array("classes", np.float64)  # x log2 x of `known` less `left`
    log: Any = array("logarithms", np.float64)  # x log2 x by x, an integer from 0 on


class Counting(NamedTuple):
    """Scratch to count and to sort the rows of a node."""

    cells: Any = array("cells", np.float64)  # weight by attribute, code and class; 0 between nodes
    first_cell: Any = array("attributes")  # where the cells of each counted attribute begin
    counted: Any = array("attributes")  # the attributes that are counted
    keys: Any = array("rows")  # sort keys, see `algorithms._numba.sorting`
    other_keys: Any = array("rows")
    buckets: Any = array("2050")  # for a digit of up to 11 bits


@of_words
def x_log_x(x, table):
    """Return x log2 x, from the table if x is an integer below its length."""
    whole = np.int64(x)
    if whole == x and whole < len(table):
        return table[whole]
    return 0.0 if x < EPSILON else x * log(x) / LOG_2


@inner
def write_logarithms(table):
    """Write x log2 x for the whole numbers below the length of the table."""
    for whole in range(len(table)):
        x = np.float64(whole)
        table[whole] = x * log(x) / LOG_2 if whole > 0 else 0.0


@inner
def _sort(keys, size, other, buckets, highest):
    """Sort the first `size` keys by code, stably, in linear time (radix sort); `highest` is the largest code.

    keys, other (rows,) : sort keys, and scratch
    """
    if size <= FEW_ROWS:
        sort(keys[:size])
        return
    bits = 8 if size < (1 << 12) else 11
    mask = (1 << bits) - 1
    from_keys, to_keys, shift = keys, other, INDEX_BITS
    while (highest >> (shift - INDEX_BITS)) > 0:
        for digit in range(mask + 2):
            buckets[digit] = 0
        for i in range(size):
            buckets[((from_keys[i] >> shift) & mask) + 1] += 1
        for digit in range(mask):
            buckets[digit + 1] += buckets[digit]
        for i in range(size):
            digit = (from_keys[i] >> shift) & mask
            to_keys[buckets[digit]] = from_keys[i]
            buckets[digit] += 1
        from_keys, to_keys = to_keys, from_keys
        shift += bits
    if (shift - INDEX_BITS) // bits % 2 == 1:
        copy_into(other[:size], keys)


@inner
def sorted_entries(columns, attribute, rows, share, first, end, counting, entries):
    """Write the entries of an attribute, one for each row with a known value, by sorting; return their number."""
    width, size = columns.width[attribute], 0
    for i in range(first, end):
        code = np.int64(columns.codes[rows[i], attribute])
        if code < width:
            counting.keys[size] = (code << INDEX_BITS) | (i - first)
            size += 1
    _sort(counting.keys, size, counting.other_keys, counting.buckets, width - 1)
    for e in range(size):
        i = first + (counting.keys[e] & INDEX_MASK)
        entries.code[e] = counting.keys[e] >> INDEX_BITS
        entries.decision[e] = columns.decisions[rows[i]]
        entries.weight[e] = share[i]
    return size


@inner
def _count_cells(columns, rows, share, first, end, counted, counting):
    """Add the weights of a run of rows to the cells of all `counted` attributes, in one pass over the rows."""
    classes = columns.classes
    for i in range(first, end):
        row, weight = rows[i], share[i]
        decision = columns.decisions[row]
        for j in range(counted):
            code = np.int64(columns.codes[row, counting.counted[j]])
            cell = counting.first_cell[j] + code * classes + decision
            counting.cells[cell] += weight


@inner
def count_codes(columns, used, rows, share, first, end, counting):
    """Count the rows of a run by code and class, for all attributes with few codes that are not `used`.

    Returns the number of these attributes. The cells of an attribute end with those of missing values.
    """
    most, counted, cell = min(4 * (end - first) + 64, MOST_CELLS), 0, 0
    for attribute in range(len(columns.width)):
        cells = (columns.width[attribute] + 1) * columns.classes
        if cells <= most and cell + cells <= len(counting.cells) and not used[attribute]:
            counting.counted[counted], counting.first_cell[counted] = attribute, cell
            counted += 1
            cell += cells
    _count_cells(columns, rows, share, first, end, counted, counting)
    return counted


@inner
def counted_entries(columns, attribute, first_cell, cells, entries):
    """Write the entries of a counted attribute, and set its cells to 0; return the number of entries."""
    size, cell = 0, first_cell
    for code in range(columns.width[attribute]):
        for decision in range(columns.classes):
            weight = cells[cell]
            if weight > 0.0:
                entries.code[size], entries.decision[size], entries.weight[size] = code, decision, weight
                size += 1
                cells[cell] = 0.0
            cell += 1
    for missing in range(cell, cell + columns.classes):
        cells[missing] = 0.0
    return size
