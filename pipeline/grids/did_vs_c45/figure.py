"""The figure of DID over its weights: a panel per data set, average depth beside ID3, gain ratio and the paper."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.ticker import MaxNLocator

from pipeline.drawing.figures import PRINTED, colour_of
from pipeline.drawing.frame import Inches, framed, grid_shape
from pipeline.drawing.marks import DOTTED, band, entry, entry_of
from pipeline.grammar.columns import grouped
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
PRINT_LINE: dict[str, Any] = {"color": PRINTED["markeredgecolor"], "linewidth": 1.2, "linestyle": "--"}


def draw(found: Found, folder: Path) -> tuple[Path, ...]:
    """Draw a panel for each source as `did_vs_c45.svg` and `.png` and return their paths; nothing without a sweep."""
    swept = grouped(found.rows(SWEEP), "source")
    if not swept:
        return ()
    beside = grouped(found.ask(OTHERS), "source")
    printed = {row["source"]: row for row in found.rows(DEPTHS) if row["printed_builder"] == "did" and row["_main"]}
    ordered = [source for source in dict.fromkeys([*printed, *swept]) if source in swept]
    shape = grid_shape(len(ordered), ACROSS)
    inches = Inches(WIDTH, ABOVE + BELOW + PANEL * shape[0], left=0.7, right=0.15, above=ABOVE, below=BELOW)
    said = (
        "average depth over the training rows of unpruned trees, against the ratio of DID's weights, not to scale; "
        "0 is ID3"
    )
    with framed(folder, "did_vs_c45", "DID over its weights", said, inches, shape, wspace=0.22, hspace=0.48) as frame:
        titles = [printed[source]["case"] if source in printed else source for source in ordered]
        panels = frame.titled(titles, y="average depth, edges", pad=6)
        for panel, source in zip(panels.values(), ordered, strict=True):
            others = {row["builder"]: row for row in beside.get(source, ())}
            _panel(panel, sorted(swept[source], key=lambda row: row["ratio"]), others, printed.get(source))
        frame.below("w1 / w2")
        frame.key(
            [
                entry("DID", color=DID, marker="o", markersize=4),
                entry("DID as printed", **PRINT_LINE),
                *(entry_of(name, words) for name, words in ACROSS_PANEL.items()),
                entry("exact minimum", color=EXACT, linestyle=DOTTED),
            ]
        )
    return frame.files


def _panel(axes: Axes, sweep: Sequence[Row], others: Mapping[str, Row], printed: Row | None) -> None:
    """The sweep, and what it is compared with as lines across."""
    for name in ACROSS_PANEL:
        if name in others:
            axes.axhline(others[name]["average_depth"], color=colour_of(name), linewidth=1.2)
    if "exact" in others and _comparable(others.get("id3")):
        axes.axhline(others["exact"]["average_depth"], color=EXACT, linewidth=1.2, linestyle=DOTTED)
    if printed:
        axes.axhline(printed["printed"], **PRINT_LINE)
    places = range(len(sweep))
    band(axes, places, sweep, "average_depth", color=DID, marker="o", markersize=3.5, linewidth=1.3)
    shown = list(places)[:: max(1, len(sweep) // 6)]
    axes.set_xticks(shown, [f"{sweep[place]['ratio']:g}" for place in shown])
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.margins(y=0.12)


def _comparable(id3: Row | None) -> bool:
    """Whether depths are those of the merged table; where rows contradict each other Search counts otherwise."""
    return id3 is None or math.isclose(id3["table_average_depth"], id3["average_depth"], rel_tol=1e-12)
