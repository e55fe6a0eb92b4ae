"""The figure of ways to prune: accuracy against size and against time, each beside the first builder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from pipeline.summaries.figures import BLUE, GREY, INK, VERMILLION, house_style, save
from pipeline.summaries.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.summaries.pruning import Standing

__all__ = ["draw"]

WIDTH, HEIGHT = 12.5, 5.6


def draw(stand: Sequence[Standing], folder: Path) -> tuple[Path, ...]:
    """Draw `pruning.svg` and `.png` and return their paths; nothing where there are no two builders."""
    if len(stand) < 2:
        return ()
    with house_style():
        figure = Figure(figsize=(WIDTH, HEIGHT))
        size, time = figure.subplots(1, 2, sharey=True, gridspec_kw={"wspace": 0.08, "left": 0.075, "right": 0.985})
        figure.subplots_adjust(top=0.80, bottom=0.13)
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
            "mean ratios; bars are 95 % intervals, paired by data set"
        )
        figure.text(0.012, 0.905, said, color=GREY, va="top")
        return save(figure, folder, "pruning")


def _panel(axes: Axes, stand: Sequence[Standing], ratio: Callable[[Standing], Estimate | None]) -> None:
    axes.set_xscale("log")
    axes.grid(visible=True, axis="both")
    axes.axhline(0, color=INK, linewidth=0.8)
    found = [10**across.mean for across in map(ratio, stand) if across is not None]
    middle = (min(found) * max(found)) ** 0.5
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    for place, one in enumerate(stand):
        across = ratio(one)
        if across is None:
            continue
        x, y = 10**across.mean, one.difference.mean
        colour = INK if not place else BLUE if one.nodes_ratio is not None else VERMILLION
        bars = {"color": colour, "linewidth": 1.2, "alpha": 0.55}
        if across.low is not None and across.high is not None:
            axes.plot([10**across.low, 10**across.high], [y, y], **bars)  # type: ignore[arg-type]
        if one.difference.low is not None and one.difference.high is not None:
            axes.plot([x, x], [one.difference.low, one.difference.high], **bars)  # type: ignore[arg-type]
        axes.plot([x], [y], "o", color=colour, markersize=7, markeredgecolor="white", markeredgewidth=0.7)
        to_left = x > middle  # names stay within the panel
        aside = {"xytext": (-7 if to_left else 7, 5), "ha": "right" if to_left else "left"}
        axes.annotate(one.builder, (x, y), textcoords="offset points", color=colour, fontsize=9, **aside)  # type: ignore[arg-type]
    axes.margins(x=0.08, y=0.08)
