"""The figures of trees beside the fewest training errors: a panel for each data set; errors by splits, and descents."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator
from numpy.typing import NDArray

from pipeline.drawing.figures import GREY, INK, LIGHT, colour_of, fitted, house_style, look_of, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grids.evo_vs_exact.sets import Descent, Held, Optimum

__all__ = ["draw"]

ACROSS = 4
PANEL, TALL, ABOVE, BELOW, LEFT = 2.75, 2.25, 1.3, 0.6, 0.8
"""Inches: width and height of a panel with what is around it, what is above and below all panels, and left of them."""
LETTERS = 26
"""Of a title that is no wider than its panel."""
Style = tuple[float, Sequence[float]]

STYLES: tuple[Style, ...] = (
    *((0, (1, 1.2)), (0, (4, 2)), (0, ())),
    *((0, (6, 2, 1, 2)), (0, (2, 3)), (0, (1, 3))),
)
SHADES = (0.45, 1.0, 0.55, 0.2)
"""Of a builder's colour by depth from the least: so much of it, in white before the full one and in black after it."""
ABOVE_WORST = 0.25
"""What a panel has above the worst tree, as a share of what is between it and the least error."""


def draw(held: Sequence[Held], descents: Sequence[Descent], folder: Path) -> tuple[Path, ...]:
    """Draw `evo_vs_exact` and `descent` as .svg and .png and return their paths; neither without what it shows."""
    proven = {(one.optimum.title, one.optimum.max_depth) for one in held if one.optimum.proven}
    known = [one for one in descents if (one.title, one.max_depth) in proven]
    with house_style():
        return (*(_trees(held, folder) if held else ()), *(_descents(known, folder) if known else ()))


def _trees(held: Sequence[Held], folder: Path) -> tuple[Path, Path]:
    """Errors against splits of each tree, and the fewest errors by splits."""
    builders = list(dict.fromkeys(one.builder for one in held))
    depths = sorted({one.optimum.max_depth for one in held})
    figure, panels = _panels([one.optimum.title for one in held], "splits", "training error, %")
    for title, axes in panels.items():
        _panel(axes, [one for one in held if one.optimum.title == title], builders, depths)
    said = "training error and splits of each tree; lines: the least that trees of a depth have with so many splits"
    key = _key(builders, depths, unproven=any(not one.optimum.proven_by_splits for one in held))
    _head(figure, "How near to the best tree of its depth", said, key)
    return save(figure, folder, "evo_vs_exact")


def _descents(descents: Sequence[Descent], folder: Path) -> tuple[Path, Path]:
    """Fitness above the least by generation: the mean of the seeds, and the best and worst of them."""
    depths = sorted({one.max_depth for one in descents})
    figure, panels = _panels(
        [one.title for one in descents], "generation, the first trees at 1", "fitness above the least"
    )
    for title, axes in panels.items():
        axes.grid(visible=True, axis="both", color=LIGHT)
        axes.set_xscale("log")
        for one in (one for one in descents if one.title == title):
            shade = _shade(one.builder, depths.index(one.max_depth))
            told = _told(one)
            above, generations = one.above[:, told], 1 + told
            axes.fill_between(generations, above.min(axis=0), above.max(axis=0), color=shade, alpha=0.15, lw=0)
            axes.plot(generations, above.mean(axis=0), color=shade, linewidth=1.6)
        axes.set_ylim(bottom=-0.03 * axes.get_ylim()[1])
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 3)))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_major_locator(MaxNLocator(nbins=5))
    said = (
        "best fitness so far above the least of any tree of the depth, where proven: mean, best and worst of the seeds"
    )
    key = [
        Line2D([], [], color=_shade(descents[0].builder, place), label=f"depth {depth}")
        for place, depth in enumerate(depths)
    ]
    _head(figure, "How near evolution comes, and when", said, key)
    return save(figure, folder, "descent")


def _told(one: Descent) -> NDArray[np.intp]:
    """The generations between which no seed betters its fitness, with the first and the last: lines need no others."""
    bettered = np.flatnonzero(np.diff(one.above, axis=1).any(axis=0))
    return np.unique(np.concatenate([[0], bettered, bettered + 1, [one.above.shape[1] - 1]]))


