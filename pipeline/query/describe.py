"""Describe the views with their rows and runs, and the columns with their types and meanings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.arrow_arrays import table_of_rows
from pipeline.errors import ConfigError
from pipeline.query.views import RUNS, View
from pipeline.schema import MADE_WITH, KnownTable, known_tables
from pipeline.sql import identifier

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation
    from rich.console import RenderableType
    from rich.table import Table

    from pipeline.query.database import Database

DESCRIPTION = pa.schema(
    [("view", pa.string()), ("rows", pa.int64()), ("runs", pa.int64())]
    + [(name, pa.string()) for name in ("of", "column", "type", "meaning")]
)
"""The columns of a description; `of` describes the rows of the view."""

RUN_COLUMNS = {
    "grid": "name of the grid, as in its configuration and its folder",
    "run": "id of the run: a digest of everything that can change a number",
}
OF_GRID = "result rows of grid"
REMARK_COLUMNS = {"tags": "tags of the run", "notes": "notes on the run, the oldest first"}
"""Further columns of the view of the runs."""


def description(database: Database | None) -> pa.Table:
    """The views of a database, and all other tables that grids write; a row for each column."""
    rows: list[dict[str, Any]] = []
    views = () if database is None else database.views
    for view in views:
        assert database is not None
        relation = database.answer(f"from {identifier(view.name)}")
        of = _of_table(view.name, view) if view.grid is None else f"{OF_GRID} {view.grid}"
        about = {"view": sql_name(view.name), "rows": view.rows, "runs": view.runs, "of": of}
        meanings = _meanings(view.table, view)
        rows += [about | column for column in database.fetched(partial(_columns, relation, meanings))]
    names = {view.name for view in views}
    for name, table in known_tables().items():
        if name not in names:
            rows += _absent(name, table)
    return table_of_rows(rows, DESCRIPTION)


def of_view(views: pa.Table, view: str) -> pa.Table:
    """The description of one view; ConfigError if no view has that name."""
    names = views["view"].to_pylist()
    wanted = {name.casefold() for name in (view, identifier(view))}
    rows = [index for index, name in enumerate(names) if name.casefold() in wanted]
    if not rows:
        raise ConfigError(f"no view is called {view}: expected one of {', '.join(dict.fromkeys(names))}")
    return views.take(rows)


def sql_name(view: str) -> str:
    """The name of a view in a question: in quotes if necessary."""
    if view.isascii() and view.isidentifier():
        try:
            duckdb.extract_statements(f"from {view}")
        except duckdb.ParserException:  # a keyword
            return identifier(view)
        return view
    return identifier(view)


def described(table: pa.Table) -> Iterator[RenderableType]:
    """A description for the screen: the views, then the columns of tables; views without runs only if all are such."""
    views: dict[str, list[dict[str, Any]]] = {}
    for row in table.to_pylist():
        views.setdefault(row["view"], []).append(row)
    filled = {name: rows for name, rows in views.items() if rows[0]["runs"]}
    shown = filled or views
    heads = [rows[0] for rows in shown.values()]
    yield _listed(
        ("view", "rows", "runs", "of"),
        [(head["view"], f"{head['rows']:,}", str(head["runs"]), head["of"]) for head in heads],
        right=("rows", "runs"),
    )
    for name, rows in shown.items():
        if not rows[0]["of"].startswith(OF_GRID) or len(shown) == 1:
            yield ""
            yield _listed((name, "type", "meaning"), [(row["column"], row["type"], row["meaning"]) for row in rows])
    absent = [f"{name} ({', '.join(known_tables()[name].grids)})" for name in views if name not in shown]
    if absent:
        yield ""
        yield f"No run here has rows of {', '.join(absent)}; --describe VIEW shows their columns."


def _listed(names: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in names:
        table.add_column(Text(name), justify="right" if name in right else "left", no_wrap=name != names[-1])
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _columns(relation: DuckDBPyRelation, meanings: Mapping[str, str]) -> list[dict[str, str]]:
    """The names, types and meanings of a relation's columns."""
    return [
        {"column": name, "type": str(kind), "meaning": meanings.get(name, "")}
        for name, kind in zip(relation.columns, relation.types, strict=True)
    ]


def _absent(name: str, table: KnownTable) -> list[dict[str, Any]]:
    """The description of a table's view that has no rows yet."""
    fields = [pa.field(column, pa.string()) for column in RUN_COLUMNS]
    fields += [field.with_type(getattr(field.type, "value_type", field.type)) for field in [*table.schema, MADE_WITH]]
    with duckdb.connect() as database:
        columns = _columns(database.from_arrow(table_of_rows([], pa.schema(fields))), _meanings(name))
    return [{"view": name, "rows": 0, "runs": 0, "of": _of_table(name), **column} for column in columns]


def _of_table(table: str, view: View | None = None) -> str:
    """What a row of a table is, and which grids write it unless all do; if none is installed, only these grids."""
    if table == RUNS:
        return "a run, with its tags and notes"
    if table not in known_tables():
        return f"rows of grid {', '.join(dict.fromkeys(piece.run.name for piece in view.pieces))}" if view else ""
    known = known_tables()[table]
    return known.meaning + (f"; of grid {', '.join(known.grids)}" if known.grids else "")


def _meanings(table: str, view: View | None = None) -> dict[str, str]:
    """The meanings of a table's columns; if no installed grid writes the table, from a part file of its view."""
    if table == RUNS:
        return RUN_COLUMNS | REMARK_COLUMNS
    if table in known_tables():
        fields = [*known_tables()[table].schema, MADE_WITH]
    else:
        fields = [*pq.read_schema(view.pieces[0].parts[0].path)] if view else []
    texts = {field.name: (field.metadata or {}).get(b"meaning", b"") for field in fields}
    return RUN_COLUMNS | {name: text.decode("utf-8", "replace") for name, text in texts.items()}
