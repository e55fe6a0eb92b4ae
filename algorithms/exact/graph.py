"""Exact minima by dynamic programming over the graph of separable subtables (Alkhalid et al. 2013, section 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.data.table import DecisionTable, Integers
from algorithms.exact.least_costs import least_costs
from algorithms.exact.subtables import GraphTooLargeError, all_subtables
from algorithms.greedy import tree_from_choices
from algorithms.options import made_by
from algorithms.plurals import counted
from algorithms.trees.arrays import NO_ATTRIBUTE
from algorithms.trees.costs import (
    AVERAGE_DEPTH,
    DEPTH,
    NODES,
    NONTERMINAL_NODES,
    TERMINAL_NODES,
    TOTAL_PATH_LENGTH,
    CostFunction,
    Costs,
    costs_of_counts,
)
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["DEFAULT_LIMIT", "GraphTooLargeError", "SubtableGraph", "exact_costs"]

DEFAULT_LIMIT = 2**31
"""Bytes that a graph and the search for it may take: 2 GiB.

The arrays never take more. The process may take more, because an allocator keeps freed memory: glibc keeps up to 32 MiB
(none if the environment sets MALLOC_TRIM_THRESHOLD_).
"""

COST_COLUMNS = {DEPTH: 0, TOTAL_PATH_LENGTH: 1, AVERAGE_DEPTH: 1, NODES: 2, NONTERMINAL_NODES: 3, TERMINAL_NODES: 4}
"""Indices in `minima` of the costs that are computed along with the graph."""


@made_by("SubtableGraph.of(table)")
@dataclass(frozen=True, eq=False)
class SubtableGraph:
    """The graph of the separable subtables of a table, which represents all its decision trees.

    Nodes are numbered so that edges lead to smaller numbers; the last node is the table itself. Arrays are as narrow as
    the table allows: convert them to a wider type before you sum.

    Attributes
    ----------
    table : DecisionTable
    size : ndarray of shape (nodes,)
        N of the subtable, the sum of its row weights.
    decision : ndarray of shape (nodes,)
        The common decision of a terminal node, else -1.
    minima : ndarray of shape (nodes, 5)
        The least of each cost over all trees for the subtable: depth, total path length, nodes, nonterminal nodes and
        terminal nodes.
    splits : ndarray of shape (nodes + 1,)
        Node i has the splits from `splits[i]` up to, not including, `splits[i + 1]`: one split for each attribute that
        is not constant on the subtable. The paper calls a split a bundle of edges.
    split_attribute : ndarray of shape (splits,)
        The attribute of a split.
    split_edges : ndarray of shape (splits + 1,)
        Split j has the edges from `split_edges[j]` up to, not including, `split_edges[j + 1]`, by increasing code.
    edge_to : ndarray of shape (edges,)
        The node that an edge leads to.
    edge_code : ndarray of shape (edges,)
        The code of the rows that follow an edge.

    Examples
    --------
    >>> from orchard import NODES, DecisionTable, SubtableGraph
    >>> table = DecisionTable.from_labels({"f": ["a", "a", "b"], "g": ["x", "y", "x"]}, ["yes", "no", "no"])
    >>> SubtableGraph.of(table).minimum(NODES)
    5.0
    """

    table: DecisionTable
    size: Integers
    decision: Integers
    minima: Integers
    splits: Integers
    split_attribute: Integers
    split_edges: Integers
    edge_to: Integers
    edge_code: Integers

    def __repr__(self) -> str:
        return f"<SubtableGraph: {counted(self.nodes, 'node')}, {counted(self.edges, 'edge')}>"

    @staticmethod
    def of(table: DecisionTable, limit: int = DEFAULT_LIMIT) -> SubtableGraph:
        """Build the graph.

        Raises
        ------
        GraphTooLargeError
            The graph and the search for it would take more than `limit` bytes at one time.
        """
        return SubtableGraph(table, **all_subtables(table, limit, edges=True)._asdict())

    @property
    def nodes(self) -> int:
        """Number of separable subtables that can be reached, including the table itself and terminal subtables."""
        return len(self.size)

    @property
    def edges(self) -> int:
        """Number of edges: one per code of every split."""
        return len(self.edge_to)

    def costs(self) -> Costs:
        """The least of each of the five costs over all decision trees for the table, each minimised alone."""
        return costs_of_counts(self.minima[-1].tolist(), self.table.size)

    def minimum(self, cost: CostFunction) -> float:
        """The least value of a monotone cost function over all decision trees for the table."""
        least = float(self._least(cost)[-1])
        return least / self.table.size if cost.per_row else least

    def optimal_tree(self, cost: CostFunction) -> DecisionTree:
        """A decision tree of least cost for the table; each node tests the first attribute that allows this cost."""
        least = self._least(cost)

        def choose(subtable: int) -> tuple[int, int, list[tuple[int, int]]]:
            split = self._first_best(subtable, cost, least)
            if split < 0:
                return NO_ATTRIBUTE, int(self.decision[subtable]), []
            below = zip(self.codes_of(split).tolist(), self._nodes_below(split).tolist(), strict=True)
            return int(self.split_attribute[split]), 0, list(below)

        tree = tree_from_choices(choose, self.nodes - 1)
        decision = tree.decision.copy()
        for node, rows in tree.rows_of_nodes(self.table.codes):
            decision[node] = self.table.decision_counts(rows).argmax()
        return replace(tree, decision=decision)

    def codes_of(self, split: int) -> Integers:
        """The codes of a split's edges, in the order of the edges."""
        return self.edge_code[self.split_edges[split] : self.split_edges[split + 1]]

    def _nodes_below(self, split: int) -> Integers:
        return self.edge_to[self.split_edges[split] : self.split_edges[split + 1]]

    def _least(self, cost: CostFunction) -> NDArray[Any]:
        """(nodes,): the least value of a cost for each subtable, of the average depth the total path length."""
        if cost in COST_COLUMNS:
            return self.minima[:, COST_COLUMNS[cost]]
        links: Any = (self.splits, self.split_edges, self.edge_to)
        return least_costs(cost, np.asarray(self.size, np.int64), links)[0]

    def _first_best(self, node: int, cost: CostFunction, least: NDArray[Any]) -> int:
        """The first split of a node that reaches its least value of a cost, -1 at a terminal node."""
        for split in range(self.splits[node], self.splits[node + 1]):
            value = cost.combine(int(self.size[node]), least[self._nodes_below(split)].tolist())
            if value == least[node]:
                return split
        return -1


def exact_costs(table: DecisionTable, limit: int = DEFAULT_LIMIT) -> Costs:
    """Return the least of each of the five costs over all decision trees for a table.

    The edges of the graph are not kept, so the same memory suffices for a graph several times as large as with
    `SubtableGraph.of`.

    Parameters
    ----------
    table : DecisionTable
    limit : int, optional
        Bytes that the search may take at one time, by default 2**31.

    Returns
    -------
    Costs
        Each cost is minimised alone: there may be no tree that has all these costs.

    Raises
    ------
    GraphTooLargeError
        The search would take more than `limit` bytes.

    Examples
    --------
    >>> from orchard import DecisionTable, exact_costs
    >>> exact_costs(DecisionTable.from_labels({"f": ["a", "a", "b"], "g": ["x", "y", "x"]}, ["yes", "no", "no"])).nodes
    5
    """
    return costs_of_counts(all_subtables(table, limit, edges=False).minima[-1].tolist(), table.size)
