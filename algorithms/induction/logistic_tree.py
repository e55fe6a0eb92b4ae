"""Trees with a logistic test of 1-of-n coded attributes at each node (Alpaydin, ch. 9, "Multivariate Trees")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

from algorithms.array_types import Numbers, Rows
from algorithms.data.attributes.one_hot import OneHot, filled, usual_values
from algorithms.data.data_set import DataSet
from algorithms.data.table import Labels
from algorithms.estimators.estimator import estimator
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.options import Number, Whole
from algorithms.rounding import EQUAL_RATIO, EQUAL_SHARE, first_largest
from algorithms.row_weights import scaled
from algorithms.trees.arrays import NO_ATTRIBUTE, NodeKind
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["LogisticTreeClassifier"]


LEAST_EXPONENT = -1000
"""A column of numbers of at most 2 to this power counts as constant: its coefficient may be infinite."""
SUM_ROUNDING = 1e-13
"""Share of its greatest summand by which a sum may be wrong."""


@estimator
class LogisticTreeClassifier(TreeClassifier):
    """A tree whose nodes test whether a weighted sum of all columns exceeds a threshold.

    Each numeric attribute is a column, and so is each label of a nominal attribute (1-of-n). At a node, the weights
    come from a logistic regression of the largest class against the others, on standardised columns. The threshold is
    the cut of the weighted sum with the largest Gini gain. A node is a leaf if it is pure, if it is at `max_depth`, or
    if no cut with `min_samples_leaf` rows on both sides has a gain.

    Missing numbers are replaced by the mean of the training rows, missing labels by the most common label. The tree
    tests columns, not attributes. `labels_` has the names of the columns; a label's column is called `name=label`.

    Parameters
    ----------
    min_samples_leaf : int, default=1
        Minimum number of rows in a leaf.
    max_depth : int or None, default=None
        Maximum number of edges from the root to a leaf. None: no limit.
    penalty : float, default=1.0
        Weight of the squared coefficients against the likelihood, as scikit-learn's 1 / C.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        Raises AttributeError if the tree has a test, because each test sums all columns.

    Notes
    -----
    Multivariate trees are described by Alpaydin, ch. 9. The threshold is not where the regression predicts a
    probability of one half: with a rare class, that threshold often leaves one side empty. Rounding errors of the
    regression depend on the order of the rows. In rare cases they decide between equally good cuts.

    References
    ----------
    - Alpaydin, *Introduction to Machine Learning*, ch. 9, section Multivariate Trees.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import LogisticTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LogisticTreeClassifier().fit(X, y)
    >>> model.get_n_leaves()
    6
    >>> round(model.score(X, y), 2)
    1.0
    """

    handles_missing = True
    fills_missing = True

    min_samples_leaf: Annotated[int, Whole(1)] = 1
    max_depth: Annotated[int, Whole(0)] | None = None
    penalty: Annotated[float, Number(0, closed="neither")] = 1.0

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        self._filling = usual_values(data, weights)
        self._encoding = OneHot.of(data.attributes)
        columns, decisions = self._values(data), data.decisions
        nodes = [_Node(np.arange(len(columns)), 0)]
        for node in nodes:  # this list grows
            if self.max_depth is not None and node.depth >= self.max_depth:
                continue
            rows = node.rows
            test = _test(columns[rows], decisions[rows], weights[rows], self.min_samples_leaf, self.penalty)
            if test is None:
                continue
            below = columns[rows] @ test[0] <= test[1]
            node.test, node.children = test, (len(nodes), len(nodes) + 1)
            nodes += [_Node(rows[side], node.depth + 1) for side in (below, ~below)]
        return _tree(nodes, decisions, weights, len(data.classes), columns.shape[1])

    @property
    def labels_(self) -> Labels:
        """The names of the tree's columns, values and classes."""
        check_is_fitted(self)
        names = self._encoding.names(self.attributes_)
        return Labels(names, ((),) * len(names), self.classes_.tolist())

    def _values(self, data: DataSet) -> Numbers:
        return self._encoding.matrix(filled(data, self._filling))


@dataclass
class _Node:
    """A growing node: its rows and depth and, once it is split, its test and its two children."""

    rows: Rows
    depth: int
    test: tuple[Numbers, float] | None = None
    children: tuple[int, int] = (0, 0)


