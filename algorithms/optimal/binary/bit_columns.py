"""Columns of two values as bits."""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import OPTIONS, compiled, inner, outer, part
from algorithms._numba.primitives import by_reference, popcount
from algorithms.kernel_arrays import array
from algorithms.splitmix import mixed_word

NONE = np.int64(-1)
ZERO, FULL = np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)


class RowLayout(NamedTuple):
    """The position of each row in words of bits. Rows of one class and one weight form a segment, from a new word on.

    There may be fewer segments than the arrays can hold.
    """

    order: Any = array("rows")  # the rows by their bits; this and the next two are by position, not by row
    segment: Any = array("rows")
    bit: Any = array("rows")
    start: Any = array("segments+1")  # the words of each segment
    decision: Any = array("segments")
    class_of: Any = array("segments")  # the index of its class among those of the rows
    weight: Any = array("segments", np.float64)


@outer
def lay_out_rows(by_weight, decisions, weights, free, layout):
    """Write the layout of the rows; return the number of segments.

    by_weight : the rows in the order of their weights
    free      : (classes + 1,) a buffer of zeros: the next free position of each class
    """
    order, segment, bit, start = layout.order, layout.segment, layout.bit, layout.start
    for row in range(len(by_weight)):
        free[decisions[row] + 1] += 1
    for c in range(len(free) - 1):
        free[c + 1] += free[c]
    for row in by_weight:
        order[free[decisions[row]]] = row
        free[decisions[row]] += 1
    segments = classes = at = 0
    for k in range(len(order)):
        row = order[k]
        new_class = k == 0 or decisions[row] != decisions[order[k - 1]]
        if new_class or weights[row] != weights[order[k - 1]]:
            classes += new_class
            at = (at + 63) // 64 * 64
            start[segments] = at // 64
            layout.decision[segments], layout.weight[segments] = decisions[row], weights[row]
            layout.class_of[segments] = classes - 1
            segments += 1
        segment[k], bit[k] = segments - 1, at
        at += 1
    start[segments] = (at + 63) // 64
    return segments


class Bits(NamedTuple):
    """The bits of some columns, and buffers."""

    words: Any = array("columns+1 words", np.uint64)  # whether a row has the greater value; last, whether it is a row
    values: Any = array("columns 2", np.float64)  # the lesser and the greater
    kept: Any = array("columns", np.int32)  # which columns they are
    forced: Any = array("words", np.uint64)  # the rows that every tree gets wrong
    ends: Any = array("2 columns", "cell")  # the least and the greatest value
    marks: Any = array("2 columns", np.uint64)  # a random word of each column; the word of bits that is being filled
    of_class: Any = array("classes", np.float64)
    keys: Any = array("rows", np.uint64)  # the sum of the random words of the columns where a row has the greater value
    group: Any = array("rows")  # the number of its key
    ordered: Any = array("rows")  # the rows by key
    first: Any = array("rows+2")  # where those of each key begin
    slots: Any = array("slots")  # of a hash table; a power of two


@compiled(**OPTIONS, no_cpython_wrapper=True, fastmath={"nnan", "nsz"})  # least and greatest are found in vectors
def _write_columns(cells, order, bit, words, values, ends, marks, keys):
    """Set the bits of the rows with the greater of a column's two values; return whether no column has a third."""
    rows, columns = cells.shape
    low, high, mark, word = ends[0], ends[1], marks[0], marks[1]
    for column in range(columns):
        low[column] = high[column] = cells[0, column]
    for row in range(1, rows):
        for column in range(columns):
            low[column] = min(low[column], cells[row, column])
            high[column] = max(high[column], cells[row, column])
    for column in range(columns):
        mark[column], word[column] = mixed_word(np.uint64(column + 1)), 0
        values[column, 0], values[column, 1] = low[column], high[column]
    third_value = False
    for k in range(rows):
        row, index, key = order[k], np.uint64(bit[k] & 63), np.uint64(0)
        for column in range(columns):
            greater = cells[row, column] == high[column]
            third_value |= (not greater) & (cells[row, column] != low[column])
            word[column] |= np.uint64(greater) << index
            key += mark[column] * np.uint64(greater)
        keys[k] = key
        if k == rows - 1 or bit[k + 1] >> 6 != bit[k] >> 6:
            if third_value:
                return False
            for column in range(columns):
                words[column, bit[k] >> 6] = word[column]
                word[column] = 0
    return True


