"""OCT with alpha tuned on validation rows, by the frontier of errors against splits instead of a grid of alphas.

One search finds the tree of fewest errors for each number of splits. The trees that are best for some alpha are the
corners of the lower convex envelope of (splits, errors). The validation rows choose one of them, and alpha is the
middle of the interval for which that tree is best. As far as we know, this is how Bertsimas and Dunn (2017) tuned; the
slides (Li) do not say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

import numpy as np

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.estimators.estimator import estimator
from algorithms.induction.cart import CARTClassifier
from algorithms.optimal.cart_start import fit_float32
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import CONSTRAINTS, Instance, fewest_rows
from algorithms.optimal.lookahead.limited_search import solve_within_limits
from algorithms.optimal.missing_values import WithMissing, solved
from algorithms.optimal.optimal_classifier import ProvenTreeClassifier
from algorithms.optimal.solution import LIMITS, Effort, Frontier, FrontierPoint, OnProgress, Solution, measures
from algorithms.options import RANDOM_STATE, Whole
from algorithms.pruning.complexity_tuning import VALIDATION_SHARE, Candidate, Tuned, tuned, validation_rows
from algorithms.pruning.cost_complexity import cost_complexity
from algorithms.rounding import EQUAL_SHARE
from algorithms.trees.decision_tree import DecisionTree

__all__ = [
    "AlphaInterval",
    "TunedOCTClassifier",
    "best_intervals",
    "joined",
    "objective_bound",
    "trimmed_cart",
    "tuned_oct",
]


class AlphaInterval(NamedTuple):
    """The interval of alpha in which errors / L_hat + alpha x splits is least at a point."""

    point: int  # its index
    low: float
    high: float


def best_intervals(points: Sequence[tuple[int, float]], baseline: float) -> tuple[AlphaInterval, ...]:
    """The points (splits, errors) that are best for some interval of alpha, by decreasing splits and increasing alpha.

    points   : in any order, one of them without a split
    baseline : L_hat, the errors without a split

    The intervals cover 0 to 1 without gaps. No split saves more than L_hat errors, so from alpha = 1 on no split is
    worth its cost. If several points are best for a single alpha, only those with the fewest and with the most splits
    are included.
    """
    if not baseline:
        return (AlphaInterval(min(range(len(points)), key=lambda index: points[index][0]), 0.0, 1.0),)
    corners: list[int] = []
    tie = EQUAL_SHARE * baseline
    for index in sorted(range(len(points)), key=lambda index: points[index]):
        if corners and points[index][1] >= points[corners[-1]][1]:
            continue  # no fewer errors with as many splits or more
        while len(corners) > 1 and not _convex(*(points[corner] for corner in (*corners[-2:], index)), tie=tie):
            corners.pop()
        corners.append(index)
    prices = [_saved_per_split(points[few], points[many]) / baseline for few, many in pairwise(corners)]
    ends = [1.0, *prices, 0.0]
    result = [AlphaInterval(index, low, high) for index, (high, low) in zip(corners, pairwise(ends), strict=True)]
    return tuple(reversed(result))


def objective_bound(frontier: Sequence[FrontierPoint], beyond: float, alpha: float, baseline: float) -> float:
    """A lower bound of errors / L_hat + alpha x splits of the allowed trees, from the bounds for each number of splits.

    beyond : a lower bound of the errors of trees with any number of splits
    """
    least, before = np.inf, -1
    for point in frontier:
        least = min(least, point.bound / baseline + alpha * (before + 1))
        before = point.splits
    return min(least, beyond / baseline + alpha * (before + 1))


def tuned_oct(
    instance: Instance,
    validation: DataSet,
    validation_weights: Numbers,
    effort: Effort,
    completed: WithMissing | None = None,
) -> tuple[Tuned, Solution]:
    """Tune alpha for the rows and limits of an instance; return the chosen tree as a solution at that alpha.

    instance  : its alpha is not used; its penalty must be for splits
    effort    : limits of the search for the frontier. If one is reached, CART's tree and its pruned forms are added to
                the trees of the search
    completed : if the data of the instance was made from a data set with missing values: the trees are for that one
    """
    solution = solve(replace(instance, alpha=0.0), effort, frontier=True)
    frontier, baseline = solution.frontier, instance.baseline
    beyond = solution.bound * baseline
    if not solution.optimal:
        frontier = joined(frontier, beyond, trimmed_cart(instance))
    if completed is not None:
        frontier = completed.frontier(frontier)
    intervals = best_intervals([(point.splits, point.errors) for point in frontier], baseline)
    candidates = [Candidate(frontier[index].tree, low, high) for index, low, high in intervals]
    choice = tuned(candidates, validation, validation_weights)
    chosen = frontier[intervals[candidates.index(choice.chosen)].point]
    proven = solution.exhausted or not baseline
    return choice, Solution.of(
        replace(instance, alpha=choice.alpha),
        chosen.tree,
        bound=np.inf if proven else objective_bound(frontier, beyond, choice.alpha, baseline),
        status=solution.stopped or solution.status,
        work=solution.work,
        frontier=frontier,
        forced=solution.forced,
    )


def trimmed_cart(instance: Instance) -> list[DecisionTree]:
    """CART's tree within the limits of an instance, and the trees after each step of weakest-link pruning.

    Empty if a nominal attribute has more than two labels, which CART splits differently, or if numbers are too large
    for CART.
    """
    if not instance.max_depth or not instance.binary or not fit_float32(instance.data):
        return []
    cart = CARTClassifier(max_depth=instance.max_depth, min_samples_leaf=instance.min_samples_leaf)
    grown = cart.fit(instance.data, sample_weight=instance.weights).tree_
    sequence = cost_complexity(grown)
    return [sequence.step(number) for number in range(len(sequence.leaves))]


def joined(frontier: Sequence[FrontierPoint], beyond: float, trees: Iterable[DecisionTree]) -> Frontier:
    """The frontier of the trees of a search and of other trees within its limits, with the bounds of the search.

    beyond : a lower bound of the errors of trees with any number of splits
    """
    points = list(frontier)
    for tree in trees:
        errors, splits, _ = measures(tree)
        bound = next((point.bound for point in frontier if point.splits >= splits), beyond)
        points.append(FrontierPoint(splits, errors, bound, tree))
    points.sort(key=lambda point: (point.splits, point.errors))  # stable: of equal points the search's is first
    least = np.minimum.accumulate([np.inf, *(point.errors for point in points)])
    return Frontier(point for point, before in zip(points, least[:-1], strict=True) if point.errors < before)


@estimator
class TunedOCTClassifier(ProvenTreeClassifier):
    """The optimal classification tree whose alpha is chosen by the accuracy on validation rows.

    For each number of splits, the tree of fewest errors is found once. Among the trees that are best for some alpha,
    the tree that is most accurate on the validation rows is chosen. alpha becomes the middle of the interval for which
    this tree is best. The objective and the splits of missing values are those of `OCTClassifier`.

    Parameters
    ----------
    max_depth : int, default=3
        Maximum number of edges from the root to a leaf.
    min_samples_leaf : int or float, default=1
        Minimum number of training rows in a leaf, or their share of all rows, rounded up. Weights do not matter here.
    validation_share : float, default=1 / 3
        Share of the rows of each class, drawn at random, that is kept for the choice of alpha.
    refit : bool, default=True
        Whether to search for the best tree for all rows at the chosen alpha. If Ctrl-C ends the first search, there is
        no second search.
    time_limit : float or None, default=None
        Seconds for each search; with `refit` there are two searches. None: no limit.
    max_work : int or None, default=None
        Units of work for each search. None: no limit.
    trace : bool, default=False
        Whether to record the best objective and the bound over time, as `trace_`. The trace begins when alpha is
        chosen: without `refit` it has one element.
    random_state : int, RandomState or None, default=0
        Seed of the validation rows.

    Attributes
    ----------
    tuned_ : Tuned
        `tuned_.candidates` are all candidate trees, by decreasing size; `tuned_.chosen` is the chosen tree,
        `tuned_.validation_accuracy` its accuracy on the validation rows, and `tuned_.alpha` the chosen alpha.

    Notes
    -----
    Bertsimas & Dunn 2017, as reported by Li, tune alpha on validation rows.

    References
    ----------
    - Bertsimas & Dunn (2017), *Optimal Classification Trees*, as reported by Li (slides), *Optimal Decision Tree*,
      section Finding the Global Optima - OCT.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from orchard import TunedOCTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TunedOCTClassifier(max_depth=2).fit(X, y)
    >>> model.get_n_leaves()
    3
    >>> round(model.score(X, y), 2)
    0.96
    """

    handles_missing = True

    max_depth: Annotated[int, Whole(0)] = 3
    min_samples_leaf: Annotated[float, CONSTRAINTS["min_samples_leaf"]] = 1
    validation_share: Annotated[float, VALIDATION_SHARE] = 1 / 3
    refit: bool = True
    time_limit: Annotated[float | None, LIMITS["time_limit"]] = None
    max_work: Annotated[int | None, LIMITS["max_work"]] = None
    random_state: Annotated[Any, RANDOM_STATE] = 0

    def _solved(self, data: DataSet, weights: Numbers, on_progress: OnProgress | None) -> Solution:
        effort = Effort(seconds=self.time_limit, work=self.max_work)
        validation = validation_rows(data.decisions, self.validation_share, self.random_state)
        learned = data.take(~validation)
        completed = WithMissing.of(learned) if learned.incomplete else None
        training = self._instance(learned if completed is None else completed.data, weights[~validation])
        self.tuned_, solution = tuned_oct(training, data.take(validation), weights[validation], effort, completed)
        if not self.refit or solution.interrupted:
            return solution

        instance = replace(self._instance(data, weights), alpha=self.tuned_.alpha)
        return solved(instance, partial(solve_within_limits, effort=effort, on_progress=on_progress))

    def _instance(self, data: DataSet, weights: Numbers) -> Instance:
        fewest = fewest_rows(self.min_samples_leaf, data.rows)
        return Instance(data, weights, max_depth=self.max_depth, min_samples_leaf=fewest, missing="best_side")


def _saved_per_split(few: tuple[int, float], many: tuple[int, float]) -> float:
    """The errors that each further split saves, from one point to another with more splits."""
    return (few[1] - many[1]) / (many[0] - few[0])


def _convex(first: tuple[int, float], middle: tuple[int, float], last: tuple[int, float], *, tie: float) -> bool:
    """Whether splits save more, by more than `tie`, from the first to the middle point than from there to the last."""
    return _saved_per_split(first, middle) > _saved_per_split(middle, last) + tie
