"""A decision tree as the kernels read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from algorithms.kernels.tree_walk import EDGE, NODE, Walk
from algorithms.tree_arrays import ALL_BRANCHES, NO_NODE, NodeKind, parents

if TYPE_CHECKING:
    from algorithms.tree import DecisionTree

__all__ = ["answers_of", "walk_of"]


def walk_of(tree: DecisionTree) -> Walk:
    """The tree's tests, edges and shares; where all branches of a node weigh nothing, rows are not sent down them."""
    owner = np.repeat(np.arange(tree.nodes), np.diff(tree.edges))
    by_code = np.lexsort((np.where(tree.kind[owner] == NodeKind.CODES, tree.edge_code, 0), owner))
    parent = parents(tree)[1:].astype(np.int64)
    children = np.argsort(parent, kind="stable") + 1
    first_child = np.searchsorted(parent[children - 1], np.arange(tree.nodes + 1))
    weight = tree.counts.sum(axis=1) if tree.counts.size else np.zeros(tree.nodes)
    below = np.bincount(parent, weights=weight[1:], minlength=tree.nodes)
    nodes, edges = np.zeros(tree.nodes, NODE), np.zeros(len(owner), EDGE)
    nodes["kind"], nodes["attribute"] = tree.kind, tree.attribute
    nodes["unknown_to"] = np.where((tree.unknown_to == ALL_BRANCHES) & (below == 0), NO_NODE, tree.unknown_to)
    nodes["first_edge"], nodes["end_edge"] = tree.edges[:-1], tree.edges[1:]
    nodes["first_child"], nodes["end_child"] = first_child[:-1], first_child[1:]
    above = below[parent]
    nodes["share"][1:] = np.divide(weight[1:], above, out=np.zeros(len(parent)), where=above > 0)
    edges["bound"], edges["code"], edges["to"] = (
        tree.edge_bound[by_code],
        tree.edge_code[by_code],
        tree.edge_to[by_code],
    )
    return Walk(nodes, edges, np.array(tree.coefficients, np.float64, order="C"), children)


def answers_of(tree: DecisionTree) -> NDArray[np.float64]:
    """(nodes, decisions): the share of each decision in a node's counts; where there are none, all its decision's."""
    decisions = max(int(tree.decision.max()) + 1, tree.counts.shape[1])
    answers: NDArray[np.float64] = np.equal.outer(tree.decision, np.arange(decisions)).astype(np.float64)
    if tree.counts.size:
        known = np.pad(tree.counts, ((0, 0), (0, decisions - tree.counts.shape[1])))
        weight = known.sum(axis=1, keepdims=True)
        np.divide(known, weight, out=answers, where=weight > 0)
    return answers
