"""The summary of DID, ID3 and C4.5: the first table of Ben-Gal et al. 2014, value by value, and DID's sweep."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from pipeline.drawing.figures import PRINTED as PRINTED_MARK
from pipeline.drawing.figures import label
from pipeline.drawing.frame import Axes, Inches, framed, grid_shape
from pipeline.drawing.looks import colour_of, look_of
from pipeline.drawing.marks import DOTTED, band, entry, entry_of, few_ticks, valued
from pipeline.grammar.columns import Column, Key, Known, Mean, Row, Value, ends_of, grouped
from pipeline.grammar.comparison.sections import first_fits
from pipeline.grammar.findings import MARKS, agreement, listed, pivot
from pipeline.grammar.notable_trees import drawable, notable
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.grid import NotableTree
from pipeline.grids.did_vs_c45 import protocols, readings
from pipeline.summary.tables import Layout, Pair
from pipeline.summary.verdicts import rule

PRINTED = Path(__file__).with_name("printed")
DOCUMENT = "Ben-Gal et al. 2014"
HEADINGS = {"id3": "ID3", "c45": "C4.5", "did": "DID"}
LEGEND = (
    "no mark: agrees; ≈: consistent, no significant difference; ≠: differs; !: impossible, no tree for these rows is "
    "so shallow. DID: with its weight of least depth. exact minimum: of the table of merged rows, weighted. Reasons "
    "are in did_vs_c45.csv, accuracies in did_vs_c45_accuracies.csv"
)

RATIO = """(parameters::json->>'orthogonality_weight')::double
  / coalesce((parameters::json->>'information_weight')::double, 1)"""
OF_WHOLE = {
    "depth": "counted",
    **{name: name for name in ("rows", "nodes", "distinct_rows", "table_average_depth")},
    **{name: name for name in ("least_search_depth", "greatest_search_depth")},
}
COUNTED = f"""select source, part, builder, {RATIO} as ratio,
  max(minimum) over (partition by source, part) as exact_minimum,
  {", ".join(f"if(whole, {sql}, null) as {name}" for name, sql in OF_WHOLE.items())}
from (select *, if(builder = 'exact' and whole, avg(counted) over (partition by source, part, builder), null) as minimum
  from (select *, bool_and(if(builder = 'exact', status = 'ok', average_depth is not null))
      over (partition by source, part, builder) as whole,
    if(builder = 'exact', table_average_depth, coalesce(search_depth, average_depth)) as counted from depths))"""
"""Depths of builders on the rows they learned from; searches are counted as Search does. If any sample of a builder
failed, its depth is null, because a mean of some samples is not the mean of all.
"""

VIEWS = {
    "counted_depths": COUNTED,
    "swept": """select source, part, builder, ratio, depth, nodes, table_average_depth, exact_minimum
from counted_depths where ratio is not null
union all by name
select source, part, builder, test_accuracy from results where status = 'ok'""",
    "known_depths": """select source, builder, avg(depth) as mean, count(*) as n from counted_depths
where part = 'all' group by source, builder""",
    "least_depths": """select source,
  coalesce(if(e.n = 1, e.mean, null), if(r.rows = c.instances, c.bound, null)) as least
from (select distinct source, bound, instances from printed_cells) c
left join (from known_depths where builder = 'exact') e using (source)
left join (select source, min(rows) as rows from depths where part = 'all' group by source
  having min(rows) = max(rows)) r using (source)""",
    "tied_depths": """select source, builder, any_value(100 * fewest_correct / test_rows) as fewest,
  any_value(100 * most_correct / test_rows) as most, any_value(test_rows) as test_rows
from depths where part = 'all' group by source, builder having count(*) = 1 and count(test_rows) = 1""",
    "best_weights": """select source, arg_min(builder, (round(mean, 12), c.place)) as builder
from known_depths join candidates c on c.name = builder where mean is not null group by source""",
    "failed_weights": """select source, list(builder order by position) as failed
from (select source, builder, min(position) as position from depths join candidates c on c.name = builder
  group by source, builder having not bool_and(average_depth is not null)) group by source""",
    "cells_read": f"""select p.*, r.reading, r.main, r.place as reading_place,
  coalesce(r.builder, b.builder, 'did') as builder, if(r.reading = '{readings.BEST}', f.failed, null) as failed
