"""The summary of exact trees of real tables: minima, sets of trees, and the heuristics beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from pipeline.grids.base import RESULTS_TABLE
from pipeline.storage.parts import Part, read
from pipeline.summaries.grid_rows import COSTS
from pipeline.summaries.tables import SummaryTable, Value

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Standing", "Summary", "TableSummary", "summarise"]

Row = Mapping[str, Any]
Point = tuple[float, float]

TABLE_COLUMNS = (
    *("source", "part", "rows", "size", "attributes", "decisions", "subtables", "edges", "graph_mib", "build_seconds"),
    *(f"least_{cost}" for cost in COSTS),
    *("status", "error"),
)
SET_COLUMNS = ("source", "part", "alpha", "optimal_for", "trees", *COSTS, "status", "error")
FRONT_COLUMNS = ("source", "part", "cost_x", "cost_y", "x", "y", "status", "error")
HEURISTIC_COLUMNS = (
    *("source", "part", "impurity_type", "uncertainty", *COSTS),
    *(f"excess_{cost}" for cost in COSTS),
    *("fronts", "fronts_met", "status", "error"),
)


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
    """A decision table: its graph, its minima, sets of its trees by the costs they are optimal for, fronts by costs."""

    graph: Row
    exact: Row
    tree_sets: Sequence[Row]
    fronts: Mapping[tuple[str, str], Sequence[Point]]
    standings: Sequence[Standing]

    @property
    def name(self) -> str:
        """Its source, and its part where that is not the whole."""
        part = self.graph["part"]
        return str(self.graph["source"]) + ("" if part == "all" else f" ({part})")

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
            best = min(table.standings, key=lambda standing: standing.excess["nodes"])
            shown.add_row(
                *(table.name, _count(graph["rows"]), _count(graph["nodes"])),
                *(f"{exact['average_depth']:.3f}", _count(exact["depth"]), _count(exact["nodes"])),
                *(_number(table.trees("nodes")), f"{best.heuristic} +{100 * best.excess['nodes']:.1f} %"),
            )
        legend = (
            "rows: after equal ones were merged; depth and nodes: the least of each; nearest: the heuristic of fewest "
            "nodes. Sets of optimal trees, alpha-decision trees and fronts are in tree_sets.csv and fronts.csv."
        )
        lines = [f"{table.name}: {table.exact['error']}" for table in self.found if table.exact["error"]]
        return [shown, Text(legend, style="dim"), *(Text(line, style="red") for line in lines)]


def summarise(parts: Mapping[str, Sequence[Part]], heuristics: Sequence[str], folder: Path) -> Summary:
    """Summarise into folder: `tables`, `tree_sets`, `heuristics`, `fronts` (.csv, .md), and the figure `uci_exact`."""
    rows = {name: [row for part in parts[name] for row in read(part).to_pylist()] for name in parts}
    found = _found(rows, heuristics)
    documents = (_tables(found), _tree_sets(rows["tree_sets"]), _heuristics(found), _fronts(rows["fronts"]))
    for document in documents:
        document.write(folder)
    from pipeline.summaries.uci_exact_figure import draw

    return Summary(found, documents, draw(found, folder))


def _found(rows: Mapping[str, Sequence[Row]], heuristics: Sequence[str]) -> tuple[TableSummary, ...]:
    cells = len(heuristics) + 1
    found = []
    for place, graph in enumerate(rows["graphs"]):
        *greedy, exact = rows[RESULTS_TABLE][place * cells : (place + 1) * cells]
        called = (graph["source"], graph["part"])
        sets = [row for row in rows["tree_sets"] if (row["source"], row["part"]) == called]
        fronts: dict[tuple[str, str], list[Point]] = {}
        for row in rows["fronts"]:
            if (row["source"], row["part"]) == called and row["status"] == "ok":
                fronts.setdefault((row["cost_x"], row["cost_y"]), []).append((row["x"], row["y"]))
        standings = [_standing(name, row, exact, fronts) for name, row in zip(heuristics, greedy, strict=True)]
        found.append(TableSummary(graph, exact, sets, fronts, standings))
    return tuple(found)


def _standing(name: str, row: Row, exact: Row, fronts: Mapping[tuple[str, str], Sequence[Point]]) -> Standing:
    if exact["status"] != "ok" or row["status"] != "ok":
        return Standing(name, row, {}, 0)
    excess = {cost: (row[cost] - exact[cost]) / exact[cost] if exact[cost] else 0.0 for cost in COSTS}
    met = sum((row[x], row[y]) in points for (x, y), points in fronts.items())
    return Standing(name, row, excess, met)


def _tables(found: Sequence[TableSummary]) -> SummaryTable:
    rows = [
        (
            *(table.graph[name] for name in ("source", "part", "rows", "size", "attributes", "decisions")),
            *(table.graph["nodes"], table.graph["edges"]),
            None if table.graph["graph_bytes"] is None else table.graph["graph_bytes"] / 2**20,
            table.graph["build_seconds"],
            *(table.exact[cost] for cost in COSTS),
            *(table.exact["status"], table.exact["error"]),
        )
        for table in found
    ]
    note = (
        f"n = {len(found)} decision tables. Subtables and edges are those of the graph of separable subtables; each "
        "cost is minimised alone. Seconds are for the graph and all five minima, on one core."
    )
    return SummaryTable("tables", "Exact minima of decision tables", TABLE_COLUMNS, rows, note)


def _tree_sets(rows: Sequence[Row]) -> SummaryTable:
    note = (
        "trees: how many the set has. The costs are the least of any tree of the set, each alone. optimal_for: the "
        "costs the trees are optimal for, one after another; empty: all trees. alpha: a subtable is terminal if it has "
        "at most this share of the table's pairs of rows with different decisions."
    )
    return SummaryTable("tree_sets", "Sets of decision trees", SET_COLUMNS, _picked(rows, SET_COLUMNS), note)


def _fronts(rows: Sequence[Row]) -> SummaryTable:
    note = "A row is a pair of costs that some tree has and no tree betters; fronts are exact."
    return SummaryTable("fronts", "Pareto fronts of two costs", FRONT_COLUMNS, _picked(rows, FRONT_COLUMNS), note)


def _heuristics(found: Sequence[TableSummary]) -> SummaryTable:
    rows = [
        (
            *(table.graph["source"], table.graph["part"], *standing.heuristic.split("/")),
            *(standing.row[cost] for cost in COSTS),
            *(standing.excess.get(cost) for cost in COSTS),
            *(len(table.fronts), standing.fronts_met if standing.excess else None),
            *(standing.row["status"], standing.row["error"]),
        )
        for table in found
        for standing in table.standings
    ]
    pairs = len(list(combinations(COSTS, 2)))
    note = (
        f"excess: (cost - minimum) / minimum, 0 where the minimum is 0. fronts: of the {pairs} pairs of costs those "
        "whose Pareto front was found; fronts_met: on how many of them the tree is, that is, no tree betters it."
    )
    return SummaryTable("heuristics", "Greedy trees beside the exact ones", HEURISTIC_COLUMNS, rows, note)


def _picked(rows: Sequence[Row], columns: Sequence[str]) -> list[tuple[Value, ...]]:
    return [tuple(row[name] for name in columns) for row in rows]


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


def _number(digits: str) -> str:
    """A number of any size in few letters."""
    if not digits:
        return ""
    return f"{int(digits):,}" if len(digits) < 10 else f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"
