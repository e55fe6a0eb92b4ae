"""Decision trees as flat arrays, one form for every kind of node, so that one set of costs serves all builders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.table import DecisionTable
from algorithms.trees.arrays import ALL_BRANCHES, NO_NODE, NodeKind, TreeArrays, TreeError
from algorithms.trees.costs import CostFunction, Costs
from algorithms.trees.row_walk import BLOCK, Walk, arrivals, distributions, last_nodes, next_nodes
from algorithms.trees.svg import tree_svg
from algorithms.trees.walk import answers_of, walk_of

__all__ = ["ROUNDING", "DecisionTree", "cost_of_tree"]

Rows = NDArray[np.int64]
Numbers = NDArray[np.float64]

ROUNDING = 1 - 1e-9
"""Sums of shares that differ by less are the same, so that rounding decides nothing."""


@dataclass(frozen=True, eq=False, repr=False)
class DecisionTree(TreeArrays):
    """A decision tree: the arrays of `algorithms.trees.arrays.TreeArrays`, with predictions and costs.

    Its parameters are those of `TreeArrays`, which checks them. In a notebook it shows itself as a picture.
    """

    def __repr__(self) -> str:
        """Its size in words."""
        leaves = int((self.kind == NodeKind.TERMINAL).sum())
        return f"<{type(self).__name__}: {self.nodes} nodes, {leaves} leaves, depth {int(self.depths().max())}>"

    def _repr_svg_(self) -> str:
        return tree_svg(self, None, repr(self))

    def rows_of_nodes(self, values: ArrayLike) -> Iterator[tuple[int, Rows]]:
        """For each node in order, the indices of the rows of `values` (rows, attributes) that reach it.

        A row that goes down all branches reaches each of them that has a share.
        """
        given, walk = self._numbers(values), walk_of(self)
        waiting: dict[int, list[Rows]] = {0: [np.arange(len(given))]}
        for node in range(self.nodes):
            reached = waiting.pop(node, [])
            rows = np.sort(np.concatenate(reached)) if reached else np.zeros(0, np.int64)
            to = np.full(len(rows), NO_NODE, np.int32)
            next_nodes(walk, node, given, rows, to)
            shared = rows[to == ALL_BRANCHES]
            for child in self.children(node):
                to_child = [rows[to == child], shared] if walk.nodes[child]["share"] else [rows[to == child]]
                waiting.setdefault(child, []).extend(to_child)
            yield node, rows

    def last_nodes(self, values: ArrayLike) -> NDArray[np.int32]:
        """(rows,): the last node that each row of `values` (rows, attributes) reaches as a whole.

        That is where it ends, or where it goes down all branches.
        """
        return self._last_nodes(self._numbers(values), walk_of(self))[0]

    def predict(self, values: ArrayLike) -> NDArray[np.int32]:
        """(rows,): the decision for each row of `values` (rows, attributes), codes for CODES nodes.

        It is the decision of the node at which the row ends; for a row that goes down all branches of a node, the first
        of the greatest in its `distribution`, up to one part in 10**9.
        """
        given = self._numbers(values)
        last, shared = self._last_nodes(given, walk_of(self))
        decided = self.decision.take(last).astype(np.int32, copy=False)
        if shared.any():
            found = self.distribution(given[shared])
            decided[shared] = (found >= found.max(axis=1, keepdims=True) * ROUNDING).argmax(axis=1)
        return decided

    def distribution(self, values: ArrayLike) -> Numbers:
        """(rows, decisions): the share of each decision among the rows a tree was built from, where each row ends.

        Over all branches it is the sum by their shares. A node without counts or weight is sure of its decision.
        """
        given, walk, answers = self._numbers(values), walk_of(self), answers_of(self)
        last, shared = self._last_nodes(given, walk)
        found = answers.take(last, axis=0)
        if shared.any():
            distributions(walk, given, last, np.flatnonzero(shared), answers, found)
        return found

    def costs(self, table: DecisionTable) -> Costs:
        """The tree's costs over a table, by its row weights, counting the nodes that its rows reach."""
        if not isinstance(table, DecisionTable):
            msg = f"table: expected a DecisionTable, found {type(table).__name__}; `costs` of an estimator takes rows"
            raise TypeError(msg)
        ended = np.zeros(self.nodes, np.int64)
        np.add.at(ended, self.last_nodes(table.codes), table.weights)
        return self._costs_of(ended, table.size)

    def costs_of_rows(self, values: ArrayLike, weights: ArrayLike | None = None) -> Costs:
        """The tree's costs over rows of `values` (rows, attributes), such as those of training, by their weights or 1.

        Nodes count that rows of positive weight reach, wholly or in part; a node where any of them ends is terminal.
        The total path length sums weight times share times depth, and the average depth divides it by all weight.

        Raises TreeError where no row has a positive weight.
        """
        ended = self.weight_ending(values, weights)
        if not ended.any():
            msg = f"there are weights of shape {np.shape(values)[:1]}, all 0: expected rows of positive weight"
            raise TreeError(msg)
        return self._costs_of(ended, ended.sum())

    def weight_ending(self, values: ArrayLike, weights: ArrayLike | None = None) -> Numbers:
        """(nodes,): the weight of the rows of `values` (rows, attributes) that end at each node.

        Rows count by their weights (rows,), or 1; parts of them by their shares.

        Raises TreeError where the weights are not one a row, finite and 0 or more.
        """
        given = self._numbers(values)
        weight = np.ones(len(given)) if weights is None else np.array(weights, np.float64)
        if weight.shape != (len(given),) or not (weight >= 0).all() or not weight.sum() < np.inf:
            msg = (
                f"there are weights of shape {weight.shape} for {len(given)} rows: expected one each, finite, 0 or more"
            )
            raise TreeError(msg)
        walk, ended = walk_of(self), np.zeros(self.nodes)
        arrivals(walk, given, *self._last_nodes(given, walk), weight, ended)
        return ended

    def _numbers(self, values: ArrayLike) -> Numbers:
        """The values as the kernels read them: float64, row by row, as many attributes as the tree asks."""
        given = np.asarray(values)
        asked = self.attribute[(self.kind == NodeKind.CODES) | (self.kind == NodeKind.BOUNDS)]
        needed = int(max(asked.max(initial=-1) + 1, self.coefficients.shape[1]))
        if given.ndim != 2 or given.shape[1] < needed or given.dtype.kind not in "biuf":
            msg = f"values have shape {given.shape} and type {given.dtype}: expected numbers, (rows, {needed} or more)"
            raise TreeError(msg)
        return np.ascontiguousarray(given, np.float64)

    def _last_nodes(self, given: Numbers, walk: Walk) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """For each row: the last node that it reaches as a whole, and whether it goes down all branches there."""
        last, shared = np.empty(len(given), np.int32), np.empty(len(given), np.bool_)
        last_nodes(walk, given, last, shared, np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint32))
        return last, shared

    def _costs_of(self, ended: NDArray[np.int64] | Numbers, weight: float) -> Costs:
        """The costs where rows of this weight end at each node, of all the weight given."""
        depth, terminal = self.depths(), ended > 0
        reached = terminal.tolist()
        for node, parent in reversed(list(enumerate(self.parents().tolist()))[1:]):
            reached[parent] = reached[parent] or reached[node]
        nodes, length = sum(reached), (ended * depth).sum().item()
        return Costs(
            depth=int(depth[terminal].max()),
            total_path_length=length,
            average_depth=float(length / weight),
            nodes=nodes,
            nonterminal_nodes=nodes - int(terminal.sum()),
            terminal_nodes=int(terminal.sum()),
        )


def cost_of_tree(tree: DecisionTree, table: DecisionTable, cost: CostFunction) -> float:
    """psi(T, tree) for any cost function, of a tree that is one for the table."""
    size = {node: int(table.weights[rows].sum()) for node, rows in tree.rows_of_nodes(table.codes)}
    value: dict[int, float] = {}
    for node in reversed(range(tree.nodes)):
        below = [value[child] for child in tree.children(node)]
        value[node] = cost.combine(size[node], below) if below else cost.psi_zero
    return value[0] / table.size if cost.per_row else value[0]
