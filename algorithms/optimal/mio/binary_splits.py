"""Rows as the formulations see them: the rank of each value in its column, and splits by rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.data.attributes.one_hot import OneHot
from algorithms.data.attributes.thresholds import cut_between
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from algorithms.optimal.instance import Instance
from algorithms.optimal.plan import ByBounds, ByCodes, Leaf, Plan
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree

Rows = NDArray[np.intp]


class RankSplit(NamedTuple):
    """Rows whose value in a column has a rank below `rank` go left, all others right."""

    column: int
    rank: int


PlacedTree = Mapping[int, RankSplit]
"""A tree: its splits, keyed by the node's number in a complete binary tree: root 1, children 2m and 2m + 1."""


@dataclass(frozen=True)
class CompleteTree:
    """All nodes up to this depth, which is at least 1. Branch nodes may split, leaves may not."""

    depth: int

    @property
    def branches(self) -> range:
        """The nodes that may split."""
        return range(1, 2**self.depth)

    @property
    def leaves(self) -> range:
        """The nodes at the greatest depth."""
        return range(2**self.depth, 2 ** (self.depth + 1))

    @property
    def nodes(self) -> range:
        """All nodes."""
        return range(1, 2 ** (self.depth + 1))

    def above(self, node: int) -> list[int]:
        """The ancestors of a node, its parent first."""
        return [node >> level for level in range(1, node.bit_length())]

    def left_above(self, node: int) -> list[int]:
        """A_L: the ancestors whose left branch leads to the node."""
        return [node >> level for level in range(1, node.bit_length()) if not node >> (level - 1) & 1]

    def right_above(self, node: int) -> list[int]:
        """A_R: the ancestors whose right branch leads to the node."""
        return [node >> level for level in range(1, node.bit_length()) if node >> (level - 1) & 1]

    def below(self, node: int) -> list[int]:
        """A node and all its descendants."""
        result, level = [], [node]
        while level and level[0] in self.nodes:
            result += level
            level = [child for parent in level for child in (2 * parent, 2 * parent + 1)]
        return result


