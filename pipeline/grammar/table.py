"""A summary table, declared once. DuckDB computes it, and the query behind each row is the same SQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from pipeline.drawing.figures import ROW
from pipeline.grammar.columns import Column, Known, Row, Value
from pipeline.sql import identifier
from pipeline.summary.rounding import TEXT
from pipeline.summary.tables import Layout, SummaryTable

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


POSITION = Value("_position", "min(position)", of_rows=True)
"""The position of a row's first observation among the result rows. Sorting by it gives the order of the grid."""

HIDDEN = "_"


@dataclass(frozen=True)
class Table:
    """A titled table: its observations, the keys of a row, and its columns.

    Parameters
    ----------
    name : str
        File name without extension.
    title : str
        Heading.
    of : str
        The observations: SQL that follows `from`. It may name tables of the run and views of the summary. Tables of the
        run also have a column `position`, the number of the row.
    columns : sequence of Column
        Keys, aggregates over the observations that share them, and values computed from these. A `Known` replaces an
        earlier column of the same name: after an outer join, rows without observations have null keys.
    among : str
        SQL condition that drops observations of unwanted rows. The query behind a row leaves it out, because that query
        selects a single row.
    beside : str
        SQL that follows `from` and joins the aggregates, named `ours`, with other tables:
        `printed join ours using (source)`.
    order : str
        SQL that rows are sorted by, over the columns and the joined tables. If it names `_position`, the table has that
        hidden column: the position of the first observation among the result rows, which is the order of the grid.
    complete : callable
        Computes from all rows the values that SQL does not. Called once, after the columns' own `complete`.
    note : str or callable
        What a reader must know to use the values, such as sizes, units and rules; or a function from rows to that text.
    written : bool
        Whether it is a table of the summary. If not, it only serves other tables.
    needs : str
        A table of the run, a view or a list of the context. If that has no rows, this table is left out.
    layout : Layout, optional
        The layout of its values in the paper, given by headings of its columns.
    queryable : bool
        Whether a query gives the numbers of a row. None does if the observations are neither rows of the run nor views.
    """

    name: str
    title: str
    of: str
    columns: Sequence[Column]
    among: str = ""
    beside: str = "ours"
    order: str = ""
    complete: Callable[[Sequence[Row]], None] | None = None
    note: str | Callable[[Sequence[Row]], str] = ""
    written: bool = True
    needs: str = ""
    layout: Layout | None = None
    queryable: bool = True

    def __post_init__(self) -> None:
        """Raise ValueError if the name is not that of a file, or if the columns are none or share a heading."""
        if not re.fullmatch(r"[\w-]+", self.name):
            raise ValueError(
                f"the name of a table is {self.name!r}: expected letters, digits, _ and -, because files get this name"
            )
        if not self.columns or (strange := [column for column in self.columns if not isinstance(column, Column)]):
            given = repr(strange[0]) if self.columns else "no columns"
            raise ValueError(
                f"table '{self.name}' has {given}: expected columns such as Key('builder') or Value('n', 'count(*)')"
            )
        first: dict[str, Column] = {}
        for column in (column for column in self.columns if not isinstance(column, Known)):
            for name in column.shown:
                other = first.setdefault(name, column)
                if other is not column and not _same(name, other, column):
                    raise ValueError(
                        f"two columns of table '{self.name}' have the heading {name!r}: rename one, or hide it with "
                        "the heading ''. A `Mean` also makes the headings `n`, `low` and `high`, and a `Printed` makes "
                        "the headings in its parameter `headings`"
                    )

    @property
    def keys(self) -> list[str]:
        """The names of its keys."""
        return [name for column in self.columns for name in column.grouped]

    @property
    def headings(self) -> list[str]:
        """The names of the visible columns."""
        shown = dict.fromkeys(name for column in self.columns for name in column.shown)
        return [name for name in shown if not name.startswith(HIDDEN)]

    def sql(self) -> str:
        """The SQL of the whole table."""
        joined = {name: sql for column in self.columns for name, sql in column.joined.items()}
        chosen = "".join(f", {sql} as {identifier(name)}" for name, sql in joined.items())
        own = [*self.keys, *(name for column in self.columns for name in column.derived)]
        replaced = ", ".join(identifier(name) for name in dict.fromkeys(own) if name in joined)
        kept = f"ours.* exclude ({replaced})" if replaced else "ours.*"
        order = f"\norder by {self.order}" if self.order else ""
        return f"with ours as (\n{self._aggregated(for_query=False)})\nselect {kept}{chosen}\nfrom {self.beside}{order}"

    def rows(self, connection: DuckDBPyConnection) -> list[Row]:
        """Compute its complete rows from a database that has its observations; ValueError if its SQL fails."""
        answer = executed(connection, f"table '{self.name}'", self.sql())
        names = [column[0] for column in answer.description or ()]
        empty = dict.fromkeys(name for column in self.columns for name in column.shown)
        fetched = (
            [float(value) if isinstance(value, Decimal) else value for value in row] for row in answer.fetchall()
        )
        rows = [empty | dict(zip(names, row, strict=True)) for row in fetched]
        for column in self.columns:
            column.complete(rows)
        if self.complete:
            self.complete(rows)
        if self.written:
            for index, row in enumerate(rows):
                row[ROW] = f"row-{self.name}-{index}"
        return rows

    def question(self, views: Mapping[str, str]) -> str:
        """The SQL query that returns the numbers of one row, with a slot for each key, such as `{source}`.

        Empty if there is none.

        Parameters
        ----------
        views : mapping
            SQL of the views that observations may come from, keyed by name. The query includes those it uses.
        """
        if not self.queryable:
            return ""
        own = self._aggregated(for_query=True)
        used = [(name, sql) for name, sql in views.items() if name in _used(own, views)]
        common = [*used, ("ours", own)]
        shown = ",\n".join(f"{name} as (\n{_escaped(sql)})" for name, sql in common)
        where = " and ".join(f"{identifier(key)} is not distinct from {{{key}}}" for key in self.keys)
        return f"with {shown}\nselect * from ours where {where or 'true'}"

    def written_as(self, rows: Sequence[Row], views: Mapping[str, str]) -> SummaryTable:
        """The table of plain values, as written to files; ValueError if a value is a list, a date or the like."""
        for name, value in ((name, row[name]) for row in rows for name in self.headings):
            if not (value is None or isinstance(value, bool | int | float | str | np.generic)):
                raise ValueError(
                    f"table '{self.name}': column '{name}' is {value!r}: expected a number, a text, true or false; "
                    "to get a text, append ::text to the SQL of the column"
                )
        values = [[row[name] for name in self.headings] for row in rows]
        note = self.note if isinstance(self.note, str) else self.note(rows)
        printed = [row[TEXT] for row in rows if TEXT in row]
        question = self.question(views)
        return SummaryTable(self.name, self.title, self.headings, values, note, question, self.layout, printed)

    def _aggregated(self, *, for_query: bool) -> str:
        """SQL of the aggregates by key and the columns derived from them; a query has no hidden columns."""
        position = [POSITION] if re.search(rf"\b{POSITION.name}\b", self.order) else []
        columns = [column for column in (*self.columns, *position) if not (for_query and column.of_rows)]
        keys = {name: sql for column in columns for name, sql in column.grouped.items()}
        inner = keys | {name: sql for column in columns for name, sql in column.aggregates.items()}
        outer = {name: identifier(name) for name in keys}
        for column in columns:
            outer |= {name: sql for name, sql in column.derived.items() if not (for_query and name.startswith(HIDDEN))}
        where = f"\nwhere {self.among}" if self.among and not for_query else ""
        grouped = f"\ngroup by {', '.join(keys.values())}" if keys else ""
        aggregated = f"select {_listed(inner)}\nfrom {self.of}{where}{grouped}"
        return f"select {_listed(outer)}\nfrom (\n{aggregated})"


