"""Which result rows have trees worth seeing, and what they are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["MOST_NODES", "called", "drawable", "greedy", "least"]

MOST_NODES = 60
"""Nodes of the largest tree that a page has room for."""

IDENTITY = (
    *("source", "part", "group", "table_index", "repeat", "fold", "builder", "impurity_type", "uncertainty"),
    *("parameters", "removal_order", "removed_attributes"),
)
"""The columns that tell a result row from the others."""


def called(row: Mapping[str, Any]) -> dict[str, Any]:
    """What tells a result row from the others."""
    return {name: row[name] for name in IDENTITY if row.get(name) is not None}


def greedy(heuristic: str) -> dict[str, str]:
    """What the row of a heuristic, `type/measure`, is called on its table."""
    kind, measure = heuristic.split("/")
    return {"builder": "greedy", "impurity_type": kind, "uncertainty": measure}


def least(cost: str) -> dict[str, str]:
    """What the row of the minima is called on its table, where a tree of least `cost` is wanted."""
    return {"builder": "exact", "cost": cost}


def drawable(row: Mapping[str, Any]) -> bool:
    """Whether a row has a tree, and a page room for it."""
    return row["status"] == "ok" and row["nodes"] is not None and row["nodes"] <= MOST_NODES
