"""Values and names as SQL has them, whatever they hold."""

from __future__ import annotations

import math

__all__ = ["identifier", "literal"]

EXACT_DIGITS = 15  # up to which SQL's decimal of a float's digits is that float again


def literal(value: str | int | float | None) -> str:
    """A value in SQL: a text of any signs, a number to the bit, or null."""
    if value is None:
        return "null"
    if isinstance(value, str):
        quoted = "'" + value.replace("'", "''") + "'"
        return "(" + quoted.replace("\0", "' || chr(0) || '") + ")" if "\0" in value else quoted  # no line can hold it
    if not isinstance(value, float):
        return str(value)
    number = repr(float(value))
    if not math.isfinite(value):
        return f"'{number}'::double"
    whole = "e" in number or sum(map(str.isdigit, number)) <= EXACT_DIGITS
    return number if whole else f"{number}e0"  # a double, where a decimal would be another number


def identifier(name: str) -> str:
    """A name of a column or view in SQL, in quotes, so that it is never a word of the language."""
    return '"' + name.replace('"', '""') + '"'
