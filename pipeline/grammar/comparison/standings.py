"""Where builders stand: accuracy, size and time of each beside the first, over the same data sets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.table import Table as Lines

from pipeline.grammar.columns import Key, Mean, Row, Value, estimate_of
from pipeline.grammar.comparison.sections import Section
from pipeline.grammar.comparison.standings_figure import draw
from pipeline.grammar.findings import points
from pipeline.grammar.pivot import listing
from pipeline.grammar.summary import Found
from pipeline.grammar.table import Table
from pipeline.screen import counted
from pipeline.summary.statistics import Estimate

__all__ = ["standings", "with_interval"]

PAIRS = {
    "pairs": """select l.builder, r.builder as against, l.accuracy, l.accuracy - r.accuracy as difference,
  l.train_accuracy - r.train_accuracy as train_difference, log10(l.nodes) as nodes,
  log10(l.nodes / r.nodes) as nodes_ratio,
  log10(l.build_seconds) as seconds, log10(l.build_seconds / r.build_seconds) as time_ratio
from sets l join sets r using (source, part) where l.good and r.good"""
}
"""Two builders on each data set on which no fit of either failed: accuracies in points, others in logarithms."""

OF_ALL = "if(_sized, pow(10, $), null)"
"""A ratio of nodes; null where one of the data sets has a builder without a tree."""


def standings(name: str, title: str, headline: str = "") -> Section:
    """Each builder beside the first: a row for each that shares a data set with it; drawn where there is a headline."""
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
    figure = partial(_draw, table, headline)
    return Section(
        tables=(table,),
        views=PAIRS,
        figures=(figure,) if headline else (),
        closing=lambda found: [_most_accurate(found.rows(table))],
        screen=lambda found, _: [_screen(found.rows(table))],
    )


def _most_accurate(rows: Sequence[Row]) -> str:
    """The builder furthest above the first in accuracy, in words; empty where there is no other."""
    if len(rows) < 2:
        return ""
    best, first = max(rows, key=lambda row: row["difference"]), rows[0]
    over = f"on the mean of {counted(best['n'], 'data set')}"
    if best["builder"] == first["builder"]:
        return f"no builder is more accurate than {first['builder']} {over}"
    apart = estimate_of(best, "difference")
    return f"{best['builder']} is the most accurate, {points(apart)} above {first['builder']} {over}" if apart else ""


def _screen(rows: Sequence[Row]) -> Lines:
    """A line for each builder."""
    headings = ("", "accuracy, %", "difference, points", "nodes", "build seconds")
    shown = listing("Beside the first builder", headings)
    for row in rows:
        size = "" if row["nodes"] is None else f"{row['nodes']:.1f}"
        apart = with_interval(estimate_of(row, "difference"))
        shown.add_row(row["builder"], f"{row['accuracy']:.2f}", apart, size, f"{row['build_seconds']:.3g}")
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
        "n: data sets; accuracy: percent, the mean over them; difference (points), and the ratios of the nodes and of "
        f"the build times: to {first}, paired by data set, with 95 % normal intervals low to high. nodes and "
        "build_seconds are geometric means over the data sets, the ratios too; nodes are those of single trees."
    )


def _draw(table: Table, headline: str, found: Found, folder: Path) -> Sequence[Path]:
    return draw(found.rows(table), folder, table.name, headline)
