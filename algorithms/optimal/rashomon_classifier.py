"""The estimator that chooses one of the trees that are nearly optimal."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from sklearn.utils import check_random_state

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.estimators.estimator import estimator
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.missing_values import solved
from algorithms.optimal.optimal_classifier import OptimalClassifier
from algorithms.optimal.rashomon.bit_tests import TIE
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.solution import LIMITS, Effort, OnProgress, Solution, Status, proven
from algorithms.options import RANDOM_STATE, Number
from algorithms.trees.decision_tree import DecisionTree

__all__ = ["RashomonClassifier"]

Choice = Literal["smallest", "shallowest", "random"]


@estimator
class RashomonClassifier(OptimalClassifier):
    """A tree whose objective is at most epsilon above the least objective; by default, such a tree with fewest leaves.

    The objective and the allowed trees are those of `OCTClassifier`. For missing values, its rule "best_side" holds.

    Parameters
    ----------
    epsilon : float, default=0.05
        How much the objective of the tree may exceed the least objective: a difference, not a share of it.
    choice : {"smallest", "shallowest", "random"}, default="smallest"
        Which of these trees is chosen: a tree with the fewest leaves, a tree with the fewest levels, or a tree drawn at
        random, where all trees have the same chance.
    subsets : bool, default=False
        Whether nominal attributes may also be split into two sets of labels.
    time_limit : float or None, default=None
        Seconds that each step of the search may take, compilation excluded; after that, `fit` raises EffortSpentError.
        None: no limit.
    max_work : int or None, default=None
        Units of work after which `fit` raises EffortSpentError. A search takes the same units on any machine. None: no
        limit.
    memory_limit : float, default=2**30
        Maximum number of bytes that the stored results of the search take.
    random_state : int, RandomState or None, default=0
        The seed of the choice "random".

    Attributes
    ----------
    solution_ : Solution
        The tree with its errors and its objective; `bound` is the least objective of all trees.

    Raises
    ------
    EffortSpentError
        `time_limit`, `max_work` or `memory_limit` is reached before all good trees are known.

    Notes
    -----
    Breiman 2001 calls it the Rashomon effect if many different models are about equally good. If several trees have
    the fewest leaves, or the fewest levels, a tree with the least objective among these is chosen.

    References
    ----------
    - Breiman (2001), *Statistical Modeling: The Two Cultures*, section 8.
    - Xin et al. (2022), *Exploring the Whole Rashomon Set of Sparse Decision Trees*.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import OCTClassifier, RashomonClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> OCTClassifier(max_depth=3).fit(X, y).get_n_leaves()
    7
    >>> RashomonClassifier(epsilon=0.05, max_depth=3).fit(X, y).get_n_leaves()
    3
    """

    handles_missing = True

    epsilon: Annotated[float, Number(0, closed="left")] = 0.05
    choice: Choice = "smallest"
    subsets: bool = False
    max_work: Annotated[int | None, LIMITS["max_work"]] = None
    memory_limit: Annotated[int, LIMITS["memory_limit"]] = 1 << 30
    random_state: Annotated[Any, RANDOM_STATE] = 0

    def _instance(self, data: DataSet, weights: Numbers, **limits: Any) -> Instance:
        return super()._instance(data, weights, missing="best_side", **limits)

    def _solution(self, instance: Instance, on_progress: OnProgress | None) -> Solution:
        effort = Effort(self.time_limit, self.max_work, self.memory_limit)
        limited = instance.max_depth is not None or instance.max_splits is not None  # a frontier needs a limit
        if self.choice == "smallest" and limited and instance.binary:
            return self._fewest_splits(instance, effort, on_progress)
        good = RashomonSet.of(instance, self.epsilon, effort, subsets=self.subsets)
        return _chosen(instance, self._tree_of(good), good.objective)

    def _fewest_splits(self, instance: Instance, effort: Effort, on_progress: OnProgress | None) -> Solution:
        """The first tree of the frontier that is good; it has one leaf more than splits."""
        find = partial(solve, effort=effort, frontier=True, on_progress=on_progress)
        result = proven(solved(instance, find), every_size=True)
        most = result.objective + self.epsilon + TIE
        objectives = (instance.objective(point.errors, point.splits, point.splits + 1) for point in result.frontier)
        good = (point for point, objective in zip(result.frontier, objectives, strict=True) if objective <= most)
        return _chosen(instance, next(good).tree, result.objective)

    def _tree_of(self, good: RashomonSet) -> DecisionTree:
        if self.choice == "smallest":
            return good.smallest()
        if self.choice == "shallowest":
            return good.shallowest()
        return good.sample(1, int(check_random_state(self.random_state).randint(1 << 31)))[0]


def _chosen(instance: Instance, tree: DecisionTree, least: float) -> Solution:
    """The solution with a good tree: it is optimal if its objective is the least."""
    result = Solution.of(instance, tree, bound=least, status=Status.HEURISTIC)
    return result if result.objective > least + TIE else Solution.of(instance, tree, bound=least, status=Status.OPTIMAL)
