"""Summary tables, exact or rounded for people, their layout in papers, and the same table of several runs."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import chain, zip_longest
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, TypeVar

from pipeline.csv_text import csv_text
from pipeline.plain_text import plain
from pipeline.sql import identifier, literal
from pipeline.storage.atomic import write_atomically
from pipeline.summary import latex
from pipeline.summary.rounding import reader_of
from pipeline.summary.verdicts import Verdict, tally

if TYPE_CHECKING:
    from rich.console import Group

V = TypeVar("V")
Value = str | int | float | bool | None
Row = Mapping[str, Value]

VERDICT, OUTCOME = "verdict", "outcome"
"""The columns of verdicts, and of wins, ties and losses, in a table."""
FORMS = (".csv", ".md", ".tex")
"""The endings of its files."""
FILE = re.compile(r"[^./\\\x00-\x1f][^/\\\x00-\x1f]{0,199}")
FILE_NAME = "the name of a file, without a folder"
"""What that pattern matches."""
INLINE = re.compile(r"[\\|]|(?<=\])[(\[:]")
"""Characters that Markdown takes for an escape, the end of a cell, a link or an image."""
NEAR = 1e-9
"""Numbers that differ by more than this are not equal."""
NAMING = ("source", "part", "builder", "against", "class")
"""Columns that say what a row is about: if two rows differ in a first column of these, they are not the same row."""
BOUND = re.compile(r"(?:.*_)?(?:low|high|standard_error)")
"""Matches the names of columns that have the uncertainty of a single run's value."""
MEASURED_ANEW = ("_seconds", "_bytes")
"""Suffixes of columns that differ in every run."""


@dataclass(frozen=True)
class Pair:
    """Our value and the printed one, by the names of their columns.

    ours    : a column, or several joined by a slash, such as `impurity_type/uncertainty`
    printed : null in rows that the paper does not print
    """

    ours: str
    printed: str = "printed"

    @property
    def of_ours(self) -> tuple[str, ...]:
        """The columns that make up our value."""
        return tuple(self.ours.split("/"))

    def ours_in(self, row: Mapping[str, V]) -> V | str:
        """Our value in a row."""
        first, *others = (row[name] for name in self.of_ours)
        return "/".join(map(str, (first, *others))) if others else first


@dataclass(frozen=True)
class Layout:
    """Which columns of a summary table determine the position of a row in the paper's table.

    lines   : columns whose values head a line
    columns : columns whose values head a column; if empty, each pair has a column
    pairs   : the contents of a cell; the paper prints a row if it prints the value of any pair
    tables  : columns whose values each have a table of their own; if empty, there is one table
    """

    lines: tuple[str, ...]
    columns: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()
    tables: str = ""

    def naming(self, fixed: Container[str] = ()) -> tuple[str, ...]:
        """The columns whose values name a cell, with the name of its table if that is not in `fixed`."""
        table = () if not self.tables or self.tables in fixed else (self.tables,)
        return (*table, *self.lines, *self.columns)

    @property
    def named(self) -> Iterator[str]:
        """All columns that the layout names."""
        yield from (*self.lines, *self.columns, *filter(None, [self.tables]))
        for pair in self.pairs:
            yield from (*pair.of_ours, pair.printed)


