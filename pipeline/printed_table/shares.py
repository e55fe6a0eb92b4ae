"""Whether printed accuracies can be shares of the rows of their data sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.printed_table.claim import Claim, Possibility
from pipeline.printed_table.figure import PER_CENT, PrintedFigure
from pipeline.printed_table.granularity import (
    COUNTED,
    USUAL_FOLDS,
    HoldOut,
    Interval,
    MeanOfFolds,
    Pooled,
    Rounding,
    Way,
    first_way,
    rows_text,
    usual_ways,
)


@dataclass(frozen=True)
class Evaluation:
    """How the rows of a data set are tested, as far as a paper says it.

    folds      : folds of a cross-validation; None: 2, 3, 5 or 10, or no cross-validation
    repeats    : how often the whole evaluation is repeated
    test_share : share of test rows of a hold-out; None: every row is tested
    published  : whether the rows are those of a published test part, which is tested once
    """

    folds: int | None = None
    repeats: int = 1
    test_share: Fraction | None = None
    published: bool = False

    def ways(self, rows: int) -> list[Way]:
        """The ways in which an accuracy on this number of rows may have been computed."""
        if self.published:
            return [Pooled(rows)]
        if self.test_share is not None:
            exact = rows * self.test_share
            sizes = dict.fromkeys((int(exact), -int(-exact // 1)))
            return [HoldOut(size, self.repeats, rows) for size in sizes if 0 < size < rows]
        folds = USUAL_FOLDS if self.folds is None else (self.folds,)
        unequal = [MeanOfFolds(rows, number, self.repeats) for number in folds if rows > number and rows % number]
        return [Pooled(rows, self.repeats), *unequal]

    def in_words(self, what: str = "accuracy") -> str:
        """The assumption in words, on an accuracy or an error."""
        if self.published:
            return f"the published test part is tested once; the figure is the share of {COUNTED[what]} rows"
        times = "" if self.repeats == 1 else f", {self.repeats} times"
        repeats = "" if self.repeats == 1 else f" in each of {self.repeats} repeats"
        if self.test_share is not None:
            return f"{decimal(PER_CENT * self.test_share)} % of the rows are tested{times}"
        folds = "2, 3, 5 or 10" if self.folds is None else f"{self.folds}"
        return (
            f"each row is tested once{repeats}; the figure is the share of {COUNTED[what]} rows, or the mean over "
            f"{folds} folds whose sizes differ by at most a row"
        )


def share_claims(
    figures: Sequence[PrintedFigure],
    rows: Callable[[PrintedFigure], int | None],
    evaluation: Evaluation,
    rounding: Rounding = Rounding.NEAREST,
) -> Iterator[Claim]:
    """A claim on each accuracy, and each share of errors, on a data set whose number of rows is known.

    rows : gives the number of rows of a figure's data set; None if it is unknown
    """
    for figure in figures:
        number = rows(figure) if figure.measure.name in COUNTED and not figure.below else None
        if number is not None:
            yield _claim(figure, number, evaluation, rounding)


def _claim(figure: PrintedFigure, rows: int, evaluation: Evaluation, rounding: Rounding) -> Claim:
    share, measure = figure.numbers(rounding).times(Fraction(1, PER_CENT)), figure.measure.name
    ways = evaluation.ways(rows)
    assumes = f"{evaluation.in_words(measure)}; all rows of the data set are used; rounding: {rounding}"
    if not ways:
        proof = f"a data set of {rows_text(rows)} cannot be tested in this way"
        return Claim("granularity", [figure], Possibility.UNDECIDED, proof, assumes)
    if (reached := first_way(ways, share)) is not None:
        way, witness = reached
        proof = f"{witness}: {way.in_words(measure)}"
        return Claim("granularity", [figure], Possibility.POSSIBLE, proof, assumes, question(way, share))
    pooled = next(way for way in ways if isinstance(way, Pooled))
    whole = pooled.rows * pooled.passes
    near = " and ".join(
        f"{round(reachable * whole)}/{whole} = {decimal(PER_CENT * reachable, 4)} %"
        for reachable in pooled.nearest(figure.value / PER_CENT)
    )
    usual = first_way(usual_ways(rows), share)
    possible = f"; it would be possible as {usual[1]}: {usual[0].in_words(measure)}" if usual else ""
    others = possible or "; nor does any other usual protocol"
    if cut := first_way(ways, figure.numbers(Rounding.TRUNCATED).times(Fraction(1, PER_CENT))):
        others += f"; if digits are cut off, it may be {cut[1]}"
    proof = f"no share of {rows_text(whole)} gives this figure: nearest are {near}{_folds(ways)}{others}"
    return Claim("granularity", [figure], Possibility.IMPOSSIBLE, proof, assumes, question(pooled, share))


def _folds(ways: Sequence[Way]) -> str:
    means = [str(way.folds) for way in ways if isinstance(way, MeanOfFolds)]
    return f"; nor does any mean over {' or '.join(means)} folds" if means else ""


def question(way: Way, share: Interval) -> str:
    """SQL that lists the counts of right rows whose share is in an interval.

    It compares whole numbers, so that nothing is rounded.
    """
    if isinstance(way, Pooled):
        whole, right, columns = way.rows * way.passes, "right_rows", "right_rows"
        counts = f"range(0, {whole + 1}) counts(right_rows)"
    else:
        size, larger = divmod(way.rows, way.folds)
        small, large = (way.folds - larger) * size * way.passes, larger * (size + 1) * way.passes
        whole = way.folds * way.passes * size * (size + 1)
        right, columns = f"({size + 1} * in_small + {size} * in_large)", "in_small, in_large"
        counts = f"range(0, {small + 1}) s(in_small), range(0, {large + 1}) l(in_large)"
    scale = math.lcm(share.low.denominator, share.high.denominator)
    low, high = (f"{int(end * scale)}::hugeint * {whole}" for end in (share.low, share.high))
    least, most = ("<=" if with_end else "<" for with_end in (share.with_low, share.with_high))
    scaled = f"{right}::hugeint * {scale}"
    shown = f"{columns}, {PER_CENT}.0 * {right} / {whole} as percent"
    return f"select {shown} from {counts} where {low} {least} {scaled} and {scaled} {most} {high}"


def decimal(number: Fraction, digits: int = 2) -> str:
    """A number with at most `digits` digits after the point, without zeros at its end."""
    text = f"{float(number):.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
