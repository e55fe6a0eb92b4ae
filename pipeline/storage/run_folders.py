"""The locations of a run's files below the output folder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

from pipeline.storage.parts import Scan, scan

RESULTS_TABLE = "results"
"""The table that every grid has: a row per cell."""


class RunFolders(ABC):
    """A run by its name and id: a base of dataclasses that have these three fields.

    name   : the grid's name in folders
    id     : identifies the run among those of the grid
    output : the folder or address of all results and summaries
    """

    name: str
    id: str
    output: Path

    def folder(self, table: str) -> Path:
        """Folder of the part files of one of its tables."""
        return self.output / table / f"grid={self.name}" / f"run={self.id}"

    @property
    def results(self) -> Path:
        """Folder of the part files of its results."""
        return self.folder(RESULTS_TABLE)

    @property
    def summaries(self) -> Path:
        """Folder of its summary tables and figures."""
        return self.folder("summaries")

    @property
    def record_folder(self) -> Path:
        """Configuration, versions and sessions of the run; readers of Parquet folders ignore a folder of this name."""
        return self.results / "_run"

    @property
    @abstractmethod
    def cells_per_item(self) -> int:
        """Number of result rows of an item."""

    def scan(self, table: str = RESULTS_TABLE, copies: Path | None = None) -> Scan:
        """The verified part files of one of its tables; or copies of them, below a folder with the output's layout."""
        rows_per_item = self.cells_per_item if table == RESULTS_TABLE else None
        folder = copies and copies / table / f"grid={self.name}" / f"run={self.id}"
        return scan(self.folder(table), self.id, rows_per_item, folder)
