"""The four uncertainty measures of a decision table, from its decision counts (Alkhalid et al. 2013, section 2).

The functions take counts of shape (..., decisions) and return an array of shape (...).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from algorithms.array_types import Numbers


def _counts(counts: ArrayLike) -> tuple[Numbers, Numbers]:
    counted = np.asarray(counts, dtype=np.float64)
    return counted, counted.sum(axis=-1)


def ent(counts: ArrayLike) -> Numbers:
    """Entropy in bits, -sum p_i log2 p_i with 0 log2 0 = 0. Some count must be above 0."""
    counted, size = _counts(counts)
    logarithms = np.log2(counted, where=counted > 0, out=np.zeros_like(counted))
    return np.asarray((size * np.log2(size) - (counted * logarithms).sum(axis=-1)) / size)


def gini(counts: ArrayLike) -> Numbers:
    """Gini index, 1 - sum p_i^2. Some count must be above 0."""
    counted, size = _counts(counts)
    return np.asarray((size**2 - (counted**2).sum(axis=-1)) / size**2)


def gini_by_weight(counts: Numbers) -> Numbers:
    """The Gini index times the sum of the counts; 0 if all counts are 0."""
    size = counts.sum(axis=-1)
    return np.asarray(size - (counts**2).sum(axis=-1) / np.maximum(size, np.finfo(np.float64).tiny))


def me(counts: ArrayLike) -> Numbers:
    """Minimum misclassification error, N - max N_i, in rows."""
    counted, size = _counts(counts)
    return np.asarray(size - counted.max(axis=-1))


def rt(counts: ArrayLike) -> Numbers:
    """Number of unordered pairs of rows with different decisions."""
    counted, size = _counts(counts)
    return np.asarray((size**2 - (counted**2).sum(axis=-1)) / 2)


UNCERTAINTIES: dict[str, Callable[[ArrayLike], Numbers]] = {"ent": ent, "gini": gini, "me": me, "rt": rt}
"""The uncertainty measures by their names in the paper, in the paper's order."""
