"""The summary of any comparison of builders: accuracies, and which builder is the most accurate of all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.table import Table
from rich.text import Text

from pipeline.grammar.columns import Row, grouped
from pipeline.grammar.comparison.accuracies_figure import draw
from pipeline.grammar.comparison.sections import Section, comparison, first_fits
from pipeline.grammar.comparison.tables import ACCURACIES
from pipeline.grammar.findings import points
from pipeline.grammar.notable_trees import drawable, notable, right
from pipeline.grammar.summary import Found
from pipeline.grid import NotableTree
from pipeline.screen import counted
from pipeline.summary.statistics import PairedMoments

__all__ = ["SUMMARY", "leading"]

MOST_TREES = 4

ROOM_FOR_A_NAME, ROOM_FOR_A_NUMBER = 30, 8
"""Columns of the screen."""


def leading(accuracies: Sequence[Row], builders: Sequence[str]) -> str:
    """Which builder has the greatest mean accuracy over the data sets that all were tested on, and by how much."""
    whole = _tested_by_all(accuracies, builders)
    if not whole:
        return f"no data set was tested with all of {counted(len(builders), 'builder')}"
    moments = PairedMoments.of(np.array(list(whole.values())))
    on = next(iter(whole)) if len(whole) == 1 else f"{len(whole)} data sets"
    best, *others = sorted(range(len(builders)), key=lambda place: -moments.mean[place])
    share = f"{builders[best]}, {moments.mean[best]:.1f} % of test rows right on {on}"
    if not others:
        return f"tested was {share}"
    ahead = moments.difference(best, others[0])
    by = f"{points(ahead)} above {builders[others[0]]}" if ahead.mean else f"as many as {builders[others[0]]}"
    return f"the most accurate of {len(builders)} builders is {share}, {by}"


def _tested_by_all(accuracies: Sequence[Row], builders: Sequence[str]) -> dict[str, list[float]]:
    """The data sets that all builders were tested on, on every split, and their mean accuracies there, in percent."""
    found = {(row["_title"], row["builder"]): row["test_accuracy"] for row in accuracies if not row["failed"]}
    by_title = {title: [found.get((title, one)) for one in builders] for title, _ in found}
    return {title: [100 * one for one in own] for title, own in by_title.items() if None not in own}  # type: ignore[operator]


def _screen(accuracies: Sequence[Row], builders: Sequence[str], width: int) -> Table:
    """Accuracies in percent, a line for each data set, as many builders as there is room for; then the means."""
    room = max(1, (width - ROOM_FOR_A_NAME) // (ROOM_FOR_A_NUMBER + 1))
    shown = list(builders)[:room]
    more = f"; {len(builders) - room} more builders in accuracies.csv" if len(builders) > room else ""
    table = Table(title=f"Test accuracy, %{more}", title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("", overflow="fold", max_width=ROOM_FOR_A_NAME)
    for builder in shown:
        table.add_column(Text(builder), justify="right", overflow="fold", max_width=ROOM_FOR_A_NUMBER + 4)
    by_cell = {(row["_title"], row["builder"]): row["test_accuracy"] for row in accuracies}
    titles = list(dict.fromkeys(title for title, _ in by_cell))
    for title in titles:
        found = [by_cell[title, builder] for builder in shown]
        table.add_row(
            Text(title), *(Text("failed", style="red") if one is None else f"{100 * one:.2f}" for one in found)
        )
    whole = _tested_by_all(accuracies, builders)
    if len(whole) > 1:
        means = np.mean(list(whole.values()), axis=0)[: len(shown)]
        of = "all" if len(whole) == len(titles) else f"the {len(whole)} that all were tested on"
        table.add_row()
        table.add_row(Text(f"mean of {of}", style="bold"), *(f"{mean:.2f}" for mean in means))
    return table


def _trees(found: Found) -> list[NotableTree]:
    """The builders' trees of a split, of the data set on which drawable ones are furthest apart in accuracy."""
    by_set = grouped(filter(drawable, first_fits(found).values()), "source", "part").values()
    chosen = max(by_set, key=lambda rows: (len(rows), _spread(rows)), default=[])
    return [notable(row, right(row)) for row in chosen[:MOST_TREES]]


def _spread(rows: Sequence[Row]) -> float:
    accuracies = [row["test_accuracy"] for row in rows]
    return float(max(accuracies) - min(accuracies))


SUMMARY = comparison(
    Section(
        finding=lambda found: [leading(found.rows(ACCURACIES), found.context["builders"])],
        screen=lambda found, width: [_screen(found.rows(ACCURACIES), found.context["builders"], width)],
        trees=_trees,
        figures=(lambda found, folder: draw(found.rows(ACCURACIES), found.context["builders"], folder),),
    )
)
"""Accuracies of all builders, and which is the most accurate."""
