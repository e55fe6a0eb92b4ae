"""The columns of a summary table: each is a few SQL expressions, and values computed from their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.sql import identifier
from pipeline.summary.statistics import ALIKE, HALF_WIDTH_95, Estimate, holm
from pipeline.summary.verdicts import Comparison, Tolerance, Verdict, verdicts
from pipeline.summary.verdicts import verdict as judge

Row = dict[str, Any]


def grouped(rows: Iterable[Row], *names: str) -> dict[Any, list[Row]]:
    """Group rows by the value of one column, or by a tuple of several, in order of first appearance."""
    result: dict[Any, list[Row]] = {}
    for row in rows:
        key = row[names[0]] if len(names) == 1 else tuple(row[name] for name in names)
        result.setdefault(key, []).append(row)
    return result


def adjust(tests: Sequence[Row], p: str = "p") -> None:
    """Fill in `p_holm`, each test's p after Holm's correction over all of them."""
    for row, adjusted in zip(tests, holm([row[p] for row in tests]), strict=True):
        row["p_holm"] = adjusted


ROUNDING = 1e-12
"""A standard deviation below this share of the largest observation (or of 1) counts as rounding error."""
CORRECTED = "corrected"
"""Heading of the values that should have been printed."""
NO_TOLERANCE = Tolerance(rounding=0.0, share=0.0)
"""For values that must be equal."""


@dataclass(frozen=True)
class Column:
    """A column, or several that belong together. A name that begins with `_` is computed but not shown.

    A plain `Column` has no SQL: it is empty unless the `complete` of its table fills it in.

    Parameters
    ----------
    name : str
        Heading.
    sql : str
        Expression. If empty, the name itself.
    of_rows : bool
        Whether it needs a value that exists only while the whole run is summarised, such as `position`. The query
        behind a row then leaves it out.
    """

    name: str
    sql: str = ""
    of_rows: bool = False

    @property
    def grouped(self) -> Mapping[str, str]:
        """Expressions to group observations by, keyed by name."""
        return {}

    @property
    def aggregates(self) -> Mapping[str, str]:
        """Aggregates over the observations of a row, keyed by name."""
        return {}

    @property
    def derived(self) -> Mapping[str, str]:
        """Expressions over the aggregates, keyed by name."""
        return {name: name for name in self.aggregates}

    @property
    def joined(self) -> Mapping[str, str]:
        """Expressions over the tables joined to the aggregates, keyed by name."""
        return {}

    @property
    def shown(self) -> Sequence[str]:
        """The headings, in order."""
        return [self.name]

    def complete(self, rows: Sequence[Row]) -> None:
        """Compute the values that SQL does not. Called once, with all rows."""


class Key(Column):
    """A column that identifies a row: observations with equal keys form one row."""

    @property
    def grouped(self) -> Mapping[str, str]:
        """The expression."""
        return {self.name: self.sql or self.name}


class Value(Column):
    """An aggregate, such as `count(*)`. Without an expression, any value of the column of its name."""

    @property
    def aggregates(self) -> Mapping[str, str]:
        """The expression."""
        return {self.name: self.sql or f'any_value("{self.name}")'}


class Known(Column):
    """An expression over the tables joined to the aggregates, such as a column of a printed table."""

    @property
    def joined(self) -> Mapping[str, str]:
        """The expression."""
        return {self.name: self.sql or self.name}


@dataclass(frozen=True)
class Mean(Column):
    """A sample mean with its 95 % normal interval. Without observations it is null; one observation has no interval.

    Parameters
    ----------
    sql : str
        The observation; null if missing.
    n, low, high : str
        Headings of the number of observations and of the ends of the interval; `""` hides a column.
    shown_as : str
        How the mean and the ends are shown: an expression in which `$` is the value, such as `pow(10, $)`. It may name
        other aggregates.
    widened : str
        Factor of the standard error, as SQL.
    alone : str
        The standard error of a single observation, as SQL; null by default.
    error : str
        Heading of the standard error. By default it is hidden.
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
        """Number, mean and standard error; a spread that is rounding error becomes 0."""
        value = self.sql or self.name
        spread = f"stddev_samp({value})"
        spread = f"if({spread} > {ROUNDING} * greatest(1, max(abs({value}))), {spread}, {spread} * 0)"
        error = f"{spread} / sqrt(count({value})){f' * {self.widened}' if self.widened else ''}"
        result = {
            self.n: f"count({value})",
            f"_{self.name}_mean": f"favg({value})",
            f"_{self.name}_error": f"if(count({value}) = 1, {self.alone}, {error})" if self.alone else error,
        }
        return {name: sql for name, sql in result.items() if name}

    @property
    def derived(self) -> Mapping[str, str]:
        """The mean as shown, its interval, and the aggregates behind them."""
        mean, error = (
            each if each.isidentifier() else identifier(each) for each in (f"_{self.name}_mean", f"_{self.name}_error")
        )
        half = f"{HALF_WIDTH_95} * {error}"
        result = {
            **{name: name for name in self.aggregates},
            self.name: self._as_shown(mean),
            self.error: error,
            self.low: self._as_shown(f"({mean} - {half})"),
            self.high: self._as_shown(f"({mean} + {half})"),
        }
        return {name: sql for name, sql in result.items() if name}

    @property
    def shown(self) -> Sequence[str]:
        """The headings."""
        return [name for name in (self.n, self.name, self.error, self.low, self.high) if name]

    def _as_shown(self, sql: str) -> str:
        return self.shown_as.replace("$", sql)


