"""The values that errors + cost x splits can have: how far a bound may be raised, and when a gap is closed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from algorithms.array_types import Numbers

TOLERANCE = 1e-6
"""Tolerance of solvers for rows, whole numbers and bounds."""
MOST_UNITS = 1e5
"""Largest total weight for which errors count as whole numbers despite that tolerance."""


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
