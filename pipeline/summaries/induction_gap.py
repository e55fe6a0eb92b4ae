"""The summary of trees beside exact minima on real tables: gaps table by table, and their means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from pipeline.grids.base import RESULTS_TABLE
from pipeline.storage.parts import Part, read
from pipeline.summaries.grid_rows import COSTS, SHORT_NAMES
from pipeline.summaries.statistics import Estimate, PairedMoments
from pipeline.summaries.tables import SummaryTable, Value

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Gap", "Summary", "TableGaps", "gaps_of", "summarise", "tables_of"]

Row = Mapping[str, Any]

NEGLIGIBLE = 1e-12
"""Relative difference of average depths that is rounding."""

TABLE_COLUMNS = (
    *("source", "part", "rows", "builder"),
    *COSTS,
    *(f"excess_{cost}" for cost in COSTS),
    *("status", "error"),
)
MEAN_COLUMNS = ("builder", "cost", "n", "mean_excess", "low", "high", "worst", "worst_on", "minima_met")


@dataclass(frozen=True)
class TableGaps:
    """A decision table: its minima, and the costs of each builder's tree.

    exact : the row of the minima
    costs : by builder its row; of the heuristics, together, also the least that any of them has in each cost
    """

    title: str
    exact: Row
    costs: Mapping[str, Row]

    def excess(self, builder: str, cost: str) -> float | None:
        """(cost - minimum) / minimum, 0 where both are 0; None where one of the two is not known."""
        row = self.costs[builder]
        if row["status"] != "ok" or self.exact["status"] != "ok":
            return None
        least, found = float(self.exact[cost]), float(row[cost])
        if abs(found - least) <= NEGLIGIBLE * least:
            return 0.0
        return (found - least) / least if least else None


@dataclass(frozen=True)
class Gap:
    """How far a builder is from the minima of a cost, over the tables where both are known.

    estimate : mean excess
    excess   : that of each table, by its title
    """

    builder: str
    cost: str
    estimate: Estimate
    excess: Mapping[str, float]

    @property
    def worst(self) -> tuple[float, str]:
        """The greatest excess and its table, the first of several."""
        table = max(self.excess, key=lambda name: self.excess[name])
        return self.excess[table], table

    @property
    def met(self) -> int:
        """Tables on which the cost is the minimum, or less, as tests with two branches can have it."""
        return sum(found <= 0 for found in self.excess.values())


@dataclass(frozen=True)
class Summary:
    """The gaps and what was written of them."""

    tables: tuple[TableGaps, ...]
    gaps: tuple[Gap, ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]

    @property
    def worked(self) -> bool:
        """Whether any builder stood beside a minimum."""
        return bool(self.gaps)

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """Mean excess, a line a builder; then what failed."""
        shown = Table(
            title="Mean excess over the exact minimum, %", title_justify="left", box=None, padding=(0, 2, 0, 0)
        )
        shown.add_column("")
        for cost in COSTS:
            shown.add_column(SHORT_NAMES[cost], justify="right", no_wrap=True)
        by_cell = {(gap.builder, gap.cost): gap for gap in self.gaps}
        heuristics = {name for table in self.tables for name in table.costs if table.costs[name]["builder"] == "greedy"}
        for builder in dict.fromkeys(gap.builder for gap in self.gaps if gap.builder not in heuristics):
            cells = [by_cell.get((builder, cost)) for cost in COSTS]
            shown.add_row(Text(builder), *("" if cell is None else f"{100 * cell.estimate.mean:.1f}" for cell in cells))
        exact = sum(table.exact["status"] == "ok" for table in self.tables)
        legend = Text(
            f"n = {exact} tables; below 0: two branches a test may need fewer nodes than a branch for each value; "
            "each heuristic by itself is in induction_gap.csv",
            style="dim",
        )
        failed = [
            Text(f"{row['builder']} on {table.title}: {row['status']}: {row['error']}", style="red")
            for table in self.tables
            for row in (table.exact, *table.costs.values())
            if row["status"] != "ok"
        ]
        return [shown, legend, *failed]


def summarise(parts: Mapping[str, Sequence[Part]], folder: Path) -> Summary:
    """Write `induction_gap` and `induction_gap_tables` (.csv, .md), and the figure `induction_gap`, into folder."""
    found = tables_of(row for part in parts[RESULTS_TABLE] for row in read(part).to_pylist())
    gaps = gaps_of(found)
    documents = (_means(gaps), _tables(found))
    for document in documents:
        document.write(folder)
    from pipeline.summaries.induction_gap_figure import draw

    return Summary(found, gaps, documents, draw(gaps, folder))


def tables_of(rows: Iterable[Row]) -> tuple[TableGaps, ...]:
    """The decision tables of result rows, each ending in its exact row."""
    found: list[TableGaps] = []
    costs: dict[str, Row] = {}
    for row in rows:
        if row["builder"] != "exact":
            greedy = row["builder"] == "greedy"
            costs[f"{row['impurity_type']}/{row['uncertainty']}" if greedy else row["builder"]] = row
            continue
        title = row["source"] if row["part"] == "all" else f"{row['source']} ({row['part']})"
        found.append(TableGaps(title, row, _with_best(costs)))
        costs = {}
    return tuple(found)


def gaps_of(tables: Sequence[TableGaps]) -> tuple[Gap, ...]:
    """The gaps of each builder in each cost that has any, in the order of the rows."""
    gaps = []
    for builder in dict.fromkeys(name for table in tables for name in table.costs):
        for cost in COSTS:
            excess = {
                table.title: found
                for table in tables
                if builder in table.costs and (found := table.excess(builder, cost)) is not None
            }
            if excess:
                values = np.array([[value] for value in excess.values()])
                gaps.append(Gap(builder, cost, PairedMoments.of(values).estimate(0), excess))
    return tuple(gaps)


def _with_best(costs: Mapping[str, Row]) -> dict[str, Row]:
    """The rows, with one more of the least that the heuristics have in each cost; what failed is not among them."""
    greedy = {name: row for name, row in costs.items() if row["builder"] == "greedy"}
    worked = [row for row in greedy.values() if row["status"] == "ok"]
    if not worked:
        return dict(costs)
    name = f"best of {len(greedy)} heuristics"
    best = dict(worked[0]) | {cost: min(row[cost] for row in worked) for cost in COSTS} | {"builder": name}
    others = {other: row for other, row in costs.items() if other not in greedy}
    return {**greedy, name: best, **others}


def _means(gaps: Sequence[Gap]) -> SummaryTable:
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
        "has, chosen anew for each table and cost."
    )
    return SummaryTable("induction_gap", "Unpruned trees above the exact minima", MEAN_COLUMNS, rows, note)


def _tables(tables: Sequence[TableGaps]) -> SummaryTable:
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
        f"n = {len(tables)} decision tables; rows: after equal ones were merged. exact: the least of each cost, alone."
    )
    return SummaryTable("induction_gap_tables", "Unpruned trees beside the exact minima", TABLE_COLUMNS, rows, note)
