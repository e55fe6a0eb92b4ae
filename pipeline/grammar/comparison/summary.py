"""The summary of any comparison of builders: accuracies, drawn beside sizes, and the most accurate builder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from pipeline.drawing.figures import LIGHT, PRINTED, fitted, label
from pipeline.drawing.frame import Axes, Inches, framed
from pipeline.drawing.looks import looks_of
from pipeline.drawing.marks import entry, few_ticks, interval, log_axis, names_width, point, ring, valued
from pipeline.grammar.columns import Row, grouped
from pipeline.grammar.comparison.leading import finding, tested_by_all
from pipeline.grammar.comparison.sections import ACCURACIES, comparison, first_fits
from pipeline.grammar.comparison.winners import WINNERS
from pipeline.grammar.findings import with_title
from pipeline.grammar.notable_trees import accuracy_in_words, drawable, notable
from pipeline.grammar.summary import Results, Summary
from pipeline.grid import NotableTree
from pipeline.words import counted, readable

MOST_TREES = 4

NAME_WIDTH, NUMBER_WIDTH = 30, 8
"""Widths of the columns of the terminal table, in characters."""
PARTIAL = "*"
"""Marks the mean of a builder some of whose fits failed."""


def accuracies_screen(results: Results, width: int) -> Group:
    """Accuracies in percent, a line for each data set with as many builders as fit; then the means."""
    accuracies, builders = results.rows(ACCURACIES), results.context["builders"]
    most = max(1, (width - NAME_WIDTH) // (NUMBER_WIDTH + 1))
    shown = list(builders)[:most]
    more = f"; {counted(len(builders) - most, 'more builder')} in accuracies.csv" if len(builders) > most else ""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("", overflow="fold", max_width=NAME_WIDTH)
    for builder in shown:
        table.add_column(Text(builder), justify="right", overflow="fold", max_width=NUMBER_WIDTH + 4)
    by_cell = {(row["_title"], row["builder"]): row for row in accuracies}
    titles = list(dict.fromkeys(title for title, _ in by_cell))
    for title in titles:
        table.add_row(Text(title), *(_mean(by_cell[title, builder]) for builder in shown))
    if any(row["n"] and row["failed"] for row in accuracies if row["builder"] in shown):
        more += f"; {PARTIAL}: some fits failed, and the mean leaves out their splits"
    whole = tested_by_all(accuracies, builders)
    if len(whole) > 1:
        overall = np.mean(list(whole.values()), axis=0)[: len(shown)]
        of = "all" if len(whole) == len(titles) else f"the {len(whole)} that all were tested on"
        table.add_row()
        table.add_row(Text(f"mean of {of}", style="bold"), *(f"{mean:.2f}" for mean in overall))
    return with_title(f"Test accuracy, %{more}", table)


def _mean(row: Row) -> Text:
    """The mean accuracy of a builder on a data set, marked if it leaves out splits; that all fits failed, else."""
    if row["test_accuracy"] is None:
        return Text("failed", style="red")
    return Text(f"{100 * row['test_accuracy']:.2f}{PARTIAL if row['failed'] else ''}")


def _trees(results: Results) -> list[NotableTree]:
    """The builders' trees on a split of the data set where drawable trees differ most in accuracy."""
    by_set = grouped(filter(drawable, first_fits(results).values()), "source", "part").values()
    chosen = max(by_set, key=lambda rows: (len(rows), np.ptp([row["test_accuracy"] for row in rows])), default=[])
    return [notable(row, accuracy_in_words(row)) for row in chosen[:MOST_TREES]]


LINE, APART = 0.34, 0.1
"""In inches: the least height of a data set, and of a builder in it."""
KEY_LINE, KEYS_IN_A_LINE = 0.24, 6
POINT: dict[str, Any] = {"linestyle": "", "markersize": 6.5, "markeredgecolor": "white", "markeredgewidth": 0.5}

Cell = tuple[str, str]
"""The title of a data set, and a builder."""
Looks = Mapping[str, Mapping[str, Any]]


