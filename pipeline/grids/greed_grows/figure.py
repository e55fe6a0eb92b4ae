"""The figure of greedy heuristics on random tables of several shapes: a panel for each cost and dimension."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.drawing.frame import Inches, framed
from pipeline.drawing.looks import HEURISTIC_COLOURS, look_of
from pipeline.drawing.marks import band, entry
from pipeline.grammar.columns import Row, grouped
from pipeline.grammar.costs import COSTS
from pipeline.grammar.greedy_excess import MEAN, name_of
from pipeline.grammar.summary import Results
from pipeline.grids.greed_grows.summary import GAPS, tables_each

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw"]

PANEL, ABOVE, BELOW = 1.75, 1.25, 0.75
"""In inches: the height of a panel, and the space above and below the panels."""

OTHERS = "#B5B5B5"
AXIS = {"rows": "rows of the table", "attributes": "attributes", "values": "values of an attribute"}


def draw(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `greed_grows.svg` and `.png`, costs downwards and dimensions across; nothing if there are no gaps."""
    gaps = results.rows(GAPS)
    if not gaps:
        return ()
    dimensions = list(dict.fromkeys(row["dimension"] for row in gaps))
    inches = Inches(11.0, ABOVE + BELOW + PANEL * len(COSTS), 1.43, 0.165, ABOVE, BELOW)
    title = "Mean excess of greedy trees, by the size of the table"
    points = f"{tables_each(gaps)} random tables a point"
    caption = f"mean excess of greedy trees over the exact minimum; {points}; bands: 95 % intervals"
    shape = len(COSTS), len(dimensions)
    with framed(folder, "greed_grows", title, caption, inches, shape, wspace=0.06, sharex="col", sharey="row") as frame:
        for panels, cost in zip(frame.panels, COSTS, strict=True):
            for panel, dimension in zip(panels, dimensions, strict=True):
                _panel(panel, [row for row in gaps if (row["cost_function"], row["dimension"]) == (cost, dimension)])
            panels[0].set_ylabel(cost.replace("_", " ") + "\nexcess, %")
            panels[0].set_ylim(bottom=0)
        frame.figure.align_ylabels(frame.panels[:, 0])
        for panel, dimension in zip(frame.panels[-1], dimensions, strict=True):
            panel.set_xlabel(AXIS[dimension])
        heuristics = dict.fromkeys(map(name_of, gaps))
        named = [name for name in heuristics if name in HEURISTIC_COLOURS]
        key = [entry(name, color=HEURISTIC_COLOURS[name], marker=look_of(name).marker, markersize=5) for name in named]
        frame.key([*key, *([entry("the others", color=OTHERS)] if len(heuristics) > len(key) else [])])
    return frame.files


def _panel(axes: Axes, gaps: Sequence[Row]) -> None:
    """Draw one cost over one dimension: the named heuristics in colour with intervals, the others in grey."""
    from matplotlib.ticker import FixedLocator

    axes.xaxis.set_major_locator(FixedLocator(sorted({row["size"] for row in gaps}), nbins=6))
    lines = grouped(gaps, "impurity_type", "uncertainty").values()
    for line in sorted(lines, key=lambda line: name_of(line[0]) in HEURISTIC_COLOURS):
        sizes, name = [row["size"] for row in line], name_of(line[0])
        colour = HEURISTIC_COLOURS.get(name, OTHERS)
        plain = colour == OTHERS
        looks: dict[str, Any] = {"color": colour, "linewidth": 0.9 if plain else 1.6, "markersize": 2 if plain else 4.5}
        looks |= {"marker": look_of(name).marker, "alpha": 0 if plain else 0.18, "named": _label}
        band(axes, sizes, line, MEAN.name, scale=100, **looks)


def _label(row: Row) -> str:
    """The label of the point of a row, without its value."""
    cost = row["cost_function"].replace("_", " ")
    return f"{name_of(row)}, {cost}, {AXIS[row['dimension']]} {row['size']}, excess in percent"
