"""When two computed numbers count as equal, so that rounding decides nothing.

Rounding changes a sum of a million numbers of one sign by about a part in 10¹⁰ of the sum at most. One row of fewer
than 10⁹ equally heavy ones changes it by more than a part in 10⁹.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

EQUAL_SHARE = 1e-9
"""Numbers are equal if they differ by less than this share of the whole that they are parts of."""

EQUAL_RATIO = 1 - EQUAL_SHARE
"""Positive numbers are equal if the lesser is more than this share of the greater."""


def first_largest(numbers: NDArray[Any]) -> NDArray[np.intp]:
    """(...,): the index of the largest of numbers from 0 (..., numbers); of equal ones, the first."""
    return np.asarray((numbers >= numbers.max(axis=-1, keepdims=True) * EQUAL_RATIO).argmax(axis=-1))
