"""The figure of removed features: accuracy against the number of attributes removed, a row of panels a data set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pipeline.drawing.figures import GREY, LIGHT, house_style, look_of, save
from pipeline.grids.removed_features.rows import BY_GAIN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grids.removed_features.points import Point

__all__ = ["draw"]

WIDTH, PANEL, ABOVE, BELOW = 10.0, 2.2, 1.35, 0.65
"""Inches: the figure's width, a row of panels, and what is above and below the panels."""


def draw(points: Sequence[Point], folder: Path) -> tuple[Path, ...]:
    """Draw `removed_features.svg` and `.png` and return their paths; nothing where nothing was tested.

    Data sets go downwards; to the left is the order by gain, to the right the mean of the random orders, if there are.
    """
    tested = [point for point in points if point.accuracy]
    if not tested:
        return ()
    titles = list(dict.fromkeys(point.title for point in tested))
    orders = list(dict.fromkeys(point.order for point in tested))
    builders = list(dict.fromkeys(point.builder for point in tested))
    height = ABOVE + BELOW + PANEL * len(titles)
    with house_style():
        figure = Figure(figsize=(WIDTH, height))
        place = {"left": 0.075, "right": 0.985, "bottom": BELOW / height, "top": 1 - ABOVE / height}
        panels = figure.subplots(
            len(titles), len(orders), sharey="row", squeeze=False, gridspec_kw=place | {"hspace": 0.42, "wspace": 0.05}
        )
        for row, title in zip(panels, titles, strict=True):
            for panel, order in zip(row, orders, strict=True):
                _panel(panel, [point for point in tested if (point.title, point.order) == (title, order)], builders)
            row[0].set_title(title)
            row[0].set_ylabel("accuracy, %")
        figure.align_ylabels(panels[:, 0])
        for panel in panels[-1]:
            panel.set_xlabel("attributes removed")
        _frame(figure, tested, builders, height)
        return save(figure, folder, "removed_features")


def _panel(axes: Axes, points: Sequence[Point], builders: Sequence[str]) -> None:
    """A line with its band for each builder."""
    axes.grid(visible=True, axis="y", color=LIGHT)
    axes.grid(visible=False, axis="x")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    for builder in builders:
        line = _line(builder)
        found = [(point.removed, point.accuracy) for point in points if point.builder == builder and point.accuracy]
        removed = [x for x, _ in found]
        axes.plot(removed, [one.mean for _, one in found], linewidth=1.5, markersize=3, **line)
        low = [one.mean if one.low is None else one.low for _, one in found]
        high = [one.mean if one.high is None else one.high for _, one in found]
        axes.fill_between(removed, low, high, color=line["color"], alpha=0.16, linewidth=0)


def _line(builder: str) -> dict[str, Any]:
    """How a builder's line is drawn, as keywords of `plot`."""
    look = look_of(builder)
    return {"color": look.colour, "linestyle": look.line, "marker": look.marker}


def _frame(figure: Figure, points: Sequence[Point], builders: Sequence[str], height: float) -> None:
    """Title and key above the panels, and what the two columns are."""
    figure.text(0.012, 1 - 0.16 / height, "What is left without features", fontsize=14, fontweight="bold", va="top")
    splits, orders = (
        max((point.accuracy.n for point in points if point.accuracy and (point.order == BY_GAIN) == gain), default=0)
        for gain in (True, False)
    )
    said = f"left: the most informative attribute goes first; 95 % intervals over {splits} splits"
    said += f".  right: mean of {orders} random orders; intervals over these" if orders else ""
    figure.text(0.012, 1 - 0.46 / height, said, color=GREY, va="top")
    key = [Line2D([], [], markersize=4, label=name, **_line(name)) for name in builders]
    figure.legend(handles=key, ncols=len(key), loc="upper left", bbox_to_anchor=(0.004, 1 - 0.64 / height))
