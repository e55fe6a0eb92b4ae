"""Growth of a C4.5 tree, unpruned, by the rules of Weka's J48; the nodes as they are found, each after its parent."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from algorithms.kernels.c45_rows import EPSILON, TestKind, count, room, room_for_parts, room_on_stack, spread
from algorithms.kernels.c45_splits import Entries, Split, best_bound, best_code, every_code, x_log_x

__all__ = ["Nodes", "add_leaf", "grow", "largest_class"]

LOGARITHMS = 1 << 16  # of the first whole numbers are kept
MOST_CELLS = 1 << 16  # codes times classes of an attribute that may be counted rather than sorted
FEW_ROWS = 48  # are sorted by insertion
GUARD = 1e-3  # how far below the average gain a test may be


class Nodes(NamedTuple):
    """Nodes of a tree, children in increasing order of the code that leads to them.

    attribute   (nodes,): -1 at a leaf
    split       (nodes,): the code that the test compares with
    code        (nodes,): the branch by which the node is reached
    first_child, next_sibling (nodes,): -1 where there is none
    counts      (nodes, classes): weight of each class
    """

    attribute: Any
    split: Any
    code: Any
    first_child: Any
    next_sibling: Any
    counts: Any


class _Scratch(NamedTuple):
    """Room that a node needs: counts of codes and classes (0 between nodes), keys to sort, buckets."""

    cells: Any
    first_cell: Any
    counted: Any
    keys: Any
    other_keys: Any
    buckets: Any


@njit(nogil=True, cache=True)
def _logarithms(rows):
    table = np.zeros(min(rows, LOGARITHMS) + 1)
    for whole in range(2, len(table)):
        table[whole] = x_log_x(np.float64(whole), table[:0])
    return table


@njit(nogil=True, cache=True)
def largest_class(counts):
    """(the largest weight of a class, the sum of them all); a class is larger if it is by more than EPSILON."""
    total, largest = 0.0, 0.0
    for weight in counts:
        total += weight
        if weight - largest > EPSILON:
            largest = weight
    return largest, total


@njit(nogil=True, cache=True)
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
        keys[:size] = other[:size]


@njit(nogil=True, cache=True)
def _sorted_entries(columns, attribute, rows, share, first, end, scratch, entries):
    """Entries of an attribute by sorting; how many there are."""
    width, size = np.int64(columns.width[attribute]), 0
    for i in range(first, end):
        code = np.int64(columns.codes[rows[i], attribute])
        if code < width:
            scratch.keys[size] = (code << 32) | (i - first)
            size += 1
    _sort(scratch.keys, size, scratch.other_keys, scratch.buckets, width - 1)
    for e in range(size):
        i = first + (scratch.keys[e] & 0xFFFFFFFF)
        entries.code[e] = scratch.keys[e] >> 32
        entries.decision[e] = columns.decisions[rows[i]]
        entries.weight[e] = share[i]
    return size


@njit(nogil=True, cache=True)
def _count_cells(columns, rows, share, first, end, counted, scratch):
    """Count codes and classes of the attributes `counted`, all in one pass over the rows."""
    classes = columns.classes
    for i in range(first, end):
        row, weight = rows[i], share[i]
        decision = columns.decisions[row]
        for j in range(len(counted)):
            cell = scratch.first_cell[j] + np.int64(columns.codes[row, counted[j]]) * classes + decision
            scratch.cells[cell] += weight


@njit(nogil=True, cache=True)
def _counted_entries(columns, attribute, first_cell, cells, entries):
    """Entries of an attribute that was counted; its cells become 0 again."""
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


@njit(nogil=True, cache=True)
def _evaluate(columns, attribute, entries, size, total, min_rows):
    kind = columns.kind[attribute]
    if kind == TestKind.BOUND:
        begin = columns.first_value[attribute]
        values = columns.value[begin : begin + columns.width[attribute]]
        return best_bound(entries, size, total, min_rows, values)
    if kind == TestKind.ONE_CODE:
        return best_code(entries, size, total, min_rows)
    return every_code(entries, size, total, min_rows)


@njit(nogil=True, cache=True)
def _select(columns, used, rows, share, first, end, total, min_rows, scratch, entries, splits):
    """The attribute of largest gain ratio among the tests of at least average gain, or -1; none that is `used`."""
    attributes = len(columns.width)
    most, counted, cell = min(4 * (end - first) + 64, MOST_CELLS), 0, 0
    for attribute in range(attributes):
        cells = (columns.width[attribute] + 1) * columns.classes
        if cells <= most and not used[attribute]:
            scratch.counted[counted], scratch.first_cell[counted] = attribute, cell
            counted += 1
            cell += cells
    _count_cells(columns, rows, share, first, end, scratch.counted[:counted], scratch)
    sum_of_gains, valid, next_counted = 0.0, 0, 0
    for attribute in range(attributes):
        if used[attribute]:
            splits.valid[attribute] = False
            continue
        if next_counted < counted and scratch.counted[next_counted] == attribute:
            size = _counted_entries(columns, attribute, scratch.first_cell[next_counted], scratch.cells, entries)
            next_counted += 1
        else:
            size = _sorted_entries(columns, attribute, rows, share, first, end, scratch, entries)
        split = _evaluate(columns, attribute, entries, size, total, min_rows)
        splits.valid[attribute], splits.code[attribute], splits.middle[attribute] = (
            split.valid,
            split.code,
            split.middle,
        )
        splits.gain[attribute], splits.ratio[attribute] = split.gain, split.ratio
        if split.valid and columns.averaged[attribute]:
            sum_of_gains += split.gain
            valid += 1
    best, best_ratio = -1, 0.0
    if valid > 0:
        least = sum_of_gains / valid - GUARD
        for attribute in range(attributes):
            allowed = splits.valid[attribute] and splits.gain[attribute] >= least
            if allowed and splits.ratio[attribute] - best_ratio > EPSILON:
                best, best_ratio = attribute, splits.ratio[attribute]
    return best


@njit(nogil=True, cache=True)
def _bound(columns, attribute, middle):
    """The code of the largest number that J48 sends down the lower branch, for a gap with that middle.

    J48 goes through all rows for the largest number up to the middle, and keeps one that is larger than the one it has
    by more than EPSILON: so of numbers closer than that the first row decides. And it lets EPSILON pass in its test.
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
        for place in np.argsort(first_row[lowest : last + 1]):
            if value[lowest + place] - kept > EPSILON:
                kept = value[lowest + place]
    while last + 1 < width and value[last + 1] - kept < EPSILON:
        last += 1
    return last


