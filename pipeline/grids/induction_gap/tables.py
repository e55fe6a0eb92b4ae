"""The tables of trees beside exact minima, each with the question that answers its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.grammar.excess import COSTS
from pipeline.grammar.questions import WHERE_ITS_SOURCE, mean_with_interval
from pipeline.screen import counted
from pipeline.summary.tables import SummaryTable, Value

if TYPE_CHECKING:
    from pipeline.grids.induction_gap.summary import Gap, TableGaps

__all__ = ["BEST_OF", "NEGLIGIBLE", "mean_table", "table_table"]

BEST_OF = "best of"
"""How the name begins of the least that heuristics have, chosen anew for each table and cost."""

NEGLIGIBLE = 1e-12
"""Relative difference of average depths that is rounding."""

TABLE_COLUMNS = (
    *("source", "part", "rows", "builder"),
    *COSTS,
    *(f"excess_{cost}" for cost in COSTS),
    *("status", "error"),
)
MEAN_COLUMNS = ("builder", "cost", "n", "mean_excess", "low", "high", "worst", "worst_on", "minima_met")


def _excess(cost: str, least: str) -> str:
    """SQL of how far a cost is above its minimum: 0 where they are one but for rounding, null above a minimum of 0."""
    return f"if(abs({cost} - {least}) <= {NEGLIGIBLE!r} * {least}, 0, ({cost} - {least}) / nullif({least}, 0))"


def _best(columns: str) -> str:
    """SQL of a table's rows, and one more of the least that the heuristics have in each cost."""
    costs = ", ".join(f"min({cost}) as {cost}" for cost in COSTS)
    return (
        "trees as (select source, part, rows, if(builder = 'greedy', impurity_type || '/' || uncertainty, builder) "
        f"as builder, {', '.join(COSTS)}, status, error from results {columns} union all by name select source, part, "
        f"any_value(rows) as rows, '{BEST_OF} ' || count(*) || ' heuristics' as builder, {costs}, 'ok' as status, "
        f"null as error from results {columns or 'where true'} and builder = 'greedy' group by source, part "
        "having bool_and(status = 'ok'))"
    )


MEAN = (
    f"with {_best('')}, gaps as (select if(own.part = 'all', source, source || ' (' || own.part || ')') as title, "
    f"{_excess('own.{cost:name}', 'least.{cost:name}')} as excess from trees own join trees least using (source, part) "
    "where own.builder = {builder} and least.builder = 'exact' and own.status = 'ok' and least.status = 'ok') "
    f"select count(excess) as n, {mean_with_interval('excess', 'mean_excess')}, max(excess) as worst, "
    "count(*) filter (where excess <= 0) as minima_met from gaps"
)
TABLE = (
    f"with {_best(WHERE_ITS_SOURCE)}, least as (select * from trees where builder = 'exact') "
    f"select own.rows, {', '.join(f'own.{cost}' for cost in COSTS)}, "
    + ", ".join(
        "if(own.status <> 'ok' or least.status <> 'ok', null, "
        + _excess(f"own.{cost}", f"least.{cost}")
        + f") as excess_{cost}"
        for cost in COSTS
    )
    + ", own.status, own.error from trees own, least where own.builder = {builder}"
)


def mean_table(gaps: Sequence[Gap]) -> SummaryTable:
    """A row for each builder and cost: its excess over the tables."""
    rows: list[tuple[Value, ...]] = [
        (
            *(gap.builder, gap.cost, gap.estimate.n, gap.estimate.mean, gap.estimate.low, gap.estimate.high),
            *(*gap.worst, gap.met),
        )
        for gap in gaps
    ]
    note = (
        "excess: (cost - minimum) / minimum, each cost's minimum over all trees for the table, found alone. n: tables; "
        "low to high: 95 % normal interval of the mean over them, which are no random sample. minima_met: tables on "
        "which the cost is the minimum or below. Every tree and every minimum is of the same merged table, each row "
        "counting as often as it stands for. The minima are over trees that have a branch for each value; CART's tests "
        "have two branches, so that it can have fewer nodes than that. best of heuristics: the least that any of them "
        "has, chosen anew for each table and cost, on tables where none of them is lost."
    )
    return SummaryTable("induction_gap", "Unpruned trees above the exact minima", MEAN_COLUMNS, rows, note, MEAN)


def table_table(tables: Sequence[TableGaps]) -> SummaryTable:
    """A row for each builder, and the exact minima, on each table."""
    rows: list[tuple[Value, ...]] = []
    for table in tables:
        for name, row in (*table.costs.items(), ("exact", table.exact)):
            excess = [0.0 if name == "exact" else table.excess(name, cost) for cost in COSTS]
            rows.append(
                (
                    *(row["source"], row["part"], row["rows"], name),
                    *(row[cost] for cost in COSTS),
                    *(excess if row["status"] == "ok" else [None] * len(COSTS)),
                    *(row["status"], row["error"]),
                )
            )
    note = (
        f"n = {counted(len(tables), 'decision table')}; rows: after equal ones were merged. exact: the least of each "
        "cost, alone."
    )
    return SummaryTable(
        "induction_gap_tables", "Unpruned trees beside the exact minima", TABLE_COLUMNS, rows, note, TABLE
    )