def _test(
    columns: Numbers, decisions: NDArray[np.int32], weights: Numbers, min_samples_leaf: int, penalty: float
) -> tuple[Numbers, float] | None:
    """(coefficients, the greatest sum that goes to the first side); None if no cut has a gain."""
    counts = np.bincount(decisions, weights=weights)
    if np.count_nonzero(counts) < 2:
        return None
    exponent = np.frexp(np.abs(columns).max(axis=0))[1]
    moderate = np.ldexp(columns, -exponent)  # whose squares are neither infinite nor 0
    mean = np.average(moderate, axis=0, weights=weights)
    spread = np.sqrt(np.average((moderate - mean) ** 2, axis=0, weights=weights))
    extent = np.ptp(moderate, axis=0)
    varying = np.flatnonzero((extent > 0) & (spread > EQUAL_SHARE * extent) & (exponent > LEAST_EXPONENT))
    if not len(varying):
        return None
    standardised = (moderate[:, varying] - mean[varying]) / spread[varying]
    model = LogisticRegression(C=1 / float(penalty), solver="newton-cholesky", tol=1e-8)
    model.fit(standardised, decisions == first_largest(counts), sample_weight=weights)
    coefficients = np.zeros(columns.shape[1])
    coefficients[varying] = np.ldexp(model.coef_[0] / spread[varying], -exponent[varying])
    wrong_by = SUM_ROUNDING * float((np.abs(columns) * np.abs(coefficients)).max())
    cut = _cut(columns @ coefficients, wrong_by, decisions, weights, min_samples_leaf)
    return None if cut is None else (coefficients, cut)


def _cut(
    sums: Numbers, wrong_by: float, decisions: NDArray[np.int32], weights: Numbers, min_samples_leaf: int
) -> float | None:
    """The middle of the first gap between sums whose cut has the largest Gini gain; None if none has a gain.

    Sums are equal if they differ by no more than `wrong_by`, or a small share of their range.
    """
    order = np.argsort(sums, kind="stable")
    increasing = sums[order]
    by_class = np.zeros((len(sums), int(decisions.max()) + 1))
    by_class[np.arange(len(sums)), decisions[order]] = scaled(weights)[order]  # whose squares are finite
    left = by_class.cumsum(axis=0)
    total = left[-1]
    first = np.arange(1, len(sums))  # rows on the first side
    least_gap = max(wrong_by, EQUAL_SHARE * float(np.ptp(sums)))
    allowed = (np.diff(increasing) > least_gap) & (first >= min_samples_leaf) & (len(sums) - first >= min_samples_leaf)
    if not allowed.any():
        return None
    left = left[:-1][allowed]
    right = total - left
    purity = (left**2).sum(axis=1) / left.sum(axis=1) + (right**2).sum(axis=1) / right.sum(axis=1)
    whole = (total**2).sum() / total.sum()
    if purity.max() <= whole * (1 + EQUAL_SHARE):
        return None
    best = np.flatnonzero(allowed)[int((purity >= purity.max() * EQUAL_RATIO).argmax())]
    return float((increasing[best] + increasing[best + 1]) / 2)


def _tree(
    nodes: list[_Node], decisions: NDArray[np.int32], weights: Numbers, classes: int, columns: int
) -> DecisionTree:
    split = np.array([node.test is not None for node in nodes])
    tests = [node.test for node in nodes if node.test is not None]
    counts = np.array([np.bincount(decisions[n.rows], weights=weights[n.rows], minlength=classes) for n in nodes])
    return DecisionTree(
        kind=np.where(split, NodeKind.LINEAR, NodeKind.TERMINAL).astype(np.uint8),
        attribute=np.where(split, np.cumsum(split) - 1, NO_ATTRIBUTE).astype(np.int32),
        decision=first_largest(counts).astype(np.int32),
        edges=np.concatenate([[0], 2 * np.cumsum(split)]).astype(np.int64),
        edge_code=np.zeros(2 * len(tests), np.int32),
        edge_to=np.array([child for node in nodes if node.test for child in node.children], np.int32),
        edge_bound=np.array([bound for _, most in tests for bound in (most, np.inf)], np.float64),
        counts=counts,
        coefficients=np.array([coefficients for coefficients, _ in tests]).reshape(-1, columns),
    )
