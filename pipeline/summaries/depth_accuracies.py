"""Accuracies that "Dual Information Distance" prints in its first table, beside ours, with a verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.summaries.accuracies import Score
from pipeline.summaries.depth_cells import CASES, Cell, Printed, printed
from pipeline.summaries.statistics import HALF_WIDTH_95, Estimate
from pipeline.summaries.tables import SummaryTable, Value
from pipeline.summaries.verdicts import Verdict, verdict

__all__ = ["AccuracyCell", "accuracy_cell_table", "accuracy_cells"]

NEAR = 1.0
"""Points within which an accuracy on a published test part agrees with print, beyond its rounding."""

COLUMNS = (
    *("case", "source", "printed_builder", "reading", "builder", "n", "accuracy", "low", "high"),
    *("printed", "difference", "verdict"),
)

HALF = (
    f"{HALF_WIDTH_95} * if(count(*) = 1, sqrt(avg(share) * (1 - avg(share)) / any_value(test_rows)), "
    "stddev_samp(share) / sqrt(count(*)))"
)
ACCURACY = (
    f"select count(*) as n, 100 * avg(share) as accuracy, 100 * (avg(share) - {HALF}) as low, "
    f"100 * (avg(share) + {HALF}) as high from (select test_accuracy as share, test_rows from results "
    "where source = {source} and builder = {builder} and status = 'ok')"
)
"""Over the splits; of a single one with the binomial standard error of its test rows."""


@dataclass(frozen=True)
class AccuracyCell:
    """A printed accuracy in percent and ours, by the tree that its depth is of.

    estimate : mean over the splits; of a single one with the binomial standard error of its test rows
    lost     : whether a split is, so that nothing is compared
    z        : difference in standard errors, None on a published test part or without any spread
    """

    cell: Cell
    printed: Printed
    estimate: Estimate | None
    lost: bool
    z: float | None
    verdict: Verdict | None

    @property
    def difference(self) -> float | None:
        """Ours less print's, in points."""
        return self.estimate.mean - self.printed.value if self.estimate else None


def accuracy_cells(cells: Sequence[Cell], scores: Sequence[Score]) -> tuple[AccuracyCell, ...]:
    """The accuracy beside each depth."""
    by_cell = {(score.source, score.builder): score for score in scores}
    found = []
    for cell in cells:
        theirs = Printed(printed()[cell.case, cell.column]["accuracy_pct"])
        score = by_cell.get((CASES[cell.case].source, cell.builder))
        estimate = _percent(score) if score else None
        lost = bool(score and score.failed)
        z = estimate.z(theirs.value, estimate.n) if estimate and estimate.n > 1 and not lost else None
        found.append(AccuracyCell(cell, theirs, estimate, lost, z, None))
    compared = sum(one.z is not None for one in found)
    return tuple(replace(one, verdict=_verdict(one, compared)) for one in found)


def accuracy_cell_table(cells: Sequence[AccuracyCell]) -> SummaryTable:
    """The table of accuracies."""
    rows: list[tuple[Value, ...]] = []
    for one in cells:
        cell, found = one.cell, one.estimate
        estimate = (found.n, found.mean, found.low, found.high) if found else (0, None, None, None)
        rows.append(
            (
                *(cell.case, CASES[cell.case].source, cell.column, cell.reading, cell.builder),
                *(*estimate, one.printed.value, one.difference, one.verdict),
            )
        )
    note = (
        "Accuracies and differences are in percent. Print names no protocol. Ours: the published test part where there "
        "is one (n = 1); of Monk's full random set the 216 rows that do not train, in each of n draws; else 10-fold "
        "cross-validation, n folds. low to high: 95 % normal interval, over the splits or binomial over the test rows. "
        "agrees: over splits |z| at most the critical value, two-sided at 5 % with Bonferroni over the cells compared "
        f"so, print's splits being taken to spread as ours; on a test part within {NEAR:g} point, print's rounding "
        "aside, for there is nothing to chance but ties. Empty where a split is lost."
    )
    return SummaryTable(
        "did_vs_c45_accuracies", "Accuracy beside print (001, first table)", COLUMNS, rows, note, ACCURACY
    )


def _percent(score: Score) -> Estimate | None:
    found = score.accuracy
    if found is None:
        return None
    error = found.standard_error
    if found.n == 1:
        tested = next(row["test_rows"] for row in score.rows if row["status"] == "ok")
        error = math.sqrt(found.mean * (1 - found.mean) / tested)
    return Estimate(found.n, 100 * found.mean, None if error is None else 100 * error)


def _verdict(one: AccuracyCell, compared: int) -> Verdict | None:
    """By z; where there is none, by nearness."""
    if one.lost:
        return None
    if one.z is not None or one.difference is None:
        return verdict(one.z, compared)
    near = abs(one.difference) <= NEAR + one.printed.rounding
    return Verdict.AGREES if near else Verdict.DIFFERS
