"""The available summaries of a comparison of builders, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.discovery import GridFolder, SearchPath
from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.grammar.summary import Summary

DECLARATION = "comparison.yaml"
"""The file in a grid's folder that declares its summary."""


@dataclass(frozen=True)
class NamedSummary:
    """A summary by name, and the folder of the grid that declares it; None for the general summary."""

    name: str
    folder: GridFolder | None = None

    @property
    def file(self) -> Path | None:
        """The YAML that declares it; None if Python does."""
        file = self.folder.path / DECLARATION if self.folder else None
        return file if file and file.is_file() else None

    @property
    def context(self) -> Mapping[str, Any]:
        """The values that it needs besides the rows of the run, as `Summary.of` takes them."""
        return {}

    @property
    def remarks(self) -> Sequence[str]:
        """Remarks for a person to read before the run, one for each line."""
        return ()

    def summary(self) -> Summary:
        """Make the summary: the general one, or the one that a grid's folder declares."""
        from pipeline.grammar.comparison.declared import declared_comparison
        from pipeline.grammar.comparison.summary import SUMMARY
        from pipeline.grammar.summary import Summary

        if self.folder is None:
            return SUMMARY
        if self.file:
            return declared_comparison(self.folder.name, self.file)
        result = self.folder.imported("comparison", "SUMMARY")
        if not isinstance(result, Summary):
            raise ConfigError(f"{self.folder.path / 'comparison.py'}: SUMMARY is {result!r}: expected a Summary")
        return result


GENERAL = NamedSummary("accuracies")
"""The general summary, for any comparison."""


def summaries(search_path: SearchPath) -> dict[str, NamedSummary]:
    """All summaries by name: those of folders without a `grid.py`, but with a `comparison.yaml` or `comparison.py`."""
    result = {GENERAL.name: GENERAL}
    for name, folder in search_path.folders().items():
        summary = NamedSummary(name, folder)
        if not folder.has("grid") and (summary.file or folder.has("comparison")):
            result[name] = summary
    return result
