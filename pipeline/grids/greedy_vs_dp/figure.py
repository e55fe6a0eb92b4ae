"""The figure of the main job: every heuristic's excess over the minimum, cost by cost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from pipeline.drawing.figures import BLUE, JUDGED, LIGHT, VERMILLION, label
from pipeline.drawing.frame import Axes
from pipeline.drawing.marks import POINT, entry, few_ticks, judged_entries, judged_panels
from pipeline.grammar.columns import COSTS, Row, grouped
from pipeline.grammar.findings import agreement, listed
from pipeline.grammar.greedy_excess import MEAN, level_with_next, name_of
from pipeline.grammar.summary import Results
from pipeline.grids.greedy_vs_dp.summary import BEST, POOLED

PAPER = (
    "Alkhalid, Chikalov, Moshkov, Decision Tree Construction using Greedy Algorithms and Dynamic Programming \u2013 "
    "Comparative Study"
)
SOURCE = f"Printed: {PAPER}, Tables 1\u20134, mean of the four groups"
UNPRINTED = f"After {PAPER}"


def draw(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw the pooled cells as `greedy_vs_dp.svg` and `.png`, a panel for each cost; nothing if there are none."""
    pooled, best = results.rows(POOLED), results.rows(BEST)
    if not pooled:
        return ()
    verdicts = [row["verdict"] for row in pooled]
    caption = f"{pooled[0]['tables']:,} random decision tables"
    caption += f"; {agreement(verdicts, 'pooled mean')}\n{SOURCE}" if any(verdicts) else f"\n{UNPRINTED}"
    leaders = {(row["cost_function"], name_of(row)) for row in best}
    panels = {
        cost.replace("_", " "): [
            (name_of(row), row, VERMILLION if (cost, name_of(row)) in leaders else BLUE) for row in own
        ]
        for cost, own in grouped(pooled, "cost_function").items()
    }
    grid: dict[str, Any] = {"scale": 100, "lines": "x"}
    title = finding(best)
    with judged_panels(folder, "greedy_vs_dp", title, caption, panels, MEAN.name, **grid) as (frame, shown, lines):
        types = [name.split("/")[0] for name in lines]
        for axes, cells in zip(shown.values(), panels.values(), strict=True):
            for line, (above, below) in enumerate(pairwise(types), start=1):
                if above != below:
                    axes.axhline(line - 0.5, color=LIGHT, linewidth=0.9)
            _name_leaders(axes, cells, lines)
        frame.below("mean excess of the greedy tree over the exact minimum, %")
        ours, *others = judged_entries(verdicts, BLUE)
        leading = entry("best two of the cost", color=VERMILLION, markersize=POINT, linewidth=1.8, **JUDGED[None])
        frame.key([ours, leading, *others])
    return frame.files


def _name_leaders(axes: Axes, cells: Sequence[tuple[str, Row, str]], lines: Sequence[str]) -> None:
    """Write the value beside the best two of a cost, and extend the axis for it."""
    few_ticks(axes.xaxis, 4, steps=[1, 2, 2.5, 5, 10])
    reach = {
        name: 100 * max(float(row[end] or 0.0) for end in (MEAN.name, "high", "printed")) for name, row, _ in cells
    }
    leading = {name: row for name, row, colour in cells if colour == VERMILLION}
    axes.set_xlim(0, max(1.12 * max(reach.values()), *(reach[name] / 0.66 for name in leading), 0.1))
    for name, row in leading.items():
        beside: dict[str, Any] = {"xytext": (8, 0), "textcoords": "offset points", "va": "center"}
        words = f"{100 * row[MEAN.name]:.1f} %"
        position = reach[name], lines.index(name)
        label([axes.annotate(words, position, color=VERMILLION, fontweight="bold", **beside)], "", row)


def finding(best: Sequence[Row]) -> tuple[str, str]:
    """State which heuristics come closest to the minimum of which costs: the headline, and the rest.

    Two heuristics are named together if the 95 % interval of their gap includes zero.
    """
    leading: dict[str, list[str]] = {}
    for cost in COSTS:
        first, *second = (row for row in best if row["cost_function"] == cost)
        names = [name_of(row) for row in ([first, *second] if level_with_next(first) else [first])]
        leading.setdefault(" or ".join(sorted(names)), []).append(cost)
    (nearest, costs), *others = sorted(leading.items(), key=lambda item: -len(item[1]))
    headline = f"{nearest} comes closest to the minimum in {_listed(costs) if others else 'every cost'}"
    rest = "; ".join(f"in {_listed(costs)}: {names}" for names, costs in others)
    return headline, rest[:1].upper() + rest[1:]


def _listed(costs: Sequence[str]) -> str:
    """Costs in words; the three counts of nodes are combined."""
    words = [cost.replace("_", " ") for cost in costs]
    counts = [word for word in words if word.endswith("nodes")]
    if len(counts) == 3:
        words = [*(word for word in words if word not in counts), "all counts of nodes"]
    return listed(words)
