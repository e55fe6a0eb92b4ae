"""The summary of exact trees of real tables: minima, sets of trees, and the heuristics beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from pipeline.grammar.excess import COSTS
from pipeline.grammar.findings import above, level
from pipeline.grammar.notable_trees import called, drawable, least
from pipeline.grid import RESULTS_TABLE, NotableTree
from pipeline.grids.uci_exact.tables import fronts_table, heuristics_table, tables_table, tree_sets_table
from pipeline.screen import counted
from pipeline.storage.parts import Part, read
from pipeline.summary.tables import SummaryTable

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Standing", "Summary", "TableSummary", "summarise"]

Row = Mapping[str, Any]
Point = tuple[float, float]

ROOM_FOR_NUMBERS = 72
"""Columns of the screen that all but the names take."""


@dataclass(frozen=True)
class Standing:
    """A heuristic on a table: its costs, how far each is above the minimum, and on how many of the fronts its tree is.

    excess is (cost - minimum) / minimum, 0 where the minimum is 0; empty where the minima are not known.
    """

    heuristic: str
    row: Row
    excess: Mapping[str, float]
    fronts_met: int


@dataclass(frozen=True)
class TableSummary:
    """A decision table: its graph, its minima, sets of its trees by the costs they are optimal for, fronts by costs.

    lost : what became of heuristics, sets and fronts that are not known, in words; not of those that are too large
    """

    graph: Row
    exact: Row
    tree_sets: Sequence[Row]
    fronts: Mapping[tuple[str, str], Sequence[Point]]
    standings: Sequence[Standing]
    lost: Sequence[str]

    @property
    def name(self) -> str:
        """Its source, and its part where that is not the whole."""
        part = self.graph["part"]
        return str(self.graph["source"]) + ("" if part == "all" else f" ({part})")

    @property
    def ranked(self) -> list[Standing]:
        """The heuristics whose distance from the minima is known, those of fewest nodes first."""
        known = [standing for standing in self.standings if standing.excess]
        return sorted(known, key=lambda standing: standing.excess["nodes"])

    @property
    def best(self) -> Standing | None:
        """The heuristic of fewest nodes, the first of several; None where not all are known, for another may be it."""
        ranked = self.ranked
        return ranked[0] if ranked and len(ranked) == len(self.standings) else None

    def trees(self, *costs: str) -> str:
        """How many ordinary trees are optimal for these costs, as digits; empty where that is not known."""
        found = [row["trees"] for row in self.tree_sets if not row["alpha"] and row["optimal_for"] == ", ".join(costs)]
        return found[0] or "" if found else ""


@dataclass(frozen=True)
class Summary:
    """What was found of each table, and what was written."""

    found: tuple[TableSummary, ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]

    @property
    def worked(self) -> bool:
        """Whether a tree was built of any table."""
        return any(standing.row["status"] == "ok" for table in self.found for standing in table.standings)

    @property
    def finding(self) -> str:
        """On how many tables a heuristic has the fewest nodes, which come nearest on average, and the furthest off."""
        best = {table.name: table.best.excess["nodes"] for table in self.found if table.best}
        if not best:
            what = "trees of all heuristics" if any(table.ranked for table in self.found) else "exact minima"
            return f"The {what} of none of {counted(len(self.found), 'table')} are known."
        by_heuristic: dict[str, list[float]] = {}
        for standing in (standing for table in self.found if table.best for standing in table.ranked):
            by_heuristic.setdefault(standing.heuristic, []).append(standing.excess["nodes"])
        means = {name: fmean(excess) for name, excess in by_heuristic.items()}
        lowest, worst = min(means.values()), max(best, key=lambda name: best[name])
        nearest = [name for name, mean in means.items() if mean == lowest]
        fewest = list(best.values()).count(0)
        heuristics = f"one of {counted(len(means), 'heuristic')}"
        said = [f"On {fewest} of {counted(len(best), 'table')} {heuristics} grows a tree of fewest nodes"]
        if best[worst]:
            said.append(f"on {worst} the best of them is {above(best[worst])}")
        said.append(f"{level(nearest)} {'comes' if len(nearest) == 1 else 'come'} nearest, {above(lowest)} on average")
        left = sum(bool(table.ranked and not table.best) for table in self.found)
        said += [f"{counted(left, 'more table')} left out, of which a heuristic is lost"] if left else []
        return f"{'; '.join(said)}."

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """Of the table with room on a page where the best heuristic is furthest from the fewest nodes: three trees."""
        tables = [table for table in self.found if drawable(table.exact) and table.ranked]
        tables = [table for table in tables if drawable(table.ranked[0].row)]
        if not tables:
            return ()
        table = max(tables, key=lambda one: one.ranked[0].excess["nodes"])
        ranked = [standing for standing in table.ranked if drawable(standing.row)]
        grown = {standing.heuristic: standing for standing in (ranked[0], ranked[-1])}
        return (
            NotableTree(f"{table.name}, a tree of fewest nodes", called(table.exact) | least("nodes")),
            *(
                NotableTree(f"{table.name} by {name}, nodes {above(standing.excess['nodes'])}", called(standing.row))
                for name, standing in grown.items()
            ),
        )

    def screen(self, width: int) -> list[RenderableType]:
        """Graphs, minima, numbers of optimal trees and the nearest heuristic, a line a table."""
        shown = Table(title="Exact trees", title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False)
        shown.add_column("", overflow="fold", max_width=max(12, width - ROOM_FOR_NUMBERS))
        for heading in ("rows", "sub-\ntables", "average\ndepth", "depth", "nodes", "trees of\nfewest nodes"):
            shown.add_column(heading, justify="right", no_wrap=True)
        shown.add_column("nearest in nodes", no_wrap=True)
        for table in self.found:
            graph, exact = table.graph, table.exact
            if exact["status"] != "ok":
                shown.add_row(table.name, _count(graph["rows"]), *[""] * 5, Text(str(exact["status"]), style="red"))
                continue
            best = table.best
            shown.add_row(
                *(table.name, _count(graph["rows"]), _count(graph["nodes"])),
                *(f"{exact['average_depth']:.3f}", _count(exact["depth"]), _count(exact["nodes"])),
                *(
                    _number(table.trees("nodes")),
                    f"{best.heuristic} +{100 * best.excess['nodes']:.1f} %" if best else "",
                ),
            )
        legend = (
            "rows: after equal ones were merged; depth and nodes: the least of each; nearest: the heuristic of fewest "
            "nodes. Sets of optimal trees, alpha-decision trees and fronts are in tree_sets.csv and fronts.csv."
        )
        lines = [f"{table.name}: {table.exact['error']}" for table in self.found if table.exact["error"]]
        lines += [f"{table.name}: {said}" for table in self.found for said in table.lost]
        return [shown, Text(legend, style="dim"), Text(self.finding), *(Text(line, style="red") for line in lines)]


def summarise(parts: Mapping[str, Sequence[Part]], heuristics: Sequence[str], folder: Path) -> Summary:
    """Summarise into folder: `tables`, `tree_sets`, `heuristics`, `fronts` (.csv, .md), and the figure `uci_exact`."""
    rows = {name: [row for part in parts[name] for row in read(part).to_pylist()] for name in parts}
    found = _found(rows, heuristics)
    documents = (
        *(tables_table(found), tree_sets_table(rows["tree_sets"])),
        *(heuristics_table(found), fronts_table(rows["fronts"])),
    )
    for document in documents:
        document.write(folder)
    from pipeline.grids.uci_exact.figure import draw

    return Summary(found, documents, draw(found, folder))


def _found(rows: Mapping[str, Sequence[Row]], heuristics: Sequence[str]) -> tuple[TableSummary, ...]:
    cells = len(heuristics) + 1
    found = []
    for place, graph in enumerate(rows["graphs"]):
        *greedy, exact = rows[RESULTS_TABLE][place * cells : (place + 1) * cells]
        called = (graph["source"], graph["part"])
        sets = [row for row in rows["tree_sets"] if (row["source"], row["part"]) == called]
        points = [row for row in rows["fronts"] if (row["source"], row["part"]) == called]
        fronts: dict[tuple[str, str], list[Point]] = {}
        for row in points:
            if row["status"] == "ok":
                fronts.setdefault((row["cost_x"], row["cost_y"]), []).append((row["x"], row["y"]))
        standings = [_standing(name, row, exact, fronts) for name, row in zip(heuristics, greedy, strict=True)]
        lost = (_lost(greedy, "heuristics"), _lost(sets, "sets of trees"), _lost(points, "fronts"))
        found.append(TableSummary(graph, exact, sets, fronts, standings, [said for said in lost if said]))
    return tuple(found)


def _lost(rows: Sequence[Row], noun: str) -> str:
    """How many of these are lost, and why the first is; empty where none is, or they are too large."""
    lost = [row for row in rows if row["status"] not in {"ok", "memory_limit"}]
    return f"{len(lost)} {noun} lost, the first: {lost[0]['status']}: {lost[0]['error']}" if lost else ""


def _standing(name: str, row: Row, exact: Row, fronts: Mapping[tuple[str, str], Sequence[Point]]) -> Standing:
    if exact["status"] != "ok" or row["status"] != "ok":
        return Standing(name, row, {}, 0)
    excess = {cost: (row[cost] - exact[cost]) / exact[cost] if exact[cost] else 0.0 for cost in COSTS}
    met = sum((row[x], row[y]) in points for (x, y), points in fronts.items())
    return Standing(name, row, excess, met)


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


def _number(digits: str) -> str:
    """A number of any size in few letters."""
    if not digits:
        return ""
    return f"{int(digits):,}" if len(digits) < 10 else f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"
