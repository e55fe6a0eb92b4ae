"""The trees worth showing, and their titles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pipeline.grammar.columns import NAME, TITLE, grouped, titled
from pipeline.grammar.findings import above
from pipeline.grammar.summary import Results
from pipeline.grid import NotableTree
from pipeline.schema import IDENTITY
from pipeline.words import counted

Row = Mapping[str, Any]

MOST_NODES = 60
"""Nodes of the largest tree that fits a page."""


def row_identity(row: Row) -> dict[str, Any]:
    """The columns that identify a result row, with its values."""
    return {name: row[name] for name in IDENTITY if row.get(name) is not None}


def greedy(heuristic: str) -> dict[str, str]:
    """The columns that identify the row of a heuristic, `type/measure`, on its table."""
    kind, measure = heuristic.split("/")
    return {"builder": "greedy", "impurity_type": kind, "uncertainty": measure}


def least(cost: str) -> dict[str, str]:
    """The columns that identify the row of the minima on its table, and the `cost` whose tree is shown."""
    return {"builder": "exact", "cost": cost}


def beside_fewest(results: Results, how_much: Callable[[Row, Row, Row], float]) -> list[NotableTree]:
    """A tree of fewest nodes beside the smallest and the largest grown tree, for the table that maximises `how_much`.

    Parameters
    ----------
    results : Results
        Its result rows are about tables: for each table one row of the minima, and rows of trees.
    how_much : callable
        Gives a number for the row of the minima and the rows of the smallest and the largest tree that fit a page.
    """
    named = results.query(f"select *, {NAME} as name, {TITLE} as title from results order by position")
    tables = []
    for rows in grouped(named, "title").values():
        exact = next(row for row in rows if row["builder"] == "exact")
        grown = sorted((row for row in rows if row is not exact and drawable(row)), key=lambda row: row["nodes"])
        if grown and drawable(exact):
            tables.append((exact, grown[0], next(row for row in grown if row["nodes"] == grown[-1]["nodes"])))
    if not tables:
        return []
    exact, *ends = max(tables, key=lambda rows: how_much(*rows))
    trees = [NotableTree(f"{exact['title']}, a tree of fewest nodes", row_identity(exact) | least("nodes"))]
    for name, row in {row["name"]: row for row in ends}.items():
        more = above(row["nodes"] / exact["nodes"] - 1)
        trees.append(NotableTree(f"{exact['title']} by {name}, nodes {more}", row_identity(row)))
    return trees


def drawable(row: Row) -> bool:
    """Whether a row has a tree that fits a page."""
    return row["status"] == "ok" and row["nodes"] is not None and row["nodes"] <= MOST_NODES


def notable(row: Row, remark: str) -> NotableTree:
    """The tree of a result row, titled with its builder, its rows, its leaves and a remark."""
    leaves = counted(row["terminal_nodes"], "leaf", "leaves")
    return NotableTree(f"{row['builder']} on {where(row)}: {leaves}, {remark}", row_identity(row))


def where(row: Row) -> str:
    """The data set of a row and, if it has one, its split."""
    split = (f"{name} {row[name]}" for name in ("repeat", "fold") if row.get(name) is not None)
    return ", ".join([titled(row), *split])


def accuracy_in_words(row: Row) -> str:
    """The test accuracy of a row, in words."""
    return f"{100 * row['test_accuracy']:.1f} % of test rows correct"


def errors_in_words(row: Row) -> str:
    """The training errors of a row, in words."""
    return f"{round((1 - row['train_accuracy']) * row['rows'])} of {row['rows']} training rows wrong"


def pair_of_most(
    splits: Iterable[Mapping[str, Row]], first: str, second: str, gain: Callable[[Row, Row], float]
) -> tuple[Row, ...]:
    """The drawable rows of two builders on the split with the greatest positive gain; () if there is none.

    splits : for each split, the rows keyed by builder
    """
    both = [(split[first], split[second]) for split in splits if first in split and second in split]
    pairs = [pair for pair in both if all(map(drawable, pair)) and gain(*pair) > 0]
    return max(pairs, key=lambda pair: gain(*pair), default=())


def furthest_ahead(splits: Iterable[Mapping[str, Row]], ahead: str, behind: str) -> tuple[NotableTree, ...]:
    """The trees of two builders on the split where `ahead` leads `behind` most in test accuracy."""
    pair = pair_of_most(splits, ahead, behind, lambda leader, other: leader["test_accuracy"] - other["test_accuracy"])
    return tuple(notable(row, accuracy_in_words(row)) for row in pair)


def no_worse_but_smaller(splits: Iterable[Mapping[str, Row]], larger: str, smaller: str) -> tuple[NotableTree, ...]:
    """The trees of two builders on the split where the smaller saves most leaves without losing test accuracy."""
    pair = pair_of_most(splits, larger, smaller, _saved)
    return tuple(notable(row, accuracy_in_words(row)) for row in pair)


def _saved(large: Row, small: Row) -> float:
    saves = small["test_accuracy"] >= large["test_accuracy"] and small["terminal_nodes"] < large["terminal_nodes"]
    return float(large["terminal_nodes"] / small["terminal_nodes"]) if saves else 0.0
