"""The summary of DID beside ID3 and C4.5: the first table of Ben-Gal et al. 2014, value by value, and DID's sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from pipeline.grammar.comparison.accuracies import Score, Tested, failures, scores_of
from pipeline.grammar.findings import agreement, listed
from pipeline.grammar.notable_trees import drawable, notable
from pipeline.grammar.questions import WHERE_ITS_SOURCE, mean_with_interval
from pipeline.grid import RESULTS_TABLE, NotableTree
from pipeline.grids.did_vs_c45.depth_accuracies import AccuracyCell, accuracy_cell_table, accuracy_cells
from pipeline.grids.did_vs_c45.depth_cells import CASES, NEAR, Cell, Depth, cells_of, depths_of, ratio_of, weights_lost
from pipeline.storage.parts import Part, read
from pipeline.summary.tables import SummaryTable, Value
from pipeline.summary.verdicts import Verdict, rule

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Summary", "summarise"]

HEADINGS = {"id3": "ID3", "c45": "C4.5", "did": "DID"}
MARKS = {Verdict.AGREES: "", Verdict.CONSISTENT: "~", Verdict.DIFFERS: "*", Verdict.IMPOSSIBLE: "!"}
"""Behind a value on the screen."""

DEPTH_COLUMNS = (
    *("case", "source", "printed_builder", "reading", "builder", "rows", "n", "average_depth", "low", "high"),
    *("least_by_ties", "greatest_by_ties", "printed", "difference", "tolerance", "verdict", "reason"),
    *("distinct_rows", "table_average_depth", "exact_minimum"),
)
SWEEP_COLUMNS = (
    *("source", "part", "builder", "ratio", "n", "average_depth", "low", "high", "nodes"),
    *("table_average_depth", "exact_minimum", "excess", "splits", "test_accuracy", "accuracy_low", "accuracy_high"),
)

OF_ITS_ROWS = (
    "with own as (select *, coalesce(search_depth, average_depth) as counted from depths "
    "where source = {source} and builder = {builder}), "
    "whole as (select * from own where (select bool_and(average_depth is not null) from own)), "
    "minimum as (select avg(table_average_depth) as found from depths where source = {source} and builder = 'exact' "
    "having bool_and(status = 'ok')), "
    f"depth as (select any_value(rows) as rows, count(*) as n, {mean_with_interval('counted', 'average_depth')}, "
    "coalesce(avg(least_search_depth), avg(counted)) as least_by_ties, "
    "coalesce(avg(greatest_search_depth), avg(counted)) as greatest_by_ties, avg(nodes) as nodes, "
    "avg(distinct_rows) as distinct_rows, avg(table_average_depth) as table_average_depth, "
    "(select found from minimum) as exact_minimum from whole) "
)
"""A builder's trees over the rows they were built from; those of all sets of rows, or of none."""
DEPTH = f"{OF_ITS_ROWS} select * exclude (nodes) from depth"
SWEPT = (
    f"{OF_ITS_ROWS}, tested as (select count(*) as splits, "
    f"{mean_with_interval('test_accuracy', 'test_accuracy', 'accuracy_low', 'accuracy_high')} from results "
    f"{WHERE_ITS_SOURCE} and builder = {{builder}} and status = 'ok') "
    "select n, average_depth, low, high, nodes, table_average_depth, exact_minimum, "
    "(table_average_depth - exact_minimum) / exact_minimum as excess, tested.* from depth, tested"
)


@dataclass(frozen=True)
class Summary(Tested):
    """The printed cells as far as they were run, and what was written."""

    cells: tuple[Cell, ...]
    accuracies: tuple[AccuracyCell, ...]

    @property
    def finding(self) -> str:
        """How many of the printed average depths and accuracies agree."""
        depths = agreement((cell.verdict for cell in self.cells), "average depth")
        accuracies = agreement((one.verdict for one in self.accuracies), "accuracy", "accuracies")
        partly = [cell.case for cell in self.cells if cell.lost]
        best = f"DID's weight is the best of those that are left, where others are lost, of {listed(partly)}"
        return self.found(depths, accuracies, best if partly else "")

    @property
    def trees(self) -> tuple[NotableTree, ...]:
        """Of the split on which DID at its best weight saves most against ID3, if a page has room, both trees."""
        first = {(score.source, score.builder): score.rows[0] for score in self.scores if drawable(score.rows[0])}
        pairs = []
        for cell in (cell for cell in self.cells if cell.main and cell.ratio is not None):
            plain, dual = (first.get((CASES[cell.case].source, name)) for name in ("id3", cell.builder))
            if plain and dual:
                pairs.append((plain["average_depth"] - dual["average_depth"], cell, plain, dual))
        if not pairs:
            return ()
        _, cell, plain, dual = max(pairs, key=lambda pair: pair[0])
        weight = f"at w1/w2 = {cell.ratio:g}, its best for all rows, "
        return tuple(
            notable(row, f"{said}average depth {row['average_depth']:.3g}")
            for row, said in ((plain, ""), (dual, weight))
        )

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """A line a case: average depths, ours and the printed ones; then how many agree."""
        shown = Table(title="Average depth (printed)", title_justify="left", box=None, padding=(0, 2, 0, 0))
        shown.add_column("")
        for heading in (*HEADINGS.values(), "exact minimum"):
            shown.add_column(heading, no_wrap=True)
        by_cell = {(cell.case, cell.column): cell for cell in self.cells if cell.main}
        for case in dict.fromkeys(cell.case for cell in self.cells):
            found = [by_cell[case, column] for column in HEADINGS]
            exact = found[0].exact
            shown.add_row(case, *map(_shown, found), "" if exact is None else f"{exact:.3f}")
        legend = Text(
            "*: differs; ~: consistent, the draws cannot tell; !: no tree for these rows is so shallow; DID at its "
            "weight of least depth. exact minimum: of the merged table, weighted. Reasons are in did_vs_c45.csv, "
            "accuracies in did_vs_c45_accuracies.csv",
            style="dim",
        )
        return [shown, legend, Text(self.finding), *failures(self.scores)]


