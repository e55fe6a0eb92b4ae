"""The figures of exact trees of real tables: of each the front of nodes and a depth, and the heuristics' trees."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.ticker import MaxNLocator

from algorithms.fronts.front_plot import draw_front
from pipeline.drawing.figures import HEURISTIC_COLOURS, INK
from pipeline.drawing.frame import Inches, framed, grid_shape
from pipeline.drawing.marks import entry
from pipeline.grammar.columns import grouped
from pipeline.grammar.questions import TITLE
from pipeline.grids.uci_exact.summary import HEURISTICS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grammar.columns import Row
    from pipeline.grammar.summary import Found

__all__ = ["draw"]

ACROSS, PANEL = 3, 2.6  # panels in a row, and the inches of its height
X = "nodes"
DEPTHS = {"uci_exact": "average_depth", "uci_exact_depth": "depth"}
"""By the name of a figure, the cost upwards; nodes are to the right."""
OTHER = "#BBBBBB"


def draw(found: Found, folder: Path) -> tuple[Path, ...]:
    """Draw a panel for each table as each figure of DEPTHS, and return their paths; none where there is no front."""
    trees = [row for row in found.rows(HEURISTICS) if row["fronts_met"] is not None]
    points = found.ask(f"select *, {TITLE} as title from points order by position")
    return tuple(path for name, depth in DEPTHS.items() for path in _drawn(name, depth, trees, points, folder))


def _drawn(name: str, depth: str, trees: Sequence[Row], points: Sequence[Row], folder: Path) -> tuple[Path, ...]:
    """One figure, of a depth against nodes."""
    fronts = grouped((row for row in points if (row["cost_x"], row["cost_y"]) == (depth, X)), "title")
    if not fronts:
        return ()
    shape, words = grid_shape(len(fronts), ACROSS), depth.replace("_", " ")
    inches = Inches(10.0, 2.05 + PANEL * shape[0], left=0.7, right=0.15, above=1.4, below=0.65)
    said = f"exact Pareto front of the number of nodes and the {words} over all trees of each table"
    with framed(folder, name, "Pareto front and greedy trees", said, inches, shape, wspace=0.25, hspace=0.42) as frame:
        for table, panel in frame.titled(list(fronts), y=f"{words}, edges", pad=6).items():
            front = sorted((row["y"], row["x"]) for row in fronts[table])
            _panel(panel, front, [row for row in trees if row["_title"] == table], depth)
        frame.below("nodes")
        there = dict.fromkeys(row["_heuristic"] for row in trees)
        looks = {one: HEURISTIC_COLOURS[one] for one in there if one in HEURISTIC_COLOURS}
        looks |= {"other heuristics": OTHER} if len(there) > len(looks) else {}
        marks = [entry(one, linestyle="", marker="o", color=look) for one, look in looks.items()]
        frame.key([entry("the front", color=INK, marker="o", markersize=3), *marks], 1 + len(marks))
    return frame.files


def _panel(axes: Axes, front: Sequence[tuple[float, float]], trees: Sequence[Row], depth: str) -> None:
    """The front as steps, which no tree gets below, and each heuristic's tree."""
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=depth == "depth"))
    right = max([row[X] for row in trees] + [front[-1][0]]) * 1.03
    lowest, top = front[-1][1], max([row[depth] for row in trees] + [front[0][1]])
    if depth == "depth":
        axes.set_ylim(lowest - 0.25, top := max(top, lowest + 1) + 0.25)
    else:
        top *= 1.02
    draw_front(axes, front, right, top)
    for row in sorted(trees, key=lambda row: row["_heuristic"] in HEURISTIC_COLOURS):
        colour = HEURISTIC_COLOURS.get(row["_heuristic"], OTHER)
        axes.plot([row[X]], [row[depth]], "o", color=colour, markersize=6, markeredgecolor="white", markeredgewidth=0.6)
