"""The base classes of the estimators of optimal classification trees: their options and their solution."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any

import numpy as np

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.estimators.data_set_classifier import check_least_weight
from algorithms.estimators.estimator import estimator
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.optimal.instance import CONSTRAINTS, Instance, Penalty, fewest_rows
from algorithms.optimal.majority_rule import majority_errors
from algorithms.optimal.solution import LIMITS, OnProgress, Solution
from algorithms.optimal.trace import Recorder, Trace
from algorithms.trees.decision_tree import DecisionTree


@estimator
class ProvenTreeClassifier(TreeClassifier):
    """An estimator that reports how far its tree may be from the best.

    Parameters
    ----------
    time_limit : float or None, default=None
        Seconds after which the search ends with the best tree so far, compilation excluded. None: no limit.
    max_work : int or None, default=None
        Units of work after which the search ends with the best tree so far. Results are then the same on any machine.
        None: no limit.
    trace : bool, default=False
        Whether to record the best objective and the bound over time, as `trace_`.

    Attributes
    ----------
    solution_ : Solution
        The tree with its errors, its objective, the proven bound and how the search ended.
    trace_ : Trace
        With `trace=True`, the improvements of the objective and of the bound, each with its time.
    """

    trace: bool = False

    @abstractmethod
    def _solved(self, data: DataSet, weights: Numbers, on_progress: OnProgress | None) -> Solution:
        """The solution for a data set in which no class is missing, with positive weights (rows,)."""

    def _grow(self, data: DataSet, weights: Numbers) -> DecisionTree:
        rarer = majority_errors(np.bincount(data.decisions, weights))
        check_least_weight(rarer, " of all classes except the heaviest")
        self.__dict__.pop("trace_", None)
        recorder = Recorder() if self.trace else None
        self.solution_: Solution = self._solved(data, weights, recorder)
        if recorder is not None:
            self.trace_: Trace = recorder.trace(self.solution_)
        return self.solution_.tree


@estimator
class PenalisedClassifier(ProvenTreeClassifier):
    """A classification tree that minimises errors / L + alpha x splits, where L are the errors of the majority rule.

    Parameters
    ----------
    max_depth : int or None, default=3
        Maximum number of edges from the root to a leaf. None: no limit.
    min_samples_leaf : int or float, default=1
        Minimum number of training rows in a leaf, or their share of all rows, rounded up. Weights do not matter here.
    alpha : float, default=0.0
        The cost of a split, in units of the errors of the majority rule.
    penalty : {"splits", "leaves"}, default="splits"
        Whether alpha is the cost of a split or of a leaf.
    """

    max_depth: Annotated[int | None, CONSTRAINTS["max_depth"]] = 3
    min_samples_leaf: Annotated[float, CONSTRAINTS["min_samples_leaf"]] = 1
    alpha: Annotated[float, CONSTRAINTS["alpha"]] = 0.0
    penalty: Annotated[Penalty, CONSTRAINTS["penalty"]] = "splits"
    time_limit: Annotated[float | None, LIMITS["time_limit"]] = None

    @abstractmethod
    def _solution(self, instance: Instance, on_progress: OnProgress | None) -> Solution:
        """The solution of an instance; `on_progress`, if given, receives the progress of the search."""

    def _solved(self, data: DataSet, weights: Numbers, on_progress: OnProgress | None) -> Solution:
        return self._solution(self._instance(data, weights), on_progress)

    def _instance(self, data: DataSet, weights: Numbers, **limits: Any) -> Instance:
        return Instance(
            data,
            weights,
            max_depth=self.max_depth,
            min_samples_leaf=fewest_rows(self.min_samples_leaf, data.rows),
            alpha=float(self.alpha),
            penalty=self.penalty,
            **limits,
        )


@estimator
class OptimalClassifier(PenalisedClassifier):
    """A tree that minimises errors / L + alpha x splits, where L are the errors of the majority rule.

    Parameters
    ----------
    max_splits : int or None, default=None
        Maximum number of splits. None: no limit.
    """

    max_splits: Annotated[int | None, CONSTRAINTS["max_splits"]] = None

    def _instance(self, data: DataSet, weights: Numbers, **limits: Any) -> Instance:
        return super()._instance(data, weights, max_splits=self.max_splits, **limits)
