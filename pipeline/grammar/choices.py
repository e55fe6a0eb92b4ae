"""Which of what a grid has is meant by a row, or by the part of one that a person gives."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.errors import ConfigError

__all__ = ["listed_choices", "parameter_of", "place_of"]

MOST_LISTED = 40


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


def listed_choices(known: Sequence[object]) -> str:
    """What there is to choose from, in words."""
    if isinstance(known, range) and len(known) > 1:
        return f"{known[0]} to {known[-1]}"
    if len(known) <= 1:
        return ", ".join(map(str, known)) or "nothing, for there is none"
    more = f" and {len(known) - MOST_LISTED} more" if len(known) > MOST_LISTED else ""
    return f"one of {', '.join(map(str, known[:MOST_LISTED]))}{more}"


def parameter_of(row: Mapping[str, Any], name: str) -> Any:
    """A parameter of a row, from its JSON; None where the row does not tell."""
    return json.loads(row.get("parameters") or "{}").get(name)
