"""Which of what a grid has is meant by a row, or by the part of one that a person gives."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.errors import ConfigError
from pipeline.screen import listed_choices

__all__ = ["parameter_of", "place_of"]


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
