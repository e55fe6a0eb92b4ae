"""SQL of what summaries make of rows, for the questions behind their tables."""

from __future__ import annotations

from pipeline.sql import literal as sql_literal
from pipeline.summary.statistics import HALF_WIDTH_95

__all__ = ["NAME", "TITLE", "excess_over", "literal", "mean_with_interval"]

NAME = "if(builder = 'greedy', impurity_type || '/' || uncertainty, builder)"
"""What built a tree for a table is called: its heuristic, or its name."""
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
