"""Write CSV in which no spreadsheet takes a text for a formula, and read CSV that people write."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

from pipeline.errors import ConfigError
from pipeline.words import NUMBER, TYPES, counted, is_number

INERT = re.compile(r"[A-Za-z0-9][ -:<-~]*")
"""Texts written unchanged, as nearly all are: a letter or digit, then printable ASCII without semicolons."""

SIGNS = r"=+\-@＝＋－＠﹦﹢﹣﹫⁼⁺₌₊⩵⩶﬩"
"""The characters with which a formula begins, and others that a program may take for them."""
UNSEEN = r"(?:[^!#-~\w]|[\u115f\u1160\u3164\uffa0])*?"
"""What may precede them: quotation marks, and all that is neither visible ASCII, a digit nor a visible letter."""
CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
UNFIT = re.compile(rf"^'|(?:^|;){UNSEEN}[{SIGNS}]|;{UNSEEN}\Z|[{CONTROLS}]")
"""Matches a text that must be escaped: a semicolon may end a cell, and after a last one the next line may follow."""
IN_JSON = re.compile(rf'[{CONTROLS}"\\]')
STILL_UNFIT = re.compile(rf"(?<=;){UNSEEN}[{SIGNS}]|;(?={UNSEEN}\Z)")
"""Matches, in a text with escapes, what ends with a character that needs one too."""


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    r"""Rows as lines of CSV, one line for each.

    Numbers are written in full, None as an empty cell. A text is escaped if a program that separates cells at commas,
    semicolons or tabs could take part of it for a formula or a new line, or if it begins with an apostrophe. It is then
    written as an apostrophe and a JSON string without its quotation marks, so `json.loads(f'"{cell[1:]}"')` is the
    text.

    Examples
    --------
    >>> csv_text([["name", "n"], ["=1+1", -2.5], ["a\n=b", None]])
    "name,n\n'=1+1,-2.5\n'a\\n=b,\n"
    """
    return "".join(f"{_line(row)}\n" for row in rows)


def csv_rows(
    file: Path, columns: Sequence[str], keys: Sequence[str], numbers: Mapping[str, type] | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield `FILE, line NUMBER` and a row, for each row below the headings.

    columns : that the CSV must have; it may have more
    keys    : columns that together identify a row
    numbers : the types of columns with numbers; an empty cell of these is None, except in a key

    Raises
    ------
    ConfigError
        The file has no row or is not UTF-8, a column is missing, a number cannot be read, or a row has more or fewer
        cells than the headings or repeats another.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")  # spreadsheets begin a CSV with a byte order mark
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: byte {error.start + 1} is not UTF-8: save the file as CSV in UTF-8") from error
    reader = csv.DictReader(StringIO(text, newline=""), skipinitialspace=True)
    if not reader.fieldnames:
        raise ConfigError(f"{file}: the file is empty: expected the columns {', '.join(columns)}")
    lacking = [name for name in columns if name not in reader.fieldnames]
    if lacking:
        existing = ", ".join(reader.fieldnames)
        commas = "; separate the cells by commas" if len(reader.fieldnames) == 1 else ""
        raise ConfigError(f"{file}: no column '{lacking[0]}' among {existing}: expected {', '.join(columns)}{commas}")
    lines: dict[tuple[str, ...], int] = {}
    for row in reader:
        line, headings = reader.line_num, len(reader.fieldnames)
        cells = headings - list(row.values()).count(None) + len(row.get(None, ()))
        if cells != headings:
            raise ConfigError(
                f"{file}, line {line}: the line has {counted(cells, 'cell')}, but the header has {headings}: write "
                "commas for empty cells, and quotes around a cell with a comma"
            )
        key = tuple(row[name] for name in keys)
        first = lines.setdefault(key, line)
        if first != line:
            repeated = ", ".join(filter(None, key))
            raise ConfigError(f"{file}, line {line}: the line repeats line {first} ({repeated}): remove one of the two")
        for name, kind in (numbers or {}).items():
            try:
                row[name] = _number(row[name], kind) if row[name] or name in keys else None
            except ValueError as error:
                raise ConfigError(
                    f"{file}, line {line}, column {name}: '{row[name]}': expected {TYPES[kind]}"
                ) from error
        yield f"{file}, line {line}", row
    if not lines:
        raise ConfigError(f"{file}: the file has only the names of the columns: expected at least one row below them")


def _number(text: str, kind: type) -> Any:
    """The number in a cell; ValueError for all other texts, also nan, inf and 1_000, which Python takes for numbers."""
    if not is_number(text):
        raise ValueError(text)
    return kind(text)


def _line(row: Iterable[Any]) -> str:
    values = list(row)
    cells = [_cell(value) for value in values]
    # A semicolon-separated reading has the whole line as one cell. After a signed number the texts are quoted: a number
    # that is followed by a quoted text is no formula.
    signed = cells and cells[0].startswith(("+", "-"))
    quoted = [
        f'"{cell.replace(chr(34), chr(34) * 2)}"'
        if "," in cell or '"' in cell or (signed and index and not _is_number(value))
        else cell
        for index, (cell, value) in enumerate(zip(cells, values, strict=True))
    ]
    return '""' if quoted == [""] else ",".join(quoted)


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float | Decimal) and not isinstance(value, bool))


def _cell(value: Any) -> str:
    """A value before quotation marks are added."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(float(value))
    return str(value) if _is_number(value) else _text(str(value))


def _text(text: str) -> str:
    if INERT.fullmatch(text) or NUMBER.fullmatch(text) or not UNFIT.search(text):
        return text
    escaped = IN_JSON.sub(lambda match: _escape(match[0]), text)
    return "'" + STILL_UNFIT.sub(lambda match: match[0][:-1] + _unicode_escape(match[0][-1]), escaped)


def _escape(character: str) -> str:
    return {"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"}.get(character) or _unicode_escape(character)


def _unicode_escape(character: str) -> str:
    return f"\\u{ord(character):04x}"
