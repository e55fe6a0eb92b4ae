"""The figures of trees beside the fewest training errors: a panel for each data set; errors by splits, and descents."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from pipeline.drawing.figures import GREY, INK, LIGHT, colour_of, fitted, look_of
from pipeline.drawing.frame import Frame, Inches, framed
from pipeline.grids.evo_vs_exact.tables import DESCENTS, FRONTIERS, MARKS, SETS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.columns import Row
    from pipeline.grammar.summary import Found

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
            own, least = ([row for row in rows if row["title"] == title] for rows in (marks, frontiers))
            _panel(axes, own, least, builders, depths)
        unproven = any(row["fewest_splits_proven"] == "false" for row in sets)
        _key(frame, _entries(builders, depths, unproven=unproven))
    return frame.files


def _descents(descents: Sequence[Row], folder: Path) -> tuple[Path, ...]:
    """Fitness above the least by generation: the mean of the seeds, and the best and worst of them."""
    depths = sorted({row["max_depth"] for row in descents})
    titles = list(dict.fromkeys(row["title"] for row in descents))
    builder = descents[0]["builder"]
    said = (
        "best fitness so far above the least of any tree of the depth, where proven: mean, best and worst of the seeds"
    )
    axes_of = ("generation, the first trees at 1", "fitness above the least")
    with _panels(folder, "descent", "How near evolution comes, and when", said, titles, axes_of) as (frame, panels):
        for title, axes in panels.items():
            axes.grid(visible=True, axis="both", color=LIGHT)
            axes.set_xscale("log")
            for depth in dict.fromkeys(row["max_depth"] for row in descents if row["title"] == title):
                own = [row for row in descents if (row["title"], row["max_depth"]) == (title, depth)]
                shade = _shade(builder, depths.index(depth))
                at = [1 + row["generation"] for row in own]
                low, mean, high = ([row[name] for row in own] for name in ("low", "mean", "high"))
                axes.fill_between(at, low, high, color=shade, alpha=0.15, lw=0)
                axes.plot(at, mean, color=shade, linewidth=1.6)
            axes.set_ylim(bottom=-0.03 * axes.get_ylim()[1])
            axes.xaxis.set_major_locator(LogLocator(subs=(1, 3)))
            axes.xaxis.set_minor_locator(NullLocator())
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            axes.yaxis.set_major_locator(MaxNLocator(nbins=5))
        shades = enumerate(depths)
        _key(frame, [Line2D([], [], color=_shade(builder, place), label=f"depth {depth}") for place, depth in shades])
    return frame.files


@contextmanager
def _panels(
    folder: Path, name: str, headline: str, said: str, titles: Sequence[str], axes_of: tuple[str, str]
) -> Iterator[tuple[Frame, dict[str, Axes]]]:
    """A figure with a panel for each title; the axes are named below the last and beside the first."""
    across = min(ACROSS, max(len(titles), 3))
    down = math.ceil(len(titles) / across)
    inches = Inches(LEFT + PANEL * across, ABOVE + BELOW + TALL * down, left=LEFT, right=0.22, above=ABOVE, below=BELOW)
    with framed(folder, name, headline, said, inches, (down, across), wspace=0.22, hspace=0.42) as frame:
        panels = frame.panels.flat
        for axes in panels[len(titles) :]:
            axes.set_visible(False)
        for row in frame.panels:
            row[0].set_ylabel(axes_of[1])
        for axes in panels[max(len(titles) - across, 0) : len(titles)]:
            axes.set_xlabel(axes_of[0])
        found = dict(zip(titles, panels, strict=False))
        for title, axes in found.items():
            axes.set_title(fitted(title, LETTERS))
        yield frame, found


def _key(frame: Frame, entries: Sequence[Line2D]) -> None:
    frame.key(entries, 8, columnspacing=1.4, handletextpad=0.5)


def _panel(
    axes: Axes, marks: Sequence[Row], frontiers: Sequence[Row], builders: Sequence[str], depths: Sequence[int]
) -> None:
    """The trees of a data set, and the fewest errors of each depth."""
    axes.grid(visible=True, axis="both", color=LIGHT)
    most, wrong = max(row["splits"] for row in marks), [_percent(row, "errors") for row in marks]
    ends = []
    for depth in depths:
        if own := [row for row in frontiers if row["max_depth"] == depth]:
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
    share, full = SHADES[min(place, len(SHADES) - 1)], SHADES.index(1.0)
    ground = 255 if place < full else 0
    colour = colour_of(builder)
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(share * part + (1 - share) * ground):02x}" for part in parts)


def _face_and_edge(builder: str, place: int) -> tuple[str, str]:
    """The colours of a builder's marks: the first is filled, others are open, so that both are seen in one place."""
    colour = colour_of(builder)
    return (colour, "white") if place == 0 else ("none", colour)


def _entries(builders: Sequence[str], depths: Sequence[int], *, unproven: bool) -> list[Line2D]:
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
