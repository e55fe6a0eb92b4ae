"""Columns of two values as bits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import OPTIONS, compiled, inner, outer, part
from algorithms._numba.primitives import by_reference, popcount
from algorithms.kernel_arrays import array
from algorithms.splitmix import mixed_word

NONE = np.int64(-1)
ZERO, FULL = np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)


class Lay(NamedTuple):
    """Where rows are as bits, by class and weight, each such segment from a new word on.

    There may be fewer segments than the arrays can hold.
    """

    order: Any = array("rows")  # the rows by their bits
    segment: Any = array("rows")  # of each in that order
    bit: Any = array("rows")  # of each in that order
    start: Any = array("segments+1")  # the words of each segment
    decision: Any = array("segments")
    class_of: Any = array("segments")  # the index of its class among those of the rows
    weight: Any = array("segments", np.float64)


@outer
def lay_rows(by_weight, decisions, weights, free, lay):
    """Write where the rows are as bits, given the rows by weight and `free` (classes + 1,) zeros: how many segments."""
    order, segment, bit, start = lay.order, lay.segment, lay.bit, lay.start
    for row in range(len(by_weight)):
        free[decisions[row] + 1] += 1
    for c in range(len(free) - 1):
        free[c + 1] += free[c]
    for row in by_weight:
        order[free[decisions[row]]] = row
        free[decisions[row]] += 1
    segments = there = at = 0
    for k in range(len(order)):
        row = order[k]
        other = k == 0 or decisions[row] != decisions[order[k - 1]]
        if other or weights[row] != weights[order[k - 1]]:
            there += other
            at = (at + 63) // 64 * 64
            start[segments] = at // 64
            lay.decision[segments], lay.weight[segments] = decisions[row], weights[row]
            lay.class_of[segments] = there - 1
            segments += 1
        segment[k], bit[k] = segments - 1, at
        at += 1
    start[segments] = (at + 63) // 64
    return segments


class Bits(NamedTuple):
    """The bits of some columns, and buffers to find them."""

    words: Any = array("columns+1 words", np.uint64)  # whether a row has the greater value; last, whether it is a row
    values: Any = array("columns 2", np.float64)  # the lesser and the greater
    kept: Any = array("columns", np.int32)  # which columns they are
    forced: Any = array("words", np.uint64)  # the rows that every tree gets wrong
    ends: Any = array("2 columns", "cell")
    marks: Any = array("2 columns", np.uint64)
    of_class: Any = array("classes", np.float64)
    keys: Any = array("rows", np.uint64)
    group: Any = array("rows")
    ordered: Any = array("rows")
    first: Any = array("rows+2")
    slots: Any = array("slots")  # of a hash table; a power of two


@compiled(**OPTIONS, no_cpython_wrapper=True, fastmath={"nnan", "nsz"})  # least and greatest are found in vectors
def _write_columns(cells, order, bit, words, values, ends, marks, keys):
    """Set the bits of the rows that have the greater of a column's two values; whether no column has more than two."""
    rows, columns = cells.shape
    low, high, mark, ones = ends[0], ends[1], marks[0], marks[1]
    for column in range(columns):
        low[column] = high[column] = cells[0, column]
    for row in range(1, rows):
        for column in range(columns):
            low[column] = min(low[column], cells[row, column])
            high[column] = max(high[column], cells[row, column])
    for column in range(columns):
        mark[column], ones[column] = mixed_word(np.uint64(column + 1)), 0
        values[column, 0], values[column, 1] = low[column], high[column]
    others = False
    for k in range(rows):
        row, index, key = order[k], np.uint64(bit[k] & 63), np.uint64(0)
        for column in range(columns):
            greater = cells[row, column] == high[column]
            others |= (not greater) & (cells[row, column] != low[column])
            ones[column] |= np.uint64(greater) << index
            key += mark[column] * np.uint64(greater)
        keys[k] = key
        if k == rows - 1 or bit[k + 1] >> 6 != bit[k] >> 6:
            if others:
                return False
            for column in range(columns):
                words[column, bit[k] >> 6] = ones[column]
                ones[column] = 0
    return True


@part
def _keep_different(words, rows, values, kept, slots):
    """Keep the columns that have two values, and part the rows otherwise than all before them: how many."""
    number, last = 0, len(slots) - 1
    for at in range(len(slots)):
        slots[at] = NONE
    for column in range(len(values)):
        if values[column, 0] == values[column, 1]:
            continue
        turned, key = words[column, 0] & np.uint64(1), np.uint64(0)  # so that the first row is always 0
        for w in range(len(rows)):
            key = mixed_word(key ^ (words[column, w] ^ (rows[w] * turned)))
        at = np.int64(key) & last
        while slots[at] >= 0 and not _alike(words, rows, column, slots[at]):
            at = (at + 1) & last
        if slots[at] < 0:
            slots[at], kept[number] = number, column
            values[number, 0], values[number, 1] = values[column, 0], values[column, 1]
            for w in range(len(rows)):
                words[number, w] = words[column, w]
            number += 1
    for w in range(len(rows)):
        words[number, w] = rows[w]
    return number


@part
def _alike(words, rows, first, second):
    """Whether two columns are equal or each other's complement among the rows."""
    turned, different = (words[first, 0] ^ words[second, 0]) & np.uint64(1), np.uint64(0)
    for w in range(len(rows)):
        different |= words[first, w] ^ words[second, w] ^ (rows[w] * turned)
    return different == 0


