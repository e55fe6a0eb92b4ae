"""Decision trees as flat arrays. All kinds of nodes have one form, so that all builders share the code of costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.array_types import Numbers, Rows, unmasked
from algorithms.data.table import DecisionTable
from algorithms.options import check_type
from algorithms.plurals import counted
from algorithms.rounding import first_largest
from algorithms.trees.arrays import ALL_BRANCHES, NO_NODE, NodeKind, TreeArrays, TreeError
from algorithms.trees.costs import CostFunction, Costs, costs_of_counts
from algorithms.trees.row_walk import BLOCK, Walk, add_weight_ending, distributions, last_nodes, next_nodes
from algorithms.trees.svg import tree_svg
from algorithms.trees.walk import answers_of, walk_of

__all__ = ["DecisionTree", "cost_of_tree"]


@dataclass(frozen=True, eq=False, repr=False)
class DecisionTree(TreeArrays):
    """A decision tree: the arrays of its nodes and edges, with predictions and costs.

    `tree_` of a fitted estimator is such a tree. Node 0 is the root, and each node comes after its parent. A notebook
    shows the tree as a picture. `TreeArrays` has further methods.

    Parameters
    ----------
    kind : array of NodeKind
        (nodes,): the kind of each node's test.
    attribute : array of int
        (nodes,): the attribute that a node tests. For LINEAR it is a row of `coefficients`, for TERMINAL NO_ATTRIBUTE.
    decision : array of int
        (nodes,): the decision of each node, usually the most common decision of its rows. It is the answer of a
        terminal node, and the answer of any other node for rows without a branch.
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
        NO_NODE, the default: such a row ends at this node. ALL_BRANCHES: a row with a missing value goes down every
        branch, weighted by the branch's share of the `counts` of all branches (if these are all 0, the row ends at this
        node); a row with a code without an edge ends at this node.
    counts : array of float, optional
        (nodes, decisions): weight of each decision among the rows that the tree was built from. If the weights are not
        known, the shape is (0, 0).
    coefficients : array of float, optional
        (LINEAR nodes, attributes): the factor of each attribute in the sum that a LINEAR node tests.

    Raises
    ------
    TreeError
        The arrays do not fit together or are not a tree.

    Examples
    --------
    >>> from orchard import ID3Classifier
    >>> tree = ID3Classifier().fit([["red"], ["red"], ["blue"]], ["stop", "stop", "go"]).tree_
    >>> tree
    <DecisionTree: 3 nodes, 2 leaves, depth 1>
    >>> tree.counts[0].tolist()
    [1.0, 2.0]
    """

    def __repr__(self) -> str:
        leaves = int((self.kind == NodeKind.TERMINAL).sum())
        sizes = f"{counted(self.nodes, 'node')}, {counted(leaves, 'leaf', 'leaves')}"
        return f"<{type(self).__name__}: {sizes}, depth {int(self.depths().max())}>"

    def _repr_svg_(self) -> str:
        return tree_svg(self, None, repr(self))

    def rows_of_nodes(self, values: ArrayLike) -> Iterator[tuple[int, Rows]]:
        """For each node in order, the indices of the rows that reach it.

        `values` has the shape (rows, attributes). A row that goes down all branches reaches each child with a share
        above 0.
        """
        numbers, walk = self._numbers(values), walk_of(self)
        waiting: dict[int, list[Rows]] = {0: [np.arange(len(numbers))]}
        for node in range(self.nodes):
            reached = waiting.pop(node, [])
            rows = np.sort(np.concatenate(reached)) if reached else np.zeros(0, np.int64)
            to = np.full(len(rows), NO_NODE, np.int32)
            next_nodes(walk, node, numbers, rows, to)
            shared = rows[to == ALL_BRANCHES]
            for child in self.children(node):
                to_child = [rows[to == child], shared] if walk.nodes[child]["share"] else [rows[to == child]]
                waiting.setdefault(child, []).extend(to_child)
            yield node, rows

    def last_nodes(self, values: ArrayLike) -> NDArray[np.int32]:
        """(rows,): the last node that each row reaches as a whole.

        It is the node where the row ends, or the node from which the row goes down all branches. `values` has the shape
        (rows, attributes).
        """
        return self._last_nodes(self._numbers(values), walk_of(self))[0]

    def predict(self, values: ArrayLike) -> NDArray[np.int32]:
        """(rows,): the decision for each row of `values`, an array of shape (rows, attributes).

        A nominal attribute is given by its codes. The decision is that of the node where the row ends. For a row that
        goes down all branches of a node, it is the decision with the largest share in the row's `distribution`. If
        several shares are equal to 9 digits, it is the first of their decisions.
        """
        numbers = self._numbers(values)
        last, shared = self._last_nodes(numbers, walk_of(self))
        decisions = self.decision.take(last).astype(np.int32, copy=False)
        if shared.any():
            shares = self.distribution(numbers[shared])
            decisions[shared] = first_largest(shares)
        return decisions

    def distribution(self, values: ArrayLike) -> Numbers:
        """(rows, decisions): the share of each decision among the training rows of the node where each row ends.

        For a row that goes down all branches, it is the sum over the branches, each weighted by the branch's share of
        the row. At a node whose `counts` are not known or all 0, the share of the node's decision is 1.
        """
        numbers, walk, answers = self._numbers(values), walk_of(self), answers_of(self)
        last, shared = self._last_nodes(numbers, walk)
        result = answers.take(last, axis=0)
        if shared.any():
            distributions(walk, numbers, last, np.flatnonzero(shared), answers, result)
        return result

    def costs(self, table: DecisionTable) -> Costs:
        """The costs of the tree over a table with row weights. Nodes that no row reaches do not count."""
        if not isinstance(table, DecisionTable):
            found = f"`table` is of type {type(table).__name__}"
            raise TypeError(f"{found}: expected a DecisionTable; for rows, call `costs` of an estimator")
        ending = np.zeros(self.nodes, np.int64)
        np.add.at(ending, self.last_nodes(table.codes), table.weights)
        return self._costs_of(ending, table.size)

    def costs_of_rows(self, values: ArrayLike, weights: ArrayLike | None = None) -> Costs:
        """The costs of the tree over the rows of `values`, of shape (rows, attributes), with their weights or 1.

        A node counts only if a row of positive weight, or a part of such a row, reaches it. The node counts as terminal
        if such a row ends there. The total path length is the sum of weight times share times depth. The average depth
        is the total path length divided by the sum of the weights.

        Raises TreeError if no row has a positive weight.
        """
        ending = self.weight_ending(values, weights)
        if not ending.any():
            raise TreeError("no row has a positive weight: expected at least one such row")
        return self._costs_of(ending, ending.sum())

    def weight_ending(self, values: ArrayLike, weights: ArrayLike | None = None) -> Numbers:
        """(nodes,): the weight of the rows of `values`, of shape (rows, attributes), that end at each node.

        Without `weights`, each row has weight 1. A part of a row has its share of the row's weight.

        Raises TreeError if a weight is negative or not finite, or if `weights` and `values` differ in length.
        """
        numbers = self._numbers(values)
        weight = np.ones(len(numbers)) if weights is None else np.array(unmasked(weights), np.float64)
        shape = weight.shape
        if shape != (len(numbers),) or not (weight >= 0).all() or not weight.sum() < np.inf:
            wrong = f"shape {shape}" if shape != (len(numbers),) else "negative or missing weights, or an infinite sum"
            given = f"`weights` has {wrong} for {counted(len(numbers), 'row')}"
            raise TreeError(f"{given}: expected one finite weight of 0 or more for each row")
        walk, ending = walk_of(self), np.zeros(self.nodes)
        add_weight_ending(walk, numbers, *self._last_nodes(numbers, walk), weight, ending)
        return ending

    def _numbers(self, values: ArrayLike) -> Numbers:
        """The values as the kernels read them: float64 in row order; TreeError if the tree needs more attributes."""
        numbers = np.asarray(unmasked(values))
        tested = self.attribute[(self.kind == NodeKind.CODES) | (self.kind == NodeKind.BOUNDS)]
        needed = int(max(tested.max(initial=-1) + 1, self.coefficients.shape[1]))
        if numbers.ndim != 2 or numbers.shape[1] < needed or numbers.dtype.kind not in "biuf":
            given = f"shape {numbers.shape} and type {numbers.dtype}"
            raise TreeError(
                f"`values` has {given}: expected numbers in rows of at least {counted(needed, 'column')}. For the tree "
                "of an estimator that was fitted to X and y, pass data_set_of(X, y).values()"
            )
        return np.ascontiguousarray(numbers, np.float64)

    def _last_nodes(self, numbers: Numbers, walk: Walk) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """For each row, the last node that it reaches as a whole, and whether it goes down all branches from there."""
        last, shared = np.empty(len(numbers), np.int32), np.empty(len(numbers), np.bool_)
        last_nodes(walk, numbers, last, shared, np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint32))
        return last, shared

    def _costs_of(self, ending: NDArray[np.int64] | Numbers, weight: float) -> Costs:
        """The costs if rows of this weight end at each node; `weight` is that of all rows."""
        depth, terminal = self.depths(), ending > 0
        nodes = int(np.count_nonzero(self.sums_over_subtrees(terminal.astype(np.int64))))
        leaves = int(terminal.sum())
        counts = int(depth[terminal].max()), (ending * depth).sum().item(), nodes, nodes - leaves, leaves
        return costs_of_counts(counts, weight)


def cost_of_tree(tree: DecisionTree, table: DecisionTable, cost: CostFunction) -> float:
    """Return the cost psi(T, tree) of a decision tree for a table, for any cost function.

    Parameters
    ----------
    tree : DecisionTree
    table : DecisionTable
    cost : CostFunction

    Returns
    -------
    float

    Examples
    --------
    >>> from orchard import NODES, DecisionTable, cost_of_tree, greedy_tree
    >>> table = DecisionTable.from_labels({"f": ["a", "b", "c"]}, ["yes", "no", "yes"])
    >>> cost_of_tree(greedy_tree(table, "sum/ent"), table, NODES)
    4
    """
    check_type("cost", cost, CostFunction, "COST_FUNCTIONS[name]")
    size = {node: int(table.weights[rows].sum()) for node, rows in tree.rows_of_nodes(table.codes)}
    value: dict[int, float] = {}
    for node in reversed(range(tree.nodes)):
        below = [value[child] for child in tree.children(node)]
        value[node] = cost.combine(size[node], below) if below else cost.psi_zero
    return value[0] / table.size if cost.per_row else value[0]
