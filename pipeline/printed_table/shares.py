"""Whether printed accuracies can be shares of the rows of their data sets: the granularity of accuracies.

A share of n rows is a multiple of 1/n, so that most numbers of two decimals are no share of 60 rows. Brown and Heathers
(2017), *The GRIM Test*, Social Psychological and Personality Science 8(4), test means of counts in this way. Here the
means of fold accuracies, whose folds may differ by a row, are tested as well. All tests are exact: in whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pipeline.printed_table.claim import Claim, Possibility
from pipeline.printed_table.figure import PER_CENT, Interval, PrintedFigure, Rounding

USUAL_FOLDS = (10, 5, 3, 2)
USUAL_TEST_SHARES = tuple(Fraction(*share) for share in ((1, 3), (34, 100), (3, 10), (1, 4), (1, 5), (1, 10), (1, 2)))
MOST_PASSES = 100
COUNTED = {"accuracy": "right", "error": "wrong"}
"""The rows that are counted, by the name of the measure."""


@dataclass(frozen=True)
class Pooled:
    """All test rows counted together: right rows divided by tested rows.

    It is the accuracy on a training set, or of a cross-validation that tests each row once. With several passes it is
    the accuracy of a repeated cross-validation, which equals the mean of the accuracies of its passes.

    rows   : number of rows of the data set
    passes : how often each row is tested
    """

    rows: int
    passes: int = 1

    def in_words(self, what: str = "accuracy") -> str:
        """In words, as an accuracy or an error."""
        passes = "" if self.passes == 1 else f"{self.passes} passes over "
        return f"{COUNTED[what]} rows of {passes}{rows_text(self.rows)}"

    def witness(self, share: Interval) -> str | None:
        """A count of right rows whose share lies in the interval, such as `126/150`; None if no count does."""
        whole = self.rows * self.passes
        low, high = share.times(whole).integers
        right = max(low, 0)
        return f"{right}/{whole}" if right <= min(high, whole) else None

    def nearest(self, share: Fraction) -> tuple[Fraction, ...]:
        """The nearest reachable shares below and above a share, in order."""
        whole = self.rows * self.passes
        ends = {math.floor(share * whole), math.ceil(share * whole)}
        return tuple(Fraction(count, whole) for count in sorted(ends) if 0 <= count <= whole)


@dataclass(frozen=True)
class HoldOut(Pooled):
    """The test rows of a hold-out, drawn at random in each pass, always with the same size.

    rows : number of test rows
    of   : number of all rows
    """

    of: int = 0

    def in_words(self, what: str = "accuracy") -> str:
        """In words, as an accuracy or an error."""
        draws = "of" if self.passes == 1 else f"in {self.passes} draws of"
        return f"{COUNTED[what]} rows {draws} {rows_text(self.rows, 'test row')} out of {self.of}"


@dataclass(frozen=True)
class MeanOfFolds:
    """The mean of the accuracies of folds, whose sizes differ by at most one row.

    rows   : number of rows of the data set
    folds  : number of folds
    passes : how often the rows are divided into folds of these sizes
    """

    rows: int
    folds: int
    passes: int = 1

    def in_words(self, what: str = "accuracy") -> str:
        """In words, as an accuracy or an error."""
        least, larger = divmod(self.rows, self.folds)
        sizes = f"{least} or {least + 1}" if larger else f"{least}"
        times = "" if self.passes == 1 else f", divided {self.passes} times"
        return f"mean {what} of {self.folds} folds of {sizes} rows{times}"

    def witness(self, share: Interval) -> str | None:
        """Counts of right rows in smaller and larger folds whose mean lies in the interval; None if there are none.

        With a right rows in folds of q rows and b in folds of q + 1, the mean over all k folds is
        (a (q + 1) + b q) / (k q (q + 1)). For each sum of a and b the numerators are consecutive whole numbers.
        """
        size, larger = divmod(self.rows, self.folds)
        if size == 0:
            return None
        all_folds = self.folds * self.passes
        if not larger:
            return Pooled(self.rows, self.passes).witness(share)
        most_small = (self.folds - larger) * size * self.passes
        most_large = larger * (size + 1) * self.passes
        low, high = share.times(all_folds * size * (size + 1)).integers
        last = min(most_small + most_large, high // size)
        for right in range(max(0, -(-low // (size + 1))), last + 1):
            fewest, most = max(0, right - most_small), min(right, most_large)
            numerator = max(low, right * (size + 1) - most)
            if numerator <= min(high, right * (size + 1) - fewest):
                large = right * (size + 1) - numerator
                return f"({right - large}/{size} + {large}/{size + 1})/{all_folds}"
        return None


Way = Pooled | MeanOfFolds
"""How an accuracy is computed from counts of right rows."""


def rows_text(number: int, what: str = "row") -> str:
    """`1 row`, `625 rows`: as a denominator, without separators."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def usual_ways(rows: int) -> Iterator[Way]:
    """Ways in which papers compute an accuracy on a data set, with one pass first and up to 100 passes.

    They are: all rows counted together; means over 10, 5, 3 and 2 folds; hold-outs of common shares of the rows.
    """
    sizes = dict.fromkeys(
        size for share in USUAL_TEST_SHARES for size in (math.floor(rows * share), math.ceil(rows * share)) if size
    )
    for passes in range(1, MOST_PASSES + 1):
        yield Pooled(rows, passes)
        yield from (MeanOfFolds(rows, folds, passes) for folds in USUAL_FOLDS if rows % folds and rows > folds)
        yield from (HoldOut(size, passes, rows) for size in sizes)


def first_way(ways: Sequence[Way] | Iterator[Way], share: Interval) -> tuple[Way, str] | None:
    """The first way that has a share in the interval, with its witness; None if none has."""
    return next(((way, witness) for way in ways if (witness := way.witness(share)) is not None), None)


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
        """The ways in which an accuracy on this number of rows may have been computed; none if it has too few rows."""
        if self.published:
            return [Pooled(rows)]
        if self.test_share is not None:
            exact = rows * self.test_share
            sizes = dict.fromkeys((int(exact), -int(-exact // 1)))
            return [HoldOut(size, self.repeats, rows) for size in sizes if 0 < size < rows]
        if self.folds is not None and self.folds > rows:
            return []
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
    figures: Sequence[PrintedFigure], rows: Callable[[PrintedFigure], int | None], evaluation: Evaluation
) -> Iterator[Claim]:
    """A claim on each accuracy, and each share of errors, on a data set whose number of rows is known.

    A share above 100 % is impossible on any data set.

    rows : gives the number of rows of a figure's data set; None if it is unknown
    """
    for figure in figures:
        if figure.measure.share and figure.numbers().low > PER_CENT:
            proof = f"a share is at most {PER_CENT} %"
            yield Claim("granularity", [figure], Possibility.IMPOSSIBLE, proof, f"rounding: {figure.rounding}")
            continue
        number = rows(figure) if figure.measure.name in COUNTED and not figure.below else None
        if number is not None:
            yield _claim(figure, number, evaluation)


def _claim(figure: PrintedFigure, rows: int, evaluation: Evaluation) -> Claim:
    share, measure = figure.numbers().times(Fraction(1, PER_CENT)), figure.measure.name
    ways = evaluation.ways(rows)
    assumes = f"{evaluation.in_words(measure)}; all rows of the data set are used; rounding: {figure.rounding}"
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
