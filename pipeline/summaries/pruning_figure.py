"""The figure of ways to prune: accuracy against size and against time, each beside the first builder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from pipeline.summaries.figures import BLUE, GREY, INK, VERMILLION, house_style, save
from pipeline.summaries.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.summaries.pruning import Standing

__all__ = ["draw"]

WIDTH, HEIGHT = 12.5, 6.2
MOST_IN_A_LINE = 6
COLOURS = (INK, BLUE, VERMILLION, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31", GREY)
"""Of builders in order; Okabe and Ito's but for the last two."""


def draw(stand: Sequence[Standing], folder: Path) -> tuple[Path, ...]:
    """Draw `pruning.svg` and `.png` and return their paths; nothing where there are no two builders."""
    if len(stand) < 2:
        return ()
    with house_style():
        figure = Figure(figsize=(WIDTH, HEIGHT))
        size, time = figure.subplots(1, 2, sharey=True, gridspec_kw={"wspace": 0.08, "left": 0.075, "right": 0.985})
        figure.subplots_adjust(top=0.75, bottom=0.115)
        _panel(size, stand, lambda one: one.nodes_ratio)
        _panel(time, stand, lambda one: one.time_ratio)
        first = stand[0].builder
        size.set_title("Size")
        size.set_xlabel(f"nodes, times those of {first}")
        size.set_ylabel(f"test accuracy, points above {first}")
        time.set_title("Time")
        time.set_xlabel(f"seconds to build, times those of {first}")
        figure.text(0.012, 0.965, "What pruning buys", fontsize=14, fontweight="bold", va="top")
        said = (
            f"mean difference in test accuracy to {first} over {stand[0].difference.n} data sets, against geometric "
            "mean ratios; bars are 95 % intervals, paired by data set; squares are no single trees"
        )
        figure.text(0.012, 0.91, said, color=GREY, va="top")
        key = [
            Line2D([], [], linestyle="", marker=_marker(one), color=colour, label=one.builder)
            for one, colour in zip(stand, cycle(COLOURS), strict=False)
        ]
        columns = -(-len(key) // 2) if len(key) > MOST_IN_A_LINE else len(key)
        figure.legend(handles=key, ncols=columns, loc="upper left", bbox_to_anchor=(0.005, 0.88), columnspacing=1.4)
        return save(figure, folder, "pruning")


def _marker(one: Standing) -> str:
    return "s" if one.nodes_ratio is None else "o"


def _panel(axes: Axes, stand: Sequence[Standing], ratio: Callable[[Standing], Estimate | None]) -> None:
    axes.set_xscale("log")
    axes.grid(visible=True, axis="both")
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    for one, colour in zip(stand, cycle(COLOURS), strict=False):
        across, up = ratio(one), one.difference
        if across is None:
            continue
        x, y = 10**across.mean, up.mean
        if across.low is not None and across.high is not None:
            axes.plot([10**across.low, 10**across.high], [y, y], color=colour, linewidth=1.2, alpha=0.6)
        if up.low is not None and up.high is not None:
            axes.plot([x, x], [up.low, up.high], color=colour, linewidth=1.2, alpha=0.6)
        axes.plot([x], [y], _marker(one), color=colour, markersize=7.5, markeredgecolor="white", markeredgewidth=0.7)
    axes.margins(x=0.06, y=0.06)
