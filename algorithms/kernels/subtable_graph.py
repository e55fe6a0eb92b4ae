"""The graph of separable subtables of a table of any shape, and the minima of the five costs on it.

Depth first: a subtable's branches are finished before it is, so that its number is greater than theirs and one pass
through the numbers gives every minimum. A subtable is told apart by its first row and the attributes on which its rows
differ: of subtables with the same first row and the same constant attributes there is only one.
"""

from __future__ import annotations

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
def _describe(rows, first, end, words, decisions, weights, key):
    """Write what tells the subtable rows[first:end] apart into `key`; (common decision, size)."""
    representative = rows[first]
    key[0] = np.uint64(representative)
    for word in range(words.shape[1]):
        differing = ZERO
        for i in range(first + 1, end):
            differing |= words[rows[i], word] ^ words[representative, word]
        key[1 + word] = differing
    common, size = decisions[representative], 0
    for i in range(first, end):
        size += weights[rows[i]]
        if decisions[rows[i]] != decisions[representative]:
            common = NOT_COMMON
    return common, size


@njit
def _place(table, keys, key):
    """Where in the hash table the key stands, or is to stand."""
    mixed = ZERO
    for part in key:
        mixed = (mixed ^ part) * MIX
        mixed ^= mixed >> MIX_SHIFT
    last = np.uint64(len(table) - 1)
    place = mixed & last
    while table[place] != UNSEEN:
        same = True
        for i in range(len(key)):
            same &= keys[table[place], i] == key[i]
        if same:
            break
        place = (place + ONE) & last
    return place


@njit
def _rehashed(table, keys, count):
    larger = np.full(2 * len(table), UNSEEN, np.int64)
    for number in range(count):
        larger[_place(larger, keys, keys[number])] = number
    return larger


@njit
def _next_splitting(columns, rows, length, attribute):
    """The first attribute from `attribute` on that is not constant on rows[:length], or how many there are."""
    while attribute < len(columns):
        column = columns[attribute]
        for i in range(1, length):
            if column[rows[i]] != column[rows[0]]:
                return attribute
        attribute += 1
    return attribute


@njit
def _sort_by_code(column, rows, length, values, ends, parts):
    """Lay rows[:length] in `parts` by code, in order within a code: those of code v end at ends[v]."""
    ends[:values] = 0
    for i in range(length):
        ends[column[rows[i]]] += 1
    first = 0
    for value in range(values):  # for now, where each code begins
        first, ends[value] = first + ends[value], first
    for i in range(length):
        value = column[rows[i]]
        parts[ends[value]] = rows[i]
        ends[value] += 1


