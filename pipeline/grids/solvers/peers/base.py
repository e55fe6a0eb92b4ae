"""What an exact solver of others is asked, and what is taken from it: its predictions, never its word for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algorithms.data_set import AttributeKind
from algorithms.optimal.instance import Instance
from pipeline.work.plugin_process import clock

__all__ = ["Peer", "PeerFit", "errors_first", "timed"]

MOST_CALLS = 5
ENOUGH = 0.05
"""Seconds after which a call is not repeated; less is as long as what else a machine does."""

Values = NDArray[np.float64]
Classes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class PeerFit:
    """What a peer made of an instance.

    predicted : (rows,) the class of each training row, as its place in the classes of the data set
    splits    : nonterminal nodes of its tree, whose tests have two branches
    proven    : whether it says that no tree is better
    seconds   : of the call that fits, on the clock, by `timed`
    """

    predicted: Classes
    splits: int
    proven: bool
    seconds: float


class Peer(ABC):
    """A solver of others. Subclasses say what it can be asked, and ask it.

    package      : what pip calls it
    numeric      : whether it splits numeric attributes at any threshold; if not, all attributes must have two values
    leaf_sizes   : whether it takes a least number of rows in a leaf
    size_penalty : whether it takes a cost of size
    """

    package: ClassVar[str]
    numeric: ClassVar[bool] = False
    leaf_sizes: ClassVar[bool] = True
    size_penalty: ClassVar[bool] = False

    @classmethod
    def version(cls) -> str | None:
        """The version that is installed; None where none is."""
        try:
            return version(cls.package)
        except PackageNotFoundError:
            return None

    def lacks(self, instance: Instance) -> str | None:
        """Why it cannot be asked to solve an instance; None where it can."""
        numeric = any(attribute.kind is AttributeKind.NUMERIC for attribute in instance.data.attributes)
        multiway = any(len(attribute.labels) > 2 for attribute in instance.data.attributes)
        weighted = bool((instance.weights != 1).any())
        lacking = (
            (self.version() is None, f"not installed: pip install {self.package}"),
            (instance.max_depth is None, "needs a limit of the depth"),
            (multiway, "cannot split an attribute of more than two labels"),
            (numeric and not self.numeric, "cannot split numeric attributes"),
            (instance.min_rows_leaf > 1 and not self.leaf_sizes, "cannot ask for a least number of rows in a leaf"),
            (instance.alpha > 0 and not self.size_penalty, "has no cost of size"),
            (instance.max_splits is not None, "is not asked for a number of splits"),
            (weighted, "is not asked to weigh rows"),
        )
        return next((reason for lack, reason in lacking if lack), None)

    def fit(self, instance: Instance, seconds: float) -> PeerFit:
        """The tree that it finds within so many seconds, as it keeps them; whatever it raises.

        It is asked only for what it does not lack.
        """
        assert instance.max_depth is not None
        values = instance.data.values()
        if not self.numeric:
            values = values.astype(np.intc)
        return self._fit(values, instance.data.decisions, instance, seconds)

    @abstractmethod
    def _fit(self, values: NDArray[Any], classes: Classes, instance: Instance, seconds: float) -> PeerFit:
        """Its fit of values (rows, attributes), whole numbers 0 and 1 where it takes no others, and classes (rows,)."""


def timed(fit: Callable[[], Any]) -> tuple[Any, float]:
    """(what a call returns, its seconds on the clock): of a short call the least of several, each from nothing."""
    took: list[float] = []
    while not took or (len(took) < MOST_CALLS and sum(took) < ENOUGH):
        began = clock()
        found = fit()
        took.append(clock() - began)
    return found, min(took)


def errors_first(instance: Instance) -> float:
    """A cost of a leaf, as a share of the rows, so small that all leaves of a tree together cost less than an error."""
    depth = instance.max_depth or 0
    return 1 / (instance.data.rows * (2.0**depth + 1))
