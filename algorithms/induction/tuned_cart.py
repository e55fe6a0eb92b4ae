"""CART by scikit-learn, its cost-complexity tuned on validation rows, as compared with OCT by Li."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from algorithms.array_types import Numbers
from algorithms.data.attributes.one_hot import OneHot
from algorithms.data.data_set import DataSet
from algorithms.estimators.estimator import estimator
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.induction.cart import LEAST_ROWS, grown_tree
from algorithms.options import RANDOM_STATE, Whole
from algorithms.pruning.complexity_tuning import VALIDATION_SHARE, Candidate, Tuned, tuned, validation_rows
from algorithms.row_weights import scaled
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["TunedCARTClassifier", "pruned_cart", "pruned_carts", "tuned_cart"]


Growth = Callable[..., DecisionTreeClassifier]
"""A partial call of scikit-learn's `DecisionTreeClassifier`: how far CART grows before it is pruned."""


@estimator
class TunedCARTClassifier(TreeClassifier):
    """CART with cost-complexity pruning; the accuracy on validation rows chooses alpha.

    Nominal attributes are one-hot, as in `CARTClassifier`. scikit-learn's cost-complexity is the sum of the leaves'
    Gini impurities, weighted by their shares of the rows, plus alpha for each leaf.

    Parameters
    ----------
    max_depth : int or None, default=None
        Maximum number of edges from the root to a leaf. None: no limit.
    min_samples_leaf : int or float, default=1
        Minimum number of rows in a leaf, or their share of all rows, rounded up.
    validation_share : float, default=1 / 3
        Share of the rows of each class, drawn at random, that is kept for the choice of alpha.
    refit : bool, default=True
        Whether to grow the tree again from all rows, with the chosen alpha.
    random_state : int, RandomState or None, default=0
        Seed of the validation rows and of the choice between equally good splits.

    Attributes
    ----------
    tuned_ : Tuned
        `tuned_.candidates` are all pruned trees, by decreasing size; `tuned_.chosen` is the chosen tree,
        `tuned_.validation_accuracy` its accuracy on the validation rows, and `tuned_.alpha` the chosen alpha.

    Notes
    -----
    Bertsimas & Dunn 2017, as reported by Li, compare optimal trees with this method.

    References
    ----------
    - Bertsimas & Dunn (2017), *Optimal Classification Trees*, as reported by Li (slides), *Optimal Decision Tree*,
      section Finding the Global Optima - OCT.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import TunedCARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TunedCARTClassifier().fit(X, y)
    >>> model.get_n_leaves()
    4
    >>> round(model.score(X, y), 2)
    0.97
    """

    handles_missing = True

    max_depth: Annotated[int, Whole(1)] | None = None
    min_samples_leaf: Annotated[float, LEAST_ROWS] = 1
    validation_share: Annotated[float, VALIDATION_SHARE] = 1 / 3
    refit: bool = True
    random_state: Annotated[Any, RANDOM_STATE] = 0

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        growth = partial(
            DecisionTreeClassifier,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.random_state,
        )
        validation = validation_rows(data.decisions, self.validation_share, self.random_state)
        candidates = pruned_carts(data.take(~validation), weights[~validation], growth)
        self.tuned_: Tuned = tuned(candidates, data.take(validation), weights[validation])
        return pruned_cart(data, weights, growth, self.tuned_.alpha) if self.refit else self.tuned_.chosen.tree


def tuned_cart(train: DataSet, validation: DataSet, growth: Growth) -> Tuned:
    """CART grown from some rows and pruned for accuracy on others; all rows weigh the same."""
    return tuned(pruned_carts(train, np.ones(train.rows), growth), validation, np.ones(validation.rows))


def pruned_cart(data: DataSet, weights: Numbers, growth: Growth, alpha: float) -> DecisionTree:
    """The tree that scikit-learn grows from rows with weights and prunes with `ccp_alpha=alpha`."""
    return grown_tree(growth(ccp_alpha=alpha), data, weights)


def pruned_carts(data: DataSet, weights: Numbers, growth: Growth) -> tuple[Candidate, ...]:
    """The trees of the whole pruning sequence, each with the alphas that give it, the largest tree first.

    The last interval ends at the impurity of all rows: no split can save more, so from there on the tree is one leaf.
    A whole tree is grown for each alpha.
    """
    matrix = OneHot.of(data.attributes).matrix(data, np.float32)
    path = growth().cost_complexity_pruning_path(matrix, data.decisions, sample_weight=scaled(weights))
    alphas = np.unique(np.maximum(path.ccp_alphas, 0.0))
    most = max(float(path.impurities[-1]), float(alphas[-1]))  # the tree pruned to its root
    return tuple(
        Candidate(pruned_cart(data, weights, growth, low), low, high)
        for low, high in pairwise([*alphas.tolist(), most])
    )
