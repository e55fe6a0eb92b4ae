"""Impurity functions: a type and an uncertainty measure make one (Alkhalid et al. 2013, section 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from algorithms.uncertainty import UNCERTAINTIES

__all__ = ["IMPURITY_FUNCTIONS", "IMPURITY_TYPES", "ImpurityFunction", "impurity_function"]

IMPURITY_TYPES = ("max", "sum", "w_max", "w_sum")
"""Types of impurity function, in the order of the paper's tables."""


@dataclass(frozen=True)
class ImpurityFunction:
    """I(T, f_i) for one type and one uncertainty measure."""

    impurity_type: str
    uncertainty: str

    @property
    def name(self) -> str:
        """`type/uncertainty`, as configurations and results name it."""
        return f"{self.impurity_type}/{self.uncertainty}"

    @property
    def number(self) -> int:
        """Place in `IMPURITY_FUNCTIONS`."""
        return IMPURITY_FUNCTIONS.index(self)

    def __call__(self, parts: ArrayLike) -> float:
        """Impurity of a partition; parts (parts, decisions) count the decisions of each, none of them empty."""
        counts = np.asarray(parts)
        uncertainty = UNCERTAINTIES[self.uncertainty](counts)
        if self.impurity_type.startswith("w_"):
            uncertainty = uncertainty * counts.sum(axis=-1) / counts.sum()
        return float(uncertainty.max() if self.impurity_type.endswith("max") else uncertainty.sum())


IMPURITY_FUNCTIONS = tuple(
    ImpurityFunction(impurity_type, uncertainty) for impurity_type in IMPURITY_TYPES for uncertainty in UNCERTAINTIES
)
"""The 16 impurity functions, in the order of the paper's tables."""


def impurity_function(name: str) -> ImpurityFunction:
    """The impurity function of a name such as `w_sum/gini`.

    Raises
    ------
    ValueError
        The name is none of the 16.
    """
    for function in IMPURITY_FUNCTIONS:
        if function.name == name:
            return function
    msg = f"{name!r} is no impurity function: expected one of {', '.join(f.name for f in IMPURITY_FUNCTIONS)}"
    raise ValueError(msg)
