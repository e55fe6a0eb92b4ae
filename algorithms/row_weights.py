"""Weights of rows: what is accepted, and as whole numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algorithms.data_set import DataSetError

__all__ = ["checked_weights", "whole_weights"]

Numbers = NDArray[np.float64]

UNIT_BITS = 52
"""Whole weights sum to about 2 to this at most: those that are whole or dyadic before stay exact."""


def checked_weights(weights: ArrayLike | None, rows: int) -> Numbers:
    """(rows,): a copy of the weights, 1 each where they are None; DataSetError where one is negative or not finite."""
    weight = np.ones(rows) if weights is None else np.array(weights, np.float64)
    if weight.shape != (rows,) or not np.isfinite(weight).all() or (weight < 0).any():
        msg = f"weights have shape {weight.shape}: expected one for each of {rows} rows, finite and not below 0"
        raise DataSetError(msg)
    return weight


def whole_weights(weights: Numbers, total: float) -> tuple[NDArray[np.int64], float]:
    """Positive weights of this total as whole numbers, rounded, and the unit that they count: a power of 2."""
    exponent = UNIT_BITS - math.ceil(math.log2(total))
    return np.rint(np.ldexp(weights, exponent)).astype(np.int64), 2.0**-exponent
