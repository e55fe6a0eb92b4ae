"""Functions that the pruning methods share: the pruned tree, and sums over subtrees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.rounding import EQUAL_SHARE
from algorithms.trees.arrays import NO_ATTRIBUTE, NO_NODE, NodeKind, TreeError
from algorithms.trees.decision_tree import DecisionTree


def pruned(tree: DecisionTree, terminal: NDArray[Any]) -> DecisionTree:
    """The tree with the given nodes, a mask (nodes,) or indices, made terminal and the nodes below them removed.

    They predict their own decision. The remaining nodes keep their order, decisions and counts.
    """
    ends = tree.kind == NodeKind.TERMINAL
    ends[terminal] = True
    kept = np.ones(tree.nodes, np.bool_)
    for node, parent in enumerate(tree.parents().tolist()):
        kept[node] = parent == NO_NODE or (kept[parent] and not ends[parent])
    index = np.where(kept, np.cumsum(kept) - 1, NO_NODE).astype(np.int32)
    degree = np.diff(tree.edges)
    edge_kept = np.repeat(kept & ~ends, degree)
    linear = (tree.kind == NodeKind.LINEAR) & kept & ~ends
    attribute = np.where(ends, NO_ATTRIBUTE, tree.attribute).astype(np.int32)
    attribute[linear] = np.arange(linear.sum())
    unknown_to = np.where(tree.unknown_to >= 0, index[tree.unknown_to], tree.unknown_to)
    return DecisionTree(
        kind=np.where(ends, NodeKind.TERMINAL, tree.kind)[kept].astype(np.uint8),
        attribute=attribute[kept],
        decision=tree.decision[kept],
        edges=np.concatenate([[0], np.cumsum(np.where(ends, 0, degree)[kept])]),
        edge_code=tree.edge_code[edge_kept],
        edge_to=index[tree.edge_to[edge_kept]],
        edge_bound=tree.edge_bound[edge_kept],
        unknown_to=np.where(ends, NO_NODE, unknown_to)[kept].astype(np.int32),
        counts=tree.counts[kept] if tree.counts.size else tree.counts,
        coefficients=tree.coefficients[tree.attribute[linear]],
    )


def known_counts(tree: DecisionTree) -> Numbers:
    """(nodes, decisions): the tree's counts.

    Raises TreeError if the tree has none.
    """
    if not tree.counts.size:
        raise TreeError("the tree has no `counts`: pruning needs this array, the weight of each decision at each node")
    return tree.counts


def rows_that_end(tree: DecisionTree) -> Numbers:
    """(nodes, decisions): the weight of each decision among the training rows that end at a node.

    At a terminal node these are all of its rows, at others the rows without a branch. There, remainders from rounding,
    below a part in 10⁹ of the node's weight, count as 0.
    """
    counts = known_counts(tree)
    ends = counts.copy()
    parent = tree.parents()
    np.subtract.at(ends, parent[1:], counts[1:])
    inner = (tree.kind != NodeKind.TERMINAL)[:, None]
    ends[inner & (ends <= EQUAL_SHARE * counts.sum(axis=1, keepdims=True))] = 0
    return ends


def errors(tree: DecisionTree, counts: Numbers) -> Numbers:
    """(nodes,): the weight of the rows counted for each node (nodes, decisions) that have another decision."""
    wrong = counts.copy()
    wrong[np.arange(tree.nodes), tree.decision] = 0  # a difference of sums would round small weights beside large ones
    return np.asarray(wrong.sum(axis=1))


def better_as_leaves(tree: DecisionTree, as_leaf: Numbers, ending: Numbers, slack: Numbers) -> NDArray[np.bool_]:
    """(nodes,): the nodes to make terminal, from the bottom up: those that cost no more as a leaf than their subtree.

    as_leaf : (nodes,) the cost of a node as a leaf
    ending  : (nodes,) the cost of the rows that end at a node of the unpruned tree; a subtree's cost is the sum over
              its nodes, after the nodes below have been pruned
    slack   : (nodes,) a node may cost this much more as a leaf
    """
    leaf: NDArray[np.bool_] = tree.kind == NodeKind.TERMINAL
    cost = ending.copy()
    for node, parent in reversed(list(enumerate(tree.parents().tolist()))):
        if not leaf[node] and as_leaf[node] <= cost[node] + slack[node]:
            leaf[node], cost[node] = True, as_leaf[node]
        if parent != NO_NODE:
            cost[parent] += cost[node]
    return leaf
