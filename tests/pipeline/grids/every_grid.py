"""Each grid, made small by the overrides in `tests/small.txt` of its folder, one a line; and what it refuses.

Each line of `tests/refused.txt`, if there is one, has overrides that are added to the small form, ` -> `, and words of
the message. `{folder}` is the folder of the grid's tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pipeline.conformance import Row, SmallGrid
from pipeline.discovery import SearchPath
from pipeline.grid import Grid

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
    return SmallGrid(f"+grid={name}", *overrides).made


def grid_named(name: str, *overrides: str) -> Grid:
    """The grid of a command, as it is read again from the record of its run."""
    return SmallGrid(f"+grid={name}", *overrides).grid


@cache
def small_grid(name: str) -> SmallGrid:
    """The grid of a case, which is made and computed once for all tests."""
    return SmallGrid(f"+grid={name}", *CASES[name])


def grid_of_case(name: str) -> Grid:
    """The grid of a case, as it is read again from the record of its run."""
    return small_grid(name).grid


def computed(name: str) -> Mapping[str, list[Row]]:
    """The rows of all items of a case."""
    return small_grid(name).rows