def _same(name: str, *columns: Column) -> bool:
    """Whether SQL gives the columns, and the same SQL gives this name in each."""
    given = {{**column.derived, **column.joined, **column.grouped, **column.aggregates}.get(name) for column in columns}
    return len(given) == 1 and None not in given


def executed(connection: DuckDBPyConnection, what: str, sql: str) -> DuckDBPyConnection:
    """Run SQL that a summary declares; ValueError names the view or table that it belongs to."""
    from duckdb import Error

    try:
        return connection.execute(sql)
    except Error as error:
        raise ValueError(f"the SQL of {what}: {' '.join(str(error).split())}") from error


def _listed(expressions: Mapping[str, str]) -> str:
    """Join expressions and their names into a select list."""
    return ",\n  ".join(
        identifier(name) if sql in {name, identifier(name)} else f"{sql} as {identifier(name)}"
        for name, sql in expressions.items()
    )


def _used(sql: str, views: Mapping[str, str]) -> set[str]:
    """The views that SQL refers to, directly or through other views."""
    result: set[str] = set()
    left = [sql]
    while left:
        text = left.pop()
        likely = (name for name in views if name not in result and name in text)  # far faster than patterns that fail
        new = {name for name in likely if re.search(rf"\b{re.escape(name)}\b", text)}
        result |= new
        left += [views[name] for name in new]
    return result


def _escaped(sql: str) -> str:
    """Escape braces in SQL, so that `str.format` sees no slots."""
    return sql.replace("{", "{{").replace("}", "}}")
