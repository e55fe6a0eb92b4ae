"""Summary tables: exact as CSV, rounded as Markdown, as LaTeX and on the screen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

from pipeline.csv_text import csv_text
from pipeline.plain_text import plain
from pipeline.sql import identifier, literal
from pipeline.storage.atomic import write_atomically
from pipeline.summary import latex
from pipeline.summary.layout import Layout
from pipeline.summary.rounding import reader_of

if TYPE_CHECKING:
    from rich.console import Group

__all__ = ["SummaryTable", "Value"]

Value = str | int | float | bool | None

INLINE = re.compile(r"[\\|]|(?<=\])[(\[:]")
"""What Markdown takes for an escape, the end of a cell, a link or an image."""


@dataclass(frozen=True)
class SummaryTable:
    """A titled table of plain values.

    name     : stem of its files
    columns  : headings
    rows     : one value per column each; None is an empty cell
    note     : what a reader must know to use the figures: sizes, units, rules
    question : SQL that has `pipeline.query` answer a row's numbers, or the rows they are made of, from the run's parts;
               `{column}` stands for the row's own value of a column, `{column:name}` for what its value names
    layout   : of its values in the paper; None: no paper prints them
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    note: str
    question: str = ""
    layout: Layout | None = None

    def __post_init__(self) -> None:
        """Refuse rows that do not fill the columns, and a layout of columns that are not there."""
        for name in self.layout.named if self.layout else ():
            if name not in self.columns:
                msg = f"the layout of table {self.name} names column {name}: expected one of {', '.join(self.columns)}"
                raise ValueError(msg)
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                msg = f"row {number} of table {self.name} has {len(row)} values for {len(self.columns)} columns"
                raise ValueError(msg)

    def question_of(self, row: Sequence[Value]) -> str:
        """The question whose answer a row's numbers are made of; empty where the table tells none."""
        return self.question_between(self.slots_of(row))

    def question_between(self, slots: Sequence[str]) -> str:
        """The question with these texts in its slots, in order."""
        texts = (text for text, *_ in Formatter().parse(self.question))
        return "".join(chain.from_iterable(zip_longest(texts, slots, fillvalue="")))

    def slots_of(self, row: Sequence[Value]) -> list[str]:
        """What a row puts into the slots of the question, as SQL has it."""
        values = dict(zip(self.columns, row, strict=True))
        return [_in_sql(values[name], how) for name, how in self.slots]

    @property
    def slots(self) -> list[tuple[str, str]]:
        """The slots of the question in order: the column of each, and `name` where its value is quoted as a name."""
        return [(name, how or "") for _, name, how, _ in Formatter().parse(self.question) if name is not None]

    def write(self, folder: Path) -> tuple[Path, ...]:
        """Write `<name>.csv`, `<name>.md` and `<name>.tex`, and return their paths."""
        return tuple(write_atomically(folder / name, content) for name, content in self.files().items())

    def files(self) -> dict[str, bytes]:
        """The content of its three files by their names; what UTF-8 cannot hold is `?`."""
        texts = {"csv": self.as_csv(), "md": self.as_markdown(), "tex": self.as_latex()}
        return {f"{self.name}.{form}": text.encode("utf-8", "replace") for form, text in texts.items()}

    def as_csv(self) -> str:
        """The table with floats in full, and texts as `csv_text` writes them."""
        return csv_text([self.columns, *self.rows])

    def as_markdown(self) -> str:
        """The table under its title and over its note, floats rounded as `rounding` tells."""
        rule = ["---:" if numeric else "---" for numeric in self.numeric()]
        body = [list(map(_in_a_line, row)) for row in self.read_rows()]
        lines = ["| " + " | ".join(cells) + " |" for cells in [list(map(_in_a_line, self.columns)), rule, *body]]
        return "\n".join([f"# {_in_a_line(self.title)}", "", *lines, "", _in_a_line(self.note), ""])

    def as_latex(self) -> str:
        """The table for LaTeX with booktabs: a float with title and note, floats rounded as `rounding` tells."""
        return latex.table(self.name, self.title, self.columns, self.numeric(), self.read_rows(), self.note)

    def as_rich(self) -> Group:
        """The table for the screen, floats rounded as `rounding` tells, its title above and its note below."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table()
        for column, numeric in zip(self.columns, self.numeric(), strict=True):
            table.add_column(Text(column), justify="right" if numeric else "left")
        for row in self.read_rows():
            table.add_row(*map(Text, row))
        return Group(Text(self.title), table, Text(self.note))

    def read_rows(self) -> list[list[str]]:
        """The rows as people read them; an empty cell is an empty text."""
        readers = [reader_of(name, [row[place] for row in self.rows]) for place, name in enumerate(self.columns)]
        return [
            [
                "" if value is None else read(value) if isinstance(value, float) else str(value)
                for read, value in zip(readers, row, strict=True)
            ]
            for row in self.rows
        ]

    def numeric(self) -> list[bool]:
        """Of each column, whether it holds numbers and no text."""
        present = [[row[i] for row in self.rows if row[i] is not None] for i in range(len(self.columns))]
        return [bool(column) and not any(isinstance(value, str) for value in column) for column in present]


def _in_sql(value: Value, how: str) -> str:
    """A value as SQL has it: a literal, or with the format `name` a quoted name."""
    return identifier(str(value)) if how == "name" else literal(value)


def _in_a_line(text: str) -> str:
    """A text in Markdown, in one line: nothing in it is HTML, a link, an image or the end of a cell."""
    line = plain(" ".join(text.splitlines()))
    return INLINE.sub(r"\\\g<0>", line).replace("&", "&amp;").replace("<", "&lt;")
