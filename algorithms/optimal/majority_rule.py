"""The errors of the majority rule, the tree without a split, and the rounding errors that count beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

ROUNDING = 1e-9
"""Errors are equal if they differ by less than this share of the majority rule's errors."""
RARE = 1e-3
"""Of all weight: errors of the majority rule below this share are taken as this, for sums of all weight are rounded."""


def majority_errors(class_weights: NDArray[Any]) -> float:
    """The weight of all classes but the heaviest, from the weight of each (classes,)."""
    return float(class_weights[np.arange(len(class_weights)) != class_weights.argmax()].sum())


def tolerance(errors: float, total: float) -> float:
    """The largest difference of equal errors, where weights are not whole.

    errors : of the majority rule
    total  : weight of all rows
    """
    return ROUNDING * max(errors, RARE * total)
