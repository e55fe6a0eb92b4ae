"""A printed figure: what it is of, its text, and the numbers that may be behind it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from pipeline.printed_table.granularity import Interval, Rounding, rounded_from
from pipeline.printed_table.measures import Measure

__all__ = ["ALL", "LEFT_OUT", "MEAN", "PER_CENT", "PrintedFigure", "PrintedTable"]

MEAN = "mean"
"""The source of a figure that is the mean of its column."""
ALL = "all"
"""The source of a figure that is of the whole table, such as a critical difference."""
LEFT_OUT = "-"
"""What a column, or a data set that is not to be rerun, stands for."""
PER_CENT = 100


@dataclass(frozen=True)
class PrintedFigure:
    """A figure of a printed table.

    line, column       : where it is in its file: the line from 1, the heading of the column
    source, builder    : what it is of, as it is printed; of the first also MEAN and ALL
    measure            : what it measures
    text               : as it is printed
    value              : its number, a share in percent
    digits             : after the point of `value`; negative where the last printed digit is a ten
    below              : whether it says that the number is less than this, as `< 0.05`
    standard_deviation : printed beside it, in its unit
    n                  : rows of its data set, where the table has them
    note               : a remark of whoever typed the table
    known              : our name of its data set, where the table has it
    classes            : that its data set declares, where the table has them
    corrected          : what it should be, where the note proves that it is a misprint
    percent            : its text in percent, where it is printed from 0 to 1; else empty
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
        """What it is of: `Iris, C4.5, accuracy 94.4`."""
        return f"{', '.join(filter(None, (self.source, self.builder, self.measure.name)))} {self.text}"

    @property
    def shown(self) -> str:
        """As it is printed, or in percent where it is printed from 0 to 1: `94.4` of 0.944."""
        return self.percent or self.text

    def numbers(self, rounding: Rounding = Rounding.NEAREST) -> Interval:
        """The numbers that are printed as it is."""
        return rounded_from(self.value, self.digits, rounding)


@dataclass(frozen=True)
class PrintedTable:
    """A printed table as it was read.

    file    : it was read from
    figures : in the order of the file's rows and columns
    remarks : a line for each thing that was left out or read in another way than it is written
    unread  : how many things were left out, most of them cells
    """

    file: Path
    figures: tuple[PrintedFigure, ...]
    remarks: tuple[str, ...] = ()
    unread: int = 0
