"""The figure of grown trees beside the smallest: a panel for each builder, a line for each data set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from pipeline.drawing.figures import GREY, INK, colour_of, fitted, house_style, look_of, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grids.smallest_tree.summary import Pair

__all__ = ["draw"]

PANEL, LINE, ABOVE, BELOW = 3.0, 0.25, 1.35, 0.65
"""Inches: width of a panel, the height of a line, and what is above and below the panels."""
LETTER = 0.088
POINT = 6.5
SMALL: dict[str, Any] = {"color": GREY, "fontsize": 7.5}


def draw(pairs: Sequence[Pair], folder: Path) -> tuple[Path, ...]:
    """Draw `smallest_tree.svg` and `.png` and return their paths; nothing where there is no pair."""
    worked = [pair for pair in pairs if pair.worked]
    if not worked:
        return ()
    builders = list(dict.fromkeys(pair.builder for pair in worked))
    titles = list(dict.fromkeys(pair.title for pair in worked))
    left = 0.35 + LETTER * max(len(fitted(title)) for title in titles)
    width, height = left + PANEL * len(builders), ABOVE + BELOW + LINE * len(titles)
    with house_style():
        figure = Figure(figsize=(width, height))
        place = {"left": left / width, "right": 0.99, "bottom": BELOW / height, "top": 1 - ABOVE / height}
        panels = figure.subplots(
            1, len(builders), sharex=True, sharey=True, squeeze=False, gridspec_kw=place | {"wspace": 0.07}
        )[0]
        for panel, builder in zip(panels, builders, strict=True):
            _panel(panel, [pair for pair in worked if pair.builder == builder], titles)
            panel.set_title(fitted(builder))
            panel.set_xlabel("leaves")
        leaves = [number for pair in worked for number in (pair.fewest["bound"], pair.grown["terminal_nodes"])]
        span = max(leaves) / min(leaves)
        panels[0].set_xlim(min(leaves) / 1.3, 1.1 * max(leaves) * span**0.3)
        panels[0].xaxis.set_major_locator(
            LogLocator(subs=(1,) if span > 200 else (1, 3) if span > 20 else (1, 2, 3, 5))
        )
        panels[0].set_yticks(range(len(titles)), map(fitted, titles))
        panels[0].set_ylim(len(titles) - 0.4, -0.6)
        figure.text(0.012, 1 - 0.16 / height, "The smallest tree that says the same", fontsize=14,
                    fontweight="bold", va="top")  # fmt: skip
        said = "leaves grown, and the fewest of any tree with the same classification of the training rows; logarithmic"
        figure.text(0.012, 1 - 0.46 / height, said, color=GREY, va="top")
        figure.legend(
            handles=_key(builders),
            ncols=7,
            columnspacing=1.2,
            handletextpad=0.3,
            loc="upper left",
            bbox_to_anchor=(0.002, 1 - 0.66 / height),
        )
        return save(figure, folder, "smallest_tree")


def _panel(axes: Axes, pairs: Sequence[Pair], titles: Sequence[str]) -> None:
    axes.set_xscale("log")
    axes.grid(visible=True, axis="both")
    for pair in pairs:
        line, look = titles.index(pair.title), look_of(pair.builder)
        colour = look.colour
        grown, fewest, bound = pair.grown["terminal_nodes"], pair.fewest["terminal_nodes"], pair.fewest["bound"]
        axes.plot([fewest, grown], [line, line], color=colour, linewidth=2, alpha=0.55, solid_capstyle="butt")
        if not pair.proven:
            axes.plot([bound, fewest], [line, line], color=INK, linewidth=1, linestyle=(0, (2, 2)))
            axes.plot([bound], [line], "|", color=INK, markersize=9, markeredgewidth=1.5)
        axes.plot([grown], [line], look.marker, color=colour, markersize=POINT + 2, markeredgecolor="white")
        inside = INK if pair.proven else "white"
        edge = "white" if pair.proven else INK
        if grown > fewest:
            said = f"+{100 * (grown - fewest) / fewest:.0f} %"
            axes.annotate(said, (grown, line), xytext=(5, 0), textcoords="offset points", va="center", **SMALL)
        axes.plot([fewest], [line], "D", color=inside, markersize=POINT - 2, markeredgecolor=edge)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def _key(builders: Sequence[str]) -> list[Line2D]:
    marks: dict[str, Any] = {"linestyle": "", "marker": "D", "markersize": POINT - 2}
    return [
        *(
            Line2D(
                [], [], linestyle="", marker=look_of(one).marker, color=colour_of(one), label=f"grown by {fitted(one)}"
            )
            for one in builders
        ),
        Line2D([], [], color=INK, markeredgecolor="white", label="fewest, proven", **marks),
        Line2D([], [], color="white", markeredgecolor=INK, label="fewest found", **marks),
        Line2D([], [], linestyle="", marker="|", color=INK, markersize=9, markeredgewidth=1.5, label="proven bound"),
    ]
