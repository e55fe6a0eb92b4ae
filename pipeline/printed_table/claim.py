"""Claims that printed figures are possible or impossible, with their proofs and assumptions.

The SQL that shows a proof reads no table: the figures are in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from pipeline.printed_table.figure import PrintedFigure
from pipeline.sql import literal

RANK_RANGE = (
    "rank() over (partition by source order by accuracy desc) as best, "
    "count(*) over (partition by source order by accuracy desc) as worst"
)
"""The best and the worst rank of an accuracy among those of its data set, of which some may be equal."""


class Possibility(StrEnum):
    """Whether printed figures are possible under the assumptions of a claim.

    possible   : they agree with the test
    impossible : no data can give them, which is proven
    undecided  : neither is shown
    """

    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"

    @classmethod
    def of(cls, possible: bool) -> Possibility:
        """Possible or impossible."""
        return cls.POSSIBLE if possible else cls.IMPOSSIBLE


@dataclass(frozen=True)
class Claim:
    """A claim on one or more figures of a printed table.

    test     : granularity, arithmetic, ranks, bounds or significance
    figures  : the figures that it is about
    verdict  : whether they are possible
    proof    : the reason, in a sentence
    assumes  : the assumptions of the proof, in words
    question : SQL that shows the proof and reads no table; empty if the proof needs none
    tree     : the tree that shows what the data allow, as text: the best that is possible; empty if there is none
    whole    : whether it depends on a whole column or table, so that an unreadable cell leaves it undecided
    """

    test: str
    figures: Sequence[PrintedFigure]
    verdict: Possibility
    proof: str
    assumes: str = ""
    question: str = ""
    tree: str = ""
    whole: bool = False

    @property
    def where(self) -> str:
        """The lines of its figures, and the column if there is only one figure."""
        lines = sorted({figure.line for figure in self.figures})
        if len(self.figures) == 1:
            return self.figures[0].where
        return f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines))}"


def sum_of(parts: Iterable[PrintedFigure], expected: Fraction | int) -> str:
    """The sum of figures, beside the expected one."""
    return f"select {' + '.join(_number(part.value) for part in parts)} as added, {_number(expected)} as expected"


def ranks_by(accuracies: Iterable[PrintedFigure]) -> str:
    """The accuracies of each data set in order, with the best and the worst rank of each."""
    return f"select source, builder, accuracy, {RANK_RANGE} from {_listed(accuracies)} order by source, accuracy desc"


def mean_ranks_by(accuracies: Iterable[PrintedFigure]) -> str:
    """The average rank of each builder, from the best to the worst."""
    ranked = f"select builder, {RANK_RANGE} from {_listed(accuracies)}"
    return f"select builder, avg(best) as low, avg(worst) as high from ({ranked}) group by builder order by low"


def wins_by(left: Sequence[PrintedFigure], right: Sequence[PrintedFigure]) -> str:
    """The numbers of data sets on which the left accuracy is the greater, equal or the less."""
    return (
        "select count(*) filter (where difference > 0) as wins, count(*) filter (where difference = 0) as alike, "
        f"count(*) filter (where difference < 0) as losses from ({differences_by(left, right)})"
    )


def differences_by(left: Sequence[PrintedFigure], right: Sequence[PrintedFigure]) -> str:
    """The differences of the accuracies on each data set, the least first."""
    pairs = zip(left, right, strict=True)
    rows = ", ".join(f"({literal(one.source)}, {_number(one.value - other.value)})" for one, other in pairs)
    return f"select source, difference from (values {rows}) t(source, difference) order by abs(difference)"


def _listed(accuracies: Iterable[PrintedFigure]) -> str:
    rows = (f"({literal(each.source)}, {literal(each.builder)}, {_number(each.value)})" for each in accuracies)
    return f"(values {', '.join(rows)}) t(source, builder, accuracy)"


def _number(number: Fraction | int) -> str:
    """A decimal number, exactly."""
    return format(Decimal(number.numerator) / number.denominator, "f")
