"""Stores the version of Orchard in pickles of estimators, and warns if another version unpickles one."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from sklearn.exceptions import InconsistentVersionWarning

from algorithms.estimators.former_names import FORMER_PARAMETERS

__all__ = ["OrchardVersionWarning", "VersionStamped"]

STAMP = "_orchard_version"


class OrchardVersionWarning(InconsistentVersionWarning):  # type: ignore[misc]
    """A pickled estimator is from another version of Orchard.

    It is a subclass of scikit-learn's `InconsistentVersionWarning`, so a filter for that class applies, too.

    Parameters
    ----------
    estimator_name : str
        The class of the estimator.
    current_version, original_version : str
        The version of orchard-trees that unpickles, and the version that pickled.
    """

    def __init__(self, *, estimator_name: str, current_version: str, original_version: str) -> None:
        self.estimator_name = estimator_name
        self.current_version = current_version
        self.original_version = original_version

    def __str__(self) -> str:
        """What happened, and what to do."""
        return (
            f"{self.estimator_name} was pickled by orchard-trees {self.original_version} and is unpickled by "
            f"{self.current_version}: it may fail or predict differently. Fit it again, or unpickle it with "
            f"version {self.original_version}"
        )


class VersionStamped:
    """An estimator whose pickle says which version of orchard-trees wrote it."""

    def __getstate__(self) -> dict[str, Any]:
        """The state to pickle, with the version."""
        state: dict[str, Any] = super().__getstate__()  # type: ignore[assignment]
        return {**state, STAMP: _version()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state of a pickle, whose parameters may have former names; warn if another version wrote it."""
        state = {FORMER_PARAMETERS.get(name, name): value for name, value in state.items()}
        original = state.pop(STAMP, "before 0.1.0")
        if original != _version():
            name = type(self).__name__
            warnings.warn(
                OrchardVersionWarning(estimator_name=name, current_version=_version(), original_version=original),
                stacklevel=2,
            )
        super().__setstate__(state)  # type: ignore[misc]


@cache
def _version() -> str:
    try:
        return version("orchard-trees")
    except PackageNotFoundError:  # the sources alone
        return "unknown"
