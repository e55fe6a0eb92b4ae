"""The figure of removed features: a panel for each data set, accuracy against the number of attributes removed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pipeline.grids.removed_features_rows import BY_GAIN
from pipeline.summaries.figures import BLUE, GREY, INK, LIGHT, VERMILLION, house_style, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.summaries.removed_features import Point

__all__ = ["draw"]

WIDTH, PANEL, ABOVE, BELOW, ACROSS = 12.0, 3.1, 1.25, 0.65, 3
"""Inches: the figure's width, a panel with its title, and what is above and below the panels; panels side by side."""

COLOURS = (BLUE, VERMILLION, INK, "#009E73", "#CC79A7", "#E69F00")
STYLES: dict[bool, tuple[float, Sequence[float] | None]] = {True: (0, None), False: (0, (4, 2))}
"""Of the order by gain, and of the random ones."""


def draw(points: Sequence[Point], folder: Path) -> tuple[Path, ...]:
    """Draw `removed_features.svg` and `.png` and return their paths; nothing where nothing was tested."""
    tested = [point for point in points if point.accuracy]
    if not tested:
        return ()
    titles = list(dict.fromkeys(point.title for point in tested))
    builders = list(dict.fromkeys(point.builder for point in tested))
    across = min(ACROSS, len(titles))
    down = -(-len(titles) // across)
    height = ABOVE + BELOW + PANEL * down
    with house_style():
        figure = Figure(figsize=(WIDTH, height))
        place = {"left": 0.06, "right": 0.985, "bottom": BELOW / height, "top": 1 - ABOVE / height}
        panels = figure.subplots(down, across, squeeze=False, gridspec_kw=place | {"hspace": 0.42, "wspace": 0.16})
        for panel in panels.flat[len(titles) :]:
            panel.set_axis_off()
        for panel, title in zip(panels.flat, titles, strict=False):
            _panel(panel, [point for point in tested if point.title == title], builders)
            panel.set_title(title)
        for row in panels:
            row[0].set_ylabel("test accuracy, %")
        for place_of, panel in enumerate(panels.flat[: len(titles)]):
            if place_of + across >= len(titles):
                panel.set_xlabel("attributes removed")
        _frame(figure, tested, builders, height)
        return save(figure, folder, "removed_features")


def _panel(axes: Axes, points: Sequence[Point], builders: Sequence[str]) -> None:
    """A line with its band for each builder and order."""
    axes.grid(visible=True, axis="y", color=LIGHT)
    axes.grid(visible=False, axis="x")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    for place, builder in enumerate(builders):
        colour = COLOURS[place % len(COLOURS)]
        for order in dict.fromkeys(point.order for point in points):
            line = [point for point in points if (point.builder, point.order) == (builder, order)]
            found = [(point.removed, point.accuracy) for point in line if point.accuracy]
            removed = [x for x, _ in found]
            means = [estimate.mean for _, estimate in found]
            axes.plot(removed, means, color=colour, linewidth=1.5, linestyle=STYLES[order == BY_GAIN])
            low = [estimate.mean if estimate.low is None else estimate.low for _, estimate in found]
            high = [estimate.mean if estimate.high is None else estimate.high for _, estimate in found]
            axes.fill_between(removed, low, high, color=colour, alpha=0.13, linewidth=0)


def _frame(figure: Figure, points: Sequence[Point], builders: Sequence[str], height: float) -> None:
    """Title and key above the panels."""
    figure.text(0.012, 1 - 0.18 / height, "What is left without features", fontsize=14, fontweight="bold", va="top")
    splits = max(point.accuracy.n for point in points if point.accuracy and point.order == BY_GAIN)
    orders = max((point.accuracy.n for point in points if point.accuracy and point.order != BY_GAIN), default=0)
    said = (
        f"mean test accuracy as attributes are removed; bands: 95 % intervals, by gain over {splits} splits"
        + (f", of random over {orders} orders" if orders else "")
        + "; the orders of removal are ours"
    )
    figure.text(0.012, 1 - 0.50 / height, said, color=GREY, va="top")
    key = [Line2D([], [], color=COLOURS[place % len(COLOURS)], label=name) for place, name in enumerate(builders)]
    key.append(Line2D([], [], color=GREY, linestyle=STYLES[True], label="by decreasing information gain"))
    if orders:
        key.append(Line2D([], [], color=GREY, linestyle=STYLES[False], label="in random orders"))
    figure.legend(
        handles=key, ncols=len(key), loc="upper left", bbox_to_anchor=(0.006, 1 - 0.70 / height), columnspacing=1.6
    )
