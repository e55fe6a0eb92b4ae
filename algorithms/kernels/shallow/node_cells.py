"""Rows of a node as bits, by the cells that tell what each of its splits does.

A numeric attribute has a cell for each of its cuts, the rows up to it, a nominal one has one for each of its codes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms.kernels.bits import popcount
from algorithms.kernels.inner import allocating

__all__ = ["Cells", "Node", "node_of", "tally"]


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


class Node(NamedTuple):
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


@allocating
def node_of(cells, rows, classes):
    """The node of some rows, in order."""
    n, all_cells = len(rows), cells.member.shape[1]
    count = np.zeros(all_cells, np.int32)
    of_class = np.zeros(classes)
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
            for i in range(n_kept):
                packed[i] = 0
            shift = np.uint64(0)
            while place < n and shift < 64 and cells.group[rows[place]] == of_group:
                for i in range(n_kept):
                    packed[i] |= np.uint64(cells.member[rows[place], kept[i]]) << shift
                shift += np.uint64(1)
                place += 1
            for i in range(n_kept):
                bits[i, at] = packed[i]
    return Node(
        bits,
        word[: groups + 1],
        group_class[:groups],
        group_weight[:groups],
        first[: attributes + 1],
        numeric[:attributes],
        n,
        of_class,
    )


@allocating
def tally(node, cell, rows, weights):
    """Of the rows in a cell, or in all (-1): how many (cells,) are in each cell, and their weight (cells, classes)."""
    for other in range(len(node.bits)):
        total = 0
        for i in range(weights.shape[1]):
            weights[other, i] = 0
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
