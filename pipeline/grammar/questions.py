"""What rows are called, and SQL of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["NAME", "TITLE", "titled"]

NAME = "if(builder = 'greedy', impurity_type || '/' || uncertainty, builder)"
"""What built a tree for a table is called: its heuristic, or its name."""
TITLE = "if(part = 'all', source, source || ' (' || part || ')')"
"""What a data set is called: its source, and its part where that is not the whole."""


def titled(row: Mapping[str, Any]) -> str:
    """What the data set of a row is called, as `TITLE` has it."""
    return str(row["source"]) if row["part"] == "all" else f"{row['source']} ({row['part']})"
