"""Sections of the summary of a comparison of builders, and what they make together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.tables import ACCURACIES, CLASSES, VIEWS
from pipeline.grammar.summary import Found, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree

__all__ = ["Section", "comparison", "first_fits", "splits"]


@dataclass(frozen=True)
class Section:
    """Tables of a comparison, and what is found, shown and drawn of them.

    Parameters
    ----------
    tables, views, constants, figures
        As `Summary` has them. Tables take observations from the views `fits` and `sets`, from `views` and the tables
        of the run.
    finding, closing : callable
        Clauses of the finding: in the order of the sections, and after those of all sections.
    screen, trees : callable
        As `Summary` has them.
    """

    tables: Sequence[Table] = ()
    views: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    figures: Sequence[Callable[[Found, Path], Sequence[Path]]] = ()
    finding: Callable[[Found], Sequence[str]] = lambda _: ()
    closing: Callable[[Found], Sequence[str]] = lambda _: ()
    screen: Callable[[Found, int], Sequence[RenderableType]] = lambda _, __: ()
    trees: Callable[[Found], Sequence[NotableTree]] = lambda _: ()


def comparison(*sections: Section, printed: Path | None = None) -> Summary:
    """The summary of a comparison of builders: its sections, then the tables of accuracies and classes.

    Parameters
    ----------
    printed : Path or None
        As `Summary` has it.
    """

    def of_all(part: str, *given: Any) -> list[Any]:
        return [one for section in sections for one in getattr(section, part)(*given)]

    return Summary(
        tables=(*(table for section in sections for table in section.tables), ACCURACIES, CLASSES),
        views=VIEWS | {name: sql for section in sections for name, sql in section.views.items()},
        constants={name: rows for section in sections for name, rows in section.constants.items()},
        printed=printed,
        figures=[draw for section in sections for draw in section.figures],
        finding=lambda found: [*of_all("finding", found), *of_all("closing", found)],
        screen=lambda found, width: of_all("screen", found, width),
        trees=lambda found: of_all("trees", found),
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
