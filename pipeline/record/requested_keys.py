"""The requested keys of a run's configuration, beside the defaults of its grid."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pipeline.configuration.keys import CHANGES_NO_NUMBER, RequestedKey, of_execution
from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError
from pipeline.masking import masked_values
from pipeline.plan import GridRun
from pipeline.record.kept import KeptRun
from pipeline.storage.locations import contents
from pipeline.yaml_files import plain_yaml, read_plain_yaml

Leaves = dict[str, str]
Values = dict[str, tuple[str | None, ...]]
BUILDERS, BUILDER = "builders", "builder "
"""The key of the configuration, and how the name of a builder's definition begins."""
DIGITS = 12
"""Digits of a fingerprint that are shown."""


def requested_keys(run: GridRun, search_path: SearchPath) -> tuple[RequestedKey, ...]:
    """The keys of a run, those that differ from its grid's first; empty if its record is lost.

    In each group, keys that can change a number come first. The defaults are those of the first of these grids:

    - the installed grid with the run's name,
    - if the kind of the run's grid is installed, the installed grid that the run's YAML includes,
    - if the kind is installed, the grid with the name of the kind,
    - the grid with the run's name elsewhere on the path.

    If none of them exists, no key has a default. The default of the key `grid` is the run's own name.
    """
    configuration = masked_values(kept_configuration(run.record_folder))  # a run may be older than masking
    if not configuration:
        return ()
    defaults = default_keys(run, search_path)
    keys = [RequestedKey(name, value, defaults.get(name)) for name, value in leaves(configuration).items()]
    return tuple(sorted(keys, key=lambda key: (not key.differs, key.name.partition(".")[0] in CHANGES_NO_NUMBER)))


def default_keys(run: GridRun, search_path: SearchPath) -> Leaves:
    """The keys with their defaults, as in `requested_keys`; cached in a process."""
    installed = SearchPath().grids()
    kind = str(run.grid.identity()["grid"])
    candidates = (run.name, _built_on(run.name, search_path), kind) if kind in installed else (run.name,)
    grid = next((name for name in candidates if name in installed), None)
    if grid is not None:
        return _keys_of(grid, SearchPath()) | {"grid": run.name}
    return _keys_of(run.name, search_path) if run.name in search_path.grids() else {}


def _built_on(grid: str, search_path: SearchPath) -> str:
    """The installed grid that a YAML elsewhere on the path includes, perhaps through others; else an empty text."""
    files = {file.stem: file for folder in search_path.conf_folders[1:] for file in folder.glob("grid/*.yaml")}
    while grid in files:
        try:
            content = read_plain_yaml(files.pop(grid))  # each once: a YAML may include itself
        except ConfigError:
            return ""
        included = content.get("defaults") if isinstance(content, dict) else None
        names = [name for name in included if isinstance(name, str)] if isinstance(included, list) else []
        grid = next((name for name in names if name != "_self_"), "")
    return grid


@cache
def _keys_of(grid: str, search_path: SearchPath) -> Leaves:
    plugins = [f"plugins=[{','.join(search_path.plugins)}]"] if search_path.plugins else []
    return leaves(composed(grid, *plugins, config_dir=search_path.config_dir)) | ({"plugins": "[]"} if plugins else {})


def composed(grid: str, *overrides: str, config_dir: Path | None = None) -> Any:
    """The configuration of a grid, by default of a shipped one."""
    from omegaconf import OmegaConf

    from pipeline.configuration.composition import composed_of

    return yaml.safe_load(OmegaConf.to_yaml(composed_of(grid, overrides, config_dir), resolve=True))


def leaves(node: Any, above: str = "") -> Leaves:
    """The values of a configuration by dotted key, as they are typed; a list is one value."""
    if isinstance(node, dict) and (node or not above):
        return {key: value for name, below in node.items() for key, value in leaves(below, f"{above}.{name}").items()}
    if isinstance(node, list):
        typed = yaml.safe_dump(node, default_flow_style=True, allow_unicode=True, sort_keys=False, width=math.inf)
        return {above.removeprefix("."): typed.rstrip("\n")}
    return {
        above.removeprefix("."): node if isinstance(node, str) else json.dumps(node, ensure_ascii=False, default=str)
    }


def kept_configuration(record_folder: Path) -> dict[str, Any]:
    """The configuration of a run; empty if it is lost or damaged."""
    try:
        configuration = plain_yaml(contents(record_folder / "config.yaml").decode("utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return {}
    return configuration if isinstance(configuration, dict) else {}


def differing_keys(runs: Sequence[KeptRun]) -> Values:
    """The keys whose values differ, each with the value of each run; None where a run has no such key.

    Keys that say where and how to run are left out. Versions of results are included, and what a name in the
    configuration stands for: the rows of a data set, and the class, parameters and preparation of a builder. If no key
    differs, everything else that differs in the records is included, too.
    """
    configured = _differing([leaves(masked_values(kept_configuration(run.record_folder))) for run in runs])
    keys = {name: values for name, values in configured.items() if not of_execution(name)}
    identities = [masked_values(run.record.identity) for run in runs]
    meanings = [_meanings(identity) for identity in identities]
    meant = {name: values for name, values in _differing(meanings).items() if len({*values} - {None}) > 1}
    keys |= {name: values for name, values in meant.items() if not (BUILDERS in keys and name.startswith(BUILDER))}
    recorded = _differing([leaves(identity) for identity in identities])
    return keys | {name: values for name, values in recorded.items() if name.endswith("version") or not keys}


def _meanings(node: Any) -> Leaves:
    """The contents of the data sets and the definitions of the builders in an identity, by name."""
    if isinstance(node, list):
        return {name: meaning for below in node for name, meaning in _meanings(below).items()}
    if not isinstance(node, dict):
        return {}
    name = node.get("name")
    if name and isinstance(prints := node.get("fingerprints"), list):
        return {f"rows of {name}": ", ".join(str(digest)[:DIGITS] for digest in prints)}
    if name and "class" in node:
        definition = {key: value for key, value in node.items() if key != "name"}
        return {f"{BUILDER}{name}": json.dumps(definition, ensure_ascii=False)}
    return _meanings(list(node.values()))


def _differing(by_run: Sequence[Mapping[str, str]]) -> Values:
    names = dict.fromkeys(name for keys in by_run for name in keys)
    values = {name: tuple(keys.get(name) for keys in by_run) for name in names}
    return {name: of_runs for name, of_runs in values.items() if len(set(of_runs)) > 1}
