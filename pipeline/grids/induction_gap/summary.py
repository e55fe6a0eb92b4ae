"""The summary of unpruned trees beside exact minima on real tables: how far each builder is above them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from pipeline.drawing.figures import INK
from pipeline.drawing.frame import Axes, Inches, framed
from pipeline.drawing.looks import looks_of
from pipeline.drawing.marks import entry, interval, name_lines, plain_numbers, point, valued
from pipeline.grammar.columns import COSTS, NAME, SHORT_NAMES, TITLE, Key, Mean, Row, Value, excess, grouped
from pipeline.grammar.findings import above, listed, pivot, tied_names
from pipeline.grammar.notable_trees import beside_fewest
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grids.induction_gap.grid import BEST_OF
from pipeline.words import counted, readable

LEASTS = ", ".join(f"min({cost}) as {cost}" for cost in COSTS)
VIEWS = {
    "trees": f"""select source, part, rows, {TITLE} as title, {NAME} as builder, {", ".join(COSTS)}, status, error
from results
union all by name
select source, part, any_value(rows) as rows, any_value({TITLE}) as title,
  '{BEST_OF} ' || count(*) || ' heuristics' as builder,
  {LEASTS}, 'ok' as status
  from results where builder = 'greedy' group by source, part having bool_and(status = 'ok')""",
    "gaps": f"""from (select own.source, own.part, own.title, own.builder,
    {", ".join(f"{excess(f'own.{cost}', f'least.{cost}')}::double as {cost}" for cost in COSTS)}
  from trees own join trees least using (source, part)
  where least.builder = 'exact' and own.builder <> 'exact' and own.status = 'ok' and least.status = 'ok')
  unpivot (excess for cost in ({", ".join(COSTS)}))""",
    "minima": "select * from trees where builder = 'exact'",
}

GAPS = Table(
    "induction_gap",
    "Unpruned trees above the exact minima",
    of="gaps",
    columns=[
        Key("builder"),
        Key("cost"),
        Mean("mean_excess", "excess"),
        Value("worst", "max(excess)"),
        Value("worst_on", "arg_max(title, excess)", of_rows=True),
        Value("minima_met", "count(*) filter (where excess <= 0)"),
    ],
    beside="ours join builders b on b.name = builder join costs c on c.name = cost",
    order="b.place, c.place",
    note="excess: (cost - minimum) / minimum, where the minimum of each cost is that of all trees for the table. n: "
    "tables; low to high: 95 % normal interval of the mean over the tables, which are not a random sample. "
    "minima_met: tables on which the cost is the minimum or below. All trees and minima are for the same table "
    "of merged rows, each weighted by the number of rows that it stands for. The minima are over trees with a "
    "branch for each value; CART's tests have two branches, so it can have fewer nodes. best of heuristics: the "
    "least cost of any heuristic, chosen separately for each table and cost, on tables on which no heuristic "
    "failed.",
)
TABLES = Table(
    "induction_gap_tables",
    "Unpruned trees beside the exact minima",
    of="trees own left join minima least using (source, part)",
    columns=[
        Key("source"),
        Key("part"),
        Value("rows", "any_value(own.rows)"),
        Key("builder", "own.builder"),
        *(Value(cost, f"any_value(own.{cost})") for cost in COSTS),
        *(
            Value(
                f"excess_{cost}",
                f"any_value({excess(f'own.{cost}', f'least.{cost}')}) "
                "filter (where own.status = 'ok' and least.status = 'ok')",
            )
            for cost in COSTS
        ),
        Value("status", "any_value(own.status)"),
        Value("error", "any_value(own.error)"),
    ],
    beside="ours join builders b on b.name = builder join sources using (source, part)",
    order="sources.place, b.place",
    note=lambda rows: (
        f"n = {counted(len({(row['source'], row['part']) for row in rows}), 'decision table')}; rows: their number "
        "after merging equal rows. exact: the minimum of each cost by itself."
    ),
)


def _finding(results: Results) -> list[str]:
    """State whose trees are lowest in each cost, among builders known on most tables, and their excess."""
    grown = [row for row in results.rows(GAPS) if _grows(row)]
    most = max(row["n"] for row in grown)
    lowest: dict[str, list[str]] = {}
    for cost in COSTS:
        own = [row for row in grown if (row["cost"], row["n"]) == (cost, most)]
        if own:
            mean = min(row["mean_excess"] for row in own)
            names = tied_names([f"“{row['builder']}”" for row in own if row["mean_excess"] == mean])
            lowest.setdefault(names, []).append(f"{cost.replace('_', ' ')} ({above(mean)})")
    lists = "; ".join(f"of {names} for {listed(costs)}" for names, costs in lowest.items())
    return [
        f"the unpruned trees with the lowest mean costs on {counted(most, 'table')} are those {lists}",
        "percentages are above or below the exact minimum of trees with a branch for each value",
    ]


def _screen(results: Results, _: int) -> list[RenderableType]:
    """Mean excess, a line for each builder."""
    heuristics = {row["builder"] for row in results.rows(TABLES) if "/" in row["builder"]}
    shown = pivot(
        [row for row in results.rows(GAPS) if row["builder"] not in heuristics],
        line=lambda row: str(row["builder"]),
        column=lambda row: SHORT_NAMES[row["cost"]],
        cell=lambda row: f"{100 * row['mean_excess']:.1f}",
        title="Mean excess over the exact minimum, %",
        numeric=True,
    )
    exact = sum(row["builder"] == "exact" and row["status"] == "ok" for row in results.rows(TABLES))
    legend = (
        f"n = {counted(exact, 'table')}; below 0: trees with two branches a test may need fewer nodes than trees with "
        "a branch for each value; induction_gap.csv has each heuristic"
    )
    return [shown, Text(legend, style="dim")]


def _grows(row: Row) -> bool:
    """Whether a builder grows a tree; the best of the heuristics, chosen cost by cost, does not."""
    return not row["builder"].startswith(BEST_OF)


LINE = 0.24  # inches
LINEAR = 1.0
"""The axis is linear up to this percentage, then logarithmic."""
TICKS = (-100, -10, 0, 10, 100)
TREE: dict[str, Any] = {"color": "#BBBBBB", "marker": "o", "markersize": 3.2, "markeredgewidth": 0}


def _draw(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw `induction_gap.svg` and `.png` and return their paths; nothing where there are no gaps."""
    means = results.rows(GAPS)
    if not means:
        return ()
    of_trees = "select source, part, title, builder, cost, excess from gaps"
    points = results.beside(TABLES, of_trees, "source", "part", "builder")
    builders = list(dict.fromkeys(row["builder"] for row in means))
    inches = Inches(11.0, 2.1 + LINE * len(builders), left=1.76, right=0.17, above=1.4, below=0.7)
    caption = (
        f"unpruned trees on {counted(max(row['n'] for row in means), 'real table')}, equal rows merged and weighted; "
        f"logarithmic beyond {LINEAR:g} %\nCART's tests have two branches, which can make fewer nodes than any tree "
        "with a branch for each value"
    )
    title = "Unpruned trees above the exact minima"
    with framed(folder, "induction_gap", title, caption, inches, (1, len(COSTS)), sharey=True, wspace=0.08) as frame:
        panels = frame.titled([cost.replace("_", " ") for cost in COSTS]).values()
        for cost, panel in zip(COSTS, panels, strict=True):
            _panel(panel, grouped(means, "cost")[cost], grouped(points, "cost")[cost], builders)
        name_lines(frame.panels[0, 0], builders)
        frame.panels[0, len(COSTS) // 2].set_xlabel("excess over the exact minimum, %")
        mean = entry("mean, 95 % interval", color=INK, marker="o", linewidth=1.8)
        frame.key([entry("a table", linestyle="", **TREE), mean])
    return frame.files


def _panel(axes: Axes, means: Sequence[Row], points: Sequence[Row], builders: Sequence[str]) -> None:
    from matplotlib.ticker import FixedLocator

    axes.set_xscale("symlog", linthresh=LINEAR, linscale=0.35)
    axes.axvline(0, color=INK, linewidth=0.8)
    lines, looks = {builder: line for line, builder in enumerate(builders)}, looks_of(builders)
    for row in points:
        text = valued(f"{readable(row['builder'])} on {row['title']}, excess in percent", 100 * row["excess"])
        point(axes, 100 * row["excess"], lines[row["builder"]], text, row, **TREE)
    reach = [0.0, *(100 * row["excess"] for row in points)]
    for row in means:
        line, look = lines[row["builder"]], looks[row["builder"]]
        low, high = (None if row[end] is None else 100 * row[end] for end in ("low", "high"))
        interval(axes, low, high, line, row=row, color=look.colour, alpha=0.7)
        text = valued(f"{readable(row['builder'])}, mean excess in percent", 100 * row["mean_excess"], low, high)
        mark: dict[str, Any] = {"color": look.colour, "marker": look.marker, "markersize": 6.5}
        point(axes, 100 * row["mean_excess"], line, text, row, markeredgecolor="white", markeredgewidth=0.5, **mark)
        reach += [] if low is None else [low]
    axes.set_xlim(min(1.4 * min(reach), -0.7), max(1.4 * max(map(abs, reach)), 2 * LINEAR))
    left, right = axes.get_xlim()
    axes.xaxis.set_major_locator(FixedLocator([tick for tick in TICKS if left < tick < right]))
    plain_numbers(axes.xaxis)


SUMMARY = Summary(
    tables=(GAPS, TABLES),
    views=VIEWS,
    constants={"costs": COSTS},
    finding=_finding,
    screen=_screen,
    figures=(_draw,),
    trees=lambda results: beside_fewest(results, lambda _, smallest, largest: largest["nodes"] - smallest["nodes"]),
    cell="tree",
    failures_in="induction_gap_tables",
    has_results=lambda results: any(map(_grows, results.rows(GAPS))),
    nothing="No tree can be compared with an exact minimum: no minimum is known, or every builder failed.",
)
