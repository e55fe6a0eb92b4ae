"""The figure of average ranks with Nemenyi's critical difference (Demšar 2006): a panel per ranking."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.drawing.figures import GREY, INK, colour_of
from pipeline.drawing.frame import Inches, framed
from pipeline.grammar.columns import grouped
from pipeline.grammar.comparison.ranks import critical_difference
from pipeline.screen import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.columns import Row

__all__ = ["draw", "level"]

WIDTH, ABOVE, BELOW, HEAD, LINE, GAP = 10.0, 1.05, 0.2, 0.95, 0.25, 0.35
"""Inches: the figure's width, what is above and below all, the head of a panel, a line of it, between panels."""
SIDE = 0.9
"""Ranks between the axis and the names."""


def draw(averages: Sequence[Row], first: str, folder: Path) -> tuple[Path, ...]:
    """Draw `ranks.svg` and `.png` and return their paths; nothing without a ranking. `first` is the builder in bold.

    A panel for each ranking under its name, the axis as wide in all.
    """
    if not averages:
        return ()
    by_ranking = grouped(sorted(averages, key=lambda row: (row["place"], row["mean"])), "ranking")
    widest = max(map(len, by_ranking.values()))
    heights = [HEAD + LINE * -(-len(rows) // 2) for rows in by_ranking.values()]
    inches = Inches(WIDTH, ABOVE + BELOW + sum(heights) + GAP * (len(heights) - 1), 0.2, 0.2, ABOVE, BELOW)
    said = (
        "builders that a bar joins are level: their average ranks differ by less than Nemenyi's critical difference at "
        "5 % (CD)"
    )
    shape, rooms = (len(heights), 1), {"height_ratios": heights, "hspace": GAP * len(heights) / sum(heights)}
    with framed(folder, "ranks", "Average ranks by accuracy", said, inches, shape, lines="x", **rooms) as frame:
        for axes, (name, rows), high in zip(frame.panels[:, 0], by_ranking.items(), heights, strict=True):
            _panel(axes, name, rows, first, widest, high)
    return frame.files


def level(rows: Sequence[Row], apart: float) -> list[list[Row]]:
    """The largest groups of builders, from the best, whose average ranks are less than `apart` from each other.

    Parameters
    ----------
    rows : sequence of Row
        Of one ranking, sorted by `mean`.
    """
    groups: list[list[Row]] = []
    for place, best in enumerate(rows):
        group = [row for row in rows[place:] if row["mean"] - best["mean"] < apart]
        if len(group) > 1 and not (groups and group[-1] in groups[-1]):
            groups.append(group)
    return groups


def _panel(axes: Axes, name: str, rows: Sequence[Row], first: str, widest: int, height: float) -> None:
    """Inches downwards from the axis; the best builder is on the left."""
    axes.set_axis_off()
    axes.set_xlim(1 - SIDE - 0.9, widest + SIDE + 0.9)
    axes.set_ylim(height - 0.5, -0.5)
    for rank in range(1, widest + 1):
        axes.plot([rank, rank], [-0.06, 0.0], color=GREY, linewidth=0.8)
        axes.text(rank, -0.1, str(rank), ha="center", va="bottom", fontsize=9, color=GREY)
    axes.plot([1, widest], [0, 0], color=GREY, linewidth=0.8)
    axes.text(1 - SIDE - 0.85, -0.36, name, ha="left", va="center", fontsize=11, fontweight="bold")
    axes.text(1 - SIDE - 0.85, -0.13, counted(rows[0]["n"], "data set"), ha="left", va="center", fontsize=9, color=GREY)
    apart = critical_difference(len(rows), rows[0]["n"])
    axes.plot([widest - apart, widest], [-0.36, -0.36], color=GREY, linewidth=1.6, solid_capstyle="butt")
    axes.text(widest + 0.08, -0.36, f"CD {apart:.2f}", ha="left", va="center", fontsize=9, color=GREY)
    for number, group in enumerate(level(rows, apart)):
        ends, depth = (group[0]["mean"] - 0.04, group[-1]["mean"] + 0.04), 0.09 + 0.09 * number
        axes.plot(ends, [depth, depth], color=INK, linewidth=3.2, solid_capstyle="round", zorder=3)
    left = -(-len(rows) // 2)
    for number, row in enumerate(rows):
        builder, mean = row["builder"], row["mean"]
        on_left = number < left
        line = number if on_left else len(rows) - 1 - number
        depth = 0.42 + LINE * line
        end = 1 - SIDE / 2 if on_left else widest + SIDE / 2
        colour = colour_of(builder)
        axes.plot([mean, mean, end], [0, depth, depth], color=colour, linewidth=1.6)
        side, shift = ("right", -0.06) if on_left else ("left", 0.06)
        axes.text(
            *(end + shift, depth, f"{builder}  {mean:.2f}"),
            ha=side,
            va="center",
            fontsize=10,
            fontweight="bold" if builder == first else "normal",
        )
