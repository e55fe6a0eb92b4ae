"""What the arrays of a decision tree mean, and whether arrays are one."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from algorithms.kernels.tree_arrays import (
    ALL_BRANCHES,
    BOUND,
    CODE,
    EDGES,
    FOLLOWED,
    KIND,
    NAMELESS,
    NO_CODE,
    NO_NODE,
    ORDER,
    RIGHT,
    SHARED,
    UNKNOWN_ATTRIBUTE,
    first_fault,
)

if TYPE_CHECKING:
    from algorithms.tree import DecisionTree

__all__ = ["ALL_BRANCHES", "NO_ATTRIBUTE", "NO_NODE", "NodeKind", "TreeError", "check_arrays", "parents"]

NO_ATTRIBUTE = -1


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


_DTYPES: dict[str, np.dtype[Any]] = {
    "kind": np.dtype(np.uint8),
    "attribute": np.dtype(np.int32),
    "decision": np.dtype(np.int32),
    "edges": np.dtype(np.int64),
    "edge_code": np.dtype(np.int32),
    "edge_bound": np.dtype(np.float64),
    "edge_to": np.dtype(np.int32),
    "unknown_to": np.dtype(np.int32),
}
"""Of the arrays that `first_fault` reads, in its order."""


_UNEVEN = "a tree has at least its root, and `edges` counts up from 0 to the number of edges"


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
    fault, node, to = first_fault(
        *(_exact(name, getattr(tree, name), dtype) for name, dtype in _DTYPES.items()),
        tree.counts.size > 0,
        len(tree.coefficients),
        np.empty(len(tree.kind), np.int64),
        np.empty(len(tree.edge_code), np.int32),
    )
    if fault != RIGHT:
        raise TreeError(_said(tree, fault, node, to))


def _exact(name: str, given: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """The array in the type that the check is compiled for; TreeError where that would change a number."""
    if given.dtype == dtype and given.ndim == 1:
        return given
    with np.errstate(invalid="ignore"):  # what does not fit is told below
        exact = given.astype(dtype) if given.dtype.kind in "biuf" else None
    if exact is None or given.ndim != 1 or not np.array_equal(exact, given):
        msg = f"{name} holds what it cannot: expected {dtype} in 1 dimension, found {given.dtype} in {given.ndim}"
        raise TreeError(msg)
    return exact


def _said(tree: DecisionTree, fault: int, node: int, to: int) -> str:  # noqa: PLR0911 - a message each
    """What is wrong with a node, in words."""
    edges = tree.edges_of(node)
    if fault == EDGES:
        return _UNEVEN
    if fault == KIND:
        number = edges.stop - edges.start
        return f"node {node} is of kind {tree.kind[node]} with {number} edges: terminal nodes have none, others some"
    if fault == FOLLOWED:
        return f"node {node} is terminal but has an unknown branch"
    if fault == NAMELESS:
        return f"node {node} has decision {tree.decision[node]}: decisions count from 0"
    if fault == UNKNOWN_ATTRIBUTE:
        return f"node {node} asks attribute {tree.attribute[node]}, which there is not"
    if fault == SHARED:
        return f"node {node} sends missing values down all branches, but the tree has no `counts` to share them by"
    if fault == NO_CODE:
        return f"node {node} has an edge for code {tree.edge_code[edges].min()}: codes count from 0"
    if fault == CODE:
        return f"node {node} has two edges for one code"
    if fault == BOUND:
        bounds = tree.edge_bound[edges].tolist()
        return f"node {node} has bounds {bounds}: expected increasing bounds, the last infinite"
    if fault == ORDER:
        return f"node {node} has an edge to node {to}: expected a node after it and before {len(tree.kind)}"
    above = {*_owners(tree)[tree.edge_to == node].tolist(), *np.flatnonzero(tree.unknown_to == node).tolist()}
    return f"node {node} has {len(above)} parents: every node but the root has one"


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
    if not nodes or tree.edges[0] != 0 or tree.edges[-1] != edges:
        raise TreeError(_UNEVEN)
