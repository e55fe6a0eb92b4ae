"""Rows on their way down a decision tree, one at a time; a row with a missing value may be shared among branches."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from algorithms.tree_arrays import ALL_BRANCHES, NO_NODE, NodeKind

__all__ = ["EDGE", "NODE", "Walk", "arrivals", "distributions", "last_nodes", "next_nodes"]

TERMINAL, CODES, LINEAR = int(NodeKind.TERMINAL), int(NodeKind.CODES), int(NodeKind.LINEAR)
CODE_LIMIT = 2.0**31

NODE = np.dtype(
    [
        ("kind", np.int32),
        ("attribute", np.int32),
        ("unknown_to", np.int32),
        ("first_edge", np.int32),
        ("end_edge", np.int32),
        ("first_child", np.int32),
        ("end_child", np.int32),
        ("share", np.float64),  # in the counts of all children of its parent
    ]
)
EDGE = np.dtype([("bound", np.float64), ("code", np.int32), ("to", np.int32)])


class Walk(NamedTuple):
    """A tree as the kernels read it, what a step needs side by side.

    nodes        : (nodes,) NODE
    edges        : (edges,) EDGE, those of a CODES node by increasing code
    coefficients : (LINEAR nodes, attributes)
    children     : the children of all nodes, those of a node side by side
    """

    nodes: NDArray[Any]
    edges: NDArray[Any]
    coefficients: NDArray[np.float64]
    children: NDArray[np.int64]


@njit(nogil=True, cache=True)
def _code_edge(edges, first, end, value):
    """The edge of those from `first` up to `end` that is for this value; -1 if none is."""
    if not 0 <= value < CODE_LIMIT or np.floor(value) != value:
        return -1
    code = np.int64(value)
    while first < end:
        middle = (first + end) // 2
        if edges[middle].code == code:
            return middle
        if edges[middle].code < code:
            first = middle + 1
        else:
            end = middle
    return -1


@njit(nogil=True, cache=True)
def _bound_edge(edges, first, end, value):
    """The first edge of those from `first` up to `end` whose bound the value does not exceed."""
    last = end - 1
    while first < last:
        middle = (first + last) // 2
        if edges[middle].bound < value:
            first = middle + 1
        else:
            last = middle
    return first


@njit(nogil=True, cache=True)
def _next_node(nodes, edges, coefficients, values, row, node):
    """Where a row goes from a node: another node, NO_NODE if it ends there, or ALL_BRANCHES."""
    here = nodes[node]
    if here.kind == TERMINAL:
        return np.int64(NO_NODE)
    if here.kind == LINEAR:
        value = 0.0
        for place in range(coefficients.shape[1]):
            if coefficients[here.attribute, place] != 0:
                value += coefficients[here.attribute, place] * values[row, place]
    else:
        value = values[row, here.attribute]
    if np.isnan(value):
        return np.int64(here.unknown_to)
    if here.kind != CODES:
        return np.int64(edges[_bound_edge(edges, here.first_edge, here.end_edge, value)].to)
    edge = _code_edge(edges, here.first_edge, here.end_edge, value)
    if edge >= 0:
        return np.int64(edges[edge].to)
    return np.int64(NO_NODE if here.unknown_to == ALL_BRANCHES and value >= 0 else here.unknown_to)


@njit(nogil=True, cache=True)
def next_nodes(walk, node, values, rows, to):
    """Write where each of `rows`, indices into `values`, goes from a node into `to`."""
    nodes, edges, coefficients, _ = walk
    for place in range(len(rows)):
        to[place] = _next_node(nodes, edges, coefficients, values, rows[place], node)


@njit(nogil=True, cache=True)
def last_nodes(walk, values, last, shared):
    """Write the last node that the whole row reaches into `last`, and whether it goes down all its branches."""
    nodes, edges, coefficients, _ = walk
    for row in range(len(values)):
        node = np.int64(0)
        to = _next_node(nodes, edges, coefficients, values, row, node)
        while to >= 0:
            node = to
            to = _next_node(nodes, edges, coefficients, values, row, node)
        last[row] = node
        shared[row] = to == ALL_BRANCHES


@njit(nogil=True, cache=True)
def _parts(nodes, edges, coefficients, children, values, row, parts, shares):
    """Write the nodes at which parts of a row end, and what part, into `parts` and `shares`; return their number.

    Both are (nodes,) and serve as a stack as well: what has ended stands at the front, what is on its way at the back.
    """
    limit = len(nodes)
    ended, top = 0, limit - 1
    parts[top], shares[top] = 0, 1.0
    while top < limit:
        node, share = parts[top], shares[top]
        top += 1
        to = _next_node(nodes, edges, coefficients, values, row, node)
        while to >= 0:
            node = to
            to = _next_node(nodes, edges, coefficients, values, row, node)
        if to == NO_NODE:
            parts[ended], shares[ended] = node, share
            ended += 1
        else:
            for place in range(nodes[node].end_child - 1, nodes[node].first_child - 1, -1):
                child = children[place]
                if nodes[child].share > 0:
                    top -= 1
                    parts[top], shares[top] = child, share * nodes[child].share
    return ended


@njit(nogil=True, cache=True)
def distributions(walk, values, answers, found):
    """Add the `answers` (nodes, classes) at which each row ends, times its shares, into `found` (rows, classes)."""
    nodes, edges, coefficients, children = walk
    parts, shares = np.zeros(len(nodes), np.int64), np.zeros(len(nodes))
    for row in range(len(values)):
        for part in range(_parts(nodes, edges, coefficients, children, values, row, parts, shares)):
            for decision in range(answers.shape[1]):
                found[row, decision] += shares[part] * answers[parts[part], decision]


@njit(nogil=True, cache=True)
def arrivals(walk, values, weights, ended):
    """Add the weight of each row to the nodes at which it ends, by its shares, in `ended` (nodes,)."""
    nodes, edges, coefficients, children = walk
    parts, shares = np.zeros(len(nodes), np.int64), np.zeros(len(nodes))
    for row in range(len(values)):
        for part in range(_parts(nodes, edges, coefficients, children, values, row, parts, shares)):
            ended[parts[part]] += shares[part] * weights[row]
