"""Tables and figures of a stored run for programs and notebooks: `pipeline.summarise`."""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import ConfigError
from pipeline.grid import GridSummary
from pipeline.record.kept import chosen
from pipeline.record.runs import kept_runs
from pipeline.storage.parts import missing_from_any

__all__ = ["summarised"]


def summarised(output: Path, run: str, folder: Path) -> GridSummary:
    """Write tables and figures of a run into a folder, as `pipeline.summarise`."""
    runs = kept_runs(output)
    of_grid = [one for one in runs if one.name == run]
    found = of_grid[-1] if of_grid else chosen(runs, run, output)
    scans = {table: found.scan(table) for table in found.tables}
    parts = {table: scan.parts for table, scan in scans.items()}
    if missing_from_any(parts.values(), found.items):
        why = "".join(f"; {path.name} {why}" for scan in scans.values() for path, why in scan.rejected.items())
        msg = f"run {found.id} of grid {found.name} is not complete{why}; its command computes the rest"
        raise ConfigError(msg)
    folder.mkdir(parents=True, exist_ok=True)
    return found.grid.summarise(parts, folder)
