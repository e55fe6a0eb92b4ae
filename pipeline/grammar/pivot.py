"""Tables for the screen: with a line for each row, and with a column for each value of a column."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from pipeline.grammar.columns import Row
from pipeline.summary.verdicts import Verdict

__all__ = ["MARKS", "listing", "mark", "pivot"]

MARKS = {Verdict.AGREES: "", Verdict.CONSISTENT: "~", Verdict.DIFFERS: "*", None: "-"}
"""Behind a value on the screen."""


def mark(row: Row) -> str:
    """The mark of the verdict of a row."""
    return MARKS.get(row["verdict"], "")


def listing(
    title: str,
    headings: Sequence[str],
    lines: Iterable[Sequence[object]] = (),
    words: Collection[str] = ("",),
    names: int | None = None,
    apart: int = 2,
) -> Table:
    """Lines of values under headings; columns whose headings are among `words` are set left, others right.

    names : columns of the screen for the names in front, which are folded; None: as many as they need
    """
    shown = Table(title=title, title_justify="left", box=None, padding=(0, apart, 0, 0), pad_edge=False)
    for place, heading in enumerate(headings):
        room = None if place else names
        fold: dict[str, Any] = {"no_wrap": True} if room is None else {"overflow": "fold", "max_width": room}
        shown.add_column(heading, justify="left" if heading in words else "right", **fold)
    for line in lines:
        shown.add_row(*(Text(str(value)) for value in line))
    return shown


def pivot(
    rows: Sequence[Row],
    *,
    line: Callable[[Row], str],
    column: Callable[[Row], str],
    cell: Callable[[Row], str | Text | None],
    title: str,
    numeric: bool = False,
    apart: int = 2,
) -> Table:
    """The rows as a table, lines and columns in the order in which they come up.

    cell : writes the value of a row; None where it failed
    """
    room = None if rows else len(title)  # a title is folded to the width of its table
    shown = Table(title=title, title_justify="left", box=None, padding=(0, apart, 0, 0), min_width=room)
    shown.add_column("")
    columns = list(dict.fromkeys(map(column, rows)))
    for name in columns:
        shown.add_column(Text(name), no_wrap=True, justify="right" if numeric else "left")
    by_cell = {(line(row), column(row)): row for row in rows}
    for name in dict.fromkeys(map(line, rows)):
        found = [by_cell.get((name, one)) for one in columns]
        shown.add_row(Text(name), *("" if row is None else _cell(cell(row)) for row in found))
    return shown


def _cell(words: str | Text | None) -> Text:
    if words is None:
        return Text("failed", style="red")
    return Text(words) if isinstance(words, str) else words
