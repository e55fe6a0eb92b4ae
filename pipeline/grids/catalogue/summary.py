"""The summary of the catalogue: what each data set holds, and which could not be had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from pipeline.grammar.findings import does, listed
from pipeline.grammar.questions import WHERE_ITS_SOURCE
from pipeline.grid import NotableTree
from pipeline.screen import counted, out_of
from pipeline.storage.parts import Part, read
from pipeline.summary.tables import SummaryTable

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Summary", "summarise"]

Row = Mapping[str, Any]

COLUMNS = (
    *("source", "part", "rows", "nominal", "numeric", "classes", "missing_cells", "missing_classes"),
    *("distinct_rows", "contradictions", "fingerprint", "status", "error"),
)
SHOWN = {
    "rows": "rows",
    "nominal": "nominal",
    "numeric": "numeric",
    "classes": "classes",
    "missing_cells": "missing\ncells",
    "distinct_rows": "distinct\nrows",
    "contradictions": "contra-\ndictory",
}
PART = f"select {', '.join(COLUMNS[2:])} from data_sets {WHERE_ITS_SOURCE}"
ROOM_FOR_NUMBERS = 60  # columns of the screen that all but the names take
MOST_NAMED = 8


@dataclass(frozen=True)
class Summary:
    """A row for each part of each data set, those that nothing says what they are to hold, and what was written."""

    rows: tuple[Row, ...]
    undeclared: tuple[str, ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...] = ()
    trees: tuple[NotableTree, ...] = ()

    @property
    def failed(self) -> list[Row]:
        """Data sets that could not be had or read, or are others than the catalogue says."""
        return [row for row in self.rows if row["status"] != "ok"]

    @property
    def worked(self) -> bool:
        """Whether any data set could be had."""
        return len(self.failed) < len(self.rows)

    @property
    def finding(self) -> str:
        """How many data sets hold what the catalogue says, and how many were read of which it has no fingerprint."""
        every, failed = ({row["source"] for row in rows} for rows in (self.rows, self.failed))
        free = every & set(self.undeclared)
        said = []
        if declared := every - free:
            good = out_of(len(declared - failed), len(declared), "data set")
            they = "it does" if len(declared) == 1 else "they do"
            said.append(f"{good} {does('hold', len(declared))} what the catalogue says {they}")
        if free:
            read = out_of(
                len(free - failed), len(free), "data set without a fingerprint", "data sets without a fingerprint"
            )
            said.append(
                f"{read} could be read, and there is nothing to hold {'it' if len(free) == 1 else 'them'} against"
            )
        return f"{'; '.join(said)}."

    def screen(self, width: int) -> list[RenderableType]:
        """A line for each part; then whether all agree with the catalogue."""
        shown = Table(title="Data sets", title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False)
        shown.add_column("", overflow="fold", max_width=max(12, width - ROOM_FOR_NUMBERS))
        for heading in SHOWN.values():
            shown.add_column(heading, justify="right", no_wrap=True)
        for row in self.rows:
            if row["status"] == "ok":
                part = "" if row["part"] == "all" else f" ({row['part']})"
                shown.add_row(f"{row['source']}{part}", *(f"{row[name]:,}" for name in SHOWN))
        lines = [self.finding]
        if self.failed:
            first, *others = self.failed
            lines.append(f"the first that is not: {first['error']}")
            if others:
                names = ", ".join(row["source"] for row in others[:MOST_NAMED])
                more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
                lines.append(f"the others: {names}{more}; data_sets.csv says why of each")
            lines.append("the same command tries them again")
        return [shown, "", Text("\n".join(lines))]


def summarise(parts: Sequence[Part], undeclared: Sequence[str], folder: Path) -> Summary:
    """Write `data_sets` (.csv and .md) into folder, in the order of the catalogue.

    undeclared : data sets whose content nothing tells
    """
    rows = tuple(row for part in parts for row in read(part).to_pylist())
    note = (
        f"n = {counted(len({row['source'] for row in rows}), 'data set')}. distinct_rows: different rows of "
        "attributes, a missing value counting as a value; contradictions: those of them that have more than one "
        "class. The fingerprint is of the content, not of the bytes, and is the catalogue's where the status is ok"
        + (f", but of {listed(undeclared)}, of which it has none." if undeclared else ".")
    )
    title = "Data sets of the catalogue"
    document = SummaryTable(
        "data_sets", title, COLUMNS, [tuple(row[name] for name in COLUMNS) for row in rows], note, PART
    )
    document.write(folder)
    return Summary(rows, tuple(undeclared), (document,))
