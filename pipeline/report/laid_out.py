"""A summary table as the paper prints it: ours, the printed value and the verdict in each cell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import zip_longest

from pipeline.summary.rounding import TEXT, reader_of, with_minus
from pipeline.summary.tables import VERDICT, Layout, Pair, Row, SummaryTable, Value, same
from pipeline.summary.verdicts import Verdict
from pipeline.words import readable

HEADINGS = {"case": "data set", "row": "data set"}
"""The contents of some columns."""
CAN_BE = "can_be"
"""The column that says whether a printed value is possible."""
DECIMALS = re.compile(r"\.(\d+)")


Verdicts = Mapping[tuple[int, str], Verdict]
"""Verdicts by the number of a row and the column of its printed value."""
NO_VERDICTS: Verdicts = {}


@dataclass(frozen=True)
class PaperCell:
    """A printed value beside ours.

    row           : number of its row in the summary table
    ours, printed : texts; empty if there is none
    verdict       : None if there is none
    impossible    : whether a test that needs no run finds the printed value impossible, but the verdict does not say so
    """

    row: int
    ours: str
    printed: str
    verdict: Verdict | None
    impossible: bool = False


@dataclass(frozen=True)
class PaperLine:
    """A line: its names and its cells; None where the paper prints nothing."""

    names: tuple[str, ...]
    cells: tuple[PaperCell | None, ...]


@dataclass(frozen=True)
class PaperTable:
    """A table of the paper.

    title : distinguishes it from the paper's other tables; empty if it is the only one
    names : headings of the names of its lines
    """

    title: str
    names: tuple[str, ...]
    columns: tuple[str, ...]
    lines: tuple[PaperLine, ...]


def laid_out(table: SummaryTable, verdicts: Verdicts = NO_VERDICTS) -> list[PaperTable]:
    """The tables of the paper whose values a summary table has; empty if it has no layout.

    verdicts : if the table has no column of them; without either, only equal values have a verdict
    """
    layout = table.layout
    if layout is None:
        return []
    rows = [{**row, TEXT: text} for row, text in zip_longest(table.records, table.printed)]
    printed = [number for number, row in enumerate(rows) if any(row[pair.printed] is not None for pair in layout.pairs)]
    by_title: dict[str, list[int]] = {}
    for number in printed:
        by_title.setdefault(_heading(layout.tables, rows[number]) if layout.tables else "", []).append(number)
    return [_of(layout, rows, numbers, title, verdicts) for title, numbers in by_title.items()]


def _of(layout: Layout, rows: Sequence[Row], numbers: Sequence[int], title: str, verdicts: Verdicts) -> PaperTable:
    """A table of the paper, from the rows with these numbers."""
    by_cell: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for number in numbers:
        names = tuple(readable(rows[number][name]) for name in layout.lines)
        column = ", ".join(_heading(name, rows[number]) for name in layout.columns)
        by_cell.setdefault((names, column), []).append(number)
    # of several readings of a printed value, that with a verdict counts
    chosen = {
        cell: next((number for number in readings if rows[number].get(VERDICT) is not None), readings[0])
        for cell, readings in by_cell.items()
    }
    columns = list(_columns(layout, chosen, rows))
    lines = dict.fromkeys(names for names, _ in chosen)
    cells = [dict(_cells(chosen, column, pair, rows, verdicts)) for _, column, pair in columns]
    return PaperTable(
        title,
        tuple(HEADINGS.get(name, readable(name)) for name in layout.lines),
        tuple(name for name, _, _ in columns),
        tuple(PaperLine(names, tuple(of_column.get(names) for of_column in cells)) for names in lines),
    )


def _heading(name: str, row: Row) -> str:
    """A value that heads a table or a column: its text, or a number after the name of its column."""
    text = readable(row[name])
    return f"{readable(name)} {text}" if text.isdecimal() else text


Chosen = dict[tuple[tuple[str, ...], str], int]


def _columns(layout: Layout, chosen: Chosen, rows: Sequence[Row]) -> Iterator[tuple[str, str, Pair]]:
    """The heading of each column, its values of `layout.columns`, and the pair that it shows."""
    ours = [pair.ours for pair in layout.pairs]
    for column in dict.fromkeys(column for _, column in chosen):
        for pair in layout.pairs:
            if any(rows[number][pair.printed] is not None for (_, other), number in chosen.items() if other == column):
                several = pair.ours if len(set(ours)) > 1 else pair.printed if len(ours) > 1 else ""
                yield ", ".join(filter(None, (column, readable(several)))), column, pair


def _cells(
    chosen: Chosen, column: str, pair: Pair, rows: Sequence[Row], verdicts: Verdicts
) -> Iterator[tuple[tuple[str, ...], PaperCell]]:
    """The cells of a column, keyed by the names of their lines."""
    of_column = {names: number for (names, other), number in chosen.items() if other == column}
    all_printed = [rows[number][pair.printed] for number in of_column.values()]
    all_ours = [pair.ours_in(rows[number]) for number in of_column.values()]
    read_printed = reader_of(pair.printed, all_printed, [row[pair.printed] for row in rows])
    texts = [rows[number].get(TEXT) for number in of_column.values()]
    read_ours = _reader(all_ours, [text or printed for text, printed in zip(texts, all_printed, strict=True)])
    for (names, number), ours, printed, exact in zip(of_column.items(), all_ours, all_printed, texts, strict=True):
        if printed is not None:
            text = str(exact or (read_printed(printed) if isinstance(printed, float) else printed))
            verdict = verdicts.get((number, pair.printed)) or _verdict(rows[number], ours, printed)
            impossible = rows[number].get(CAN_BE) == Verdict.IMPOSSIBLE != verdict
            yield names, PaperCell(number, read_ours(ours), text, verdict, impossible)


def _reader(ours: Sequence[Value], printed: Sequence[Value]) -> Callable[[Value], str]:
    """Formats ours with as many decimals as printed values have; with two if these have none and ours is not whole."""
    texts = [f"{Decimal(repr(value)):f}".rstrip("0") if isinstance(value, float) else str(value) for value in printed]
    printed_decimals = [len(digits[1]) for text in texts if (digits := DECIMALS.search(text))]
    whole = all(float(value).is_integer() for value in ours if isinstance(value, int | float))
    decimals = max(printed_decimals, default=0) or (0 if whole else 2)

    def read(value: Value) -> str:
        if value is None:
            return ""
        text = f"{value:.{decimals}f}" if isinstance(value, float) else str(value)
        return text if isinstance(value, str) else with_minus(text)

    return read


def _verdict(row: Row, ours: Value, printed: Value) -> Verdict | None:
    """The verdict of a row; if its table has none, only whether the value equals the printed one."""
    if VERDICT in row:
        return Verdict(str(row[VERDICT])) if row[VERDICT] in list(Verdict) else None
    return Verdict.AGREES if ours is not None and same(ours, printed) else None
