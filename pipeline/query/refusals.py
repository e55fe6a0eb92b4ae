"""Messages about questions that DuckDB refuses."""

from __future__ import annotations

import re
from collections.abc import Iterable

import duckdb

from pipeline.sql import identifier

__all__ = ["told", "with_quotes"]

TRACEBACK = "Traceback (most recent call last)"
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


def told(error: Exception) -> str:
    """DuckDB's message without empty lines; for an error of Python below DuckDB, its last line."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1] if TRACEBACK in str(error) else "\n".join(lines)


def with_quotes(error: duckdb.ParserException, question: str, columns: Iterable[str]) -> duckdb.ParserException:
    """The error, with the quoted form of columns in a question that are keywords."""
    bare = QUOTED.sub("", question)
    used = [name for name in columns if re.search(rf"(?<![.\w]){name}\b(?!\s+by\b)", bare, re.IGNORECASE)]
    if not used:
        return error
    why, *further = str(error).splitlines()
    quoted = ", ".join(map(identifier, used))
    return duckdb.ParserException("\n".join([f"{why}; as a name {', '.join(used)} needs quotes: {quoted}", *further]))
