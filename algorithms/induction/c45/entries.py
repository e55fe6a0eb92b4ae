"""The rows of a node by attribute: entries (code, class, weight) in increasing order of code.

Rows are counted if the attribute has few codes for the number of rows, and sorted if it has many. Either way the work
is linear in the rows.
"""

from math import log
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import inner, of_words
from algorithms._numba.sorting import sort
from algorithms.induction.c45.shares import EPSILON, START
from algorithms.kernel_arrays import array

LOG_2 = 0.6931471805599453
LOGARITHMS = 1 << 20  # of the first whole numbers are kept
MOST_CELLS = 1 << 16  # codes times classes of an attribute that may be counted rather than sorted
ALL_CELLS = 1 << 22  # of all attributes
FEW_ROWS = 48  # are sorted by comparisons


class Entries(NamedTuple):
    """The weights of an attribute's codes and classes at a node, in increasing order of code; a code may repeat."""

    code: Any = array("entries", np.int32)  # of each entry
    decision: Any = array("entries", np.int32)  # of each entry
    weight: Any = array("entries", np.float64)  # of each entry
    known: Any = array("classes", np.float64)  # their sum per class
    left: Any = array("classes", np.float64)  # the part of it that has been moved to the left
    known_log: Any = array("classes", np.float64)  # x log2 x of `known`
    left_log: Any = array("classes", np.float64)  # x log2 x of `left`
    right_log: Any = array("classes", np.float64)  # x log2 x of `known` less `left`
    log: Any = array("logarithms", np.float64)  # x log2 x of the first whole numbers


class Counting(NamedTuple):
    """Scratch for a node: counts of codes and classes (0 between nodes), sort keys, buckets."""

    cells: Any = array("cells", np.float64)
    first_cell: Any = array("attributes")
    counted: Any = array("attributes")
    keys: Any = array("rows")
    other_keys: Any = array("rows")
    buckets: Any = array("2050")


@of_words
def x_log_x(x, table):
    """The value x log2 x; from the table if x is an integer in it."""
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
    """Sort keys by their upper halves, at most `highest`, stably, in time linear in `size`."""
    if size <= FEW_ROWS:
        sort(keys[:size])
        return
    bits = 8 if size < (1 << 12) else 11
    mask = (1 << bits) - 1
    from_keys, to_keys, shift = keys, other, 32
    while (highest >> (shift - 32)) > 0:
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
    if (shift - 32) // bits % 2 == 1:
        copy_into(other[:size], keys)


@inner
def sorted_entries(columns, attribute, rows, share, first, end, counting, entries):
    """Entries of an attribute by sorting; how many there are."""
    width, size = columns.width[attribute], START
    for i in range(first, end):
        code = np.int64(columns.codes[rows[i], attribute])
        if code < width:
            counting.keys[size] = (code << 32) | (i - first)
            size += 1
    _sort(counting.keys, size, counting.other_keys, counting.buckets, width - 1)
    for e in range(size):
        i = first + (counting.keys[e] & 0xFFFFFFFF)
        entries.code[e] = counting.keys[e] >> 32
        entries.decision[e] = columns.decisions[rows[i]]
        entries.weight[e] = share[i]
    return size


@inner
def _count_cells(columns, rows, share, first, end, counted, counting):
    """Count codes and classes of the first `counted` attributes to count, all in one pass over the rows."""
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
    """Count the codes and classes of a run of rows for the attributes with few codes that are not `used`.

    Returns the number of these attributes; `counting` holds their counts.
    """
    most, counted, cell = min(4 * (end - first) + 64, MOST_CELLS), START, START
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
    """Entries of a counted attribute; its cells become 0 again."""
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
