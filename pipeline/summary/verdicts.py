"""Verdicts on printed values: their names, the one rule behind them, and how they are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.summary.statistics import Estimate


MISPRINT = (
    "misprint: the printed value differs, but the document or its data prove it wrong, and the value that they give "
    "instead (column corrected) agrees; the reason beside it is the proof."
)
"""The rule of the verdict `misprint` in words, for tables whose printed values may be misprints."""
CHANCE = 0.05
"""Probability that any of a table's compared values differs by chance alone."""


class Verdict(StrEnum):
    """The complete list of verdicts. A cell that is not compared has no verdict.

    agrees     : the 95 % interval of the difference from the printed value lies within the table's tolerance. Without
                 sampling error: the value equals the printed one to the printed digits, or is within the distance that
                 its table declares
    consistent : the difference is not significant, but the sample is too small to exclude a difference beyond the
                 tolerance
    differs    : the difference is significant by the rule of the table, and its interval does not lie within the
                 tolerance
    misprint   : the printed value differs, the document or its data show that it is wrong, and the value that they show
                 instead agrees with ours; the grid declares this value beside the printed values
    follows    : the printed value differs, but follows from other printed values of its document, and one of these
                 values differs, too
    impossible : the printed value contradicts the definitions or other values of its paper, so that no run can give it
    no input   : the printed value rests on data that are not available, so that nothing was run
    open       : a claim was tested, and the test shows neither that it holds nor that it fails
    """

    AGREES = "agrees"
    CONSISTENT = "consistent"
    DIFFERS = "differs"
    MISPRINT = "misprint"
    FOLLOWS = "follows"
    IMPOSSIBLE = "impossible"
    NO_INPUT = "no input"
    OPEN = "open"


CONTRADICTED = (Verdict.DIFFERS, Verdict.MISPRINT, Verdict.FOLLOWS, Verdict.IMPOSSIBLE)
"""The verdicts on a contradicted printed value, from the one without a cause to those with a proof."""


@dataclass(frozen=True)
class Tolerance:
    """How far a value may be from a printed value and still agree; each table declares its tolerance beforehand.

    Parameters
    ----------
    rounding : half a unit of the last printed digit
    share : share of the printed value
    """

    rounding: float
    share: float = 0.1

    def of(self, printed: float) -> float:
        """The larger of the rounding and the share of this printed value."""
        return max(self.rounding, self.share * abs(printed))


@dataclass(frozen=True)
class Comparison:
    """The difference of our value and the printed one, ours minus printed, with the sampling error of both.

    Parameters
    ----------
    difference : its mean
    low, high : its 95 % interval
    p : two-sided probability that chance alone makes the difference this large
    tolerance : the largest difference with which the values still agree
    """

    difference: float
    low: float
    high: float
    p: float
    tolerance: float

    @classmethod
    def of(cls, difference: Estimate | None, tolerance: float) -> Comparison | None:
        """A comparison of means; None without a finite difference or without a measurable spread."""
        if difference is None:
            return None
        low, high, p = difference.low, difference.high, difference.p
        if low is None or high is None or p is None or not (isfinite(low) and isfinite(high)):
            return None
        return cls(difference.mean, low, high, p, tolerance)


def verdict(low: float | None, high: float | None, tolerance: float, *, differs: bool) -> Verdict:
    """The verdict on a printed value, by the 95 % interval of the difference from it (None: unknown).

    An interval within the tolerance agrees even if the difference is significant: the values are then statistically
    distinct and practically equal.
    """
    if low is not None and high is not None and -tolerance <= low and high <= tolerance:
        return Verdict.AGREES
    return Verdict.DIFFERS if differs else Verdict.CONSISTENT


def verdicts(comparisons: Sequence[Comparison | None]) -> tuple[Verdict | None, ...]:
    """The verdicts on a table's printed values; None for a value that is not compared.

    A difference is significant at 5 % divided by the number of compared values (Bonferroni). Pass each printed value
    once, and nothing else: every further comparison makes the rule more lenient.
    """
    compared = sum(each is not None for each in comparisons)
    return tuple(
        None if each is None else verdict(each.low, each.high, each.tolerance, differs=each.p < CHANCE / compared)
        for each in comparisons
    )


def rule(differs: str, share: float = Tolerance.share) -> str:
    """The rule of a table's verdicts as text; `differs` says when a difference is significant."""
    or_share = f" or {100 * share:g} % of it, whichever is larger" if share else ""
    return (
        "Verdicts are on the difference, ours minus printed, with the sampling error of both; difference_low to "
        "difference_high is its 95 % interval. agrees: the interval lies within the tolerance, the rounding of the "
        f"printed value{or_share}, even if the difference is significant. differs: {differs}, and the interval does "
        "not lie within the tolerance. consistent: the difference is not significant, but the sample cannot exclude "
        "one beyond the tolerance."
    )


def tally(of_values: Iterable[Verdict | None]) -> dict[Verdict, int]:
    """The number of values with each verdict that occurs, in the order of `Verdict`; None is not counted."""
    counts = Counter(of_values)
    return {each: counts[each] for each in Verdict if counts[each]}
