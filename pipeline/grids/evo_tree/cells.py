"""Accuracies of EVO-Tree and its baselines beside Table 2 of Jankowski & Jackowski 2014, with a verdict on each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.grammar.comparison.accuracies import Score
from pipeline.grammar.findings import agreement
from pipeline.grids.evo_tree.printed import CASES, CUT, CUT_CASE, CUT_ROWS, MLP, WHY, printed_accuracies
from pipeline.summary.statistics import Estimate
from pipeline.summary.verdicts import Tolerance, Verdict, rule, verdict

__all__ = ["LEAST", "RULE", "Cell", "compare", "compared"]

TOLERANCE = Tolerance(rounding=0.0005)
LEAST = 0.02
"""Difference in accuracy up to which a cell does not differ whatever the splits say."""
STANDARD_ERRORS = 2.5
"""Standard errors of the difference up to which a cell does not differ."""
PRINTED_SPLITS = 10

RULE = rule(
    f"larger than significant_beyond, the larger of {LEAST:g} and {STANDARD_ERRORS:g} standard errors, the paper's "
    f"{PRINTED_SPLITS} splits being taken to spread as ours do"
)


@dataclass(frozen=True)
class Cell:
    """A cell of Table 2 beside ours."""

    case: str
    score: Score
    printed: float

    @property
    def estimate(self) -> Estimate | None:
        """Our accuracy."""
        return self.score.accuracy

    @property
    def difference(self) -> Estimate | None:
        """Ours minus printed, with the sampling error of both."""
        return self.estimate.less(self.printed, PRINTED_SPLITS) if self.estimate else None

    @property
    def tolerance(self) -> float:
        """The difference that does not matter."""
        return TOLERANCE.of(self.printed)

    @property
    def significant_beyond(self) -> float | None:
        """The largest difference that is not significant."""
        if self.difference is None:
            return None
        return max(LEAST, STANDARD_ERRORS * (self.difference.standard_error or 0.0))

    @property
    def differs(self) -> bool:
        """Whether the difference is significant."""
        beyond = self.significant_beyond
        return self.difference is not None and beyond is not None and abs(self.difference.mean) > beyond

    @property
    def verdict(self) -> Verdict | None:
        """What follows; None where a split failed, and of the cut data set, which is another reading of abalone.

        Where all splits have one accuracy there is no spread to judge by: it agrees if it is the printed value, differs
        beyond LEAST, and else has no verdict. One split alone has none.
        """
        found = self.difference
        if found is None or found.standard_error is None or self.score.failed or self.cut:
            return None
        if found.standard_error > 0:
            return verdict(found.low, found.high, self.tolerance, differs=self.differs)
        if self.differs:
            return Verdict.DIFFERS
        return Verdict.AGREES if abs(found.mean) <= TOLERANCE.rounding else None

    @property
    def cut(self) -> bool:
        """Whether it is of abalone cut to as few rows as the paper says it has."""
        return self.score.title == CUT

    @property
    def why(self) -> str | None:
        """What is known of a cell that differs."""
        if not self.differs or self.score.failed or self.verdict is Verdict.AGREES:
            return None
        return WHY.get((self.case, self.score.builder)) or (CUT_ROWS if self.cut else None)


def compare(scores: Sequence[Score]) -> tuple[Cell, ...]:
    """The printed cells that were run, data set after data set, and those of the cut one."""
    by_name = {(score.title, score.builder): score for score in scores}
    cells = [
        Cell(case, by_name[title, builder], theirs)
        for (case, builder), theirs in printed_accuracies().items()
        for title in (CASES[case].source, *((CUT,) if case == CUT_CASE else ()))
        if (title, builder) in by_name
    ]
    return tuple(sorted(cells, key=lambda cell: (cell.cut, list(CASES).index(cell.case))))


def compared(cells: Sequence[Cell]) -> str:
    """How many cells agree with the paper, are consistent with it and differ, and how many without the MLP's."""
    said = agreement((cell.verdict for cell in cells), "cell")
    others = [cell.verdict for cell in cells if cell.score.builder != MLP]
    if len(others) == len(cells):
        return said
    return f"{said} (without the MLP: {agreement(others, 'cell')})"
