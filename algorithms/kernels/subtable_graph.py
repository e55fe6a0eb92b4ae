"""The graph of separable subtables of a table of any shape, and the minima of the five costs on it.

Depth first: a subtable's branches are finished before it is, so that its number is greater than theirs and one pass
through the numbers gives every minimum. A subtable is told apart by its first row and the attributes on which its rows
differ: of subtables with the same first row and the same constant attributes there is only one.
"""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["build", "minima", "pack"]

ZERO = np.uint64(0)
MIX = np.uint64(0x9E37_79B9_7F4A_7C15)
UNSEEN = -1


@njit(nogil=True, cache=True)
def pack(columns, values):
    """(words (rows, words), word (attributes,), shift (attributes,)): each attribute in a bit field of its own."""
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
    return words, word, shift


@njit(nogil=True, cache=True)
def _grown(array, size):
    larger = np.empty((size, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


@njit(nogil=True, cache=True)
def _place(table, keys, key):
    """Where in the hash table the key stands, or is to stand."""
    mixed = ZERO
    for part in key:
        mixed = (mixed ^ part) * MIX
        mixed ^= mixed >> np.uint64(29)
    last = np.uint64(len(table) - 1)
    place = mixed & last
    while table[place] != UNSEEN:
        same = True
        for i in range(len(key)):
            same &= keys[table[place], i] == key[i]
        if same:
            break
        place = (place + np.uint64(1)) & last
    return place


@njit(nogil=True, cache=True)
def _rehashed(table, keys, count):
    larger = np.full(2 * len(table), UNSEEN, np.int64)
    for number in range(count):
        larger[_place(larger, keys, keys[number])] = number
    return larger


@njit(nogil=True, cache=True)
def build(columns, words, decisions, weights, values, limit):
    """The graph as (size, decision, splits, split_attribute, split_edges, edge_code, edge_to); whole table last.

    size (nodes,) sums the weights; decision (nodes,) is the common decision, -1 at nonterminal nodes; node i has the
    splits from splits[i] to splits[i + 1], one per attribute not constant on it; split j has the edges from
    split_edges[j] to split_edges[j + 1]. All are empty where there would be more than `limit` nodes.
    """
    attributes, n = columns.shape
    n_words = words.shape[1]
    most_values = values.max() if attributes else 1
    branches = values.sum()
    # results
    size, decision, splits = np.empty(64, np.int64), np.empty(64, np.int32), np.zeros(65, np.int64)
    split_attribute, split_edges = np.empty(256, np.int32), np.zeros(257, np.int64)
    edge_code, edge_to = np.empty(1024, np.int32), np.empty(1024, np.int64)
    nodes, n_splits, n_edges = 0, 0, 0
    # subtables seen: first row and words of differing attributes
    keys = np.zeros((64, n_words + 1), np.uint64)
    table = np.full(256, UNSEEN, np.int64)
    # one frame a level: its rows, key, the split it is at, and its finished branches
    levels = attributes + 2
    rows, parts = np.zeros((levels, n), np.int64), np.zeros((levels, n), np.int64)
    ends = np.zeros((levels, most_values + 1), np.int64)
    key, frame_size = np.zeros((levels, n_words + 1), np.uint64), np.zeros(levels, np.int64)
    attribute, value, length = np.zeros(levels, np.int64), np.zeros(levels, np.int64), np.zeros(levels, np.int64)
    done_code, done_to = np.zeros((levels, branches + 1), np.int32), np.zeros((levels, branches + 1), np.int64)
    done_split, done_end = np.zeros((levels, attributes + 1), np.int32), np.zeros((levels, attributes + 2), np.int64)
    done, done_splits = np.zeros(levels, np.int64), np.zeros(levels, np.int64)

    level = 0
    rows[0, :n] = np.arange(n)
    length[0] = n
    entering = True
    while level >= 0:
        mine = rows[level, : length[level]]
        finished = UNSEEN
        if entering:
            entering = False
            key[level, 0] = mine[0]
            key[level, 1:] = ZERO
            pure = True
            total = 0
            for row in mine:
                for i in range(n_words):
                    key[level, 1 + i] |= words[row, i] ^ words[mine[0], i]
                pure &= decisions[row] == decisions[mine[0]]
                total += weights[row]
            frame_size[level] = total
            finished = table[_place(table, keys, key[level])]
            attribute[level] = attributes if pure else -1
            value[level], done[level], done_splits[level] = most_values, 0, 0
        if finished == UNSEEN:
            # the next branch of this attribute, or the first of the next that splits
            code = value[level]
            while True:
                if attribute[level] >= 0 and attribute[level] < attributes:
                    last = values[attribute[level]]
                    while code < last and ends[level, code + 1] == ends[level, code]:
                        code += 1
                    if code < last:
                        break
                    done_splits[level] += 1
                    done_end[level, done_splits[level]] = done[level]
                attribute[level] += 1
                while attribute[level] < attributes:
                    column = columns[attribute[level]]
                    differs = False
                    for row in mine:
                        if column[row] != column[mine[0]]:
                            differs = True
                            break
                    if differs:
                        break
                    attribute[level] += 1
                if attribute[level] >= attributes:
                    break
                done_split[level, done_splits[level]] = attribute[level]
                end = ends[level]
                end[:] = 0
                for row in mine:
                    end[column[row] + 1] += 1
                for i in range(1, most_values + 1):
                    end[i] += end[i - 1]
                at = end.copy()
                for row in mine:
                    parts[level, at[column[row]]] = row
                    at[column[row]] += 1
                code = 0
            if attribute[level] < attributes:
                value[level] = code
                first, stop = ends[level, code], ends[level, code + 1]
                rows[level + 1, : stop - first] = parts[level, first:stop]
                length[level + 1] = stop - first
                level += 1
                entering = True
                continue
            # finished: give it a number, and lay its splits and edges down
            if nodes == limit:
                return (
                    size[:0],
                    decision[:0],
                    splits[:0],
                    split_attribute[:0],
                    split_edges[:0],
                    edge_code[:0],
                    edge_to[:0],
                )
            if nodes == len(size):
                size, decision, splits = (
                    _grown(size, 2 * nodes),
                    _grown(decision, 2 * nodes),
                    _grown(splits, 2 * nodes + 1),
                )
                keys = _grown(keys, 2 * nodes)
            if n_splits + attributes > len(split_attribute):
                split_attribute = _grown(split_attribute, 2 * (n_splits + attributes))
                split_edges = _grown(split_edges, len(split_attribute) + 1)
            if n_edges + branches > len(edge_code):
                edge_code = _grown(edge_code, 2 * (n_edges + branches))
                edge_to = _grown(edge_to, len(edge_code))
            finished = nodes
            keys[finished] = key[level]
            size[finished] = frame_size[level]
            terminal = done_splits[level] == 0
            decision[finished] = decisions[mine[0]] if terminal else -1
            for i in range(done_splits[level]):
                split_attribute[n_splits] = done_split[level, i]
                for edge in range(done_end[level, i], done_end[level, i + 1]):
                    edge_code[n_edges], edge_to[n_edges] = done_code[level, edge], done_to[level, edge]
                    n_edges += 1
                n_splits += 1
                split_edges[n_splits] = n_edges
            nodes += 1
            splits[nodes] = n_splits
            if 2 * nodes > len(table):
                table = _rehashed(table, keys, nodes)
            else:
                table[_place(table, keys, key[level])] = finished
        level -= 1
        if level >= 0:
            done_code[level, done[level]], done_to[level, done[level]] = value[level], finished
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
