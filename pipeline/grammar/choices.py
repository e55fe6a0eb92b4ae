"""Which of what a grid has, a builder or a value, is meant by a row, or by the part of one that a person gives."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from shlex import quote
from typing import Any

from pipeline.builders import Builder
from pipeline.errors import ConfigError
from pipeline.words import listed_choices

__all__ = ["parameter_of", "place_of", "tree_builder", "tree_example"]


def place_of(what: str, asked: object, known: Sequence[object]) -> int:
    """The place of what is asked for among those that there are, the first where nothing is.

    Raises ConfigError where it is none of them, and names them.
    """
    if asked is None:
        return 0
    if asked not in known:
        msg = f"{what} {asked}: expected {listed_choices(known)}"
        raise ConfigError(msg)
    return known.index(asked)


def parameter_of(row: Mapping[str, Any], name: str) -> Any:
    """A parameter of a row, from its JSON; None where the row does not tell."""
    return json.loads(row.get("parameters") or "{}").get(name)


def tree_builder(builders: Sequence[Builder], row: Mapping[str, Any]) -> Builder:
    """The builder that a row names; where it names none, the first that grows a tree and may be imported here.

    Raises ConfigError where no builder has that name, it makes no tree, or its class is gone or may not be imported.
    """
    name = row.get("builder")
    if name is None:
        name = next(iter(_growing(builders)), None)
    for builder in builders:
        if builder.name == name:
            if builder.grows_tree:
                return builder
            known = ", ".join(_growing(builders)) or "no builder"
            msg = f"builder {name} is {builder.class_path}: it makes no tree; trees are there of {known}"
            raise ConfigError(msg)
    msg = f"builder {name}: expected {listed_choices(_growing(builders))}"
    raise ConfigError(msg)


def tree_example(source: str, builders: Sequence[Builder]) -> str:
    """Arguments that have `pipeline.show` show the tree of the first builder that may be asked, from a source."""
    names = [builder.name for builder in builders if builder.own and builder.grows_tree]
    return " ".join([f"--source {quote(source)}", *(f"--builder {quote(name)}" for name in names[:1])])


def _growing(builders: Sequence[Builder]) -> list[str]:
    """The names of the builders that grow a tree, of those that may be imported here and can be."""
    found = []
    for builder in builders:
        with suppress(ConfigError):
            if builder.permitted and builder.grows_tree:
                found.append(builder.name)
    return found
