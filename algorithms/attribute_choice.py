"""Attributes that a tree has chosen, for other learners (Alpaydin, ch. 9, "Rule Learning")."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["attributes_asked"]


def attributes_asked(tree: DecisionTree) -> NDArray[np.int64]:
    """The places of the attributes that some node of a tree asks, increasing; of a sum, those of a coefficient not 0.

    `data.select(attributes_asked(tree))` is the data set of these, from which another learner learns. A tree of one
    node asks none.
    """
    alone = tree.attribute[(tree.kind == NodeKind.CODES) | (tree.kind == NodeKind.BOUNDS)]
    used = tree.coefficients[tree.attribute[tree.kind == NodeKind.LINEAR]]
    return np.union1d(alone, np.flatnonzero(used.any(axis=0))).astype(np.int64)
