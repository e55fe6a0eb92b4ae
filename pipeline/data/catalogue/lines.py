"""Infer from the first lines of a text its separator and its number of lines before the rows."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence

from pipeline.data.catalogue.entry import Column, ColumnKind, FileLayout
from pipeline.data.catalogue.limits import LARGEST
from pipeline.words import is_number

DECIMAL_COMMAS = re.compile(r"(?:[^,]|(?<=\d),(?=\d))*", re.ASCII)
"""Matches a line whose commas are between digits."""

csv.field_size_limit(LARGEST - 1)  # the size limit of a file; the default is 131,072 characters

MISSING_IN_FILES = ("", "?", "NA", "NaN", "nan")
"""Texts that mean a missing value in an undescribed file."""

SEPARATOR_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", " ": "blanks"}


def fields_of(line: str, separator: str, quote: str) -> list[str]:
    """The fields of a line, stripped."""
    if separator == " ":
        line = line.strip()
        in_lisp = line.startswith("(") and line.endswith(")")
        return (line[1:-1] if in_lisp else line).split()
    try:
        return [field.strip() for field in next(csv.reader([line], delimiter=separator, quotechar=quote))]
    except (csv.Error, StopIteration):
        return [line]


def some(names: Sequence[str], most: int = 20) -> str:
    """The first of some names, for a message."""
    return ", ".join(name[:60] for name in names[:most]) + (f", … ({len(names):,} in all)" if len(names) > most else "")


def stays_open(line: str, separator: str, quote: str) -> bool:
    """Whether a quoted text begins in a line and does not end in it. With blanks as separators there are no quotes."""
    if separator == " ":
        return False
    return len(list(csv.reader([line, ""], delimiter=separator, quotechar=quote))) == 1  # the text goes on


def widths_of(layout: FileLayout) -> set[int]:
    """The numbers of fields that a line may have: the columns to drop may be missing together."""
    columns = layout.columns
    dropped = sum(column.kind is ColumnKind.DROP for column in columns)
    letters = layout.sequence - 1 if layout.sequence else 0
    return {len(columns) - letters, len(columns) - dropped - letters} if columns else set()


def separator_of(lines: Sequence[str], layout: FileLayout, quote: str) -> str:
    """The separator that gives most lines the declared number of fields, or else the same number above one.

    Of several that do so alike, it is the tab, which texts hardly contain; else the semicolon if all commas are between
    digits, as decimal signs; else the first.
    """
    widths = widths_of(layout)
    best, most = ",", 0
    for separator in SEPARATOR_NAMES:
        counted = Counter(len(fields_of(line, separator, quote)) for line in lines)
        if widths:
            fitting = sum(counted[width] for width in widths)
        else:
            fitting = max((count for width, count in counted.items() if width > 1), default=0)
        preferred = separator == "\t" or (separator == ";" and all(map(DECIMAL_COMMAS.fullmatch, lines)))
        if fitting > most or (preferred and fitting == most > 0):
            best, most = separator, fitting
    return best


def lines_before(rows: Sequence[list[str]], layout: FileLayout) -> int:
    """The number of lines before the rows."""
    if not layout.columns:
        return int(_names_columns(rows))
    widths = widths_of(layout)
    values = {*layout.missing, *(label for column in layout.columns for label in column.labels)}
    for index, fields in enumerate(rows[: layout.header]):
        if len(fields) in widths:
            before = _is_header(fields, layout)
        else:  # a title, but not a row that is too short or too long
            before = len(rows) > 1 and not any(is_number(text) or text in values for text in fields)
        if not before:
            return index
    return min(layout.header, len(rows))


def _is_header(fields: Sequence[str], layout: FileLayout) -> bool:
    """Whether most fields are names of columns, or no field is a value of a column with known values."""
    if layout.sequence:
        return False
    columns = present_of(layout, len(fields))
    named = sum(text.lower() == column.name.lower() for text, column in zip(fields, columns, strict=True))
    if named * 2 > len(columns):
        return True
    checked = [
        (text, column)
        for text, column in zip(fields, columns, strict=True)
        if column.labels or column.kind is ColumnKind.NUMERIC
    ]
    return bool(checked) and not any(
        text in layout.missing or text in column.recode or text in column.labels or is_number(text)
        for text, column in checked
    )


def _names_columns(rows: Sequence[list[str]]) -> bool:
    """Whether the first row is a header: without numbers, and above numbers or above texts that differ from its own.

    A missing value above numbers may be that of a row.
    """
    head, below = rows[0], rows[1:]
    if any(is_number(text) for text in head):
        return False
    beneath = [[row[index] for row in below if len(row) == len(head)] for index in range(len(head))]
    named = [values for text, values in zip(head, beneath, strict=True) if text not in MISSING_IN_FILES]
    if any(values and sum(map(is_number, values)) * 2 > len(values) for values in named):
        return True
    return len(set(head)) == len(head) and not any(text in values for text, values in zip(head, beneath, strict=True))


def present_of(layout: FileLayout, width: int) -> tuple[Column, ...]:
    """The columns of a file with this number of fields a line: all, or those that are not dropped."""
    if width == max(widths_of(layout)):
        return layout.columns
    return tuple(column for column in layout.columns if column.kind is not ColumnKind.DROP)
