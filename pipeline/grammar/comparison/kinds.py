"""The summaries that a comparison of builders may end in, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.discovery import GridFolder, Places
from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.grammar.summary import Summary

__all__ = ["DECLARATION", "GENERAL", "Declared", "summaries", "summary_of"]

DECLARATION = "comparison.yaml"
"""The file of a grid's folder that declares its summary."""


@dataclass(frozen=True)
class Declared:
    """A summary by its name, and the folder of the grid that declares it; None: it is that of any comparison."""

    name: str
    folder: GridFolder | None = None

    @property
    def file(self) -> Path | None:
        """The YAML that declares it; None where Python does."""
        file = self.folder.path / DECLARATION if self.folder else None
        return file if file and file.is_file() else None

    @property
    def told(self) -> Mapping[str, Any]:
        """What it needs besides the rows of the run, as `Summary.of` takes it."""
        return {}

    @property
    def remarks(self) -> Sequence[str]:
        """What a person must know before the run, a line each."""
        return ()

    def summary(self) -> Summary:
        """The summary itself."""
        return summary_of(self)


GENERAL = Declared("accuracies")
"""The summary of any comparison."""


def summaries(places: Places) -> dict[str, Declared]:
    """All summaries by name: of the folders that have a `comparison.yaml`, or a `comparison.py` and no `grid.py`."""
    found = {GENERAL.name: GENERAL}
    for name, folder in places.folders().items():
        declared = Declared(name, folder)
        if declared.file or (folder.has("comparison") and not folder.has("grid")):
            found[name] = declared
    return found


def summary_of(declared: Declared) -> Summary:
    """The summary itself: the general one, or the one that a grid's folder declares."""
    from pipeline.grammar.comparison.declared import declared_comparison
    from pipeline.grammar.comparison.summary import SUMMARY
    from pipeline.grammar.summary import Summary

    folder = declared.folder
    if folder is None:
        return SUMMARY
    if declared.file:
        return declared_comparison(folder.name, declared.file)
    found = folder.offered("comparison", "SUMMARY")
    if not isinstance(found, Summary):
        msg = f"{folder.path / 'comparison.py'}: SUMMARY is {found!r}: expected a Summary"
        raise ConfigError(msg)
    return found
