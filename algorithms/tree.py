"""Decision trees as flat arrays, one form for every kind of node, so that one set of costs serves all builders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.costs import CostFunction, Costs
from algorithms.table import DecisionTable

__all__ = ["NO_ATTRIBUTE", "NO_NODE", "DecisionTree", "NodeKind", "TreeError", "check_tree_for_table", "cost_of_tree"]

NO_ATTRIBUTE = -1
NO_NODE = -1

Rows = NDArray[np.int64]


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
    """As BOUNDS, of the sum of all attributes times the node's coefficients."""


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """Nodes in an order in which each stands after its parent; node 0 is the root.

    kind      : (nodes,) NodeKind
    attribute : (nodes,) the attribute asked; for LINEAR the row of `coefficients`; NO_ATTRIBUTE for TERMINAL
    decision  : (nodes,) the most common decision of the rows there: a terminal node's answer, and that of any node for
                rows that cannot go on
    edges     : (nodes + 1,) node i has the edges from edges[i] up to, not including, edges[i + 1]
    edge_code : (edges,) the code that an edge of a CODES node is for, else 0
    edge_bound: (edges,) the bound that an edge of a BOUNDS or LINEAR node is for, else infinite
    edge_to   : (edges,) the node an edge leads to
    unknown_to: (nodes,) where rows go whose value is missing (NaN, or below 0 for CODES) or a code without an edge;
                NO_NODE: they stay
    counts    : (nodes, decisions) weight of each decision among the rows a tree was built from, fractions allowed; or
                (0, 0) where it is not known
    coefficients: (LINEAR nodes, attributes)

    Raises TreeError where the arrays do not fit together or are no tree.
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
        """Fill what may be left out, and check."""
        if not len(self.edge_bound):
            object.__setattr__(self, "edge_bound", np.full(len(self.edge_to), np.inf))
        if not len(self.unknown_to):
            object.__setattr__(self, "unknown_to", np.full(len(self.kind), NO_NODE, np.int32))
        _check_arrays(self)

    @property
    def nodes(self) -> int:
        """Number of nodes, reached or not."""
        return len(self.kind)

    def edges_of(self, node: int) -> slice:
        """Where a node's edges are in the edge arrays."""
        return slice(int(self.edges[node]), int(self.edges[node + 1]))

    def children(self, node: int) -> list[int]:
        """The nodes that edges of a node lead to, each once, in the order of its edges; the unknown branch last."""
        to = self.edge_to[self.edges_of(node)].tolist()
        if self.unknown_to[node] != NO_NODE:
            to.append(int(self.unknown_to[node]))
        return list(dict.fromkeys(to))

    def rows_of_nodes(self, values: ArrayLike) -> Iterator[tuple[int, Rows]]:
        """For each node in order, the indices of the rows of `values` (rows, attributes) that reach it."""
        for node, rows, _ in self._walk(np.asarray(values)):
            yield node, rows

    def last_nodes(self, values: ArrayLike) -> NDArray[np.int32]:
        """(rows,): the node at which each row of `values` (rows, attributes) ends."""
        given = np.asarray(values)
        last = np.zeros(len(given), np.int32)
        for node, _, staying in self._walk(given):
            last[staying] = node
        return last

    def predict(self, values: ArrayLike) -> NDArray[np.int32]:
        """(rows,): the decision for each row of `values` (rows, attributes), codes for CODES nodes."""
        return np.asarray(self.decision[self.last_nodes(values)], dtype=np.int32)

    def costs(self, table: DecisionTable) -> Costs:
        """The tree's costs over a table, by its row weights, counting the nodes that its rows reach."""
        depth = self.depths()
        reached = np.zeros(self.nodes, dtype=bool)
        length, deepest, terminal = 0, 0, 0
        for node, rows, staying in self._walk(table.codes):
            reached[node] = len(rows) > 0
            if len(staying):
                terminal += 1
                deepest = max(deepest, int(depth[node]))
                length += int(depth[node]) * int(table.weights[staying].sum())
        nodes = int(reached.sum())
        return Costs(
            depth=deepest,
            total_path_length=length,
            average_depth=length / table.size,
            nodes=nodes,
            nonterminal_nodes=nodes - terminal,
            terminal_nodes=terminal,
        )

    def depths(self) -> NDArray[np.int64]:
        """(nodes,): number of edges from the root to each node."""
        depth = np.zeros(self.nodes, np.int64)
        for node in range(self.nodes):
            for child in self.children(node):
                depth[child] = depth[node] + 1
        return depth

    def _walk(self, values: NDArray[Any]) -> Iterator[tuple[int, Rows, Rows]]:
        """For each node: (node, rows that reach it, those of them that end there)."""
        asked = self.attribute[(self.kind == NodeKind.CODES) | (self.kind == NodeKind.BOUNDS)]
        needed = int(max(asked.max(initial=-1) + 1, self.coefficients.shape[1]))
        if values.ndim != 2 or values.shape[1] < needed or values.dtype.kind not in "biuf":
            msg = (
                f"values have shape {values.shape} and type {values.dtype}: expected numbers, (rows, {needed} or more)"
            )
            raise TreeError(msg)
        waiting: dict[int, list[Rows]] = {0: [np.arange(len(values))]}
        for node in range(self.nodes):
            parts = waiting.pop(node, [])
            rows = np.sort(np.concatenate(parts)) if parts else np.zeros(0, np.int64)
            to = self._next_nodes(node, values[rows])
            for child in np.unique(to[to != NO_NODE]):
                waiting.setdefault(int(child), []).append(rows[to == child])
            yield node, rows, rows[to == NO_NODE]

    def _next_nodes(self, node: int, values: NDArray[Any]) -> NDArray[np.int32]:
        """(rows,): the node that each row of `values` goes to from a node it has reached, NO_NODE where it ends."""
        kind, attribute, edges = self.kind[node], int(self.attribute[node]), self.edges_of(node)
        if kind == NodeKind.TERMINAL:
            return np.full(len(values), NO_NODE, np.int32)
        if kind == NodeKind.CODES:
            asked = values[:, attribute]
            edge = {int(code): to for code, to in zip(self.edge_code[edges], self.edge_to[edges], strict=True)}
            known, place = np.unique(asked, return_inverse=True)
            to = [edge.get(code, int(self.unknown_to[node])) for code in known.tolist()]
            return np.array(to, dtype=np.int32)[place.ravel()]
        asked = values @ self.coefficients[attribute] if kind == NodeKind.LINEAR else values[:, attribute]
        place = np.searchsorted(self.edge_bound[edges], asked, side="left")
        missing = np.isnan(asked)
        place[missing] = 0
        return np.where(missing, self.unknown_to[node], self.edge_to[edges][place]).astype(np.int32)