@njit(nogil=True, cache=True)
def build(columns, words, decisions, weights, values, limit):
    """The graph as (size, decision, splits, split_attribute, split_edges, edge_code, edge_to); whole table last.

    size (nodes,) sums the weights; decision (nodes,) is the common decision, -1 at nonterminal nodes; node i has the
    splits from splits[i] to splits[i + 1], one per attribute not constant on it; split j has the edges from
    split_edges[j] to split_edges[j + 1]. All are empty where there would be more than `limit` nodes.
    """
    attributes, n = columns.shape
    most_values = values.max() if attributes else 1
    branches = values.sum()
    key_length = words.shape[1] + 1
    # the graph so far
    size, decision, splits = np.empty(64, np.int64), np.empty(64, np.int32), np.zeros(65, np.int64)
    split_attribute, split_edges = np.empty(256, np.int32), np.zeros(257, np.int64)
    edge_code, edge_to = np.empty(1024, np.int32), np.empty(1024, np.int64)
    keys, table = np.zeros((64, key_length), np.uint64), np.full(256, UNSEEN, np.int64)
    nodes, n_splits, n_edges = 0, 0, 0
    # the subtable being worked at each level: its rows, and where it is in its attributes and their codes
    levels = attributes + 1
    rows, parts = np.zeros((levels, n), np.int64), np.zeros((levels, n), np.int64)
    ends, key = np.zeros((levels, most_values), np.int64), np.zeros((levels, key_length), np.uint64)
    length, level_size = np.zeros(levels, np.int64), np.zeros(levels, np.int64)
    attribute, value, begin = np.zeros(levels, np.int64), np.zeros(levels, np.int64), np.zeros(levels, np.int64)
    # and its splits and edges so far, which join the graph when it is finished
    done_code, done_to = np.zeros((levels, branches + 1), np.int32), np.zeros((levels, branches + 1), np.int64)
    done_split, done_end = np.zeros((levels, attributes + 1), np.int32), np.zeros((levels, attributes + 1), np.int64)
    done, done_splits = np.zeros(levels, np.int64), np.zeros(levels, np.int64)

    level = 0
    rows[0] = np.arange(n)
    length[0] = n
    common, level_size[0] = _describe(rows[0], 0, n, words, decisions, weights, key[0])
    attribute[0] = -1 if common == NOT_COMMON else attributes
    value[0] = most_values
    while level >= 0:
        here = attribute[level]
        if 0 <= here < attributes and value[level] < values[here]:
            # a branch: seen before, or to be worked at the next level
            first, end = begin[level], ends[level, value[level]]
            begin[level] = end
            if first == end:
                value[level] += 1
                continue
            below = level + 1
            common, part_size = _describe(parts[level], first, end, words, decisions, weights, key[below])
            found = table[_place(table, keys, key[below])]
            if found != UNSEEN:
                done_code[level, done[level]], done_to[level, done[level]] = value[level], found
                done[level] += 1
                value[level] += 1
                continue
            rows[below, : end - first] = parts[level, first:end]
            length[below], level_size[below] = end - first, part_size
            attribute[below] = -1 if common == NOT_COMMON else attributes
            value[below], done[below], done_splits[below] = most_values, 0, 0
            level = below
            continue
        if here < attributes:
            # the next attribute that splits
            if here >= 0:
                done_split[level, done_splits[level]] = here
                done_end[level, done_splits[level]] = done[level]
                done_splits[level] += 1
            here = _next_splitting(columns, rows[level], length[level], here + 1)
            attribute[level] = here
            if here < attributes:
                _sort_by_code(columns[here], rows[level], length[level], values[here], ends[level], parts[level])
                value[level], begin[level] = 0, 0
                continue
        # finished: a number of its own, its splits and edges into the graph, its number to the branch it is
        if nodes == limit:
            return size[:0], decision[:0], splits[:0], split_attribute[:0], split_edges[:0], edge_code[:0], edge_to[:0]
        if nodes == len(size):
            size, decision, splits = _grown(size, 2 * nodes), _grown(decision, 2 * nodes), _grown(splits, 2 * nodes + 1)
            keys = _grown(keys, 2 * nodes)
        if 2 * nodes >= len(table):
            table = _rehashed(table, keys, nodes)
        if n_splits + attributes > len(split_attribute):
            split_attribute = _grown(split_attribute, 2 * (n_splits + attributes))
            split_edges = _grown(split_edges, len(split_attribute) + 1)
        if n_edges + branches > len(edge_code):
            edge_code, edge_to = _grown(edge_code, 2 * (n_edges + branches)), _grown(edge_to, 2 * (n_edges + branches))
        table[_place(table, keys, key[level])] = nodes
        keys[nodes] = key[level]
        size[nodes] = level_size[level]
        decision[nodes] = NOT_COMMON if done_splits[level] else decisions[rows[level, 0]]
        for i in range(done_splits[level]):
            split_attribute[n_splits] = done_split[level, i]
            split_edges[n_splits + 1] = n_edges + done_end[level, i]
            n_splits += 1
        for i in range(done[level]):
            edge_code[n_edges], edge_to[n_edges] = done_code[level, i], done_to[level, i]
            n_edges += 1
        nodes += 1
        splits[nodes] = n_splits
        level -= 1
        if level >= 0:
            done_code[level, done[level]], done_to[level, done[level]] = value[level], nodes - 1
            done[level] += 1
            value[level] += 1
    return (
        size[:nodes],
        decision[:nodes],
        splits[: nodes + 1],
        split_attribute[:n_splits],
        split_edges[: n_splits + 1],
        edge_code[:n_edges],
        edge_to[:n_edges],
    )


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
