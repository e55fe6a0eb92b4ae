"""The figure of learning curves: a panel per data set, fitness by generation, the best and the mean individual."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from pipeline.drawing.figures import GREY, colour_of
from pipeline.drawing.frame import Inches, framed, grid_shape
from pipeline.drawing.marks import band
from pipeline.grammar.columns import grouped
from pipeline.grammar.questions import titled
from pipeline.screen import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.columns import Row

__all__ = ["draw"]

ACROSS = 3
WIDE, PANEL, ABOVE, BELOW, GAP = 4.0, 2.2, 1.3, 0.62, 0.5
"""Inches: the width and the height of a panel, what is above and below all, and between the rows of panels."""

MOST_POINTS = 120
"""Of a curve, at even distances: more are not seen, and make a large file."""


def draw(points: Sequence[Row], folder: Path, headline: str) -> tuple[Path, ...]:
    """Draw `curves.svg` and `.png` and return their paths; nothing where there are no curves.

    Parameters
    ----------
    points : sequence of Row
        Those of `learning_curves.points_of`.
    """
    if not points:
        return ()
    curves = grouped(points, "source", "part", "builder")
    several = len({builder for _, _, builder in curves}) > 1
    down, across = shape = grid_shape(len(curves), ACROSS, 2)
    height = ABOVE + BELOW + down * PANEL + (down - 1) * GAP
    inches = Inches(WIDE * across, height, left=0.8, right=0.015 * WIDE * across, above=ABOVE, below=BELOW)
    fits = max(row["n"] for row in points)
    said = (
        f"fitness by generation, less is better: mean of {counted(fits, 'fit')}, and the band from the least to the "
        "greatest"
    )
    shared: dict[str, Any] = {"sharex": True, "sharey": True, "wspace": 0.17, "hspace": GAP / PANEL}
    with framed(folder, "curves", headline, said, inches, shape, **shared) as frame:
        titles = [titled(rows[0]) + (f": {rows[0]['builder']}" if several else "") for rows in curves.values()]
        panels = list(frame.titled(titles, "generation", "fitness", letters=60, fontsize=10).values())
        for axes, ((*_, builder), rows) in zip(panels, curves.items(), strict=True):
            _panel(axes, builder, rows)
        panels[0].set_xlim(0, max(1, *(row["generation"] for row in points)))
        panels[0].set_ylim(bottom=0)
        frame.key(panels[0].get_legend_handles_labels()[0])
    return frame.files


def _panel(axes: Axes, builder: str, rows: Sequence[Row]) -> None:
    last = len(rows) - 1
    shown = [rows[place] for place in np.unique(np.linspace(0, last, min(last, MOST_POINTS) + 1).round().astype(int))]
    generations = [row["generation"] for row in shown]
    for label, colour, name in (("mean individual", GREY, "mean"), ("best individual", colour_of(builder), "best")):
        ends = (f"{name}_low", f"{name}_high")
        band(axes, generations, shown, name, ends, alpha=0.18, color=colour, linewidth=1.6, label=label)
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5))
