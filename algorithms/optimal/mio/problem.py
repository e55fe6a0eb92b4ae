"""An instance prepared for a solver: weights in a suitable unit, splits, possible costs, the greatest useful depth."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from algorithms.array_types import Numbers
from algorithms.optimal.equivalent_points import class_weights_of_points, points_of
from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.binary_splits import BinarySplits, PlacedTree, errors_of_leaves
from algorithms.optimal.plan import tree_of_plan
from algorithms.optimal.solution import Solution, Status

TOLERANCE = 1e-6
"""Tolerance of solvers for rows, whole numbers and bounds."""
MOST_UNITS = 1e5
"""Largest total weight for which errors count as whole numbers despite that tolerance."""
COARSEST = 1e-3
"""Largest error of a solver's cost, as a share of the majority rule's errors, if errors are not whole numbers."""


@dataclass(frozen=True)
class ObjectiveValues:
    """The possible costs of a tree."""

    whole: bool  # whether errors are whole numbers
    cost: float  # of each split
    splits: int  # most that a tree can have
    baseline: float  # errors of the tree without splits
    forced: float  # errors that no tree avoids

    @property
    def step(self) -> float:
        """The least difference of two different values; 0 if it is unknown, or too small for a solver."""
        if not self.whole:
            return 0.0
        costs = [count * self.cost for count in range(1, self.splits + 1)]
        differences = [abs(cost - round(cost)) for cost in costs]
        least = min([1.0, *(difference for difference in differences if difference > 1e-12)])
        return least if least > 10 * TOLERANCE else 0.0

    def raised(self, bound: float) -> float:
        """The least possible value of a tree that is not below this bound of a solver.

        If errors are not whole numbers, it is the bound itself, raised to the forced errors and the cost of a split.
        """
        least = self.baseline
        for count in range(1, self.splits + 1):
            paid = count * self.cost
            errors = max(bound - paid, self.forced)
            if self.whole and math.isfinite(errors):
                errors = math.ceil(errors - TOLERANCE)
            least = min(least, errors + paid)
        return least


def weight_unit(weights: Numbers) -> tuple[float, bool]:
    """A unit of the weights (rows,) that suits a solver, and whether they are whole multiples of it.

    That is the least weight, or the greatest common divisor; if the multiples are too large, the mean.
    """
    for unit in (float(weights.min()), _common_divisor(weights)):
        with np.errstate(over="ignore", divide="ignore"):  # then they are infinite, and too large
            counts = weights / unit
        if counts.sum() <= MOST_UNITS and (abs(counts - counts.round()) <= 1e-9).all():
            return unit, True
    return float(weights.mean()), False


def _common_divisor(weights: Numbers) -> float:
    """The greatest common divisor, which exists because floats are fractions."""
    ratios = [weight.as_integer_ratio() for weight in np.unique(weights).tolist()]
    common = math.lcm(*(denominator for _, denominator in ratios))
    return math.gcd(*(numerator * (common // denominator) for numerator, denominator in ratios)) / common


@dataclass(frozen=True, eq=False)
class SolverProblem:
    """The problem for a solver; costs are errors + size_cost x splits of `instance`."""

    original: Instance
    instance: Instance  # the same with weights that suit a solver
    splits: BinarySplits  # the splits that a tree may have
    depth: int  # the greatest depth at which a tree may be better than all shallower ones
    possible: ObjectiveValues  # the possible costs of trees
    forced: float  # errors that no tree avoids, in the unit of `original`

    @classmethod
    def of(cls, original: Instance, cuts: int | None = None) -> SolverProblem:
        """Make the problem of an instance, with numbers split at all thresholds, or at this many quantiles."""
        unit, whole = weight_unit(original.weights)
        weights = original.weights / unit
        instance = replace(original, weights=weights.round() if whole else weights)
        splits = BinarySplits.of(original.data, original.weights, cuts)
        forced, distinct = _forced_errors(instance, splits)
        depth = _depth(instance, splits, forced, distinct)
        most = 2**depth - 1 if instance.max_splits is None else min(2**depth - 1, instance.max_splits)
        possible = ObjectiveValues(whole, instance.size_cost, min(most, distinct), instance.baseline, forced)
        separable = splits if cuts is None else BinarySplits.of(original.data)  # all cuts may separate more rows
        problem = cls(original, instance, splits, depth, possible, _forced_errors(original, separable)[0])
        rounded_away = instance.baseline == 0 < min(original.baseline, original.most_levels)
        if rounded_away or (depth and not whole and problem.tolerance > COARSEST * instance.baseline):
            raise ValueError(
                f"the weights differ too much, from {original.weights.min():g} to {original.weights.max():g}: the "
                f"errors of a tree without splits have a total weight of {original.baseline:g}, which a solver cannot "
                "tell from 0. Give weights that differ less, or use OCTClassifier"
            )
        return problem

    @property
    def tolerance(self) -> float:
        """Largest error of a solver's cost: the allowed violation of a row times the greatest coefficient."""
        leaves = min(2**self.depth, self.instance.data.rows)
        violation = TOLERANCE * max(1.0, float(self.instance.weights.sum())) * leaves
        return float(min(violation, self.possible.step / 2) if self.possible.step else violation)

    def closed(self, cost: float, bound: float) -> bool:
        """Whether no tree can cost less than this, given a bound that was `raised`."""
        return bound >= cost - max(self.possible.step / 2, TOLERANCE * min(1.0, self.instance.baseline))

    def objective(self, cost: float) -> float:
        """The objective of a tree of this cost."""
        share = cost / self.instance.baseline if self.instance.baseline else 0.0
        return share + (self.instance.alpha if self.instance.penalty == "leaves" else 0.0)

    def solution(self, placed: PlacedTree, bound: float, status: Status, work: int) -> Solution:
        """The solution of a tree, counted on the rows, with a bound on costs; infinite if none costs less."""
        tree = tree_of_plan(self.splits.plan(placed), self.original.data, self.original.weights)
        bound = self.objective(bound)
        return Solution.of(self.original, tree, bound=bound, status=status, work=work, forced=self.forced)


def _forced_errors(instance: Instance, splits: BinarySplits) -> tuple[float, int]:
    """The errors that no tree avoids, because equal rows differ in class, and the number of distinct rows."""
    data = instance.data
    point = points_of(splits.ranks.T, data.rows)
    by_class = class_weights_of_points(point, data.decisions, instance.weights, len(data.classes))
    return errors_of_leaves(by_class), len(by_class)


def _depth(instance: Instance, splits: BinarySplits, forced: float, distinct: int) -> int:
    """The greatest useful depth: splits are limited, each must save what it costs and must separate distinct rows."""
    if instance.baseline == 0:
        return 0
    bounds: list[float] = [instance.most_levels, distinct - 1, int((splits.levels - 1).sum())]
    if instance.size_cost > 0:
        bounds.append((instance.baseline - forced) / instance.size_cost + TOLERANCE)
    return math.floor(min(bounds))
