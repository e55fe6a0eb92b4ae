"""Weights of rows as whole numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers

__all__ = ["whole_weights"]

UNIT_BITS = 52
"""Whole weights sum to about 2 to this at most: those that are whole or dyadic before stay exact."""


def whole_weights(weights: Numbers, total: float) -> tuple[NDArray[np.int64], float]:
    """Positive weights of this total as whole numbers, rounded, and the unit that they count: a power of 2."""
    exponent = UNIT_BITS - math.ceil(math.log2(total))
    return np.rint(np.ldexp(weights, exponent)).astype(np.int64), 2.0**-exponent