from printed_cells p join printed_readings r using (printed_builder)
left join best_weights b using (source) left join failed_weights f using (source)
where source in (select source from known_depths where mean is not null)
  and (r.reading <> '{readings.EQUAL}'
    or (source, r.builder) in (select (source, builder) from known_depths where mean is not null))""",
    **protocols.VIEWS,
}

CELL = (
    *(Known(name, f"c.{name}") for name in ("case", "source", "printed_builder", "reading", "builder")),
    *(Key(name) for name in ("source", "builder")),
)
"""Columns that identify a row of either table of printed values; not every row was run."""
MINIMUM = (
    Known("_depth_text", "c.depth_text"),
    Known("_depth_high", "c.depth + c.depth_rounding"),
    Known("_least", "(select least from least_depths l where l.source = c.source)"),
)
"""The proof that no tree for all rows of a data set has the printed depths."""
JUDGED = ("difference", *ends_of("difference"), "tolerance", "verdict", "reason")
"""Headings of what `readings` fills in."""
DEPTHS = Table(
    "did_vs_c45",
    f"Average depth beside the paper ({DOCUMENT}, first table)",
    of="(from counted_depths where part = 'all')",
    columns=[
        *CELL,
        Value("rows", "any_value(rows)"),
        Known("n", "coalesce(ours.n, 0)"),
        Mean("average_depth", "depth"),
        *(Value(f"{end}_by_ties", f"coalesce(avg({end}_search_depth), avg(depth))") for end in ("least", "greatest")),
        Known("printed", "c.depth"),
        *(Column(name) for name in JUDGED),
        *(Value(name, f"avg({name})") for name in ("distinct_rows", "table_average_depth")),
        Value("exact_minimum"),
        Known("exact_minimum", "coalesce(ours.exact_minimum, e.mean)"),
        Value("_ratio", "any_value(ratio)"),
        Value("_sets", "list(depth) filter (where depth is not null)"),
        *(Known(f"_{name}", f"c.{name}") for name in ("main", "failed", "remark")),
        *(Known(f"_{name}", f"c.depth_{name}") for name in ("text", "rounding")),
        *MINIMUM,
    ],
    beside="""cells_read c left join ours on ours.source = c.source and ours.builder = c.builder
left join known_depths e on e.source = c.source and e.builder = 'exact'""",
    order="c.place, c.reading_place",
    complete=readings.judge_depths,
    note="average_depth: mean number of edges from the root to the leaf of a training row, in the tree of these "
    "rows; for all builders but j48, rows that differ only in their class count as many edges as there are "
    "attributes, because the paper's Search tests all of them. n: sets of training rows; low to high: 95 % "
    "normal interval over them, empty for a single set, which determines the tree except for ties. least_by_ties to "
    "greatest_by_ties: range over the tried orders of the attributes; the order breaks ties. impossible: no unpruned "
    "tree for these rows is so shallow: the printed value, before it was rounded, is below exact_minimum or, if the "
    "search for that takes too much memory, below a bound that certificates of the rows prove (column reason). Else, "
    "for a single set of rows, agrees: the printed value, before it was rounded, is within "
    f"{readings.NEAR:g} edges of that range; differs: it is further from that range. For drawn sets: "
    + rule(
        f"the printed value, which is from one draw, is more than {readings.NEAR:g} edges outside that range and "
        "outside the middle 95 % of our single draws"
    )
    + " Readings other than unpruned, unpruned gain ratio and best weight have no verdict and do not change others. "
    "table_average_depth and exact_minimum: average depth of the builder's tree, and of the shallowest tree, for "
    "the table of the same rows; there, equal rows are merged by majority and weighted by their number. No "
    "unpruned tree for the rows themselves is below this minimum. best weight: the ratio w1/w2 with the least "
    "average_depth among those of the shipped sweep, whatever the printed value is. Weights that failed are left out, "
    "and the column reason names them.",
    layout=Layout(("case",), ("printed_builder",), (Pair("average_depth"),)),
)
ACCURACIES = Table(
    "did_vs_c45_accuracies",
    f"Accuracy beside the paper ({DOCUMENT}, first table)",
    of="(select *, 100 * if(status = 'ok', test_accuracy, null) as percent from results where part = 'all')",
    columns=[
        *CELL,
        Known("n", "coalesce(ours.n, 0)"),
        Mean(
            "accuracy",
            "percent",
            alone="sqrt(avg(percent) * (100 - avg(percent)) / any_value(test_rows) filter (where percent is not null))",
        ),
        Known("least_by_ties", "t.fewest"),
        Known("greatest_by_ties", "t.most"),
        Known("printed", "c.accuracy"),
        *(Column(name) for name in JUDGED),
        Value("_failed", "count(*) filter (where status <> 'ok')"),
        Known("_main", "c.main"),
        *(Known(f"_{name}", f"c.accuracy_{name}") for name in ("text", "rounding")),
        Known("_test_rows", "t.test_rows"),
        *MINIMUM,
    ],
    beside="""cells_read c left join ours on ours.source = c.source and ours.builder = c.builder
