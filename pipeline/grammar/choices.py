"""Find the builder or value of a grid that a row, or a person's partial row, refers to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from shlex import quote
from typing import Any

from pipeline.builders import Builder
from pipeline.errors import ConfigError
from pipeline.words import listed_choices


def index_of(what: str, requested: object, known: Sequence[object]) -> int:
    """The index of a requested value among the known values; 0 if no value is requested.

    Raises ConfigError, which lists the known values, if it is not among them.
    """
    if requested is None:
        return 0
    if requested not in known:
        raise ConfigError(f"{what} {requested}: expected {listed_choices(known)}")
    return known.index(requested)


def parameter_of(row: Mapping[str, Any], name: str) -> Any:
    """A parameter of a row, read from its JSON; None if the row does not have it."""
    return json.loads(row.get("parameters") or "{}").get(name)


def tree_builder(builders: Sequence[Builder], row: Mapping[str, Any]) -> Builder:
    """The builder that a row names. If it names none, the first builder that grows a tree and may be imported here.

    Raises ConfigError if no builder has that name, it makes no tree, or its class is missing or may not be imported.
    """
    name = row.get("builder")
    if name is None:
        name = next(iter(_growing(builders)), None)
    for builder in builders:
        if builder.name == name:
            if builder.grows_tree:
                return builder
            names = ", ".join(_growing(builders)) or "none"
            raise ConfigError(
                f"builder {name} is {builder.class_path}, which makes no tree; builders that make trees: {names}"
            )
    raise ConfigError(f"builder {name}: expected {listed_choices(_growing(builders))}")


def tree_example(source: str, builders: Sequence[Builder]) -> str:
    """Arguments of `pipeline.show` for the tree that the first tree builder grows from a source."""
    names = [builder.name for builder in builders if builder.own and builder.grows_tree]
    return " ".join([f"--source {quote(source)}", *(f"--builder {quote(name)}" for name in names[:1])])


def _growing(builders: Sequence[Builder]) -> list[str]:
    """The names of the builders that grow a tree and can be imported here."""
    result = []
    for builder in builders:
        with suppress(ConfigError):
            if builder.permitted and builder.grows_tree:
                result.append(builder.name)
    return result
