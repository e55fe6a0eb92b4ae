"""The figures of trees beside the fewest training errors: a panel for each data set; errors by splits, and descents."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.ticker import MaxNLocator

from pipeline.drawing.figures import GREY, INK, colour_of, look_of
from pipeline.drawing.frame import Frame, Inches, framed, grid_shape
from pipeline.drawing.marks import band, entry, log_axis
from pipeline.grammar.columns import Row, grouped
from pipeline.grammar.summary import Found
from pipeline.grids.evo_vs_exact.summary import DESCENTS, FRONTIERS, MARKS, SETS

__all__ = ["draw"]

ACROSS = 4
PANEL, TALL, ABOVE, BELOW, LEFT = 2.75, 2.25, 1.3, 0.6, 0.8
"""Inches: width and height of a panel with what is around it, what is above and below all panels, and left of them."""
LETTERS = 26
"""Of a title that is no wider than its panel."""
KEY: dict[str, Any] = {"most_in_a_line": 8, "columnspacing": 1.4, "handletextpad": 0.5}
Style = tuple[float, Sequence[float]]

STYLES: tuple[Style, ...] = (
    *((0, (1, 1.2)), (0, (4, 2)), (0, ())),
    *((0, (6, 2, 1, 2)), (0, (2, 3)), (0, (1, 3))),
)
SHADES = (0.45, 1.0, 0.55, 0.2)
"""Of a builder's colour by depth from the least: so much of it, in white before the full one and in black after it."""
ABOVE_WORST = 0.25
"""What a panel has above the worst tree, as a share of what is between it and the least error."""


def draw(found: Found, folder: Path) -> tuple[Path, ...]:
    """Draw `evo_vs_exact` and `descent` as .svg and .png and return their paths; neither without what it shows."""
    sets, descents = found.rows(SETS), found.rows(DESCENTS)
    return (
        *(_trees(sets, found.rows(MARKS), found.rows(FRONTIERS), folder) if sets else ()),
        *(_descents(descents, folder) if descents else ()),
    )


def _trees(sets: Sequence[Row], marks: Sequence[Row], frontiers: Sequence[Row], folder: Path) -> tuple[Path, ...]:
    """Errors against splits of each tree, and the fewest errors by splits."""
    titles, builders = (list(dict.fromkeys(row[name] for row in sets)) for name in ("_title", "builder"))
    depths = sorted({row["max_depth"] for row in sets})
    said = "training error and splits of each tree; lines: the least that trees of a depth have with so many splits"
    with _panels(
        folder, "evo_vs_exact", "How near to the best tree of its depth", said, titles, ("splits", "training error, %")
    ) as (frame, panels):
        for title, axes in panels.items():
            _panel(axes, grouped(marks, "title")[title], grouped(frontiers, "title")[title], builders, depths)
        key = [
            entry(name, linestyle="", marker=look_of(name).marker, markerfacecolor=face, markeredgecolor=edge)
            for name, (face, edge) in zip(builders, map(_face_and_edge, builders, range(len(builders))), strict=True)
        ]
        for depth, style in zip(depths, STYLES, strict=False):
            key.append(entry(f"least, depth {depth}", color=INK, linewidth=1.1, linestyle=style))
        if any(row["fewest_splits_proven"] == "false" for row in sets):
            key.append(entry("not proven: down to the bound", color=GREY, alpha=0.25, linewidth=7))
        frame.key(key, **KEY)
    return frame.files


