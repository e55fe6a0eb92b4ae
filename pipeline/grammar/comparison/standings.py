"""Standings of builders: accuracy, size and time of each beside the first, over the same data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table as Lines

from pipeline.drawing.figures import INK, fitted
from pipeline.drawing.frame import Inches, framed
from pipeline.drawing.looks import Look, looks_of
from pipeline.drawing.marks import entry, interval, log_axis, point, valued
from pipeline.grammar.columns import Key, Mean, Row, Value, estimate_of
from pipeline.grammar.comparison.ranks import LEVEL
from pipeline.grammar.findings import listing, points
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.summary.statistics import Estimate
from pipeline.words import counted, readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

PAIRS = {
    "pairs": """select l.builder, r.builder as against, l.accuracy, l.accuracy - r.accuracy as difference,
  l.train_accuracy - r.train_accuracy as train_difference, log10(l.nodes) as nodes,
  log10(l.nodes / r.nodes) as nodes_ratio,
  log10(l.build_seconds) as seconds, log10(l.build_seconds / r.build_seconds) as time_ratio
from sets l join sets r using (source, part) where l.good and r.good"""
}
"""Views: pairs of builders on each data set where no fit of either failed; accuracies in points, others logarithms."""

OF_ALL = "if(_sized, pow(10, $), null)"
"""SQL of a ratio of nodes; null if a builder has no tree on one of the data sets."""


def standings(name: str, title: str, headline: str = "") -> Summary:
    """Each builder beside the first, a row for each that shares a data set with it; drawn if there is a headline."""
    table = Table(
        name,
        title,
        of="pairs",
        columns=[
            Key("builder"),
            Key("against"),
            Value("n", "count(*)"),
            Value("accuracy", "avg(accuracy)"),
            Mean("difference", n=""),
            Value("nodes", "if(count(nodes) = count(*), pow(10, avg(nodes)), null)"),
            Value("_sized", "count(nodes_ratio) = count(*)"),
            Mean("nodes_ratio", n="", low="nodes_low", high="nodes_high", shown_as=OF_ALL),
            Value("build_seconds", "pow(10, avg(seconds))"),
            Mean("time_ratio", n="", low="time_low", high="time_high", shown_as="pow(10, $)"),
        ],
        beside="ours join builders b on b.name = builder join builders f on f.name = against and f.place = 0",
        order="b.place",
        note=_note,
    )
    return Summary(
        tables=(table,),
        views=PAIRS,
        figures=(partial(_draw, table, headline),) if headline else (),
        closing=lambda results: [_most_accurate(results.rows(table))],
        screen=lambda results, _: [_screen(results.rows(table))],
    )


def _most_accurate(rows: Sequence[Row]) -> str:
    """The builder furthest above the first in accuracy, in words; empty if there is no other."""
    if len(rows) < 2:
        return ""
    best, first = max(rows, key=lambda row: row["difference"]), rows[0]
    over = f"on average over {counted(best['n'], 'data set')}"
    if best["builder"] == first["builder"]:
        return f"no builder is more accurate than {first['builder']} {over}"
    difference = estimate_of(best, "difference")
    if difference is None:
        return ""
    chance = " (not significant)" if difference.t_p is not None and difference.t_p >= LEVEL else ""
    return f"{best['builder']} is the most accurate, {points(difference)} above {first['builder']} {over}{chance}"


def _screen(rows: Sequence[Row]) -> Lines:
    """A line for each builder."""
    headings = ("", "accuracy, %", "difference, points", "nodes", "build seconds")
    shown = listing("Compared with the first builder", headings)
    for row in rows:
        size = "" if row["nodes"] is None else f"{row['nodes']:.1f}"
        difference = with_interval(estimate_of(row, "difference"))
        shown.add_row(row["builder"], f"{row['accuracy']:.2f}", difference, size, f"{row['build_seconds']:.3g}")
    return shown


def with_interval(estimate: Estimate | None) -> str:
    """A mean with its sign and half its 95 % interval."""
    if estimate is None:
        return ""
    half = "" if estimate.high is None else f" ± {estimate.high - estimate.mean:.2f}"
    return f"{estimate.mean:+.2f}{half}"


def _note(rows: Sequence[Row]) -> str:
    first = rows[0]["against"] if rows else "the first builder"
    return (
        "n: data sets; accuracy: mean over them, in percent; nodes, build_seconds: geometric means over them, the "
        f"nodes of single trees only. difference: of the accuracy from that of {first}, in points. nodes_ratio, "
        f"time_ratio: geometric means of the ratios to {first}. Differences and ratios are paired by data set, with "
        "95 % normal intervals from low to high."
    )


MOST_IN_A_LINE = 6

MOST_WITH_FIVES = 100
"""Beyond this ratio of its ends, an axis has no space for ticks at 2, 3 and 5."""


def _draw(table: Table, headline: str, results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `<name>.svg` and `.png`, accuracy against size and time; nothing without two builders."""
    standings = results.rows(table)
    if len(standings) < 2:
        return ()
    subtitle = (
        f"mean differences of accuracy and geometric mean ratios over {counted(standings[0]['n'], 'data set')}; bars: "
        "95 % intervals, paired by data set; hollow: not a single tree"
    )
    inches = Inches(12.5, 6.2, left=0.94, right=0.19, above=1.55, below=0.71)
    with framed(folder, table.name, headline, subtitle, inches, (1, 2), sharey=True, wspace=0.08) as frame:
        size, time = frame.panels[0]
        ratios_panel(size, standings, "nodes")
        ratios_panel(time, standings, "time")
        size.set_ylabel(f"test accuracy, points above {fitted(standings[0]['builder'])}")
        frame.key(key(standings), MOST_IN_A_LINE)
    return frame.files


