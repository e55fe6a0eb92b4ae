"""The figure of the grid experiment: every heuristic's excess over the minimum, cost by cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import blended_transform_factory

from pipeline.drawing.figures import BLUE, JUDGED, LIGHT, VERMILLION
from pipeline.drawing.frame import Frame, Inches, framed
from pipeline.drawing.marks import POINT, entry, judged, judged_entries
from pipeline.grammar.columns import Row
from pipeline.grammar.costs import COSTS
from pipeline.grammar.findings import agreement, listed
from pipeline.grammar.greedy_excess import MEAN, level_with_next, name_of
from pipeline.grammar.summary import Found
from pipeline.grids.greedy_vs_dp.tables import BEST, POOLED

__all__ = ["draw", "finding"]

WIDTH, LEFT, RIGHT = 13.0, 1.235, 0.195
ROW, GAP, ABOVE, BELOW = 0.27, 0.12, 1.5, 0.85
"""Inches: the figure, the room beside its panels, a heuristic, the space between impurity types, and what is above and
below the panels."""

MEASURED = "mean excess of the greedy tree over the exact minimum, %"
PAPER = (
    "Alkhalid, Chikalov, Moshkov, Decision Tree Construction using Greedy Algorithms and Dynamic Programming \u2013 "
    "Comparative Study"
)
SOURCE = f"Printed: {PAPER}, Tables 1\u20134, mean of the four groups"
UNPRINTED = f"After {PAPER}"


@dataclass(frozen=True)
class Rows:
    """Heights of the heuristics on the shared axis, in inches below its top."""

    heights: dict[str, float]
    separators: tuple[float, ...]
    bottom: float

    @classmethod
    def of(cls, heuristics: Sequence[str]) -> Rows:
        """Heights of heuristics, those of an impurity type together."""
        heights: dict[str, float] = {}
        separators = []
        bottom, last = 0.0, heuristics[0].split("/")[0]
        for name in heuristics:
            if name.split("/")[0] != last:
                separators.append(bottom + GAP / 2)
                bottom, last = bottom + GAP, name.split("/")[0]
            heights[name] = bottom + ROW / 2
            bottom += ROW
        return cls(heights, tuple(separators), bottom)


def draw(found: Found, folder: Path) -> tuple[Path, ...]:
    """Draw the pooled cells as `greedy_vs_dp.svg` and `.png`, a panel for each cost; nothing where there are none."""
    pooled, best = found.rows(POOLED), found.rows(BEST)
    if not pooled:
        return ()
    rows = Rows.of(list(dict.fromkeys(map(name_of, pooled))))
    compared = any(row["verdict"] for row in pooled)
    size = f"{pooled[0]['tables']:,} random decision tables"
    if compared:
        size += f"; {agreement([row['verdict'] for row in pooled], 'pooled mean')}"
    inches = Inches(WIDTH, ABOVE + rows.bottom + BELOW, LEFT, RIGHT, ABOVE, BELOW)
    with framed(folder, "greedy_vs_dp", finding(best), size, inches, (1, len(COSTS)), lines="x", wspace=0.09) as frame:
        for panel, cost in zip(frame.panels[0], COSTS, strict=True):
            leaders = {name_of(row) for row in best if row["cost_function"] == cost}
            _panel(panel, cost, [row for row in pooled if row["cost_function"] == cost], leaders, rows)
        _name_rows(frame.panels[0, 0], rows)
        _explain(frame, pooled, compared)
    return frame.files


def finding(best: Sequence[Row]) -> tuple[str, str]:
    """Which heuristics come closest to the minimum of which costs: the headline, and the rest of it.

    Two heuristics are named together where the 95 % interval of their gap cannot tell them apart.
    """
    leading: dict[str, list[str]] = {}
    for cost in COSTS:
        first, *second = (row for row in best if row["cost_function"] == cost)
        names = [name_of(row) for row in ([first, *second] if level_with_next(first) else [first])]
        leading.setdefault(" or ".join(sorted(names)), []).append(cost)
    (label, costs), *others = sorted(leading.items(), key=lambda item: -len(item[1]))
    headline = f"{label} comes closest to the minimum in {_listed(costs) if others else 'every cost'}"
    rest = "; ".join(f"in {_listed(costs)}: {label}" for label, costs in others)
    return headline, rest[:1].upper() + rest[1:]


def _listed(costs: Sequence[str]) -> str:
    """Costs in words, the three counts of nodes as one."""
    words = [cost.replace("_", " ") for cost in costs]
    counts = [word for word in words if word.endswith("nodes")]
    if len(counts) == 3:
        words = [*(word for word in words if word not in counts), "all counts of nodes"]
    return listed(words)


def _panel(axes: Axes, cost: str, cells: Sequence[Row], leaders: set[str], rows: Rows) -> None:
    """One cost: the means with their intervals, the printed ones around them, the best two named by value."""
    axes.set_title(cost.replace("_", " "), pad=8)
    axes.set_ylim(rows.bottom, 0)
    axes.set_yticks([])
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    for separator in rows.separators:
        axes.axhline(separator, color=LIGHT, linewidth=0.9)
    leading = [cell for cell in cells if name_of(cell) in leaders]
    for cell in cells:
        judged(axes, rows.heights[name_of(cell)], cell, MEAN.name, VERMILLION if cell in leading else BLUE, 100)
    room_for_names = max(_reach(cell) for cell in leading) / 0.66
    axes.set_xlim(0, max(1.12 * max(_reach(cell) for cell in cells), room_for_names, 0.1))
    for cell in leading:
        axes.annotate(
            f"{100 * cell[MEAN.name]:.1f} %",
            (_reach(cell), rows.heights[name_of(cell)]),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            color=VERMILLION,
            fontweight="bold",
        )


def _reach(cell: Row) -> float:
    """How far right a cell goes, in percent."""
    return 100 * max(float(cell[name] or 0.0) for name in (MEAN.name, "high", "printed"))


def _name_rows(axes: Axes, rows: Rows) -> None:
    """Name the uncertainty of each row, and the impurity type of each block of rows, left of the first panel."""
    by_figure = blended_transform_factory(axes.figure.transFigure, axes.transData)
    blocks: dict[str, list[float]] = {}
    for name, height in rows.heights.items():
        impurity_type, uncertainty = name.split("/")
        blocks.setdefault(impurity_type, []).append(height)
        axes.text((LEFT - 0.12) / WIDTH, height, uncertainty, transform=by_figure, ha="right", va="center")
    for impurity_type, heights in blocks.items():
        middle = (heights[0] + heights[-1]) / 2
        axes.text(0.12 / WIDTH, middle, impurity_type, transform=by_figure, va="center", fontweight="bold")


def _explain(frame: Frame, pooled: Sequence[Row], compared: bool) -> None:
    """The key above the panels; what is measured and the source below."""
    across, height = frame.inches.width, frame.inches.height
    middle = (LEFT + across - RIGHT) / 2 / across
    frame.figure.text(middle, (BELOW - 0.34) / height, MEASURED, ha="center", va="top")
    frame.source(SOURCE if compared else UNPRINTED)
    ours, *others = judged_entries((row["verdict"] for row in pooled), BLUE)
    best = entry("best two of the cost", color=VERMILLION, markersize=POINT, linewidth=1.8, **JUDGED[None])
    place = (1 - 0.12 / across, 1 - 0.95 / height)
    frame.key(
        [ours, best, *others], loc="upper right", bbox_to_anchor=place, borderaxespad=0, handletextpad=0.5, borderpad=0
    )
