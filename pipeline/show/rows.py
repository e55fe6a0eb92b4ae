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

Row = dict[str, Any]

OPTION_OF = {
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
"""The command's option for each column by which a person selects a row."""


def stored_rows(run: GridRun, item: int) -> list[Row]:
    """The rows of an item in the table that has trees; empty if they are not computed yet."""
    table = run.grid.tree_table
    for part in run.scan(table).parts:
        if part.first <= item < part.stop:
            rows = read(part)
            if table == RESULTS_TABLE:
                cells = run.grid.cells_per_item
                return rows.slice((item - part.first) * cells, cells).to_pylist()  # type: ignore[no-any-return]
            (source,) = {row["source"] for row in _rows_if_skipped(run, item)}
            return [row for row in rows.to_pylist() if row["source"] == source]
    return []


def named_rows(run: GridRun, item: int, selected: Row) -> list[Row]:
    """The keys of the rows of an item that is not computed yet."""
    if run.grid.tree_table != RESULTS_TABLE:
        return [selected]
    rows = _rows_if_skipped(run, item)
    return [{name: None if name in {"status", "error"} else row[name] for name in row} for row in rows]


def _rows_if_skipped(run: GridRun, item: int) -> list[Row]:
    """The rows that an item would have if it were skipped: they have all columns that identify a row."""
    return run.grid.failed_item(item, "skipped", "")[RESULTS_TABLE].to_pylist()  # type: ignore[no-any-return]


def matching(rows: Sequence[Row], selected: Row) -> list[Row]:
    """The matching rows; ConfigError names the first value that no row has, and the existing values."""
    result = list(rows)
    for name, option in OPTION_OF.items():
        if name not in selected:
            continue
        before = result
        result = [row for row in before if _has(name, row, selected)]
        if not result:
            existing = dict.fromkeys(_value(name, row) for row in before)
            values = [value for value in existing if value not in {None, "{}"}]  # {}: no parameters
            if not values:
                raise ConfigError(
                    f"--{option} selects nothing: these rows have no value for this option; leave the option out"
                )
            expected = listed_choices(values)
            instead = f"give --builder NAME, where NAME is {expected}"
            if option == "builder" and "cost" in selected:
                raise ConfigError(f"--cost {selected['cost']}: this run has no minima of costs; {instead}")
            if option == "builder" and "impurity_type" in selected:
                heuristic = _value("impurity_type", selected)
                raise ConfigError(f"--heuristic {heuristic}: this run has no greedy heuristics; {instead}")
            raise ConfigError(f"{option} {_value(name, selected)}: expected {expected}")
    return result


def _value(name: str, row: Mapping[str, Any]) -> object:
    """The value by which a person selects a row."""
    if name == "impurity_type" and row.get(name):
        return "/".join(filter(None, (row[name], row["uncertainty"])))
    return row.get(name)


def _has(name: str, row: Row, selected: Row) -> bool:
    """Whether a row has the selected value; of parameters, those that are given."""
    if name != "parameters":
        return _value(name, row) == _value(name, selected)
    parameters = json.loads(row.get(name) or "{}")
    return all(key in parameters and parameters[key] == value for key, value in json.loads(selected[name]).items())


def rebuilt_of(grid: Grid, rows: Sequence[Row], selected: Row) -> tuple[Row, RebuiltTree]:
    """The first row that has a tree, and the tree; if none has one, ConfigError with the reason of the first."""
    cost = {"cost": selected["cost"]} if "cost" in selected else {}
    refused: ConfigError | None = None
    for row in rows:
        named = {name: value for name, value in row.items() if value is not None} | cost
        try:
            return row, grid.rebuilt(named)
        except ConfigError as error:
            refused = refused or error
    raise refused or ConfigError("no row of the table matches the options: leave out an option that selects a row")
