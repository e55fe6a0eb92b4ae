"""The arrays of a decision tree, and the check that they form a tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.trees.array_faults import ALL_BRANCHES, NO_NODE, Fault, NodeKind, first_fault

__all__ = ["ALL_BRANCHES", "ARRAY_TYPES", "NO_ATTRIBUTE", "NO_NODE", "NodeKind", "TreeArrays", "TreeError"]

NO_ATTRIBUTE = -1


class TreeError(ValueError):
    """The arrays are not a decision tree, or it is not one for the table; the message names the node."""


ARRAY_TYPES: dict[str, np.dtype[Any]] = {
    "kind": np.dtype(np.uint8),
    "attribute": np.dtype(np.int32),
    "decision": np.dtype(np.int32),
    "edges": np.dtype(np.int64),
    "edge_code": np.dtype(np.int32),
    "edge_to": np.dtype(np.int32),
    "edge_bound": np.dtype(np.float64),
    "unknown_to": np.dtype(np.int32),
    "counts": np.dtype(np.float64),
    "coefficients": np.dtype(np.float64),
}
"""The type of each array of a tree, by name."""

_CHECKED = ("kind", "attribute", "decision", "edges", "edge_code", "edge_bound", "edge_to", "unknown_to")
"""The arrays that `first_fault` reads, in the order of its parameters."""

_UNEVEN = "a tree has at least its root, and `edges` counts up from 0 to the number of edges"


@dataclass(frozen=True, eq=False)
class TreeArrays:
    """The nodes and edges of a decision tree. Each node comes after its parent; node 0 is the root.

    Parameters
    ----------
    kind : array of NodeKind
        (nodes,): the test of each node.
    attribute : array of int
        (nodes,): the attribute that a node tests. For LINEAR it is a row of `coefficients`, for TERMINAL NO_ATTRIBUTE.
    decision : array of int
        (nodes,): the most common decision of the rows at a node. It is the answer of a terminal node, and the answer of
        any other node for rows without a branch.
    edges : array of int
        (nodes + 1,): node i has the edges from `edges[i]` up to, not including, `edges[i + 1]`.
    edge_code : array of int
        (edges,): the code of an edge of a CODES node, else 0.
    edge_to : array of int
        (edges,): the node that an edge leads to.
    edge_bound : array of float, optional
        (edges,): the bound of an edge of a BOUNDS or LINEAR node, else infinite.
    unknown_to : array of int, optional
        (nodes,): the node for rows whose value is missing (NaN, or below 0 for CODES) or has a code without an edge.
        NO_NODE, the default: the row stays. ALL_BRANCHES: a row with a missing value goes down every branch, weighted
        by the branch's share of the `counts` of all branches (it stays if these are all 0); a row with a code without
        an edge stays.
    counts : array of float, optional
        (nodes, decisions): weight of each decision among the rows that the tree was built from; (0, 0) if unknown.
    coefficients : array of float, optional
        (LINEAR nodes, attributes): the factor of each attribute in the sum that a LINEAR node tests.

    Raises
    ------
    TreeError
        The arrays do not fit together or are not a tree.
    """

    kind: NDArray[np.uint8]
    attribute: NDArray[np.int32]
    decision: NDArray[np.int32]
    edges: NDArray[np.int64]
    edge_code: NDArray[np.int32]
    edge_to: NDArray[np.int32]
    edge_bound: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    unknown_to: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    counts: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    coefficients: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))

    def __post_init__(self) -> None:
        """Fill in omitted arrays, and check."""
        if not len(self.edge_bound):
            object.__setattr__(self, "edge_bound", np.full(len(self.edge_to), np.inf))
        if not len(self.unknown_to):
            object.__setattr__(self, "unknown_to", np.full(len(self.kind), NO_NODE, np.int32))
        _check(self)

    @property
    def nodes(self) -> int:
        """Number of nodes, reached or not."""
        return len(self.kind)

    def edges_of(self, node: int) -> slice:
        """The positions of a node's edges in the edge arrays."""
        return slice(int(self.edges[node]), int(self.edges[node + 1]))

    def children(self, node: int) -> list[int]:
        """The nodes that edges of a node lead to, each once, in the order of its edges; the unknown branch last."""
        to = self.edge_to[self.edges_of(node)].tolist()
        if self.unknown_to[node] >= 0:
            to.append(int(self.unknown_to[node]))
        return list(dict.fromkeys(to))

    def parents(self) -> NDArray[np.int32]:
        """(nodes,): the node that an edge or the unknown branch leads from to each node, NO_NODE for the root."""
        parent = np.full(len(self.kind), NO_NODE, np.int32)
        parent[self.edge_to] = _owners(self)
        unknown = np.flatnonzero(self.unknown_to >= 0)
        parent[self.unknown_to[unknown]] = unknown
        return parent

    def depths(self) -> NDArray[np.int64]:
        """(nodes,): number of edges from the root to each node."""
        depth = [0] * self.nodes
        for node, parent in enumerate(self.parents().tolist()[1:], start=1):
            depth[node] = depth[parent] + 1
        return np.array(depth, np.int64)

    def sums_over_subtrees(self, of_nodes: NDArray[Any]) -> NDArray[Any]:
        """(nodes, ...): for each node, the sum of the given values over it and all nodes below it."""
        sums = of_nodes.copy()
        for node, parent in reversed(list(enumerate(self.parents().tolist()))[1:]):
            sums[parent] += sums[node]
        return sums


