"""Columns observed together, by NumPy alone: their means, and the differences of two."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.summary.statistics import Estimate

__all__ = ["Paired"]

DIGITS = 12
"""After the point, up to which differences that are the same have no spread."""


@dataclass(frozen=True, eq=False)
class Paired:
    """Values (rows, columns) of several columns in the same rows."""

    values: NDArray[np.float64]

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.values)

    @property
    def mean(self) -> NDArray[np.float64]:
        """(columns,): the mean of each."""
        return self.values[0] + (self.values - self.values[0]).mean(axis=0)  # type: ignore[no-any-return]

    def difference(self, left: int, right: int) -> Estimate:
        """The mean of column left less column right, paired, with its standard error."""
        apart = self.values[:, left] - self.values[:, right]
        spread = 0.0 if np.ptp(apart.round(DIGITS)) == 0 else float(apart.std(ddof=1))
        mean = self.mean
        return Estimate(self.n, float(mean[left] - mean[right]), spread / math.sqrt(self.n) if self.n > 1 else None)