left join tied_depths t on t.source = c.source and t.builder = c.builder""",
    order="c.place, c.reading_place",
    complete=readings.judge_accuracies,
    note="Accuracies, differences and tolerances are in percent. The paper names no protocol. Ours: the published "
    "test part if there is one (n = 1); for Monk's full random set the 216 rows that do not train, in each of n "
    "draws; else 10-fold cross-validation, n folds. low to high: 95 % normal interval of the accuracy, over the "
    "splits, or binomial over the test rows of a published part. "
    + rule(
        "the difference is significant (two-sided at 5 % with Bonferroni's correction over the cells compared by "
        "splits, assuming that the paper has as many splits as we have, and that they vary as much)"
    )
    + " On a published test part, only the breaking of ties is left to chance: the paper breaks them "
    "arbitrarily. There, impossible: no number of correct test rows gives the printed value, however it was rounded. "
    f"Else, agrees: within {readings.NEAR_POINTS:g} point of ours, plus the rounding of the printed value; consistent: "
    "as near to the range that ties allow, least_by_ties to greatest_by_ties, over orders of the attributes and the "
    "most common classes of a node; else differs. No verdict: if a split failed, and for other readings of a value "
    "(J48, equal weights), which do not change other verdicts.",
    layout=Layout(("case",), ("printed_builder",), (Pair("accuracy"),)),
)
SWEEP = Table(
    "did_vs_c45_sweep",
    "DID by the ratio of its weights",
    of="swept",
    columns=[
        *(Key(name) for name in ("source", "part", "builder")),
        Value("ratio"),
        Mean("average_depth", "depth"),
        *(Value(name, f"avg({name})") for name in ("nodes", "table_average_depth")),
        Value("exact_minimum"),
        Value("excess", "(avg(table_average_depth) - any_value(exact_minimum)) / nullif(any_value(exact_minimum), 0)"),
        Mean("test_accuracy", n="splits", low="accuracy_low", high="accuracy_high"),
    ],
    beside="""ours join (select source, part, builder, min(position) as place from depths group by all)
  using (source, part, builder) where ratio is not null and n > 0""",
    order="place",
    note="ratio: w1/w2. average_depth and its interval: as in the table did_vs_c45; nodes: mean over the training "
    "sets. excess: (table_average_depth - exact_minimum) / exact_minimum. test_accuracy: mean over the splits "
    "with its 95 % normal interval.",
)


def _finding(results: Results) -> list[str]:
    """Count the printed average depths and accuracies that agree."""
    depths, accuracies = results.rows(DEPTHS), results.rows(ACCURACIES)
    partly = [row["case"] for row in depths if row["_failed"]]
    return [
        agreement((row["verdict"] for row in depths), "average depth"),
        agreement((row["verdict"] for row in accuracies), "accuracy", "accuracies"),
        f"DID's weight is the best of those that did not fail for {listed(partly)}" if partly else "",
    ]


def _screen(results: Results, _: int) -> list[RenderableType]:
    """A line for each case with our average depths and the printed ones, then how many agree."""
    cells = [row for row in results.rows(DEPTHS) if row["_main"]]
    least = [
        {**row, "printed_builder": "exact"}
        for row in cells
        if row["printed_builder"] == "did" and row["exact_minimum"] is not None
    ]
    shown = pivot(
        [*cells, *least],
        line=lambda row: str(row["case"]),
        column=lambda row: HEADINGS.get(row["printed_builder"], "exact minimum"),
        cell=_shown,
        title="Average depth (printed)",
    )
    return [shown, Text(LEGEND, style="dim"), Text("; ".join(filter(None, _finding(results))))]


def _shown(row: Row) -> str | None:
    if row["printed_builder"] == "exact":
        return f"{row['exact_minimum']:.3f}"
    ratio = f" at {row['_ratio']:g}" if row["_ratio"] is not None else ""
    depth = row["average_depth"]
    return None if depth is None else f"{depth:.3f} ({row['_text']}){MARKS[row['verdict']]}{ratio}"


def _trees(results: Results) -> list[NotableTree]:
    """The trees of ID3 and of DID at its best weight, on the split with the largest difference that fits a page."""
    first = {key: row for key, row in first_fits(results).items() if drawable(row)}
    pairs = [
        (plain["average_depth"] - dual["average_depth"], row["_ratio"], plain, dual)
        for row in results.rows(DEPTHS)
        if row["_main"]
        and row["_ratio"] is not None
        and row["average_depth"] is not None
        and (plain := first.get((row["source"], "all", "id3")))
        and (dual := first.get((row["source"], "all", row["builder"])))
    ]
    if not pairs:
        return []
    _, ratio, plain, dual = max(pairs, key=lambda pair: pair[0])
    weight = f"at w1/w2 = {ratio:g}, its best for all rows, "
    return [
        notable(row, f"{prefix}average depth {row['average_depth']:.3g}")
        for row, prefix in ((plain, ""), (dual, weight))
    ]


ACROSS = 3
WIDTH, PANEL, ABOVE, BELOW = 10.0, 2.4, 1.35, 0.7
"""In inches: the figure's width, the height of a row of panels, and the space above and below the panels."""

