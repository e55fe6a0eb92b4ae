"""Columns of two values as bits."""

from __future__ import annotations

import numpy as np
from numba import njit

from algorithms.kernels.alike import mixed_word, places_for
from algorithms.kernels.bits import popcount
from algorithms.kernels.inner import allocating, inner, outer

__all__ = ["best_splits_below", "rows_as_bits", "write_counts"]

ZERO, FULL = np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)


@allocating
def _laid_out(by_weight, decisions, weights, classes):
    """Rows by class and weight, each such segment from a new word on; given are the rows by weight, how many classes.

    Returns the rows in that order, and the segment and the bit of each (rows,); the words of each segment
    (segments + 1,), its class (segments,), the same of those that there are, and weight (segments,); and which bits are
    rows.
    """
    rows = len(by_weight)
    free, order = np.zeros(classes + 1, np.int64), np.empty(rows, np.int64)
    for row in range(rows):
        free[decisions[row] + 1] += 1
    for c in range(classes):
        free[c + 1] += free[c]
    for row in by_weight:
        order[free[decisions[row]]] = row
        free[decisions[row]] += 1
    start, decision, weight = np.empty(rows + 1, np.int64), np.empty(rows, np.int64), np.empty(rows)
    class_of = np.empty(rows, np.int64)
    segment, bit = np.empty(rows, np.int64), np.empty(rows, np.int64)
    segments = there = at = 0
    for k in range(rows):
        row = order[k]
        other = k == 0 or decisions[row] != decisions[order[k - 1]]
        if other or weights[row] != weights[order[k - 1]]:
            there += other
            at = (at + 63) // 64 * 64
            start[segments], decision[segments], weight[segments] = at // 64, decisions[row], weights[row]
            class_of[segments] = there - 1
            segments += 1
        segment[k], bit[k] = segments - 1, at
        at += 1
    start[segments] = (at + 63) // 64
    are_rows = np.zeros(start[segments], np.uint64)
    for k in range(rows):
        are_rows[bit[k] >> 6] |= np.uint64(1) << np.uint64(bit[k] & 63)
    of = slice(0, segments)
    return order, segment, bit, start[: segments + 1], decision[of], class_of[of], weight[of], are_rows


@njit(nogil=True, cache=True, fastmath={"nnan", "nsz"})  # so that least and greatest are found in vectors
def _write_bits(cells, order, bit, words, keys, values):
    """Set the bits of the rows that have the greater of a column's two values; whether no column has more than two.

    cells (rows, columns); order (rows,) : the rows by their bits; bit (rows,) : of each in that order
    words (columns or more, words), values (columns, 2) : the bits of the columns, and their values, the lesser first
    keys (rows,) : a hash of the values of each row in that order
    """
    rows, columns = cells.shape
    low, high = np.empty(columns, cells.dtype), np.empty(columns, cells.dtype)
    low[:], high[:] = cells[0], cells[0]
    for row in range(1, rows):
        for column in range(columns):
            low[column] = min(low[column], cells[row, column])
            high[column] = max(high[column], cells[row, column])
    mark, ones = np.empty(columns, np.uint64), np.zeros(columns, np.uint64)
    for column in range(columns):
        mark[column] = mixed_word(np.uint64(column + 1))
        values[column, 0], values[column, 1] = low[column], high[column]
    others = False
    for k in range(rows):
        row, place, key = order[k], np.uint64(bit[k] & 63), np.uint64(0)
        for column in range(columns):
            greater = cells[row, column] == high[column]
            others |= (not greater) & (cells[row, column] != low[column])
            ones[column] |= np.uint64(greater) << place
            key += mark[column] * np.uint64(greater)
        keys[k] = key
        if k == rows - 1 or bit[k + 1] >> 6 != bit[k] >> 6:
            if others:
                return False
            for column in range(columns):
                words[column, bit[k] >> 6] = ones[column]
                ones[column] = 0
    return True


@allocating
def _different(words, rows, values):
    """The columns that have two values, and part the rows otherwise than all before them."""
    places = np.full(places_for(len(values)), -1, np.int64)
    kept, number = np.empty(len(values), np.int32), 0
    for column in range(len(values)):
        if values[column, 0] == values[column, 1]:
            continue
        turned, key = words[column, 0] & np.uint64(1), np.uint64(0)  # so that the first row is always 0
        for w in range(words.shape[1]):
            key = mixed_word(key ^ (words[column, w] ^ (rows[w] * turned)))
        at = np.int64(key) & (len(places) - 1)
        while places[at] >= 0 and not _alike(words, rows, column, places[at]):
            at = (at + 1) & (len(places) - 1)
        if places[at] < 0:
            places[at] = column
            kept[number] = column
            number += 1
    return kept[:number]


@inner
def _alike(words, rows, one, other):
    """Whether two columns are equal or each other's complement among the rows."""
    turned, different = (words[one, 0] ^ words[other, 0]) & np.uint64(1), np.uint64(0)
    for w in range(words.shape[1]):
        different |= words[one, w] ^ words[other, w] ^ (rows[w] * turned)
    return different == 0


