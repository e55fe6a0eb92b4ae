"""A printed figure: what it measures, its text, and the numbers that are rounded to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from pipeline.printed_table.measures import Measure

MEAN = "mean"
"""The source of a figure that is the mean of its column."""
ALL = "all"
"""The source of a figure of the whole table, such as a critical difference."""
LEFT_OUT = "-"
"""Stands for a column that is left out, or for a data set that is not rerun."""
PER_CENT = 100


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
class PrintedFigure:
    """A figure of a printed table.

    line, column       : its position in the file: the line number from 1, and the heading of the column
    source, builder    : its data set and builder as printed; the source may be MEAN or ALL
    measure            : what it measures
    text               : as it is printed
    value              : its number; shares are in percent
    digits             : digits after the point of `value`; negative if the last printed digit counts tens or more
    below              : whether it is an upper bound, as `< 0.05`
    standard_deviation : the standard deviation beside it, in the same unit
    n                  : number of rows of its data set, if the table has it
    note               : a remark of whoever typed the table
    known              : our name of its data set, if the table has it
    classes            : number of classes that its data set declares, if the table has it
    corrected          : the right value, if the note proves that the figure is a misprint
    percent            : its text in percent, if it is printed from 0 to 1; else empty
    rounding           : how numbers are rounded to it
    """

    line: int
    column: str
    source: str
    builder: str
    measure: Measure
    text: str
    value: Fraction
    digits: int
    below: bool = False
    standard_deviation: Fraction | None = None
    n: int | None = None
    note: str = ""
    known: str = ""
    classes: int | None = None
    corrected: Fraction | None = None
    percent: str = ""
    rounding: Rounding = Rounding.NEAREST

    @property
    def where(self) -> str:
        """Its line and column."""
        return f"line {self.line}, column {self.column}"

    @property
    def named(self) -> str:
        """Its data set, builder, measure and text: `Iris, C4.5, accuracy 94.4`."""
        return f"{', '.join(filter(None, (self.source, self.builder, self.measure.name)))} {self.text}"

    @property
    def shown(self) -> str:
        """Its text, in percent if it is printed from 0 to 1: `94.4` for 0.944."""
        return self.percent or self.text

    def numbers(self, rounding: Rounding | None = None) -> Interval:
        """The numbers that are printed as this figure, by default with its own rounding."""
        return rounded_from(self.value, self.digits, rounding or self.rounding)


@dataclass(frozen=True)
class PrintedTable:
    """The figures of a printed table.

    file    : the CSV that it was read from
    figures : in the order of the file's rows and columns
    remarks : a line for each thing that was left out, or read otherwise than written
    unread  : number of things that were left out, most of them cells
    """

    file: Path
    figures: tuple[PrintedFigure, ...]
    remarks: tuple[str, ...] = ()
    unread: int = 0
