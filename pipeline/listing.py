"""Query results for people: a table that fits the terminal, and a line that says what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

GAP = 2  # spaces between columns
LONGEST = 10_000  # characters of a value; the rest is cut off
FOLDED = 24  # narrowest width to which a column of longer texts is folded; below, a column is left out


def listing(names: Sequence[str], rows: Sequence[Sequence[Any]], width: int) -> tuple[Table, list[str]]:
    """The rows in a table of at most `width` characters, and a description of what is left out.

    If the width does not suffice, empty columns and those with the same short text in all rows are left out first, then
    long texts are folded, then the last columns are left out. A single row is listed vertically instead. Very long
    values are cut off.
    """
    whole = [[cell(value) for value in row] for row in rows]
    cells = [[text[:LONGEST] for text in row] for row in whole]
    long = [name for name, *column in zip(names, *whole, strict=True) if max(map(len, column), default=0) > LONGEST]
    left_out = [f"columns cut off after {LONGEST:,} characters: {', '.join(long)}"] if long else []
    widths = [max(map(_width, [name, *column])) for name, *column in zip(names, *cells, strict=True)]
    indices = list(range(len(names)))
    if _total(widths, indices) <= width:
        return _table(names, rows, cells, indices), left_out
    if len(rows) == 1:
        return _vertical(names, cells[0]), left_out
    filled = [index for index in indices if any(row[index] is not None for row in rows)] or indices
    if len(filled) < len(indices):
        empty = [names[index] for index in indices if index not in filled]
        left_out.append(f"empty columns, not shown: {', '.join(empty)}")
    same = [index for index in filled if _is_same([row[index] for row in rows], widths[index])]
    if 0 < len(same) < len(filled):
        left_out.append(
            f"the same in all these rows: {', '.join(f'{names[index]} {cells[0][index]}' for index in same)}"
        )
        filled = [index for index in filled if index not in same]
    least = [min(each, FOLDED) for each in widths]
    shown = filled
    while len(shown) > 1 and _total(least, shown) > width:
        shown = shown[:-1]
    if len(shown) < len(filled):
        left = [names[index] for index in filled[len(shown) :]]
        left_out.append(f"columns not shown, because the lines would be too long: {', '.join(left)}")
    return _table(names, rows, cells, shown), left_out


def cell(value: Any) -> str:
    """A value as people read it: floats with six digits."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(cell, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {cell(inner)}' for name, inner in value.items())}}}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _width(text: str) -> int:
    return max(map(cell_len, text.splitlines()), default=0)


def _total(widths: Sequence[int], indices: Sequence[int]) -> int:
    return sum(widths[index] + GAP for index in indices) - GAP


def _is_same(column: Sequence[Any], width: int) -> bool:
    """Whether a column has the same short text in all rows, and the text can be shown in a line."""
    texts = set(column) if width <= FOLDED and all(isinstance(value, str) for value in column) else set()
    return len(texts) == 1 and all(text and text.isprintable() for text in texts)


def _table(
    names: Sequence[str], rows: Sequence[Sequence[Any]], cells: Sequence[Sequence[str]], indices: Sequence[int]
) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0), header_style="bold")
    for index in indices:
        numeric = bool(rows) and all(isinstance(row[index], int | float | None) for row in rows)
        table.add_column(Text(names[index]), justify="right" if numeric else "left", overflow="fold")
    for row, shown in zip(rows, cells, strict=True):
        table.add_row(*(Text(shown[index], style="dim" if row[index] is None else "") for index in indices))
    return table


def _vertical(names: Sequence[str], cells: Sequence[str]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, GAP, 0, 0))
    table.add_column(style="bold", overflow="fold")
    table.add_column(overflow="fold")
    for name, shown in zip(names, cells, strict=True):
        table.add_row(Text(name), Text(shown))
    return table
