"""Weights by class, as scikit-learn's `class_weight`: the cost of an error on a row of each class."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers

ClassWeight = Mapping[Any, float] | str | None
"""A weight by label, "balanced", or None for weight 1."""


def weights_of_classes(
    class_weight: ClassWeight, classes: NDArray[Any], decisions: NDArray[np.int32], weights: Numbers
) -> Numbers:
    """(classes,): the factor by which the rows of each class weigh more.

    "balanced" gives all classes the same total weight. It uses the weights of the rows, so that a row of weight 2
    equals two rows. Raises ValueError if a weight is not positive and finite, or is given for a label that is no class.
    """
    result = np.ones(len(classes))
    if class_weight is None:
        return result
    if isinstance(class_weight, str):
        totals = np.bincount(decisions, weights, minlength=len(classes))
        present = totals > 0
        result[present] = totals.sum() / (present.sum() * totals[present])
        return result
    labels = classes.tolist()
    for label, weight in class_weight.items():
        if label not in labels:
            raise ValueError(
                f"class_weight has the key {label!r}, which is not a class: expected keys among {labels[:9]}"
            )
        if not (isinstance(weight, Real) and 0 < weight < np.inf):
            raise ValueError(f"class_weight of {label!r} is {weight!r}: expected a finite number above 0")
        result[labels.index(label)] = weight
    return result
