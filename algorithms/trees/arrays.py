"""The arrays of a decision tree, and the check that they form a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from algorithms.plurals import counted
from algorithms.trees.node_kinds import ALL_BRANCHES, NO_ATTRIBUTE, NO_NODE, NodeKind

__all__ = ["ALL_BRANCHES", "ARRAY_TYPES", "NO_ATTRIBUTE", "NO_NODE", "NodeKind", "TreeArrays", "TreeError"]

TERMINAL, CODES, LINEAR = int(NodeKind.TERMINAL), int(NodeKind.CODES), int(NodeKind.LINEAR)
"""As plain numbers, with which NumPy compares faster."""

_Marked = tuple[NDArray[np.bool_], Callable[[int], str]]
"""(nodes,) or (edges,): which have a fault; and the message for the one with an index."""


class TreeError(ValueError):
    """The arrays are not a decision tree, or values or weights do not suit the tree; the message says why."""


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

_UNEVEN = "the tree has no root, or `edges` does not rise from 0 to the number of edges"


@dataclass(frozen=True, eq=False)
class TreeArrays:
    """The arrays of a decision tree, checked when it is made; `DecisionTree` documents them.

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

    @classmethod
    def unchecked(cls, **arrays: NDArray[Any]) -> Self:
        """The tree with these arrays, without a check: they must have the types of `ARRAY_TYPES` and form a tree."""
        tree = object.__new__(cls)
        tree.__dict__.update(arrays)
        return tree

    @property
    def nodes(self) -> int:
        """Number of nodes, including nodes that no row reaches."""
        return len(self.kind)

    def edges_of(self, node: int) -> slice:
        """The positions of a node's edges in the edge arrays."""
        return slice(int(self.edges[node]), int(self.edges[node + 1]))

    def children(self, node: int) -> list[int]:
        """The distinct nodes that a node's edges lead to, in the order of the edges; the unknown branch is last."""
        to = self.edge_to[self.edges_of(node)].tolist()
        if self.unknown_to[node] >= 0:
            to.append(int(self.unknown_to[node]))
        return list(dict.fromkeys(to))

    def attributes_tested(self) -> NDArray[np.int64]:
        """The indices of the attributes that the nodes test, increasing; of a sum, those with a nonzero coefficient."""
        alone = self.attribute[(self.kind != TERMINAL) & (self.kind != LINEAR)]
        used = self.coefficients[self.attribute[self.kind == LINEAR]]
        return np.union1d(alone, np.flatnonzero(used.any(axis=0))).astype(np.int64)

    def parents(self) -> NDArray[np.int32]:
        """(nodes,): the parent of each node, by an edge or by the unknown branch; NO_NODE for the root."""
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
    for name, array_type in ARRAY_TYPES.items():
        if name not in {"counts", "coefficients"}:
            object.__setattr__(tree, name, _exact(name, getattr(tree, name), array_type))
    for wrong, message in _faults(tree):
        indices = wrong.nonzero()[0]
        if len(indices):
            raise TreeError(message(int(indices[0])))


