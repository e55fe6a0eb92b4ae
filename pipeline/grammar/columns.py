"""The columns of a summary table, each a few expressions of SQL and what is computed from them row by row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.summary.statistics import HALF_WIDTH_95, Estimate
from pipeline.summary.verdicts import Comparison, Tolerance, Verdict, verdicts

__all__ = ["Column", "Computed", "Key", "Known", "Mean", "Printed", "Row", "Value", "estimate_of"]

Row = dict[str, Any]

EXACT = Tolerance(rounding=0.0, share=0.0)
"""Of values that must be equal."""


@dataclass(frozen=True)
class Column:
    """A column, or several that belong together. Names that begin with `_` are computed and not shown.

    Parameters
    ----------
    name : str
        Heading.
    sql : str
        Expression; the name itself where it is empty.
    """

    name: str
    sql: str = ""

    @property
    def grouped(self) -> Mapping[str, str]:
        """Expressions that observations are grouped by, by name."""
        return {}

    @property
    def aggregates(self) -> Mapping[str, str]:
        """Aggregates over the observations of a row, by name."""
        return {}

    @property
    def joined(self) -> Mapping[str, str]:
        """Expressions over what the aggregates are joined with, by name."""
        return {}

    @property
    def shown(self) -> Sequence[str]:
        """The headings, in order."""
        return [self.name]

    def complete(self, rows: Sequence[Row]) -> None:
        """Compute what SQL does not: called once, with all rows."""


class Key(Column):
    """A column that tells rows apart: observations with the same values of all keys make a row."""

    @property
    def grouped(self) -> Mapping[str, str]:
        """The expression."""
        return {self.name: self.sql or self.name}


@dataclass(frozen=True)
class Value(Column):
    """An aggregate, such as `count(*)`; any value of the column of its name where no expression is given.

    Parameters
    ----------
    asked : bool
        Whether the question behind a row answers it.
    """

    asked: bool = True

    @property
    def aggregates(self) -> Mapping[str, str]:
        """The expression."""
        return {self.name: self.sql or f'any_value("{self.name}")'}


class Known(Column):
    """An expression over what the aggregates are joined with, such as a column of a printed table."""

    @property
    def joined(self) -> Mapping[str, str]:
        """The expression."""
        return {self.name: self.sql or self.name}


@dataclass(frozen=True)
class Mean(Column):
    """A sample mean with its 95 % normal interval; null without observations, without interval of a single one.

    Parameters
    ----------
    sql : str
        The observation; null where there is none.
    n, low, high : str
        Headings of the number of observations and of the ends of the interval; `""` for a column that is not shown.
    shown_as : str
        What is shown of the mean and of the ends, `$` standing for each, such as `pow(10, $)`.
    widened : str
        Factor of the standard error, as SQL.
    """

    n: str = "n"
    low: str = "low"
    high: str = "high"
    shown_as: str = "$"
    widened: str = ""

    @property
    def error(self) -> str:
        """The name of its standard error, which is not shown."""
        return f"_{self.name}_error"

    @property
    def aggregates(self) -> Mapping[str, str]:
        """Number, mean, standard error and interval."""
        value = self.sql or self.name
        error = f"stddev_samp({value}) / sqrt(count({value})){f' * {self.widened}' if self.widened else ''}"
        mean = f"favg({value})"
        found = {
            self.n: f"count({value})",
            self.name: self._as_shown(mean),
            self.low: self._as_shown(f"{mean} - {HALF_WIDTH_95} * {error}"),
            self.high: self._as_shown(f"{mean} + {HALF_WIDTH_95} * {error}"),
            self.error: error,
        }
        return {name: sql for name, sql in found.items() if name}

    @property
    def shown(self) -> Sequence[str]:
        """The headings."""
        return [name for name in (self.n, self.name, self.low, self.high) if name]

    def _as_shown(self, sql: str) -> str:
        return self.shown_as.replace("$", sql)


@dataclass(frozen=True)
class Printed(Column):
    """The printed value beside ours: the difference, the difference that does not matter, and a verdict.

    The verdict follows the rule of `pipeline.summary.verdicts`, over the rows that are compared.

    Parameters
    ----------
    name : str
        Name of the `Mean` that is compared.
    sql : str
        The printed value, over what the aggregates are joined with.
    tolerance : Tolerance
        Of the table.
    n : float
        Observations behind a printed value; it is taken to spread as ours does.
    compared : callable
        Whether a row has a verdict; all have by default.
    headings : sequence of str
        Headings of printed value, difference, tolerance and verdict; `""` for one that is not shown.
    """

    tolerance: Tolerance = EXACT
    n: float = float("inf")
    compared: Callable[[Row], bool] | None = None
    headings: Sequence[str] = ("printed", "difference", "tolerance", "verdict")

    @property
    def joined(self) -> Mapping[str, str]:
        """The printed value."""
        return {self.headings[0]: self.sql or self.headings[0]}

    @property
    def shown(self) -> Sequence[str]:
        """The headings."""
        return [name for name in self.headings if name]

    def complete(self, rows: Sequence[Row]) -> None:
        """Compare each row with its printed value, and judge all together."""
        printed, difference, tolerance, verdict = self.headings
        comparisons: list[Comparison | None] = []
        for row in rows:
            ours, theirs = estimate_of(row, self.name), row[printed]
            apart = ours.less(theirs, self.n) if ours and theirs is not None else None
            row[difference] = apart.mean if apart else None
            row[tolerance] = None if theirs is None else self.tolerance.of(theirs)
            judged = apart is not None and (self.compared is None or self.compared(row))
            row["_apart"] = apart if judged else None
            comparisons.append(Comparison.of(apart, row[tolerance]) if judged else None)
        for row, found in zip(rows, verdicts(comparisons), strict=True):
            row[verdict] = found or self._of_equal(row.pop("_apart"))

    def _of_equal(self, apart: Estimate | None) -> Verdict | None:
        """The verdict where observations have no spread: equal to the printed value as far as its digits show."""
        equal = apart is not None and apart.standard_error == 0 and abs(apart.mean) <= self.tolerance.rounding
        return Verdict.AGREES if equal else None


@dataclass(frozen=True)
class Computed(Column):
    """A value that a function computes from the other values of its row."""

    of: Callable[[Row], Any] = field(kw_only=True)

    def complete(self, rows: Sequence[Row]) -> None:
        """Compute it for each row."""
        for row in rows:
            row[self.name] = self.of(row)


def estimate_of(row: Row, mean: str, n: str = "n") -> Estimate | None:
    """The mean of a row with its standard error; None without observations. It is the mean as it is shown."""
    return None if row[mean] is None else Estimate(row[n], row[mean], row[f"_{mean}_error"])
