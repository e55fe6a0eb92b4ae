"""The requested keys of a run's configuration, beside the defaults of its grid."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pipeline.configuration.keys import CHANGES_NO_NUMBER, Key
from pipeline.discovery import Places
from pipeline.masking import masked_values
from pipeline.plan import GridRun
from pipeline.record.configuration import kept_configuration

__all__ = ["asked", "composed", "default_keys", "leaves"]

Leaves = dict[str, str]


def asked(run: GridRun, places: Places) -> tuple[Key, ...]:
    """The keys of a run, those that differ from its grid's first; empty if its notes are lost.

    Among these, keys that can change a number come first. The defaults come from the installed grid of that name, else
    from the grid with the name of the run's kind, else from the grid of that name in other places. If there is none, no
    key has a default.
    """
    found = masked_values(kept_configuration(run.notes))  # the run may be older than the masking of secrets
    if not found:
        return ()
    defaults = default_keys(run, places)
    keys = [Key(name, value, defaults.get(name)) for name, value in leaves(found).items()]
    return tuple(sorted(keys, key=lambda key: (not key.differs, key.name.partition(".")[0] in CHANGES_NO_NUMBER)))


def default_keys(run: GridRun, places: Places) -> Leaves:
    """The keys with their defaults, as in `asked`; cached in a process."""
    installed = Places().grids()
    named = next((name for name in (run.name, str(run.grid.identity()["grid"])) if name in installed), None)
    if named is not None:
        return _keys_of(named, Places())
    return _keys_of(run.name, places) if run.name in places.grids() else {}


@cache
def _keys_of(grid: str, places: Places) -> Leaves:
    plugins = [f"plugins=[{','.join(places.plugins)}]"] if places.plugins else []
    return leaves(composed(grid, *plugins, config_dir=places.config_dir)) | ({"plugins": "[]"} if plugins else {})


def composed(grid: str, *overrides: str, config_dir: Path | None = None) -> Any:
    """The configuration of a grid, by default of a shipped one."""
    from omegaconf import OmegaConf

    from pipeline.configuration.composition import composed_of

    return yaml.safe_load(OmegaConf.to_yaml(composed_of(grid, overrides, config_dir), resolve=True))


def leaves(node: Any, above: str = "") -> Leaves:
    """The values of a configuration by dotted key; a list is one value."""
    if isinstance(node, dict) and (node or not above):
        return {key: value for name, below in node.items() for key, value in leaves(below, f"{above}.{name}").items()}
    return {
        above.removeprefix("."): node if isinstance(node, str) else json.dumps(node, ensure_ascii=False, default=str)
    }
