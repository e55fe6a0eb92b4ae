"""The runs that an output folder holds, each with the grid it is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.discovery import Places
from pipeline.errors import ConfigError
from pipeline.grid import Grid
from pipeline.kinds import kept_grid
from pipeline.plain_text import note
from pipeline.plan import GridRun
from pipeline.record.configuration import kept_configuration
from pipeline.record.kept import PLUGINS, KeptRun, chosen, kept_below, nothing_there

__all__ = ["OTHER_GRID", "PLUGINS", "grid_run", "kept_run", "kept_runs"]

OTHER_GRID = "is of a grid that this version does not have, or has otherwise"
"""What is said of a record from which no grid can be made."""


def grid_run(kept: KeptRun, places: Places) -> GridRun:
    """A run with its grid; an exception of any kind where the record is not one of a grid of this version."""
    return GridRun(_grid(kept.record, kept.notes, places), kept.name, kept.id, kept.output)


def kept_runs(output: Path, plugins: Sequence[str] = ()) -> list[GridRun]:
    """All runs below an output folder, the newest last; a note names each record that is left out.

    Of grids only those are imported that are shipped, installed, or in one of the packages in `plugins`. Where trees
    are built again later, only classes of `algorithms` and of these packages are.

    Raises
    ------
    ConfigError
        There is none.
    """
    found, places, stored = [], Places(tuple(plugins)), kept_below(output)
    for kept in stored:
        record = kept.notes / "run.json"
        try:
            found.append(grid_run(kept, places))
        except ConfigError as error:
            note(f"left out: {record} {OTHER_GRID}: {error}")
        except Exception:  # whoever wrote the record, it is no reason to leave the others unread
            note(f"left out: {record} {OTHER_GRID}")
    if not found:
        raise nothing_there(output, len(stored))
    return found


def _grid(record: Mapping[str, Any], notes: Path, places: Places) -> Grid:
    """The grid of a run, as `kept_grid`; ValueError where its numbers are none."""
    grid = kept_grid(record, kept_configuration(notes), places)
    numbers = (grid.items, grid.cells_per_item)
    if not all(type(number) is int and number >= 0 for number in numbers):
        msg = f"items and cells of an item are {numbers}: expected whole numbers"
        raise ValueError(msg)
    return grid


def kept_run(output: Path, run: str | None, plugins: Sequence[str] = ()) -> GridRun:
    """The newest run below an output folder, or the one whose id begins with `run`; as `kept_runs`.

    Grids of the same keys under several names have runs of one id, with the same rows: of these it is the newest.

    Raises
    ------
    ConfigError
        No run matches, or more than one does.
    """
    runs = kept_runs(output, plugins)
    if run is None:
        return runs[-1]
    return chosen(runs, run, output)