@allocating
def _by_key(keys):
    """The rows (rows,) side by side by their keys, and where those of each key begin (keys + 1,)."""
    rows = len(keys)
    places = np.full(places_for(rows), -1, np.int64)
    group, first, number = np.empty(rows, np.int64), np.zeros(rows + 2, np.int64), 0
    for row in range(rows):
        at = np.int64(mixed_word(keys[row])) & (len(places) - 1)
        while places[at] >= 0 and keys[places[at]] != keys[row]:
            at = (at + 1) & (len(places) - 1)
        if places[at] < 0:
            places[at] = row
            group[row] = number
            number += 1
        else:
            group[row] = group[places[at]]
        first[group[row] + 1] += 1
    for k in range(number):
        first[k + 1] += first[k]
    ordered = np.empty(rows, np.int64)
    for row in range(rows - 1, -1, -1):
        first[group[row] + 1] -= 1
        ordered[first[group[row] + 1]] = row
    first[number + 1] = rows
    return ordered, first[1 : number + 2]


@allocating
def _forced_bits(keys, segment, class_of, weight, classes, bit, words):
    """(words,) the rows that are not of the weightiest class among those with their key, the first of equal ones.

    keys, segment, bit : of each row
    """
    forced = np.zeros(words, np.uint64)
    ordered, first = _by_key(keys)
    of_class = np.zeros(classes)
    for k in range(len(first) - 1):
        if first[k + 1] - first[k] == 1:
            continue
        same = ordered[first[k] : first[k + 1]]
        of_class[:] = 0
        for row in same:
            of_class[class_of[segment[row]]] += weight[segment[row]]
        right = 0
        for c in range(classes):
            if of_class[c] > of_class[right]:
                right = c
        for row in same:
            if class_of[segment[row]] != right:
                forced[bit[row] >> 6] |= np.uint64(1) << np.uint64(bit[row] & 63)
    return forced


@njit(nogil=True, cache=True)
def rows_as_bits(cells, by_weight, decisions, weights, classes):
    """The rows of some cells (rows, columns) as bits; given are the rows by weight, and the number of classes.

    Returns whether no column has more than two values; if so, of `algorithms.optimal.binary.row_bits.RowBits`: its
    columns, which of the cells' they are, their values, `start`, `decision`, `class_of`, `weight` and `forced`.
    """
    order, segment, bit, start, decision, class_of, weight, rows = _laid_out(by_weight, decisions, weights, classes)
    words = np.empty((cells.shape[1] + 1, len(rows)), np.uint64)
    keys, values = np.empty(len(order), np.uint64), np.empty((cells.shape[1], 2))
    told = _write_bits(cells, order, bit, words, keys, values)
    if not told:
        keys = keys[:0]
    kept = _different(words, rows, values) if told else np.empty(0, np.int32)
    for k in range(len(kept)):
        values[k, 0], values[k, 1] = values[kept[k], 0], values[kept[k], 1]
        for w in range(len(rows)):
            words[k, w] = words[kept[k], w]
    for w in range(len(rows)):
        words[len(kept), w] = rows[w]
    forced = _forced_bits(keys, segment, class_of, weight, classes, bit, len(rows))
    return told, words[: len(kept) + 1], kept, values[: len(kept)], start, decision, class_of, weight, forced


@outer
def best_splits_below(columns, start, class_of, weight, mask, column, fewest, room, found):
    """Write the best split of the rows of `mask` that have the lesser value in a column, and of those with the greater.

    Of each, `found` (2, 4) has the first column with the fewest errors when both its sides are leaves of so many rows,
    -1 if none; the errors; those of a leaf; and how many rows there are. `room` (2, classes) is to work in.

    The rows are those of `algorithms.optimal.binary.row_bits.RowBits`.
    """
    for side in range(2):
        flip = FULL if side == 0 else ZERO
        rows = _count_side(columns, start, class_of, weight, mask, column, flip, len(columns) - 1, room[0])
        total, most = 0.0, 0.0
        for c in range(room.shape[1]):
            total += room[0, c]
            most = max(most, room[0, c])
        best, fewest_errors = -1, np.inf
        for asked in range(len(columns) - 1):
            ones = _count_side(columns, start, class_of, weight, mask, column, flip, asked, room[1])
            if ones < fewest or rows - ones < fewest:
                continue
            one, zero = 0.0, 0.0
            for c in range(room.shape[1]):
                one = max(one, room[1, c])
                zero = max(zero, room[0, c] - room[1, c])
            if total - one - zero < fewest_errors:
                best, fewest_errors = asked, total - one - zero
        found[side, 0], found[side, 1], found[side, 2], found[side, 3] = best, fewest_errors, total - most, rows


@inner
def _count_side(columns, start, class_of, weight, mask, column, flip, asked, of_class):
    """Write the weights by class of the rows of a side that are in a column, `asked`; returns how many they are."""
    rows = 0
    of_class[:] = 0
    for s in range(len(class_of)):
        there = 0
        for w in range(start[s], start[s + 1]):
            there += np.int64(popcount(mask[w] & (columns[column, w] ^ flip) & columns[asked, w]))
        of_class[class_of[s]] += there * weight[s]
        rows += there
    return rows


@outer
def write_counts(columns, start, decision, weight, column, edges, edge_to, masks, counts):
    """Add to `counts` (nodes, decisions) the weight of the rows at the nodes of a tree, a parent before its children.

    column (nodes,) : the column that a node asks; first of its two edges is that of the lesser value
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
