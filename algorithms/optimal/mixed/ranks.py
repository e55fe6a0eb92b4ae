"""Rank the values of attributes, and copy lists of rows sorted by rank."""

import numpy as np

from algorithms._numba.decorators import large, outer
from algorithms._numba.sorting import sort
from algorithms.optimal.mixed.node_levels import NO_CHOICE, NodePhase
from algorithms.optimal.mixed.packed_rows import ROW_MASK
from algorithms.optimal.never import NEVER
from algorithms.splitmix import mixed_word


@outer
def rank_few(cells, bits, ranks, distinct, number, table):
    """Rank the values of each attribute by hashing; skip attributes with too many values for `table`.

    cells    : (attributes, rows) float64, without NaN or negative zeros
    bits     : the same memory as int64
    ranks    : (attributes, rows) int64, written: the rank of each value
    distinct : (attributes, rows) float64, written: the increasing distinct values, at the beginning of each row
    number   : (attributes,) int64, written: the number of distinct values; -1 for an attribute that is skipped
    table    : (power of two,) int64, a buffer; at most half of it is filled
    """
    mask = len(table) - 1
    for attribute in range(len(cells)):
        table[:] = -1
        many = 0
        for row in range(cells.shape[1]):
            value = bits[attribute, row]
            slot = np.int64(mixed_word(np.uint64(value))) & mask
            while table[slot] >= 0 and bits[attribute, table[slot]] != value:
                slot = (slot + 1) & mask
            if table[slot] < 0:
                if 2 * many > mask:
                    many = -1
                    break
                table[slot] = row
                distinct[attribute, many] = cells[attribute, row]
                many += 1
            ranks[attribute, row] = table[slot]
        number[attribute] = many
        if many < 0:
            continue
        values = distinct[attribute, :many]
        sort(values)
        for slot in range(len(table)):
            if table[slot] >= 0:
                ranks[attribute, table[slot]] = -1 - np.searchsorted(values, cells[attribute, table[slot]])
        for row in range(cells.shape[1]):
            rank = ranks[attribute, row]
            ranks[attribute, row] = -1 - rank if rank < 0 else ranks[attribute, rank]


@large
def write_ranks(cells, order, ranks, distinct, number):
    """Rank the values of the attributes that `rank_few` skipped; the other arguments are as in `rank_few`.

    order : (skipped attributes, rows) int64, the rows sorted by value
    """
    at = 0
    for attribute in range(len(cells)):
        if number[attribute] >= 0:
            continue
        rank = -1
        for row in order[at]:
            value = cells[attribute, row]
            if rank < 0 or value != distinct[attribute, rank]:
                rank += 1
                distinct[attribute, rank] = value
            ranks[attribute, row] = rank
        number[attribute] = rank + 1
        at += 1


@large
def begin_node(words, rows, depth, limit, chosen, arena, levels):
    """Begin a node of some rows at level 0; copy their sorted lists to the arena, behind a table of these lists.

    words       : (attributes, all rows) int64, the sorted lists of all rows
    rows        : (chosen rows,) int64, the rows of the node
    limit       : (width,) int64, see `NodeLevels`
    chosen      : (all rows,) bool, a buffer of False
    arena       : written: a table of pairs (attribute, unused), then one list after another
    levels      : `NodeLevels`; level 0 is written, without the cost and the choice of any tree
    """
    for row in rows:
        chosen[row] = True
    at = 2 * len(words)
    for attribute in range(len(words)):
        arena[2 * attribute] = attribute
        for word in words[attribute]:
            if chosen[word & ROW_MASK]:
                arena[at] = word
                at += 1
    for row in rows:
        chosen[row] = False
    node = levels.node[0]
    node.phase, node.depth, node.rows = NodePhase.ENTER, depth, len(rows)
    node.parent_lists, node.n_parent_lists, node.base, node.lists = 0, len(words), 2 * len(words), at
    node.width, node.leaf, node.lowest = len(limit), 0, 0
    for splits in range(len(limit)):
        levels.best[0, splits], levels.choice[0, splits] = NEVER, NO_CHOICE
        levels.limit[0, splits], levels.low[0, splits] = limit[splits], 0
