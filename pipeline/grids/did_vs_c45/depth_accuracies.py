"""Accuracies that "Dual Information Distance" prints in its first table, beside ours, with a verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.grammar.comparison.accuracies import Score
from pipeline.grids.did_vs_c45.depth_cells import CASES, Cell, Printed, printed
from pipeline.summary.statistics import HALF_WIDTH_95, Estimate
from pipeline.summary.tables import SummaryTable, Value
from pipeline.summary.verdicts import Comparison, Tolerance, Verdict, rule, verdicts

__all__ = ["AccuracyCell", "accuracy_cell_table", "accuracy_cells"]

NEAR = 1.0
"""Points within which an accuracy on a published test part agrees with the paper, beyond its rounding."""

COLUMNS = (
    *("case", "source", "printed_builder", "reading", "builder", "n", "accuracy", "low", "high"),
    *("printed", "difference", "tolerance", "verdict"),
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
    """

    cell: Cell
    printed: Printed
    estimate: Estimate | None
    lost: bool
    verdict: Verdict | None = None

    @property
    def difference(self) -> Estimate | None:
        """Ours minus printed, in points, with the sampling error of both: the paper's splits are as many as ours."""
        return self.estimate.less(self.printed.value, self.estimate.n) if self.estimate else None

    @property
    def judged(self) -> bool:
        """Whether it has a verdict: it is not another reading, and no split is lost."""
        return self.cell.main and self.estimate is not None and not self.lost

    @property
    def comparison(self) -> Comparison | None:
        """The difference over splits beside its tolerance; None on a published test part or without any spread."""
        sampled = self.judged and self.estimate is not None and self.estimate.n > 1
        return Comparison.of(self.difference, self.tolerance) if sampled else None

    @property
    def tolerance(self) -> float:
        """The difference that does not matter, in points: where only ties leave room for chance, `NEAR`."""
        alone = self.estimate is not None and self.estimate.n == 1
        return NEAR + self.printed.rounding if alone else Tolerance(self.printed.rounding).of(self.printed.value)


def accuracy_cells(cells: Sequence[Cell], scores: Sequence[Score]) -> tuple[AccuracyCell, ...]:
    """The accuracy beside each depth."""
    by_cell = {(score.source, score.builder): score for score in scores}
    found = []
    for cell in cells:
        theirs = Printed(printed()[cell.case, cell.column]["accuracy_pct"])
        score = by_cell.get((CASES[cell.case].source, cell.builder))
        estimate = _percent(score) if score else None
        found.append(AccuracyCell(cell, theirs, estimate, bool(score and score.failed)))
    sampled = zip(found, verdicts([one.comparison for one in found]), strict=True)
    return tuple(replace(one, verdict=by_splits or _by_distance(one)) for one, by_splits in sampled)


def accuracy_cell_table(cells: Sequence[AccuracyCell]) -> SummaryTable:
    """The table of accuracies."""
    rows: list[tuple[Value, ...]] = []
    for one in cells:
        cell, found = one.cell, one.estimate
        estimate = (found.n, found.mean, found.low, found.high) if found else (0, None, None, None)
        rows.append(
            (
                *(cell.case, CASES[cell.case].source, cell.column, cell.reading, cell.builder),
                *(*estimate, one.printed.value, one.difference.mean if one.difference else None),
                *(one.tolerance if one.difference else None, one.verdict),
            )
        )
    note = (
        "Accuracies, differences and tolerances are in percent. The paper names no protocol. Ours: the published test "
        "part where there is one (n = 1); of Monk's full random set the 216 rows that do not train, in each of n "
        "draws; else 10-fold cross-validation, n folds. low to high: 95 % normal interval of the accuracy, over the "
        "splits or binomial over the test rows. "
        + rule(
            "two-sided at 5 % with Bonferroni over the cells compared by splits, the paper's splits being taken to be "
            "as many as ours and to spread as they do"
        )
        + f" On a test part there is nothing to chance but ties: agrees within {NEAR:g} point, the rounding of the "
        "printed value aside, else differs. No verdict: where a split is lost, and of other readings of a value "
        "(J48, equal weights), which count in no other verdict."
    )
    return SummaryTable(
        "did_vs_c45_accuracies", "Accuracy beside the paper (001, first table)", COLUMNS, rows, note, ACCURACY
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


def _by_distance(one: AccuracyCell) -> Verdict | None:
    """The verdict where there is no spread to measure by."""
    if not one.judged or one.difference is None:
        return None
    return Verdict.AGREES if abs(one.difference.mean) <= NEAR + one.printed.rounding else Verdict.DIFFERS
