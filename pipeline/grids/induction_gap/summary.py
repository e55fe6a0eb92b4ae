"""The summary of trees beside exact minima on real tables: gaps table by table, and their means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from pipeline.grammar.excess import COSTS, SHORT_NAMES
from pipeline.grammar.findings import above, level, listed
from pipeline.grammar.notable_trees import called, drawable, least
from pipeline.grid import RESULTS_TABLE, NotableTree
from pipeline.grids.induction_gap.tables import BEST_OF, NEGLIGIBLE, mean_table, table_table
from pipeline.screen import counted
from pipeline.storage.parts import Part, read
from pipeline.summary.statistics import Estimate, PairedMoments
from pipeline.summary.tables import SummaryTable

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Gap", "Summary", "TableGaps", "gaps_of", "summarise", "tables_of"]

Row = Mapping[str, Any]


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

    @property
    def finding(self) -> str:
        """Whose trees have the least of each cost, among those known on most tables, and how far that is from it."""
        grown = [gap for gap in self.gaps if _grows(gap.builder)]
        if not grown:
            return "No tree stands beside an exact minimum: none of the minima is known, or every builder failed."
        most = max(gap.estimate.n for gap in grown)
        found: dict[str, list[str]] = {}
        for cost in COSTS:
            own = [gap for gap in grown if (gap.cost, gap.estimate.n) == (cost, most)]
            if own:
                lowest = min(gap.estimate.mean for gap in own)
                names = level([gap.builder for gap in own if gap.estimate.mean == lowest])
                found.setdefault(names, []).append(f"{cost.replace('_', ' ')} ({above(lowest)})")
        said = "; ".join(f"{names} in {listed(costs)}" for names, costs in found.items())
        return (
            f"Of unpruned trees on {counted(most, 'table')} the lowest, beside the exact minima of trees with a branch "
            f"for each value, are on average {said}."
        )

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """Of the table where drawable trees differ most in nodes, one of fewest, and the smallest and largest grown."""
        pairs = []
        for table in self.tables:
            grown = [
                (excess, row)
                for name, row in table.costs.items()
                if _grows(name) and drawable(row) and (excess := table.excess(name, "nodes")) is not None
            ]
            if grown and drawable(table.exact):
                ends = min(grown, key=lambda one: one[0]), max(grown, key=lambda one: one[0])
                pairs.append((ends[1][1]["nodes"] - ends[0][1]["nodes"], table, ends))
        if not pairs:
            return ()
        apart, table, ends = max(pairs, key=lambda one: one[0])
        return (
            NotableTree(f"{table.title}, a tree of fewest nodes", called(table.exact) | least("nodes")),
            *(
                NotableTree(f"{table.title} by {name_of(row)}, nodes {above(excess)}", called(row))
                for excess, row in (ends if apart else ends[:1])
            ),
        )

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """Mean excess, a line a builder; then whose is least, and what failed."""
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
            f"n = {counted(exact, 'table')}; below 0: two branches a test may need fewer nodes than a branch for "
            "each value; each heuristic by itself is in induction_gap.csv",
            style="dim",
        )
        failed = [
            Text(f"{row['builder']} on {table.title}: {row['status']}: {row['error']}", style="red")
            for table in self.tables
            for row in (table.exact, *table.costs.values())
            if row["status"] != "ok"
        ]
        return [shown, legend, Text(self.finding), *failed]


def summarise(parts: Mapping[str, Sequence[Part]], folder: Path) -> Summary:
    """Write `induction_gap` and `induction_gap_tables` (.csv, .md), and the figure `induction_gap`, into folder."""
    found = tables_of(row for part in parts[RESULTS_TABLE] for row in read(part).to_pylist())
    gaps = gaps_of(found)
    documents = (mean_table(gaps), table_table(found))
    for document in documents:
        document.write(folder)
    from pipeline.grids.induction_gap.figure import draw

    return Summary(found, gaps, documents, draw(gaps, folder))


def tables_of(rows: Iterable[Row]) -> tuple[TableGaps, ...]:
    """The decision tables of result rows, each ending in its exact row."""
    found: list[TableGaps] = []
    costs: dict[str, Row] = {}
    for row in rows:
        if row["builder"] != "exact":
            costs[name_of(row)] = row
            continue
        title = row["source"] if row["part"] == "all" else f"{row['source']} ({row['part']})"
        found.append(TableGaps(title, row, _with_best(costs)))
        costs = {}
    return tuple(found)


def name_of(row: Row) -> str:
    """What a builder is called here: a heuristic by its two halves."""
    return f"{row['impurity_type']}/{row['uncertainty']}" if row["builder"] == "greedy" else str(row["builder"])


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


def _grows(builder: str) -> bool:
    """Whether a builder grows a tree, which the best of the heuristics, cost by cost, does not."""
    return not builder.startswith(BEST_OF)


def _with_best(costs: Mapping[str, Row]) -> dict[str, Row]:
    """The rows, with one more of the least that the heuristics have in each cost, if all are known."""
    greedy = {name: row for name, row in costs.items() if row["builder"] == "greedy"}
    rows = list(greedy.values())
    if not rows or any(row["status"] != "ok" for row in rows):
        return dict(costs)
    name = f"{BEST_OF} {len(greedy)} heuristics"
    best = dict(rows[0]) | {cost: min(row[cost] for row in rows) for cost in COSTS} | {"builder": name}
    others = {other: row for other, row in costs.items() if other not in greedy}
    return {**greedy, name: best, **others}
