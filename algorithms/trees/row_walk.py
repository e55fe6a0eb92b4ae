"""Send rows down a decision tree; a row with a missing value may be divided among branches."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms._numba.decorators import inner, kernel, large, outer
from algorithms._numba.sorting import INDEX_BITS, INDEX_MASK, sort
from algorithms.trees.node_kinds import ALL_BRANCHES, NO_NODE, NodeKind

CODE_LIMIT = 2.0**31
"""Codes are int32, so numbers from this on are unknown codes."""
BLOCK = 64
"""Rows that go down a tree together, to overlap their memory accesses."""
TARGETS_PER_EDGE = 8
"""Maximum length of the table of a CODES node, per edge; a node that needs a longer one is searched."""
ONE_BOUND, CODE_TABLE, SEARCH = range(3)
"""How a step finds the next node: by one comparison, a table of all codes, or a search of the edges."""

NODE = np.dtype(
    [
        ("kind", np.int32),
        ("attribute", np.int32),
        ("unknown_to", np.int32),
        ("first_edge", np.int32),
        ("end_edge", np.int32),
        ("first_child", np.int32),
        ("end_child", np.int32),
        ("share", np.float64),  # share of the counts of all children of its parent
    ]
)
EDGE = np.dtype([("bound", np.float64), ("code", np.int32), ("to", np.int32)])
STEP = np.dtype(
    [
        ("bound", np.float64),
        ("attribute", np.uint32),
        ("first_target", np.uint32),
        ("codes", np.uint32),
        ("form", np.uint32),
    ]
)


class Walk(NamedTuple):
    """A tree as the kernels read it. `node_kinds` explains the tests and ALL_BRANCHES."""

    nodes: NDArray[Any]  # (nodes,) NODE
    edges: NDArray[Any]  # (edges,) EDGE, those of a CODES node by increasing code
    coefficients: NDArray[np.float64]  # (LINEAR nodes, attributes)
    children: NDArray[np.int64]  # the children of all nodes, grouped by parent
    steps: NDArray[Any]  # (nodes,) STEP
    targets: NDArray[np.int32]
    """The targets of all ONE_BOUND and CODE_TABLE steps, one step after another. From `first_target` on, a step has one
    for missing values and unknown codes. Then follow those for values up to the bound and above it, or for the codes
    0 to `codes` - 1. A target is the next node; or ~node, if `node` is the last that the whole row reaches."""


@large
def write_walk(kind, attribute, edges, edge_code, edge_bound, edge_to, unknown_to, weight, walk, parent, below, order):
    """Write a walk, whose coefficients are written already, from the arrays of a tree.

    kind, attribute, unknown_to (nodes,) : as in `DecisionTree`
    edges (nodes + 1,), edge_code, edge_bound, edge_to (edges,) : as in `DecisionTree`
    weight (nodes,) : the weight of the training rows at each node
    parent, below (nodes,) : scratch: the parent of each node but the root, and the weight of all children
    order (edges,) int64 : scratch: keys to sort the edges of a node
    """
    nodes, ordered, children, steps, targets = walk.nodes, walk.edges, walk.children, walk.steps, walk.targets
    for node in range(len(nodes)):
        nodes[node].end_child, below[node] = 0, 0
        for edge in range(edges[node], edges[node + 1]):
            parent[edge_to[edge]] = node
            order[edge] = edge
            if kind[node] == NodeKind.CODES:
                order[edge] |= np.int64(edge_code[edge]) << INDEX_BITS
        sort(order[edges[node] : edges[node + 1]])
        for edge in range(edges[node], edges[node + 1]):
            given = order[edge] & INDEX_MASK
            ordered[edge].bound, ordered[edge].code = edge_bound[given], edge_code[given]
            ordered[edge].to = edge_to[given]
        if unknown_to[node] >= 0:
            parent[unknown_to[node]] = node
    for node in range(1, len(nodes)):
        below[parent[node]] += weight[node]
        nodes[parent[node]].end_child += 1
    next_child = 0
    for node in range(len(nodes)):
        record = nodes[node]
        record.kind, record.attribute, record.unknown_to = kind[node], attribute[node], unknown_to[node]
        if unknown_to[node] == ALL_BRANCHES and below[node] == 0:
            record.unknown_to = NO_NODE
        record.first_edge, record.end_edge = edges[node], edges[node + 1]
        record.first_child, next_child = next_child, next_child + record.end_child
        record.end_child = record.first_child
        record.share = weight[node] / below[parent[node]] if node > 0 and below[parent[node]] > 0 else 0.0
    for node in range(1, len(nodes)):
        above = nodes[parent[node]]
        children[above.end_child] = node
        above.end_child += 1
    _write_steps(nodes, ordered, steps, targets)


@inner
def _write_steps(nodes, edges, steps, targets):
    """Write the `steps` and `targets` of a walk from its nodes and edges."""
    end = 0
    for node in range(len(nodes)):
        record, step = nodes[node], steps[node]
        number = record.end_edge - record.first_edge
        coded = record.kind == NodeKind.CODES
        size = edges[record.end_edge - 1].code + 1 if coded else number
        step.form = SEARCH
        if (record.kind == NodeKind.BOUNDS and number <= 2) or (coded and size <= TARGETS_PER_EDGE * number):
            step.form = CODE_TABLE if coded else ONE_BOUND
            step.bound, step.codes = edges[record.first_edge].bound, size
            step.attribute, step.first_target = record.attribute, end
            first, end = end, end + 1 + size
            for index in range(first, end):
                targets[index] = record.unknown_to
            for edge in range(record.first_edge, record.end_edge):
                targets[first + 1 + (edges[edge].code if coded else edge - record.first_edge)] = edges[edge].to
            for index in range(first, end):
                targets[index] = _target(nodes, node, np.int64(targets[index]))


@inner
def _target(nodes, node, to):
    """The entry of `targets` for rows that go from `node` to `to`, which may be NO_NODE or ALL_BRANCHES."""
    if to < 0:
        return ~node
    return to if nodes[to].kind != NodeKind.TERMINAL else ~to


@inner
def _code_edge(edges, first, end, value):
    """The edge from `first` up to `end` with this code; -1 if no edge has it."""
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


@inner
def _bound_edge(edges, first, end, value):
    """The first edge from `first` up to `end` whose bound is at least the value."""
    last = end - 1
    while first < last:
        middle = (first + last) // 2
        if edges[middle].bound < value:
            first = middle + 1
        else:
            last = middle
    return first


@inner
def _next_node(nodes, edges, coefficients, values, row, node):
    """Where a row goes from a node: the next node, NO_NODE if it ends there, or ALL_BRANCHES."""
    record = nodes[node]
    if record.kind == NodeKind.TERMINAL:
        return np.int64(NO_NODE)
    if record.kind == NodeKind.LINEAR:
        value = 0.0
        for index in range(coefficients.shape[1]):
            if coefficients[record.attribute, index] != 0:
                value += coefficients[record.attribute, index] * values[row, index]
    else:
        value = values[row, record.attribute]
    if np.isnan(value):
        return np.int64(record.unknown_to)
    if record.kind != NodeKind.CODES:
        return np.int64(edges[_bound_edge(edges, record.first_edge, record.end_edge, value)].to)
    edge = _code_edge(edges, record.first_edge, record.end_edge, value)
    if edge >= 0:
        return np.int64(edges[edge].to)
    return np.int64(NO_NODE if record.unknown_to == ALL_BRANCHES and value >= 0 else record.unknown_to)


@outer
def next_nodes(walk, node, values, rows, to):
    """Write where each of `rows`, indices in `values` (all rows, attributes), goes from a node into `to` (rows,)."""
    nodes, edges, coefficients = walk.nodes, walk.edges, walk.coefficients
    for index in range(len(rows)):
        to[index] = _next_node(nodes, edges, coefficients, values, rows[index], node)


@outer
def visits(walk, values, decisions, weights, counts):
    """Add the weight of each row to the count of its decision at the nodes that the whole row reaches."""
    nodes, edges, coefficients = walk.nodes, walk.edges, walk.coefficients
    for row in range(len(values)):
        node = np.int64(0)
        while node >= 0:
            counts[node, decisions[row]] += weights[row]
            # with the types of `last_nodes`, so that `_next_node` is compiled once
            node = _next_node(nodes, edges, coefficients, values, np.uint64(row), np.uint32(node))


@outer
def last_nodes(walk, values, last, shared, rows, at):
    """Write the last node that each whole row reaches, and whether the row is divided among the branches there.

    All rows of a block take one step, then the next, until all have ended.

    values (rows, attributes), last (rows,), shared (rows,) : input, and both results
    rows (BLOCK,) uint64, at (BLOCK,) uint32 : scratch for the rows of a block that have not ended, and their nodes
    """
    nodes, edges, coefficients, steps, targets = walk.nodes, walk.edges, walk.coefficients, walk.steps, walk.targets
    for first in range(0, len(values), BLOCK):
        going = np.uint64(min(BLOCK, len(values) - first))
        for index in range(going):
            rows[index], at[index] = np.uint64(first) + index, 0
        while going > 0:
            left = np.uint64(0)
            for index in range(going):
                row, node = rows[index], at[index]
                step = steps[node]
                if step.form == ONE_BOUND:
                    value = values[row, step.attribute]
                    case = np.uint64(value > step.bound) + np.uint64(not np.isnan(value))
                    to = np.int64(targets[step.first_target + case])
                elif step.form == CODE_TABLE:
                    case = _case_of_code(values[row, step.attribute], step.codes)
                    to = np.int64(targets[step.first_target + case])
                else:
                    to = _target(nodes, np.int64(node), _next_node(nodes, edges, coefficients, values, row, node))
                last[row] = to if to >= 0 else ~to
                rows[left], at[left] = row, to
                left += np.uint64(to >= 0)
            going = left
    for row in range(len(values)):
        end = nodes[last[row]]
        shared[row] = end.unknown_to == ALL_BRANCHES and not (
            end.kind == NodeKind.CODES and values[row, end.attribute] >= 0
        )


@inner
def _case_of_code(value, codes):
    """The index of a value's target in its step: 1 + the code if it is an integer from 0 to `codes` - 1; else 0."""
    known = value if 0 <= value < codes else -1.0
    code = np.int64(known)
    return np.uint64(code + 1 if code == known else 0)


