"""Pack columns of two values as bits, and count rows by them.

A set of rows, or a column, is an array of words (words,) uint64. A row is one bit of it: bit `bit` % 64 of word
`bit` // 64, by `RowLayout.bit`. Bits that are no rows are 0 in a set of rows and in a column, but not in a complement.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import OPTIONS, compiled, inner, outer, part
from algorithms._numba.primitives import popcount
from algorithms.kernel_arrays import array
from algorithms.splitmix import mixed_word

NONE = np.int64(-1)


class RowLayout(NamedTuple):
    """The bit of each row. A *segment* is the rows of one class and one weight; it begins with a new word.

    There may be fewer segments than the arrays can hold.
    """

    order: Any = array("rows")  # the rows in the order of their bits, in which the next two arrays are, too
    segment: Any = array("rows")
    bit: Any = array("rows")
    start: Any = array("segments+1")  # the first word of each segment; last, the number of words
    decision: Any = array("segments")  # its class
    class_of: Any = array("segments")  # the index of its class among those that occur
    weight: Any = array("segments", np.float64)  # of each of its rows


@outer
def lay_out_rows(by_weight, decisions, weights, free, layout):
    """Write the layout of the rows; return the number of segments.

    by_weight : (rows,) the rows in the order of their weights
    decisions : (rows,) the class of each row
    weights   : (rows,)
    free      : (classes + 1,) zeros, a buffer: the next free index of `order` for each class
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
    """The bits of some columns, and buffers. Rows are in the order of their bits.

    The rows with the same values in all columns, a *point*, have the same key. Two of n points have the same key, and
    would be confused, with a probability of about n² / 2⁶⁵.
    """

    words: Any = array("columns+1 words", np.uint64)  # rows with the greater value of each column; last, all rows
    values: Any = array("columns 2", np.float64)  # the lesser and the greater value of each column
    kept: Any = array("columns", np.int32)  # indices of the columns that are kept
    forced: Any = array("words", np.uint64)  # the rows of the equivalent points bound
    ends: Any = array("2 columns", "cell")  # buffer: the least and the greatest value of each column
    marks: Any = array("2 columns", np.uint64)  # buffer: a random word of each column, and its current word of bits
    of_class: Any = array("classes", np.float64)  # buffer: weight of each class at a point
    keys: Any = array("rows", np.uint64)  # sum of the random words of the columns where the row has the greater value
    group: Any = array("rows")  # the point of each row
    ordered: Any = array("rows")  # the rows by point
    first: Any = array("rows+2")  # from index 1 on: where the rows of each point begin in `ordered`, and their end
    slots: Any = array("slots")  # buffer: a hash table of points or columns, NONE in empty slots; a power of two


@compiled(**OPTIONS, no_cpython_wrapper=True, fastmath={"nnan", "nsz"})  # to vectorise the minima and maxima
def _write_columns(cells, order, bit, words, values, ends, marks, keys):
    """Write the bits, values and keys of cells (rows, columns); return whether no column has a third value."""
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
    """Keep the columns with two values that split the rows differently from all columns before them.

    Moves them to the front of `words` and `values`, with the set of all rows behind them; returns their number.
    """
    number, last = 0, len(slots) - 1
    for at in range(len(slots)):
        slots[at] = NONE
    for column in range(len(values)):
        if values[column, 0] == values[column, 1]:
            continue
        turned, key = words[column, 0] & np.uint64(1), np.uint64(0)  # so that complements have the same key
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
    """Whether two columns are equal, or complements of each other within the set of all rows."""
    turned, different = (words[first, 0] ^ words[second, 0]) & np.uint64(1), np.uint64(0)
    for w in range(len(rows)):
        different |= words[first, w] ^ words[second, w] ^ (rows[w] * turned)
    return different == 0


@part
def _group_by_key(keys, group, ordered, first, slots):
    """Group the rows by key: write `group`, `ordered` and `first` of `Bits`; return the number of points."""
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
    """Set the bits of the rows that are not of the heaviest class of their point (of several, the first).

    Their weight is the equivalent points bound, as `equivalent_points` computes it in NumPy. Here, the rows themselves
    are needed.
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
    """Pack cells (rows, columns) as bits; return the number of columns kept, or NONE if a column has a third value.

    Columns that are constant or split the rows like an earlier column are left out.
    """
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
def best_split(columns, start, class_of, weight, mask, min_leaf, scratch, split):
    """Write the best split of the rows of a mask whose sides are leaves.

    columns to weight : fields of `row_bits.RowBits`
    mask    : (words,) uint64, a set of rows
    scratch : (2, classes) float64, a buffer
    split   : (3,) float64, written: the first of the best columns whose sides both have `min_leaf` rows, or -1; its
              errors; the errors of a leaf
    """
    rows = _count_rows(columns, start, class_of, weight, mask, len(columns) - 1, scratch[0])
    total, most = 0.0, 0.0
    for c in range(scratch.shape[1]):
        total += scratch[0, c]
        most = max(most, scratch[0, c])
    split[0], split[1], split[2] = -1, np.inf, total - most
    for column in range(len(columns) - 1):
        ones = _count_rows(columns, start, class_of, weight, mask, column, scratch[1])
        if ones < min_leaf or rows - ones < min_leaf:
            continue
        one, zero = 0.0, 0.0
        for c in range(scratch.shape[1]):
            one = max(one, scratch[1, c])
            zero = max(zero, scratch[0, c] - scratch[1, c])
        if total - one - zero < split[1]:
            split[0], split[1] = column, total - one - zero


@inner
def _count_rows(columns, start, class_of, weight, mask, column, of_class):
    """Write the weight by class of the rows of a mask with the greater value of a column; return their number."""
    rows = 0
    of_class[:] = 0
    for s in range(len(class_of)):
        counted = 0
        for w in range(start[s], start[s + 1]):
            counted += np.int64(popcount(mask[w] & columns[column, w]))
        of_class[class_of[s]] += counted * weight[s]
        rows += counted
    return rows


@outer
def write_counts(columns, start, decision, weight, column, edges, edge_to, masks, counts):
    """Add the weight of the rows at each node of a tree to `counts`. Parents come before their children.

    columns to weight : fields of `row_bits.RowBits`
    column         : (nodes,) the column that a node tests; the first of its two edges is for the lesser value
    edges, edge_to : of the `DecisionTree`
    masks          : (nodes, words) uint64, the rows of each node; initially only those of the root, then all
    counts         : (nodes, classes) float64, updated
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
