"""The columns of a summary table, each a few expressions of SQL and what is computed from them; SQL of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.summary.statistics import HALF_WIDTH_95, Estimate
from pipeline.summary.verdicts import Comparison, Tolerance, Verdict, verdicts
from pipeline.summary.verdicts import verdict as judge

__all__ = [
    "NAME",
    "TITLE",
    "Column",
    "Computed",
    "Key",
    "Known",
    "Mean",
    "MeanOfSums",
    "Printed",
    "Row",
    "Value",
    "estimate_of",
    "grouped",
    "titled",
]


Row = dict[str, Any]


def grouped(rows: Iterable[Row], *names: str) -> dict[Any, list[Row]]:
    """Rows by their value of a column, or by their values of several, in the order in which these come up."""
    found: dict[Any, list[Row]] = {}
    for row in rows:
        key = row[names[0]] if len(names) == 1 else tuple(row[name] for name in names)
        found.setdefault(key, []).append(row)
    return found


ROUNDING = 1e-12
"""Share of the largest observation, or of 1, up to which a standard deviation is rounding."""
CORRECTED = "corrected"
"""Heading of what printed values should be."""
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
    def asked(self) -> bool:
        """Whether the question behind a row answers it."""
        return True

    @property
    def grouped(self) -> Mapping[str, str]:
        """Expressions that observations are grouped by, by name."""
        return {}

    @property
    def aggregates(self) -> Mapping[str, str]:
        """Aggregates over the observations of a row, by name."""
        return {}

    @property
    def derived(self) -> Mapping[str, str]:
        """Expressions over the aggregates, by name."""
        return {name: name for name in self.aggregates}

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
    of_rows : bool
        Whether it needs what only the rows of the whole run have, such as `position`: no question answers it.
    """

    of_rows: bool = False

    @property
    def asked(self) -> bool:
        """Whether the question behind a row answers it."""
        return not self.of_rows

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
        The observation; null where it is missing.
    n, low, high : str
        Headings of the number of observations and of the ends of the interval; `""` for a column that is not shown.
    shown_as : str
        What is shown of the mean and of the ends, `$` standing for each, such as `pow(10, $)`; it may name other
        aggregates.
    widened : str
        Factor of the standard error, as SQL.
    alone : str
        The standard error of a single observation, as SQL; null by default.
    error : str
        Heading of the standard error; by default it is not shown.
    """

    n: str = "n"
    low: str = "low"
    high: str = "high"
    shown_as: str = "$"
    widened: str = ""
    alone: str = ""
    error: str = ""

    @property
    def aggregates(self) -> Mapping[str, str]:
        """Number, mean and standard error; a spread that is rounding is taken for none."""
        value = self.sql or self.name
        spread = f"stddev_samp({value})"
        spread = f"if({spread} > {ROUNDING} * greatest(1, max(abs({value}))), {spread}, {spread} * 0)"
        error = f"{spread} / sqrt(count({value})){f' * {self.widened}' if self.widened else ''}"
        found = {
            self.n: f"count({value})",
            f"_{self.name}_mean": f"favg({value})",
            f"_{self.name}_error": f"if(count({value}) = 1, {self.alone}, {error})" if self.alone else error,
        }
        return {name: sql for name, sql in found.items() if name}

    @property
    def derived(self) -> Mapping[str, str]:
        """The mean as it is shown, its interval, and the names of what they are made of."""
        mean, half = f"_{self.name}_mean", f"{HALF_WIDTH_95} * _{self.name}_error"
        found = {
            **{name: name for name in self.aggregates},
            self.name: self._as_shown(mean),
            self.error: f"_{self.name}_error",
            self.low: self._as_shown(f"({mean} - {half})"),
            self.high: self._as_shown(f"({mean} + {half})"),
        }
        return {name: sql for name, sql in found.items() if name}

    @property
    def shown(self) -> Sequence[str]:
        """The headings."""
        return [name for name in (self.n, self.name, self.error, self.low, self.high) if name]

    def _as_shown(self, sql: str) -> str:
        return self.shown_as.replace("$", sql)


@dataclass(frozen=True)
class MeanOfSums(Mean):
    """A `Mean` of observations that are counted and summed already, several in each row.

    Parameters
    ----------
    sql, number, squares : str
        Of a row the sum of its observations, how many they are, and the sum of their squares.
    """

    number: str = field(kw_only=True)
    squares: str = field(kw_only=True)

    @property
    def aggregates(self) -> Mapping[str, str]:
        """Number, mean and standard error; a spread that is rounding is taken for none."""
        number, squares = f"sum({self.number})::bigint", f"fsum({self.squares})"
        mean = f"fsum({self.sql}) / {number}"
        spread = f"{squares} - {number} * ({mean}) ** 2"
        spread = f"if({spread} > {ROUNDING} * {squares}, {spread}, 0)"
        error = f"if({number} > 1, sqrt({spread} / ({number} - 1) / {number}), null)"
        found = {self.n: number, f"_{self.name}_mean": mean, f"_{self.name}_error": error}
        return {name: sql for name, sql in found.items() if name}


@dataclass(frozen=True)
class Printed(Column):
    """The printed value beside ours: the difference, the difference that does not matter, and a verdict.

    The verdict follows the rule of `pipeline.summary.verdicts`, over the rows that are compared. A printed value that
    differs is a misprint where the value declared in its place agrees.

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
    ours : str
        Heading of the number of our observations.
    compared : callable
        Whether a row has a verdict; all have by default.
    limit : callable
        The largest difference that is not significant, of the difference; by default 5 % divided by the number of
        compared rows (Bonferroni) is the level of significance.
    corrected : str
        What the printed value should be, over what the aggregates are joined with; null where nobody has shown that
        it is wrong. Empty: of no row.
    rounding : str
        Name of a column with half a unit of the last printed digit, where that is not the same for the whole table.
    headings : sequence of str
        Headings of printed value, difference, tolerance and verdict, and of the limit before the verdict where there
        is one; `""` for one that is not shown.
    """

    tolerance: Tolerance = EXACT
    n: float = float("inf")
    ours: str = "n"
    compared: Callable[[Row], bool] | None = None
    limit: Callable[[Estimate], float] | None = None
    corrected: str = ""
    rounding: str = ""
    headings: Sequence[str] = ("printed", "difference", "tolerance", "verdict")

    @property
    def joined(self) -> Mapping[str, str]:
        """The printed value, and what it should be."""
        known = {CORRECTED: self.corrected} if self.corrected else {}
        return {self.headings[0]: self.sql or self.headings[0]} | known

    @property
    def shown(self) -> Sequence[str]:
        """The headings."""
        printed, *others = self.headings
        return [name for name in (printed, CORRECTED if self.corrected else "", *others) if name]

    def complete(self, rows: Sequence[Row]) -> None:
        """Compare each row with its printed value, and judge all together."""
        printed, difference, tolerance, *limits, verdict = self.headings
        apart: list[Estimate | None] = []
        for row in rows:
            ours, theirs = estimate_of(row, self.name, self.ours), row[printed]
            found = ours.less(theirs, self.n) if ours and theirs is not None else None
            row[difference] = found.mean if found else None
            row[tolerance] = None if theirs is None else self._tolerance(row).of(theirs)
            row.update({name: self.limit(found) if self.limit and found else None for name in limits})
            apart.append(found if self.compared is None or self.compared(row) else None)
        comparisons = [Comparison.of(found, row[tolerance]) for row, found in zip(rows, apart, strict=True)]
        judged = self._beside_limit(apart, comparisons) if self.limit else verdicts(comparisons)
        for row, found, judgement in zip(rows, apart, judged, strict=True):
            row[verdict] = judgement or self._of_equal(found, self._tolerance(row).rounding)
            if row[verdict] is Verdict.DIFFERS and self._is_misprint(row):
                row[verdict] = Verdict.MISPRINT

    def _is_misprint(self, row: Row) -> bool:
        """Whether the value that is declared in place of the printed one agrees with ours."""
        ours, right = estimate_of(row, self.name, self.ours), row[CORRECTED] if self.corrected else None
        if ours is None or right is None:
            return False
        found, tolerance = ours.less(right, self.n), self._tolerance(row)
        one = Comparison.of(found, tolerance.of(right))
        judged = judge(one.low, one.high, one.tolerance, differs=True) if one else None
        return (judged or self._of_equal(found, tolerance.rounding)) is Verdict.AGREES

    def _tolerance(self, row: Row) -> Tolerance:
        return replace(self.tolerance, rounding=row[self.rounding]) if self.rounding else self.tolerance

    def _beside_limit(
        self, apart: Sequence[Estimate | None], comparisons: Sequence[Comparison | None]
    ) -> Sequence[Verdict | None]:
        """The verdicts where a limit says which differences are significant."""
        return [
            judge(one.low, one.high, one.tolerance, differs=self._beyond(found)) if one and found else None
            for found, one in zip(apart, comparisons, strict=True)
        ]

    def _of_equal(self, apart: Estimate | None, rounding: float) -> Verdict | None:
        """The verdict where observations have no spread: equal to the printed value as far as its digits show."""
        if apart is None or apart.standard_error != 0:
            return None
        if self._beyond(apart):
            return Verdict.DIFFERS
        return Verdict.AGREES if abs(apart.mean) <= rounding else None

    def _beyond(self, apart: Estimate) -> bool:
        return self.limit is not None and abs(apart.mean) > self.limit(apart)


@dataclass(frozen=True)
class Computed(Column):
    """A value that a function computes from the other values of its row."""

    of: Callable[[Row], Any] = field(kw_only=True)

    def complete(self, rows: Sequence[Row]) -> None:
        """Compute it for each row."""
        for row in rows:
            row[self.name] = self.of(row)


def estimate_of(row: Row, mean: str, n: str = "n") -> Estimate | None:
    """The mean of a row with its standard error, before `shown_as`; None without observations."""
    found = row[f"_{mean}_mean"]
    return None if found is None else Estimate(row[n], found, row[f"_{mean}_error"])


NAME = "if(builder = 'greedy', impurity_type || '/' || uncertainty, builder)"
"""What built a tree for a table is called: its heuristic, or its name."""
TITLE = "if(part = 'all', source, source || ' (' || part || ')')"
"""What a data set is called: its source, and its part where that is not the whole."""


def titled(row: Mapping[str, Any]) -> str:
    """What the data set of a row is called, as `TITLE` has it."""
    return str(row["source"]) if row["part"] == "all" else f"{row['source']} ({row['part']})"