def summarise(parts: Mapping[str, Sequence[Part]], builders: Sequence[str], folder: Path) -> Summary:  # noqa: ARG001
    """Write `did_vs_c45`, `did_vs_c45_accuracies`, `did_vs_c45_sweep` (.csv, .md) and the figure of the sweep."""
    rows = [row for part in parts["depths"] for row in read(part).to_pylist()]
    depths = depths_of(rows)
    scores = scores_of(row for part in parts[RESULTS_TABLE] for row in read(part).to_pylist())
    cells = cells_of(depths, weights_lost(rows, depths))
    accuracies = accuracy_cells(cells, scores)
    documents = (_depth_table(cells), accuracy_cell_table(accuracies), _sweep_table(depths, scores))
    for document in documents:
        document.write(folder)
    from pipeline.grids.did_vs_c45.figure import draw

    return Summary(scores, documents, draw(depths, folder), cells, accuracies)


def _shown(cell: Cell) -> Text:
    if cell.depth is None:
        return Text("failed", style="red")
    mark = MARKS[cell.verdict] if cell.verdict else ""
    ratio = f" at {cell.ratio:g}" if cell.ratio is not None else ""
    return Text(f"{cell.depth.estimate.mean:.3f} ({cell.printed.text}){mark}{ratio}")


def _depth_table(cells: Sequence[Cell]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = []
    for cell in cells:
        depth = cell.depth
        found = (
            (
                depth.estimate.n,
                depth.estimate.mean,
                depth.estimate.low,
                depth.estimate.high,
                depth.least,
                depth.greatest,
            )
            if depth
            else (0, *[None] * 5)
        )
        rows.append(
            (
                *(cell.case, CASES[cell.case].source, cell.column, cell.reading, cell.builder),
                *(depth.rows if depth else None, *found),
                *(cell.printed.value, cell.difference, cell.tolerance, cell.verdict, cell.reason),
                *((depth.distinct_rows, depth.on_table) if depth else (None, None)),
                cell.exact,
            )
        )
    note = (
        "average_depth: mean over training rows of the edges to their leaf, in the tree of these; of searches (all "
        "but j48) rows that differ in class alone count as many edges as there are attributes, as the document's "
        "Search asks them. n: sets of training rows, low to high the 95 % normal interval over them; one set has none, "
        "for it determines the tree but for ties. least_by_ties to greatest_by_ties: over orders of the attributes, "
        "which settle ties, where these were tried. impossible: the printed value, as far as its digits show, lies "
        "below exact_minimum, and no unpruned tree for these rows is shallower. Else, of one set of rows, agrees: the "
        f"printed value, as far as its digits show, is within {NEAR:g} edges of that range; differs: it is not. Of "
        "drawn sets: "
        + rule(
            f"the printed value lies more than {NEAR:g} edges outside of that range, and outside of the middle 95 % of "
            "our single draws, for it is of one draw"
        )
        + " Readings other than unpruned, unpruned gain ratio and best weight have no verdict and count in no other. "
        "table_average_depth and exact_minimum: of the "
        "builder's tree and of the least tree for the table of the same rows, equal ones merged by majority and "
        "counting as often as they stand for; the minimum is never above what an unpruned tree for the rows "
        "themselves has. best weight: the ratio w1/w2 of least average_depth among those of the shipped sweep, chosen "
        "without regard to the printed value; where weights are lost, of those that are left, and `reason` says so."
    )
    title = "Average depth beside the paper (001, first table)"
    return SummaryTable("did_vs_c45", title, DEPTH_COLUMNS, rows, note, DEPTH)


def _sweep_table(depths: Sequence[Depth], scores: Sequence[Score]) -> SummaryTable:
    by_cell = {(score.source, score.part, score.builder): score for score in scores}
    exact = {(depth.source, depth.part): depth.on_table for depth in depths if depth.builder == "exact"}
    rows: list[tuple[Value, ...]] = []
    for depth in depths:
        ratio = ratio_of(depth.parameters)
        if ratio is None:
            continue
        score = by_cell.get((depth.source, depth.part, depth.builder))
        found = score.accuracy if score else None
        least = exact.get((depth.source, depth.part))
        excess = (depth.on_table - least) / least if least and depth.on_table is not None else None
        estimate = depth.estimate
        rows.append(
            (
                *(depth.source, depth.part, depth.builder, ratio),
                *(estimate.n, estimate.mean, estimate.low, estimate.high),
                *(depth.nodes, depth.on_table, least, excess),
                *((found.n, found.mean, found.low, found.high) if found else (0, None, None, None)),
            )
        )
    note = (
        "ratio: w1/w2. average_depth and its interval are told under did_vs_c45; nodes: mean over the training sets. "
        "excess: (table_average_depth - exact_minimum) / exact_minimum. test_accuracy: mean over the splits with its "
        "95 % normal interval."
    )
    return SummaryTable("did_vs_c45_sweep", "DID over its weights", SWEEP_COLUMNS, rows, note, SWEPT)
