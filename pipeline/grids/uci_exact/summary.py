"""Optimal trees of real tables: minima, sets of trees, Pareto fronts, and the heuristics beside them."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from algorithms.pictures.fronts import draw_front
from pipeline.drawing.figures import INK
from pipeline.drawing.frame import Axes, Inches, framed, grid_shape
from pipeline.drawing.looks import HEURISTIC_COLOURS, look_of
from pipeline.drawing.marks import entry, few_ticks, point
from pipeline.grammar.columns import COSTS, NAME, TITLE, Key, Row, Value, excess, grouped
from pipeline.grammar.findings import above, does, listing, tied_names
from pipeline.grammar.notable_trees import beside_fewest
from pipeline.grammar.summary import Results, Summary
from pipeline.grammar.table import Table
from pipeline.words import counted

NUMBERS_WIDTH = 72
"""Width of all columns of the terminal table except the names."""
NEAREST = "nearest in nodes"

OF_COST = "case $ " + " ".join(f"when '{cost}' then own.{cost}" for cost in COSTS) + " end"
EXCESSES = ", ".join(f"{excess(f'own.{cost}', f'least.{cost}')} as excess_{cost}" for cost in COSTS)
VIEWS = {
    "minima": "select * from results where builder = 'exact'",
    "points": "select * from fronts where status = 'ok'",
    "known": f"""select own.source, own.part, own.impurity_type, own.uncertainty, {EXCESSES},
  (select count(*) from points p where (p.source, p.part) = (own.source, own.part)
    and p.x = {OF_COST.replace("$", "p.cost_x")} and p.y = {OF_COST.replace("$", "p.cost_y")}) as fronts_met
