"""The requested keys of a run's configuration, beside the defaults of its grid."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pipeline.configuration.keys import CHANGES_NO_NUMBER, Key
from pipeline.discovery import Places
from pipeline.errors import ConfigError
from pipeline.masking import masked_values
from pipeline.plan import GridRun
from pipeline.record.provenance import read_record
from pipeline.storage.places import contents
from pipeline.storage.run_folders import RunFolders
from pipeline.yaml_files import plain_yaml, read_plain_yaml

__all__ = ["asked", "composed", "default_keys", "differing_keys", "kept_configuration", "leaves"]

Leaves = dict[str, str]
Values = dict[str, tuple[str | None, ...]]


def asked(run: GridRun, places: Places) -> tuple[Key, ...]:
    """The keys of a run, those that differ from its grid's first; empty if its notes are lost.

    Among these, keys that can change a number come first. The defaults come from the installed grid of that name. Else,
    if the run's kind is installed, they come from the installed grid that its YAML includes, or from the grid with the
    name of the kind. Else they come from the grid of that name in other places. If there is none, no key has a default.
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
    kind = str(run.grid.identity()["grid"])
    candidates = (run.name, _built_on(run.name, places), kind) if kind in installed else (run.name,)
    named = next((name for name in candidates if name in installed), None)
    if named is not None:
        return _keys_of(named, Places())
    return _keys_of(run.name, places) if run.name in places.grids() else {}


def _built_on(grid: str, places: Places) -> str:
    """The installed grid that a YAML of other places includes, perhaps through others there; empty if there is none."""
    own = {file.stem: file for folder in places.conf_folders[1:] for file in folder.glob("grid/*.yaml")}
    while grid in own:
        try:
            content = read_plain_yaml(own.pop(grid))  # each once: a YAML may include itself
        except ConfigError:
            return ""
        included = content.get("defaults") if isinstance(content, dict) else None
        names = [name for name in included if isinstance(name, str)] if isinstance(included, list) else []
        grid = next((name for name in names if name != "_self_"), "")
    return grid


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


def kept_configuration(notes: Path) -> dict[str, Any]:
    """The configuration of a run; empty if it is lost or damaged."""
    try:
        found = plain_yaml(contents(notes / "config.yaml").decode("utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return {}
    return found if isinstance(found, dict) else {}


def differing_keys(runs: Sequence[RunFolders]) -> Values:
    """The keys whose values differ, each with the value of each run; None where a run has no such key.

    Keys that say where and how a run is made are left out. Versions of results are among them, and whatever else
    differs in the records where no key does.
    """
    asked = _differing([leaves(masked_values(kept_configuration(run.notes))) for run in runs])
    found = {name: values for name, values in asked.items() if not Key(name, "", None).of_place}
    recorded = _differing([leaves(masked_values((read_record(run.notes) or {}).get("identity", {}))) for run in runs])
    return found | {name: values for name, values in recorded.items() if name.endswith("version") or not found}


def _differing(by_run: Sequence[Mapping[str, str]]) -> Values:
    names = dict.fromkeys(name for own in by_run for name in own)
    values = {name: tuple(own.get(name) for own in by_run) for name in names}
    return {name: own for name, own in values.items() if len(set(own)) > 1}
