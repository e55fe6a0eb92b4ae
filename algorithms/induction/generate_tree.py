"""GenerateTree (Alpaydin, *Introduction to Machine Learning*, ch. 9)."""

from __future__ import annotations

from itertools import compress
from typing import Annotated, Any, Literal, get_args

import numpy as np

from algorithms.array_types import Numbers
from algorithms.data.attributes.thresholds import midway
from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.estimators.estimator import estimator
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.induction.generate_tree_growth import grow
from algorithms.options import RANDOM_STATE, Number
from algorithms.pruning.pruning_rows import rows_to_prune_by
from algorithms.pruning.reduced_error import reduced_error
from algorithms.rounding import EQUAL_RATIO, first_largest
from algorithms.trees.arrays import NO_ATTRIBUTE, NodeKind
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["GenerateTreeClassifier", "Impurity"]

Impurity = Literal["entropy", "gini", "misclassification"]


@estimator
class GenerateTreeClassifier(TreeClassifier):
    """GenerateTree: the tree of least impurity after each split, with two ways to prune.

    A node tests the attribute of least impurity after the split, or the first such attribute if there are several. The
    impurity after a split is the weighted mean of the branches' impurities. Impurities count as equal if they differ by
    less than 10⁻⁹ times the node's own impurity. A test of a nominal attribute has a branch for each label in the
    node's rows. A test of a numeric attribute has two branches, up to and above a threshold midway between two
    neighbouring distinct numbers. A threshold is left out if the rows of both neighbouring numbers all have the same
    class. A split is made even if it does not lower the impurity. A node is a leaf if its rows have only one class, if
    every attribute is constant on its rows, or by `threshold` or `min_share`. Missing values are refused.

    Parameters
    ----------
    impurity : {"entropy", "gini", "misclassification"}, default="entropy"
        The impurity of shares p of the classes at a node: "entropy", -sum p log2 p in bits; "gini", 1 - sum p^2;
        "misclassification", 1 - max p.
    threshold : float, default=0.0
        A node whose impurity is at most this is a leaf.
    branching_penalty : float, default=0.0
        The penalty times log2(number of branches) is added to the impurity after a split. It affects the choice between
        attributes only, never whether to split.
    min_share : float, default=0.0
        Pre-pruning: a node with less than this share of the training rows is a leaf. The book uses 0.05.
    pruning_share : float, default=0.0
        Post-pruning: share of the rows of each class, drawn at random, that is kept for reduced-error pruning. 0: no
        pruning.
    random_state : int, RandomState or None, default=0
        Seed of the rows drawn for pruning.

    Notes
    -----
    The method is that of Alpaydin, *Introduction to Machine Learning*, ch. 9. The book's rule is "less than" a
    threshold, by which a pure node (impurity 0) would not be a leaf at threshold 0. The book warns that attributes of
    many values leave less impurity, and asks for a penalty, but does not define it. The logarithm is Orchard's choice:
    log2(n) is the maximum of gain ratio's split information, and the number of binary questions that n branches need.

    References
    ----------
    - Alpaydin, *Introduction to Machine Learning*, ch. 9, sections Classification Trees and Pruning.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import GenerateTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GenerateTreeClassifier().fit(X, y)
    >>> model.get_n_leaves()
    9
    >>> round(model.score(X, y), 2)
    1.0
    """

    impurity: Impurity = "entropy"
    threshold: Annotated[float, Number(0, closed="left")] = 0.0
    branching_penalty: Annotated[float, Number(0, closed="left")] = 0.0
    min_share: Annotated[float, Number(0, 1, what="share of the rows")] = 0.0
    pruning_share: Annotated[float, Number(0, 1, "left", what="share of the rows")] = 0.0
    random_state: Annotated[Any, RANDOM_STATE] = 0

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        to_prune_by = rows_to_prune_by(data.decisions, self.pruning_share, self.random_state)
        if not to_prune_by.any():
            return self._unpruned(data, weights)
        tree = self._unpruned(data.take(~to_prune_by), weights[~to_prune_by])
        return reduced_error(tree, data.take(to_prune_by).values(), data.decisions[to_prune_by], weights[to_prune_by])

    def _unpruned(self, data: DataSet, weights: Numbers) -> DecisionTree:
        numeric = np.array([attribute.kind is AttributeKind.NUMERIC for attribute in data.attributes], dtype=np.bool_)
        codes = np.array(list(compress(data.columns, ~numeric)), np.int32).reshape(-1, data.rows)
        numbers = np.array(list(compress(data.columns, numeric)), np.float64).reshape(-1, data.rows)
        order = np.empty(numbers.shape, np.int32)
        for index, column in enumerate(numbers):
            order[index] = np.argsort(column, kind="stable")
            numbers[index] = column[order[index]]
        attribute, parent, code, below, above, counts = grow(
            codes,
            int(codes.max(initial=0)) + 1,
            order,
            numbers,
            numeric,
            np.where(numeric, np.cumsum(numeric), np.cumsum(~numeric)) - 1,
            data.decisions,
            weights,
            len(data.classes),
            get_args(Impurity).index(self.impurity),
            float(self.threshold),
            float(self.branching_penalty),
            self.min_share * weights.sum() * EQUAL_RATIO,
        )
        child = np.arange(1, len(parent))  # breadth first: children are in the order of their parents
        above_child = parent[child]
        by_cut = numeric[attribute[above_child]]
        kinds = np.where(numeric[attribute], NodeKind.BOUNDS, NodeKind.CODES) if len(numeric) else NodeKind.TERMINAL
        return DecisionTree(
            kind=np.where(attribute == NO_ATTRIBUTE, NodeKind.TERMINAL, kinds).astype(np.uint8),
            attribute=attribute,
            decision=first_largest(counts).astype(np.int32),
            edges=np.searchsorted(above_child, np.arange(len(parent) + 1)),
            edge_code=np.where(by_cut, 0, code[child]).astype(np.int32),
            edge_to=child.astype(np.int32),
            edge_bound=np.where(by_cut & (code[child] == 0), midway(below, above)[above_child], np.inf),
            counts=counts,
        )
