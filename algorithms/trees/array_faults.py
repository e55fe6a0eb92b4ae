"""The first fault of arrays that should be a decision tree."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import cells
from algorithms._numba.sorting import sort

__all__ = [
    "ALL_BRANCHES",
    "BOUND",
    "BOUNDS",
    "CODE",
    "CODES",
    "EDGES",
    "FOLLOWED",
    "KIND",
    "LINEAR",
    "NAMELESS",
    "NO_CODE",
    "NO_NODE",
    "ORDER",
    "PARENTS",
    "RIGHT",
    "SHARED",
    "TERMINAL",
    "UNKNOWN_ATTRIBUTE",
    "first_fault",
]

RIGHT = 0
"""Nothing is wrong."""
EDGES, KIND, FOLLOWED, NAMELESS, UNKNOWN_ATTRIBUTE, SHARED, NO_CODE, CODE, BOUND, ORDER, PARENTS = range(1, 12)
"""Of a node: `edges` counts down; its kind or number of edges; a terminal node's unknown branch; its decision; its
attribute; shares without counts; an edge for no code; two edges for one code; its bounds; an edge to none after it; its
parents."""

TERMINAL, CODES, BOUNDS, LINEAR = range(4)
"""Kinds of nodes: `algorithms.trees.arrays.NodeKind`."""
NO_NODE = -1
ALL_BRANCHES = -2
"""A missing value goes down every branch, with the branch's share of the rows that the tree was built from."""


@inner
def _has_repeats(edge_code, first, end, codes):
    """Whether a code occurs twice."""
    number = end - first
    for place in range(number):
        codes[place] = edge_code[first + place]
    sort(codes[:number])
    repeated = False
    for place in range(1, number):
        repeated |= codes[place] == codes[place - 1]
    return repeated


@outer
def first_fault(
    kind, attribute, decision, edges, edge_code, edge_bound, edge_to, unknown_to, counted, linear, parent, codes
):
    """The fault, the node, and the node that its edge leads to; `edges` counts from 0 to the number of edges.

    counted : whether there are counts; linear : number of nodes with coefficients
    parent (nodes,) int64, codes (edges,) int64 : scratch
    """
    nodes, codes = len(kind), cells(codes)
    for node in range(nodes):
        if edges[node] > edges[node + 1]:
            return EDGES, node, NO_NODE
        terminal = kind[node] == TERMINAL
        if kind[node] > LINEAR or terminal != (edges[node] == edges[node + 1]):
            return KIND, node, NO_NODE
        if terminal and unknown_to[node] != NO_NODE:
            return FOLLOWED, node, NO_NODE
        if decision[node] < 0:
            return NAMELESS, node, NO_NODE
        if not terminal and (attribute[node] < 0 or (kind[node] == LINEAR and attribute[node] >= linear)):
            return UNKNOWN_ATTRIBUTE, node, NO_NODE
        if unknown_to[node] == ALL_BRANCHES and not counted:
            return SHARED, node, NO_NODE
    for node in range(nodes):
        parent[node] = NO_NODE
    for node in range(nodes):
        first, end, rising = edges[node], edges[node + 1], True
        for edge in range(first, end):
            if kind[node] == CODES:
                code = edge_code[edge]
                if code < 0:
                    return NO_CODE, node, NO_NODE
                rising = rising and (edge == first or code > edge_code[edge - 1])
            elif edge == end - 1:
                if edge_bound[edge] != np.inf:
                    return BOUND, node, NO_NODE
            elif not (np.isfinite(edge_bound[edge]) and edge_bound[edge + 1] > edge_bound[edge]):
                return BOUND, node, NO_NODE
        if not rising and _has_repeats(edge_code, first, end, codes):
            return CODE, node, NO_NODE
        for edge in range(first, end + 1):
            to = edge_to[edge] if edge < end else unknown_to[node]
            if edge == end and NO_NODE >= to >= ALL_BRANCHES:
                continue
            if not node < to < nodes:
                return ORDER, node, to
            if parent[to] != NO_NODE and parent[to] != node:
                return PARENTS, to, NO_NODE
            parent[to] = node
    for node in range(1, nodes):
        if parent[node] == NO_NODE:
            return PARENTS, node, NO_NODE
    return RIGHT, NO_NODE, NO_NODE
