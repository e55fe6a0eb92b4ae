"""The columns of result rows, with one schema for all grids, and of further tables. Metadata holds their meanings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pyarrow as pa

from pipeline.csv_text import csv_rows
from pipeline.discovery import SearchPath
from pipeline.errors import ConfigError
from pipeline.plan import SCHEMA_VERSION

STATUSES = ("ok", "failed", "killed", "time_limit", "memory_limit", "skipped")
"""The statuses of a cell. Every status except `ok` leaves the measures null and has its reason in `error`."""

LARGE_DICTIONARIES = ("source", "part", "builder", "parameters")
"""Columns of texts that repeat; a chunk may have any number of different texts."""
DICTIONARY_COLUMNS = (*LARGE_DICTIONARIES, "impurity_type", "uncertainty", "removal_order", "status")
"""Columns of texts that repeat: plain text in files, dictionaries in memory. The others have few distinct texts."""


def field(name: str, kind: pa.DataType, meaning: str) -> pa.Field:
    """A column and its meaning."""
    return pa.field(name, kind, metadata={"meaning": meaning})


MADE_WITH = field(
    "made_with",
    pa.dictionary(pa.int8(), pa.string()),
    "digest of the versions of Python and of the packages that made the row; `_run/environments/` says which",
)
"""The last column of every table, added when rows are published."""


@dataclass(frozen=True)
class KnownTable:
    """A table that grids write.

    meaning : the meaning of its rows
    schema  : its columns, before `made_with`
    grids   : the kinds of grid that write it, whatever a run of them is named; empty: every grid writes it
    """

    meaning: str
    schema: pa.Schema
    grids: tuple[str, ...] = ()


COLUMNS = "columns.csv"
"""The file beside this one that declares the results, and in a grid's folder its other tables."""
DECLARED = ("table", "column", "type", "meaning")
"""Its columns."""
KINDS = ("bool", "float64", "int32", "int64", "string")
"""The types that a declared column may have, by Arrow's names."""


def tables_in(file: Path) -> dict[str, KnownTable]:
    """The tables that a `columns.csv` declares, keyed by name; empty if there is no such file.

    Its columns are `table`, `column`, `type` and `meaning`. The row of a table without a column gives the meaning of
    the table's rows. A column without a type is the column of the results with that name.

    Raises ConfigError: a type is unknown, or the results have no such column.
    """
    columns: dict[str, list[pa.Field]] = {}
    meanings: dict[str, str] = {}
    for where, row in csv_rows(file, DECLARED, DECLARED[:2]) if file.is_file() else ():
        of_table = columns.setdefault(row["table"], [])
        if row["column"]:
            of_table.append(_declared(row, where))
        else:
            meanings[row["table"]] = row["meaning"]
    return {name: KnownTable(meanings.get(name, ""), pa.schema(fields)) for name, fields in columns.items()}


def _declared(row: dict[str, str], where: str) -> pa.Field:
    if row["type"] in KINDS:
        return field(row["column"], pa.type_for_alias(row["type"]), row["meaning"])
    if not row["type"] and row["column"] in RESULTS.names:
        return RESULTS.field(row["column"])
    raise ConfigError(
        f"{where}: column {row['column']} has the type '{row['type']}': expected one of {', '.join(KINDS)}, or an "
        "empty type if the results have this column"
    )


_RESULTS = tables_in(Path(__file__).parent / COLUMNS)["results"]
RESULTS = _RESULTS.schema.with_metadata({"orchard.schema_version": str(SCHEMA_VERSION)})

IDENTITY = tuple(RESULTS.names[: RESULTS.names.index("rows")])
"""The columns that identify a result row."""

RESULTS_IN_MEMORY = pa.schema(
    [
        f.with_type(pa.dictionary(pa.int32() if f.name in LARGE_DICTIONARIES else pa.int8(), f.type))
        if f.name in DICTIONARY_COLUMNS
        else f
        for f in RESULTS
    ],
    metadata=RESULTS.metadata,
)
"""RESULTS as held in memory."""


@cache
def known_tables(search_path: SearchPath | None = None) -> dict[str, KnownTable]:
    """The tables of all grids, keyed by name: `results`, and those in the `columns.csv` of each folder.

    If several grids declare the same name, the columns of the first are taken.
    """
    result = {"results": replace(_RESULTS, schema=RESULTS)}
    for folder in (search_path or SearchPath()).folders().values():
        for name, table in tables_in(folder.path / COLUMNS).items():
            first = result.get(name, table)
            result[name] = replace(first, grids=(*first.grids, folder.name))
    results, *others = result.items()
    return dict([results, *sorted(others)])
