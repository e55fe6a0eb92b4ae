"""SQL of what rows are called."""

from __future__ import annotations

__all__ = ["NAME", "TITLE"]

NAME = "if(builder = 'greedy', impurity_type || '/' || uncertainty, builder)"
"""What built a tree for a table is called: its heuristic, or its name."""
TITLE = "if(part = 'all', source, source || ' (' || part || ')')"
"""What a data set is called: its source, and its part where that is not the whole."""
