"""Counts of things as text."""

from __future__ import annotations


def counted(number: int, thing: str, things: str | None = None) -> str:
    """`1 row`, `2,000 rows`; `things` is the plural if it is not formed with an s."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"
