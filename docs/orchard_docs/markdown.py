"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["table"]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