def _descents(descents: Sequence[Row], folder: Path) -> tuple[Path, ...]:
    """Fitness above the least by generation: the mean of the seeds, and the best and worst of them."""
    depths, builder = sorted({row["max_depth"] for row in descents}), descents[0]["builder"]
    shades = {depth: _shade(builder, place) for place, depth in enumerate(depths)}
    by_title = grouped(descents, "title")
    said = (
        "best fitness so far above the least of any tree of the depth, where proven: mean, best and worst of the seeds"
    )
    shown = ("How near evolution comes, and when", said, list(by_title))
    axes_of = ("generation, the first trees at 1", "fitness above the least")
    with _panels(folder, "descent", *shown, axes_of) as (frame, panels):
        for title, axes in panels.items():
            axes.set_xscale("log")
            for depth, own in grouped(by_title[title], "max_depth").items():
                generations = [1 + row["generation"] for row in own]
                band(axes, generations, own, alpha=0.15, color=shades[depth], linewidth=1.6)
            axes.set_ylim(bottom=-0.03 * axes.get_ylim()[1])
            log_axis(axes.xaxis, (1, 3))
            axes.yaxis.set_major_locator(MaxNLocator(nbins=5))
        frame.key([entry(f"depth {depth}", color=shade) for depth, shade in shades.items()], **KEY)
    return frame.files


@contextmanager
def _panels(
    folder: Path, name: str, headline: str, said: str, titles: Sequence[str], axes_of: tuple[str, str]
) -> Iterator[tuple[Frame, dict[str, Axes]]]:
    """A figure with a panel for each title; the axes are named below the last and beside the first."""
    down, across = shape = grid_shape(len(titles), ACROSS, 3)
    inches = Inches(LEFT + PANEL * across, ABOVE + BELOW + TALL * down, left=LEFT, right=0.22, above=ABOVE, below=BELOW)
    with framed(folder, name, headline, said, inches, shape, wspace=0.22, hspace=0.42) as frame:
        panels = frame.titled(titles, *axes_of, letters=LETTERS)
        yield frame, panels


def _panel(
    axes: Axes, marks: Sequence[Row], frontiers: Sequence[Row], builders: Sequence[str], depths: Sequence[int]
) -> None:
    """The trees of a data set, and the fewest errors of each depth."""
    most, wrong = max(row["splits"] for row in marks), [_percent(row, "errors") for row in marks]
    ends = []
    for depth, own in grouped(frontiers, "max_depth").items():
        _frontier(axes, own, STYLES[depths.index(depth)])
        ends.append(_percent(own[min(most, len(own) - 1)], "errors"))
    for row in sorted(marks, key=lambda row: depths.index(row["max_depth"])):
        place = builders.index(row["builder"])
        face, edge = _face_and_edge(row["builder"], place)
        axes.scatter(
            [row["splits"]],
            [_percent(row, "errors")],
            16 + 14 * math.sqrt(row["seeds"]),
            marker=look_of(row["builder"]).marker,
            facecolors=face,
            edgecolors=edge,
            linewidths=0.5 if place == 0 else 1.2,
            zorder=3,
        )
    span = max(max(wrong) - min(ends), 1.0)
    axes.set_ylim(min(ends) - 0.08 * span, max(wrong) + ABOVE_WORST * span)
    axes.set_xlim(-0.3, most + 0.6)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5))


def _frontier(axes: Axes, own: Sequence[Row], style: Style) -> None:
    """The fewest errors by splits; where they are not proven, their bound too."""
    splits, found = [row["splits"] for row in own], [_percent(row, "errors") for row in own]
    axes.step(splits, found, where="post", color=INK, linewidth=1.1, linestyle=style)
    if any(row["errors"] != row["bound"] for row in own):
        bound = [_percent(row, "bound") for row in own]
        axes.fill_between(splits, bound, found, step="post", color=GREY, alpha=0.12, linewidth=0)


def _percent(row: Row, name: str) -> float:
    """Errors in percent of the rows."""
    return float(100 * row[name] / row["rows"])


def _shade(builder: str, place: int) -> str:
    """The shade of a builder's colour for the depth of a place among the depths."""
    share, ground = SHADES[min(place, len(SHADES) - 1)], float(place < SHADES.index(1.0))
    red, green, blue = (share * part + (1 - share) * ground for part in to_rgb(colour_of(builder)))
    return to_hex((red, green, blue))


def _face_and_edge(builder: str, place: int) -> tuple[str, str]:
    """The colours of a builder's marks: the first is filled, others are open, so that both are seen in one place."""
    colour = colour_of(builder)
    return (colour, "white") if place == 0 else ("none", colour)
