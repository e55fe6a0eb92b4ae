"""The graph of separable subtables of a table of any shape, and the minima of the five costs on it.

Depth first: a subtable's branches are finished before it is, so that its number is greater than theirs and one pass
through the numbers gives every minimum. A subtable is told apart by its first row and the attributes on which its rows
differ: of subtables with the same first row and the same constant attributes there is only one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

__all__ = ["build", "minima", "pack"]

ZERO, ONE = np.uint64(0), np.uint64(1)
MIX = np.uint64(0x9E37_79B9_7F4A_7C15)
MIX_SHIFT = np.uint64(29)
UNSEEN = -1
NOT_COMMON = -1  # the decision of a subtable whose rows have several


@njit(nogil=True, cache=True)
def pack(columns, values):
    """(rows, words) uint64: every row's codes, each attribute in bits of its own."""
    word, shift = np.zeros(len(columns), np.int64), np.zeros(len(columns), np.int64)
    here, bit = 0, 0
    for attribute in range(len(columns)):
        bits = 1
        while 1 << bits < values[attribute]:
            bits += 1
        if bit + bits > 64:
            here, bit = here + 1, 0
        word[attribute], shift[attribute] = here, bit
        bit += bits
    words = np.zeros((columns.shape[1], here + 1), np.uint64)
    for attribute in range(len(columns)):
        for row in range(columns.shape[1]):
            words[row, word[attribute]] |= np.uint64(columns[attribute, row]) << np.uint64(shift[attribute])
    return words


