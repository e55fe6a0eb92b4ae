"""Trees that tests share, and trees of the project in the form of the oracle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from algorithms.trees.arrays import NO_ATTRIBUTE, NodeKind
from algorithms.trees.decision_tree import DecisionTree

CODES, BOUNDS, LINEAR, TERMINAL = NodeKind.CODES, NodeKind.BOUNDS, NodeKind.LINEAR, NodeKind.TERMINAL


def tree_of(
    kind: Sequence[int],
    attribute: Sequence[int],
    decision: Sequence[int],
    edges: Sequence[int],
    edge_code: Sequence[int],
    edge_to: Sequence[int],
    **others: Any,
) -> DecisionTree:
    """A tree from lists; `edges` may be left to the tree's own check."""
    types = {"edge_bound": np.float64, "unknown_to": np.int32, "counts": np.float64, "coefficients": np.float64}
    return DecisionTree(
        np.array(kind, np.uint8),
        np.array(attribute, np.int32),
        np.array(decision, np.int32),
        np.array(edges, np.int64),
        np.array(edge_code, np.int32),
        np.array(edge_to, np.int32),
        **{name: np.array(values, types[name]) for name, values in others.items()},
    )


def stump(kind: NodeKind = CODES, attribute: int = 0, edge_to: Sequence[int] = (1, 2), **others: Any) -> DecisionTree:
    """A node and two leaves, 1 and 2, of decisions 0 and 1; its edges have the codes 0, 1, ..., or bounds."""
    last = len(edge_to)
    arrays: dict[str, Any] = {
        "kind": [kind, TERMINAL, TERMINAL],
        "attribute": [attribute, -1, -1],
        "decision": [0, 0, 1],
        "edges": [0, last, last, last],
        "edge_code": range(last) if kind == CODES else [0] * last,
        "edge_to": edge_to,
    }
    return tree_of(**(arrays | others))


def every_kind() -> DecisionTree:
    """A tree with every kind of node, a subset edge, intervals, unknown branches and fractional counts.

    0 codes of attribute 0: {0, 2} to 1, 1 to 2, unknown to 3
    1 bounds of attribute 1: <= 0.5 to 4, (0.5, 2] to 5, above to 6, unknown to 7
    2 linear, 2 x1 - x2: <= 1 to 8, above to 9; unknown rows stay
    """
    return tree_of(
        kind=[CODES, BOUNDS, LINEAR, *[TERMINAL] * 7],
        attribute=[0, 1, 0, *[NO_ATTRIBUTE] * 7],
        decision=[1, 0, 2, 1, 0, 1, 2, 0, 1, 2],
        edges=[0, 3, 6, 8, 8, 8, 8, 8, 8, 8, 8],
        edge_code=[0, 1, 2, 0, 0, 0, 0, 0],
        edge_to=[1, 2, 1, 4, 5, 6, 8, 9],
        edge_bound=[np.inf, np.inf, np.inf, 0.5, 2, np.inf, 1, np.inf],
        unknown_to=[3, 7, -1, -1, -1, -1, -1, -1, -1, -1],
        counts=[[4.5, 3, 0.25], *[[1 / 3, 0, 2]] * 9],
        coefficients=[[0, 2, -1]],
    )


def as_oracle(tree: DecisionTree, node: int = 0) -> Any:
    """A tree of CODES nodes as the oracle writes trees."""
    if tree.kind[node] == TERMINAL:
        return int(tree.decision[node])
    edges = tree.edges_of(node)
    below = {
        int(code): as_oracle(tree, int(to)) for code, to in zip(tree.edge_code[edges], tree.edge_to[edges], strict=True)
    }
    return int(tree.attribute[node]), below
