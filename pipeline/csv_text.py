"""CSV in which no spreadsheet takes a text for a formula, whether it separates cells at commas, semicolons or tabs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from pipeline.words import NUMBER

INERT = re.compile(r"[A-Za-z0-9][ -:<-~]*")
"""Texts written unchanged, as nearly all are: a letter or digit, then printable ASCII without semicolons."""

FORMULA_SIGNS = frozenset("=+-@")
ESCAPED = re.compile('[\\x00-\\x1f"\\\\\\x7f-\\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]')
"""Characters that an escaped text cannot contain: line breaks, controls, lone surrogates and those JSON escapes."""
ALLOWED = frozenset('"\\')
"""Those among them that alone are no reason to escape a text."""
INVISIBLE_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


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
    if INERT.fullmatch(text) or NUMBER.fullmatch(text):
        return text
    pieces = text.split(";")  # a semicolon makes each of them a cell
    first, *others = ((piece, _first_visible(piece)) for piece in pieces)
    ends_open = len(pieces) > 1 and others[-1][1] is None  # in such a reading the cell may continue on the next line
    formulas = any(_is_formula(*piece) for piece in (first, *others))
    controls = any(match[0] not in ALLOWED for match in ESCAPED.finditer(text))
    if not (formulas or ends_open or controls or text.startswith("'")):
        return text
    escaped = [_escaped(piece, index if _is_formula(piece, index) else None) for piece, index in others]
    written = ";".join([f"'{_escaped(first[0], None)}", *escaped])
    if ends_open:
        head, _, tail = written.rpartition(";")
        written = f"{head}{_numbered(';')}{tail}"
    return written


def _is_formula(text: str, index: int | None) -> bool:
    """Whether a text is a formula, judged by its first visible character, at `index`."""
    return index is not None and unicodedata.normalize("NFKC", text[index])[0] in FORMULA_SIGNS


def _first_visible(text: str) -> int | None:
    """The index of the first visible character that is not a quotation mark; None if there is none."""
    for index, character in enumerate(text):
        if not (character == '"' or character in INVISIBLE_LETTERS or unicodedata.category(character)[0] in "CMZ"):
            return index
    return None


def _escaped(text: str, index: int | None) -> str:
    """A text as in JSON, without quotation marks, with the character at an index escaped by its number."""
    if index is not None:
        return f"{_escaped(text[:index], None)}{_numbered(text[index])}{_escaped(text[index + 1 :], None)}"
    return ESCAPED.sub(lambda match: _short(match[0]), text)


def _short(character: str) -> str:
    return {"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"}.get(character) or _numbered(character)


def _numbered(character: str) -> str:
    return f"\\u{ord(character):04x}"