@njit(nogil=True, cache=True)
def _grown(array, size):
    larger = np.empty((size, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


@njit
def _describe(rows, level, first, end, words, key, below):
    """Write what tells the subtable rows[level, first:end] apart into key[below]."""
    representative = rows[level, first]
    key[below, 0] = np.uint64(representative)
    for word in range(words.shape[1]):
        mine, differing = words[representative, word], ZERO
        for i in range(first + 1, end):
            differing |= words[rows[level, i], word] ^ mine
        key[below, 1 + word] = differing


@njit
def _place(table, keys, key, at):
    """Where in the hash table key[at] stands, or is to stand."""
    mixed = ZERO
    for i in range(key.shape[1]):
        mixed = (mixed ^ key[at, i]) * MIX
        mixed ^= mixed >> MIX_SHIFT
    last = np.uint64(len(table) - 1)
    place = mixed & last
    while table[place] != UNSEEN:
        same = True
        for i in range(key.shape[1]):
            same &= keys[table[place], i] == key[at, i]
        if same:
            break
        place = (place + ONE) & last
    return place


@njit
def _rehashed(table, keys, count):
    larger = np.full(2 * len(table), UNSEEN, np.int64)
    for number in range(count):
        larger[_place(larger, keys, keys, number)] = number
    return larger


@njit
def _next_splitting(columns, rows, level, length, attribute):
    """The first attribute from `attribute` on that is not constant on rows[level, :length], or how many there are."""
    while attribute < len(columns):
        code = columns[attribute, rows[level, 0]]
        for i in range(1, length):
            if columns[attribute, rows[level, i]] != code:
                return attribute
        attribute += 1
    return attribute


@njit
def _sort_by_code(columns, attribute, rows, level, length, values, ends, parts):
    """Lay rows[level, :length] in `parts` by code, in order within a code: those of code v end at ends[level, v]."""
    for value in range(values):
        ends[level, value] = 0
    for i in range(length):
        ends[level, columns[attribute, rows[level, i]]] += 1
    first = 0
    for value in range(values):  # for now, where each code begins
        first, ends[level, value] = first + ends[level, value], first
    for i in range(length):
        row = rows[level, i]
        value = columns[attribute, row]
        parts[level, ends[level, value]] = row
        ends[level, value] += 1


class Level(NamedTuple):
    """The subtable that is being worked at each level of the search, one a row of these arrays.

    rows, parts  (levels, table rows): its rows; they again, by code of the attribute it is at
    ends         (levels, most values): where each code's part ends
    key          (levels, words + 1): what tells it apart
    length, size (levels,): number of its rows, sum of their weights
    attribute, value, begin (levels,): the attribute and code it is at, and where that code's part begins
    code, to     (levels, branches + 1): its edges so far, `edges` (levels,) of them
    split, end   (levels, attributes + 1): the attributes done and where their edges end, `splits` (levels,) of them
    """

    rows: Any
    parts: Any
    ends: Any
    key: Any
    length: Any
    size: Any
    attribute: Any
    value: Any
    begin: Any
    code: Any
    to: Any
    edges: Any
    split: Any
    end: Any
    splits: Any


@njit(nogil=True, cache=True)
def _empty_levels(n, attributes, most_values, branches, key_length):
    levels = attributes + 1
    return Level(
        np.zeros((levels, n), np.int64),
        np.zeros((levels, n), np.int64),
        np.zeros((levels, most_values), np.int64),
        np.zeros((levels, key_length), np.uint64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros((levels, branches + 1), np.int32),
        np.zeros((levels, branches + 1), np.int64),
        np.zeros(levels, np.int64),
        np.zeros((levels, attributes + 1), np.int32),
        np.zeros((levels, attributes + 1), np.int64),
        np.zeros(levels, np.int64),
    )


@njit
def _enter(rows, level, first, end, decisions, weights, attributes, most_values, levels, into):
    """Begin work on the subtable rows[level, first:end] at level `into`; its key is there already."""
    common, size = decisions[rows[level, first]], 0
    for i in range(first, end):
        row = rows[level, i]
        levels.rows[into, i - first] = row
        size += weights[row]
        if decisions[row] != common:
            common = NOT_COMMON
    levels.length[into], levels.size[into] = end - first, size
    levels.attribute[into] = -1 if common == NOT_COMMON else attributes  # of one decision there is nothing to split
    levels.value[into] = most_values
    levels.edges[into], levels.splits[into] = 0, 0


@njit(nogil=True, cache=True)
def _work(columns, words, decisions, weights, values, limit, levels, nodes, splits, edges, table, state):
    """Go on until the search is finished or there is no room; `state` holds level, nodes, splits and edges.

    nodes is (size, decision, end of splits, keys); splits is (attribute, end of edges); edges is (code, to).
    """
    rows, parts, ends, key, length, level_size, attribute, value, begin, code, to, n_done, split, end, n_split = levels
    size, decision, splits_end, keys = nodes
    split_attribute, edges_end = splits
    edge_code, edge_to = edges
    attributes = len(columns)
    most_values = ends.shape[1]
    level, count, n_splits, n_edges = state
    while level >= 0:
        here = attribute[level]
        if 0 <= here < attributes and value[level] < values[here]:
            # a branch: seen before, or to be worked at the next level
            first, stop = begin[level], ends[level, value[level]]
            begin[level] = stop
            found = UNSEEN
            if first < stop:
                _describe(parts, level, first, stop, words, key, level + 1)
                found = table[_place(table, keys, key, level + 1)]
                if found == UNSEEN:
                    _enter(parts, level, first, stop, decisions, weights, attributes, most_values, levels, level + 1)
                    level += 1
                    continue
                code[level, n_done[level]], to[level, n_done[level]] = value[level], found
                n_done[level] += 1
            value[level] += 1
            continue
        if here < attributes:
            # the next attribute that splits
            if here >= 0:
                split[level, n_split[level]], end[level, n_split[level]] = here, n_done[level]
                n_split[level] += 1
            here = _next_splitting(columns, rows, level, length[level], here + 1)
            attribute[level] = here
            if here < attributes:
                _sort_by_code(columns, here, rows, level, length[level], values[here], ends, parts)
                value[level], begin[level] = 0, 0
                continue
        # finished: a number of its own, its splits and edges into the graph, its number to the branch it is
        full = count == limit or count == len(size) or 2 * count >= len(table)
        if full or n_splits + attributes > len(split_attribute) or n_edges + n_done[level] > len(edge_code):
            break
        table[_place(table, keys, key, level)] = count
        keys[count] = key[level]
        size[count] = level_size[level]
        decision[count] = NOT_COMMON if n_split[level] else decisions[rows[level, 0]]
        for i in range(n_split[level]):
            split_attribute[n_splits], edges_end[n_splits] = split[level, i], n_edges + end[level, i]
            n_splits += 1
        for i in range(n_done[level]):
            edge_code[n_edges], edge_to[n_edges] = code[level, i], to[level, i]
            n_edges += 1
        splits_end[count] = n_splits
        count += 1
        level -= 1
        if level >= 0:
            code[level, n_done[level]], to[level, n_done[level]] = value[level], count - 1
            n_done[level] += 1
            value[level] += 1
    state[:] = level, count, n_splits, n_edges


@njit(nogil=True, cache=True)
def build(columns, words, decisions, weights, values, limit):
    """The graph as (size, decision, splits, split_attribute, split_edges, edge_code, edge_to); whole table last.

    size (nodes,) sums the weights; decision (nodes,) is the common decision, -1 at nonterminal nodes; node i has the
    splits from splits[i] to splits[i + 1], one per attribute not constant on it; split j has the edges from
    split_edges[j] to split_edges[j + 1]. All are empty where there would be more than `limit` nodes.
    """
    attributes, n = columns.shape
    branches = values.sum()
    key_length = words.shape[1] + 1
    levels = _empty_levels(n, attributes, values.max() if attributes else 1, branches, key_length)
    _describe(np.arange(n).reshape(1, n), 0, 0, n, words, levels.key, 0)
    most_values = levels.ends.shape[1]
    _enter(np.arange(n).reshape(1, n), 0, 0, n, decisions, weights, attributes, most_values, levels, 0)
    nodes = (
        np.empty(64, np.int64),
        np.empty(64, np.int32),
        np.empty(64, np.int64),
        np.zeros((64, key_length), np.uint64),
    )
    splits = np.empty(256, np.int32), np.empty(256, np.int64)
    edges = np.empty(1024, np.int32), np.empty(1024, np.int64)
    table = np.full(256, UNSEEN, np.int64)
    state = np.zeros(4, np.int64)
    while True:
        _work(columns, words, decisions, weights, values, limit, levels, nodes, splits, edges, table, state)
        level, count, n_splits, n_edges = state
        if level < 0 or count >= limit:
            break
        if count == len(nodes[0]):
            more = 2 * count
            nodes = _grown(nodes[0], more), _grown(nodes[1], more), _grown(nodes[2], more), _grown(nodes[3], more)
        if 2 * count >= len(table):
            table = _rehashed(table, nodes[3], count)
        if n_splits + attributes > len(splits[0]):
            more = 2 * (n_splits + attributes)
            splits = _grown(splits[0], more), _grown(splits[1], more)
        if n_edges + branches > len(edges[0]):
            more = 2 * (n_edges + branches)
            edges = _grown(edges[0], more), _grown(edges[1], more)
    if level >= 0:
        count, n_splits, n_edges = 0, 0, 0
    return (
        nodes[0][:count],
        nodes[1][:count],
        _from_zero(nodes[2], count),
        splits[0][:n_splits],
        _from_zero(splits[1], n_splits),
        edges[0][:n_edges],
        edges[1][:n_edges],
    )


@njit
def _from_zero(ends, count):
    """Where each of so many spans begins, and the end of the last, from where they end."""
    bounds = np.zeros(count + 1, np.int64)
    bounds[1:] = ends[:count]
    return bounds


@njit(nogil=True, cache=True)
def minima(size, splits, split_edges, edge_to):
    """(nodes, 5): least depth, total path length, nodes, nonterminal nodes and terminal nodes of every subtable."""
    nodes = len(size)
    least = np.zeros((nodes, 5), np.int64)
    for node in range(nodes):
        if splits[node] == splits[node + 1]:
            least[node, 2], least[node, 4] = 1, 1
            continue
        least[node] = np.iinfo(np.int64).max
        for split in range(splits[node], splits[node + 1]):
            depth, length, all_nodes, nonterminal, terminal = 0, size[node], 1, 1, 0
            for edge in range(split_edges[split], split_edges[split + 1]):
                below = least[edge_to[edge]]
                depth = max(depth, below[0])
                length += below[1]
                all_nodes += below[2]
                nonterminal += below[3]
                terminal += below[4]
            least[node, 0] = min(least[node, 0], depth + 1)
            least[node, 1] = min(least[node, 1], length)
            least[node, 2] = min(least[node, 2], all_nodes)
            least[node, 3] = min(least[node, 3], nonterminal)
            least[node, 4] = min(least[node, 4], terminal)
    return least
