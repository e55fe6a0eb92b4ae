"""The figure of learning curves: a panel per data set, fitness by generation, the best and the mean individual."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pipeline.drawing.figures import GREY, colour_of, house_style, save
from pipeline.screen import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.comparison.learning_curves import Curve

__all__ = ["draw"]

ACROSS = 3
WIDE, PANEL, ABOVE, BELOW, GAP = 4.0, 2.2, 1.3, 0.62, 0.5
"""Inches: the width and the height of a panel, what is above and below all, and between the rows of panels."""

MOST_POINTS = 120
"""Of a curve, at even distances: more are not seen, and make a large file."""


def draw(curves: Sequence[Curve], folder: Path) -> tuple[Path, ...]:
    """Draw `curves.svg` and `.png` and return their paths; nothing where there are no curves."""
    if not curves:
        return ()
    several = len({one.builder for one in curves}) > 1
    across = min(ACROSS, max(len(curves), 2))
    down = -(-len(curves) // across)
    height = ABOVE + BELOW + down * PANEL + (down - 1) * GAP
    with house_style():
        figure = Figure(figsize=(WIDE * across, height))
        place = {"left": 0.8 / (WIDE * across), "right": 0.985, "bottom": BELOW / height, "top": 1 - ABOVE / height}
        room = {**place, "wspace": 0.17, "hspace": GAP / PANEL}
        panels = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True, gridspec_kw=room)
        for axes, one in zip(panels.flat, curves, strict=False):
            _panel(axes, one)
            axes.set_title(f"{one.title}: {one.builder}" if several else one.title, fontsize=10)
        for axes in panels.flat[len(curves) :]:
            axes.set_visible(False)
        for number, axes in enumerate(panels.flat[: len(curves)]):
            if number % across == 0:
                axes.set_ylabel("fitness")
            if number + across >= len(curves):
                axes.set_xlabel("generation")
                axes.tick_params(labelbottom=True)
        panels.flat[0].set_xlim(0, max(1, *(one.best.shape[1] - 1 for one in curves)))
        panels.flat[0].set_ylim(bottom=0)
        _frame(figure, panels.flat[0], max(len(one.generations) for one in curves), height)
        return save(figure, folder, "curves")


def _panel(axes: Axes, one: Curve) -> None:
    axes.grid(visible=True, axis="both")
    last = one.best.shape[1] - 1
    generations = np.unique(np.linspace(0, last, min(last, MOST_POINTS) + 1).round().astype(int))
    for label, colour, values in (
        ("mean individual", GREY, one.mean),
        ("best individual", colour_of(one.builder), one.best),
    ):
        shown = values[:, generations]
        axes.fill_between(generations, shown.min(axis=0), shown.max(axis=0), color=colour, alpha=0.18, linewidth=0)
        axes.plot(generations, shown.mean(axis=0), color=colour, linewidth=1.6, label=label)
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5))


def _frame(figure: Figure, axes: Axes, fits: int, height: float) -> None:
    """Title and key above the panels."""
    figure.text(0.012, 1 - 0.18 / height, "How EVO-Tree learns", fontsize=14, fontweight="bold", va="top")
    means = f"mean of {counted(fits, 'fit')}"
    said = f"fitness by generation, less is better: {means}, and the band from the least to the greatest"
    figure.text(0.012, 1 - 0.46 / height, said, color=GREY, va="top")
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, ncols=2, loc="upper left", bbox_to_anchor=(0.005, 1 - 0.62 / height))
