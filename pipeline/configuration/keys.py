"""Keys of a configuration, each beside the default of its grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hydra.core.override_parser.types import Override

OF_EXECUTION = {"output", "cluster", "chunk", "versions", "redo", "dry_run"}
"""Keys that, with `data.folder`, only set where and how a run is computed."""
CHANGES_NO_NUMBER = {*OF_EXECUTION, "limits"}


def of_execution(name: str) -> bool:
    """Whether a key only sets where and how a run is computed, so that no result depends on it."""
    return name == "data.folder" or name.partition(".")[0] in OF_EXECUTION


def plugins_in(overrides: Sequence[Override]) -> tuple[str, ...]:
    """The packages of the last override of `plugins`."""
    given = [override.value() for override in overrides if override.key_or_group == "plugins"]
    named = given[-1] if given and isinstance(given[-1], list) else ()
    return tuple(str(package) for package in named)


@dataclass(frozen=True)
class RequestedKey:
    """A key of a run with its value as typed; `default` is None if the grid has no such key."""

    name: str
    value: str
    default: str | None

    @property
    def differs(self) -> bool:
        """Whether the value differs from the grid's own."""
        return self.value != self.default