@njit(nogil=True, cache=True)
def _scratch(columns, rows):
    cells = 0
    for width in columns.width:
        if (width + 1) * columns.classes <= MOST_CELLS:
            cells += (width + 1) * columns.classes
    attributes = len(columns.width)
    return _Scratch(
        np.zeros(cells),
        np.zeros(attributes, np.int64),
        np.zeros(attributes, np.int64),
        np.empty(rows, np.int64),
        np.empty(rows, np.int64),
        np.zeros(2050, np.int64),
    )


@njit(nogil=True, cache=True)
def _room_for_node(nodes, needed):
    if needed <= len(nodes.attribute):
        return nodes
    counts = np.zeros((2 * needed, nodes.counts.shape[1]))
    counts[: len(nodes.counts)] = nodes.counts
    return Nodes(
        room(nodes.attribute, 2 * needed),
        room(nodes.split, 2 * needed),
        room(nodes.code, 2 * needed),
        room(nodes.first_child, 2 * needed),
        room(nodes.next_sibling, 2 * needed),
        counts,
    )


@njit(nogil=True, cache=True)
def add_leaf(nodes, number, code):
    """The nodes with one more, number `number`, a leaf without rows."""
    nodes = _room_for_node(nodes, number + 1)
    nodes.attribute[number] = nodes.split[number] = nodes.first_child[number] = nodes.next_sibling[number] = -1
    nodes.code[number] = code
    nodes.counts[number] = 0.0
    return nodes


@njit(nogil=True, cache=True)
def no_nodes(classes):
    """Room for a few nodes."""
    numbers = np.zeros((5, 16), np.int64)
    return Nodes(
        numbers[0].copy(),
        numbers[1].copy(),
        numbers[2].copy(),
        numbers[3].copy(),
        numbers[4].copy(),
        np.zeros((16, classes)),
    )


@njit(nogil=True, cache=True)
def grow(columns, weights, min_rows):
    """(nodes, their number) of the unpruned tree for all rows, of positive weight each."""
    n, attributes, classes = len(weights), len(columns.width), columns.classes
    rows, share = np.arange(n).astype(np.int32), weights.copy()
    scratch = _scratch(columns, n)
    parts = room_for_parts(columns, n)
    size = max(n, MOST_CELLS)
    entries = Entries(
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.empty(size),
        np.zeros(classes),
        np.zeros(classes),
        _logarithms(n),
    )
    splits = Split(
        np.zeros(attributes, np.bool_),
        np.zeros(attributes),
        np.zeros(attributes),
        np.zeros(attributes, np.int64),
        np.zeros(attributes),
    )
    nodes = add_leaf(no_nodes(classes), 0, 0)
    number, waiting = 1, 1
    # Nodes that wait, each with the run of its rows and its depth; the last has the topmost run, so that it may grow.
    stack = np.zeros((16, 4), np.int64)
    stack[0] = (0, 0, n, 0)
    # The attributes that the nodes above ask; after a test of every code none is left to tell rows apart.
    path, depth, used = np.zeros(16, np.int64), 0, np.zeros(attributes, np.bool_)
    while waiting > 0:
        waiting -= 1
        node, first, end, above = stack[waiting]
        while depth > above:
            depth -= 1
            used[path[depth]] = False
        count(columns, rows, share, first, end, nodes.counts[node])
        largest, total = largest_class(nodes.counts[node])
        if total < 2 * min_rows - EPSILON or abs(total - largest) < EPSILON:
            continue
        attribute = _select(columns, used, rows, share, first, end, total, min_rows, scratch, entries, splits)
        if attribute < 0:
            continue
        split = splits.code[attribute]
        if columns.kind[attribute] == TestKind.BOUND:
            split = _bound(columns, attribute, splits.middle[attribute])
        rows, share, branches, begin = spread(columns, attribute, split, rows, share, first, end, first, parts)
        nodes.attribute[node], nodes.split[node], nodes.first_child[node] = attribute, split, number
        path = room(path, depth + 1)
        path[depth] = attribute
        used[attribute] = columns.kind[attribute] == TestKind.EVERY_CODE
        depth += 1
        stack = room_on_stack(stack, waiting + branches)
        for j in range(branches):
            nodes = add_leaf(nodes, number, parts.code[j])
            if j > 0:
                nodes.next_sibling[number - 1] = number
            stack[waiting] = (number, begin, parts.end[j], depth)
            begin = parts.end[j]
            number += 1
            waiting += 1
    return nodes, number
