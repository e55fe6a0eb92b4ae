"""Distribute the overrides of one command over the grids that have their keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pipeline.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from hydra.core.override_parser.types import Override


def overrides_of(given: Sequence[str]) -> tuple[Override, ...]:
    """The overrides, parsed by Hydra; ConfigError if one cannot be parsed, or has several values."""
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    parser = OverridesParser.create()
    overrides = []
    for text in given:
        try:
            override = parser.parse_override(text)
        except HydraException as error:
            raise ConfigError(
                f"cannot read {text!r}: expected key=value; the value is set in every grid that has the key"
            ) from error
        if override.is_sweep_override():
            raise ConfigError(
                f"'{text}' has several values: expected one value, because each grid is run once; type the "
                "command once for each value"
            )
        overrides.append(override)
    return tuple(overrides)


def overrides_by_grid(grids: Sequence[str], overrides: Sequence[Override]) -> dict[str, list[str]]:
    """The overrides of each grid: those of keys that it has.

    Raises ConfigError: no grid has a key.
    """
    result: dict[str, list[str]] = {grid: [] for grid in grids}
    for override in overrides:
        key = override.key_or_group
        if key in {"grid", "hydra"} or key.startswith(("hydra.", "hydra/")):
            raise ConfigError(
                f"'{key}' cannot be set here, because the documents determine which grids are run: leave it out"
            )
        having = [grid for grid in grids if _has(_shipped(grid), key)]
        if not having:
            known = ["size", *dict.fromkeys(name for grid in grids for name in _shipped(grid) if name != "grid")]
            first = key.partition(".")[0]
            hint = "" if first in known else did_you_mean(first, known)
            keys = f"{f'{hint} The' if hint else '; the'} keys are {', '.join(known)}"
            raise ConfigError(f"no grid here has the key '{key}'{keys}")
        for grid in having:
            result[grid].append(str(override.input_line))
    return result


def check_overrides(by_grid: Mapping[str, Sequence[str]], config_dir: str | None) -> None:
    """Raise ConfigError if a grid cannot be composed with its overrides, or would refuse a value at once.

    Missing data sets are not noticed here; each run reports its own.
    """
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from pipeline.configuration.check import check
    from pipeline.configuration.composition import composed_of
    from pipeline.configuration.explanation import explained
    from pipeline.data.sources import DataLocation
    from pipeline.driver.run import checked_cluster

    own = Path(config_dir) if config_dir else None
    for grid, overrides in by_grid.items():
        try:
            config = composed_of(grid, overrides, own)
            check(config)
            settings: Any = OmegaConf.to_object(config)
        except (HydraException, OmegaConfBaseException) as error:
            raise ConfigError(explained(error, [f"+grid={grid}", *overrides], own)) from error
        checked_cluster(settings)
        if data := getattr(settings, "data", None):
            DataLocation.of(data).open()


@cache
def _shipped(grid: str) -> Mapping[str, Any]:
    from pipeline.record.requested_keys import composed

    return cast("Mapping[str, Any]", composed(grid))


def _has(configuration: Mapping[str, Any], key: str) -> bool:
    """Whether a configuration has a key; any key below `cluster` will do, since it depends on the chosen cluster."""
    first, _, further = key.partition(".")
    if first == "cluster" or not further:
        return first in configuration
    below = configuration.get(first)
    return isinstance(below, Mapping) and _has(below, further)
