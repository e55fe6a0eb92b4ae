"""The first thing that is wrong with arrays that should be a decision tree."""

from __future__ import annotations

import numpy as np

from algorithms.kernels.inner import inner, outer
from algorithms.kernels.sorting import sort

__all__ = [
    "BOUND",
    "CODE",
    "EDGES",
    "FOLLOWED",
    "KIND",
    "NAMELESS",
    "NO_CODE",
    "ORDER",
    "PARENTS",
    "RIGHT",
    "SHARED",
    "UNKNOWN_ATTRIBUTE",
    "first_fault",
]

RIGHT = 0
"""Nothing is wrong."""
EDGES, KIND, FOLLOWED, NAMELESS, UNKNOWN_ATTRIBUTE, SHARED, NO_CODE, CODE, BOUND, ORDER, PARENTS = range(1, 12)
"""Of a node: `edges` counts down; its kind or number of edges; a terminal node's unknown branch; its decision; its
attribute; shares without counts; an edge for no code; two edges for one code; its bounds; an edge to none after it; its
parents."""

TERMINAL, CODES, LINEAR = 0, 1, 3
NONE, ALL_BRANCHES = -1, -2


@inner
def _has_repeats(edge_code, first, end, codes):
    """Whether a code occurs twice, found by laying them in order."""
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
    """What is wrong, the node, and the node that its edge leads to; `edges` counts from 0 to the number of edges.

    counted : whether there are counts; linear : how many nodes have coefficients
    parent (nodes,) int64, codes (edges,) int32 : room
    """
    nodes = len(kind)
    for node in range(nodes):
        if edges[node] > edges[node + 1]:
            return EDGES, node, NONE
        terminal = kind[node] == TERMINAL
        if kind[node] > LINEAR or terminal != (edges[node] == edges[node + 1]):
            return KIND, node, NONE
        if terminal and unknown_to[node] != NONE:
            return FOLLOWED, node, NONE
        if decision[node] < 0:
            return NAMELESS, node, NONE
        if not terminal and (attribute[node] < 0 or (kind[node] == LINEAR and attribute[node] >= linear)):
            return UNKNOWN_ATTRIBUTE, node, NONE
        if unknown_to[node] == ALL_BRANCHES and not counted:
            return SHARED, node, NONE
    for node in range(nodes):
        parent[node] = NONE
    for node in range(nodes):
        first, end, rising = edges[node], edges[node + 1], True
        for edge in range(first, end):
            if kind[node] == CODES:
                code = edge_code[edge]
                if code < 0:
                    return NO_CODE, node, NONE
                rising = rising and (edge == first or code > edge_code[edge - 1])
            elif edge == end - 1:
                if edge_bound[edge] != np.inf:
                    return BOUND, node, NONE
            elif not (np.isfinite(edge_bound[edge]) and edge_bound[edge + 1] > edge_bound[edge]):
                return BOUND, node, NONE
        if not rising and _has_repeats(edge_code, first, end, codes):
            return CODE, node, NONE
        for edge in range(first, end + 1):
            to = edge_to[edge] if edge < end else unknown_to[node]
            if edge == end and NONE >= to >= ALL_BRANCHES:
                continue
            if not node < to < nodes:
                return ORDER, node, to
            if parent[to] != NONE and parent[to] != node:
                return PARENTS, to, NONE
            parent[to] = node
    for node in range(1, nodes):
        if parent[node] == NONE:
            return PARENTS, node, NONE
    return RIGHT, NONE, NONE
