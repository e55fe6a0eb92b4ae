"""The figure of the grid experiment: every heuristic's excess over the minimum, cost by cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import blended_transform_factory

from pipeline.drawing.figures import (
    BLUE,
    GREY,
    JUDGED,
    LIGHT,
    PRINTED,
    VERMILLION,
    house_style,
    judged_key,
    save,
)
from pipeline.grammar.costs import COSTS
from pipeline.grammar.findings import agreement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.grids.greedy_vs_dp.comparison import Best, Cell

__all__ = ["draw", "finding"]

WIDTH = 13.0
ROW, GAP, ABOVE, BELOW = 0.27, 0.12, 1.5, 0.85
"""Inches: the figure, a heuristic, the space between impurity types, and what is above and below the panels."""

LEFT, LEFT_OF_PANELS, RIGHT_OF_PANELS = 0.015, 0.095, 0.985
"""Shares of the width."""

POINT = 5
"""Size of our means."""

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


def draw(pooled: Sequence[Cell], best: Sequence[Best], folder: Path) -> tuple[Path, Path]:
    """Draw the pooled cells as `greedy_vs_dp.svg` and `.png`, five panels side by side, and return their paths."""
    rows = Rows.of(list(dict.fromkeys(cell.heuristic for cell in pooled)))
    height = ABOVE + rows.bottom + BELOW
    with house_style():
        figure = Figure(figsize=(WIDTH, height))
        grid = {"left": LEFT_OF_PANELS, "right": RIGHT_OF_PANELS, "wspace": 0.09}
        grid |= {"bottom": BELOW / height, "top": 1 - ABOVE / height}
        panels = figure.subplots(1, len(COSTS), squeeze=False, gridspec_kw=grid)[0]
        for panel, cost in zip(panels, COSTS, strict=True):
            leaders = {row.heuristic for row in best if row.cost_function == cost}
            _panel(panel, cost, [cell for cell in pooled if cell.cost_function == cost], leaders, rows)
        _name_rows(panels[0], rows)
        _frame(figure, pooled, best, height)
        return save(figure, folder, "greedy_vs_dp")


def finding(best: Sequence[Best]) -> tuple[str, str]:
    """Which heuristics come closest to the minimum of which costs: the headline, and the rest of it.

    Two heuristics are named together where the 95 % interval of their gap cannot tell them apart.
    """
    leading: dict[str, list[str]] = {}
    for first, second in _pairs(best):
        names = [first.heuristic, second.heuristic] if second and first.level_with_next else [first.heuristic]
        leading.setdefault(" or ".join(sorted(names)), []).append(first.cost_function)
    (label, costs), *others = sorted(leading.items(), key=lambda item: -len(item[1]))
    headline = f"{label} comes closest to the minimum in {_listed(costs) if others else 'every cost'}"
    rest = "; ".join(f"in {_listed(costs)}: {label}" for label, costs in others)
    return headline, rest[:1].upper() + rest[1:]


def _pairs(best: Sequence[Best]) -> list[tuple[Best, Best | None]]:
    """The best and second best of each cost; no second where one heuristic ran."""
    by_place = {(row.cost_function, row.position): row for row in best}
    return [(by_place[cost, 1], by_place.get((cost, 2))) for cost in COSTS]


def _listed(costs: Sequence[str]) -> str:
    """Costs in words, the three counts of nodes as one."""
    words = [cost.replace("_", " ") for cost in costs]
    counts = [word for word in words if word.endswith("nodes")]
    if len(counts) == 3:
        words = [*(word for word in words if word not in counts), "all counts of nodes"]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _panel(axes: Axes, cost: str, cells: Sequence[Cell], leaders: set[str], rows: Rows) -> None:
    """One cost: the means with their intervals, the printed ones around them, the best two named by value."""
    axes.set_title(cost.replace("_", " "), pad=8)
    axes.set_ylim(rows.bottom, 0)
    axes.set_yticks([])
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    for separator in rows.separators:
        axes.axhline(separator, color=LIGHT, linewidth=0.9)
    leading = [cell for cell in cells if cell.heuristic in leaders]
    _points(axes, [cell for cell in cells if cell.heuristic not in leaders], rows, BLUE)
    _points(axes, leading, rows, VERMILLION)
    room_for_names = max(_reach(cell) for cell in leading) / 0.66
    axes.set_xlim(0, max(1.12 * max(_reach(cell) for cell in cells), room_for_names, 0.1))
    for cell in leading:
        axes.annotate(
            f"{100 * cell.estimate.mean:.1f} %",
            (_reach(cell), rows.heights[cell.heuristic]),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            color=VERMILLION,
            fontweight="bold",
        )


def _points(axes: Axes, cells: Sequence[Cell], rows: Rows, colour: str) -> None:
    """Means of cells as points on their intervals, printed ones as rings."""
    heights = [rows.heights[cell.heuristic] for cell in cells]
    axes.hlines(heights, *_ends(cells), color=colour, linewidth=1.8)
    for cell, height in zip(cells, heights, strict=True):
        axes.plot([100 * cell.estimate.mean], [height], color=colour, markersize=POINT, **JUDGED[cell.verdict])
    printed = [(100 * cell.printed, rows.heights[cell.heuristic]) for cell in cells if cell.printed is not None]
    axes.plot([x for x, _ in printed], [y for _, y in printed], linestyle="", **PRINTED)


def _ends(cells: Sequence[Cell]) -> tuple[list[float], list[float]]:
    """The ends of the intervals of cells in percent; the means where there is none."""
    found = [cell.estimate for cell in cells]
    low = [100 * (estimate.mean if estimate.low is None else estimate.low) for estimate in found]
    high = [100 * (estimate.mean if estimate.high is None else estimate.high) for estimate in found]
    return low, high


def _reach(cell: Cell) -> float:
    """How far right a cell goes, in percent."""
    return 100 * max(cell.estimate.mean, cell.estimate.high or 0.0, cell.printed or 0.0)


def _name_rows(axes: Axes, rows: Rows) -> None:
    """Name the uncertainty of each row, and the impurity type of each block of rows, left of the first panel."""
    by_figure = blended_transform_factory(axes.figure.transFigure, axes.transData)
    blocks: dict[str, list[float]] = {}
    for name, height in rows.heights.items():
        impurity_type, uncertainty = name.split("/")
        blocks.setdefault(impurity_type, []).append(height)
        axes.text(LEFT_OF_PANELS - 0.009, height, uncertainty, transform=by_figure, ha="right", va="center")
    for impurity_type, heights in blocks.items():
        middle = (heights[0] + heights[-1]) / 2
        axes.text(LEFT, middle, impurity_type, transform=by_figure, va="center", fontweight="bold")


def _frame(figure: Figure, pooled: Sequence[Cell], best: Sequence[Best], height: float) -> None:
    """Finding, sizes and key above the panels; what is measured and the source below."""
    verdicts = [cell.verdict for cell in pooled]
    compared = any(verdicts)
    headline, rest = finding(best)
    size = f"{pooled[0].estimate.n:,} random decision tables"
    if compared:
        size += f"; {agreement(verdicts, 'pooled mean')}"
    figure.text(LEFT, 1 - 0.18 / height, headline, fontsize=14, fontweight="bold", va="top")
    figure.text(LEFT, 1 - 0.50 / height, rest, fontsize=11, va="top")
    figure.text(LEFT, 1 - 0.76 / height, size, color=GREY, va="top")
    middle = (LEFT_OF_PANELS + RIGHT_OF_PANELS) / 2
    figure.text(middle, (BELOW - 0.34) / height, MEASURED, ha="center", va="top")
    figure.text(LEFT, 0.12 / height, SOURCE if compared else UNPRINTED, fontsize=8, color=GREY)
    key = [
        Line2D([], [], color=BLUE, linewidth=1.8, markersize=POINT, label="this run, 95 % interval", **JUDGED[None]),
        Line2D([], [], color=VERMILLION, linewidth=1.8, markersize=POINT, label="best two of the cost", **JUDGED[None]),
        *([Line2D([], [], linestyle="", label="printed", **PRINTED)] if compared else []),
        *judged_key(verdicts, POINT),
    ]
    place: dict[str, Any] = {"loc": "upper right", "bbox_to_anchor": (1 - LEFT, 1 - 0.95 / height), "borderaxespad": 0}
    figure.legend(handles=key, ncols=len(key), columnspacing=1.4, handletextpad=0.5, borderpad=0, **place)