@dataclass(frozen=True, eq=False)
class BinarySplits:
    """A data set without missing values as columns of ranks: one for each number and each label of a nominal attribute.

    Constant columns are left out, and so are columns of labels that split the rows like an earlier column.
    """

    attributes: tuple[Attribute, ...]  # those of the data set
    attribute: NDArray[np.int32]  # (columns,) the attribute of a column
    label: NDArray[np.int32]  # (columns,) its code, MISSING for a number
    values: Numbers  # (rows, columns) the numbers, and 0 or 1 for labels
    ranks: NDArray[np.int32]  # (rows, columns) the rank of each value in its column
    levels: NDArray[np.int64]  # (columns,) number of ranks, at least 2

    @classmethod
    def of(cls, data: DataSet, weights: Numbers | None = None, cuts: int | None = None) -> BinarySplits:
        """All splits of a data set. With `cuts`, numbers are split at no more than this many weighted quantiles."""
        encoding = OneHot.of(data.attributes)
        values = encoding.matrix(data)
        ranks = np.zeros(values.shape, np.int32)
        kept: list[int] = []
        partitions: set[bytes] = set()
        for column, code in enumerate(encoding.code.tolist()):
            levels, ranks[:, column] = np.unique(values[:, column], return_inverse=True)
            if code == MISSING and cuts is not None and len(levels) > cuts + 1:
                ranks[:, column] = _quantiles(ranks[:, column], weights, cuts)
            last = ranks[:, column].max(initial=0)
            partition = (ranks[:, column] != ranks[0, column]).tobytes()  # the same for a column and its complement
            if last > 0 and (code == MISSING or partition not in partitions):
                kept.append(column)
                if last == 1:  # otherwise it splits the rows in other ways
                    partitions.add(partition)
        return cls(
            attributes=data.attributes,
            attribute=encoding.attribute[kept],
            label=encoding.code[kept],
            values=values[:, kept],
            ranks=ranks[:, kept],
            levels=ranks[:, kept].max(axis=0, initial=0).astype(np.int64) + 1,
        )

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.levels)

    def data_set(self, like: DataSet) -> DataSet:
        """The same rows with an attribute for each column, nominal if it has two ranks; classes as in `like`."""
        names = OneHot(self.attribute, self.label).names(self.attributes)
        attributes: list[Attribute] = []
        columns: list[NDArray[np.int32] | Numbers] = []
        for name, ranks, levels in zip(names, self.ranks.T, self.levels.tolist(), strict=True):
            if levels == 2:
                attributes.append(Attribute(name, AttributeKind.NOMINAL, ("0", "1")))
                columns.append(ranks.copy())
            else:
                attributes.append(Attribute(name, AttributeKind.NUMERIC))
                columns.append(ranks.astype(np.float64))
        return DataSet(tuple(attributes), tuple(columns), like.classes, like.decisions)

    def placed(self, tree: DecisionTree) -> dict[int, RankSplit]:
        """The splits of a tree over the attributes of `data_set` whose nonterminal nodes have two children each."""
        result: dict[int, RankSplit] = {}
        waiting = [(0, 1)]
        while waiting:
            node, position = waiting.pop()
            if tree.kind[node] == NodeKind.TERMINAL:
                continue
            edges = tree.edges_of(node)
            to = tree.edge_to[edges].tolist()
            if tree.kind[node] == NodeKind.BOUNDS:
                left, right, rank = to[0], to[1], int(np.floor(tree.edge_bound[edges][0])) + 1
            else:
                branch = dict(zip(tree.edge_code[edges].tolist(), to, strict=True))
                left, right, rank = branch[0], branch[1], 1
            result[position] = RankSplit(int(tree.attribute[node]), rank)
            waiting += [(left, 2 * position), (right, 2 * position + 1)]
        return result

    def left(self, split: RankSplit, rows: Rows) -> NDArray[np.bool_]:
        """Whether each row goes left, shape (rows,)."""
        return np.asarray(self.ranks[rows, split.column] < split.rank)

    def pruned(
        self, placed: PlacedTree, instance: Instance, node: int = 1, reached: Rows | None = None
    ) -> tuple[dict[int, RankSplit], float]:
        """The best subtree of a tree with the same root, and its errors + size_cost x splits.

        A node that leaves a child without rows is dropped. A node that saves no more than its splits cost becomes a
        leaf.

        node, reached : the root, and the rows that reach it, by default all
        """
        rows = np.arange(len(self.ranks)) if reached is None else reached
        count = np.bincount(instance.data.decisions[rows], instance.weights[rows]).astype(np.float64)
        leaf = errors_of_leaves(count[None, :])
        if node not in placed:
            return {}, leaf
        left = self.left(placed[node], rows)
        if left.all() or not left.any():
            child = 2 * node + int(not left.any())
            below, cost = self.pruned(placed, instance, child, rows)
            return _moved(below, child, node), cost
        below_left, left_cost = self.pruned(placed, instance, 2 * node, rows[left])
        below_right, right_cost = self.pruned(placed, instance, 2 * node + 1, rows[~left])
        total = left_cost + right_cost + instance.size_cost
        if leaf <= total * (1 + 1e-12):
            return {}, leaf
        return {node: placed[node], **below_left, **below_right}, total

    def plan(self, placed: PlacedTree, node: int = 1, reached: Rows | None = None) -> Plan:
        """The tree as a plan over the attributes; its cuts are midway between the values of the node's rows."""
        if node not in placed:
            return Leaf()
        rows = np.arange(len(self.ranks)) if reached is None else reached
        split = placed[node]
        left = self.left(split, rows)
        children = (self.plan(placed, 2 * node, rows[left]), self.plan(placed, 2 * node + 1, rows[~left]))
        attribute, label = int(self.attribute[split.column]), int(self.label[split.column])
        if label != MISSING:
            other_labels = tuple(code for code in range(len(self.attributes[attribute].labels)) if code != label)
            return ByCodes(attribute, (other_labels, (label,)), children)
        values = self.values[rows, split.column]
        return ByBounds(attribute, (cut_between(float(values[left].max()), float(values[~left].min())),), children)


def errors_of_leaves(counts: Numbers) -> float:
    """For leaves with these weights (leaves, classes): the sum of all but the greatest, added from the least."""
    return float(np.sort(counts, axis=1)[:, :-1].sum())


def _moved(placed: PlacedTree, old: int, new: int) -> dict[int, RankSplit]:
    """Move the subtree at `old` to `new`."""
    moved = {}
    for node, split in placed.items():
        levels = node.bit_length() - old.bit_length()
        moved[(new << levels) | (node & ((1 << levels) - 1))] = split
    return moved


def _quantiles(ranks: NDArray[np.int32], weights: Numbers | None, cuts: int) -> NDArray[np.int32]:
    """Reduce ranks to their indices among `cuts` quantiles."""
    shares = np.arange(1, cuts + 1) / (cuts + 1)
    last = np.unique(np.quantile(ranks, shares, method="inverted_cdf", weights=weights))  # the largest left of each
    coarse = np.searchsorted(last, ranks, side="left")
    return np.unique(coarse, return_inverse=True)[1].reshape(-1).astype(np.int32)
