"""The figure of trees beside the fewest training errors: a panel for each data set, errors against splits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pipeline.summaries.figures import BLUE, GREY, INK, LIGHT, VERMILLION, house_style, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.summaries.evo_vs_exact_sets import Held, Optimum

__all__ = ["draw"]

ACROSS = 4
PANEL, TALL, ABOVE, BELOW, LEFT = 2.75, 2.25, 1.3, 0.6, 0.65
"""Inches: width and height of a panel with what is around it, what is above and below all panels, and left of them."""
Style = tuple[float, Sequence[float]]

COLOURS = (VERMILLION, BLUE, "#009E73", "#CC79A7", "#E69F00")
"""Of builders in their order: Okabe and Ito's."""
MARKERS = ("o", "s", "D", "^", "v")
STYLES: tuple[Style, ...] = (
    *((0, (1, 1.2)), (0, (4, 2)), (0, ())),
    *((0, (6, 2, 1, 2)), (0, (2, 3)), (0, (1, 3))),
)
"""Of depths from the least."""
ABOVE_WORST = 0.25
"""What a panel has above the worst tree, as a share of what is between it and the least error."""


def draw(held: Sequence[Held], folder: Path) -> tuple[Path, ...]:
    """Draw `evo_vs_exact.svg` and `.png` and return their paths; nothing where there are no trees."""
    if not held:
        return ()
    titles = list(dict.fromkeys(one.optimum.title for one in held))
    builders = list(dict.fromkeys(one.builder for one in held))
    depths = sorted({one.optimum.max_depth for one in held})
    across = min(ACROSS, max(len(titles), 3))
    down = math.ceil(len(titles) / across)
    width, height = LEFT + PANEL * across, ABOVE + BELOW + TALL * down
    with house_style():
        figure = Figure(figsize=(width, height))
        place = {"left": LEFT / width, "right": 0.99, "bottom": BELOW / height, "top": 1 - ABOVE / height}
        panels = figure.subplots(down, across, squeeze=False, gridspec_kw=place | {"wspace": 0.22, "hspace": 0.42})
        for axes in panels.flat[len(titles) :]:
            axes.set_visible(False)
        for axes, title in zip(panels.flat, titles, strict=False):
            _panel(axes, [one for one in held if one.optimum.title == title], builders, depths)
            axes.set_title(title)
        for row in panels:
            row[0].set_ylabel("training error, %")
        for column in range(across):
            panels[(len(titles) - 1 - column) // across, column].set_xlabel("splits")
        figure.text(0.012, 1 - 0.16 / height, "How near to the best tree of its depth", fontsize=14,
                    fontweight="bold", va="top")  # fmt: skip
        said = "training error and splits of each tree; lines: the least that trees of a depth have with so many splits"
        figure.text(0.012, 1 - 0.46 / height, said, color=GREY, va="top")
        figure.legend(
            handles=_key(builders, depths, unproven=any(not one.optimum.proven_by_splits for one in held)),
            ncols=8, loc="upper left", bbox_to_anchor=(0.002, 1 - 0.62 / height), columnspacing=1.4, handletextpad=0.5,
        )  # fmt: skip
        return save(figure, folder, "evo_vs_exact")


def _panel(axes: Axes, held: Sequence[Held], builders: Sequence[str], depths: Sequence[int]) -> None:
    axes.grid(visible=True, axis="both", color=LIGHT)
    optima = {one.optimum.max_depth: one.optimum for one in held}
    for depth, optimum in optima.items():
        _frontier(axes, optimum, STYLES[depths.index(depth)])
    trees = [(one, tree) for one in held for tree in one.trees]
    for one in held:
        place = builders.index(one.builder)
        face, edge = _face_and_edge(place)
        for tree, seeds in Counter(one.trees).items():
            at = ([tree.splits], [one.optimum.points(tree.errors)])
            size = 16 + 14 * math.sqrt(seeds)
            axes.scatter(
                *at, size, marker=MARKERS[place % len(MARKERS)], facecolors=face, edgecolors=edge,
                linewidths=0.5 if place == 0 else 1.2, zorder=3,
            )  # fmt: skip
    most = max(tree.splits for _, tree in trees)
    errors = [one.optimum.points(tree.errors) for one, tree in trees]
    least = min(optimum.points(optimum.errors[min(most, len(optimum.errors) - 1)]) for optimum in optima.values())
    span = max(max(errors) - least, 1.0)
    axes.set_ylim(least - 0.08 * span, max(errors) + ABOVE_WORST * span)
    axes.set_xlim(-0.3, most + 0.6)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5))


def _frontier(axes: Axes, optimum: Optimum, style: Style) -> None:
    """The fewest errors by splits; where they are not proven, their bound too."""
    splits = range(len(optimum.errors))
    found = [optimum.points(errors) for errors in optimum.errors]
    axes.step(splits, found, where="post", color=INK, linewidth=1.1, linestyle=style)
    if not optimum.proven_by_splits:
        bound = [optimum.points(errors) for errors in optimum.bounds]
        axes.fill_between(splits, bound, found, step="post", color=GREY, alpha=0.12, linewidth=0)


def _face_and_edge(place: int) -> tuple[str, str]:
    """The colours of a builder's marks: the first is filled, others are open, so that both are seen in one place."""
    colour = COLOURS[place % len(COLOURS)]
    return (colour, "white") if place == 0 else ("none", colour)


def _key(builders: Sequence[str], depths: Sequence[int], *, unproven: bool) -> list[Line2D]:
    points = [
        Line2D(
            *([], []), linestyle="", marker=MARKERS[place % len(MARKERS)], label=name,
            markerfacecolor=_face_and_edge(place)[0], markeredgecolor=_face_and_edge(place)[1],
        )
        for place, name in enumerate(builders)
    ]  # fmt: skip
    lines = [
        Line2D([], [], color=INK, linewidth=1.1, linestyle=style, label=f"least, depth {depth}")
        for depth, style in zip(depths, STYLES, strict=False)
    ]
    open_ = [Line2D([], [], color=GREY, alpha=0.25, linewidth=7, label="not proven: down to the bound")]
    return [*points, *lines, *(open_ if unproven else [])]
