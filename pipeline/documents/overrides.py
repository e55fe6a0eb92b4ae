"""Which grid gets which of the overrides that a person gives for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

from pipeline.errors import ConfigError

__all__ = ["overrides_by_grid"]


def overrides_by_grid(grids: Sequence[str], overrides: Sequence[str]) -> dict[str, list[str]]:
    """The overrides of each grid: those of keys that it has.

    Raises
    ------
    ConfigError
        A key is of none of them, or it is no override.
    """
    found: dict[str, list[str]] = {grid: [] for grid in grids}
    for override in overrides:
        key = override.lstrip("+~").partition("=")[0].partition("@")[0]
        if "=" not in override:
            msg = f"cannot read {override!r}: expected key=value, for every grid that has the key"
            raise ConfigError(msg)
        if key in {"grid", "hydra"} or key.startswith("hydra."):
            msg = f"'{key}' is not to be set here, for the documents say which grids are run: leave it out"
            raise ConfigError(msg)
        having = [grid for grid in grids if _has(_shipped(grid), key)]
        if not having:
            known = dict.fromkeys(name for grid in grids for name in _shipped(grid))
            msg = f"'{key}' is a key of none of these grids; keys are size, {', '.join(known)}"
            raise ConfigError(msg)
        for grid in having:
            found[grid].append(override)
    return found


@cache
def _shipped(grid: str) -> Mapping[str, Any]:
    from pipeline.report.asked import composed

    return cast("Mapping[str, Any]", composed(grid))


def _has(configuration: Mapping[str, Any], key: str) -> bool:
    """Whether a configuration has a key; those of a cluster are what the cluster has."""
    first, _, further = key.partition(".")
    if first == "cluster" or not further:
        return first in configuration
    below = configuration.get(first)
    return isinstance(below, Mapping) and _has(below, further)
