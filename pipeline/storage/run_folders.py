"""Where the files of a run are, below the output folder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

from pipeline.storage.parts import Scan, scan

__all__ = ["RESULTS_TABLE", "RunFolders", "StoredRun"]

RESULTS_TABLE = "results"
"""The table that every grid has: a row per cell."""


class RunFolders:
    """A run by its name and id: a base of dataclasses that have these three fields.

    name   : what its folders call the grid
    id     : what tells it from other runs of the grid
    output : the folder or address of all results and summaries
    """

    name: str
    id: str
    output: Path

    def folder(self, table: str) -> Path:
        """Folder of the parts of one of its tables."""
        return self.output / table / f"grid={self.name}" / f"run={self.id}"

    @property
    def results(self) -> Path:
        """Folder of the parts of its results."""
        return self.folder(RESULTS_TABLE)

    @property
    def summaries(self) -> Path:
        """Folder of its summary tables and figures."""
        return self.output / "summaries" / f"grid={self.name}" / f"run={self.id}"

    @property
    def notes(self) -> Path:
        """Configuration, versions and sessions of the run; a name that readers of Parquet folders pass over."""
        return self.results / "_run"


class StoredRun(RunFolders, ABC):
    """A run of which it is known what its part files are to hold."""

    @property
    @abstractmethod
    def items(self) -> int:
        """How many items it has."""

    @property
    @abstractmethod
    def noun(self) -> str:
        """What an item is called, in the plural."""

    @property
    @abstractmethod
    def tables(self) -> tuple[str, ...]:
        """The tables that it writes."""

    @property
    @abstractmethod
    def cells_per_item(self) -> int | None:
        """How many result rows an item gives; None where that is not known."""

    def scan(self, table: str = RESULTS_TABLE, copies: Path | None = None) -> Scan:
        """The parts of one of its tables, verified; or copies of them below a folder laid out as the output is."""
        rows_per_item = self.cells_per_item if table == RESULTS_TABLE else None
        kept = copies and copies / table / f"grid={self.name}" / f"run={self.id}"
        return scan(self.folder(table), self.id, rows_per_item, kept)
