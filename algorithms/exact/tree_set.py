"""Sets of decision trees: all trees for a table, the optimal trees, and trees optimal for one cost after another.

A set is a graph like the graph of separable subtables. A tree chooses one split at each node that it reaches. Different
choices give different trees, so trees can be counted, listed and searched on the graph, however many trees there are.

If a cost grows strictly with the cost of each branch, the trees of least cost take a split of least cost at each node.
The other splits are dropped (`restricted`). The depth, 1 + the maximum of the branches, does not grow strictly: beside
a deep branch, the other branches may be deeper than necessary. So the trees of least depth are found on another graph
(`within_depth`), whose nodes are pairs of a node and the number of levels that may follow it. Both results are again
sets of trees, so costs can be minimised one after another in any order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.exact import split_graph as kernels
from algorithms.exact.graph import SubtableGraph
from algorithms.exact.least_costs import Links, least_costs
from algorithms.greedy import tree_from_choices
from algorithms.options import Number, ParameterError, Whole, check_parameters, check_type, made_by
from algorithms.plurals import counted
from algorithms.trees.arrays import NO_ATTRIBUTE, NodeKind
from algorithms.trees.costs import (
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

__all__ = ["DEFAULT_LIMIT", "TreeSet", "TreeSetTooLargeError", "decision_counts"]

DEFAULT_LIMIT = 100_000_000
"""The most edges of the graph of a set of trees of limited depth. An edge takes 4 bytes."""

State = TypeVar("State")


class TreeSetTooLargeError(MemoryError):
    """The graph of a set of trees would exceed its limit."""


@made_by("TreeSet.of(SubtableGraph.of(table))")
@dataclass(frozen=True, eq=False)
class TreeSet:
    """A set of at least one decision tree for a table, as a graph.

    Nodes are numbered so that edges lead to smaller numbers.

    Attributes
    ----------
    graph : SubtableGraph
        The graph whose splits these trees take.
    size : ndarray of shape (nodes,), int64
        The sum of the row weights of a node's subtable.
    decision : ndarray of shape (nodes,), int32
        The most common decision of a node's rows; if several are equally common, the smallest of these decisions.
    splits : ndarray of shape (nodes + 1,), int64
        Node i has the splits from `splits[i]` up to, not including, `splits[i + 1]`. A node without splits is terminal.
    split_in_graph : ndarray of shape (splits,), int64
        The index of each split in `graph`.
    split_edges : ndarray of shape (splits + 1,), int64
        Split j has the edges from `split_edges[j]` up to, not including, `split_edges[j + 1]`.
    edge_to : ndarray of shape (edges,), int32
        The node that an edge leads to; `graph.codes_of` gives the codes of a split's edges.

    Examples
    --------
    >>> from orchard import NODES, DecisionTable, SubtableGraph, TreeSet
    >>> table = DecisionTable.from_labels({"f": ["a", "a", "b"], "g": ["x", "y", "x"]}, ["yes", "no", "no"])
    >>> trees = TreeSet.of(SubtableGraph.of(table))
    >>> trees.number(), trees.optimal(NODES).number()
    (2, 2)
    """

    graph: SubtableGraph
    size: NDArray[np.int64]
    decision: NDArray[np.int32]
    splits: NDArray[np.int64]
    split_in_graph: NDArray[np.int64]
    split_edges: NDArray[np.int64]
    edge_to: NDArray[np.int32]

    def __repr__(self) -> str:
        return f"<TreeSet: {counted(self.nodes, 'node')}, {counted(self.edges, 'edge')}; number() counts its trees>"

    @staticmethod
    def of(graph: SubtableGraph) -> TreeSet:
        """All decision trees for the table of the graph. Node i of the set is node i of the graph."""
        check_type("graph", graph, SubtableGraph, "SubtableGraph.of(table)")
        size = np.asarray(graph.size, np.int64)
        splits, split_edges = np.asarray(graph.splits, np.int64), np.asarray(graph.split_edges, np.int64)
        edge_to = np.asarray(graph.edge_to, np.int32)
        decision = decision_counts(graph).argmax(axis=1).astype(np.int32)
        return TreeSet(graph, size, decision, splits, np.arange(len(graph.split_attribute)), split_edges, edge_to)

    @property
    def nodes(self) -> int:
        """Number of nodes of the graph. After `within_depth`, several nodes may stand for the same subtable."""
        return len(self.size)

    @property
    def edges(self) -> int:
        """Number of edges of the graph."""
        return len(self.edge_to)

    @property
    def links(self) -> Links:
        """The arrays `splits`, `split_edges` and `edge_to`."""
        return self.splits, self.split_edges, self.edge_to

    def minimum(self, cost: CostFunction) -> float:
        """The least value of a monotone cost function over the trees of the set."""
        if cost == DEPTH:
            return int(kernels.depth_spans(*self.links)[0][-1])
        values, _ = least_costs(cost, self.size, self.links)
        value: float = values[-1:].tolist()[0]
        return value / self.graph.table.size if cost.per_row else value

    def costs(self) -> Costs:
        """The least value of each of the five costs over the trees of the set, each minimised alone."""
        counted = (DEPTH, TOTAL_PATH_LENGTH, NODES, NONTERMINAL_NODES, TERMINAL_NODES)
        return costs_of_counts([int(self.minimum(cost)) for cost in counted], self.graph.table.size)

    def optimal(self, *costs: CostFunction) -> TreeSet:
        """The trees that minimise the first cost; among these, the trees that minimise the second cost; and so on.

        A cost is one of the five in `COST_FUNCTIONS`, `TOTAL_PATH_LENGTH`, or a `CostFunction` that you define. Your
        `combine` must grow strictly with the cost of each branch; otherwise optimal trees are lost. The values of
        `combine` are compared exactly, so they should be whole numbers or fractions, not rounded numbers.

        Raises
        ------
        TreeSetTooLargeError
            The depth is among the costs, and `within_depth` raises this error.
        """
        trees = self
        for cost in costs:
            if cost == DEPTH:
                trees = trees.within_depth(int(trees.minimum(DEPTH)))
            else:
                values, split_values = least_costs(cost, trees.size, trees.links)
                trees = trees.restricted(split_values == np.repeat(values, np.diff(trees.splits)))
        return trees

    def restricted(self, keep: ArrayLike) -> TreeSet:
        """The trees that take only splits marked in `keep`. A node without a marked split becomes terminal.

        Raises
        ------
        ValueError
            `keep` does not have a bool for each split.
        """
        keep = np.asarray(keep)
        if keep.shape != self.split_in_graph.shape or keep.dtype != np.bool_:
            raise ValueError(
                f"`keep` has shape {keep.shape} and type {keep.dtype}: expected {self.split_in_graph.shape} and bool"
            )
        needed, greatest = (~keep).astype(np.int64), np.zeros(self.nodes, np.int64)  # one state of each node
        return self._unfolded(kernels.states(0, needed, greatest, *self.links), needed, greatest)

    def within_depth(self, depth: int, limit: int = DEFAULT_LIMIT) -> TreeSet:
        """The trees of the set whose depth is at most `depth`.

        Raises
        ------
        ParameterError
            `depth` is not a whole number, or the set has no such tree; or `limit` is not a number.
        TreeSetTooLargeError
            The graph of these trees would have more than `limit` edges.
        """
        check_parameters({"limit": (Number(0),)}, {"limit": limit})
        least, greatest, needed = kernels.depth_spans(*self.links)
        allowed = Whole(int(least[-1]))
        if not allowed.allows(depth):
            raise ParameterError(
                f"`depth` is {depth!r}: expected {allowed}, because no tree of this set has a smaller depth"
            )
        found = kernels.states(min(int(depth), int(greatest[-1])), needed, greatest, *self.links)
        if (edges := found[2]) > limit:
            raise TreeSetTooLargeError(
                f"the graph of the trees of depth at most {depth} would have {edges:,} edges, but the limit is "
                f"{limit:,}: raise `limit` (each edge takes about 5 bytes), or restrict the set by a cost first"
            )
        return self._unfolded(found, needed, greatest)

    def number(self) -> int:
        """How many trees the set has, exactly."""
        return self._numbers()[-1]

    def tree(self, index: int = 0) -> DecisionTree:
        """The tree at an index; the first tree has index 0.

        Trees are ordered by the attribute of the root, then by the subtree for its first code, then by the subtree for
        its second code, and so on. The subtree for the last code changes fastest.

        Raises
        ------
        IndexError
            There is no such index.
        """
        index, numbers = operator.index(index), self._numbers()
        if not 0 <= index < numbers[-1]:
            raise IndexError(f"`index` is {index}: expected 0 or more, and less than the number of trees of the set")
        return self._tree_at(index, numbers)

    def trees(self, limit: int | None = None) -> Iterator[DecisionTree]:
        """The first `limit` trees, one by one in the order of `tree`. Without `limit`, all trees of the set."""
        numbers = self._numbers()
        last = numbers[-1] if limit is None else min(limit, numbers[-1])
        return (self._tree_at(index, numbers) for index in range(last))

    def __contains__(self, tree: object) -> bool:
        """Whether the set has a tree with the same tests and the same decisions of terminal nodes."""
        if not isinstance(tree, DecisionTree):
            return False
        waiting, seen = [(0, self.nodes - 1)], []
        while waiting:
            tree_node, node = waiting.pop()
            below = self._followed(tree, tree_node, node)
            if below is None:
                return False
            waiting += below
            seen.append(tree_node)
        return sorted(seen) == list(range(tree.nodes))  # otherwise a branch is for several codes, or for unknown values

    def splits_of(self, node: int) -> range:
        """The splits of a node, in the order of their attributes."""
        return range(int(self.splits[node]), int(self.splits[node + 1]))

    def children(self, split: int) -> list[int]:
        """The nodes below a split, in the order of the codes of its edges."""
        entered: list[int] = self.edge_to[self.split_edges[split] : self.split_edges[split + 1]].tolist()
        return entered

    def grow(self, choose: Callable[[int, State], tuple[int, Sequence[State]]], state: State) -> DecisionTree:
        """The tree of the set that takes the split that `choose` returns for each nonterminal node.

        `choose` gets a node and its state. It returns one of the node's splits, and a state for each child. `state` is
        the state of the root.
        """

        def of_node(node_and_state: tuple[int, State]) -> tuple[int, int, list[tuple[int, tuple[int, State]]]]:
            node, state = node_and_state
            decision = int(self.decision[node])
            if not self.splits_of(node):
                return NO_ATTRIBUTE, decision, []
            split, states = choose(node, state)
            attribute, codes = self._question(split)
            return attribute, decision, list(zip(codes, zip(self.children(split), states, strict=True), strict=True))

        return tree_from_choices(of_node, (self.nodes - 1, state))

    def _question(self, split: int) -> tuple[int, list[int]]:
        """The attribute of a split, and the code of each of its edges."""
        in_graph = int(self.split_in_graph[split])
        return int(self.graph.split_attribute[in_graph]), [int(code) for code in self.graph.codes_of(in_graph)]

    def _followed(self, tree: DecisionTree, tree_node: int, node: int) -> list[tuple[int, int]] | None:
        """Pairs of children of a tree's node and of a node of the graph; None if the set has no such tree."""
        if not self.splits_of(node):
            same = tree.kind[tree_node] == NodeKind.TERMINAL and tree.decision[tree_node] == self.decision[node]
            return [] if same else None
        edges = tree.edges_of(tree_node)
        to = dict(zip(tree.edge_code[edges].tolist(), tree.edge_to[edges].tolist(), strict=True))
        for split in self.splits_of(node) if tree.kind[tree_node] == NodeKind.CODES else ():
            attribute, codes = self._question(split)
            if attribute == tree.attribute[tree_node] and set(codes) == set(to):
                return [(to[code], child) for code, child in zip(codes, self.children(split), strict=True)]
        return None

    def _unfolded(self, found: Any, needed: NDArray[np.int64], greatest: NDArray[np.int64]) -> TreeSet:
        """The set whose nodes are the states that the kernel found in the graph of this set."""
        node, splits, split, split_edges, edge_to = kernels.unfolded(*found, needed, greatest, *self.links)
        in_graph = self.split_in_graph[split]
        return TreeSet(self.graph, self.size[node], self.decision[node], splits, in_graph, split_edges, edge_to)

    def _numbers(self) -> list[int]:
        """(nodes,): the number of trees at each node."""
        numbers: list[int] = []
        for node in range(self.nodes):
            below = [[numbers[to] for to in self.children(split)] for split in self.splits_of(node)]
            numbers.append(sum(map(prod, below)) if below else 1)
        return numbers

    def _tree_at(self, index: int, numbers: list[int]) -> DecisionTree:
        def choose(node: int, index: int) -> tuple[int, list[int]]:
            for split in self.splits_of(node):
                below = [numbers[child] for child in self.children(split)]
                trees = prod(below)
                if index < trees:
                    break
                index -= trees
            indices = []
            for number in reversed(below):
                index, digit = divmod(index, number)
                indices.append(digit)
            return split, indices[::-1]

        return self.grow(choose, index)


def decision_counts(graph: SubtableGraph) -> NDArray[np.int64]:
    """(nodes, decisions): summed weight of each decision in every subtable of the graph."""
    arrays = (graph.size, graph.decision, graph.splits, graph.split_edges)
    size, decision, splits, split_edges = (np.asarray(array, np.int64) for array in arrays)
    counts: NDArray[np.int64] = kernels.decision_counts(
        size, decision, graph.table.n_decisions, splits, split_edges, np.asarray(graph.edge_to, np.int32)
    )
    return counts