def draw(
    accuracies: Sequence[Row],
    builders: Sequence[str],
    folder: Path,
    *,
    name: str = "accuracies",
    headline: str = "Accuracy, size and time",
    printed: Mapping[Cell, tuple[float, str]] | None = None,
) -> tuple[Path, ...]:
    """Draw `<name>.svg` and `.png` and return their paths; nothing if nothing was tested.

    Parameters
    ----------
    accuracies : sequence of Row
        Of the table `accuracies`.
    printed : mapping
        Printed accuracies in percent, and their texts, by title of the data set and builder.
    """
    tested = [row for row in accuracies if row["n"] and row["builder"] in builders]
    if not tested:
        return ()
    titles = list(dict.fromkeys(row["_title"] for row in tested))
    shown = [builder for builder in builders if any(row["builder"] == builder for row in tested)]
    looks = {builder: {"color": look.colour, "marker": look.marker} for builder, look in looks_of(shown).items()}
    heights = {
        (title, builder): line + (number + 1) / (len(shown) + 1) - 0.5
        for line, title in enumerate(titles)
        for number, builder in enumerate(shown)
    }
    sized = any(row["nodes"] for row in tested)
    lines = max(LINE, APART * (len(shown) + 1)) * len(titles)
    above = 0.95 + KEY_LINE * -(-(len(shown) + bool(printed)) // KEYS_IN_A_LINE)
    inches = Inches(
        11.0 if sized else 9.0, above + lines + 0.6, left=names_width(titles), right=0.15, above=above, below=0.6
    )
    counts = sorted({row["n"] for row in tested})
    many = f"{counts[0]} to {counts[-1]} splits" if len(counts) > 1 else counted(counts[0], "split")
    subtitle = f"means over {many}, with approximate 95 % intervals; nodes: those that training rows reach"
    costs = {"nodes": "nodes of the tree"} if sized else {}
    costs |= {"build_seconds": "seconds to build"}
    ratios = [1.7, *[1.0] * len(costs)]
    sizes = {"sharey": True, "wspace": 0.16, "width_ratios": ratios}
    with framed(folder, name, headline, subtitle, inches, (1, len(ratios)), lines="x", **sizes) as frame:
        panels = frame.panels[0]
        _accuracies(panels[0], tested, heights, printed or {}, looks)
        for panel, (measure, named) in zip(panels[1:], costs.items(), strict=True):
            _costs(panel, tested, heights, looks, measure, named)
        for panel in panels:
            for line in range(1, len(titles)):
                panel.axhline(line - 0.5, color=LIGHT, linewidth=0.6)
        panels[0].set_yticks(range(len(titles)), map(fitted, titles))
        panels[0].set_ylim(len(titles) - 0.5, -0.5)
        key = [entry(fitted(builder), **looks[builder], **POINT) for builder in shown]
        if printed:
            key.append(entry("printed", linestyle="", **PRINTED))
        frame.key(key, KEYS_IN_A_LINE, columnspacing=1.2, handletextpad=0.2)
    return frame.files


def _accuracies(
    axes: Axes,
    tested: Sequence[Row],
    heights: Mapping[Cell, float],
    printed: Mapping[Cell, tuple[float, str]],
    looks: Looks,
) -> None:
    """Draw mean test accuracies with their intervals, and the printed ones around them."""
    for row in tested:
        cell = (row["_title"], row["builder"])
        look, y = looks[row["builder"]], heights[cell]
        if row["low"] is not None:
            low, high = 100 * max(row["low"], 0.0), 100 * min(row["high"], 1.0)
            interval(axes, low, high, y, row=row, color=look["color"], linewidth=1.3, alpha=0.6)
        low, high = (None if row[end] is None else 100 * row[end] for end in ("low", "high"))
        name = f"{readable(row['builder'])} on {row['_title']}, accuracy in percent"
        words = valued(name, 100 * row["test_accuracy"], low, high)
        if cell in printed:
            figure, text = printed[cell]
            words += f"; printed {text}"
            label(ring(axes, figure, y), words, row)
        point(axes, 100 * row["test_accuracy"], y, words, row, **look, **POINT)
    few_ticks(axes.xaxis, 6)
    axes.set_xlabel("test accuracy, %")


def _costs(
    axes: Axes, tested: Sequence[Row], heights: Mapping[Cell, float], looks: Looks, measure: str, named: str
) -> None:
    """Draw the means of a measure with their intervals, on a logarithmic axis."""
    axes.set_xscale("log")
    drawn = [row for row in tested if row[measure]]
    ends = [row[name] for row in drawn for name in (measure, f"_{measure}_low", f"_{measure}_high")]
    positive = [end for end in ends if end and end > 0] or [1.0]
    axes.set_xlim(min(positive) / 1.3, max(positive) * 1.3)
    for row in drawn:
        y, look = heights[row["_title"], row["builder"]], looks[row["builder"]]
        low, high = (row[f"_{measure}_{end}"] for end in ("low", "high"))
        interval(axes, low, high, y, row=row, color=look["color"], linewidth=1.3, alpha=0.6)
        words = valued(f"{readable(row['builder'])} on {row['_title']}, {named}", row[measure], low, high)
        point(axes, row[measure], y, words, row, **look, **POINT)
    low, high = axes.get_xlim()
    of_few = (1, 2, 3, 5) if high > 3 * low else (1, 1.5, 2, 3, 5, 7)
    log_axis(axes.xaxis, (1,) if high > 300 * low else (1, 3) if high > 8 * low else of_few)
    axes.set_xlabel(f"{named}, mean")


SUMMARY = comparison(
    Summary(
        finding=finding,
        screen=lambda results, width: [accuracies_screen(results, width)],
        trees=_trees,
        figures=(lambda results, folder: draw(results.rows(ACCURACIES), results.context["builders"], folder),),
    ),
    WINNERS,
)
"""Accuracies of all builders, the most accurate one, and who wins against the first."""
