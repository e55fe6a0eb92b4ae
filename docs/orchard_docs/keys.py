"""The keys of a configuration as a reader of the documentation sees them: type, default, meaning."""

from __future__ import annotations

import json
import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from omegaconf import DictConfig, OmegaConf

from orchard_docs.comments import choices_of, meanings_in, meanings_of
from pipeline.configuration.composition import composed
from pipeline.discovery import conf_folder

__all__ = ["Key", "base_of", "common_keys", "grid_keys", "keys_of_choice"]

LONGEST_DEFAULT = 60
CHOICES = {"cluster": "where workers come from", "protocol": "which rows train, tune and test"}
WORDS = {int: "integer", float: "number", str: "text", bool: "`true`, `false`", type(None): "`null`"}


@dataclass(frozen=True)
class Key:
    """A key of a configuration, or a section of keys, which has neither type nor default.

    name    : dotted, as on the command line
    kind    : the type of its values, in words
    default : as YAML in one line; a long list is cut, with its length
    meaning : what the comments in `conf/` say of it
    """

    name: str
    kind: str
    default: str
    meaning: str


def grid_keys(grid: str) -> list[Key]:
    """The keys of a grid that are its own or have a default of its own: not those of every run, nor its base's."""
    known = {key.name: key for key in _keys_of_grid(base_of(grid))}
    return [key for key in _keys_of_grid(grid) if known.get(key.name) != key]


def common_keys() -> list[Key]:
    """The keys of every run."""
    return _keys_of_grid(None)


@cache
def keys_of_choice(group: str, choice: str) -> list[Key]:
    """The keys of one choice of a group such as `cluster` or `protocol`, below the group's name."""
    grid = ["+grid=compare_builders"] if group == "protocol" else []
    config = composed([*grid, f"{group}={choice}"])
    meanings = {f"{group}.{key}": meaning for key, meaning in meanings_of(group, choice).items()}
    return list(_keys(config[group], f"{group}.", meanings))


def base_of(grid: str) -> str | None:
    """The grid that a grid changes, if it is not one of its own."""
    defaults = OmegaConf.load(conf_folder() / "grid" / f"{grid}.yaml").defaults
    return next((str(entry) for entry in defaults if isinstance(entry, str) and entry[0] not in "_/"), None)


@cache
def _keys_of_grid(grid: str | None) -> list[Key]:
    """All keys of a grid, or of none, but what results are filed under; of a choice as a whole what differs from it."""
    meanings = meanings_in(conf_folder() / "config.yaml") | (meanings_of("grid", grid) if grid else {})
    keys = list(_keys(composed([f"+grid={grid}"] if grid else []), "", meanings))
    choices = {"cluster": ("cluster", "local")} | (choices_of("grid", grid) if grid else {})
    for section, (group, choice) in choices.items():
        as_chosen = {f"{section}{key.name.removeprefix(group)}": key.default for key in keys_of_choice(group, choice)}
        first = next(index for index, key in enumerate(keys) if key.name.startswith(f"{section}."))
        kept = [key for key in keys if as_chosen.get(key.name) != key.default]
        keys = [*kept[:first], Key(section, f"[choice](#choices-of-{group})", choice, CHOICES[group]), *kept[first:]]
    return [key for key in keys if key.name != "grid"]


def _keys(node: DictConfig, prefix: str, meanings: dict[str, str]) -> Iterator[Key]:
    shape = OmegaConf.get_type(node)
    for name, kind in get_type_hints(shape).items():
        path = f"{prefix}{name}"
        if OmegaConf.is_missing(node, name):
            yield Key(path, _words(kind), "", meanings.get(path, ""))
            continue
        value = node[name]
        if isinstance(value, DictConfig) and OmegaConf.get_type(value) is not dict:
            if path in meanings:
                yield Key(path, "", "", meanings[path])
            yield from _keys(value, f"{path}.", meanings)
        else:
            yield Key(path, _words(kind), _default(value), meanings.get(path, ""))


def _words(kind: Any) -> str:
    if get_origin(kind) in {types.UnionType, Union}:
        return " or ".join(_words(entry) for entry in get_args(kind))
    if get_origin(kind) is list:
        each = _words(get_args(kind)[0])
        return f"list of {each.replace('list of', 'lists of') if each.startswith('list') else f'{each}s'}"
    if kind is Any:
        return ""
    return WORDS[kind]


def _default(value: Any) -> str:
    plain = OmegaConf.to_container(value) if OmegaConf.is_config(value) else value
    if isinstance(plain, list):
        return _cut([_flow(entry) for entry in plain])
    return _flow(plain)


def _cut(entries: list[str]) -> str:
    whole = f"[{', '.join(entries)}]"
    if len(whole) <= LONGEST_DEFAULT:
        return whole
    shown = entries[:1]
    while len(", ".join([*shown, entries[len(shown)]])) < LONGEST_DEFAULT:
        shown.append(entries[len(shown)])
    return f"[{', '.join(shown)}, …], {len(entries)} in all"


def _flow(value: Any) -> str:
    """A value as YAML writes it in a line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, float):
        return f"{value:.6g}"
    return value if isinstance(value, str) else json.dumps(value)
