"""Builders against the first of them: a point each with both its intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from pipeline.drawing.figures import INK, colour_of, fitted, look_of
from pipeline.summary.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.standings import Standing

__all__ = ["key", "ratios_panel"]

MOST_WITH_FIVES = 100
"""From the least to the greatest ratio, beyond which an axis has no room for marks at 2, 3 and 5."""


def key(stand: Sequence[Standing]) -> list[Line2D]:
    """What each builder's point looks like."""
    return [Line2D([], [], linestyle="", label=fitted(one.builder), markersize=7.5, **_mark(one)) for one in stand]


def ratios_panel(axes: Axes, stand: Sequence[Standing], ratio: Callable[[Standing], Estimate | None]) -> None:
    """Differences in accuracy against a ratio, on a logarithmic axis; what is no single tree is hollow."""
    axes.set_xscale("log")
    axes.grid(visible=True, axis="both")
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    for one in stand:
        across, up, colour = ratio(one), one.difference, colour_of(one.builder)
        if across is None:
            continue
        x, y = 10**across.mean, up.mean
        if across.low is not None and across.high is not None:
            axes.plot([10**across.low, 10**across.high], [y, y], color=colour, linewidth=1.2, alpha=0.6)
        if up.low is not None and up.high is not None:
            axes.plot([x, x], [up.low, up.high], color=colour, linewidth=1.2, alpha=0.6)
        axes.plot([x], [y], linestyle="", markersize=7.5, **_mark(one))
    axes.margins(x=0.06, y=0.06)
    low, high = axes.get_xlim()
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 3) if high > MOST_WITH_FIVES * low else (1, 2, 3, 5)))
    axes.xaxis.set_minor_locator(NullLocator())


def _mark(one: Standing) -> dict[str, Any]:
    """The marker of a builder, hollow where it is no single tree."""
    look, whole = look_of(one.builder), one.nodes_ratio is not None
    return {
        "marker": look.marker,
        "markerfacecolor": look.colour if whole else "white",
        "markeredgecolor": "white" if whole else look.colour,
        "markeredgewidth": 0.7 if whole else 1.4,
    }