@part
def _keep_different(words, rows, values, kept, slots):
    """Keep the columns with two values that split the rows differently from all before them; return their number."""
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
def _mark_forced(layout, bits):
    """Set the bits of the rows that are not of the heaviest class of the rows with their key, the first of equals.

    These are the errors of `equivalent_points`, which is in NumPy; the keys are known here, and the bits wanted.
    """
    of_class, ordered, first = bits.of_class, bits.ordered, bits.first
    for k in range(1, _group_by_key(bits.keys, bits.group, ordered, first, bits.slots) + 1):
        if first[k + 1] - first[k] == 1:
            continue
        of_class[:] = 0
        for index in range(first[k], first[k + 1]):
            segment = layout.segment[ordered[index]]
            of_class[layout.class_of[segment]] += layout.weight[segment]
        heaviest = 0
        for c in range(len(of_class)):
            if of_class[c] > of_class[heaviest]:
                heaviest = c
        for index in range(first[k], first[k + 1]):
            row = ordered[index]
            if layout.class_of[layout.segment[row]] != heaviest:
                bits.forced[layout.bit[row] >> 6] |= np.uint64(1) << np.uint64(layout.bit[row] & 63)


@outer
def write_bits(cells, layout, bits):
    """Write the bits of cells (rows, columns); return the number of columns kept, or NONE if one has a third value.

    Constant columns are left out, and those that split the rows like an earlier one.
    """
    layout, bits = by_reference(layout), by_reference(bits)
    if not _write_columns(cells, layout.order, layout.bit, bits.words, bits.values, bits.ends, bits.marks, bits.keys):
        return NONE
    rows = bits.words[len(bits.values)]
    for w in range(len(rows)):
        rows[w] = 0
    for k in range(len(layout.order)):
        rows[layout.bit[k] >> 6] |= np.uint64(1) << np.uint64(layout.bit[k] & 63)
    _mark_forced(layout, bits)
    return _keep_different(bits.words, rows, bits.values, bits.kept, bits.slots)


@outer
def best_splits_below(columns, start, class_of, weight, mask, column, min_leaf, scratch, split):
    """Write the best split of the rows of `mask` that have the lesser value in a column, and of those with the greater.

    A row of `split` (2, 4) has: the first column of fewest errors whose sides have at least `min_leaf` rows, or -1; its
    errors; the errors of one leaf; the number of rows.

    columns to weight    : those of `row_bits.RowBits`
    scratch (2, classes) : a buffer
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
            if ones < min_leaf or rows - ones < min_leaf:
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
    """Write the weight by class of the rows of a side that have the greater value of `tested`; return their number."""
    rows = 0
    of_class[:] = 0
    for s in range(len(class_of)):
        counted = 0
        for w in range(start[s], start[s + 1]):
            counted += np.int64(popcount(mask[w] & (columns[column, w] ^ flip) & columns[tested, w]))
        of_class[class_of[s]] += counted * weight[s]
        rows += counted
    return rows


@outer
def write_counts(columns, start, decision, weight, column, edges, edge_to, masks, counts):
    """Add to `counts` (nodes, decisions) the weight of the rows at the nodes of a tree, a parent before its children.

    column (nodes,)      : the column that a node tests; the first of its two edges is that of the lesser value
    edges, edge_to       : of the `DecisionTree`
    masks (nodes, words) : the rows of each node; initially those of the root
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
