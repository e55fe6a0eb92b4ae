"""A key of a configuration beside the default of its grid."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CHANGES_NO_NUMBER", "OF_PLACE", "Key"]

OF_PLACE = {"output", "cluster", "chunk", "versions", "redo", "dry_run"}
"""Keys, beside `data.folder`, that say where and how a run is made."""
CHANGES_NO_NUMBER = {*OF_PLACE, "limits"}


@dataclass(frozen=True)
class Key:
    """A key of a configuration with its value as one types it; `default` is None where the grid has no such key."""

    name: str
    value: str
    default: str | None

    @property
    def differs(self) -> bool:
        """Whether the value is another than the grid's own."""
        return self.value != self.default

    @property
    def of_place(self) -> bool:
        """Whether it says where and how a run is made, so that no result depends on it."""
        return self.name == "data.folder" or self.name.partition(".")[0] in OF_PLACE
