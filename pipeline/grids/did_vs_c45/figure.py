"""The figure of DID over its weights: a panel per data set, average depth beside ID3, gain ratio and the paper."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pipeline.drawing.figures import PRINTED, colour_of
from pipeline.drawing.frame import Inches, framed
from pipeline.grids.did_vs_c45.summary import DEPTHS, SWEEP

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.columns import Row
    from pipeline.grammar.summary import Found

__all__ = ["draw"]

ACROSS = 3
WIDTH, PANEL, ABOVE, BELOW = 10.0, 2.4, 1.35, 0.7
"""Inches: the figure's width, the height of a row of panels, and what is above and below the panels."""

DID, EXACT = colour_of("did"), colour_of("exact")
ACROSS_PANEL = {"id3": "ID3", "gain_ratio": "gain ratio"}
"""Builders without weights, whose depth is a line across the panel; in words."""
OTHERS = """select source, builder, avg(depth) as average_depth, avg(table_average_depth) as table_average_depth
from counted_depths where part = 'all' and ratio is null group by all having count(depth) > 0"""
"""Depths of the builders without weights."""
DOTS = (0, (1, 1.5))
PRINT_LINE: dict[str, Any] = {"color": PRINTED["markeredgecolor"], "linewidth": 1.2, "linestyle": "--"}


def draw(found: Found, folder: Path) -> tuple[Path, ...]:
    """Draw a panel for each source as `did_vs_c45.svg` and `.png` and return their paths; nothing without a sweep."""
    sweep = found.rows(SWEEP)
    if not sweep:
        return ()
    swept: dict[str, list[Row]] = {}
    for row in sorted(sweep, key=lambda row: row["ratio"]):
        swept.setdefault(row["source"], []).append(row)
    beside: dict[str, dict[str, Row]] = {}
    for row in found.ask(OTHERS):
        beside.setdefault(row["source"], {})[row["builder"]] = row
    printed = {row["source"]: row for row in found.rows(DEPTHS) if row["printed_builder"] == "did" and row["_main"]}
    ordered = [source for source in dict.fromkeys([*printed, *(row["source"] for row in sweep)]) if source in swept]
    across = min(ACROSS, len(ordered))
    down = -(-len(ordered) // across)
    inches = Inches(WIDTH, ABOVE + BELOW + PANEL * down, left=0.7, right=0.15, above=ABOVE, below=BELOW)
    said = (
        "average depth over the training rows of unpruned trees, against the ratio of DID's weights, not to scale; "
        "0 is ID3"
    )
    with framed(
        folder, "did_vs_c45", "DID over its weights", said, inches, (down, across), wspace=0.22, hspace=0.48
    ) as frame:
        for panel, source in zip(frame.panels.flat, ordered, strict=False):
            _panel(panel, swept[source], beside.get(source, {}), printed.get(source))
            panel.set_title(printed[source]["case"] if source in printed else source, pad=6)
        for panel in list(frame.panels.flat)[len(ordered) :]:
            panel.set_axis_off()
        for panel in frame.panels[:, 0]:
            panel.set_ylabel("average depth, edges")
        frame.figure.align_ylabels(frame.panels[:, 0])
        frame.below("w1 / w2")
        frame.key(
            [
                Line2D([], [], color=DID, marker="o", markersize=4, label="DID"),
                Line2D([], [], label="DID as printed", **PRINT_LINE),
                *(Line2D([], [], color=colour_of(name), label=words) for name, words in ACROSS_PANEL.items()),
                Line2D([], [], color=EXACT, linestyle=DOTS, label="exact minimum"),
            ]
        )
    return frame.files


def _panel(axes: Axes, sweep: Sequence[Row], others: Mapping[str, Row], printed: Row | None) -> None:
    """The sweep, and what it is compared with as lines across."""
    axes.grid(visible=True, axis="y")
    for name in ACROSS_PANEL:
        if name in others:
            axes.axhline(others[name]["average_depth"], color=colour_of(name), linewidth=1.2)
    if "exact" in others and _comparable(others.get("id3")):
        axes.axhline(others["exact"]["average_depth"], color=EXACT, linewidth=1.2, linestyle=DOTS)
    if printed:
        axes.axhline(printed["printed"], **PRINT_LINE)
    places = range(len(sweep))
    means = [row["average_depth"] for row in sweep]
    axes.plot(places, means, color=DID, marker="o", markersize=3.5, linewidth=1.3)
    low, high = (
        [mean if row[end] is None else row[end] for row, mean in zip(sweep, means, strict=True)]
        for end in ("low", "high")
    )
    axes.fill_between(places, low, high, color=DID, alpha=0.16, linewidth=0)
    shown = list(places)[:: max(1, len(sweep) // 6)]
    axes.set_xticks(shown, [f"{sweep[place]['ratio']:g}" for place in shown])
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.margins(y=0.12)


def _comparable(id3: Row | None) -> bool:
    """Whether depths are those of the merged table; where rows contradict each other Search counts otherwise."""
    return id3 is None or math.isclose(id3["table_average_depth"], id3["average_depth"], rel_tol=1e-12)
