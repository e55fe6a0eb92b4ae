"""The runs of an output folder, each with its grid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError
from pipeline.kinds import kept_grid
from pipeline.plan import GridRun
from pipeline.record.kept import KeptRun, kept_below, note_left_out, nothing_there
from pipeline.record.requested_keys import kept_configuration

OTHER_GRID = "is of a grid that this version lacks or defines differently"
"""The note about a record that defines no grid."""


def grid_run(kept: KeptRun, search_path: SearchPath) -> GridRun:
    """A run with its grid; raises an exception of any type if the record does not fit a grid of this version."""
    grid = kept_grid(kept.record.identity, kept.tables, kept_configuration(kept.record_folder), search_path)
    numbers = (grid.items, grid.cells_per_item)
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise ValueError(
            f"the numbers of items and of cells of an item are {numbers}: expected whole numbers, 0 or more"
        )
    return GridRun(grid, kept.name, kept.id, kept.output)


def kept_runs(output: Path, plugins: Sequence[str] = ()) -> list[GridRun]:
    """All runs below an output folder, the newest last; a note names each record that is left out.

    Only grids are imported that are shipped, installed, or in a package of `plugins`. Trees that are rebuilt later use
    only classes of `algorithms` and of these packages.

    Raises ConfigError: there is no run.
    """
    result, search_path, stored = [], SearchPath(tuple(plugins)), kept_below(output)
    for kept in stored:
        record = kept.record_folder / "run.json"
        try:
            result.append(grid_run(kept, search_path))
        except ConfigError as error:
            note_left_out(record, f"{OTHER_GRID}: {error}")
        except Exception:  # a wrong record of any origin must not hide the other runs
            note_left_out(record, OTHER_GRID)
    if not result:
        raise nothing_there(output, len(stored))
    return result
