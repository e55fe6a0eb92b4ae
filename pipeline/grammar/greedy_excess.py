"""What tables of greedy heuristics beside the minima share: mean excess, the nearest heuristics, tables left out."""

from __future__ import annotations

from functools import partial

from pipeline.grammar.columns import Key, Known, MeanOfSums, Row
from pipeline.grammar.costs import COSTS
from pipeline.grammar.findings import listed
from pipeline.grammar.random_table_gaps import BY_PART
from pipeline.grammar.random_table_gaps import VIEWS as GAPS
from pipeline.grammar.sources import EXACT
from pipeline.grammar.summary import Summary
from pipeline.screen import counted
from pipeline.summary.statistics import Estimate

__all__ = [
    "HEURISTIC",
    "IN_ORDER",
    "LEFT_OUT",
    "MEAN",
    "gap_of",
    "left_out",
    "level_with_next",
    "mean_of",
    "name_of",
    "percent",
    "ranked",
    "summary_of_excess",
    "views",
]

summary_of_excess = partial(Summary, by_part=BY_PART, constants={"costs": COSTS}, cell="", nothing="")
"""A summary of heuristics on random tables, but for its tables and what is said of them."""

MEAN = MeanOfSums(
    "mean_relative_difference",
    "total / greatest(least, 1)",
    n="tables",
    error="standard_error",
    number="tables",
    squares="squares / greatest(least, 1) ** 2",
)
"""Of (greedy - minimum) / minimum; 0 where the minimum is 0, a single leaf."""

HEURISTIC = (Key("impurity_type", "split_part(heuristic, '/', 1)"), Key("uncertainty", "split_part(heuristic, '/', 2)"))
NAME = "ours.impurity_type || '/' || ours.uncertainty"
IN_ORDER = f"""ours join heuristics h on h.name = {NAME} join costs c on c.name = ours.cost_function
cross join left_out"""
"""The aggregates with the place of their heuristic and cost, and what is left out."""

LEFT_OUT = tuple(Known(name) for name in ("_left_out", "_lost", "_without"))
"""Columns of `IN_ORDER` that `left_out` puts into words."""


def views(*keys: str) -> dict[str, str]:
    """The views of random tables, and the paired differences of heuristics by these keys and the cost."""
    by = ", ".join([*keys, "cost_function"])
    mean, error = (MEAN.aggregates[f"_{MEAN.name}_{which}"] for which in ("mean", "error"))
    return {
        **GAPS,
        "one_way": f"""select {by}, heuristic, other, {mean} as mean, {error} as error
from gaps semi join kept using (source, "group", failed) where other <> '{EXACT}' group by all""",
        "paired": f"""from one_way union all by name
select {by}, other as heuristic, heuristic as other, 0 - mean as mean, error from one_way""",
    }


def ranked(*keys: str, columns: str = "", beside: str = "", among: str) -> str:
    """What follows `from`: the heuristics by their means, for each cost and the keys, with the gap to the next.

    Parameters
    ----------
    keys : str
        As in `views`.
    columns, beside : str
        Further columns, with what `own`, a heuristic, and `ranked`, all of them, are joined with for these.
    among : str
        Condition on `own`, such as `own.position = 1`; ties have the order of the heuristics.
    """
    by = ", ".join([*keys, "cost_function"])
    return f"""(with ranked as (select ours.*, h.name as _heuristic, c.place as _cost, row_number() over (
    partition by {by} order by {MEAN.name}, h.place) as position, left_out.*
  from {IN_ORDER})
select own.*, gap.mean as gap_to_next, gap.error as gap_standard_error{columns}
from ranked own
left join (select {by}, position - 1 as position, _heuristic as _next from ranked) using ({by}, position)
left join (select {by}, other as _heuristic, heuristic as _next, mean, error from paired) gap
  using ({by}, _heuristic, _next)
{beside}
where {among}) ours"""


def name_of(row: Row) -> str:
    """The heuristic of a row."""
    return f"{row['impurity_type']}/{row['uncertainty']}"


def mean_of(row: Row) -> Estimate:
    """The mean of a row."""
    return Estimate(row["tables"], row[MEAN.name], row["standard_error"])


def gap_of(row: Row) -> Estimate | None:
    """How much worse the next heuristic is than that of a ranked row, paired; None where there is no next."""
    gap = row["gap_to_next"]
    return None if gap is None else Estimate(row["tables"], gap, row["gap_standard_error"])


def level_with_next(row: Row) -> bool:
    """Whether the 95 % interval of the gap to the next heuristic does not clear zero."""
    gap = gap_of(row)
    return gap is not None and (gap.low is None or gap.low <= 0)


def left_out(row: Row) -> str:
    """What is not summarised, in words; empty where there is nothing."""
    every = f", among them all of {listed(sorted(row['_without']))}" if row["_without"] else ""
    tables = f"{counted(row['_left_out'], 'table')} left out for rows that are not ok{every}"
    lost = f"lost on every table: {listed(row['_lost'])}" if row["_lost"] else ""
    return "; ".join(filter(None, (tables if row["_left_out"] else "", lost)))


def percent(estimate: Estimate) -> str:
    """A mean in percent, with its standard error."""
    error = estimate.standard_error
    return f"{100 * estimate.mean:.2f}" + ("" if error is None else f" ± {100 * error:.2f}")
