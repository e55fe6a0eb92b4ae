"""The first fault of arrays that should be a decision tree."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import cells
from algorithms._numba.sorting import sort

__all__ = ["ALL_BRANCHES", "NO_NODE", "Fault", "NodeKind", "first_fault"]


class Fault(IntEnum):
    """The fault of a node."""

    NONE = 0
    EDGES = 1  # `edges` counts down
    KIND = 2  # its kind or number of edges
    FOLLOWED = 3  # it is terminal and has an unknown branch
    NAMELESS = 4  # its decision
    ATTRIBUTE = 5
    SHARED = 6  # it has shares without counts
    NO_CODE = 7  # an edge for no code
    CODE = 8  # two edges for one code
    BOUND = 9  # its bounds
    ORDER = 10  # an edge to no node after it
    PARENTS = 11


class NodeKind(IntEnum):
    """The test of a node."""

    TERMINAL = 0
    """None: its decision is the answer."""
    CODES = 1
    """The code of its attribute. An edge per code; edges of several codes may lead to one node (a subset)."""
    BOUNDS = 2
    """The first bound not below its attribute. Edges by increasing bound, the last infinite: two make a threshold."""
    LINEAR = 3
    """As BOUNDS, for the sum of the attributes times the node's coefficients; a factor of 0 leaves an attribute out."""


NO_NODE = -1
ALL_BRANCHES = -2
"""A missing value goes down every branch, with the branch's share of the rows that the tree was built from."""


@inner
def _has_repeats(edge_code, first, end, codes):
    """Whether a code occurs twice."""
    number = end - first
    for k in range(number):
        codes[k] = edge_code[first + k]
    sort(codes[:number])
    repeated = False
    for k in range(1, number):
        repeated |= codes[k] == codes[k - 1]
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
            return Fault.EDGES, node, NO_NODE
        terminal = kind[node] == NodeKind.TERMINAL
        if kind[node] > NodeKind.LINEAR or terminal != (edges[node] == edges[node + 1]):
            return Fault.KIND, node, NO_NODE
        if terminal and unknown_to[node] != NO_NODE:
            return Fault.FOLLOWED, node, NO_NODE
        if decision[node] < 0:
            return Fault.NAMELESS, node, NO_NODE
        if not terminal and (attribute[node] < 0 or (kind[node] == NodeKind.LINEAR and attribute[node] >= linear)):
            return Fault.ATTRIBUTE, node, NO_NODE
        if unknown_to[node] == ALL_BRANCHES and not counted:
            return Fault.SHARED, node, NO_NODE
    for node in range(nodes):
        parent[node] = NO_NODE
    for node in range(nodes):
        first, end, rising = edges[node], edges[node + 1], True
        for edge in range(first, end):
            if kind[node] == NodeKind.CODES:
                code = edge_code[edge]
                if code < 0:
                    return Fault.NO_CODE, node, NO_NODE
                rising = rising and (edge == first or code > edge_code[edge - 1])
            elif edge == end - 1:
                if edge_bound[edge] != np.inf:
                    return Fault.BOUND, node, NO_NODE
            elif not (np.isfinite(edge_bound[edge]) and edge_bound[edge + 1] > edge_bound[edge]):
                return Fault.BOUND, node, NO_NODE
        if not rising and _has_repeats(edge_code, first, end, codes):
            return Fault.CODE, node, NO_NODE
        for edge in range(first, end + 1):
            to = edge_to[edge] if edge < end else unknown_to[node]
            if edge == end and NO_NODE >= to >= ALL_BRANCHES:
                continue
            if not node < to < nodes:
                return Fault.ORDER, node, to
            if parent[to] != NO_NODE and parent[to] != node:
                return Fault.PARENTS, to, NO_NODE
            parent[to] = node
    for node in range(1, nodes):
        if parent[node] == NO_NODE:
            return Fault.PARENTS, node, NO_NODE
    return Fault.NONE, NO_NODE, NO_NODE
