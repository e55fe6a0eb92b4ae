"""Any builder of trees with a way of pruning after it, as an estimator."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algorithms.class_weight import ClassWeight
from algorithms.data_set import DataSet
from algorithms.induction.around_builder import AroundBuilder
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.inputs import Nominal
from algorithms.options import RANDOM_STATE, Constraints, Number, Whole
from algorithms.pruning.cross_validation import Grow, cross_validated
from algorithms.pruning.pessimistic import CONFIDENCE, pessimistic
from algorithms.pruning.reduced_error import reduced_error
from algorithms.pruning.rows_apart import pruning_folds, pruning_share
from algorithms.tree import DecisionTree

__all__ = ["CostComplexityClassifier", "PessimisticClassifier", "PrunedClassifier", "ReducedErrorClassifier"]

Numbers = NDArray[np.float64]


class PrunedClassifier(AroundBuilder, TreeClassifier):
    """A tree of `builder`, pruned by `_pruned`, which is all that subclasses add.

    builder : as `AroundBuilder`. What it grows is what is pruned: its own pruning, if it has one, is to be off.
    """

    @abstractmethod
    def _pruned(self, grow: Grow, data: DataSet, weights: Numbers) -> DecisionTree:
        """The pruned tree for a data set and its weights."""

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        return self._pruned(self._grown, data, weights)


class CostComplexityClassifier(PrunedClassifier):
    """Cost-complexity pruning, alpha chosen by cross-validation: `algorithms.pruning.cross_validation`.

    folds          : parts that the rows are dealt into, each class in turn; at most one for each row
    standard_errors: smaller trees whose error is within so many standard errors of the least are preferred
    random_state   : how the rows are dealt
    """

    _parameter_constraints: ClassVar[Constraints] = PrunedClassifier._parameter_constraints | {
        "folds": [Whole(2)],
        "standard_errors": [Number(0, closed="left")],
        "random_state": RANDOM_STATE,
    }

    def __init__(
        self,
        builder: TreeClassifier | None = None,
        *,
        folds: int = 10,
        standard_errors: float = 0.0,
        random_state: Any = 0,
        class_weight: ClassWeight = None,
        nominal: Nominal = "auto",
    ) -> None:
        self.builder = builder
        self.folds = folds
        self.standard_errors = standard_errors
        self.random_state = random_state
        self.class_weight = class_weight
        self.nominal = nominal

    def _pruned(self, grow: Grow, data: DataSet, weights: Numbers) -> DecisionTree:
        if data.rows == 1:
            return grow(data, weights)
        folds = pruning_folds(data.decisions, min(self.folds, data.rows), self.random_state)
        return cross_validated(data, weights, grow, folds, standard_errors=self.standard_errors).tree


class PessimisticClassifier(PrunedClassifier):
    """Pessimistic pruning at a `confidence`: `algorithms.pruning.pessimistic`."""

    _parameter_constraints: ClassVar[Constraints] = PrunedClassifier._parameter_constraints | {"confidence": CONFIDENCE}

    def __init__(
        self,
        builder: TreeClassifier | None = None,
        *,
        confidence: float = 0.25,
        class_weight: ClassWeight = None,
        nominal: Nominal = "auto",
    ) -> None:
        self.builder = builder
        self.confidence = confidence
        self.class_weight = class_weight
        self.nominal = nominal

    def _pruned(self, grow: Grow, data: DataSet, weights: Numbers) -> DecisionTree:
        return pessimistic(grow(data, weights), self.confidence)


class ReducedErrorClassifier(PrunedClassifier):
    """Reduced-error pruning: `algorithms.pruning.reduced_error`.

    pruning_share: share of the rows, drawn from each class, that the tree is not grown from but pruned by
    random_state : which rows these are
    """

    _parameter_constraints: ClassVar[Constraints] = PrunedClassifier._parameter_constraints | {
        "pruning_share": [Number(0, 1, "left", what="share of the rows")],
        "random_state": RANDOM_STATE,
    }

    def __init__(
        self,
        builder: TreeClassifier | None = None,
        *,
        pruning_share: float = 1 / 3,
        random_state: Any = 0,
        class_weight: ClassWeight = None,
        nominal: Nominal = "auto",
    ) -> None:
        self.builder = builder
        self.pruning_share = pruning_share
        self.random_state = random_state
        self.class_weight = class_weight
        self.nominal = nominal

    def _pruned(self, grow: Grow, data: DataSet, weights: Numbers) -> DecisionTree:
        apart = pruning_share(data.decisions, self.pruning_share, self.random_state)
        tree = grow(data.take(~apart), weights[~apart])
        return reduced_error(tree, data.take(apart).values(), data.decisions[apart], weights[apart])
