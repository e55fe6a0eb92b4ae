"""Each grid, made small by the overrides in `tests/small.txt` of its folder, one a line; and what it refuses.

Each line of `tests/refused.txt`, if there is one, has overrides that are added to the small form, ` -> `, and words of
the message. `{folder}` is the folder of the grid's tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
from omegaconf import OmegaConf

from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.configuration.composition import composed_of
from pipeline.data.sources import DataLocation
from pipeline.discovery import SearchPath
from pipeline.grammar.notable_trees import row_identity
from pipeline.grid import Grid
from pipeline.kinds import grid_of, kind_named

Row = dict[str, Any]

CORRAL, BALLOONS, IRIS = "rule/corral", "uci/balloons/adult-stretch", "sklearn/iris"
HEURISTICS = "heuristics=[max/rt,w_sum/gini]"
FOLDERS = {name: folder.path / "tests" for name, folder in SearchPath().folders().items()}


def _lines(file: Path) -> list[str]:
    """The lines of a file in the folder of a grid's tests; none where there is no such file."""
    text = file.read_text("utf-8") if file.exists() else ""
    return [line.replace("{folder}", str(file.parent)) for line in text.splitlines()]


CASES: dict[str, tuple[str, ...]] = {name: tuple(_lines(folder / "small.txt")) for name, folder in FOLDERS.items()}
REFUSED = [
    (name, *line.split(" -> ", 1)) for name, folder in FOLDERS.items() for line in _lines(folder / "refused.txt")
]
"""The name of a grid, overrides that it refuses, and words of the message."""


def grid_composed(name: str, *overrides: str) -> Grid:
    """The grid of a command, as it is composed."""
    return grid_of(OmegaConf.to_object(composed_of(name, overrides)))


@cache
def grid_named(name: str, *overrides: str) -> Grid:
    """The grid of a command, as it is read again from the record of its run."""
    identity = grid_composed(name, *overrides).identity()
    return kind_named(identity["grid"]).from_identity(identity, DataLocation())


def grid_of_case(name: str) -> Grid:
    """The grid of a case, as it is read again from the record of its run."""
    return grid_named(name, *CASES[name])


@cache
def computed(name: str) -> Mapping[str, list[Row]]:
    """The rows of all items of a case."""
    grid = grid_of_case(name)
    return {table: without_seconds(rows) for table, rows in grid.work(0, grid.items).items()}


def without_seconds(table: pa.Table) -> list[Row]:
    """Rows without seconds."""
    return [{key: value for key, value in row.items() if not key.endswith("_seconds")} for row in table.to_pylist()]


def rows_to_rebuild(row: Row) -> list[Row]:
    """The rows to rebuild for a row: for the minima, a row for each cost, with the measure of that alone."""
    if row["builder"] != "exact" or "tree" in row:
        return [row]
    return [row_identity(row) | {"cost": cost} for cost in COST_FUNCTIONS]
