"""CSV whose texts no spreadsheet takes for formulas, whether it separates cells at commas, semicolons or tabs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from pipeline.decimal_text import NUMBER

__all__ = ["csv_text"]

INERT = re.compile(r"[A-Za-z0-9][ -:<-~]*")
"""Texts that are written unchanged, as nearly all are: a letter or digit, then printable ASCII without semicolons."""

FORMULA_SIGNS = frozenset("=+-@")
ESCAPED = re.compile('[\\x00-\\x1f"\\\\\\x7f-\\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]')
"""What an escaped text cannot hold: line breaks, other controls and half characters; and what JSON escapes."""
ALLOWED = frozenset('"\\')
"""Those of them that alone are no reason to escape a text."""
INVISIBLE_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    r"""Rows as lines of CSV, one line for each.

    Numbers are written in full, None as an empty cell. A text is written unchanged unless a program that separates
    cells at commas, semicolons or tabs could take a part of it for a formula or for a new line, or it begins with an
    apostrophe. It is then written as an apostrophe and a JSON string without its quotation marks, so that
    `json.loads(f'"{cell[1:]}"')` is the text.

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
        if "," in cell or '"' in cell or (signed and place and not _is_number(value))
        else cell
        for place, (cell, value) in enumerate(zip(cells, values, strict=True))
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
    pieces = text.split(";")  # each of them is a cell where semicolons separate
    first, *others = ((piece, _first_visible(piece)) for piece in pieces)
    ends_open = len(pieces) > 1 and others[-1][1] is None  # such a reading may go on in the next line
    formulas = any(_is_formula(*piece) for piece in (first, *others))
    controls = any(found[0] not in ALLOWED for found in ESCAPED.finditer(text))
    if not (formulas or ends_open or controls or text.startswith("'")):
        return text
    escaped = [_escaped(piece, index if _is_formula(piece, index) else None) for piece, index in others]
    written = ";".join([f"'{_escaped(first[0], None)}", *escaped])
    if ends_open:
        head, _, tail = written.rpartition(";")
        written = f"{head}{_numbered(';')}{tail}"
    return written


def _is_formula(text: str, index: int | None) -> bool:
    """Whether a text is a formula by its first visible character, that at `index`."""
    return index is not None and unicodedata.normalize("NFKC", text[index])[0] in FORMULA_SIGNS


def _first_visible(text: str) -> int | None:
    """The index of the first visible character that is not a quotation mark; None if all are invisible or quotes."""
    for index, sign in enumerate(text):
        if not (sign == '"' or sign in INVISIBLE_LETTERS or unicodedata.category(sign)[0] in "CMZ"):
            return index
    return None


def _escaped(text: str, sign: int | None) -> str:
    """A text as JSON has it between quotation marks, and the character at index `sign` by its number too."""
    if sign is not None:
        return f"{_escaped(text[:sign], None)}{_numbered(text[sign])}{_escaped(text[sign + 1 :], None)}"
    return ESCAPED.sub(lambda found: _short(found[0]), text)


def _short(sign: str) -> str:
    return {"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"}.get(sign) or _numbered(sign)


def _numbered(sign: str) -> str:
    return f"\\u{ord(sign):04x}"
