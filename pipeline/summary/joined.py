"""The same table of several runs, its rows beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.summary.tables import SummaryTable, Value

__all__ = ["BOUNDS", "JoinedTable", "Row", "joined"]

BOUNDS = ("low", "high", "standard_error")
"""How the names of columns end that say how exact a value of a single run is."""

Row = Mapping[str, Value]


@dataclass(frozen=True)
class JoinedTable:
    """A table of several runs.

    key      : its first columns, as many as tell the rows of each run apart
    measures : the other columns that all runs have, those that end in one of BOUNDS aside
    rows     : by the values of the key, the row of each run; None: the run has no such row
    """

    key: tuple[str, ...]
    measures: tuple[str, ...]
    rows: Mapping[tuple[Value, ...], Sequence[Row | None]]


def joined(tables: Sequence[SummaryTable | None]) -> JoinedTable:
    """The rows of a table beside each other.

    tables : the table of each run; None where a run does not have it. At least one run has.
    """
    there = [table for table in tables if table is not None]
    columns = [name for name in there[0].columns if all(name in table.columns for table in there)]
    by_run = [[dict(zip(table.columns, row, strict=True)) for row in table.rows] if table else [] for table in tables]
    key = columns[: max(_key_columns(columns, rows) for rows in by_run)]
    found: dict[tuple[Value, ...], list[Row | None]] = {}
    for run, rows in enumerate(by_run):
        for row in rows:
            found.setdefault(tuple(row[name] for name in key), [None] * len(tables))[run] = row
    measures = tuple(name for name in columns[len(key) :] if not name.endswith(BOUNDS))
    return JoinedTable(tuple(key), measures, found)


def _key_columns(columns: Sequence[str], rows: Sequence[Row]) -> int:
    """How many of the first columns tell the rows apart; all of them where nothing does."""
    for count in range(1, len(columns)):
        if len({tuple(row[name] for name in columns[:count]) for row in rows}) == len(rows):
            return count
    return len(columns)
