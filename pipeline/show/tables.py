"""A decision table and the stored rows of an item, for the screen."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from algorithms.table import DecisionTable
from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.show.rows import Row

__all__ = ["rows_of_table", "stored_table"]

SHOWN_ROWS = 60
NAMES = ("builder", "impurity function", "repeat", "parameters")


def rows_of_table(table: DecisionTable) -> Table:
    """The first rows of a table, by their labels."""
    shown = Table(box=None, header_style="bold", pad_edge=False)
    for name in (*table.labels.attributes, "decision"):
        shown.add_column(escape(name), justify="right")
    for codes, decision in zip(table.codes[:SHOWN_ROWS], table.decisions[:SHOWN_ROWS], strict=True):
        labels = [values[code] for values, code in zip(table.labels.values, codes, strict=True)]
        shown.add_row(*(escape(str(label)) for label in labels), escape(str(table.labels.decisions[decision])))
    if table.rows > SHOWN_ROWS:
        shown.caption, shown.caption_justify = f"the first {SHOWN_ROWS} of {table.rows:,} distinct rows", "left"
    return shown


def stored_table(stored: Sequence[Row]) -> Table | str:
    """The stored rows of an item: distinguishing columns, the costs of their trees and their accuracies."""
    if not stored:
        return "no rows are stored for it yet"
    measures = [*COST_FUNCTIONS, *(name for name in ("train_accuracy", "test_accuracy") if _any(name, stored))]
    names = _telling_apart(stored)
    shown = Table(title="stored rows", title_justify="left")
    for name in names:
        shown.add_column(name, overflow="fold")
    for measure in measures:
        shown.add_column(measure.replace("_", " "), justify="right")
    for row in stored:
        lacking = "" if row.get("status", "ok") == "ok" else str(row["status"])  # empty without a tree
        numbers = [lacking if row.get(name) is None else f"{row[name]:.4g}" for name in measures]
        exact = row["builder"] == "exact"
        shown.add_row(*(escape(_name(name, row)) for name in names), *numbers, style="bold" if exact else "")
    return shown


def _telling_apart(rows: Sequence[Row]) -> list[str]:
    """As few columns as distinguish the rows; always the first."""
    names = [NAMES[0]]
    for name in NAMES[1:]:
        if len({tuple(_name(one, row) for one in names) for row in rows}) == len(rows):
            break
        if len({_name(name, row) for row in rows}) > 1:
            names.append(name)
    return names


def _any(name: str, rows: Sequence[Row]) -> bool:
    return any(row.get(name) is not None for row in rows)


def _name(name: str, row: Row) -> str:
    if name == "impurity function":
        halves = f"{row.get('impurity_type')}/{row.get('uncertainty')}"
        return halves if row.get("impurity_type") else "least of each" if row["builder"] == "exact" else ""
    return "" if row.get(name) is None else str(row[name])
