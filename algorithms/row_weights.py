"""Weights of rows as integers, and at a scale at which their squares are finite."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers

UNIT_BITS = 52
"""Binary logarithm of the greatest sum of integer weights; weights that are whole or dyadic stay exact."""


def whole_weights(weights: Numbers, bits: int = UNIT_BITS) -> tuple[NDArray[np.int64], float]:
    """Positive weights as integers, rounded and perhaps to 0, and their unit, a power of 2."""
    exponent = unit_exponent(float(weights.sum()), bits)
    return np.rint(np.ldexp(weights, -exponent)).astype(np.int64), 2.0**exponent


def unit_exponent(total: float, bits: int = UNIT_BITS) -> int:
    """The exponent of the power of 2 of which positive weights with this total become multiples."""
    return math.ceil(math.log2(total)) - bits


def scaled(weights: Numbers) -> Numbers:
    """Weights times the power of 2 that puts the largest between 1/2 and 1, so that their shares stay the same."""
    return np.asarray(np.ldexp(weights, -int(np.frexp(weights.max(initial=0))[1])))