def _panels(titles: Sequence[str], along: str, up: str) -> tuple[Figure, dict[str, Axes]]:
    """A panel for each title; `along` and `up` label the axes of the last and the first of a column and a row."""
    own = list(dict.fromkeys(titles))
    across = min(ACROSS, max(len(own), 3))
    down = math.ceil(len(own) / across)
    width, height = LEFT + PANEL * across, ABOVE + BELOW + TALL * down
    figure = Figure(figsize=(width, height))
    place = {"left": LEFT / width, "right": 1 - 0.22 / width, "bottom": BELOW / height, "top": 1 - ABOVE / height}
    panels = figure.subplots(down, across, squeeze=False, gridspec_kw=place | {"wspace": 0.22, "hspace": 0.42})
    for axes in panels.flat[len(own) :]:
        axes.set_visible(False)
    for row in panels:
        row[0].set_ylabel(up)
    for axes in panels.flat[max(len(own) - across, 0) : len(own)]:
        axes.set_xlabel(along)
    found = dict(zip(own, panels.flat, strict=False))
    for title, axes in found.items():
        axes.set_title(fitted(title, LETTERS))
    return figure, found


def _head(figure: Figure, title: str, said: str, key: Sequence[Line2D]) -> None:
    """Title, what is drawn, and the key, above the panels."""
    height = figure.get_figheight()
    figure.text(0.012, 1 - 0.16 / height, title, fontsize=14, fontweight="bold", va="top")
    figure.text(0.012, 1 - 0.46 / height, said, color=GREY, va="top")
    figure.legend(
        handles=list(key), ncols=8, loc="upper left", bbox_to_anchor=(0.002, 1 - 0.62 / height),
        columnspacing=1.4, handletextpad=0.5,
    )  # fmt: skip


def _panel(axes: Axes, held: Sequence[Held], builders: Sequence[str], depths: Sequence[int]) -> None:
    axes.grid(visible=True, axis="both", color=LIGHT)
    optima = {one.optimum.max_depth: one.optimum for one in held}
    for depth, optimum in optima.items():
        _frontier(axes, optimum, STYLES[depths.index(depth)])
    trees = [(one, tree) for one in held for tree in one.trees]
    for one in held:
        place = builders.index(one.builder)
        face, edge = _face_and_edge(one.builder, place)
        for (errors, splits), seeds in Counter((tree.errors, tree.splits) for tree in one.trees).items():
            at = ([splits], [one.optimum.points(errors)])
            size = 16 + 14 * math.sqrt(seeds)
            axes.scatter(
                *at, size, marker=look_of(one.builder).marker, facecolors=face, edgecolors=edge,
                linewidths=0.5 if place == 0 else 1.2, zorder=3,
            )  # fmt: skip
    most = max(tree.splits for _, tree in trees)
    wrong = [one.optimum.points(tree.errors) for one, tree in trees]
    least = min(optimum.points(optimum.errors[min(most, len(optimum.errors) - 1)]) for optimum in optima.values())
    span = max(max(wrong) - least, 1.0)
    axes.set_ylim(least - 0.08 * span, max(wrong) + ABOVE_WORST * span)
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


def _shade(builder: str, place: int) -> str:
    """The shade of a builder's colour for the depth of a place among the depths."""
    share, full = SHADES[min(place, len(SHADES) - 1)], SHADES.index(1.0)
    ground = 255 if place < full else 0
    colour = colour_of(builder)
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(share * part + (1 - share) * ground):02x}" for part in parts)


def _face_and_edge(builder: str, place: int) -> tuple[str, str]:
    """The colours of a builder's marks: the first is filled, others are open, so that both are seen in one place."""
    colour = colour_of(builder)
    return (colour, "white") if place == 0 else ("none", colour)


def _key(builders: Sequence[str], depths: Sequence[int], *, unproven: bool) -> list[Line2D]:
    points = [
        Line2D(
            *([], []), linestyle="", marker=look_of(name).marker, label=name,
            markerfacecolor=_face_and_edge(name, place)[0], markeredgecolor=_face_and_edge(name, place)[1],
        )
        for place, name in enumerate(builders)
    ]  # fmt: skip
    lines = [
        Line2D([], [], color=INK, linewidth=1.1, linestyle=style, label=f"least, depth {depth}")
        for depth, style in zip(depths, STYLES, strict=False)
    ]
    open_ = [Line2D([], [], color=GREY, alpha=0.25, linewidth=7, label="not proven: down to the bound")]
    return [*points, *lines, *(open_ if unproven else [])]