DID, MARK, EXACT = colour_of("did"), look_of("did").marker, colour_of("exact")
ACROSS_PANEL = {"id3": "ID3", "gain_ratio": "gain ratio"}
"""Names of the builders without weights, whose depth is a line across the panel."""
OTHERS = """select source, builder, avg(depth) as average_depth, avg(table_average_depth) as table_average_depth
from counted_depths where part = 'all' and ratio is null group by all having count(depth) > 0"""
"""Depths of the builders without weights."""
PRINTED_LINE: dict[str, Any] = {"color": PRINTED_MARK["markeredgecolor"], "linewidth": 1.2, "linestyle": "--"}


def _draw(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw a panel for each source as `did_vs_c45.svg` and `.png` and return their paths; nothing without a sweep."""
    swept = grouped(results.rows(SWEEP), "source")
    if not swept:
        return ()
    beside = grouped(results.query(OTHERS), "source")
    printed = {row["source"]: row for row in results.rows(DEPTHS) if row["printed_builder"] == "did" and row["_main"]}
    ordered = [source for source in dict.fromkeys([*printed, *swept]) if source in swept]
    shape = grid_shape(len(ordered), ACROSS)
    inches = Inches(WIDTH, ABOVE + BELOW + PANEL * shape[0], left=0.7, right=0.15, above=ABOVE, below=BELOW)
    caption = (
        "average depth over the training rows of unpruned trees, against the ratio of DID's weights, not to scale; "
        "0 is ID3"
    )
    with framed(
        folder, "did_vs_c45", "DID by the ratio of its weights", caption, inches, shape, wspace=0.22, hspace=0.48
    ) as frame:
        titles = [printed[source]["case"] if source in printed else source for source in ordered]
        panels = frame.titled(titles, y="average depth, edges", pad=6)
        for panel, source in zip(panels.values(), ordered, strict=True):
            others = {row["builder"]: row for row in beside.get(source, ())}
            _panel(panel, sorted(swept[source], key=lambda row: row["ratio"]), others, printed.get(source))
        frame.below("w1 / w2")
        frame.key(
            [
                entry("DID", color=DID, marker=MARK, markersize=5),
                entry("DID as printed", **PRINTED_LINE),
                *(entry_of(name, words) for name, words in ACROSS_PANEL.items()),
                entry("exact minimum", color=EXACT, linestyle=DOTTED),
            ]
        )
    return frame.files


def _panel(axes: Axes, sweep: Sequence[Row], others: Mapping[str, Row], printed: Row | None) -> None:
    """Draw the sweep, and the depths that it is compared with as horizontal lines."""
    title = sweep[0]["source"]

    def across(depth: float, name: str, row: Row | None = None, **look: Any) -> None:
        line = axes.axhline(depth, **({"linewidth": 1.2} | look))
        label([line], valued(f"{title}, {name}, average depth", depth), row, data_set=title)

    for name, words in ACROSS_PANEL.items():
        if name in others:
            across(others[name]["average_depth"], words, others[name], color=colour_of(name))
    if "exact" in others and _comparable(others.get("id3")):
        across(others["exact"]["average_depth"], "exact minimum", others["exact"], color=EXACT, linestyle=DOTTED)
    if printed:
        across(printed["printed"], "DID as printed", printed, **PRINTED_LINE)
    positions = range(len(sweep))

    def label_of(row: Row) -> str:
        return f"{title}, DID at w1/w2 = {row['ratio']:g}, average depth"

    rows = [row | {"_title": title} for row in sweep]
    band(axes, positions, rows, "average_depth", named=label_of, color=DID, marker=MARK, markersize=5, linewidth=1.3)
    shown = list(positions)[:: max(1, len(sweep) // 6)]
    axes.set_xticks(shown, [f"{sweep[position]['ratio']:g}" for position in shown])
    few_ticks(axes.yaxis, 5)
    axes.margins(y=0.12)


def _comparable(id3: Row | None) -> bool:
    """Whether depths are measured on the merged table. If rows contradict each other, Search counts differently."""
    return id3 is None or math.isclose(id3["table_average_depth"], id3["average_depth"], rel_tol=1e-12)


SUMMARY = Summary(
    tables=(DEPTHS, ACCURACIES, SWEEP, *protocols.TABLES),
    finding=_finding,
    views=VIEWS,
    printed=PRINTED,
    constants={
        "printed_cells": readings.printed_cells(PRINTED),
        "candidates": [f"did {ratio:g}" for ratio in readings.RATIOS],
    },
    screen=_screen,
    figures=(_draw,),
    trees=_trees,
    failures_in="",
)