def _check_arrays(tree: DecisionTree) -> None:
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
    parents = np.zeros(nodes, np.int64)
    for node in range(nodes):
        _check_node(tree, node)
        for child in tree.children(node):
            if not node < child < nodes:
                msg = f"node {node} has an edge to node {child}: expected a node after it and before {nodes}"
                raise TreeError(msg)
            parents[child] += 1
    if (parents[1:] != 1).any():
        node = 1 + int(np.flatnonzero(parents[1:] != 1)[0])
        msg = f"node {node} has {parents[node]} parents: every node but the root has one"
        raise TreeError(msg)


def _check_node(tree: DecisionTree, node: int) -> None:
    kind, edges = tree.kind[node], tree.edges_of(node)
    has_edges = edges.stop > edges.start
    if kind not in list(NodeKind) or (kind == NodeKind.TERMINAL) == has_edges:
        number = edges.stop - edges.start
        msg = f"node {node} is of kind {kind} with {number} edges: terminal nodes have none, others some"
        raise TreeError(msg)
    if kind == NodeKind.TERMINAL and tree.unknown_to[node] != NO_NODE:
        msg = f"node {node} is terminal but has an unknown branch"
        raise TreeError(msg)
    if tree.decision[node] < 0:
        msg = f"node {node} has decision {tree.decision[node]}: decisions count from 0"
        raise TreeError(msg)
    if kind == NodeKind.CODES and (tree.edge_code[edges] < 0).any():
        msg = f"node {node} has an edge for code {tree.edge_code[edges].min()}: codes count from 0"
        raise TreeError(msg)
    if kind == NodeKind.CODES and len(np.unique(tree.edge_code[edges])) < edges.stop - edges.start:
        msg = f"node {node} has two edges for one code"
        raise TreeError(msg)
    bounds = tree.edge_bound[edges]
    if kind in {NodeKind.BOUNDS, NodeKind.LINEAR} and not (
        bounds[-1] == np.inf and np.isfinite(bounds[:-1]).all() and (bounds[1:] > bounds[:-1]).all()
    ):
        msg = f"node {node} has bounds {bounds.tolist()}: expected increasing bounds, the last infinite"
        raise TreeError(msg)
    asked = int(tree.attribute[node])
    known = len(tree.coefficients) if kind == NodeKind.LINEAR else np.inf
    if kind != NodeKind.TERMINAL and not 0 <= asked < known:
        msg = f"node {node} asks attribute {asked}, which there is not"
        raise TreeError(msg)