def _exact(name: str, array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """The array in its type; TreeError if that would change a number."""
    if array.dtype == dtype and array.ndim == 1:
        return array
    with np.errstate(invalid="ignore"):  # the comparison below reports numbers that do not fit
        exact = array.astype(dtype) if array.dtype.kind in "biuf" else None
    if exact is None or array.ndim != 1 or not np.array_equal(exact, array):
        found = f"type {array.dtype} and {counted(array.ndim, 'dimension')}"
        raise TreeError(f"`{name}` has {found}: expected 1 dimension, and values that fit {dtype}")
    return exact


def _faults(tree: TreeArrays) -> Iterator[_Marked]:
    """Mark the nodes or edges with each kind of fault, for arrays whose sizes and `edges` are valid.

    Each kind may assume that no node has one of those before it, so the caller stops at the first.
    """
    kind, edges, unknown_to = tree.kind, tree.edges, tree.unknown_to
    nodes, number, terminal = len(kind), edges[1:] - edges[:-1], kind == TERMINAL
    yield (
        (kind > LINEAR) | (terminal != (number == 0)),
        lambda node: (
            f"node {node} is of kind {kind[node]} and has {counted(number[node], 'edge')}: expected kind 0 (terminal) "
            "without edges, or kind 1 to 3 with edges"
        ),
    )
    yield (
        terminal & (unknown_to != NO_NODE),
        lambda node: f"node {node} is terminal, but has a branch for missing values",
    )
    yield tree.decision < 0, lambda node: f"node {node} has decision {tree.decision[node]}: expected 0 or more"
    linear = (kind == LINEAR) & (tree.attribute >= len(tree.coefficients))
    yield (
        linear | (tree.attribute < 0) & ~terminal,
        lambda node: f"node {node} tests attribute {tree.attribute[node]}, which does not exist",
    )
    if not tree.counts.size:
        yield (
            unknown_to == ALL_BRANCHES,
            lambda node: f"node {node} sends missing values down all branches, which needs the `counts` of the tree",
        )
    owner = _owners(tree)
    by_code = kind[owner] == CODES
    if by_code.any():
        yield from _faults_of_codes(owner[by_code], tree.edge_code[by_code])
    if not by_code.all():
        yield _faults_of_bounds(tree, owner, by_code)
    unknown = ((unknown_to != NO_NODE) & (unknown_to != ALL_BRANCHES)).nonzero()[0]
    start, to = np.concatenate([owner, unknown]), np.concatenate([tree.edge_to, unknown_to[unknown]])
    yield (
        (to <= start) | (to >= nodes),
        lambda edge: (
            f"node {start[edge]} has an edge to node {to[edge]}: expected a node from {start[edge] + 1} to {nodes - 1}"
        ),
    )
    parent = np.full(nodes, NO_NODE)
    parent[0], parent[to] = 0, start
    orphan = parent == NO_NODE
    orphan[to[parent[to] != start]] = True
    yield (
        orphan,
        lambda node: (
            f"node {node} has {len({*start[to == node].tolist()})} parents: expected one parent for each node "
            "except the root"
        ),
    )


def _faults_of_codes(owner: NDArray[np.int64], code: NDArray[Any]) -> Iterator[_Marked]:
    """The faults of the codes of edges; `owner` is the node of each."""
    yield code < 0, lambda edge: f"node {owner[edge]} has an edge for code {code[edge]}: expected 0 or more"
    pairs = np.sort(owner << 32 | code)
    yield pairs[1:] == pairs[:-1], lambda index: f"node {pairs[index] >> 32} has two edges for the same code"


def _faults_of_bounds(tree: TreeArrays, owner: NDArray[np.int64], by_code: NDArray[np.bool_]) -> _Marked:
    """The faults of the bounds of edges that have no code."""
    bound = tree.edge_bound
    rising, last = np.isfinite(bound), np.ones(len(owner), np.bool_)
    last[:-1] = owner[1:] != owner[:-1]
    rising[:-1] &= bound[1:] > bound[:-1]
    wrong = np.where(last, bound != np.inf, ~rising) & ~by_code

    def message(edge: int) -> str:
        bounds = bound[tree.edges_of(owner[edge])].tolist()
        return f"node {owner[edge]} has bounds {bounds}: expected increasing bounds, the last infinite"

    return wrong, message


def _owners(tree: TreeArrays) -> NDArray[np.int64]:
    """(edges,): the node that each edge starts from."""
    return np.arange(len(tree.kind)).repeat(tree.edges[1:] - tree.edges[:-1])


def _check_sizes(tree: TreeArrays) -> None:
    nodes, edges = len(tree.kind), len(tree.edge_to)
    per_node, per_edge = "one for each node", "one for each edge"
    sizes = {
        "attribute": (len(tree.attribute), nodes, per_node),
        "decision": (len(tree.decision), nodes, per_node),
        "edges": (len(tree.edges), nodes + 1, "one more than the number of nodes"),
        "unknown_to": (len(tree.unknown_to), nodes, per_node),
        "edge_code": (len(tree.edge_code), edges, per_edge),
        "edge_bound": (len(tree.edge_bound), edges, per_edge),
        "counts": (len(tree.counts), nodes if tree.counts.size else 0, per_node),
    }
    for name, (entries, expected, why) in sizes.items():
        if entries != expected:
            raise TreeError(f"`{name}` has {counted(entries, 'entry', 'entries')}: expected {expected}, {why}")
    if not nodes or tree.edges[0] != 0 or tree.edges[-1] != edges or (tree.edges[1:] < tree.edges[:-1]).any():
        raise TreeError(_UNEVEN)
