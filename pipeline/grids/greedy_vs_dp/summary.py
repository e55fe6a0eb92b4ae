"""The summary of the grid experiment: greedy heuristics against exact minima, beside the paper's Tables 1 to 5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import OrchardError
from pipeline.grammar.costs import COSTS
from pipeline.grammar.findings import agreement, listed
from pipeline.grammar.notable_trees import greedy, least
from pipeline.grammar.sample_moments import CostMoments, mean_excess_question, moments_of_samples
from pipeline.grid import NotableTree
from pipeline.grids.greedy_vs_dp import comparison, printed_values
from pipeline.grids.greedy_vs_dp.comparison import TOLERANCE, Best, Cell
from pipeline.screen import counted
from pipeline.summary.statistics import PairedMoments, critical_z
from pipeline.summary.tables import SummaryTable, Value
from pipeline.summary.verdicts import rule

if TYPE_CHECKING:
    import pyarrow as pa
    from rich.console import RenderableType

__all__ = ["Summary", "summarise"]

CELL_COLUMNS = (
    *("impurity_type", "uncertainty", "cost_function", "tables", "mean_relative_difference"),
    *("standard_error", "low", "high", "printed", "z", "tolerance", "verdict"),
)
BEST_COLUMNS = (
    *("cost_function", "position", "impurity_type", "uncertainty", "tables", "mean_relative_difference"),
    *("standard_error", "low", "high", "gap_to_next", "gap_standard_error", "printed", "verdict"),
)

OF_A_GROUP = 'where "group" = {group}'


@dataclass(frozen=True)
class LeftOut:
    """What is not summarised: decision tables for a row that is not ok, and heuristics that have no row that is."""

    tables: int
    heuristics: tuple[str, ...] = ()

    def __str__(self) -> str:
        """In words; empty where there is nothing."""
        tables = f"{counted(self.tables, 'table')} left out for rows that are not ok" if self.tables else ""
        heuristics = f"lost on every table: {listed(self.heuristics)}" if self.heuristics else ""
        return "; ".join(filter(None, (tables, heuristics)))


@dataclass(frozen=True)
class Summary:
    """What the grid experiment found.

    cells, pooled : the mean of each heuristic in each cost, by group and over all groups
    best          : the best two heuristics of each cost
    tables        : decision tables summarised
    left_out      : decision tables and heuristics left out
    first         : group and number of the first decision table summarised
    documents     : the summary tables written
    figures       : paths of the figures written
    """

    cells: tuple[Cell, ...]
    pooled: tuple[Cell, ...]
    best: tuple[Best, ...]
    tables: int
    left_out: LeftOut
    first: tuple[int, int]
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]

    @property
    def worked(self) -> bool:
        """Always: without a finished table there is no summary."""
        return self.tables > 0

    @property
    def compared(self) -> int:
        """Cells of Tables 1 to 4 that were compared."""
        return sum(cell.verdict is not None for cell in self.cells)

    @property
    def beyond_two(self) -> int:
        """Compared cells of |z| > 2, of which chance alone puts 4.6 % there."""
        return sum(cell.z is not None and abs(cell.z) > 2 for cell in self.cells)

    @property
    def worst(self) -> Cell | None:
        """The compared cell furthest from its printed value, in standard errors."""
        return max((cell for cell in self.cells if cell.z is not None), key=lambda cell: abs(cell.z or 0), default=None)

    @property
    def worst_z(self) -> float | None:
        """The z of the worst cell, with its sign."""
        return self.worst.z if self.worst else None

    @property
    def finding(self) -> str:
        """How many cells agree with the paper, and which heuristics are lost on every table."""
        lost = self.left_out.heuristics
        return f"{self._compared} Lost on every table: {listed(lost)}." if lost else self._compared

    @property
    def _compared(self) -> str:
        """How many cells agree with the paper: those of each group, or of all where groups are too small."""
        cells, where = (self.cells, "") if self.compared else (self.pooled, ", the groups together")
        verdicts = [cell.verdict for cell in cells if cell.verdict]
        if not verdicts:
            return f"{self._nearest}. Nothing is compared with the paper: these are other tables, or too few."
        said = f"{agreement(verdicts, 'cell')} (Tables 1–4{where})"
        return f"{said}; {self.table_5}." if self.table_5 else f"{said}."

    @property
    def table_5(self) -> str:
        """How many of the best heuristics agree with the paper; empty where none is compared."""
        verdicts = [row.verdict for row in self.best if row.verdict]
        return f"{agreement(verdicts, 'best heuristic')} (Table 5)" if verdicts else ""

    @property
    def _nearest(self) -> str:
        """Which heuristics are the nearest to the minima."""
        firsts = Counter(row.heuristic for row in self.best if row.position == 1)
        costs = counted(firsts.total(), "cost")
        return "Nearest to the minima: " + listed([f"{name} in {n} of {costs}" for name, n in firsts.most_common()])

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """Of the first table summarised the tree of the heuristic best at nodes, and one of fewest nodes."""
        best = next(row.heuristic for row in self.best if row.cost_function == "nodes" and row.position == 1)
        group, number = self.first
        table = {"group": group, "table_index": number}
        name = f"Table {number} of group {group}"
        return (
            NotableTree(f"{name} by {best}, the heuristic of fewest nodes on average", table | greedy(best)),
            NotableTree(f"{name}, a tree of fewest nodes", table | least("nodes")),
        )

    def screen(self, width: int) -> list[RenderableType]:
        """What to show of it on a terminal of 100 columns."""
        from pipeline.grids.greedy_vs_dp.screen import screen

        return screen(self, width)


def summarise(parts: Iterable[pa.Table], heuristics: Sequence[str], comparable: bool, folder: Path) -> Summary:
    """Summarise the grid experiment into folder: cells, pooled and best_two (.csv and .md), and a figure.

    Parameters
    ----------
    parts : rows of whole decision tables, as `grid_rows.excess` takes them; how they are cut does not change a bit;
        taken again where a heuristic is lost on every table
    heuristics : some of the 16, in canonical order
    comparable : whether only seed, count and number of groups differ from the paper; otherwise nothing is compared

    Raises
    ------
    ValueError
        The heuristics are unknown or out of order, or a part is not as it must be.
    OrchardError
        No decision table is finished.
    """
    _check_heuristics(heuristics)
    samples = moments_of_samples(parts, heuristics)
    lost: tuple[str, ...] = ()
    if 0 < len(samples.lost) < len(heuristics):
        lost = samples.lost
        samples = moments_of_samples(parts, heuristics, lost=lost)
        heuristics = [name for name in heuristics if name not in lost]
    moments, left_out = samples.moments, LeftOut(samples.left_out, lost)
    pooled = _pooled(moments.values(), heuristics)
    tables = pooled[COSTS[0]].n
    if not tables:
        msg = f"no decision table to summarise: {left_out}; their error says why"
        raise OrchardError(msg)
    by_group = printed_values.mean_relative_differences() if comparable else {}
    over_all = printed_values.pooled() if comparable else {}
    cells = comparison.compare(moments.items(), heuristics, by_group, printed_values.GROUP_SIZE)
    over_groups = comparison.compare([(None, pooled)], heuristics, over_all, printed_values.POOLED_SIZE)
    whole = comparable and tuple(heuristics) == printed_values.heuristics()
    best = comparison.best_two(pooled, heuristics, printed_values.best_two() if whole else {})
    documents = (_cells_table(cells, left_out), _pooled_table(over_groups, left_out), _best_table(best, left_out))
    for document in documents:
        document.write(folder)
    figures = _draw(over_groups, best, folder)
    first = next(iter(samples.first.items()))
    return Summary(cells, over_groups, best, tables, left_out, first, documents, figures)


def _draw(pooled: Sequence[Cell], best: Sequence[Best], folder: Path) -> tuple[Path, ...]:
    """Draw the figure; matplotlib is loaded only here."""
    from pipeline.grids.greedy_vs_dp.figure import draw

    return draw(pooled, best, folder)


def _check_heuristics(heuristics: Sequence[str]) -> None:
    """Refuse heuristics that are not some of the 16 in canonical order."""
    known = printed_values.heuristics()
    if not heuristics or [name for name in known if name in heuristics] != list(heuristics):
        msg = f"heuristics are {', '.join(heuristics) or 'none'}: give some of {', '.join(known)}, each once, in order"
        raise ValueError(msg)


def _pooled(by_group: Collection[CostMoments], heuristics: Sequence[str]) -> CostMoments:
    """Moments over all groups, by cost."""
    nothing = PairedMoments.empty(len(heuristics))
    return {cost: reduce(add, (moments[cost] for moments in by_group), nothing) for cost in COSTS}


def _cells_table(cells: Sequence[Cell], left_out: LeftOut) -> SummaryTable:
    """The table of cells by group."""
    groups = len({cell.group for cell in cells})
    title = f"Mean relative difference from the exact minimum, {groups} group{'s' if groups > 1 else ''}"
    rows = [(cell.group, *_cell_row(cell)) for cell in cells]
    question = mean_excess_question(OF_A_GROUP, left_out.heuristics)
    return SummaryTable("cells", title, ("group", *CELL_COLUMNS), rows, _cells_note(cells, left_out), question)


def _pooled_table(cells: Sequence[Cell], left_out: LeftOut) -> SummaryTable:
    """The table of cells over all groups."""
    title = "Mean relative difference from the exact minimum, all groups together"
    rows = [_cell_row(cell) for cell in cells]
    question = mean_excess_question(lost=left_out.heuristics)
    return SummaryTable("pooled", title, CELL_COLUMNS, rows, _cells_note(cells, left_out), question)


def _best_table(best: Sequence[Best], left_out: LeftOut) -> SummaryTable:
    """The table of the best two heuristics of each cost."""
    rows = [
        (
            *(row.cost_function, row.position, *row.heuristic.split("/")),
            *(row.estimate.n, row.estimate.mean, row.estimate.standard_error, row.estimate.low, row.estimate.high),
            *((row.gap.mean, row.gap.standard_error) if row.gap else (None, None)),
            *(row.printed, row.verdict),
        )
        for row in best
    ]
    note = (
        f"{_tables(best[0].estimate.n, left_out)} Gaps are to the next best heuristic, their standard errors paired. "
        "The verdict is on the printed pair of a cost. agrees: neither of the two is worse than the best of all other "
        f"heuristics by more than {100 * TOLERANCE.share:g} % of its mean, by the upper end of the 95 % interval of "
        "the paired difference. differs: one that is not among our two is significantly worse than our second (paired "
        f"z > {critical_z(len(COSTS)):.2f}). consistent: neither. Empty where nothing is compared."
    )
    return SummaryTable(
        *("best_two", "The best two greedy heuristics for each cost function", BEST_COLUMNS, rows, note),
        mean_excess_question(lost=left_out.heuristics),
    )


def _cell_row(cell: Cell) -> tuple[Value, ...]:
    """A cell without its group, in the order of `CELL_COLUMNS`."""
    found = cell.estimate
    return (
        *(*cell.heuristic.split("/"), cell.cost_function),
        *(found.n, found.mean, found.standard_error, found.low, found.high),
        *(cell.printed, cell.z, cell.tolerance, cell.verdict),
    )


def _cells_note(cells: Sequence[Cell], left_out: LeftOut) -> str:
    """Sizes, and the rule of verdicts."""
    sizes = {cell.group: cell.estimate.n for cell in cells}
    intervals = f"{_tables(sum(sizes.values()), left_out)} Intervals (low, high) are 95 %, normal."
    compared = sum(cell.verdict is not None for cell in cells)
    if not compared:
        return f"{intervals} Verdict: none, as no cell is compared with the paper."
    differs = f"|z| > {critical_z(compared):.2f}, two-sided at 5 % with Bonferroni over {compared} compared cells"
    return f"{intervals} z: the difference in its standard errors. {rule(differs)} Empty where nothing is compared."


def _tables(n: int, left_out: LeftOut) -> str:
    """How many decision tables there are."""
    found = f"n = {counted(n, 'decision table')}"
    return f"{found}; {left_out}." if str(left_out) else f"{found}."