@dataclass(frozen=True)
class SummaryTable:
    """A titled table of plain values.

    name     : file name without extension
    columns  : headings
    rows     : one value for each column; None is an empty cell
    note     : what a reader must know to use the figures: sizes, units, rules
    question : SQL for `pipeline.query` that returns a row's numbers, or the rows behind them, from the run's part
               files. `{column}` is replaced by the row's value of a column, `{column:name}` by the name in it
    layout   : the layout of its values in the paper; None if no paper prints them
    printed  : for each row, the text of its printed value in the paper, such as `71.0`; empty if that is not known
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    note: str
    question: str = ""
    layout: Layout | None = None
    printed: Sequence[str | None] = ()

    def __post_init__(self) -> None:
        """Refuse what does not match the columns: rows, a layout, slots of the query; and a name with a folder."""
        if not FILE.fullmatch(self.name):
            raise ValueError(f"the name of a table is {self.name!r}: expected {FILE_NAME}")
        for _, name, how, conversion in Formatter().parse(self.question):
            if name is not None and (name not in self.columns or how not in ("", "name") or conversion):
                raise ValueError(
                    f"the query of table {self.name} has the slot {name!r}: expected one of {', '.join(self.columns)}"
                )
        if self.printed and len(self.printed) != len(self.rows):
            raise ValueError(f"table {self.name} has {len(self.printed)} printed texts for {len(self.rows)} rows")
        for name in self.layout.named if self.layout else ():
            if name not in self.columns:
                raise ValueError(
                    f"the layout of table {self.name} names column {name}: expected one of {', '.join(self.columns)}"
                )
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                raise ValueError(
                    f"row {number} of table {self.name} has {len(row)} values for {len(self.columns)} columns"
                )

    @cached_property
    def records(self) -> list[dict[str, Value]]:
        """The rows, each keyed by column."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    @property
    def file_names(self) -> tuple[str, ...]:
        """The names of its files."""
        return tuple(f"{self.name}{form}" for form in FORMS)

    @property
    def verdicts(self) -> dict[Verdict, int]:
        """The number of rows with each verdict that occurs."""
        values = [row[self.columns.index(VERDICT)] for row in self.rows] if VERDICT in self.columns else []
        return tally(Verdict(str(value)) for value in values if value in list(Verdict))

    def question_of(self, row: Row) -> str:
        """The query for a row's numbers; empty if the table has none."""
        return self.question_between(self.slots_of(row))

    def question_between(self, slots: Sequence[str]) -> str:
        """The query with these texts in its slots, in order."""
        texts = (text for text, *_ in Formatter().parse(self.question))
        return "".join(chain.from_iterable(zip_longest(texts, slots, fillvalue="")))

    def slots_of(self, row: Row) -> list[str]:
        """The row's values for the slots of the query, in SQL."""
        return [identifier(str(row[name])) if how == "name" else literal(row[name]) for name, how in self.slots]

    @property
    def slots(self) -> list[tuple[str, str]]:
        """The slots of the query in order: the column of each, and `name` if its value is quoted as a name."""
        return [(name, how or "") for _, name, how, _ in Formatter().parse(self.question) if name is not None]

    def write(self, folder: Path) -> tuple[Path, ...]:
        """Write `<name>.csv`, `<name>.md` and `<name>.tex`, and return their paths."""
        return tuple(write_atomically(folder / name, content) for name, content in self.files().items())

    def files(self) -> dict[str, bytes]:
        """The contents of its three files, keyed by name; characters that UTF-8 cannot encode become `?`."""
        texts = (self.as_csv(), self.as_markdown(), self.as_latex())
        return {name: text.encode("utf-8", "replace") for name, text in zip(self.file_names, texts, strict=True)}

    def as_csv(self) -> str:
        """The table as CSV, floats in full, texts as written by `csv_text`."""
        return csv_text([self.columns, *self.rows])

    def as_markdown(self) -> str:
        """The table as Markdown, title above and note below, floats rounded by `rounding`."""
        rule = ["---:" if numeric else "---" for numeric in self.numeric()]
        body = [list(map(_in_a_line, row)) for row in self.displayed_rows()]
        lines = ["| " + " | ".join(cells) + " |" for cells in [list(map(_in_a_line, self.columns)), rule, *body]]
        return "\n".join([f"# {_in_a_line(self.title)}", "", *lines, "", _in_a_line(self.note), ""])

    def as_latex(self) -> str:
        """The table as LaTeX with booktabs: a float with title and note, floats rounded by `rounding`."""
        return latex.table(self.name, self.title, self.columns, self.numeric(), self.displayed_rows(), self.note)

    def as_rich(self) -> Group:
        """The table for the terminal, title above and note below, floats rounded by `rounding`."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table()
        for column, numeric in zip(self.columns, self.numeric(), strict=True):
            table.add_column(Text(column), justify="right" if numeric else "left", overflow="fold")
        for row in self.displayed_rows():
            table.add_row(*map(Text, row))
        return Group(Text(self.title), table, Text(self.note))

    def displayed_rows(self) -> list[list[str]]:
        """The rows as displayed; an empty cell is an empty text."""
        formats = [reader_of(name, [row[index] for row in self.rows]) for index, name in enumerate(self.columns)]
        return [
            [
                "" if value is None else rounded(value) if isinstance(value, float) else str(value)
                for rounded, value in zip(formats, row, strict=True)
            ]
            for row in self.rows
        ]

    def numeric(self) -> list[bool]:
        """For each column, whether it has numbers and no text."""
        present = [[row[i] for row in self.rows if row[i] is not None] for i in range(len(self.columns))]
        return [bool(column) and not any(isinstance(value, str) for value in column) for column in present]


def _in_a_line(text: str) -> str:
    """A text in Markdown, in one line; nothing in it acts as HTML, a link, an image or the end of a cell."""
    line = plain(" ".join(text.splitlines()))
    return INLINE.sub(r"\\\g<0>", line).replace("&", "&amp;").replace("<", "&lt;")


def same(ours: object, printed: object) -> bool:
    """Whether a value equals the printed one; for numbers, to the printed digits."""
    if not isinstance(ours, int | float) or not isinstance(printed, int | float):
        return ours == printed
    digits = len(f"{Decimal(repr(float(printed))):f}".partition(".")[2])
    return abs(ours - printed) <= 0.5 * 10.0**-digits + NEAR


@dataclass(frozen=True)
class JoinedTable:
    """A table of several runs.

    key      : its first columns, as many as identify the rows of each run, and all that NAMING has
    measures : the other columns that all runs have, except those that BOUND matches
    rows     : the row of each run, keyed by the values of the key; None: the run has no such row
    """

    key: tuple[str, ...]
    measures: tuple[str, ...]
    rows: Mapping[tuple[Value, ...], Sequence[Row | None]]


def joined(tables: Sequence[SummaryTable | None]) -> JoinedTable:
    """The same table of several runs, with their rows beside each other.

    tables : the table of each run, None if the run does not have the table; at least one run has it
    """
    present = [table for table in tables if table is not None]
    columns = [name for name in present[0].columns if all(name in table.columns for table in present)]
    by_run = [table.records if table else [] for table in tables]
    named = next((index for index, name in enumerate(columns) if name not in NAMING), len(columns))
    key = columns[: max([named, *(_key_columns(columns, rows) for rows in by_run)])]
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
