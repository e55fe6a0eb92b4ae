"""Impurity functions. Each combines a type and an uncertainty measure (Alkhalid et al. 2013, section 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from algorithms.measures.uncertainty import UNCERTAINTIES

__all__ = ["IMPURITY_FUNCTIONS", "IMPURITY_TYPES", "ImpurityFunction", "impurity_function"]

IMPURITY_TYPES = ("max", "sum", "w_max", "w_sum")
"""Types of impurity function, in the order of the paper's tables."""


@dataclass(frozen=True)
class ImpurityFunction:
    """An impurity function I(T, f) of a table T and an attribute f.

    It is the sum or the maximum of the uncertainties of the subtables into which f divides T (Alkhalid et al. 2013,
    section 2). With "w_", each uncertainty is first multiplied by the size of the subtable divided by the size of T.

    Parameters
    ----------
    impurity_type : {"sum", "max", "w_sum", "w_max"}
    uncertainty : {"ent", "gini", "me", "rt"}
        Entropy, Gini index, rows outside the most common decision, and pairs of rows with different decisions.

    Examples
    --------
    >>> from orchard import impurity_function
    >>> impurity_function("w_sum/gini")([[2, 0], [1, 1]])
    0.25
    """

    impurity_type: str
    uncertainty: str

    @property
    def name(self) -> str:
        """`type/uncertainty`, the name in configurations and results."""
        return f"{self.impurity_type}/{self.uncertainty}"

    @property
    def number(self) -> int:
        """The index in `IMPURITY_FUNCTIONS`."""
        return IMPURITY_FUNCTIONS.index(self)

    def __call__(self, parts: ArrayLike) -> float:
        """The impurity of a partition; `parts[i, j]` counts the rows of decision j in part i. No part may be empty."""
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
    """Return the impurity function with a name.

    Parameters
    ----------
    name : str
        Type and uncertainty, such as "w_sum/gini".

    Returns
    -------
    ImpurityFunction

    Raises
    ------
    ValueError
        No impurity function has this name.

    Examples
    --------
    >>> from orchard import impurity_function
    >>> impurity_function("max/me").uncertainty
    'me'
    """
    for function in IMPURITY_FUNCTIONS:
        if function.name == name:
            return function
    raise ValueError(
        f"{name!r} is not an impurity function: expected one of {', '.join(f.name for f in IMPURITY_FUNCTIONS)}"
    )
