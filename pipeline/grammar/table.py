"""A summary table declared once: DuckDB computes it, and the question behind a row is the same SQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.grammar.columns import Column, Row, Value
from pipeline.sql import identifier
from pipeline.summary.layout import Layout
from pipeline.summary.tables import SummaryTable

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["POSITION", "Table", "executed"]

POSITION = Value("_position", "min(position)", of_rows=True)
"""Where the first observation of a row stands among the result rows: sort by it for the order of the grid."""

HIDDEN = "_"


@dataclass(frozen=True)
class Table:
    """A titled table: its observations, what makes a row, and its columns.

    Parameters
    ----------
    name : str
        Stem of its files.
    title : str
        Heading.
    of : str
        The observations, as what follows `from` in SQL. Tables of the run and the views of the summary have names;
        the tables of the run have a column `position` besides, the number of the row.
    columns : sequence of Column
        Keys, aggregates over the observations that share them, and what is computed from these. A `Known` of the name
        of one of these is shown in its place: an outer join has rows without observations, whose keys are null.
    among : str
        Condition that leaves out observations of rows that are not wanted; a question, which is of one row, lacks it.
    beside : str
        What the aggregates, called `ours`, are joined with, as what follows `from`: `printed join ours using (source)`.
    order : str
        What rows are sorted by, over the columns and what they are joined with.
    complete : callable
        Computes what SQL does not from all rows: called once, after the columns' own.
    note : str or callable
        What a reader must know to use the values: sizes, units, rules; or a function of the rows that says so.
    written : bool
        Whether it is a table of the summary; else others are made of it.
    needs : str
        A table of the run or a view; without rows of it this table is left out.
    layout : Layout, optional
        Of its values in the paper, by headings of its columns.
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

    @property
    def keys(self) -> list[str]:
        """The names of its keys."""
        return [name for column in self.columns for name in column.grouped]

    @property
    def headings(self) -> list[str]:
        """The names of the columns that are shown."""
        shown = dict.fromkeys(name for column in self.columns for name in column.shown)
        return [name for name in shown if not name.startswith(HIDDEN)]

    def sql(self) -> str:
        """The whole table."""
        joined = {name: sql for column in self.columns for name, sql in column.joined.items()}
        chosen = "".join(f", {sql} as {identifier(name)}" for name, sql in joined.items())
        own = [*self.keys, *(name for column in self.columns for name in column.derived)]
        replaced = ", ".join(identifier(name) for name in dict.fromkeys(own) if name in joined)
        kept = f"ours.* exclude ({replaced})" if replaced else "ours.*"
        order = f"\norder by {self.order}" if self.order else ""
        return f"with ours as (\n{self._aggregated(asked=False)})\nselect {kept}{chosen}\nfrom {self.beside}{order}"

    def rows(self, connection: DuckDBPyConnection) -> list[Row]:
        """Its rows, complete, from a connection that has its observations; ValueError where its SQL cannot be run."""
        answer = executed(connection, f"table '{self.name}'", self.sql())
        names = [column[0] for column in answer.description or ()]
        rows = [dict(zip(names, values, strict=True)) for values in answer.fetchall()]
        for column in self.columns:
            column.complete(rows)
        if self.complete:
            self.complete(rows)
        return rows

    def question(self, views: Mapping[str, str]) -> str:
        """The SQL whose answer is the numbers of a row, its keys standing in it as slots: `{source}`.

        Parameters
        ----------
        views : mapping
            SQL of the views that observations may be taken from, by name; those that are used stand in the question.
        """
        own = self._aggregated(asked=True)
        used = [(name, sql) for name, sql in views.items() if name in _used(own, views)]
        common = [*used, ("ours", own)]
        shown = ",\n".join(f"{name} as (\n{_escaped(sql)})" for name, sql in common)
        where = " and ".join(f"{identifier(key)} is not distinct from {{{key}}}" for key in self.keys)
        return f"with {shown}\nselect * from ours where {where or 'true'}"

    def written_as(self, rows: Sequence[Row], views: Mapping[str, str]) -> SummaryTable:
        """The table of plain values that its files and readers have."""
        values = [[row[name] for name in self.headings] for row in rows]
        note = self.note if isinstance(self.note, str) else self.note(rows)
        return SummaryTable(self.name, self.title, self.headings, values, note, self.question(views), self.layout)

    def _aggregated(self, *, asked: bool) -> str:
        """The aggregates by key, and what is derived of them; for a question without what is not shown."""
        columns = [one for one in self.columns if one.asked or not asked]
        keys = {name: sql for column in columns for name, sql in column.grouped.items()}
        inner = keys | {name: sql for column in columns for name, sql in column.aggregates.items()}
        outer = {name: identifier(name) for name in keys}
        for column in columns:
            outer |= {name: sql for name, sql in column.derived.items() if not (asked and name.startswith(HIDDEN))}
        where = f"\nwhere {self.among}" if self.among and not asked else ""
        grouped = f"\ngroup by {', '.join(keys.values())}" if keys else ""
        aggregated = f"select {_listed(inner)}\nfrom {self.of}{where}{grouped}"
        return f"select {_listed(outer)}\nfrom (\n{aggregated})"


def executed(connection: DuckDBPyConnection, what: str, sql: str) -> DuckDBPyConnection:
    """The answer to SQL that a summary declares; ValueError names what it is of."""
    from duckdb import Error

    try:
        return connection.execute(sql)
    except Error as error:
        msg = f"the SQL of {what}: {' '.join(str(error).split())}"
        raise ValueError(msg) from error


def _listed(expressions: Mapping[str, str]) -> str:
    """Expressions under their names."""
    return ",\n  ".join(
        identifier(name) if sql in {name, identifier(name)} else f"{sql} as {identifier(name)}"
        for name, sql in expressions.items()
    )


def _used(sql: str, views: Mapping[str, str]) -> set[str]:
    """The views that SQL names, and those that these name."""
    found: set[str] = set()
    left = [sql]
    while left:
        text = left.pop()
        new = {name for name in views if name not in found and re.search(rf"\b{re.escape(name)}\b", text)}
        found |= new
        left += [views[name] for name in new]
    return found


def _escaped(sql: str) -> str:
    """SQL in which no slot is seen."""
    return sql.replace("{", "{{").replace("}", "}}")
