"""Accuracies of EVO-Tree and its baselines beside Table 2 of `003_…`, with a verdict on each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.screen import out_of
from pipeline.summaries.accuracies import Score
from pipeline.summaries.evo_tree_printed import CASES, CUT, CUT_CASE, CUT_ROWS, MLP, WHY, printed_accuracies
from pipeline.summaries.findings import does, listed
from pipeline.summaries.statistics import Estimate
from pipeline.summaries.verdicts import Verdict

__all__ = ["LEAST", "RULE", "Cell", "agreement", "compare"]

LEAST = 0.02
"""Difference in accuracy up to which a cell agrees whatever the splits say: so far print reproduces."""
STANDARD_ERRORS = 2.5
"""Standard errors of the difference up to which a cell agrees."""
PRINTED_SPLITS = 10

RULE = (
    f"agrees: ours and print's differ by at most the tolerance, the larger of {LEAST:g} and {STANDARD_ERRORS:g} "
    f"standard errors of the difference, print's {PRINTED_SPLITS} splits being taken to spread as ours do"
)


@dataclass(frozen=True)
class Cell:
    """A cell of print's Table 2 beside ours; a score any of whose splits failed has no verdict."""

    case: str
    score: Score
    printed: float

    @property
    def estimate(self) -> Estimate | None:
        """Our accuracy."""
        return self.score.accuracy

    @property
    def difference(self) -> float | None:
        """Ours less print's."""
        return self.estimate.mean - self.printed if self.estimate else None

    @property
    def tolerance(self) -> float | None:
        """The difference up to which they agree."""
        if self.estimate is None:
            return None
        of_both = math.sqrt(1 + self.estimate.n / PRINTED_SPLITS)
        return max(LEAST, STANDARD_ERRORS * of_both * (self.estimate.standard_error or 0.0))

    @property
    def verdict(self) -> Verdict | None:
        """What follows."""
        if self.difference is None or self.tolerance is None or self.score.failed:
            return None
        return Verdict.AGREES if abs(self.difference) <= self.tolerance else Verdict.DIFFERS

    @property
    def cut(self) -> bool:
        """Whether it is of abalone cut to as few rows as print says it has."""
        return self.score.title == CUT

    @property
    def why(self) -> str | None:
        """What is known of a cell that differs."""
        if self.verdict is not Verdict.DIFFERS:
            return None
        return WHY.get((self.case, self.score.builder)) or (CUT_ROWS if self.cut else None)


def compare(scores: Sequence[Score]) -> tuple[Cell, ...]:
    """The cells of print that were run, data set after data set, and those of the cut one."""
    by_name = {(score.title, score.builder): score for score in scores}
    cells = [
        Cell(case, by_name[title, builder], theirs)
        for (case, builder), theirs in printed_accuracies().items()
        for title in (CASES[case].source, *((CUT,) if case == CUT_CASE else ()))
        if (title, builder) in by_name
    ]
    return tuple(sorted(cells, key=lambda cell: (cell.cut, list(CASES).index(cell.case))))


def agreement(cells: Sequence[Cell]) -> str:
    """How many cells agree with print, those of the MLP and of the cut data set apart, in words."""
    groups = {
        "": [cell for cell in cells if not cell.cut and cell.score.builder != MLP],
        " of the MLP": [cell for cell in cells if not cell.cut and cell.score.builder == MLP],
        f" of {CUT}": [cell for cell in cells if cell.cut and cell.score.builder != MLP],
    }
    said, counts = [], []
    for name, mine in groups.items():
        judged = [cell.verdict for cell in mine if cell.verdict]
        if judged:
            counts.append(len(judged))
            said.append(f"{out_of(judged.count(Verdict.AGREES), len(judged), 'cell')}{name}")
    return f"{listed(said)} {does('agree', sum(counts))} with print" if said else "no cell of print was run"
