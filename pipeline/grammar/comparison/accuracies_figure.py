"""The figure of any comparison of builders: accuracy on each data set, and the size of the trees that have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from pipeline.drawing.figures import GREY, LIGHT, PRINTED, fitted, house_style, look_of, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.comparison.accuracies import Score

__all__ = ["draw"]

WIDTH, LINE, APART, ABOVE, BELOW, RIGHT, LETTER = 9.0, 0.34, 0.1, 0.95, 0.6, 0.15, 0.088
"""Inches: the figure's width; of a data set the least height, and of a builder in it; what is around them; a letter."""
KEY_LINE, KEYS_IN_A_LINE = 0.24, 6
POINT: dict[str, Any] = {"markersize": 5.5, "markeredgecolor": "white", "markeredgewidth": 0.5}


def draw(
    scores: Sequence[Score],
    builders: Sequence[str],
    folder: Path,
    *,
    name: str = "accuracies",
    headline: str = "How accurate, and how large",
    printed: Mapping[tuple[str, str], float] | None = None,
) -> tuple[Path, ...]:
    """Draw `<name>.svg` and `.png` and return their paths; nothing where nothing was tested.

    printed : accuracies in print, 0 to 1, by title of the data set and builder
    """
    tested = [score for score in scores if score.accuracy and score.builder in builders]
    if not tested:
        return ()
    titles = list(dict.fromkeys(score.title for score in tested))
    shown = [one for one in builders if any(score.builder == one for score in tested)]
    sized = any(score.mean("nodes") for score in tested)
    lines = max(LINE, APART * (len(shown) + 1)) * len(titles)
    above = ABOVE + KEY_LINE * -(-(len(shown) + bool(printed)) // KEYS_IN_A_LINE)
    height = above + lines + BELOW
    with house_style():
        figure = Figure(figsize=(WIDTH, height))
        left = 0.35 + LETTER * max(len(fitted(title)) for title in titles)
        place = {"left": left / WIDTH, "right": 1 - RIGHT / WIDTH, "bottom": BELOW / height, "top": 1 - above / height}
        ratios = {"width_ratios": [1.7, 1] if sized else [1], "wspace": 0.06}
        panels = figure.subplots(1, 1 + sized, sharey=True, squeeze=False, gridspec_kw=place | ratios)[0]
        heights = {
            (title, one): row + (number + 1) / (len(shown) + 1) - 0.5
            for row, title in enumerate(titles)
            for number, one in enumerate(shown)
        }
        _accuracies(panels[0], tested, heights, printed or {})
        if sized:
            _sizes(panels[1], tested, heights)
        for panel in panels:
            for row in range(1, len(titles)):
                panel.axhline(row - 0.5, color=LIGHT, linewidth=0.6)
        panels[0].set_yticks(range(len(titles)), map(fitted, titles))
        panels[0].set_ylim(len(titles) - 0.5, -0.5)
        _head(figure, headline, shown, tested, bool(printed))
        return save(figure, folder, name)


def _accuracies(
    axes: Axes,
    tested: Sequence[Score],
    heights: Mapping[tuple[str, str], float],
    printed: Mapping[tuple[str, str], float],
) -> None:
    """Mean test accuracies with their intervals, and the printed ones around them."""
    for score in tested:
        found, look, y = score.accuracy, look_of(score.builder), heights[score.title, score.builder]
        if found is None:
            continue
        if found.low is not None and found.high is not None:
            ends = [100 * max(found.low, 0.0), 100 * min(found.high, 1.0)]
            axes.plot(ends, [y, y], color=look.colour, linewidth=1.3, alpha=0.6)
        axes.plot([100 * found.mean], [y], look.marker, color=look.colour, **POINT)
        theirs = printed.get((score.title, score.builder))
        if theirs is not None:
            axes.plot([100 * theirs], [y], linestyle="", **PRINTED)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.set_xlabel("test accuracy, %")


def _sizes(axes: Axes, tested: Sequence[Score], heights: Mapping[tuple[str, str], float]) -> None:
    """Mean nodes of the trees, on a logarithmic axis."""
    axes.set_xscale("log")
    for score in tested:
        nodes, look = score.mean("nodes"), look_of(score.builder)
        if nodes:
            y = heights[score.title, score.builder]
            axes.plot([nodes], [y], look.marker, color=look.colour, **POINT)
    low, high = axes.get_xlim()
    axes.set_xlim(max(low / 1.2, 0.8), high * 1.2)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 3) if high / low > 8 else (1, 2, 3, 5)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel("nodes of the tree, mean")


def _head(figure: Figure, headline: str, shown: Sequence[str], tested: Sequence[Score], has_print: bool) -> None:
    """Title, sizes and key above the panels."""
    height = figure.get_figheight()
    splits = sorted({score.accuracy.n for score in tested if score.accuracy})
    many = f"{splits[0]} to {splits[-1]}" if len(splits) > 1 else f"{splits[0]}"
    said = f"means over {many} splits, with approximate 95 % intervals; of trees the nodes that training rows reach"
    figure.text(0.012, 1 - 0.16 / height, headline, fontsize=14, fontweight="bold", va="top")
    figure.text(0.012, 1 - 0.46 / height, said, color=GREY, va="top")
    key = [
        Line2D([], [], linestyle="", marker=look_of(one).marker, color=look_of(one).colour, label=fitted(one), **POINT)
        for one in shown
    ]
    if has_print:
        key.append(Line2D([], [], linestyle="", label="printed", **PRINTED))
    lines = -(-len(key) // KEYS_IN_A_LINE)
    where: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (0.002, 1 - 0.62 / height)}
    figure.legend(handles=key, ncols=-(-len(key) // lines), columnspacing=1.2, handletextpad=0.2, **where)
