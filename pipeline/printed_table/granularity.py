"""Which printed shares can be a count of rows divided by a number of rows: the granularity of accuracies.

A share of n rows is a multiple of 1/n, so that most numbers of two decimals are no share of 60 rows. Brown and Heathers
(2017), *The GRIM Test*, Social Psychological and Personality Science 8(4), test means of counts in this way. Here the
means of fold accuracies, whose folds may differ by a row, are tested as well. All tests are exact: in whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

USUAL_FOLDS = (10, 5, 3, 2)
USUAL_TEST_SHARES = tuple(Fraction(*share) for share in ((1, 3), (34, 100), (3, 10), (1, 4), (1, 5), (1, 10), (1, 2)))
MOST_PASSES = 100
COUNTED = {"accuracy": "right", "error": "wrong"}
"""The rows that are counted, by the name of the measure."""


class Rounding(StrEnum):
    """How a share is rounded to the printed number.

    nearest   : to the nearest number with these digits; half a unit either way
    half_up   : to the nearest; half a unit upwards
    half_even : to the nearest; half a unit to the even digit
    truncated : further digits are cut off
    any       : by any of these
    """

    NEAREST = "nearest"
    HALF_UP = "half_up"
    HALF_EVEN = "half_even"
    TRUNCATED = "truncated"
    ANY = "any"


@dataclass(frozen=True)
class Interval:
    """The numbers from low to high; `with_low` and `with_high` say whether the ends belong to it."""

    low: Fraction
    high: Fraction
    with_low: bool = True
    with_high: bool = True

    def times(self, factor: Fraction | int) -> Interval:
        """The interval of its numbers multiplied by a positive factor."""
        return Interval(self.low * factor, self.high * factor, self.with_low, self.with_high)

    def at_most(self, number: Fraction) -> bool:
        """Whether one of its numbers is at most this one."""
        return self.low < number or (self.low == number and self.with_low)

    def at_least(self, number: Fraction) -> bool:
        """Whether one of its numbers is at least this one."""
        return self.high > number or (self.high == number and self.with_high)

    @property
    def integers(self) -> tuple[int, int]:
        """The least and the greatest whole number in the interval; in reverse order if it contains none."""
        low, high = math.ceil(self.low), math.floor(self.high)
        return low + (low == self.low and not self.with_low), high - (high == self.high and not self.with_high)


def rounded_from(value: Fraction, digits: int, rounding: Rounding = Rounding.NEAREST) -> Interval:
    """The numbers that are printed as `value` with this number of digits after the point.

    value  : at least 0, a multiple of 10^-digits
    digits : negative if tens, hundreds and so on are the last printed digit
    """
    unit = Fraction(1, 10) ** digits
    if rounding is Rounding.TRUNCATED:
        return Interval(value, value + unit, with_high=False)
    low, high = value - unit / 2, value + (unit if rounding is Rounding.ANY else unit / 2)
    even = int(value / unit) % 2 == 0
    ends = {
        Rounding.NEAREST: (True, True),
        Rounding.HALF_UP: (True, False),
        Rounding.HALF_EVEN: (even, even),
        Rounding.ANY: (True, False),
    }
    return Interval(low, high, *ends[rounding])


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
