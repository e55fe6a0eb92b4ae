"""The figure of exact solvers: how many instances each has proved within so many seconds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from pipeline.drawing.figures import GREY, INK, fitted, house_style, look_of, save

if TYPE_CHECKING:
    from pipeline.grids.solvers.standings import Standing

__all__ = ["draw"]

WIDTH, HEIGHT = 9.5, 5.6


def draw(standings: Sequence[Standing], instances: int, folder: Path) -> tuple[Path, ...]:
    """Draw `solvers.svg` and `.png` and return their paths; nothing where nothing was proved."""
    shown = [(one, look_of(one.solver)) for one in standings if one.proven]
    if not shown:
        return ()
    with house_style():
        figure = Figure(figsize=(WIDTH, HEIGHT))
        axes = figure.add_axes((0.075, 0.11, 0.665, 0.72))
        axes.set_xscale("log")
        axes.grid(visible=True, axis="both")
        last = max(fit.seconds for one, _ in shown for fit in one.proven)
        for one, look in shown:
            seconds = sorted(fit.seconds for fit in one.proven)
            axes.plot(
                [seconds[0], *seconds, 1.15 * last], [0, *range(1, len(seconds) + 1), len(seconds)],
                drawstyle="steps-post", color=look.colour, linestyle=look.line,
                linewidth=2.2 if one is standings[0] else 1.5,
            )  # fmt: skip
        axes.axhline(instances, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_ylim(0, 1.04 * instances)
        axes.set_xlim(right=1.15 * last)
        axes.xaxis.set_major_locator(LogLocator())
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_major_locator(MaxNLocator(8, integer=True))
        axes.set_xlabel("seconds of a call of fit, on the clock")
        axes.set_ylabel("instances proved")
        for height, (one, look) in zip(_apart([len(one.proven) for one, _ in shown], instances), shown, strict=True):
            said = f"{fitted(one.solver, 20)}: {len(one.proven)} of {one.asked}"
            at: dict[str, Any] = {
                "xycoords": ("axes fraction", "data"),
                "textcoords": "offset points",
                "annotation_clip": False,
            }
            line: dict[str, Any] = {"arrowstyle": "-", "color": look.colour, "linewidth": 2.2, "linestyle": look.line}
            axes.annotate("", (1.0, height), xytext=(20, 0), arrowprops=line | {"shrinkA": 0, "shrinkB": 4}, **at)
            axes.annotate(said, (1.0, height), xytext=(24, 0), va="center", fontsize=9.5, **at)
        figure.text(0.012, 0.965, "Who proves it, and how soon", fontsize=14, fontweight="bold", va="top")
        said = f"instances proved optimal within so many seconds, of {instances} (dashed); of: those it can be asked"
        figure.text(0.012, 0.905, said, color=GREY, va="top")
        return save(figure, folder, "solvers")


def _apart(heights: Sequence[int], most: int) -> list[float]:
    """The heights of labels, moved so that none hides another."""
    step = 0.052 * most
    placed = [0.0] * len(heights)
    above = math.inf
    for place in sorted(range(len(heights)), key=lambda one: (-heights[one], one)):
        above = placed[place] = min(float(heights[place]), above - step)
    return placed