@dataclass(frozen=True)
class MeanOfSums(Mean):
    """A `Mean` of observations that are already summed, so that each input row has several.

    Parameters
    ----------
    sql, number, squares : str
        The sum of a row's observations, their number, and the sum of their squares.
    """

    number: str = field(kw_only=True)
    squares: str = field(kw_only=True)

    @property
    def aggregates(self) -> Mapping[str, str]:
        """Number, mean and standard error; a spread that is rounding error becomes 0."""
        number, squares = f"sum({self.number})::bigint", f"fsum({self.squares})"
        mean = f"fsum({self.sql}) / {number}"
        spread = f"{squares} - {number} * ({mean}) ** 2"
        spread = f"if({spread} > {ROUNDING} * {squares}, {spread}, 0)"
        error = f"if({number} > 1, sqrt({spread} / ({number} - 1) / {number}), null)"
        result = {self.n: number, f"_{self.name}_mean": mean, f"_{self.name}_error": error}
        return {name: sql for name, sql in result.items() if name}


@dataclass(frozen=True)
class Printed(Column):
    """The printed value beside ours: the difference with its 95 % interval, the tolerance, and a verdict.

    The ends of the interval have the heading of the difference with `_low` and `_high`. The verdict follows the rule of
    `pipeline.summary.verdicts`, over the rows that are compared. A printed value that differs is a misprint if the
    declared correction agrees with ours.

    Parameters
    ----------
    name : str
        Name of the compared `Mean`.
    sql : str
        The printed value: an expression over the tables joined to the aggregates.
    tolerance : Tolerance
        Of the whole table.
    n : float
        Number of observations behind a printed value. They are assumed to vary as much as ours.
    ours : str
        Heading of the number of our observations.
    compared : callable
        Whether a row gets a verdict. By default all rows do.
    limit : callable
        Computes the largest difference that is not significant from the estimated difference. By default the level of
        significance is 5 % divided by the number of compared rows (Bonferroni).
    corrected : str
        What the value should have been, as an expression over the joined tables; null unless the printed value is
        proved wrong. Empty if no row has a correction.
    rounding : str
        Name of a column with half a unit of the last printed digit, if that varies within the table.
    headings : sequence of str
        Headings of the printed value, the difference, the tolerance, the limit (if there is one) and the verdict.
    """

    tolerance: Tolerance = NO_TOLERANCE
    n: float = float("inf")
    ours: str = "n"
    compared: Callable[[Row], bool] | None = None
    limit: Callable[[Estimate], float] | None = None
    corrected: str = ""
    rounding: str = ""
    headings: Sequence[str] = ("printed", "difference", "tolerance", "verdict")

    @property
    def joined(self) -> Mapping[str, str]:
        """The printed value and its correction."""
        correction = {CORRECTED: self.corrected} if self.corrected else {}
        return {self.headings[0]: self.sql or self.headings[0]} | correction

    @property
    def shown(self) -> Sequence[str]:
        """The headings."""
        printed, difference, *others = self.headings
        return [printed, *([CORRECTED] if self.corrected else []), difference, *ends_of(difference), *others]

    def complete(self, rows: Sequence[Row]) -> None:
        """Compare each row with its printed value, then judge all rows together."""
        printed, difference, tolerance, *limits, verdict = self.headings
        low, high = ends_of(difference)
        differences: list[Estimate | None] = []
        for row in rows:
            ours, value = estimate_of(row, self.name, self.ours), row[printed]
            estimate = ours.less(value, self.n) if ours and value is not None else None
            row[difference] = estimate.mean if estimate else None
            row[low], row[high] = (estimate.low, estimate.high) if estimate else (None, None)
            row[tolerance] = None if value is None else self._tolerance(row).of(value)
            row.update({name: self.limit(estimate) if self.limit and estimate else None for name in limits})
            differences.append(estimate if self.compared is None or self.compared(row) else None)
        compared = [Comparison.of(estimate, row[tolerance]) for row, estimate in zip(rows, differences, strict=True)]
        for row, estimate, each, by_chance in zip(rows, differences, compared, verdicts(compared), strict=True):
            row[verdict] = self._verdict(row, estimate, each, differs=by_chance is Verdict.DIFFERS)
            if row[verdict] is Verdict.DIFFERS and self._is_misprint(row):
                row[verdict] = Verdict.MISPRINT

    def _is_misprint(self, row: Row) -> bool:
        """Whether the declared correction agrees with our value."""
        ours, corrected = estimate_of(row, self.name, self.ours), row[CORRECTED] if self.corrected else None
        if ours is None or corrected is None:
            return False
        difference = ours.less(corrected, self.n)
        compared = Comparison.of(difference, self._tolerance(row).of(corrected))
        return self._verdict(row, difference, compared, differs=True) is Verdict.AGREES

    def _tolerance(self, row: Row) -> Tolerance:
        return replace(self.tolerance, rounding=row[self.rounding]) if self.rounding else self.tolerance

    def _verdict(
        self, row: Row, difference: Estimate | None, compared: Comparison | None, *, differs: bool
    ) -> Verdict | None:
        """The verdict on a value; if observations are equal, it agrees if they equal the value within its rounding.

        differs : whether the difference is significant, unless `limit` says that
        """
        if difference is None:
            return None
        if self.limit:
            differs = abs(difference.mean) > self.limit(difference) + ALIKE
        if compared:
            return judge(compared.low, compared.high, compared.tolerance, differs=differs)
        if difference.standard_error != 0:
            return None
        if self.limit and differs:
            return Verdict.DIFFERS
        return Verdict.AGREES if abs(difference.mean) <= self._tolerance(row).rounding + ALIKE else None


