"""The errors of the majority rule, the tree without a split, and tolerances for rounding."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.rounding import EQUAL_SHARE

RARE = 1e-3
"""The tolerance is at least that for errors of this share of all weight, since sums of all weight are rounded."""
HIDDEN = 1e-6
"""Rounding must change a sum by no more than this share of the least weight, or it may hide a row of that weight."""


def majority_errors(class_weights: NDArray[Any]) -> float:
    """The weight of all classes but the heaviest, from the weight of each (classes,)."""
    weights = sorted(class_weights.tolist())
    return float(sum(weights[:-1]))


def tolerance(errors: float, total: float) -> float:
    """The largest difference of errors that count as equal, if weights are not whole.

    errors : of the majority rule
    total  : weight of all rows
    """
    return EQUAL_SHARE * max(errors, RARE * total)


def sums_are_exact(weights: NDArray[Any]) -> bool:
    """Whether no sum of some of these positive weights (rows,) is rounded.

    All weights are multiples of a power of 2, the unit. Sums are exact if that of all weights is below 2**53 units.
    """
    mantissa, exponent = np.frexp(weights)
    bits = np.ldexp(mantissa, 53).astype(np.int64)
    unit = int((exponent + np.frexp(bits & -bits)[1]).min()) - 54
    return bool(weights.sum() < np.ldexp(1.0, 53 + unit))


def greatest_ratio(rows: int) -> float:
    """The greatest ratio of the sum of the weights to the least weight for which rounding does not hide the least.

    A sum over this number of rows is rounded by about 2**-52 times the square root of this number.
    """
    return HIDDEN * 2**52 / math.sqrt(rows)