def check_tree_for_table(tree: DecisionTree, table: DecisionTable) -> None:
    """Return only if the tree is a decision tree *for* the table (`000_…`, section 2).

    At every node v: if all rows of T(v) have one decision, v is terminal and labelled with it; else v asks an attribute
    that is not constant on T(v), with exactly one edge for each code that it has there, to a node of its own.

    Raises
    ------
    TreeError
        Names the first node of which this is not so.
    """
    for node in range(tree.nodes):
        kind, asked = NodeKind(tree.kind[node]), int(tree.attribute[node])
        if kind != NodeKind.TERMINAL and (kind != NodeKind.CODES or asked >= table.attributes):
            msg = f"node {node} asks {kind.name} of {asked}: expected the code of an attribute of the table"
            raise TreeError(msg)
    for node, rows in tree.rows_of_nodes(table.codes):
        decisions = np.unique(table.decisions[rows])
        kind, asked = tree.kind[node], int(tree.attribute[node])
        if not len(rows):
            msg = f"node {node} is reached by no row"
        elif kind == NodeKind.TERMINAL:
            if len(decisions) == 1 and decisions[0] == tree.decision[node]:
                continue
            msg = f"node {node} is terminal with decision {tree.decision[node]}, but its rows have {decisions.tolist()}"
        elif len(decisions) == 1:
            msg = f"node {node} splits rows that all have decision {decisions[0]}"
        else:
            there = np.unique(table.codes[rows, asked])
            edges = tree.edges_of(node)
            if (
                len(there) > 1
                and np.array_equal(np.sort(tree.edge_code[edges]), there)
                and len(np.unique(tree.edge_to[edges])) == len(there)
            ):
                continue
            msg = (
                f"node {node} asks attribute {asked} with edges for codes {np.sort(tree.edge_code[edges]).tolist()}, "
                f"but on its rows the codes are {there.tolist()}"
            )
        raise TreeError(msg)


def cost_of_tree(tree: DecisionTree, table: DecisionTable, cost: CostFunction) -> float:
    """psi(T, tree) for any cost function, of a tree that is one for the table."""
    size = {node: int(table.weights[rows].sum()) for node, rows in tree.rows_of_nodes(table.codes)}
    value: dict[int, float] = {}
    for node in reversed(range(tree.nodes)):
        below = [value[child] for child in tree.children(node)]
        value[node] = cost.combine(size[node], below) if below else cost.psi_zero
    return value[0] / table.size if cost.per_row else value[0]
