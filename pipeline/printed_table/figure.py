"""A printed figure: what it is of, its text, and the numbers that may be behind it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from pipeline.errors import no_choice
from pipeline.printed_table.granularity import Interval, Rounding, rounded_from

__all__ = ["ALL", "LEFT_OUT", "MEAN", "PER_CENT", "Measure", "PrintedFigure", "PrintedTable", "measure_named"]

MEAN = "mean"
"""The source of a figure that is the mean of its column."""
ALL = "all"
"""The source of a figure that is of the whole table, such as a critical difference."""
LEFT_OUT = "-"
"""What a column, or a data set that is not to be rerun, stands for."""
PER_CENT = 100


@dataclass(frozen=True)
class Measure:
    """What a figure measures.

    name    : as result rows call it where they have it
    meaning : in words
    share   : whether it is a share of rows, in percent or from 0 to 1
    column  : SQL of it over a result row, a share in percent; empty: no run has it
    """

    name: str
    meaning: str
    share: bool = False
    column: str = ""


_MEASURES = (
    Measure("accuracy", "share of test rows predicted rightly", share=True, column="100 * test_accuracy"),
    Measure("error", "share of test rows predicted wrongly", share=True, column="100 * (1 - test_accuracy)"),
    Measure("train_accuracy", "share of training rows predicted rightly", share=True, column="100 * train_accuracy"),
    Measure("train_error", "share of training rows predicted wrongly", share=True, column="100 * (1 - train_accuracy)"),
    Measure("nodes", "nodes of the tree", column="nodes"),
    Measure("nonterminal_nodes", "nodes that are split", column="nonterminal_nodes"),
    Measure("terminal_nodes", "leaves", column="terminal_nodes"),
    Measure("depth", "edges from the root to the deepest leaf", column="depth"),
    Measure("average_depth", "mean edges from the root to the leaf of a row", column="average_depth"),
    Measure("rank", "rank by accuracy, 1 the most accurate"),
    *(
        Measure(name, f"data sets on which one builder {what}")
        for name, what in (
            ("wins", "is the more accurate"),
            ("ties", "is as accurate"),
            ("losses", "is the less accurate"),
        )
    ),
    Measure("critical_difference", "of average ranks, by Nemenyi's test at 5 %"),
    Measure("friedman", "Friedman's chi-squared over the accuracies"),
    Measure("friedman_p", "the p of Friedman's test"),
    Measure("sign_p", "the two-sided p of the sign test of two builders"),
    Measure("wilcoxon_p", "the two-sided p of Wilcoxon's signed-rank test of two builders"),
)
_OTHER_NAMES = {
    "test_accuracy": "accuracy",
    "acc": "accuracy",
    "error_rate": "error",
    "test_error": "error",
    "size": "nodes",
    "leaves": "terminal_nodes",
    "p_friedman": "friedman_p",
    "p_sign": "sign_p",
    "p_wilcoxon": "wilcoxon_p",
    "cd": "critical_difference",
}
MEASURES = {one.name: one for one in _MEASURES}


def measure_named(name: str) -> Measure | str:
    """Return the measure with this name, whatever its blanks and capitals, or an error message if there is none."""
    plain = "_".join(name.lower().replace("-", " ").replace("_", " ").split())
    found = MEASURES.get(_OTHER_NAMES.get(plain, plain))
    return found or no_choice("measure", name, MEASURES)


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

    @property
    def where(self) -> str:
        """Its line and column."""
        return f"line {self.line}, column {self.column}"

    @property
    def named(self) -> str:
        """What it is of: `Iris, C4.5, accuracy 94.4`."""
        return f"{', '.join(filter(None, (self.source, self.builder, self.measure.name)))} {self.text}"

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
