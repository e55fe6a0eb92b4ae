"""The figures that "Greedy Algorithms and Dynamic Programming" prints in its Tables 1 to 5."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from statistics import fmean

__all__ = ["GROUP_SIZE", "POOLED_SIZE", "Means", "best_two", "heuristics", "mean_relative_differences", "pooled"]

Means = dict[tuple[int | None, str, str], float]
"""Mean relative differences by group (from 1; None for all), heuristic (`type/uncertainty`) and cost function."""

GROUP_SIZE = 10_000
"""Decision tables behind each figure of Tables 1 to 4."""

POOLED_SIZE = 40_000
"""Decision tables behind the mean of a figure over Tables 1 to 4."""


@cache
def mean_relative_differences() -> Means:
    """The figures of Tables 1 to 4, one table for each group."""
    return {
        (int(row["table"]), f"{row['impurity_type']}/{row['uncertainty']}", row["cost_function"]): float(
            row["mean_relative_difference"]
        )
        for row in _rows("greedy_vs_dp_tables_1_to_4.csv")
    }


@cache
def pooled() -> Means:
    """The means of the figures over Tables 1 to 4."""
    printed = mean_relative_differences()
    cells = dict.fromkeys((heuristic, cost) for _, heuristic, cost in printed)
    return {(None, *cell): fmean(value for key, value in printed.items() if key[1:] == cell) for cell in cells}


@cache
def best_two() -> dict[str, tuple[str, str]]:
    """Table 5: the best two heuristics by cost, as listed."""
    listed = {
        (row["cost_function"], int(row["listed_position"])): f"{row['impurity_type']}/{row['uncertainty']}"
        for row in _rows("greedy_vs_dp_table_5.csv")
    }
    return {cost: (listed[cost, 1], listed[cost, 2]) for cost in dict.fromkeys(cost for cost, _ in listed)}


def heuristics() -> tuple[str, ...]:
    """The 16 heuristics, in the order of Tables 1 to 4."""
    return tuple(dict.fromkeys(heuristic for _, heuristic, _ in mean_relative_differences()))


def _rows(name: str) -> list[dict[str, str]]:
    """The rows of a printed table."""
    text = resources.files(__package__).joinpath("printed", name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
