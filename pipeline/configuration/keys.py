"""Keys of a configuration, each beside the default of its grid."""

from __future__ import annotations

from dataclasses import dataclass

OF_EXECUTION = {"output", "cluster", "chunk", "versions", "redo", "dry_run"}
"""Keys that, with `data.folder`, only set where and how a run is computed."""
CHANGES_NO_NUMBER = {*OF_EXECUTION, "limits"}


@dataclass(frozen=True)
class Key:
    """A key with its value as typed; `default` is None if the grid has no such key."""

    name: str
    value: str
    default: str | None

    @property
    def differs(self) -> bool:
        """Whether the value differs from the grid's own."""
        return self.value != self.default

    @property
    def of_execution(self) -> bool:
        """Whether it only sets where and how a run is computed, so that no result depends on it."""
        return self.name == "data.folder" or self.name.partition(".")[0] in OF_EXECUTION
