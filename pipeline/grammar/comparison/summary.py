"""The summary of any comparison of builders, and what those of the papers' comparisons have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.leading import accuracies_screen, leading
from pipeline.grammar.comparison.tables import ACCURACIES, CLASSES, VIEWS
from pipeline.grammar.notable_trees import drawable, notable, right
from pipeline.grammar.summary import Found, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["SUMMARY", "comparison", "first_fits", "splits"]

MOST_TREES = 4


def comparison(
    *tables: Table,
    finding: Callable[[Found], Sequence[str]],
    screen: Callable[[Found, int], list[RenderableType]],
    trees: Callable[[Found], Sequence[NotableTree]],
    views: Mapping[str, str] | None = None,
    **others: Any,
) -> Summary:
    """The summary of a comparison of builders with tables of its own before those of accuracies and classes.

    Parameters
    ----------
    tables : Table
        Its own; they take observations from the views `fits` and `sets`, from `views` and the tables of the run.
    finding, screen, trees, others
        As `Summary` has them.
    """
    return Summary(
        tables=(*tables, ACCURACIES, CLASSES),
        finding=finding,
        views={**VIEWS, **(views or {})},
        screen=screen,
        trees=trees,
        **others,
    )


def splits(found: Found, *also: str) -> list[dict[str, Row]]:
    """The result rows of each split by builder, in their order; splits that differ in a column of `also` are apart."""
    by_split: dict[tuple[Any, ...], dict[str, Row]] = {}
    for row in found.ask("from results order by position"):
        split = tuple(row[name] for name in ("source", "part", "repeat", "fold", *also))
        by_split.setdefault(split, {})[row["builder"]] = row
    return list(by_split.values())


def first_fits(found: Found) -> dict[tuple[str, str, str], Row]:
    """The first result row of each builder on each data set, by source, part and builder."""
    rows = found.ask(
        "from results qualify row_number() over (partition by source, part, builder order by position) = 1 "
        "order by position"
    )
    return {(row["source"], row["part"], row["builder"]): row for row in rows}


def _finding(found: Found) -> list[str]:
    return [leading(found.rows(ACCURACIES), found.context["builders"])]


def _screen(found: Found, width: int) -> list[RenderableType]:
    return [accuracies_screen(found.rows(ACCURACIES), found.context["builders"], width)]


def _trees(found: Found) -> list[NotableTree]:
    """The builders' trees of a split, of the data set on which drawable ones are furthest apart in accuracy."""
    by_set: dict[tuple[str, str], list[Row]] = {}
    for (source, part, _), row in first_fits(found).items():
        if drawable(row):
            by_set.setdefault((source, part), []).append(row)
    chosen = max(by_set.values(), key=lambda rows: (len(rows), _spread(rows)), default=[])
    return [notable(row, right(row)) for row in chosen[:MOST_TREES]]


def _spread(rows: Sequence[Row]) -> float:
    accuracies = [row["test_accuracy"] for row in rows]
    return float(max(accuracies) - min(accuracies))


def _draw(found: Found, folder: Path) -> Sequence[Path]:
    from pipeline.grammar.comparison.accuracies_figure import draw

    return draw(found.rows(ACCURACIES), found.context["builders"], folder)


SUMMARY = comparison(finding=_finding, screen=_screen, trees=_trees, figures=(_draw,))
"""Accuracies of all builders, and which is the most accurate."""
