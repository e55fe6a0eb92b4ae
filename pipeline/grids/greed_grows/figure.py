"""The figure of greedy heuristics on random tables of one shape after another: a panel per cost and dimension."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator

from pipeline.drawing.figures import GREY, HEURISTIC_COLOURS, LIGHT, house_style, save
from pipeline.grammar.costs import COSTS
from pipeline.grids.greed_grows import summary as greed_grows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grids.greed_grows.summary import Gap

__all__ = ["draw"]

WIDTH, PANEL, ABOVE, BELOW = 11.0, 1.75, 1.25, 0.75
"""Inches: the figure's width, the height of a panel, and what is above and below the panels."""

OTHERS = "#B5B5B5"
AXIS = {"rows": "rows of the table", "attributes": "attributes", "values": "values of an attribute"}


def draw(gaps: Sequence[Gap], folder: Path) -> tuple[Path, Path]:
    """Draw the gaps as `greed_grows.svg` and `.png`, costs downwards and dimensions across, and return their paths."""
    dimensions = list(dict.fromkeys(gap.dimension for gap in gaps))
    height = ABOVE + BELOW + PANEL * len(COSTS)
    with house_style():
        figure = Figure(figsize=(WIDTH, height))
        place = {"left": 0.13, "right": 0.985, "bottom": BELOW / height, "top": 1 - ABOVE / height}
        panels = figure.subplots(
            len(COSTS), len(dimensions), sharex="col", sharey="row", squeeze=False, gridspec_kw=place | {"wspace": 0.06}
        )
        for row, cost in zip(panels, COSTS, strict=True):
            for panel, dimension in zip(row, dimensions, strict=True):
                _panel(panel, [gap for gap in gaps if (gap.cost_function, gap.dimension) == (cost, dimension)])
            row[0].set_ylabel(cost.replace("_", " ") + "\nexcess, %")
            row[0].set_ylim(bottom=0)
        figure.align_ylabels(panels[:, 0])
        for panel, dimension in zip(panels[-1], dimensions, strict=True):
            panel.set_xlabel(AXIS[dimension])
        _frame(figure, gaps, height)
        return save(figure, folder, "greed_grows")


def _panel(axes: Axes, gaps: Sequence[Gap]) -> None:
    """One cost over one dimension: the named heuristics in their colours with intervals, the rest in grey."""
    axes.grid(visible=True, axis="y", color=LIGHT)
    axes.xaxis.set_major_locator(FixedLocator(sorted({gap.size for gap in gaps}), nbins=6))
    lines: dict[str, list[Gap]] = {}
    for gap in gaps:
        lines.setdefault(gap.heuristic, []).append(gap)
    for heuristic in sorted(lines, key=lambda name: name in HEURISTIC_COLOURS):
        line = lines[heuristic]
        sizes, means = [gap.size for gap in line], [100 * gap.estimate.mean for gap in line]
        colour = HEURISTIC_COLOURS.get(heuristic)
        if colour is None:
            axes.plot(sizes, means, color=OTHERS, linewidth=0.9)
            continue
        axes.plot(sizes, means, color=colour, linewidth=1.6, marker="o", markersize=3.5)
        low = [100 * (gap.estimate.mean if gap.estimate.low is None else gap.estimate.low) for gap in line]
        high = [100 * (gap.estimate.mean if gap.estimate.high is None else gap.estimate.high) for gap in line]
        axes.fill_between(sizes, low, high, color=colour, alpha=0.18, linewidth=0)


def _frame(figure: Figure, gaps: Sequence[Gap], height: float) -> None:
    """Title and key above the panels."""
    figure.text(0.015, 1 - 0.18 / height, "How greed grows with the table", fontsize=14, fontweight="bold", va="top")
    size = (
        f"mean excess of greedy trees over the exact minimum; {greed_grows.tables_each(gaps)} random tables a point; "
        "bands: 95 % intervals"
    )
    figure.text(0.015, 1 - 0.50 / height, size, color=GREY, va="top")
    there = dict.fromkeys(gap.heuristic for gap in gaps)
    key = [
        Line2D([], [], color=HEURISTIC_COLOURS[name], marker="o", markersize=4, label=name)
        for name in there
        if name in HEURISTIC_COLOURS
    ]
    if len(there) > len(key):
        key.append(Line2D([], [], color=OTHERS, label="the others"))
    figure.legend(
        handles=key, ncols=len(key), loc="upper left", bbox_to_anchor=(0.008, 1 - 0.72 / height), columnspacing=1.4
    )
