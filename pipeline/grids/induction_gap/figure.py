"""The figure of trees beside exact minima: a panel for each cost, a line for each builder, a point for each table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.ticker import FixedLocator

from pipeline.drawing.figures import INK, colour_of
from pipeline.drawing.frame import Inches, framed
from pipeline.drawing.marks import entry, interval, name_lines, plain_numbers
from pipeline.grammar.columns import grouped
from pipeline.grammar.costs import COSTS
from pipeline.grids.induction_gap.summary import GAPS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.columns import Row
    from pipeline.grammar.summary import Found

__all__ = ["draw"]

LINE = 0.24  # inches
LINEAR = 1.0
"""Percent up to which the axis is linear, then logarithmic."""
TICKS = (-100, -10, 0, 10, 100)
POINT = "#BBBBBB"


def draw(found: Found, folder: Path) -> tuple[Path, ...]:
    """Draw `induction_gap.svg` and `.png` and return their paths; nothing where there are no gaps."""
    means, points = found.rows(GAPS), found.ask("select builder, cost, excess from gaps")
    if not means:
        return ()
    builders = list(dict.fromkeys(row["builder"] for row in means))
    inches = Inches(11.0, 2.1 + LINE * len(builders), left=1.76, right=0.17, above=1.4, below=0.7)
    said = (
        f"unpruned trees on {max(row['n'] for row in means)} real tables, equal rows merged and weighted; logarithmic "
        f"beyond {LINEAR:g} %\nCART's tests have two branches, which can make fewer nodes than any tree with a branch "
        "for each value"
    )
    title = "What it costs not to search"
    with framed(folder, "induction_gap", title, said, inches, (1, len(COSTS)), sharey=True, wspace=0.08) as frame:
        panels = frame.titled([cost.replace("_", " ") for cost in COSTS]).values()
        for cost, panel in zip(COSTS, panels, strict=True):
            _panel(panel, grouped(means, "cost")[cost], grouped(points, "cost")[cost], builders)
        name_lines(frame.panels[0, 0], builders)
        frame.panels[0, len(COSTS) // 2].set_xlabel("excess over the exact minimum, %")
        mean = entry("mean, 95 % interval", color=INK, marker="o", linewidth=1.8)
        frame.key([entry("a table", linestyle="", marker="o", color=POINT, markersize=4), mean], below=0.82)
    return frame.files


def _panel(axes: Axes, means: Sequence[Row], points: Sequence[Row], builders: Sequence[str]) -> None:
    axes.set_xscale("symlog", linthresh=LINEAR, linscale=0.35)
    axes.axvline(0, color=INK, linewidth=0.8)
    lines = {builder: line for line, builder in enumerate(builders)}
    across = [100 * row["excess"] for row in points]
    axes.plot(across, [lines[row["builder"]] for row in points], "o", color=POINT, markersize=3.2, markeredgewidth=0)
    reach = [0.0, *across]
    for row in means:
        line, colour = lines[row["builder"]], colour_of(row["builder"])
        low, high = (None if row[end] is None else 100 * row[end] for end in ("low", "high"))
        interval(axes, low, high, line, color=colour, alpha=0.7)
        axes.plot([100 * row["mean_excess"]], [line], "o", color=colour, markersize=6, markeredgecolor="white")
        reach += [] if low is None else [low]
    axes.set_xlim(min(1.4 * min(reach), -0.7), max(1.4 * max(map(abs, reach)), 2 * LINEAR))
    left, right = axes.get_xlim()
    axes.xaxis.set_major_locator(FixedLocator([tick for tick in TICKS if left < tick < right]))
    plain_numbers(axes.xaxis)
