"""SQL of what summaries make of rows, for the questions behind their tables."""

from __future__ import annotations

from pipeline.sql import literal as sql_literal
from pipeline.summary.statistics import HALF_WIDTH_95

__all__ = ["TITLE", "WHERE_ITS_SOURCE", "excess_over", "literal", "mean_with_interval", "paired_builders"]

WHERE_ITS_SOURCE = "where source = {source} and part = {part}"
"""The rows of the data set of a row of a summary table."""


TITLE = "if(part = 'all', source, source || ' (' || part || ')')"
"""What a data set is called: its source, and its part where that is not the whole."""


def mean_with_interval(
    value: str, mean: str, low: str = "low", high: str = "high", *, shown: str = "$", widened: str = ""
) -> str:
    """The mean of a value and the ends of its 95 % normal interval by these names, those of `statistics.Estimate`.

    shown   : what is made of each of the three, `$` standing for it
    widened : a factor of the standard error, such as ` * 2`
    """
    half = f"{HALF_WIDTH_95} * stddev_samp({value}) / sqrt(count({value})){widened}"
    ends = {mean: f"avg({value})", low: f"avg({value}) - {half}", high: f"avg({value}) + {half}"}
    return ", ".join(f"{shown.replace('$', end)} as {name}" for name, end in ends.items())


def excess_over(least: str, found: str) -> str:
    """How far a cost is above its minimum, as a share of that; 0 where the minimum is 0."""
    return f"if({least} = 0, 0, ({found} - {least}) / {least})"


def literal(text: str) -> str:
    """A text as a question has it; no slot is seen in it, whatever it holds."""
    return sql_literal(text).replace("{", "{{").replace("}", "}}")


def paired_builders(
    left: str, right: str, measures: str, pair: str, columns: str, *, by_split: str = "false", among: str = "true"
) -> str:
    """Columns over pairs of two builders' measures, as `standings` compares them.

    A pair is of a data set on which no split of either failed; where `by_split` holds, of a split that neither failed
    on.

    left, right, by_split : SQL, such as a slot
    measures              : what each has of its rows, as columns
    pair                  : what a pair has of these, `l` and `r`, as columns
    among                 : which result rows count
    """
    return (
        f"with measured as (\n  select source, part, builder, if({by_split}, repeat, 0) as repeat, "
        f"if({by_split}, fold, 0) as fold, bool_and(status = 'ok') as good,\n    {measures}\n"
        f"  from results where builder in ({left}, {right}) and {among}\n  group by all),\n"
        f"pairs as (\n  select {pair}\n  from measured l join measured r using (source, part, repeat, fold)\n"
        f"  where l.builder = {left} and r.builder = {right} and l.good and r.good)\n"
        f"select count(*) as n, {columns}\nfrom pairs"
    )
