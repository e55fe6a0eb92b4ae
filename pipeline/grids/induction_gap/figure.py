"""The figure of trees beside exact minima: a panel per cost, a line per builder, a point per table and their mean."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from pipeline.drawing.figures import GREY, INK, colour_of, house_style, save
from pipeline.grammar.excess import COSTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grids.induction_gap.summary import Gap

__all__ = ["draw"]

WIDTH, LINE, ABOVE, BELOW = 11.0, 0.24, 1.4, 0.7
"""Inches: the figure's width, the height of a line, and what is above and below the panels."""

LINEAR = 1.0
"""Percent up to which the axis is linear, then logarithmic."""
TICKS = (-100, -10, 0, 10, 100)
POINT = "#BBBBBB"


def draw(gaps: Sequence[Gap], folder: Path) -> tuple[Path, ...]:
    """Draw `induction_gap.svg` and `.png` and return their paths; nothing where there are no gaps."""
    if not gaps:
        return ()
    builders = list(dict.fromkeys(gap.builder for gap in gaps))
    height = ABOVE + BELOW + LINE * len(builders)
    with house_style():
        figure = Figure(figsize=(WIDTH, height))
        place = {"left": 0.16, "right": 0.985, "bottom": BELOW / height, "top": 1 - ABOVE / height, "wspace": 0.08}
        panels = figure.subplots(1, len(COSTS), sharey=True, squeeze=False, gridspec_kw=place)[0]
        for panel, cost in zip(panels, COSTS, strict=True):
            _panel(panel, [gap for gap in gaps if gap.cost == cost], builders)
            panel.set_title(cost.replace("_", " "))
        panels[0].set_yticks(range(len(builders)), builders)
        panels[0].set_ylim(len(builders) - 0.4, -0.6)
        panels[len(panels) // 2].set_xlabel("excess over the exact minimum, %")
        _frame(figure, max(gap.estimate.n for gap in gaps), height)
        return save(figure, folder, "induction_gap")


def _panel(axes: Axes, gaps: Sequence[Gap], builders: Sequence[str]) -> None:
    axes.set_xscale("symlog", linthresh=LINEAR, linscale=0.35)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.grid(visible=True, axis="both")
    lines = {builder: line for line, builder in enumerate(builders)}
    points = [(100 * found, lines[gap.builder]) for gap in gaps for found in gap.excess.values()]
    axes.plot([x for x, _ in points], [line for _, line in points], "o", color=POINT, markersize=3.2, markeredgewidth=0)
    for gap in gaps:
        line, colour, mean = lines[gap.builder], colour_of(gap.builder), gap.estimate
        if mean.low is not None and mean.high is not None:
            axes.plot([100 * mean.low, 100 * mean.high], [line, line], color=colour, linewidth=1.8, alpha=0.7)
        axes.plot([100 * mean.mean], [line], "o", color=colour, markersize=6, markeredgecolor="white")
    reach = [0.0, *(x for x, _ in points)] + [100 * gap.estimate.low for gap in gaps if gap.estimate.low is not None]
    axes.set_xlim(min(1.4 * min(reach), -0.7), max(1.4 * max(map(abs, reach)), 2 * LINEAR))
    axes.xaxis.set_major_locator(
        FixedLocator([tick for tick in TICKS if axes.get_xlim()[0] < tick < axes.get_xlim()[1]])
    )
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}".replace("-", "\N{MINUS SIGN}")))


def _frame(figure: Figure, tables: int, height: float) -> None:
    """Title and key above the panels."""
    figure.text(0.012, 1 - 0.18 / height, "What it costs not to search", fontsize=14, fontweight="bold", va="top")
    said = (
        f"unpruned trees on {tables} real tables, equal rows merged and weighted; logarithmic beyond {LINEAR:g} %\n"
        "CART's tests have two branches, which can make fewer nodes than any tree with a branch for each value"
    )
    figure.text(0.012, 1 - 0.46 / height, said, color=GREY, va="top", linespacing=1.35)
    key = [
        Line2D([], [], linestyle="", marker="o", color=POINT, markersize=4, label="a table"),
        Line2D([], [], color=INK, marker="o", linewidth=1.8, label="mean, 95 % interval"),
    ]
    figure.legend(handles=key, ncols=2, loc="upper left", bbox_to_anchor=(0.005, 1 - 0.82 / height))
