"""The summary of greedy heuristics on random tables of several shapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from pipeline.drawing.frame import Axes, Inches, framed
from pipeline.drawing.looks import HEURISTIC_COLOURS, look_of
from pipeline.drawing.marks import band, entry
from pipeline.grammar.columns import COSTS, SHORT_NAMES, Key, Known, Row, grouped
from pipeline.grammar.findings import listed, pivot
from pipeline.grammar.greedy_excess import (
    HEURISTIC,
    IN_ORDER,
    LEFT_OUT,
    MEAN,
    left_out,
    level_with_next,
    name_of,
    ranked,
    summary_of_excess,
    views,
)
from pipeline.grammar.notable_trees import greedy, least
from pipeline.grammar.summary import Results
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree
from pipeline.words import counted, out_of

ROOMY_WIDTH = 112  # width from which a cell takes one line
COST = "nodes"
"""The cost that the finding describes."""


def _tables_each(gaps: Sequence[Row]) -> str:
    """The number of decision tables behind a mean."""
    counts = {row["tables"] for row in gaps}
    return f"{min(counts):,}" + (f" to {max(counts):,}" if len(counts) > 1 else "")


def _note(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    shapes, without = counted(len({row["source"] for row in rows}), "shape"), left_out(rows[0])
    return (
        f"n = {shapes} of {_tables_each(rows)} decision tables{f'; {without}' if without else ''}. Relative "
        "differences (greedy - minimum) / minimum; intervals (low, high) are 95 %, normal. There are no printed "
        "values."
    )


COLUMNS = (Known("dimension"), Known("size"), Key("source"), *HEURISTIC, Key("cost_function"), MEAN)
GAPS = Table(
    "gaps",
    "Greedy against the exact minimum, by the shape of the tables",
    of="excesses",
    columns=[*COLUMNS, *LEFT_OUT],
    beside=f"{IN_ORDER} join steps s on s.source = ours.source",
    order="s.place, c.place, h.place",
    note=_note,
)
BEST = Table(
    "best",
    "The heuristic nearest to the minimum, by the shape of the tables",
    of="excesses",
    columns=COLUMNS,
    beside=ranked(
        "source",
        columns=", dimension, size, s.place as _step",
        beside="join steps s on s.source = own.source",
        among="own.position = 1",
    ),
    order="_step, _cost",
    note=_note,
)


def _finding(results: Results) -> list[str]:
    """State how the least excess changes with each dimension, and which heuristic has it on most shapes."""
    rows_of_cost = [row for row in results.rows(BEST) if row["cost_function"] == COST]
    if not rows_of_cost:
        (without,) = results.query("from left_out")
        return [f"no decision table to summarise: {left_out(without)}; their error says why"]
    moves = [
        f"from {_percent(rows[0])} to {_percent(rows[-1])} as {name} grow from {rows[0]['size']} to {rows[-1]['size']}"
        for name, rows in grouped(rows_of_cost, "dimension").items()
        if len(rows) > 1
    ]
    nearest = {row["source"]: name_of(row) for row in rows_of_cost}
    (name, shapes), *_ = Counter(nearest.values()).most_common(1)
    alone = f"is {_percent(rows_of_cost[0])} on {rows_of_cost[0]['size']} {rows_of_cost[0]['dimension']}"
    change = f"goes {listed(moves)}" if moves else alone
    return [
        f"the best heuristic's mean excess in {COST} over the exact minimum {change}",
        f"{name} has the least on {out_of(shapes, len(nearest), 'shape')}",
    ]


def _percent(row: Row) -> str:
    return f"{100 * row[MEAN.name]:.1f} %"


def _screen(results: Results, width: int) -> list[RenderableType]:
    """The least gap for each size and cost, and the heuristic that has it."""
    best = results.rows(BEST)
    if not best:
        return []
    between = " " if width >= ROOMY_WIDTH else "\n"
    shown = pivot(
        best,
        line=lambda row: f"{row['size']} {row['dimension']}",
        column=lambda row: SHORT_NAMES[row["cost_function"]],
        cell=lambda row: f"{100 * row[MEAN.name]:5.2f}{between}{name_of(row)}{'*' if level_with_next(row) else ''}",
        title="Least mean excess over the exact minimum, %, and its heuristic",
        apart=1,
    )
    legend = Text(
        "*: not significantly better than the next, by the 95 % interval of their paired difference", style="dim"
    )
    without = left_out(best[0])
    return [shown, legend, *([Text(without)] if without else [])]


def _trees(results: Results) -> list[NotableTree]:
    """The trees of the best and the worst heuristic for one table of the first shape."""
    gaps = results.rows(GAPS)
    own = [row for row in gaps if (row["source"], row["cost_function"]) == (gaps[0]["source"], COST)]
    if not own:
        return []
    source = own[0]["source"]
    first = "select min(first_table) as table_index from kept where source = $source"
    table = {"source": source, "group": 1, **results.query(first, source=source)[0]}
    name = f"table {table['table_index']} of {source}"
    nearest, furthest = (name_of(end(own, key=lambda row: row[MEAN.name])) for end in (min, max))
    grown = {furthest: f"most {COST} on average", nearest: f"fewest {COST} on average"}  # one tree if they are equal
    return [
        *(
            NotableTree(f"{name} by {heuristic}, of {why}", table | greedy(heuristic))
            for heuristic, why in grown.items()
        ),
        NotableTree(f"{name}, a tree of fewest {COST}", table | least(COST)),
    ]


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
    points = f"{_tables_each(gaps)} random tables a point"
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


SUMMARY = summary_of_excess(
    tables=(GAPS, BEST),
    views=views("source"),
    finding=_finding,
    screen=_screen,
    figures=(draw,),
    trees=_trees,
    has_results=lambda results: bool(results.rows(GAPS)),
)
