"""SQL of what summaries make of rows, for the questions behind their tables."""

from __future__ import annotations

from pipeline.summaries.statistics import HALF_WIDTH_95

__all__ = ["WHERE_ITS_SOURCE", "excess_over", "mean_with_interval"]

WHERE_ITS_SOURCE = "where source = {source} and part = {part}"
"""The rows of the data set of a row of a summary table."""


def mean_with_interval(value: str, mean: str, low: str = "low", high: str = "high") -> str:
    """The mean of a value and the ends of its 95 % normal interval by these names, those of `statistics.Estimate`."""
    half = f"{HALF_WIDTH_95} * stddev_samp({value}) / sqrt(count({value}))"
    return f"avg({value}) as {mean}, avg({value}) - {half} as {low}, avg({value}) + {half} as {high}"


def excess_over(least: str, found: str) -> str:
    """How far a cost is above its minimum, as a share of that; 0 where the minimum is 0."""
    return f"if({least} = 0, 0, ({found} - {least}) / {least})"
