"""Rows on their way down a decision tree, one at a time; a row with a missing value may be shared among branches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from algorithms.tree_arrays import ALL_BRANCHES, NO_NODE, NodeKind

__all__ = ["Walk", "arrivals", "distributions", "last_nodes", "next_nodes"]

TERMINAL, CODES, LINEAR = int(NodeKind.TERMINAL), int(NodeKind.CODES), int(NodeKind.LINEAR)
CODE_LIMIT = 2.0**31


class Walk(NamedTuple):
    """A tree as the kernels read it: as in `DecisionTree`, but for these.

    edge_code, edge_bound, edge_to: the edges of CODES nodes stand by increasing code
    child_of : (nodes + 1,) the children of node i are `child` from child_of[i] up to, not including, child_of[i + 1]
    share    : (nodes,) the share of a node in the `counts` of all children of its parent
    """

    kind: NDArray[np.uint8]
    attribute: NDArray[np.int32]
    edges: NDArray[np.int64]
    edge_code: NDArray[np.int32]
    edge_bound: NDArray[np.float64]
    edge_to: NDArray[np.int32]
    unknown_to: NDArray[np.int32]
    coefficients: NDArray[np.float64]
    child_of: NDArray[np.int64]
    child: NDArray[np.int64]
    share: NDArray[np.float64]


@njit(nogil=True, cache=True)
def _by_code(walk, node, value):
    """The node that a CODES node sends this value to."""
    if not value >= 0:
        return walk.unknown_to[node]
    first, end = walk.edges[node], walk.edges[node + 1]
    if value < CODE_LIMIT and np.floor(value) == value:
        code = np.int64(value)
        guess = first + code - walk.edge_code[first]  # right where the codes have no gaps
        if first <= guess < end and walk.edge_code[guess] == code:
            return walk.edge_to[guess]
        while first < end:
            middle = (first + end) // 2
            if walk.edge_code[middle] < code:
                first = middle + 1
            else:
                end = middle
        if first < walk.edges[node + 1] and walk.edge_code[first] == code:
            return walk.edge_to[first]
    to = walk.unknown_to[node]
    return NO_NODE if to == ALL_BRANCHES else to


@njit(nogil=True, cache=True)
def _by_bound(walk, node, value):
    """The node that a BOUNDS or LINEAR node sends this value to."""
    if np.isnan(value):
        return walk.unknown_to[node]
    first, last = walk.edges[node], walk.edges[node + 1] - 1
    while first < last:
        middle = (first + last) // 2
        if walk.edge_bound[middle] < value:
            first = middle + 1
        else:
            last = middle
    return walk.edge_to[first]


@njit(nogil=True, cache=True)
def _next_node(walk, node, row):
    """Where a row goes from a node: another node, NO_NODE if it ends there, or ALL_BRANCHES."""
    if walk.kind[node] == TERMINAL:
        return NO_NODE
    asked = walk.attribute[node]
    if walk.kind[node] == CODES:
        return _by_code(walk, node, row[asked])
    if walk.kind[node] == LINEAR:
        value = 0.0
        for place in range(walk.coefficients.shape[1]):
            if walk.coefficients[asked, place] != 0:
                value += walk.coefficients[asked, place] * row[place]
        return _by_bound(walk, node, value)
    return _by_bound(walk, node, row[asked])


@njit(nogil=True, cache=True)
def next_nodes(walk, node, values, rows, to):
    """Write where each of `rows`, indices into `values`, goes from a node into `to`."""
    for place in range(len(rows)):
        to[place] = _next_node(walk, node, values[rows[place]])


@njit(nogil=True, cache=True)
def last_nodes(walk, values, last, shared):
    """Write the last node that the whole row reaches into `last`, and whether it goes down all its branches."""
    for place in range(len(values)):
        node, to = 0, _next_node(walk, 0, values[place])
        while to >= 0:
            node, to = to, _next_node(walk, to, values[place])
        last[place] = node
        shared[place] = to == ALL_BRANCHES


@njit(nogil=True, cache=True)
def _parts(walk, row, nodes, shares):
    """Write the nodes at which parts of a row end, and what part, into `nodes` and `shares`; return their number.

    Both are (nodes,) and serve as a stack as well: what has ended stands at the front, what is on its way at the back.
    """
    limit = len(nodes)
    ended, top = 0, limit - 1
    nodes[top], shares[top] = 0, 1.0
    while top < limit:
        node, share = nodes[top], shares[top]
        top += 1
        to = _next_node(walk, node, row)
        while to >= 0:
            node, to = to, _next_node(walk, to, row)
        if to == NO_NODE:
            nodes[ended], shares[ended] = node, share
            ended += 1
        else:
            for place in range(walk.child_of[node + 1] - 1, walk.child_of[node] - 1, -1):
                child = walk.child[place]
                if walk.share[child] > 0:
                    top -= 1
                    nodes[top], shares[top] = child, share * walk.share[child]
    return ended


@njit(nogil=True, cache=True)
def distributions(walk, values, answers, found):
    """Add the `answers` (nodes, classes) at which each row ends, times its shares, into `found` (rows, classes)."""
    nodes, shares = np.zeros(len(walk.kind), np.int64), np.zeros(len(walk.kind))
    for place in range(len(values)):
        for part in range(_parts(walk, values[place], nodes, shares)):
            for decision in range(answers.shape[1]):
                found[place, decision] += shares[part] * answers[nodes[part], decision]


@njit(nogil=True, cache=True)
def arrivals(walk, values, weights, ended):
    """Add the weight of each row to the nodes at which it ends, by its shares, in `ended` (nodes,)."""
    nodes, shares = np.zeros(len(walk.kind), np.int64), np.zeros(len(walk.kind))
    for place in range(len(values)):
        for part in range(_parts(walk, values[place], nodes, shares)):
            ended[nodes[part]] += shares[part] * weights[place]
