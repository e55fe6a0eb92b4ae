"""CART by scikit-learn, nominal attributes one-hot, as a tree over the data set's own attributes."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from algorithms.attributes.one_hot import OneHot
from algorithms.data_set import MISSING, DataSet
from algorithms.estimator import estimator
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.options import RANDOM_STATE, Constraint, Constraints, Number, Whole
from algorithms.trees.arrays import NO_ATTRIBUTE, NO_NODE, NodeKind
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["CARTClassifier", "tree_of_fitted"]

Numbers = NDArray[np.float64]
Integers = NDArray[np.int64]

ROUNDING = 1 - 1e-9

LEAST_ROWS: tuple[Constraint, ...] = (Whole(1), Number(0, 1, "neither", what="share of the rows"))
"""Of a leaf: how many, or their share of all rows, as scikit-learn's `min_samples_leaf`."""


@estimator
class CARTClassifier(TreeClassifier):
    """CART: binary tests of least Gini impurity, grown by scikit-learn.

    A nominal attribute is one-hot for scikit-learn's `DecisionTreeClassifier`, so that its tests are one label against
    all others. Missing numbers go where scikit-learn sends them. A label that is missing, or was never seen, counts as
    none of those tested.

    Parameters
    ----------
    min_gain : float, default=0.0
        A node whose best split gains less Gini impurity is a leaf. The gain is that of the node's own rows, unlike
        scikit-learn's `min_impurity_decrease`, which weighs it by their share of all rows. Allowed: a finite number
        from 0.
    min_samples_leaf : int or float, default=1
        Fewest rows in a leaf, or their share of all rows, rounded up. Allowed: a whole number from 1, or a share of the
        rows above 0 and below 1.
    max_depth : int or None, default=None
        Edges from the root to a leaf at most. None: no limit. Allowed: a whole number from 1.
    random_state : int, RandomState or None, default=0
        Which of several splits that are equally good is taken.

    Notes
    -----
    CART is due to Breiman, Friedman, Olshen and Stone (1984); the rule of `min_gain` is that of Bertsimas & Dunn 2017
    as told by Li.

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
    _parameter_constraints: ClassVar[Constraints] = TreeClassifier._parameter_constraints | {
        "min_gain": [Number(0, closed="left")],
        "min_samples_leaf": LEAST_ROWS,
        "max_depth": [Whole(1), None],
        "random_state": RANDOM_STATE,
    }

    min_gain: float = 0.0
    min_samples_leaf: int = 1
    max_depth: int | None = None
    random_state: Any = 0

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        encoding = OneHot.of(data.attributes)
        grown = DecisionTreeClassifier(
            min_samples_leaf=self.min_samples_leaf, max_depth=self.max_depth, random_state=self.random_state
        )
        grown.fit(encoding.matrix(data, np.float32), data.decisions, sample_weight=weights)
        return tree_of_fitted(grown, encoding, data, weights, self.min_gain)


def tree_of_fitted(
    fitted: Any, encoding: OneHot, data: DataSet, weights: Numbers, min_gain: float = 0.0
) -> DecisionTree:
    """A fitted scikit-learn tree over the columns of `encoding` as one over the attributes of `data`.

    It predicts the same from float64 values, which scikit-learn rounds to float32. Nodes whose split gains less than
    `min_gain` of the node's own impurity become leaves. `data` and `weights` are the rows it was fitted to.
    """
    grown = fitted.tree_
    counts = _counts(grown, grown.apply(encoding.matrix(data, np.float32)), data, weights)
    kept = _kept(grown, min_gain)
    place = np.cumsum(kept) - 1
    kind, attribute, edges, unknown = [], [], [0], []
    code: list[int] = []
    bound: list[float] = []
    to: list[int] = []
    bounds = _float64_bounds(grown.threshold)
    for node in np.flatnonzero(kept).tolist():
        left, right = grown.children_left[node], grown.children_right[node]
        if left < 0 or not kept[left]:
            kind.append(NodeKind.TERMINAL)
            attribute.append(NO_ATTRIBUTE)
            unknown.append(NO_NODE)
            edges.append(len(to))
            continue
        column = grown.feature[node]
        asked, label = int(encoding.attribute[column]), int(encoding.code[column])
        attribute.append(asked)
        below, above = int(place[left]), int(place[right])
        if label == MISSING:
            kind.append(NodeKind.BOUNDS)
            unknown.append(below if grown.missing_go_to_left[node] else above)
            parts = [(bounds[node], below), (np.inf, above)]
            if bounds[node] == np.inf:  # known numbers against missing ones
                parts = [(np.inf, below)]
            code += [0] * len(parts)
            bound += [most for most, _ in parts]
            to += [child for _, child in parts]
        else:
            labels = len(data.attributes[asked].labels)
            kind.append(NodeKind.CODES)
            unknown.append(below)
            code += range(labels)
            bound += [np.inf] * labels
            to += [above if other == label else below for other in range(labels)]
        edges.append(len(to))
    return DecisionTree(
        kind=np.array(kind, np.uint8),
        attribute=np.array(attribute, np.int32),
        decision=counts[kept].argmax(axis=1).astype(np.int32),
        edges=np.array(edges, np.int64),
        edge_code=np.array(code, np.int32),
        edge_to=np.array(to, np.int32),
        edge_bound=np.array(bound, np.float64),
        unknown_to=np.array(unknown, np.int32),
        counts=counts[kept],
    )


def _counts(grown: Any, leaves: Integers, data: DataSet, weights: Numbers) -> Numbers:
    """(nodes, classes): the weight of each class at each node; scikit-learn keeps but rounded shares."""
    counts = np.zeros((grown.node_count, len(data.classes)))
    np.add.at(counts, (leaves, data.decisions), weights)
    for node in reversed(range(grown.node_count)):  # children stand after their parent
        if grown.children_left[node] >= 0:
            counts[node] = counts[grown.children_left[node]] + counts[grown.children_right[node]]
    return counts


def _kept(grown: Any, min_gain: float) -> NDArray[np.bool_]:
    """(nodes,): which nodes there are when nodes whose split gains too little are leaves."""
    left, right, weight = grown.children_left, grown.children_right, grown.weighted_n_node_samples
    kept = np.zeros(grown.node_count, bool)
    kept[0] = True
    for node in range(grown.node_count):
        if kept[node] and left[node] >= 0:
            below = sum(weight[child] * grown.impurity[child] for child in (left[node], right[node]))
            gain = grown.impurity[node] - below / weight[node]
            kept[[left[node], right[node]]] = gain >= min_gain * ROUNDING
    return kept


def _float64_bounds(threshold: Numbers) -> list[float]:
    """(nodes,): the largest float64 that, as a float32, does not exceed each threshold."""
    finite = np.isfinite(threshold)
    sought = np.where(finite, threshold, 0)
    nearest = sought.astype(np.float32)
    down = np.where(nearest > sought, np.nextafter(nearest, np.float32(-np.inf)), nearest)
    up = np.nextafter(down, np.float32(np.inf))
    middle = (down.astype(np.float64) + up.astype(np.float64)) / 2  # exact
    too_far = middle.astype(np.float32) > sought  # where the tie goes up, to the even one
    bounds = np.where(too_far, np.nextafter(middle, -np.inf), middle)
    return [float(bound) for bound in np.where(finite, bounds, threshold)]
