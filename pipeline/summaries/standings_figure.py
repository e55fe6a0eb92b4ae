"""Builders against the first of them: a point each with both its intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from pipeline.summaries.figures import BLUE, GREY, INK, VERMILLION
from pipeline.summaries.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.summaries.standings import Standing

__all__ = ["key", "ratios_panel"]

COLOURS = (INK, BLUE, VERMILLION, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31", GREY)
"""Of builders in order; Okabe and Ito's but for the last two."""


def key(stand: Sequence[Standing]) -> list[Line2D]:
    """What each builder's point looks like."""
    return [
        Line2D([], [], linestyle="", marker=_marker(one), color=colour, label=one.builder)
        for one, colour in zip(stand, cycle(COLOURS), strict=False)
    ]


def ratios_panel(axes: Axes, stand: Sequence[Standing], ratio: Callable[[Standing], Estimate | None]) -> None:
    """Differences in accuracy against a ratio, on a logarithmic axis; squares are no single trees."""
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


def _marker(one: Standing) -> str:
    return "s" if one.nodes_ratio is None else "o"
