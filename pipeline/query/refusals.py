"""Why DuckDB refuses a question, in as few lines as a person needs."""

from __future__ import annotations

import re
from collections.abc import Iterable

import duckdb

from pipeline.sql import identifier

__all__ = ["told", "with_quotes"]

SIGNATURES = "Candidate functions:"
PLACE = re.compile(r"LINE \d+: ")
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
MOST_SIGNATURES = 3


def told(error: Exception) -> str:
    """What an error says in a line, and below it, where it is about a place in a question, that place with a caret.

    Of an error that came up in Python below DuckDB, the last line.
    """
    said = str(error).strip()
    if "Traceback (most recent call last)" in said:
        return said.splitlines()[-1]
    lines = said.splitlines()
    at = next((place for place, line in enumerate(lines) if PLACE.match(line)), len(lines))
    why = _with_few_signatures([line.strip() for line in lines[:at] if line.strip()])
    return "\n".join([" ".join(why), *_pointed_at(lines[at : at + 2])])


def with_quotes(error: duckdb.ParserException, question: str, columns: Iterable[str]) -> duckdb.ParserException:
    """The error, with how to write those columns in a question that are words of the language; `group by` is none."""
    bare = QUOTED.sub("", question)
    used = [name for name in columns if re.search(rf"(?<![.\w]){name}\b(?!\s+by\b)", bare, re.IGNORECASE)]
    if not used:
        return error
    why, *further = str(error).splitlines()
    quoted = ", ".join(map(identifier, used))
    return duckdb.ParserException("\n".join([f"{why}; as a name {', '.join(used)} needs quotes: {quoted}", *further]))


def _with_few_signatures(lines: list[str]) -> list[str]:
    """The lines with the first of the functions that DuckDB has by a name, of which it may have dozens."""
    if SIGNATURES not in lines:
        return lines
    at = lines.index(SIGNATURES)
    known = lines[at + 1 :]
    more = ", …" if len(known) > MOST_SIGNATURES else ""
    return [*lines[:at], f"{SIGNATURES} {', '.join(known[:MOST_SIGNATURES])}{more}"]


def _pointed_at(lines: list[str]) -> list[str]:
    """The line of the question and the caret below it, without the number of the line, which is another's."""
    if len(lines) < 2:
        return []
    margin = len(lines[0]) - len(PLACE.sub("", lines[0], count=1))
    return [f"  {line[margin:]}".rstrip() for line in lines]
