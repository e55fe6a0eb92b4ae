"""The tables of exact trees of real tables, each with the question that answers its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from pipeline.grammar.excess import COSTS
from pipeline.grammar.questions import WHERE_ITS_SOURCE, excess_over
from pipeline.screen import counted
from pipeline.summary.tables import SummaryTable, Value

if TYPE_CHECKING:
    from pipeline.grids.uci_exact.summary import TableSummary

__all__ = ["fronts_table", "heuristics_table", "tables_table", "tree_sets_table"]

Row = Mapping[str, Any]

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

GRAPH_AND_MINIMA = (
    "select graphs.rows, size, attributes, decisions, graphs.nodes as subtables, edges, "
    "graph_bytes / 1048576 as graph_mib, graphs.build_seconds, "
    f"{', '.join(f'results.{cost} as least_{cost}' for cost in COSTS)}, results.status, results.error "
    f"from graphs join results using (source, part) {WHERE_ITS_SOURCE} and builder = 'exact'"
)
TREE_SET = (
    f"select trees, log10_trees, {', '.join(COSTS)}, status, error from tree_sets "
    f"{WHERE_ITS_SOURCE} and alpha = {{alpha}} and optimal_for = {{optimal_for}}"
)
FRONT = (
    f"select x, y, status, error from fronts {WHERE_ITS_SOURCE} and cost_x = {{cost_x}} and cost_y = {{cost_y}} "
    "order by x"
)


def _cost_named(column: str) -> str:
    """SQL of the cost of a row of `own` that a column names."""
    return f"case {column} {' '.join(f'when {cost!r} then own.{cost}' for cost in COSTS)} end"


def _excess(cost: str) -> str:
    """SQL of how far a cost of `own` is above that of `least`."""
    return f"{excess_over(f'least.{cost}', f'own.{cost}')} as excess_{cost}"


HEURISTIC = (
    f"with own as (select * from results {WHERE_ITS_SOURCE} and impurity_type = {{impurity_type}} "
    f"and uncertainty = {{uncertainty}}), least as (select * from results {WHERE_ITS_SOURCE} and builder = 'exact'), "
    f"points as (select * from fronts {WHERE_ITS_SOURCE} and status = 'ok') "
    f"select {', '.join(f'own.{cost}' for cost in COSTS)}, "
    f"{', '.join(map(_excess, COSTS))}, "
    "(select count(distinct (cost_x, cost_y)) from points) as fronts, if(own.status = 'ok' and least.status = 'ok', "
    f"(select count(*) from points where x = {_cost_named('cost_x')} and y = {_cost_named('cost_y')}), null) "
    "as fronts_met, own.status, own.error from own, least"
)


def tables_table(found: Sequence[TableSummary]) -> SummaryTable:
    """A row for each decision table: its graph and its minima."""
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
        f"n = {counted(len(found), 'decision table')}. Subtables and edges are those of the graph of separable "
        "subtables; each cost is minimised alone. Seconds are for the graph and all five minima, on one core."
    )
    return SummaryTable("tables", "Exact minima of decision tables", TABLE_COLUMNS, rows, note, GRAPH_AND_MINIMA)


def tree_sets_table(rows: Sequence[Row]) -> SummaryTable:
    """A row for each set of trees of each table."""
    note = (
        "trees: how many the set has. The costs are the least of any tree of the set, each alone. optimal_for: the "
        "costs the trees are optimal for, one after another; empty: all trees. alpha: a subtable is terminal if it has "
        "at most this share of the table's pairs of rows with different decisions."
    )
    return SummaryTable("tree_sets", "Sets of decision trees", SET_COLUMNS, _picked(rows, SET_COLUMNS), note, TREE_SET)


def fronts_table(rows: Sequence[Row]) -> SummaryTable:
    """A row for each point of each front."""
    note = "A row is a pair of costs that some tree has and no tree betters; fronts are exact."
    exact = [{**row, **{axis: _counted(row[f"cost_{axis}"], row[axis]) for axis in "xy"}} for row in rows]
    return SummaryTable(
        "fronts", "Pareto fronts of two costs", FRONT_COLUMNS, _picked(exact, FRONT_COLUMNS), note, FRONT
    )


def heuristics_table(found: Sequence[TableSummary]) -> SummaryTable:
    """A row for each heuristic on each table."""
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
    return SummaryTable("heuristics", "Greedy trees beside the exact ones", HEURISTIC_COLUMNS, rows, note, HEURISTIC)


def _counted(cost: str, value: float | None) -> Value:
    """A cost as it is counted: all but the average depth are whole numbers."""
    return value if value is None or cost == "average_depth" else int(value)


def _picked(rows: Sequence[Row], columns: Sequence[str]) -> list[tuple[Value, ...]]:
    return [tuple(row[name] for name in columns) for row in rows]
