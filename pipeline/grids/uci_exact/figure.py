"""The figures of exact trees of real tables: of each the front of nodes and a depth, and the heuristics' trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pipeline.drawing.figures import GREY, HEURISTIC_COLOURS, INK, house_style, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grids.uci_exact.summary import TableSummary

__all__ = ["draw"]

ACROSS = 3
WIDTH, PANEL, ABOVE, BELOW = 10.0, 2.6, 1.4, 0.65
"""Inches: the figure's width, the height of a row of panels, and what is above and below the panels."""

X = "nodes"
DEPTHS = {"uci_exact": "average_depth", "uci_exact_depth": "depth"}
"""By the name of a figure, the cost upwards; nodes are to the right."""
OTHER = "#BBBBBB"


def draw(found: Sequence[TableSummary], folder: Path) -> tuple[Path, ...]:
    """Draw a panel a table as each figure of DEPTHS (.svg and .png) and return their paths; none where no front is."""
    return tuple(path for name, depth in DEPTHS.items() for path in _drawn(name, depth, found, folder))


def _drawn(name: str, depth: str, found: Sequence[TableSummary], folder: Path) -> tuple[Path, ...]:
    """One figure, of a depth against nodes."""
    tables = [table for table in found if (depth, X) in table.fronts]
    if not tables:
        return ()
    across = min(ACROSS, len(tables))
    down = -(-len(tables) // across)
    height = ABOVE + BELOW + PANEL * down
    with house_style():
        figure = Figure(figsize=(WIDTH, height))
        place = {"left": 0.07, "right": 0.985, "bottom": BELOW / height, "top": 1 - ABOVE / height}
        panels = figure.subplots(down, across, squeeze=False, gridspec_kw=place | {"wspace": 0.25, "hspace": 0.42})
        for panel, table in zip(panels.flat, tables, strict=False):
            _panel(panel, table, depth)
        for panel in panels.flat[len(tables) :]:
            panel.set_axis_off()
        for row in panels:
            row[0].set_ylabel(f"{depth.replace('_', ' ')}, edges")
        figure.align_ylabels(panels[:, 0])
        _frame(figure, tables, depth, height)
        return save(figure, folder, name)


def _panel(axes: Axes, table: TableSummary, depth: str) -> None:
    """The front as steps, which no tree gets below, and each heuristic's tree."""
    points = sorted((x, y) for y, x in table.fronts[depth, X])
    axes.set_title(table.name, pad=6)
    axes.grid(visible=True, axis="both")
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=depth == "depth"))
    trees = [
        (standing.row[X], standing.row[depth], standing.heuristic) for standing in table.standings if standing.excess
    ]
    right = max([x for x, *_ in trees] + [points[-1][0]]) * 1.03
    lowest, top = points[-1][1], max([y for _, y, _ in trees] + [points[0][1]])
    if depth == "depth":
        axes.set_ylim(lowest - 0.25, top := max(top, lowest + 1) + 0.25)
    else:
        top *= 1.02
    steps = [(points[0][0], top), *points, (right, points[-1][1])]
    axes.step([x for x, _ in steps], [y for _, y in steps], where="post", color=INK, linewidth=1.3)
    axes.plot([x for x, _ in points], [y for _, y in points], "o", color=INK, markersize=3)
    for x, y, heuristic in sorted(trees, key=lambda tree: tree[2] in HEURISTIC_COLOURS):
        colour = HEURISTIC_COLOURS.get(heuristic, OTHER)
        axes.plot([x], [y], "o", color=colour, markersize=6, markeredgecolor="white", markeredgewidth=0.6)


def _frame(figure: Figure, tables: Sequence[TableSummary], depth: str, height: float) -> None:
    """Title and key above the panels, the horizontal axis below."""
    figure.text(
        0.012,
        1 - 0.18 / height,
        "What no tree can better, and what greed builds",
        fontsize=14,
        fontweight="bold",
        va="top",
    )
    said = f"exact Pareto front of the number of nodes and the {depth.replace('_', ' ')} over all trees of each table"
    figure.text(0.012, 1 - 0.50 / height, said, color=GREY, va="top")
    figure.text(0.52, 0.14 / height, "nodes", ha="center")
    there = dict.fromkeys(standing.heuristic for table in tables for standing in table.standings)
    named = [name for name in there if name in HEURISTIC_COLOURS]
    key = [
        Line2D([], [], color=INK, marker="o", markersize=3, label="the front"),
        *(Line2D([], [], linestyle="", marker="o", color=HEURISTIC_COLOURS[name], label=name) for name in named),
        *(
            [Line2D([], [], linestyle="", marker="o", color=OTHER, label="other heuristics")]
            if len(there) > len(named)
            else []
        ),
    ]
    figure.legend(
        handles=key, ncols=len(key), loc="upper left", bbox_to_anchor=(0.005, 1 - 0.68 / height), columnspacing=1.4
    )
