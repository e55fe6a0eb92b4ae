"""Selects a row of a run among the rows of an item, stored or still to be computed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.errors import ConfigError
from pipeline.grid import RESULTS_TABLE, Grid, RebuiltTree
from pipeline.plan import GridRun
from pipeline.storage.parts import read
from pipeline.words import listed_choices

__all__ = ["WORDS", "Row", "matching", "named_rows", "rebuilt_of", "stored_rows"]

Row = dict[str, Any]

WORDS = {
    "builder": "builder",
    "impurity_type": "heuristic",
    "parameters": "parameters",
    "group": "group",
    "table_index": "table",
    "repeat": "repeat",
    "fold": "fold",
    "removal_order": "order",
    "removed_attributes": "removed",
}
"""The columns by which a person selects a row, and the command's words for them."""


def stored_rows(kept: GridRun, item: int) -> list[Row]:
    """The rows of an item in the table that has trees; empty if they are not computed yet."""
    table = kept.grid.tree_table
    for part in kept.scan(table).parts:
        if part.first <= item < part.stop:
            rows = read(part)
            if table == RESULTS_TABLE:
                cells = kept.grid.cells_per_item
                return rows.slice((item - part.first) * cells, cells).to_pylist()  # type: ignore[no-any-return]
            (source,) = {row["source"] for row in _failures(kept, item)}
            return [row for row in rows.to_pylist() if row["source"] == source]
    return []


def named_rows(kept: GridRun, item: int, asked: Row) -> list[Row]:
    """The keys of the rows of an item that is not computed yet."""
    if kept.grid.tree_table != RESULTS_TABLE:
        return [asked]
    return [{name: None if name in {"status", "error"} else row[name] for name in row} for row in _failures(kept, item)]


def _failures(kept: GridRun, item: int) -> list[Row]:
    return kept.grid.failure(item, "skipped", "")[RESULTS_TABLE].to_pylist()  # type: ignore[no-any-return]


def matching(rows: Sequence[Row], asked: Row) -> list[Row]:
    """The matching rows; ConfigError names the first value that no row has, and the existing values."""
    result = list(rows)
    for name, word in WORDS.items():
        if name not in asked:
            continue
        known = list(dict.fromkeys(_told(name, row) for row in result))
        result = [row for row in result if _has(name, row, asked)]
        if not result:
            values = [one for one in known if one is not None]
            if not values:
                msg = f"--{word} is given, and the rows of this grid have none"
                raise ConfigError(msg)
            msg = f"{word} {_told(name, asked)}: expected {listed_choices(values)}"
            raise ConfigError(msg)
    return result


def _told(name: str, row: Mapping[str, Any]) -> object:
    if name == "impurity_type" and row.get(name):
        return f"{row[name]}/{row['uncertainty']}"
    return row.get(name)


def _has(name: str, row: Row, asked: Row) -> bool:
    if name != "parameters":
        return _told(name, row) == _told(name, asked)
    there = json.loads(row.get(name) or "{}")
    return all(key in there and there[key] == value for key, value in json.loads(asked[name]).items())


def rebuilt_of(grid: Grid, rows: Sequence[Row], asked: Row) -> tuple[Row, RebuiltTree]:
    """The first row that has a tree, and the tree; if none has one, ConfigError with the reason of the first."""
    cost = {"cost": asked["cost"]} if "cost" in asked else {}
    refused: ConfigError | None = None
    for row in rows:
        named = {name: value for name, value in row.items() if value is not None} | cost
        try:
            return row, grid.rebuilt(named)
        except ConfigError as error:
            refused = refused or error
    raise refused or ConfigError("there is no row: expected at least one")