@inner
def _parts(nodes, edges, coefficients, children, values, row, first, parts, shares):
    """Write the nodes where the parts of a row end into `parts`, and their shares into `shares`; return their number.

    Both arrays are (nodes,). Parts that have ended are at the front; a stack of the others is at the back. `first` is
    the last node that the whole row reaches.
    """
    limit = len(nodes)
    ended, top = 0, limit - 1
    parts[top], shares[top] = first, 1.0
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
            for index in range(nodes[node].end_child - 1, nodes[node].first_child - 1, -1):
                child = children[index]
                if nodes[child].share > 0:
                    top -= 1
                    parts[top], shares[top] = child, share * nodes[child].share
    return ended


@kernel
def distributions(walk, values, last, rows, answers, result):
    """For each of `rows`, write the mean answer of the nodes where its parts end, weighted by their shares.

    last (all rows,) : as written by `last_nodes`
    rows (n,) : indices of rows
    answers (nodes, classes) : the answer of each node
    result (all rows, classes) : the means, for `rows` only
    """
    nodes, edges, coefficients, children, _, _ = walk
    parts, shares = np.zeros(len(nodes), np.int64), np.zeros(len(nodes))
    for row in rows:
        ends = _parts(nodes, edges, coefficients, children, values, row, last[row], parts, shares)
        for decision in range(answers.shape[1]):
            result[row, decision] = 0
            for part in range(ends):
                result[row, decision] += shares[part] * answers[parts[part], decision]


@kernel
def add_weight_ending(walk, values, last, shared, weights, ended):
    """Add the weight of each row, divided by its shares, to `ended` (nodes,) at the nodes where its parts end.

    last, shared (rows,) : as written by `last_nodes`
    """
    nodes, edges, coefficients, children, _, _ = walk
    parts, shares = np.zeros(len(nodes), np.int64), np.zeros(len(nodes))
    for row in range(len(values)):
        if not shared[row]:
            ended[last[row]] += weights[row]
            continue
        for part in range(_parts(nodes, edges, coefficients, children, values, row, last[row], parts, shares)):
            ended[parts[part]] += shares[part] * weights[row]
