"""A printed figure: what it measures, its text, and the numbers that are rounded to it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from pipeline.printed_table.granularity import Interval, Rounding, rounded_from
from pipeline.printed_table.measures import Measure

MEAN = "mean"
"""The source of a figure that is the mean of its column."""
ALL = "all"
"""The source of a figure of the whole table, such as a critical difference."""
LEFT_OUT = "-"
"""Stands for a column that is left out, or for a data set that is not rerun."""
PER_CENT = 100


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

    def numbers(self, rounding: Rounding = Rounding.NEAREST) -> Interval:
        """The numbers that are printed as this figure."""
        return rounded_from(self.value, self.digits, rounding)


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
