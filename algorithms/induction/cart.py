"""CART by scikit-learn, from one-hot columns of nominal attributes; the tree tests the data set's own attributes."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.tree import DecisionTreeClassifier

from algorithms.array_types import Integers, Numbers
from algorithms.data.attributes.one_hot import OneHot
from algorithms.data.data_set import MISSING, DataSet
from algorithms.estimators.estimator import estimator
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.options import RANDOM_STATE, Constraint, Number, Whole
from algorithms.rounding import EQUAL_RATIO, first_largest
from algorithms.row_weights import scaled
from algorithms.trees.arrays import NO_ATTRIBUTE, NO_NODE, NodeKind
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["CARTClassifier", "grown_tree"]


LEAST_ROWS: tuple[Constraint, ...] = (Whole(1), Number(0, 1, "neither", what="share of the rows"))
"""The least rows of a leaf: their number, or their share of all rows, as scikit-learn's `min_samples_leaf`."""


@estimator
class CARTClassifier(TreeClassifier):
    """CART: binary tests of least Gini impurity, grown by scikit-learn.

    scikit-learn's `DecisionTreeClassifier` reads nominal attributes as one-hot columns, so a test of such an attribute
    separates one label from all others. Missing numbers go where scikit-learn sends them. A missing or unknown label
    takes the branch of all other labels.

    Parameters
    ----------
    min_gain : float, default=0.0
        A node whose best split reduces the Gini impurity by less than this is a leaf. The gain is for the node's own
        rows; for `min_impurity_decrease`, scikit-learn multiplies the gain by the node's share of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows in a leaf, or their share of all rows, rounded up.
    max_depth : int or None, default=None
        Maximum number of edges from the root to a leaf. None: no limit.
    random_state : int, RandomState or None, default=0
        Seed of the choice between equally good splits.

    Notes
    -----
    CART is due to Breiman, Friedman, Olshen and Stone (1984); the rule of `min_gain` is that of Bertsimas & Dunn 2017
    as reported by Li.

    References
    ----------
    - Breiman, Friedman, Olshen and Stone (1984), *Classification and Regression Trees*, chapters 2 and 4.
    - Li (slides), *Optimal Decision Tree*, section Methods to Stop Splitting, for `min_gain`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import CARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CARTClassifier().fit(X, y)
    >>> model.get_n_leaves()
    9
    >>> round(model.score(X, y), 2)
    1.0
    """

    handles_missing = True

    min_gain: Annotated[float, Number(0, closed="left")] = 0.0
    min_samples_leaf: Annotated[int, LEAST_ROWS] = 1
    max_depth: Annotated[int, Whole(1)] | None = None
    random_state: Annotated[Any, RANDOM_STATE] = 0

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        grower = DecisionTreeClassifier(
            min_samples_leaf=self.min_samples_leaf, max_depth=self.max_depth, random_state=self.random_state
        )
        return grown_tree(grower, data, weights, self.min_gain)


def grown_tree(grower: Any, data: DataSet, weights: Numbers, min_gain: float = 0.0) -> DecisionTree:
    """The tree over the attributes of `data` that scikit-learn grows from its weighted rows, one-hot.

    It predicts the same from float64 values, which scikit-learn rounds to float32. Nodes whose split gains less than
    `min_gain` become leaves. `grower` is fitted in place.
    """
    encoding = OneHot.of(data.attributes)
    matrix = encoding.matrix(data, np.float32)
    with np.errstate(invalid="ignore", over="ignore"):
        finite = bool(np.isfinite(matrix.sum()))
    sample_weight = None if (weights == 1).all() else scaled(weights)
    with config_context(skip_parameter_validation=True):
        grower.fit(matrix, data.decisions, sample_weight=sample_weight, check_input=not finite)
    grown = grower.tree_
    levels = _levels(grown)
    counts = _counts(grown, levels, grown.apply(matrix), data, weights)
    return _converted(grown, _kept(grown, levels, min_gain), counts, encoding, data)


