"""The figure of average ranks with Nemenyi's critical difference (Demšar 2006): a panel per ranking."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from pipeline.drawing.figures import GREY, INK, colour_of, house_style, save
from pipeline.screen import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.ranks import Ranking

__all__ = ["draw"]

WIDTH, ABOVE, BELOW, HEAD, LINE, GAP = 10.0, 1.05, 0.2, 0.95, 0.25, 0.35
"""Inches: the figure's width, what is above and below all, the head of a panel, a line of it, between panels."""
SIDE = 0.9
"""Ranks between the axis and the names."""


def draw(rankings: Mapping[str, Ranking], first: str, folder: Path) -> tuple[Path, ...]:
    """Draw `ranks.svg` and `.png` and return their paths; nothing without a ranking. `first` is the builder in bold.

    A panel for each ranking under its name, the axis as wide in all.
    """
    if not rankings:
        return ()
    widest = max(len(one.builders) for one in rankings.values())
    heights = [HEAD + LINE * -(-len(one.builders) // 2) for one in rankings.values()]
    height = ABOVE + BELOW + sum(heights) + GAP * (len(heights) - 1)
    with house_style():
        figure = Figure(figsize=(WIDTH, height))
        top = height - ABOVE
        for (name, one), high in zip(rankings.items(), heights, strict=True):
            axes = figure.add_axes((0.02, (top - high) / height, 0.96, high / height))
            _panel(axes, name, one, first, widest, high)
            top -= high + GAP
        figure.text(0.012, 1 - 0.18 / height, "Average ranks by accuracy", fontsize=14, fontweight="bold", va="top")
        said = (
            "builders that a bar joins are level: their average ranks differ by less than Nemenyi's critical "
            "difference at 5 % (CD)"
        )
        figure.text(0.012, 1 - 0.46 / height, said, color=GREY, va="top")
        return save(figure, folder, "ranks")


def _panel(axes: Axes, name: str, one: Ranking, first: str, widest: int, height: float) -> None:
    """Inches downwards from the axis; the best builder is on the left."""
    axes.set_axis_off()
    axes.set_xlim(1 - SIDE - 0.9, widest + SIDE + 0.9)
    axes.set_ylim(height - 0.5, -0.5)
    for rank in range(1, widest + 1):
        axes.plot([rank, rank], [-0.06, 0.0], color=GREY, linewidth=0.8)
        axes.text(rank, -0.1, str(rank), ha="center", va="bottom", fontsize=9, color=GREY)
    axes.plot([1, widest], [0, 0], color=GREY, linewidth=0.8)
    axes.text(1 - SIDE - 0.85, -0.36, name, ha="left", va="center", fontsize=11, fontweight="bold")
    axes.text(
        1 - SIDE - 0.85, -0.13, counted(len(one.data_sets), "data set"), ha="left", va="center", fontsize=9, color=GREY
    )
    apart = one.critical_difference()
    axes.plot([widest - apart, widest], [-0.36, -0.36], color=GREY, linewidth=1.6, solid_capstyle="butt")
    axes.text(widest + 0.08, -0.36, f"CD {apart:.2f}", ha="left", va="center", fontsize=9, color=GREY)
    mean = one.mean
    for number, group in enumerate(one.cliques()):
        ends, depth = (mean[group[0]] - 0.04, mean[group[-1]] + 0.04), 0.09 + 0.09 * number
        axes.plot(ends, [depth, depth], color=INK, linewidth=3.2, solid_capstyle="round", zorder=3)
    ordered = sorted(one.builders, key=lambda builder: mean[builder])
    left = -(-len(ordered) // 2)
    for number, builder in enumerate(ordered):
        on_left = number < left
        line = number if on_left else len(ordered) - 1 - number
        depth = 0.42 + LINE * line
        end = 1 - SIDE / 2 if on_left else widest + SIDE / 2
        colour = colour_of(builder)
        axes.plot([mean[builder], mean[builder], end], [0, depth, depth], color=colour, linewidth=1.6)
        side, shift = ("right", -0.06) if on_left else ("left", 0.06)
        axes.text(
            *(end + shift, depth, f"{builder}  {mean[builder]:.2f}"),
            ha=side,
            va="center",
            fontsize=10,
            fontweight="bold" if builder == first else "normal",
        )
