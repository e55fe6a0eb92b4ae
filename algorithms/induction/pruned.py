"""Any tree builder with a pruning method after it, as an estimator."""

from __future__ import annotations

from typing import Annotated, Any

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.estimators.estimator import estimator
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.induction.around_builder import AroundBuilder
from algorithms.options import RANDOM_STATE, Number, Whole
from algorithms.pruning.cross_validation import cross_validated
from algorithms.pruning.pessimistic import CONFIDENCE, pessimistic
from algorithms.pruning.pruning_rows import folds_to_prune_by, rows_to_prune_by
from algorithms.pruning.reduced_error import reduced_error
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["CostComplexityClassifier", "PessimisticClassifier", "ReducedErrorClassifier"]


@estimator
class CostComplexityClassifier(AroundBuilder, TreeClassifier):
    """A tree with cost-complexity pruning, where cross-validation chooses alpha.

    The builder's own pruning, if it has one, should be off.

    Parameters
    ----------
    folds : int, default=10
        Number of folds. The rows of each class go to the folds in turn; there are at most as many folds as rows.
    standard_errors : float, default=0.0
        The chosen alpha is the largest alpha whose error is within this many standard errors of the least error. Larger
        values give smaller trees.
    random_state : int, RandomState or None, default=0
        Seed of the folds.

    Notes
    -----
    The method is that of Breiman, Friedman, Olshen and Stone (1984), section 3.4.

    References
    ----------
    - Breiman, Friedman, Olshen and Stone (1984), *Classification and Regression Trees*, sections 3.3 and 3.4.
    - Li (slides), *Optimal Decision Tree*, section Cost-complexity Function and Cross-validation.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import CostComplexityClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CostComplexityClassifier().fit(X, y)
    >>> model.get_n_leaves()
    3
    >>> round(model.score(X, y), 2)
    0.96
    """

    folds: Annotated[int, Whole(2)] = 10
    standard_errors: Annotated[float, Number(0, closed="left")] = 0.0
    random_state: Annotated[Any, RANDOM_STATE] = 0

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        if data.rows == 1:
            return self._grown(data, weights)
        folds = folds_to_prune_by(data.decisions, min(self.folds, data.rows), self.random_state)
        return cross_validated(data, weights, self._grown, folds, standard_errors=self.standard_errors).tree


@estimator
class PessimisticClassifier(AroundBuilder, TreeClassifier):
    """A tree with the pessimistic pruning of C4.5.

    The builder's own pruning, if it has one, should be off.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence of the upper limit of a leaf's errors; a smaller value prunes more.

    Notes
    -----
    The method is that of Quinlan (1993), chapter 4, with the numbers of Weka's J48.

    References
    ----------
    - Quinlan (1993), *C4.5: Programs for Machine Learning*, chapter 4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import PessimisticClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = PessimisticClassifier().fit(X, y)
    >>> model.get_n_leaves()
    7
    >>> round(model.score(X, y), 2)
    0.99
    """

    confidence: Annotated[float, CONFIDENCE] = 0.25

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        return pessimistic(self._grown(data, weights), self.confidence)


@estimator
class ReducedErrorClassifier(AroundBuilder, TreeClassifier):
    """A tree with reduced-error pruning on a pruning set.

    The builder's own pruning, if it has one, should be off.

    Parameters
    ----------
    pruning_share : float, default=1 / 3
        Share of the rows of each class, drawn at random, that is kept for pruning.
    random_state : int, RandomState or None, default=0
        Seed of the rows kept for pruning.

    Notes
    -----
    The method is that of Quinlan, *Simplifying Decision Trees* (1987).

    References
    ----------
    - Quinlan (1987), *Simplifying Decision Trees*, section on reduced error pruning.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import ReducedErrorClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ReducedErrorClassifier().fit(X, y)
    >>> model.get_n_leaves()
    4
    >>> round(model.score(X, y), 2)
    0.97
    """

    pruning_share: Annotated[float, Number(0, 1, "left", what="share of the rows")] = 1 / 3
    random_state: Annotated[Any, RANDOM_STATE] = 0

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        to_prune_by = rows_to_prune_by(data.decisions, self.pruning_share, self.random_state)
        tree = self._grown(data.take(~to_prune_by), weights[~to_prune_by])
        return reduced_error(tree, data.take(to_prune_by).values(), data.decisions[to_prune_by], weights[to_prune_by])
