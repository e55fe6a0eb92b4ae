"""The rows of a node by attribute: entries (code, class, weight) in increasing order of code.

Rows are counted if the attribute has few codes for the number of rows, and sorted if it has many. Either way the work
is linear in the rows.
"""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import allocating, inner, of_words
from algorithms.induction.c45.shares import EPSILON

__all__ = [
    "LOG_2",
    "Counting",
    "Entries",
    "count_codes",
    "counted_entries",
    "room_for_counting",
    "room_for_entries",
    "sorted_entries",
    "x_log_x",
]

LOG_2 = 0.6931471805599453
LOGARITHMS = 1 << 20  # of the first whole numbers are kept
MOST_CELLS = 1 << 16  # codes times classes of an attribute that may be counted rather than sorted
ALL_CELLS = 1 << 22  # of all attributes
FEW_ROWS = 48  # are sorted by insertion


class Entries(NamedTuple):
    """The weights of an attribute's codes and classes at a node, in increasing order of code; a code may repeat."""

    code: Any  # of each entry
    decision: Any  # of each entry
    weight: Any  # of each entry
    known: Any  # (classes,): their sum per class
    left: Any  # (classes,): of it, what has been moved to the left
    known_log: Any  # (classes,): x log2 x of `known`
    left_log: Any  # (classes,): x log2 x of `left`
    right_log: Any  # (classes,): x log2 x of what is not on the left
    log: Any  # x log2 x of the first whole numbers


class Counting(NamedTuple):
    """Scratch for a node: counts of codes and classes (0 between nodes), sort keys, buckets."""

    cells: Any
    first_cell: Any
    counted: Any
    keys: Any
    other_keys: Any
    buckets: Any


@of_words
def x_log_x(x, table):
    """The value x log2 x; from the table if x is an integer in it."""
    whole = np.int64(x)
    if whole == x and whole < len(table):
        return table[whole]
    return 0.0 if x < EPSILON else x * log(x) / LOG_2


@allocating
def logarithms(rows):
    """The table of x log2 x for whole numbers up to `rows`, or the first of them."""
    table = np.zeros(min(rows, LOGARITHMS) + 1)
    for whole in range(2, len(table)):
        table[whole] = x_log_x(np.float64(whole), table[:0])
    return table


@allocating
def room_for_entries(columns, rows):
    """Buffers for the entries of nodes of up to `rows` rows."""
    size = max(rows, MOST_CELLS)
    return Entries(
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.empty(size),
        np.zeros(columns.classes),
        np.zeros(columns.classes),
        np.zeros(columns.classes),
        np.zeros(columns.classes),
        np.zeros(columns.classes),
        logarithms(rows),
    )


@allocating
def room_for_counting(columns, rows):
    """Buffers to count nodes of up to `rows` rows."""
    cells = 0
    for width in columns.width:
        if (width + 1) * columns.classes <= MOST_CELLS:
            cells += (width + 1) * columns.classes
    attributes = len(columns.width)
    return Counting(
        np.zeros(min(cells, ALL_CELLS)),
        np.zeros(attributes, np.int64),
        np.zeros(attributes, np.int64),
        np.empty(rows, np.int64),
        np.empty(rows, np.int64),
        np.zeros(2050, np.int64),
    )


@inner
def _sort(keys, size, other, buckets, highest):
    """Sort keys by their upper halves, at most `highest`, stably, in time linear in `size`."""
    if size <= FEW_ROWS:
        for i in range(1, size):
            key, j = keys[i], i
            while j > 0 and keys[j - 1] > key:
                keys[j] = keys[j - 1]
                j -= 1
            keys[j] = key
        return
    bits = 8 if size < (1 << 12) else 11
    mask = (1 << bits) - 1
    from_keys, to_keys, shift = keys, other, 32
    while (highest >> (shift - 32)) > 0:
        buckets[: mask + 2] = 0
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
    width, size = np.int64(columns.width[attribute]), 0
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
    """Count codes and classes of the attributes `counted`, all in one pass over the rows."""
    classes = columns.classes
    for i in range(first, end):
        row, weight = rows[i], share[i]
        decision = columns.decisions[row]
        for j in range(len(counted)):
            cell = counting.first_cell[j] + np.int64(columns.codes[row, counted[j]]) * classes + decision
            counting.cells[cell] += weight


@inner
def count_codes(columns, used, rows, share, first, end, counting):
    """Count the codes and classes of a run of rows for the attributes with few codes that are not `used`.

    Returns the number of these attributes; `counting` holds their counts.
    """
    most, counted, cell = min(4 * (end - first) + 64, MOST_CELLS), 0, 0
    for attribute in range(len(columns.width)):
        cells = (columns.width[attribute] + 1) * columns.classes
        if cells <= most and cell + cells <= len(counting.cells) and not used[attribute]:
            counting.counted[counted], counting.first_cell[counted] = attribute, cell
            counted += 1
            cell += cells
    _count_cells(columns, rows, share, first, end, counting.counted[:counted], counting)
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
    cells[cell : cell + columns.classes] = 0.0
    return size
