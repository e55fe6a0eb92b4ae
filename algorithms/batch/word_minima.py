"""Exact minima of the five costs for tables in words.

Dynamic programming over the graph of separable subtables (Alkhalid et al. 2013, section 4). A node is a subtable of
four or more rows with different decisions. First, all nodes are found, from the whole table down. Then their minima are
computed in order of increasing number of rows, so that the minima of all branches of a node are known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import allocating, inner, of_words
from algorithms._numba.primitives import (
    any_bit,
    fold,
    lane_min,
    lowest,
    part_masks,
    popcount,
    read,
    width,
    without_lowest,
    write,
)
from algorithms.batch.small_subtables import minimum_of_four, splits_of_three
from algorithms.exact.packed_cost import INFEASIBLE, KNOWN_DEPTHS, KNOWN_SUMS, cost_of_three, deeper, nonterminal
from algorithms.kernel_arrays import array, arrays_of
from algorithms.splitmix import GOLDEN

ZERO, ONE = np.uint64(0), np.uint64(1)
FIRST = INFEASIBLE + ONE  # the first node; lower numbers are the indices of the known costs in `packed_cost`
FOUR, SIXTY_FOUR = np.uint64(4), np.uint64(64)


class MinimaNodes(NamedTuple):
    """The graph of one table; the arrays are reused for the next table. `size` is a power of two.

    The branch of node n for value v of attribute a is `branch[(n * attributes + a) * values + v]`: a node, or the index
    of a known cost. The hash table has linear probing; a slot is empty if its key, a set of rows, is empty.
    """

    rows: Any = array("size words", np.uint64)  # the node's rows, as a wide word
    splits: Any = array("size", np.uint64)  # bit a is set if the rows differ on attribute a; not used for four rows
    branch: Any = array("size*branches+8", np.uint32)  # see above; 8 more, see `part_masks`
    sums: Any = array("size", np.uint64)  # the sums word of the node's minima, see `packed_cost`
    depth: Any = array("size", np.uint64)  # their depth word
    order: Any = array("size", np.uint64)  # nodes by number of rows
    key: Any = array("2*size words", np.uint64)  # hash table from rows to node
    node: Any = array("2*size", np.uint32)
    reached: Any = array("2", np.uint64)  # after a stop for lack of nodes: the next node to split, the end; else 0


def empty_nodes(size: int, words: int, branches: int) -> MinimaNodes:
    """Arrays for graphs of fewer than `size` nodes, with row sets of `words` machine words."""
    nodes = arrays_of(MinimaNodes, size=size, words=words, branches=branches)
    nodes.sums[: len(KNOWN_SUMS)] = KNOWN_SUMS
    nodes.depth[: len(KNOWN_DEPTHS)] = KNOWN_DEPTHS
    return nodes


def twice_the_nodes(nodes: MinimaNodes) -> MinimaNodes:
    """Arrays for twice as many nodes, with a copy of the graph found so far."""
    size, words = nodes.rows.shape
    branches, end = len(nodes.branch) // size, int(nodes.reached[1])
    larger = empty_nodes(2 * size, words, branches)
    for name, length in (("rows", end), ("splits", end), ("branch", end * branches), ("reached", 2)):
        getattr(larger, name)[:length] = getattr(nodes, name)[:length]
    return larger


@of_words
def _find_or_add(key, node, node_rows, rows, count):
    """(node of these rows, end of the nodes). A new node gets the number `count`, and the end is then count + 1."""
    last = np.uint64(len(key) - 1)
    slot = (fold(rows, GOLDEN) * GOLDEN) >> (np.uint64(64) - popcount(last))
    stored = read(key, slot, rows)
    while any_bit(stored) and stored != rows:
        slot = (slot + ONE) & last
        stored = read(key, slot, rows)
    new = not any_bit(stored)
    result = count if new else np.uint64(node[slot])
    write(key, slot, rows)
    node[slot] = result
    write(node_rows, count, rows)
    return result, count + np.uint64(new)


@allocating
def _find_nodes(table, nodes, every_row):
    """Find all nodes and return their end; 0 if the arrays are too short.

    The kernel starts with the whole table, or continues where it stopped with shorter arrays.
    """
    value_rows, decision_rows, other_decision, code, _, field_tops, field_rests, no_rows = table
    node_rows, splits, branch, _, _, _, key, node_of, reached = nodes
    attributes, values = np.uint64(value_rows.shape[0]), np.uint64(value_rows.shape[1])
    branches, every = attributes * values, ~ZERO >> (SIXTY_FOUR - attributes)
    bit_of = np.empty(branches, np.uint64)
    for b in range(branches):
        bit_of[b] = ONE << b // values
    for edge in range(len(key)):
        write(key, edge, no_rows)
    limit = len(node_rows) - np.int64(branches)  # one node adds at most one node per branch
    node, end = reached
    if node == ZERO:
        write(node_rows, FIRST, every_row)
        node, end = FIRST, FIRST + ONE
    count = FIRST
    while count < end:
        _, count = _find_or_add(key, node_of, node_rows, read(node_rows, count, no_rows), count)
    reached[0] = ZERO
    while node < count:
        if np.int64(count) >= limit:
            reached[0], reached[1] = node, count
            return ZERO
        rows = read(node_rows, node, no_rows)
        first, edge, constant = ZERO, node * branches, ZERO
        while first < branches and popcount(rows) != FOUR:
            last = min(first + SIXTY_FOUR, branches)
            threes, larger, wholes = part_masks(value_rows, decision_rows, rows, branch, edge + first, first, last)
            while wholes:
                constant |= bit_of[first + lowest(wholes)]
                wholes = without_lowest(wholes)
            while threes:
                b = first + lowest(threes)
                threes = without_lowest(threes)
                part = rows & read(value_rows, b, rows)
                by_decision, in_three = splits_of_three(other_decision, code, field_tops, field_rests, part)
                branch[edge + b] = cost_of_three(by_decision, in_three)
            while larger:
                b = first + lowest(larger)
                larger = without_lowest(larger)
                part = rows & read(value_rows, b, rows)
                child, count = _find_or_add(key, node_of, node_rows, part, count)
                branch[edge + b] = child
            first = last
        splits[node] = every & ~constant
        node += ONE
    return count


@allocating
def _sort_by_rows(nodes, every_row, count):
    """Write the nodes into `order` by increasing number of rows; `count` is their end."""
    node_rows, _, _, _, _, order, _, _, _ = nodes
    start = np.zeros(SIXTY_FOUR * width(every_row) + np.uint64(2), np.uint64)
    for node in range(FIRST, count):
        start[popcount(read(node_rows, node, every_row)) + ONE] += ONE
    for rows in range(1, len(start)):
        start[rows] += start[rows - 1]
    for node in range(FIRST, count):
        rows = popcount(read(node_rows, node, every_row))
        order[start[rows]] = node
        start[rows] += ONE


@inner
def _compute_minima(table, nodes, count):
    """Compute the minima of every node in `order`; `count` is the end of the nodes."""
    value_rows, _, other_decision, code, _, field_tops, field_rests, no_rows = table
    node_rows, splits, branch, node_sums, node_depth, order, _, _, _ = nodes
    attributes, values = np.uint64(value_rows.shape[0]), np.uint64(value_rows.shape[1])
    for i in range(count - FIRST):
        node = order[i]
        subtable = read(node_rows, node, no_rows)
        rows = popcount(subtable)
        if rows == FOUR:
            least, least_depth = minimum_of_four(other_decision, code, field_tops, field_rests, subtable)
        else:
            least, least_depth = KNOWN_SUMS[INFEASIBLE], KNOWN_DEPTHS[INFEASIBLE]
            left = splits[node]
            while left:
                sums, depth = ZERO, ZERO
                first = (node * attributes + lowest(left)) * values
                left = without_lowest(left)
                for edge in range(first, first + values):
                    part = branch[edge]
                    sums += node_sums[part]
                    depth |= node_depth[part]
                least = lane_min(least, sums)
                least_depth &= depth
        node_sums[node] = nonterminal(least, rows)
        node_depth[node] = deeper(least_depth)


@allocating
def minima(table, nodes, every_row):
    """(sums, depth, fits): the words of the minima over all decision trees for the table with the rows `every_row`.

    Each cost is minimised on its own; there may be no tree that reaches all minima. `fits` is False if the graph needs
    larger `nodes`. The table has at least four rows, with different decisions.
    """
    count = _find_nodes(table, nodes, every_row)
    if count == ZERO:
        return ZERO, ZERO, False
    _sort_by_rows(nodes, every_row, count)
    _compute_minima(table, nodes, count)
    return nodes.sums[FIRST], nodes.depth[FIRST], True
