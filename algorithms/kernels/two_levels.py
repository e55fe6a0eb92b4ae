"""The least cost of trees of one and two levels over some rows, and how many trees have it.

A tree costs the errors of its leaves, `at_leaf` for each leaf and `at_split` for each split. What a split does is told
by cells: a numeric attribute has one for each of its cuts, the rows up to it, a nominal one has one for each of its
codes. Rows that are in a cell of the root's split and in one of a split below are counted with one AND for 64 rows, and
the counts of all other branches follow by subtraction: no tree of two levels is ever grown.

Costs and numbers are told by exact number of splits, as far as the arrays of results are long. Arrays of length 1 are
for trees of any number of splits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from algorithms.kernels.bits import popcount

__all__ = ["Cells", "Terms", "add_tree", "join_part", "leaf_and_split", "two_levels"]


class Cells(NamedTuple):
    """The rows of an instance, sorted so that those of one class and weight, a group, follow one another.

    member       (rows, cells) uint8: whether a row is in a cell
    group        (rows,) int64; group_class (groups,) int64; group_weight (groups,) float64
    first        (attributes + 1,) int64: attribute a has the cells from first[a] to first[a + 1]
    numeric      (attributes,) bool
    """

    member: Any
    group: Any
    group_class: Any
    group_weight: Any
    first: Any
    numeric: Any


class Terms(NamedTuple):
    """What trees are allowed, and what they cost: costs that differ by `tie` or less are equal."""

    classes: Any
    least_rows: Any
    at_split: Any
    at_leaf: Any
    tie: Any
    subsets: Any


class _Node(NamedTuple):
    """The rows of a node, without the cells that part them as others do, or not at all.

    bits      (cells, words) uint64: rows packed, each group from a word of its own; a nominal attribute lacks the cell
              of its last code
    word      (groups + 1,): group g is in the words from word[g] to word[g + 1]; group_class, group_weight (groups,)
    first, numeric : as in `Cells`
    rows, of_class (classes,) : number of rows, and their weight
    """

    bits: Any
    word: Any
    group_class: Any
    group_weight: Any
    first: Any
    numeric: Any
    rows: Any
    of_class: Any


@njit(nogil=True, cache=True)
def add_tree(values, numbers, k, value, number, tie):
    """Trees of k splits with a cost are among the best of k splits, become them, or neither."""
    if value < values[k] - tie:
        values[k], numbers[k] = value, number
    elif value <= values[k] + tie and value < np.inf:
        values[k] = min(values[k], value)
        numbers[k] += number


@njit(nogil=True, cache=True)
def join_part(values, numbers, part_values, part_numbers, tie):
    """Every tree that (values, numbers) stand for, beside every tree of a part: their costs and splits add up."""
    length = len(values)
    joined, counted = np.full(length, np.inf), np.zeros(length)
    for a in range(length):
        for b in range(min(len(part_values), length - a)):
            if values[a] < np.inf and part_values[b] < np.inf:
                add_tree(joined, counted, a + b, values[a] + part_values[b], numbers[a] * part_numbers[b], tie)
    values[:], numbers[:] = joined, counted


@njit(nogil=True, cache=True)
def _node(cells, rows, terms):
    n, all_cells = len(rows), cells.member.shape[1]
    count = np.zeros(all_cells, np.int32)
    of_class = np.zeros(terms.classes)
    for row in rows:
        of_class[cells.group_class[cells.group[row]]] += cells.group_weight[cells.group[row]]
        for cell in range(all_cells):
            count[cell] += cells.member[row, cell]
    kept, n_kept = np.empty(all_cells, np.int64), 0
    first, numeric, attributes = np.zeros(len(cells.numeric) + 1, np.int64), np.empty(len(cells.numeric), np.bool_), 0
    for attribute in range(len(cells.numeric)):
        begin = n_kept
        before = 0
        for cell in range(cells.first[attribute], cells.first[attribute + 1]):
            if (before if cells.numeric[attribute] else 0) < count[cell] < n:
                kept[n_kept] = cell
                n_kept += 1
            before = count[cell]
        if n_kept > begin:
            n_kept -= 0 if cells.numeric[attribute] else 1
            numeric[attributes] = cells.numeric[attribute]
            attributes += 1
            first[attributes] = n_kept
    word, groups = np.zeros(n + 1, np.int64), 0
    group_class, group_weight = np.empty(n, np.int64), np.empty(n)
    for place in range(n):
        if place == 0 or cells.group[rows[place]] != cells.group[rows[place - 1]]:
            in_group = 0
            group_class[groups] = cells.group_class[cells.group[rows[place]]]
            group_weight[groups] = cells.group_weight[cells.group[rows[place]]]
            groups += 1
            word[groups] = word[groups - 1]
        word[groups] += in_group % 64 == 0
        in_group += 1
    bits = np.zeros((n_kept, word[groups]), np.uint64)
    packed = np.zeros(n_kept, np.uint64)
    place = 0
    for group in range(groups):
        of_group = cells.group[rows[place]]
        for at in range(word[group], word[group + 1]):
            packed[:] = 0
            shift = np.uint64(0)
            while place < n and shift < 64 and cells.group[rows[place]] == of_group:
                for i in range(n_kept):
                    packed[i] |= np.uint64(cells.member[rows[place], kept[i]]) << shift
                shift += np.uint64(1)
                place += 1
            bits[:, at] = packed
    return _Node(
        bits,
        word[: groups + 1],
        group_class[:groups],
        group_weight[:groups],
        first[: attributes + 1],
        numeric[:attributes],
        n,
        of_class,
    )


@njit(nogil=True, cache=True)
def _tally(node, cell, rows, weights):
    """Of the rows in a cell, or in all (-1): how many (cells,) are in each cell, and their weight (cells, classes)."""
    weights[:] = 0
    for other in range(len(node.bits)):
        total = 0
        for group in range(len(node.group_class)):
            count = np.uint64(0)
            if cell < 0:
                for word in range(node.word[group], node.word[group + 1]):
                    count += popcount(node.bits[other, word])
            else:
                for word in range(node.word[group], node.word[group + 1]):
                    count += popcount(node.bits[cell, word] & node.bits[other, word])
            total += np.int64(count)
            weights[other, node.group_class[group]] += np.int64(count) * node.group_weight[group]
        rows[other] = total


@njit(nogil=True, cache=True)
def _leaf(rows, of_class, terms):
    return of_class.sum() - of_class.max() + terms.at_leaf if rows >= terms.least_rows else np.inf


@njit(nogil=True, cache=True)
def _two_leaves(rows, of_class, all_rows, all_of_class, terms):
    """What a split costs whose one branch has these rows, and the other the rest."""
    if rows < terms.least_rows or all_rows - rows < terms.least_rows:
        return np.inf
    most, most_rest, total = 0.0, 0.0, 0.0
    for i in range(len(of_class)):
        total += all_of_class[i]
        most = max(most, of_class[i])
        most_rest = max(most_rest, all_of_class[i] - of_class[i])
    return total - most - most_rest + terms.at_split + 2 * terms.at_leaf


@njit(nogil=True, cache=True)
def _splits_by_codes(rows, weights, all_rows, all_of_class, terms, best, number):
    """`_one_split` for one nominal attribute."""
    codes = len(rows) + 1
    of_code, in_code, present = np.empty((codes, len(all_of_class))), np.empty(codes, np.int64), 0
    rest, rest_of_class = all_rows - rows.sum(), all_of_class.copy()
    for code in range(codes):
        if code < codes - 1:
            rest_of_class -= weights[code]
        in_code[present] = rows[code] if code < codes - 1 else rest
        of_code[present] = weights[code] if code < codes - 1 else rest_of_class
        present += in_code[present] > 0
    if present < 2:
        return
    value = terms.at_split
    for code in range(present):
        value += _leaf(in_code[code], of_code[code], terms)
    add_tree(best, number, 0, value, 1.0, terms.tie)
    if terms.subsets and present > 2:
        some = np.empty(len(all_of_class))
        for chosen in range(1, 1 << (present - 1)):  # never the last code, so that each two sets come once
            some[:], in_some = 0, 0
            for code in range(present):
                if chosen >> code & 1:
                    some += of_code[code]
                    in_some += in_code[code]
            add_tree(best, number, 0, _two_leaves(in_some, some, all_rows, all_of_class, terms), 1.0, terms.tie)


@njit(nogil=True, cache=True)
def _one_split(node, rows, weights, all_rows, all_of_class, terms, best, number):
    """Write the least cost of a tree of one split, and how many have it, where each cell has these rows (cells,)."""
    best[0], number[0] = np.inf, 0
    if all_rows < 2 * terms.least_rows:
        return
    for attribute in range(len(node.numeric)):
        begin, end = node.first[attribute], node.first[attribute + 1]
        if node.numeric[attribute] or (end - begin == 1):
            before = 0
            for cell in range(begin, end):
                if before < rows[cell] < all_rows:
                    value = _two_leaves(rows[cell], weights[cell], all_rows, all_of_class, terms)
                    add_tree(best, number, 0, value, 1.0, terms.tie)
                before = rows[cell]
        else:
            _splits_by_codes(rows[begin:end], weights[begin:end], all_rows, all_of_class, terms, best, number)


@njit(nogil=True, cache=True)
def leaf_and_split(cells, rows, terms):
    """Over rows in order: the cost of a leaf, the least of a tree of one split, and how many have it."""
    node = _node(cells, rows, terms)
    n_cells = len(node.bits)
    in_cell, weights = np.empty(n_cells, np.int64), np.empty((n_cells, terms.classes))
    _tally(node, -1, in_cell, weights)
    best, number = np.empty(1), np.empty(1)
    _one_split(node, in_cell, weights, node.rows, node.of_class, terms, best, number)
    return _leaf(node.rows, node.of_class, terms), best[0], number[0]


@njit(nogil=True, cache=True)
def _part(node, rows, weights, all_rows, all_of_class, terms, values, numbers):
    """Costs and numbers of the trees of one level for a branch of the root, whose rows are in cells as given."""
    leaf = _leaf(all_rows, all_of_class, terms)
    best, number = np.full(1, np.inf), np.zeros(1)
    if leaf >= terms.at_split + 2 * terms.at_leaf - terms.tie:
        _one_split(node, rows, weights, all_rows, all_of_class, terms, best, number)
    values[:], numbers[:] = np.inf, 0
    add_tree(values, numbers, 0, leaf, 1.0, terms.tie)
    add_tree(values, numbers, len(values) - 1, best[0], number[0], terms.tie)


@njit(nogil=True, cache=True)
def two_levels(cells, rows, terms, ceiling, values, numbers):
    """Write the least costs of trees of at most two levels over rows in order, and how many there are.

    values, numbers (splits,) or (1,) float64. Costs above `ceiling` may be written as infinite. Numbers above 2**53 are
    not exact.
    """
    node = _node(cells, rows, terms)
    n_cells, classes, length = len(node.bits), terms.classes, len(values)
    shift = min(length, 2) - 1
    values[:], numbers[:] = np.inf, 0
    add_tree(values, numbers, 0, _leaf(node.rows, node.of_class, terms), 1.0, terms.tie)
    all_rows, all_weights = np.empty(n_cells, np.int64), np.empty((n_cells, classes))
    _tally(node, -1, all_rows, all_weights)
    widest = 2
    for attribute in range(len(node.numeric)):
        widest = max(widest, node.first[attribute + 1] - node.first[attribute] + 1)
        if node.numeric[attribute]:
            widest = 2
    codes = 2
    for attribute in range(len(node.numeric)):
        if not node.numeric[attribute]:
            codes = max(codes, node.first[attribute + 1] - node.first[attribute] + 1)
    in_cell, weights = np.empty((codes, n_cells), np.int64), np.empty((codes, n_cells, classes))
    part_rows, part_of_class = np.empty(codes, np.int64), np.empty((codes, classes))
    joined, counted = np.empty(length), np.empty(length)
    part_values, part_numbers = np.empty(shift + 1), np.empty(shift + 1)
    some_cells, some_weights, some = np.empty(n_cells, np.int64), np.empty((n_cells, classes)), np.empty(classes)
    for attribute in range(len(node.numeric)):
        begin, end = node.first[attribute], node.first[attribute + 1]
        if node.numeric[attribute]:
            splits = end - begin
        else:
            parts = end - begin + 1
            in_cell[parts - 1], weights[parts - 1] = all_rows, all_weights
            part_rows[parts - 1], part_of_class[parts - 1] = node.rows, node.of_class
            for code in range(parts - 1):
                _tally(node, begin + code, in_cell[code], weights[code])
                part_rows[code], part_of_class[code] = all_rows[begin + code], all_weights[begin + code]
                in_cell[parts - 1] -= in_cell[code]
                weights[parts - 1] -= weights[code]
                part_rows[parts - 1] -= part_rows[code]
                part_of_class[parts - 1] -= part_of_class[code]
            splits = 1 << (parts - 1) if terms.subsets and parts > 2 else 1
        for split in range(splits):
            by_code = not node.numeric[attribute] and split == 0
            if node.numeric[attribute]:
                _tally(node, begin + split, some_cells, some_weights)
                in_some = all_rows[begin + split]
                some[:] = all_weights[begin + split]
            elif not by_code:
                some_cells[:], some_weights[:], some[:], in_some = 0, 0, 0, 0
                for code in range(parts):
                    if split >> code & 1:
                        some_cells += in_cell[code]
                        some_weights += weights[code]
                        some += part_of_class[code]
                        in_some += part_rows[code]
            joined[:], counted[:] = np.inf, 0
            joined[shift], counted[shift] = terms.at_split, 1
            for part in range(parts if by_code else 2):
                if by_code:
                    _part(
                        node, in_cell[part], weights[part], part_rows[part], part_of_class[part],
                        terms, part_values, part_numbers,
                    )  # fmt: skip
                elif part == 0:
                    _part(node, some_cells, some_weights, in_some, some, terms, part_values, part_numbers)
                else:
                    some_cells[:] = all_rows - some_cells
                    some_weights[:] = all_weights - some_weights
                    some[:] = node.of_class - some
                    in_some = node.rows - in_some
                    _part(node, some_cells, some_weights, in_some, some, terms, part_values, part_numbers)
                join_part(joined, counted, part_values, part_numbers, terms.tie)
                if joined.min() > ceiling + terms.tie:
                    break
            else:
                for k in range(length):
                    add_tree(values, numbers, k, joined[k], counted[k], terms.tie)
                if length == 1:
                    ceiling = min(ceiling, values[0])
