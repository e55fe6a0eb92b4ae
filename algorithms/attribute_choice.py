"""The attributes that a tree uses, for other learners (Alpaydin, ch. 9, "Rule Learning")."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree


def attributes_tested(tree: DecisionTree) -> NDArray[np.int64]:
    """The indices of the attributes tested by a node of a tree, increasing; of a sum, those with a nonzero coefficient.

    `data.select(attributes_tested(tree))` is the data set of these attributes, for another learner. A tree of one node
    tests none.
    """
    alone = tree.attribute[(tree.kind == NodeKind.CODES) | (tree.kind == NodeKind.BOUNDS)]
    used = tree.coefficients[tree.attribute[tree.kind == NodeKind.LINEAR]]
    return np.union1d(alone, np.flatnonzero(used.any(axis=0))).astype(np.int64)