def _check(tree: TreeArrays) -> None:
    """Raise TreeError, naming the fault and the node, unless the arrays fit together and are a tree."""
    _check_sizes(tree)
    fault, node, to = first_fault(
        *(_exact(name, getattr(tree, name), ARRAY_TYPES[name]) for name in _CHECKED),
        tree.counts.size > 0,
        len(tree.coefficients),
        np.empty(len(tree.kind), np.int64),
        np.empty(len(tree.edge_code), np.int64),
    )
    if fault != Fault.NONE:
        raise TreeError(_message(tree, fault, node, to))


def _exact(name: str, array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """The array in the type that the check is compiled for; TreeError if that would change a number."""
    if array.dtype == dtype and array.ndim == 1:
        return array
    with np.errstate(invalid="ignore"):  # the comparison below reports numbers that do not fit
        exact = array.astype(dtype) if array.dtype.kind in "biuf" else None
    if exact is None or array.ndim != 1 or not np.array_equal(exact, array):
        msg = f"{name} has values that do not fit: expected {dtype} in 1 dimension, found {array.dtype} in {array.ndim}"
        raise TreeError(msg)
    return exact


def _message(tree: TreeArrays, fault: Fault, node: int, to: int) -> str:  # noqa: PLR0911 - a message each
    """The message for the fault of a node."""
    edges = tree.edges_of(node)
    if fault == Fault.EDGES:
        return _UNEVEN
    if fault == Fault.KIND:
        number = edges.stop - edges.start
        return f"node {node} is of kind {tree.kind[node]} with {number} edges: terminal nodes have none, others some"
    if fault == Fault.FOLLOWED:
        return f"node {node} is terminal but has an unknown branch"
    if fault == Fault.NAMELESS:
        return f"node {node} has decision {tree.decision[node]}: decisions count from 0"
    if fault == Fault.ATTRIBUTE:
        return f"node {node} tests attribute {tree.attribute[node]}, which does not exist"
    if fault == Fault.SHARED:
        return f"node {node} sends missing values down all branches, but the tree has no `counts` to share them by"
    if fault == Fault.NO_CODE:
        return f"node {node} has an edge for code {tree.edge_code[edges].min()}: codes count from 0"
    if fault == Fault.CODE:
        return f"node {node} has two edges for one code"
    if fault == Fault.BOUND:
        bounds = tree.edge_bound[edges].tolist()
        return f"node {node} has bounds {bounds}: expected increasing bounds, the last infinite"
    if fault == Fault.ORDER:
        return f"node {node} has an edge to node {to}: expected a node after it and before {len(tree.kind)}"
    above = {*_owners(tree)[tree.edge_to == node].tolist(), *np.flatnonzero(tree.unknown_to == node).tolist()}
    return f"node {node} has {len(above)} parents: every node but the root has one"


def _owners(tree: TreeArrays) -> NDArray[np.int32]:
    """(edges,): the node that each edge starts from."""
    return np.repeat(np.arange(len(tree.kind), dtype=np.int32), np.diff(tree.edges))


def _check_sizes(tree: TreeArrays) -> None:
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
    for name, (entries, expected) in sizes.items():
        if entries != expected:
            msg = f"{name} has {entries} entries, expected {expected}: there are {nodes} nodes and {edges} edges"
            raise TreeError(msg)
    if not nodes or tree.edges[0] != 0 or tree.edges[-1] != edges:
        raise TreeError(_UNEVEN)
