"""What the arrays of a decision tree mean, and whether arrays are one."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from algorithms.tree import DecisionTree

__all__ = ["ALL_BRANCHES", "NO_ATTRIBUTE", "NO_NODE", "NodeKind", "TreeError", "check_arrays", "parents"]

NO_ATTRIBUTE = -1
NO_NODE = -1
ALL_BRANCHES = -2
"""Where a missing value goes down every branch, with the share of the branch in the rows a tree was built from."""


class TreeError(ValueError):
    """The arrays are not a decision tree, or it is not one for the table; the message names the node."""


class NodeKind(IntEnum):
    """What a node asks of a row."""

    TERMINAL = 0
    """Nothing: its decision is the answer."""
    CODES = 1
    """Which code its attribute has. An edge per code; edges of several codes may lead to one node (a subset)."""
    BOUNDS = 2
    """Which bound its attribute does not exceed. Edges by increasing bound, the last infinite: two make a threshold."""
    LINEAR = 3
    """As BOUNDS, of the sum of the attributes times the node's coefficients; an attribute times 0 is not asked."""


TERMINAL, CODES, BOUNDS, LINEAR = map(int, NodeKind)
"""As plain numbers, which arrays are compared with in a tenth of the time."""


def parents(tree: DecisionTree) -> NDArray[np.int32]:
    """(nodes,): the node that an edge or the unknown branch leads from to each node, NO_NODE for the root."""
    parent = np.full(len(tree.kind), NO_NODE, np.int32)
    parent[tree.edge_to] = _owners(tree)
    unknown = np.flatnonzero(tree.unknown_to >= 0)
    parent[tree.unknown_to[unknown]] = unknown
    return parent


def check_arrays(tree: DecisionTree) -> None:
    """Return only if the arrays fit together and are a tree; TreeError names what is wrong, and the node."""
    _check_sizes(tree)
    number = np.diff(tree.edges)
    owner = np.repeat(np.arange(len(tree.kind), dtype=np.int32), number)
    _check_kinds(tree, number)
    _check_codes(tree, owner)
    _check_bounds(tree, owner)
    _check_parents(tree, owner)


def _owners(tree: DecisionTree) -> NDArray[np.int32]:
    """(edges,): the node that each edge starts from."""
    return np.repeat(np.arange(len(tree.kind), dtype=np.int32), np.diff(tree.edges))


def _check_sizes(tree: DecisionTree) -> None:
    nodes, edges = len(tree.kind), len(tree.edge_to)
    sizes = {
        "attribute": (len(tree.attribute), nodes),
        "decision": (len(tree.decision), nodes),
        "edges": (len(tree.edges), nodes + 1),
        "unknown_to": (len(tree.unknown_to), nodes),
        "edge_code": (len(tree.edge_code), edges),
        "edge_bound": (len(tree.edge_bound), edges),
        "counts": (len(tree.counts), nodes if tree.counts.size else 0),
    }
    for name, (found, expected) in sizes.items():
        if found != expected:
            msg = f"{name} has {found} entries, expected {expected}: there are {nodes} nodes and {edges} edges"
            raise TreeError(msg)
    if not nodes or tree.edges[0] != 0 or tree.edges[-1] != edges or (np.diff(tree.edges) < 0).any():
        msg = "a tree has at least its root, and `edges` counts up from 0 to the number of edges"
        raise TreeError(msg)


def _first(wrong: NDArray[np.bool_]) -> int | None:
    """The place of the first True, None where there is none."""
    return int(wrong.argmax()) if wrong.any() else None


def _check_kinds(tree: DecisionTree, number: NDArray[np.int64]) -> None:
    terminal = tree.kind == TERMINAL
    strange = (tree.kind > LINEAR) | (terminal == (number > 0))
    followed = terminal & (tree.unknown_to != NO_NODE)
    nameless = tree.decision < 0
    beyond = ~terminal & ((tree.attribute < 0) | ((tree.kind == LINEAR) & (tree.attribute >= len(tree.coefficients))))
    shared = (tree.unknown_to == ALL_BRANCHES) & (not tree.counts.size)
    if not (strange | followed | nameless | beyond | shared).any():
        return
    if (node := _first(strange)) is not None:
        msg = (
            f"node {node} is of kind {tree.kind[node]} with {number[node]} edges: terminal nodes have none, others some"
        )
    elif (node := _first(followed)) is not None:
        msg = f"node {node} is terminal but has an unknown branch"
    elif (node := _first(nameless)) is not None:
        msg = f"node {node} has decision {tree.decision[node]}: decisions count from 0"
    elif (node := _first(beyond)) is not None:
        msg = f"node {node} asks attribute {tree.attribute[node]}, which there is not"
    else:
        node = _first(shared)
        msg = f"node {node} sends missing values down all branches, but the tree has no `counts` to share them by"
    raise TreeError(msg)


def _check_codes(tree: DecisionTree, owner: NDArray[np.int32]) -> None:
    asked = np.flatnonzero(tree.kind[owner] == CODES)
    if not len(asked):
        return
    owner, code = owner[asked], tree.edge_code[asked]
    edge = _first(code < 0)
    if edge is not None:
        msg = f"node {owner[edge]} has an edge for code {code[edge]}: codes count from 0"
        raise TreeError(msg)
    order = np.lexsort((code, owner))
    edge = _first((np.diff(owner[order]) == 0) & (np.diff(code[order]) == 0))
    if edge is not None:
        msg = f"node {owner[order][edge]} has two edges for one code"
        raise TreeError(msg)


def _check_bounds(tree: DecisionTree, owner: NDArray[np.int32]) -> None:
    last, rising = np.ones(len(owner), bool), np.ones(len(owner), bool)
    last[:-1], rising[:-1] = owner[1:] != owner[:-1], tree.edge_bound[1:] > tree.edge_bound[:-1]
    good = np.where(last, tree.edge_bound == np.inf, np.isfinite(tree.edge_bound) & rising)
    edge = _first(~good & (tree.kind[owner] >= BOUNDS))  # LINEAR, too
    if edge is not None:
        bounds = tree.edge_bound[tree.edges_of(int(owner[edge]))]
        msg = f"node {owner[edge]} has bounds {bounds.tolist()}: expected increasing bounds, the last infinite"
        raise TreeError(msg)


def _check_parents(tree: DecisionTree, owner: NDArray[np.int32]) -> None:
    nodes = len(tree.kind)
    unknown = np.flatnonzero((tree.unknown_to != NO_NODE) & (tree.unknown_to != ALL_BRANCHES))
    above, below = owner.astype(np.int64), tree.edge_to.astype(np.int64)
    if len(unknown):
        above, below = np.append(above, unknown), np.append(below, tree.unknown_to[unknown])
    edge = _first((below <= above) | (below >= nodes))
    if edge is not None:
        msg = f"node {above[edge]} has an edge to node {below[edge]}: expected a node after it and before {nodes}"
        raise TreeError(msg)
    number = np.bincount(below, minlength=nodes)
    if (number > 1).any():  # perhaps by several edges of one parent
        number = np.bincount(np.unique(above * nodes + below) % nodes, minlength=nodes)
    node = _first(number[1:] != 1)
    if node is not None:
        msg = f"node {node + 1} has {number[node + 1]} parents: every node but the root has one"
        raise TreeError(msg)
