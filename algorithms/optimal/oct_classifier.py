"""What the estimators of optimal classification trees have in common: one meaning of their options, and a proof."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algorithms.class_weight import ClassWeight
from algorithms.data_set import DataSet
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.optimal.instance import CONSTRAINTS, Instance, fewest_rows
from algorithms.optimal.solution import LIMITS, Solution
from algorithms.options import Constraints
from algorithms.tree import DecisionTree

__all__ = ["OCTClassifier", "ProvenTreeClassifier"]

Numbers = NDArray[np.float64]


class ProvenTreeClassifier(TreeClassifier):
    """An estimator that says how good its tree is: after `fit`, `solution_` is a `Solution`."""

    solution_: Solution

    @abstractmethod
    def _solved(self, data: DataSet, weights: Numbers) -> Solution:
        """What is found for a data set without missing classes and positive weights (rows,)."""

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        self.solution_ = self._solved(data, weights)
        return self.solution_.tree


class OCTClassifier(ProvenTreeClassifier):
    """An optimal classification tree: of least errors / L_hat + alpha x splits, L_hat those of the majority rule.

    max_depth     : edges from the root to a leaf at most; None for no limit
    min_rows_leaf : fewest training rows in a leaf (N_min), or their share of all rows, rounded up
    max_splits    : splits at most; None for no limit
    alpha         : what a split costs, where the majority rule costs 1
    penalty       : "splits", or "leaves" for alpha x leaves
    class_weight  : what an error on a row of each class costs: by label, "balanced", or None for 1 each. The weights of
                    rows are multiplied by it
    time_limit    : seconds until the best tree so far is taken, compiling excluded; None for no limit
    nominal       : columns of numbers that are nominal, by name or place
    """

    _parameter_constraints: ClassVar[Constraints] = ProvenTreeClassifier._parameter_constraints | {
        **CONSTRAINTS,
        "time_limit": LIMITS["time_limit"],
    }

    max_depth: int | None
    min_rows_leaf: float
    max_splits: int | None
    alpha: float
    penalty: Any
    class_weight: ClassWeight
    time_limit: float | None

    @abstractmethod
    def _solution(self, instance: Instance) -> Solution:
        """The solution of an instance, by this method."""

    def _solved(self, data: DataSet, weights: Numbers) -> Solution:
        instance = Instance(
            data,
            weights,
            max_depth=self.max_depth,
            min_rows_leaf=fewest_rows(self.min_rows_leaf, data.rows),
            max_splits=self.max_splits,
            alpha=float(self.alpha),
            penalty=self.penalty,
        )
        return self._solution(instance)