@part
def _group_by_key(keys, group, ordered, first, slots):
    """Order the rows by their keys, and write where those of each key begin; return the number of keys."""
    rows, number, last = len(keys), 0, len(slots) - 1
    for at in range(len(slots)):
        slots[at] = NONE
    first[0] = first[1] = 0
    for row in range(rows):
        at = np.int64(mixed_word(keys[row])) & last
        while slots[at] >= 0 and keys[slots[at]] != keys[row]:
            at = (at + 1) & last
        if slots[at] < 0:
            slots[at], group[row] = row, number
            number += 1
            first[number + 1] = 0
        else:
            group[row] = group[slots[at]]
        first[group[row] + 1] += 1
    for k in range(number):
        first[k + 1] += first[k]
    for row in range(rows - 1, -1, -1):
        first[group[row] + 1] -= 1
        ordered[first[group[row] + 1]] = row
    first[number + 1] = rows
    return number


@part
def _force(lay, bits):
    """Set the bits of the rows that are not of the weightiest class of those with their key, or the first of equals."""
    of_class, ordered, first = bits.of_class, bits.ordered, bits.first
    for k in range(1, _group_by_key(bits.keys, bits.group, ordered, first, bits.slots) + 1):
        if first[k + 1] - first[k] == 1:
            continue
        of_class[:] = 0
        for index in range(first[k], first[k + 1]):
            segment = lay.segment[ordered[index]]
            of_class[lay.class_of[segment]] += lay.weight[segment]
        right = 0
        for c in range(len(of_class)):
            if of_class[c] > of_class[right]:
                right = c
        for index in range(first[k], first[k + 1]):
            row = ordered[index]
            if lay.class_of[lay.segment[row]] != right:
                bits.forced[lay.bit[row] >> 6] |= np.uint64(1) << np.uint64(lay.bit[row] & 63)


@outer
def write_bits(cells, lay, bits):
    """Write the bits of the rows of some cells (rows, columns): how many columns are kept; NONE if one has more values.

    Constant columns are left out, and those that part the rows as one before them does.
    """
    lay, bits = by_reference(lay), by_reference(bits)
    if not _write_columns(cells, lay.order, lay.bit, bits.words, bits.values, bits.ends, bits.marks, bits.keys):
        return NONE
    rows = bits.words[len(bits.values)]
    for w in range(len(rows)):
        rows[w] = 0
    for k in range(len(lay.order)):
        rows[lay.bit[k] >> 6] |= np.uint64(1) << np.uint64(lay.bit[k] & 63)
    _force(lay, bits)
    return _keep_different(bits.words, rows, bits.values, bits.kept, bits.slots)


@outer
def best_splits_below(columns, start, class_of, weight, mask, column, fewest, scratch, split):
    """Write the best split of the rows of `mask` that have the lesser value in a column, and of those with the greater.

    Of each, `split` (2, 4) has the first column with the fewest errors when both its sides are leaves of so many rows,
    -1 if none; the errors; those of a leaf; and how many rows there are. `scratch` (2, classes) is to work in.

    The rows are those of `algorithms.optimal.binary.row_bits.RowBits`.
    """
    for side in range(2):
        flip = FULL if side == 0 else ZERO
        rows = _count_side(columns, start, class_of, weight, mask, column, flip, len(columns) - 1, scratch[0])
        total, most = 0.0, 0.0
        for c in range(scratch.shape[1]):
            total += scratch[0, c]
            most = max(most, scratch[0, c])
        best, fewest_errors = -1, np.inf
        for tested in range(len(columns) - 1):
            ones = _count_side(columns, start, class_of, weight, mask, column, flip, tested, scratch[1])
            if ones < fewest or rows - ones < fewest:
                continue
            one, zero = 0.0, 0.0
            for c in range(scratch.shape[1]):
                one = max(one, scratch[1, c])
                zero = max(zero, scratch[0, c] - scratch[1, c])
            if total - one - zero < fewest_errors:
                best, fewest_errors = tested, total - one - zero
        split[side, 0], split[side, 1], split[side, 2], split[side, 3] = best, fewest_errors, total - most, rows


@inner
def _count_side(columns, start, class_of, weight, mask, column, flip, tested, of_class):
    """Write the weights by class of the rows of a side that are in a column, `tested`; returns how many they are."""
    rows = 0
    of_class[:] = 0
    for s in range(len(class_of)):
        there = 0
        for w in range(start[s], start[s + 1]):
            there += np.int64(popcount(mask[w] & (columns[column, w] ^ flip) & columns[tested, w]))
        of_class[class_of[s]] += there * weight[s]
        rows += there
    return rows


@outer
def write_counts(columns, start, decision, weight, column, edges, edge_to, masks, counts):
    """Add to `counts` (nodes, decisions) the weight of the rows at the nodes of a tree, a parent before its children.

    column (nodes,) : the column that a node tests; first of its two edges is that of the lesser value
    edges (nodes + 1,), edge_to (edges,) : as of a `DecisionTree`; masks (nodes, words) : the first has all rows
    """
    for node in range(len(counts)):
        for s in range(len(decision)):
            rows = 0
            for w in range(start[s], start[s + 1]):
                rows += np.int64(popcount(masks[node, w]))
            counts[node, decision[s]] += rows * weight[s]
        if edges[node] < edges[node + 1]:
            lesser, greater = edge_to[edges[node]], edge_to[edges[node] + 1]
            for w in range(masks.shape[1]):
                masks[lesser, w] = masks[node, w] & ~columns[column[node], w]
                masks[greater, w] = masks[node, w] & columns[column[node], w]