from results own join minima least using (source, part)
where own.builder = 'greedy' and own.status = 'ok' and least.status = 'ok'""",
    "found_fronts": "select source, part, count(distinct (cost_x, cost_y)) as fronts from points group by all",
}

TABLES = Table(
    "tables",
    "Exact minima of decision tables",
    of="graphs g join minima m using (source, part)",
    columns=[
        Key("source"),
        Key("part"),
        *(Value(name, f"any_value(g.{name})") for name in ("rows", "size", "attributes", "decisions")),
        Value("subtables", "any_value(g.nodes)"),
        Value("edges"),
        Value("graph_mib", "any_value(graph_bytes / 1048576)"),
        Value("build_seconds", "any_value(g.build_seconds)"),
        *(Value(f"least_{cost}", f"any_value(m.{cost})") for cost in COSTS),
        Value("status", "any_value(m.status)"),
        Value("error", "any_value(m.error)"),
        Value("_title", f"any_value({TITLE})"),
    ],
    beside="ours join sources using (source, part)",
    order="sources.place",
    note=lambda rows: (
        f"n = {counted(len(rows), 'decision table')}. Subtables and edges are those of the graph of "
        "separable subtables; each cost is minimised alone. Seconds are for the graph and all five minima, on one core."
    ),
)
TREE_SETS = Table(
    "tree_sets",
    "Sets of decision trees",
    of="tree_sets",
    columns=[
        *(Key(name) for name in ("source", "part", "alpha", "optimal_for")),
        *(Value(name) for name in ("trees", *COSTS, "status", "error")),
    ],
    order="_position",
    note="trees: number of trees of the set. The costs are the least of any tree of the set, each cost alone. "
    "optimal_for: the costs for which the trees are optimal, one after another; empty: all trees. alpha: a "
    "subtable is terminal if it has at most this share of the table's pairs of rows with different decisions.",
)
HEURISTICS = Table(
    "heuristics",
    "Greedy trees beside the exact ones",
    of="results own left join known using (source, part, impurity_type, uncertainty) "
    "left join found_fronts using (source, part) where own.builder = 'greedy'",
    columns=[
        *(Key(name) for name in ("source", "part", "impurity_type", "uncertainty")),
        *(Value(cost, f"any_value(own.{cost})") for cost in COSTS),
        *(Value(f"excess_{cost}") for cost in COSTS),
        Value("fronts", "coalesce(any_value(fronts), 0)"),
        Value("fronts_met"),
        Value("status", "any_value(own.status)"),
        Value("error", "any_value(own.error)"),
        Value("_title", f"any_value({TITLE})"),
        Value("_heuristic", f"any_value({NAME})"),
    ],
    order="_position",
    note="excess: (cost - minimum) / minimum, 0 where the minimum is 0. fronts: pairs of costs, of "
    f"{comb(len(COSTS), 2)}, whose Pareto front was computed; fronts_met: fronts that have the tree on them.",
)


def _whole_numbers(rows: Sequence[Row]) -> None:
    """Write costs as integers, except the average depth."""
    for row in rows:
        for axis in "xy":
            if row[axis] is not None and row[f"cost_{axis}"] != "average_depth":
                row[axis] = int(row[axis])


FRONTS = Table(
    "fronts",
    "Pareto fronts of two costs",
    of="fronts",
    columns=[
        *(Key(name) for name in ("source", "part", "cost_x", "cost_y", "x", "y")),
        Value("status"),
        Value("error"),
    ],
    order="_position",
    complete=_whole_numbers,
    note="A row is a point of an exact Pareto front: some tree has these two costs, and no tree is better in one "
    "cost and at least as good in the other.",
)


def _whole(results: Results) -> dict[str, list[Row]]:
    """The heuristics of each table, keyed by its title, if the distance of all from the minima is known."""
    by_table = grouped(results.rows(HEURISTICS), "_title").items()
    return {title: rows for title, rows in by_table if all(row["fronts_met"] is not None for row in rows)}


def _best(results: Results) -> dict[str, Row]:
    """The heuristic with the fewest nodes on each of these tables, the first if several tie."""
    return {title: min(rows, key=lambda row: row["excess_nodes"]) for title, rows in _whole(results).items()}


def _finding(results: Results) -> list[str]:
    """State on how many tables a heuristic has the fewest nodes, which are closest on average, and which furthest."""
    best, known = _best(results), [row for row in results.rows(HEURISTICS) if row["fronts_met"] is not None]
    if not best:
        what = "trees of all heuristics" if known else "exact minima"
        tables = counted(len(grouped(results.rows(HEURISTICS), "_title")), "table")
        return [f"no result: the {what} are not known for any of {tables}"]
    by_heuristic = grouped((row for row in known if row["_title"] in best), "_heuristic")
    means = {name: fmean(row["excess_nodes"] for row in own) for name, own in by_heuristic.items()}
    lowest, worst = min(means.values()), max(best, key=lambda title: best[title]["excess_nodes"])
    nearest = [name for name, mean in means.items() if mean == lowest]
    fewest = sum(not row["excess_nodes"] for row in best.values())
    heuristics = f"one of {counted(len(means), 'heuristic')}"
    sentences = [f"on {fewest} of {counted(len(best), 'table')} {heuristics} grows a tree with the fewest nodes"]
    if best[worst]["excess_nodes"]:
        sentences.append(f"on {worst} the best of them is {above(best[worst]['excess_nodes'])}")
    sentences.append(f"{tied_names(nearest)} {does('come', len(nearest))} closest on average, {above(lowest)}")
    left = len(grouped(known, "_title")) - len(best)
    return [*sentences, *([f"{counted(left, 'more table')} left out, because a heuristic failed"] if left else [])]


def _screen(results: Results, width: int) -> list[RenderableType]:
    """Graphs, minima, numbers of optimal trees and the best heuristic, a line for each table."""
    headings = ("", "rows", "sub-\ntables", "average\ndepth", "depth", "nodes", "trees of\nfewest nodes", NEAREST)
    names_width = max(12, width - NUMBERS_WIDTH)
    shown = listing("Exact trees", headings, words=("", NEAREST), names=names_width, apart=1)
    best = _best(results)
    sizes = {
        (row["source"], row["part"]): row["trees"]
        for row in results.rows(TREE_SETS)
        if not row["alpha"] and row["optimal_for"] == "nodes"
    }
    for row in results.rows(TABLES):
        if row["status"] != "ok":
            shown.add_row(row["_title"], _count(row["rows"]), *[""] * 5, Text(str(row["status"]), style="red"))
            continue
        nearest = best.get(row["_title"])
        shown.add_row(
            *(row["_title"], _count(row["rows"]), _count(row["subtables"])),
            *(f"{row['least_average_depth']:.3f}", _count(row["least_depth"]), _count(row["least_nodes"])),
            _number(sizes.get((row["source"], row["part"])) or ""),
            f"{nearest['_heuristic']} +{100 * nearest['excess_nodes']:.1f} %" if nearest else "",
        )
    legend = (
        "rows: after equal rows were merged; depth and nodes: exact minima; nearest: the heuristic of fewest nodes. "
        "Sets of optimal trees, alpha-decision trees and fronts are in tree_sets.csv and fronts.csv."
    )
    lines = [f"{row['_title']}: {row['error']}" for row in results.rows(TABLES) if row["error"]]
    for row in results.rows(TABLES):
        for table, noun in ((HEURISTICS, "heuristics"), (TREE_SETS, "sets of trees"), (FRONTS, "fronts")):
            failed = [
                cell
                for cell in results.rows(table)
                if (cell["source"], cell["part"]) == (row["source"], row["part"])
                and cell["status"] not in {"ok", "memory_limit"}
            ]
            if failed:
                first = f"{failed[0]['status']}: {failed[0]['error']}"
                lines.append(f"{row['_title']}: {len(failed)} {noun} failed, the first: {first}")
    return [shown, Text(legend, style="dim"), *(Text(line, style="red") for line in lines)]


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


def _number(digits: str) -> str:
    """A number of any size in few characters."""
    if not digits:
        return ""
    return f"{int(digits):,}" if len(digits) < 10 else f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"


ACROSS, PANEL = 3, 2.6  # panels in a row, and the height of one in inches
X = "nodes"
DEPTHS = {"uci_exact": "average_depth", "uci_exact_depth": "depth"}
"""For each figure, the cost of its vertical axis; the horizontal axis is nodes."""
OTHER = "#BBBBBB"


def _draw(results: Results, folder: Path) -> tuple[Path, ...]:
    """Draw a panel for each table in each figure of DEPTHS, and return their paths; none without a front."""
    trees = [row for row in results.rows(HEURISTICS) if row["fronts_met"] is not None]
    points = results.query(f"select *, {TITLE} as title from points order by position")
    return tuple(path for name, depth in DEPTHS.items() for path in _drawn(name, depth, trees, points, folder))


def _drawn(name: str, depth: str, trees: Sequence[Row], points: Sequence[Row], folder: Path) -> tuple[Path, ...]:
    """Draw one figure, a kind of depth against nodes."""
    fronts = grouped((row for row in points if (row["cost_x"], row["cost_y"]) == (depth, X)), "title")
    if not fronts:
        return ()
    shape, words = grid_shape(len(fronts), ACROSS), depth.replace("_", " ")
    inches = Inches(10.0, 2.05 + PANEL * shape[0], left=0.7, right=0.15, above=1.4, below=0.65)
    caption = f"exact Pareto front of the number of nodes and the {words} over all trees of each table"
    with framed(
        folder, name, "Pareto front and greedy trees", caption, inches, shape, wspace=0.25, hspace=0.42
    ) as frame:
        for table, panel in frame.titled(list(fronts), y=f"{words}, edges", pad=6).items():
            front = sorted((row["y"], row["x"]) for row in fronts[table])
            _panel(panel, table, front, [row for row in trees if row["_title"] == table], depth)
        frame.below("nodes")
        heuristics = dict.fromkeys(row["_heuristic"] for row in trees)
        colours = {name: HEURISTIC_COLOURS[name] for name in heuristics if name in HEURISTIC_COLOURS}
        colours |= {"other heuristics": OTHER} if len(heuristics) > len(colours) else {}
        marks = [entry(name, linestyle="", marker=_mark_of(name), color=colour) for name, colour in colours.items()]
        frame.key([entry("the front", color=INK, marker="o", markersize=3), *marks], 1 + len(marks))
    return frame.files


def _panel(axes: Axes, table: str, front: Sequence[tuple[float, float]], trees: Sequence[Row], depth: str) -> None:
    """Draw the front as steps, which no tree is below, and each heuristic's tree."""
    few_ticks(axes.xaxis, 4, integer=True)
    few_ticks(axes.yaxis, 4, integer=depth == "depth")
    right = max([row[X] for row in trees] + [front[-1][0]]) * 1.03
    lowest, top = front[-1][1], max([row[depth] for row in trees] + [front[0][1]])
    if depth == "depth":
        axes.set_ylim(lowest - 0.25, top := max(top, lowest + 1) + 0.25)
    else:
        top *= 1.02
    draw_front(axes, front, right, top)
    words = depth.replace("_", " ")
    for x, y in front:
        text = f"{table}, exact front: {x:g} nodes, {words} {y:.4g}"
        point(axes, x, y, text, {"title": table}, color=INK, marker="o", markersize=3)
    for row in sorted(trees, key=lambda row: row["_heuristic"] in HEURISTIC_COLOURS):
        name = row["_heuristic"]
        look: dict[str, Any] = {"color": HEURISTIC_COLOURS.get(name, OTHER), "marker": _mark_of(name)}
        text = f"{row['_title']}, {name}: {row[X]} nodes, {words} {row[depth]:.4g}"
        point(axes, row[X], row[depth], text, row, markersize=6.5, markeredgecolor="white", markeredgewidth=0.6, **look)


def _mark_of(heuristic: str) -> Any:
    """The mark of a heuristic; those that share a colour share a mark."""
    return look_of(heuristic).marker if heuristic in HEURISTIC_COLOURS else "o"


SUMMARY = Summary(
    tables=(TABLES, TREE_SETS, HEURISTICS, FRONTS),
    views=VIEWS,
    finding=_finding,
    screen=_screen,
    figures=(_draw,),
    trees=lambda results: beside_fewest(results, lambda exact, smallest, _: smallest["nodes"] / exact["nodes"]),
    cell="tree",
    failures_in="heuristics",
    has_results=lambda results: any(row["status"] == "ok" for row in results.rows(HEURISTICS)),
    nothing="",
)
