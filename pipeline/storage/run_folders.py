"""Where the files of a run are, below the output folder."""

from __future__ import annotations

from pathlib import Path

__all__ = ["RESULTS_TABLE", "RunFolders"]

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
