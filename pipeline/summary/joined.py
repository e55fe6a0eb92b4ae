"""The same table of several runs, its rows beside each other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.summary.tables import SummaryTable, Value

BOUND = re.compile(r"(?:.*_)?(?:low|high|standard_error)")
"""Matches the names of columns that have the uncertainty of a single run's value."""
MEASURED_ANEW = ("_seconds", "_bytes")
"""Suffixes of columns that differ in every run."""

Row = Mapping[str, Value]


@dataclass(frozen=True)
class JoinedTable:
    """A table of several runs.

    key      : its first columns, as many as identify the rows of each run
    measures : the other columns that all runs have, except those that BOUND matches
    rows     : the row of each run, keyed by the values of the key; None: the run has no such row
    """

    key: tuple[str, ...]
    measures: tuple[str, ...]
    rows: Mapping[tuple[Value, ...], Sequence[Row | None]]


def joined(tables: Sequence[SummaryTable | None]) -> JoinedTable:
    """The rows of a table beside each other.

    tables : the table of each run, None if the run does not have it; at least one run has it
    """
    present = [table for table in tables if table is not None]
    columns = [name for name in present[0].columns if all(name in table.columns for table in present)]
    by_run = [[dict(zip(table.columns, row, strict=True)) for row in table.rows] if table else [] for table in tables]
    key = columns[: max(_key_columns(columns, rows) for rows in by_run)]
    by_key: dict[tuple[Value, ...], list[Row | None]] = {}
    for run, rows in enumerate(by_run):
        for row in rows:
            by_key.setdefault(tuple(row[name] for name in key), [None] * len(tables))[run] = row
    measures = tuple(name for name in columns[len(key) :] if not BOUND.fullmatch(name))
    return JoinedTable(tuple(key), measures, by_key)


def _key_columns(columns: Sequence[str], rows: Sequence[Row]) -> int:
    """The number of first columns that identify the rows; all columns if none do."""
    for count in range(1, len(columns)):
        if len({tuple(row[name] for name in columns[:count]) for row in rows}) == len(rows):
            return count
    return len(columns)
