"""Values and names in SQL, whatever they contain; a quiet connection; and one that reads only given files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CLOSED_SETTINGS = (
    "set python_enable_replacements = false",  # names are views, never variables of a program
    "set autoinstall_known_extensions = false",
    "set autoload_known_extensions = false",
    "set enable_external_access = false",
    "set lock_configuration = true",
)
EXACT_DIGITS = 15  # below it, the SQL decimal of a float's digits is that float again


def literal(value: str | int | float | None) -> str:
    """A value as an SQL literal: a text of any characters, a number exact to the bit, or null."""
    if value is None:
        return "null"
    if isinstance(value, str):
        quoted = "'" + value.replace("'", "''") + "'"
        return "(" + quoted.replace("\0", "' || chr(0) || '") + ")" if "\0" in value else quoted  # no NUL in it
    if not isinstance(value, float):
        return str(value)
    number = repr(float(value))
    if not math.isfinite(value):
        return f"'{number}'::double"
    exact = "e" in number or sum(map(str.isdigit, number)) <= EXACT_DIGITS
    return number if exact else f"{number}e0"  # a double; as a decimal it would be a different number


def literals(rows: Iterable[Iterable[str | int | float | None]]) -> str:
    """Rows of values as SQL literals, to follow `values`."""
    return ", ".join(f"({', '.join(map(literal, row))})" for row in rows)


def identifier(name: str) -> str:
    """A name of a column or view in SQL, quoted so that it is never a keyword."""
    return '"' + name.replace('"', '""') + '"'


def hide_progress(connection: DuckDBPyConnection) -> None:
    """Keep DuckDB from drawing a progress bar, which would go to the output of an answer."""
    from duckdb import InvalidInputException

    with suppress(InvalidInputException):  # in Jupyter without ipywidgets, where it cannot draw one
        connection.execute("set enable_progress_bar = false")


def close_to_others(connection: DuckDBPyConnection, files: Sequence[str]) -> None:
    """Let SQL read only these files: no other file, no network, no extension and no setting."""
    connection.execute("set allowed_paths = $files", {"files": files})
    for setting in CLOSED_SETTINGS:
        connection.execute(setting)