def key(standings: Sequence[Row]) -> list[Line2D]:
    """What each builder's point looks like."""
    looks = looks_of([row["builder"] for row in standings])
    return [entry(fitted(row["builder"]), **_mark(row, looks)) for row in standings]


def ratios_panel(axes: Axes, standings: Sequence[Row], measure: str) -> None:
    """Draw differences in accuracy against the ratio of a measure, `nodes` or `time`; hollow: not a single tree."""
    axes.set_xscale("log")
    axes.axhline(0, color=INK, linewidth=0.8)
    looks = looks_of([row["builder"] for row in standings])
    for row in standings:
        x, low, high = (row[f"{measure}_{end}"] for end in ("ratio", "low", "high"))
        if x is None:
            continue
        look: dict[str, Any] = {"row": row, "color": looks[row["builder"]].colour, "linewidth": 1.2, "alpha": 0.6}
        interval(axes, low, high, row["difference"], **look)
        interval(axes, row["low"], row["high"], x, upright=True, **look)
        accuracy = valued(f"{readable(row['builder'])}, points of accuracy", row["difference"], row["low"], row["high"])
        point(axes, x, row["difference"], f"{accuracy}; {measure} times {x:.3g}", row, **_mark(row, looks))
    what = {"nodes": "nodes", "time": "seconds to build"}[measure]
    axes.set_xlabel(f"{what}, times those of {fitted(standings[0]['builder'])}")
    axes.set_title("Size" if measure == "nodes" else "Time")
    axes.margins(x=0.06, y=0.06)
    low, high = axes.get_xlim()
    log_axis(axes.xaxis, (1, 3) if high > MOST_WITH_FIVES * low else (1, 2, 3, 5))


def _mark(row: Row, looks: Mapping[str, Look]) -> dict[str, Any]:
    """The marker of a builder, hollow where it is not a single tree."""
    look, whole = looks[row["builder"]], row["nodes_ratio"] is not None
    return {
        "linestyle": "",
        "markersize": 8,
        "marker": look.marker,
        "markerfacecolor": look.colour if whole else "white",
        "markeredgecolor": "white" if whole else look.colour,
        "markeredgewidth": 0.7 if whole else 1.4,
    }
