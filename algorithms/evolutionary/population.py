"""The trees of a population (Jankowski & Jackowski 2014): the root has index 1, node i has children 2i and 2i + 1.

Only existing nodes are stored, in the order of their indices, which is breadth-first. So siblings are neighbours, and
the children of the k-th nonterminal node (from 0) are at positions 2k + 1 and 2k + 2. `generations.MOST_DEPTH` limits
the depth so that indices fit into int64.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import allocating
from algorithms.evolutionary.draws import draw_below, draw_true
from algorithms.trees.node_kinds import NO_ATTRIBUTE

NODE = np.dtype([("index", "i8"), ("attribute", "i4"), ("cut", "i4"), ("label", "i4"), ("left", "i4")])
"""A node: its index; the attribute and the cut of its test, if terminal NO_ATTRIBUTE and 0; its class, -1 if
nonterminal; the position of its left child, 0 if terminal.
"""


class Population(NamedTuple):
    """The trees of a population, one after another in one array."""

    nodes: Any  # (capacity,) NODE: tree i has the nodes from start[i] up to, not including, start[i + 1]
    start: Any  # (trees + 1,) int64
    depth: Any  # (trees,) int64: edges from the root to the deepest node
    correct: Any  # (trees,) int64: weight of the rows that the tree classifies correctly


class Tests(NamedTuple):
    """The tests that may be drawn for a node."""

    cuts: Any  # (attributes,) int64: number of tests of each attribute, at least 1
    classes: Any  # number of classes


@allocating
def level_of(index):
    """Edges from the root to the node with this index."""
    level = 0
    while index > 1:
        index >>= 1
        level += 1
    return level


@allocating
def draw_node(node, tests, stream):
    """Draw a test for a nonterminal node: an attribute, then one of its cuts; draw a class for a terminal one."""
    if node.attribute == NO_ATTRIBUTE:
        node.label = draw_below(stream, tests.classes)
    else:
        node.attribute = draw_below(stream, len(tests.cuts))
        node.cut = draw_below(stream, tests.cuts[node.attribute])


@allocating
def grown(tests, split_probability, max_depth, stream, out):
    """Write a random tree into `out` and return the number of its nodes; -1 if `out` is too short.

    The root is split. Every other node above level max_depth is split with probability split_probability.
    """
    if len(out) < 3:
        return -1
    number = 1
    out[0].index = 1
    position = 0
    while position < number:
        node = out[position]
        splits = position == 0 or (node.index >> max_depth == 0 and draw_true(stream, split_probability))
        node.attribute, node.cut, node.label, node.left = NO_ATTRIBUTE, 0, -1, 0
        if splits:
            if number + 2 > len(out):
                return -1
            node.attribute, node.left = 0, number
            out[number].index, out[number + 1].index = 2 * node.index, 2 * node.index + 1
            number += 2
        draw_node(node, tests, stream)
        position += 1
    return number


@allocating
def height(tree, position):
    """Edges from the node at a position to the deepest node below it."""
    result, first, end = 0, position, position + 1
    while True:
        below_first, below_end = 0, 0
        for k in range(first, end):  # the nodes of a level of a subtree are neighbours
            if tree[k].attribute != NO_ATTRIBUTE:
                if below_first == 0:
                    below_first = tree[k].left
                below_end = tree[k].left + 2
        if below_first == 0:
            return result
        result, first, end = result + 1, below_first, below_end


@allocating
def crossed(first, position, second, second_position, out, dropped, graft, graft_index):
    """Write the first tree into `out`, with the subtree at `position` replaced by the second's at `second_position`.

    The root of the new subtree takes the index of the node that it replaces. Returns the number of nodes. dropped,
    graft, graft_index: scratch, as long as the longest tree.
    """
    graft[0], graft_index[0], grafts = second_position, first[position].index, 1
    k = 0
    while k < grafts:
        node = second[graft[k]]
        if node.attribute != NO_ATTRIBUTE:
            graft[grafts], graft[grafts + 1] = node.left, node.left + 1
            graft_index[grafts], graft_index[grafts + 1] = 2 * graft_index[k], 2 * graft_index[k] + 1
            grafts += 2
        k += 1
    dropped[: len(first)] = False
    dropped[position] = True
    number, nonterminal, k = np.int64(0), np.int64(0), 0
    for index in range(len(first)):
        node = first[index]
        if dropped[index] and node.attribute != NO_ATTRIBUTE:
            dropped[node.left] = dropped[node.left + 1] = True
        while k < grafts and graft_index[k] <= node.index:
            number, nonterminal = _put(out, number, nonterminal, second[graft[k]], graft_index[k])
            k += 1
        if not dropped[index]:
            number, nonterminal = _put(out, number, nonterminal, node, node.index)
    while k < grafts:
        number, nonterminal = _put(out, number, nonterminal, second[graft[k]], graft_index[k])
        k += 1
    return number


@allocating
def _put(out, number, nonterminal, node, index):
    """Append a copy of a node, with another index, to `out`; return the new numbers of nodes and nonterminal nodes."""
    new = out[number]
    new.index, new.attribute, new.cut, new.label, new.left = index, node.attribute, node.cut, node.label, 0
    if node.attribute != NO_ATTRIBUTE:
        new.left = 2 * nonterminal + 1
        nonterminal += 1
    return number + 1, nonterminal
