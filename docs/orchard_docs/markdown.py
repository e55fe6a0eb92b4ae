"""Tables in Markdown, and what their cells say of types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

__all__ = ["kind_of", "table"]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def kind_of(kind: pa.DataType) -> str:
    """What a column holds; of one whose values are kept once each, what these are."""
    return str(kind.value_type if pa.types.is_dictionary(kind) else kind)
