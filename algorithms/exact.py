"""Exact minima by dynamic programming over the graph of separable subtables (`000_…`, section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.costs import CostFunction, Costs
from algorithms.greedy import tree_from_parents
from algorithms.kernels.subtable_graph import build, minima, pack
from algorithms.table import DecisionTable
from algorithms.tree import NO_ATTRIBUTE, DecisionTree

__all__ = ["DEFAULT_LIMIT", "GraphTooLargeError", "SubtableGraph", "exact_costs"]

DEFAULT_LIMIT = 50_000_000

Integers = NDArray[np.integer[Any]]


class GraphTooLargeError(MemoryError):
    """The table has more separable subtables than was allowed."""


@dataclass(frozen=True, eq=False)
class SubtableGraph:
    """The graph of separable subtables of a table; nodes are numbered so that edges lead to smaller numbers.

    table           : the table; its own node is the last
    size            : (nodes,) N of the subtable, summing row weights
    decision        : (nodes,) the common decision of a terminal node, else -1
    splits          : (nodes + 1,) node i has the bundles of edges from splits[i] to splits[i + 1], one per attribute
    split_attribute : (splits,) the attribute of a bundle
    split_edges     : (splits + 1,) bundle j has the edges from split_edges[j] to split_edges[j + 1]
    edge_code, edge_to : (edges,) the code an edge is for and the node it enters
    """

    table: DecisionTable
    size: Integers
    decision: Integers
    splits: Integers
    split_attribute: Integers
    split_edges: Integers
    edge_code: Integers
    edge_to: Integers

    @staticmethod
    def of(table: DecisionTable, limit: int = DEFAULT_LIMIT) -> SubtableGraph:
        """Build the graph.

        Raises
        ------
        GraphTooLargeError
            It would have more than `limit` nodes.
        """
        if limit < 0:
            msg = f"limit is {limit}: expected 0 or more"
            raise ValueError(msg)
        columns = np.ascontiguousarray(table.codes.T)
        words = pack(columns, table.values)
        arrays = build(columns, words, table.decisions, table.weights, table.values, limit)
        if not len(arrays[0]):
            msg = (
                f"the table of {table.rows} rows and {table.attributes} attributes has more than {limit:,} separable "
                "subtables: raise the limit, or take fewer attributes"
            )
            raise GraphTooLargeError(msg)
        return SubtableGraph(table, *arrays)

    @property
    def nodes(self) -> int:
        """Number of separable subtables that can be reached, the table itself and terminal ones included."""
        return len(self.size)

    @property
    def edges(self) -> int:
        """Number of edges, one per code in every bundle."""
        return len(self.edge_to)

    def costs(self) -> Costs:
        """The least of each of the five costs over all decision trees for the table, each minimised alone."""
        least = minima(self.size, self.splits, self.split_edges, self.edge_to)[-1].tolist()
        return Costs(
            depth=least[0],
            total_path_length=least[1],
            average_depth=least[1] / self.table.size,
            nodes=least[2],
            nonterminal_nodes=least[3],
            terminal_nodes=least[4],
        )

    def minimum(self, cost: CostFunction) -> float:
        """The least value of a monotone cost function over all decision trees for the table."""
        value, _ = self._values(cost)
        return value[-1] / self.table.size if cost.per_row else value[-1]

    def optimal_tree(self, cost: CostFunction) -> DecisionTree:
        """A decision tree for the table of least cost: at every node the first attribute of those that reach it."""
        _, best = self._values(cost)
        attribute: list[int] = []
        decision: list[int] = []
        parent: list[int] = []
        code: list[int] = []
        waiting = [(self.nodes - 1, -1, 0)]
        while waiting:
            subtable, above, edge_code = waiting.pop()
            node = len(attribute)
            split = best[subtable]
            attribute.append(NO_ATTRIBUTE if split < 0 else int(self.split_attribute[split]))
            decision.append(self._common_decision(subtable))
            parent.append(above)
            code.append(edge_code)
            if split >= 0:
                edges = range(self.split_edges[split + 1] - 1, self.split_edges[split] - 1, -1)
                waiting += [(int(self.edge_to[edge]), node, int(self.edge_code[edge])) for edge in edges]
        tree = tree_from_parents(np.array(attribute), np.array(decision), np.array(parent), np.array(code))
        return _with_common_decisions(tree, self.table)

    def codes_of(self, split: int) -> Integers:
        """(edges of a bundle,): the code that each of its edges is for, in their order."""
        return self.edge_code[self.split_edges[split] : self.split_edges[split + 1]]

    def _common_decision(self, subtable: int) -> int:
        return max(int(self.decision[subtable]), 0)

    def _values(self, cost: CostFunction) -> tuple[list[float], list[int]]:
        """(least cost of each subtable, the first bundle that has it or -1)."""
        splits, split_edges, edge_to = self.splits.tolist(), self.split_edges.tolist(), self.edge_to.tolist()
        size = self.size.tolist()
        value, best = [float(cost.psi_zero)] * self.nodes, [-1] * self.nodes
        for node in range(self.nodes):
            least = None
            for split in range(splits[node], splits[node + 1]):
                parts = [value[to] for to in edge_to[split_edges[split] : split_edges[split + 1]]]
                found = cost.combine(size[node], parts)
                if least is None or found < least:
                    least, best[node] = found, split
            if least is not None:
                value[node] = least
        return value, best


def exact_costs(table: DecisionTable) -> Costs:
    """The least of each of the five costs over all decision trees for the table."""
    return SubtableGraph.of(table).costs()


def _with_common_decisions(tree: DecisionTree, table: DecisionTable) -> DecisionTree:
    """The tree with every nonterminal node's decision the most common one of its rows."""
    decision = tree.decision.copy()
    for node, rows in tree.rows_of_nodes(table.codes):
        decision[node] = table.decision_counts(rows).argmax()
    return DecisionTree(tree.kind, tree.attribute, decision, tree.edges, tree.edge_code, tree.edge_to)
