"""The figure of exact solvers: how many instances each has proved within so many seconds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.ticker import MaxNLocator

from pipeline.drawing.figures import INK, fitted, look_of
from pipeline.drawing.frame import Inches, framed
from pipeline.drawing.marks import log_axis
from pipeline.grids.solvers.summary import FITS, SOLVERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.columns import Row
    from pipeline.grammar.summary import Found

__all__ = ["draw"]

INCHES = Inches(9.5, 5.6, left=0.71, right=2.47, above=0.95, below=0.62)
BESIDE: dict[str, Any] = {
    "xycoords": ("axes fraction", "data"),
    "textcoords": "offset points",
    "annotation_clip": False,
}


def draw(found: Found, folder: Path) -> tuple[Path, ...]:
    """Draw `solvers.svg` and `.png` and return their paths; nothing where nothing was proved."""
    solvers, fits, instances = found.rows(SOLVERS), found.rows(FITS), len(found.tables["instances"])
    shown = [row for row in solvers if row["proven"]]
    if not shown:
        return ()
    seconds = {
        row["solver"]: sorted(fit["seconds"] for fit in fits if fit["solver"] == row["solver"] and fit["_proven"])
        for row in shown
    }
    end = 1.15 * max(own[-1] for own in seconds.values())
    said = f"instances proved optimal within so many seconds, of {instances} (dashed); of: those it can be asked"
    with framed(folder, "solvers", "Who proves it, and how soon", said, INCHES) as frame:
        axes = frame.panel
        axes.set_xscale("log")
        for solver, own in seconds.items():
            look = look_of(solver)
            axes.plot(
                [own[0], *own, end],
                [0, *range(1, len(own) + 1), len(own)],
                drawstyle="steps-post",
                color=look.colour,
                linestyle=look.line,
                linewidth=2.2 if solver == solvers[0]["solver"] else 1.5,
            )
        axes.axhline(instances, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_ylim(0, 1.04 * instances)
        axes.set_xlim(right=end)
        log_axis(axes.xaxis, (1,))
        axes.yaxis.set_major_locator(MaxNLocator(8, integer=True))
        axes.set_xlabel("seconds of a call of fit, on the clock")
        axes.set_ylabel("instances proved")
        for height, row in zip(_apart([row["proven"] for row in shown], instances), shown, strict=True):
            _label(axes, height, row)
    return frame.files


def _label(axes: Axes, height: float, row: Row) -> None:
    """A solver's name beside the end of its line."""
    look = look_of(row["solver"])
    line: dict[str, Any] = {"arrowstyle": "-", "color": look.colour, "linewidth": 2.2, "linestyle": look.line}
    axes.annotate("", (1.0, height), xytext=(20, 0), arrowprops=line | {"shrinkA": 0, "shrinkB": 4}, **BESIDE)
    words = f"{fitted(row['solver'], 20)}: {row['proven']} of {row['asked']}"
    axes.annotate(words, (1.0, height), xytext=(24, 0), va="center", fontsize=9.5, **BESIDE)


def _apart(heights: Sequence[int], most: int) -> list[float]:
    """The heights of labels, moved so that none hides another."""
    step = 0.052 * most
    placed = [0.0] * len(heights)
    above = math.inf
    for place in sorted(range(len(heights)), key=lambda one: (-heights[one], one)):
        above = placed[place] = min(float(heights[place]), above - step)
    return placed