@dataclass(frozen=True)
class Computed(Column):
    """A value computed by a function from the other values of its row."""

    of: Callable[[Row], Any] = field(kw_only=True)

    def complete(self, rows: Sequence[Row]) -> None:
        """Compute the value for each row."""
        for row in rows:
            row[self.name] = self.of(row)


def ends_of(difference: str) -> tuple[str, str]:
    """Headings of the ends of a difference's 95 % interval."""
    return f"{difference}_low", f"{difference}_high"


def estimate_of(row: Row, mean: str, n: str = "n") -> Estimate | None:
    """The mean of a row with its standard error, before `shown_as` is applied; None without observations."""
    value = row[f"_{mean}_mean"]
    return None if value is None else Estimate(row[n], value, row[f"_{mean}_error"])


NAME = "if(builder = 'greedy', impurity_type || '/' || uncertainty, builder)"
"""SQL: the name of what built a tree, a heuristic or a builder."""
TITLE = "if(part = 'all', source, source || ' (' || part || ')')"
"""SQL: the title of a data set, its source and, unless it is the whole, its part."""


def titled(row: Mapping[str, Any]) -> str:
    """The title of a row's data set, as `TITLE` computes it."""
    return str(row["source"]) if row["part"] == "all" else f"{row['source']} ({row['part']})"


COSTS = tuple(COST_FUNCTIONS)
"""The names of the five cost functions, in the order of the tables of Alkhalid et al. 2013."""

SHORT_NAMES = {
    "average_depth": "avg depth",
    "depth": "depth",
    "nodes": "nodes",
    "nonterminal_nodes": "nonterm.",
    "terminal_nodes": "terminal",
}
"""Short headings for them."""

NEGLIGIBLE = 1e-12
"""Relative differences of average depths up to this are rounding errors."""


def excess(cost: str, least: str) -> str:
    """SQL of the excess of a cost over its minimum, as a share of the minimum: 0 if both are equal, null above 0."""
    return f"if(abs({cost} - {least}) <= {NEGLIGIBLE!r} * {least}, 0, ({cost} - {least}) / nullif({least}, 0))"
