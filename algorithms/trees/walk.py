"""A decision tree as the kernels read it."""

from __future__ import annotations

import numpy as np

from algorithms.array_types import Numbers
from algorithms.trees.arrays import ARRAY_TYPES, TreeArrays
from algorithms.trees.row_walk import EDGE, NODE, STEP, TARGETS_PER_EDGE, Walk, write_walk

ARRAYS_READ = ("kind", "attribute", "edges", "edge_code", "edge_bound", "edge_to", "unknown_to")
"""The arrays that `write_walk` reads, in the order of its parameters."""


def walk_of(tree: TreeArrays) -> Walk:
    """The tree's tests, edges and shares; rows are not sent down all branches of a node if these have no weight."""
    edges = len(tree.edge_to)
    walk = Walk(
        np.empty(tree.nodes, NODE),
        np.empty(edges, EDGE),
        np.array(tree.coefficients, np.float64, order="C"),
        np.empty(tree.nodes - 1, np.int64),
        np.empty(tree.nodes, STEP),
        np.empty(TARGETS_PER_EDGE * edges + tree.nodes, np.int32),
    )
    weight = tree.counts.sum(axis=1, dtype=np.float64) if tree.counts.size else np.zeros(tree.nodes)
    write_walk(
        *(np.asarray(getattr(tree, name), ARRAY_TYPES[name]) for name in ARRAYS_READ),
        weight,
        walk,
        np.empty(tree.nodes, np.int64),
        np.empty(tree.nodes),
        np.empty(edges, np.int64),
    )
    return walk


def answers_of(tree: TreeArrays) -> Numbers:
    """(nodes, decisions): the share of each decision in a node's counts; without counts, 1 for its decision."""
    decisions = max(int(tree.decision.max()) + 1, tree.counts.shape[1])
    answers: Numbers = np.equal.outer(tree.decision, np.arange(decisions)).astype(np.float64)
    if tree.counts.size:
        counts = np.pad(tree.counts, ((0, 0), (0, decisions - tree.counts.shape[1])))
        weight = counts.sum(axis=1, keepdims=True)
        np.divide(counts, weight, out=answers, where=weight > 0)
    return answers
