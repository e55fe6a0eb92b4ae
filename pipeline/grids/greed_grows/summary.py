"""The summary of greedy heuristics on random tables of one shape after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from pipeline.errors import OrchardError
from pipeline.grammar.costs import COSTS, SHORT_NAMES
from pipeline.grammar.findings import listed
from pipeline.grammar.notable_trees import greedy, least
from pipeline.grammar.sample_moments import CostMoments, mean_excess_question, moments_of_samples
from pipeline.grid import NotableTree
from pipeline.grids.greedy_vs_dp.comparison import best_two
from pipeline.screen import counted, out_of
from pipeline.summary.statistics import Estimate
from pipeline.summary.tables import SummaryTable, Value

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.console import RenderableType

__all__ = ["Gap", "Summary", "summarise", "tables_each"]

ROOMY_WIDTH = 112  # columns from which on a cell is one line

Sources = Mapping[str, Sequence[tuple[int, str]]]
"""By dimension, each size with the source whose tables have it."""

COLUMNS = (
    *("dimension", "size", "source", "impurity_type", "uncertainty", "cost_function", "tables"),
    *("mean_relative_difference", "standard_error", "low", "high"),
)
OF_ITS_SHAPE = mean_excess_question("where source = {source}")
TOLD = "nodes"
"""The cost of which the finding tells."""


@dataclass(frozen=True)
class Gap:
    """The mean relative difference of a heuristic in a cost, on tables of which one dimension has a size.

    level_with_next : of the least, whether the 95 % interval of the paired gap to the next does not clear zero
    """

    dimension: str
    size: int
    source: str
    heuristic: str
    cost_function: str
    estimate: Estimate
    level_with_next: bool = False


@dataclass(frozen=True)
class Summary:
    """What was found: every gap, the least of each size and cost, and what was written.

    first : of each source the number of its first decision table summarised
    lost  : the sources of which no decision table is finished
    """

    gaps: tuple[Gap, ...]
    best: tuple[Gap, ...]
    first: Mapping[str, int]
    left_out: int
    lost: tuple[str, ...]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]

    @property
    def worked(self) -> bool:
        """Always: without a finished table there is no summary."""
        return bool(self.gaps)

    @property
    def finding(self) -> str:
        """How the least excess moves with each dimension, and which heuristic has it on most shapes."""
        told = [gap for gap in self.best if gap.cost_function == TOLD]
        by_dimension = {gap.dimension: [one for one in told if one.dimension == gap.dimension] for gap in told}
        moves = [
            f"from {_percent(gaps[0])} to {_percent(gaps[-1])} as {name} grow from {gaps[0].size} to {gaps[-1].size}"
            for name, gaps in by_dimension.items()
            if len(gaps) > 1
        ]
        nearest = {gap.source: gap.heuristic for gap in told}
        (name, shapes), *_ = Counter(nearest.values()).most_common(1)
        found = f"goes {listed(moves)}" if moves else f"is {_percent(told[0])} on {told[0].size} {told[0].dimension}"
        return (
            f"The best heuristic's mean excess in {TOLD} over the exact minimum {found}; "
            f"{name} has the least on {out_of(shapes, len(nearest), 'shape')}."
        )

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """Of a table of the first shape, the trees of the heuristics nearest to and furthest from the minimum."""
        source = self.gaps[0].source
        means = {
            gap.heuristic: gap.estimate.mean for gap in self.gaps if (gap.source, gap.cost_function) == (source, TOLD)
        }
        table = {"source": source, "group": 1, "table_index": self.first[source]}
        name = f"table {self.first[source]} of {source}"
        nearest, furthest = min(means, key=lambda one: means[one]), max(means, key=lambda one: means[one])
        grown = {furthest: f"most {TOLD} on average", nearest: f"fewest {TOLD} on average"}  # one where they are one
        return (
            *(NotableTree(f"{name} by {one}, of {said}", table | greedy(one)) for one, said in grown.items()),
            NotableTree(f"{name}, a tree of fewest {TOLD}", table | least(TOLD)),
        )

    def screen(self, width: int) -> list[RenderableType]:
        """The least gap of each size and cost, and whose it is."""
        table = Table(title="Least mean excess over the exact minimum, %, and the heuristic that has it", box=None)
        table.title_justify, table.padding, table.pad_edge = "left", (0, 1, 0, 0), False
        table.add_column("tables of", no_wrap=True)
        for cost in COSTS:
            table.add_column(SHORT_NAMES[cost], no_wrap=True)
        rows = [self.best[place : place + len(COSTS)] for place in range(0, len(self.best), len(COSTS))]
        for row, following in zip(rows, [*rows[1:], rows[0]], strict=True):
            between = " " if width >= ROOMY_WIDTH else "\n"
            cells = [f"{100 * gap.estimate.mean:5.2f}{between}{gap.heuristic}{_level(gap)}" for gap in row]
            table.add_row(f"{row[0].size} {row[0].dimension}", *cells)
            if row[0].dimension != following[0].dimension:
                table.add_row()
        return [
            table,
            Text("*: not told apart from the next, by the 95 % interval of their paired difference", style="dim"),
            Text(self.finding),
            *([Text(_left_out(self.left_out, self.lost))] if self.left_out else []),
        ]


def summarise(parts: Iterable[pa.Table], heuristics: Sequence[str], sources: Sources, folder: Path) -> Summary:
    """Summarise into folder: `gaps` and `best` (.csv and .md), and the figure `greed_grows`.

    Parameters
    ----------
    parts : rows of whole decision tables, as `grid_rows.excess` takes them, with their source
    heuristics : some of the 16, in canonical order
    sources : by dimension, each size with the source whose tables have it

    Raises
    ------
    OrchardError
        No size has a finished decision table.
    """
    samples = moments_of_samples(parts, heuristics, "source")
    moments, left_out = samples.moments, samples.left_out
    gaps: list[Gap] = []
    best: list[Gap] = []
    for dimension, sizes in sources.items():
        for size, source in sizes:
            if source not in moments:
                continue
            gaps += _gaps(dimension, size, source, heuristics, moments[source])
            for row in best_two(moments[source], heuristics, {}):
                if row.position == 1:
                    named = (row.heuristic, row.cost_function, row.estimate, row.level_with_next)
                    best.append(Gap(dimension, size, source, *named))
    if not gaps:
        msg = f"no decision table to summarise: {left_out} left out for rows that are not ok; their error says why"
        raise OrchardError(msg)
    lost = tuple(dict.fromkeys(source for sizes in sources.values() for _, source in sizes if source not in moments))
    note = (
        f"n = {counted(len(moments), 'shape')} of {tables_each(gaps)} decision tables"
        f"{f'; {_left_out(left_out, lost)}' if left_out else ''}. Relative differences (greedy - "
        "minimum) / minimum; intervals (low, high) are 95 %, normal. Nothing is printed to compare with."
    )
    documents = tuple(
        SummaryTable(name, f"{title}, by the shape of the tables", COLUMNS, _rows(found), note, OF_ITS_SHAPE)
        for name, title, found in (
            ("gaps", "Greedy against the exact minimum", gaps),
            ("best", "The heuristic nearest to the minimum", best),
        )
    )
    for document in documents:
        document.write(folder)
    from pipeline.grids.greed_grows.figure import draw

    return Summary(tuple(gaps), tuple(best), samples.first, left_out, lost, documents, draw(gaps, folder))


def tables_each(gaps: Sequence[Gap]) -> str:
    """How many decision tables a mean is of."""
    counts = {gap.estimate.n for gap in gaps}
    return f"{min(counts):,}" + (f" to {max(counts):,}" if len(counts) > 1 else "")


def _left_out(tables: int, lost: Sequence[str]) -> str:
    """How many tables are left out, and of which shapes these are all."""
    every = f", among them all of {listed(lost)}" if lost else ""
    return f"{counted(tables, 'table')} left out for rows that are not ok{every}"


def _gaps(dimension: str, size: int, source: str, heuristics: Sequence[str], moments: CostMoments) -> list[Gap]:
    return [
        Gap(dimension, size, source, heuristic, cost, moments[cost].estimate(column))
        for cost in COSTS
        for column, heuristic in enumerate(heuristics)
    ]


def _percent(gap: Gap) -> str:
    return f"{100 * gap.estimate.mean:.1f} %"


def _level(gap: Gap) -> str:
    return "*" if gap.level_with_next else ""


def _rows(gaps: Iterable[Gap]) -> list[tuple[Value, ...]]:
    return [
        (
            gap.dimension,
            gap.size,
            gap.source,
            *gap.heuristic.split("/"),
            gap.cost_function,
            gap.estimate.n,
            *(gap.estimate.mean, gap.estimate.standard_error, gap.estimate.low, gap.estimate.high),
        )
        for gap in gaps
    ]