def _converted(grown: Any, kept: NDArray[np.bool_], counts: Numbers, encoding: OneHot, data: DataSet) -> DecisionTree:
    """The kept nodes of scikit-learn's tree, which test attributes of the data set instead of one-hot columns."""
    index, left, right = np.cumsum(kept) - 1, grown.children_left[kept], grown.children_right[kept]
    tested = (left >= 0) & kept[left]
    below, above = index[left], index[right]
    column = np.where(tested, grown.feature[kept], 0)
    tested_attribute, label = encoding.attribute[column], encoding.code[column]
    bounds = _float64_bounds(grown.threshold[kept])
    numeric = label == MISSING
    kind = np.full(len(left), NodeKind.TERMINAL, np.uint8)
    kind[tested] = NodeKind.CODES
    kind[tested & numeric] = NodeKind.BOUNDS
    labels = np.array([len(attribute.labels) for attribute in data.attributes])
    number = np.where(numeric, np.where(bounds == np.inf, 1, 2), labels[tested_attribute])  # 1: known against missing
    edges = np.concatenate(([0], np.cumsum(np.where(tested, number, 0))))
    owner = np.repeat(np.arange(len(left)), np.diff(edges))
    case = np.arange(edges[-1]) - edges[owner]
    first = np.where(numeric[owner], case == 0, case != label[owner])
    return DecisionTree(
        kind=kind,
        attribute=np.where(tested, tested_attribute, NO_ATTRIBUTE).astype(np.int32),
        decision=first_largest(counts[kept]).astype(np.int32),
        edges=edges,
        edge_code=np.where(numeric[owner], 0, case).astype(np.int32),
        edge_to=np.where(first, below[owner], above[owner]).astype(np.int32),
        edge_bound=np.where(numeric[owner] & first, bounds[owner], np.inf),
        unknown_to=np.where(
            tested, np.where(numeric & ~grown.missing_go_to_left[kept].astype(bool), above, below), NO_NODE
        ).astype(np.int32),
        counts=counts[kept],
    )


def _levels(grown: Any) -> list[Integers]:
    """The nodes that have children, by their depth."""
    levels: list[Integers] = []
    level = np.zeros(1, np.int64)
    while True:
        level = level[grown.children_left[level] >= 0]
        if not len(level):
            return levels
        levels.append(level)
        level = np.concatenate([grown.children_left[level], grown.children_right[level]])


def _counts(grown: Any, levels: list[Integers], leaves: Integers, data: DataSet, weights: Numbers) -> Numbers:
    """(nodes, classes): the weight of each class at each node; scikit-learn keeps only rounded shares."""
    shape = grown.node_count, len(data.classes)
    counts = np.bincount(leaves * shape[1] + data.decisions, weights, shape[0] * shape[1]).reshape(shape)
    for level in reversed(levels):
        counts[level] = counts[grown.children_left[level]] + counts[grown.children_right[level]]
    return counts


def _kept(grown: Any, levels: list[Integers], min_gain: float) -> NDArray[np.bool_]:
    """(nodes,): the nodes that remain if nodes whose split gains too little become leaves."""
    left, right, impurity = grown.children_left, grown.children_right, grown.weighted_n_node_samples * grown.impurity
    gain = grown.impurity - (impurity[left] + impurity[right]) / grown.weighted_n_node_samples
    enough = np.maximum(gain, 0) >= min_gain * EQUAL_RATIO  # rounding may make a gain of 0 negative
    kept = np.zeros(grown.node_count, bool)
    kept[0] = True
    for level in levels:
        kept[left[level]] = kept[right[level]] = kept[level] & enough[level]
    return kept


def _float64_bounds(threshold: Numbers) -> Numbers:
    """(nodes,): the largest float64 that, as a float32, does not exceed each threshold."""
    finite = np.isfinite(threshold)
    target = np.where(finite, threshold, 0)
    nearest = target.astype(np.float32)
    down = np.where(nearest > target, np.nextafter(nearest, np.float32(-np.inf)), nearest)
    up = np.nextafter(down, np.float32(np.inf))
    middle = (down.astype(np.float64) + up.astype(np.float64)) / 2  # exact
    too_far = middle.astype(np.float32) > target  # a tie rounds to the even number, which may be the upper one
    bounds = np.where(too_far, np.nextafter(middle, -np.inf), middle)
    return np.where(finite, bounds, threshold)
