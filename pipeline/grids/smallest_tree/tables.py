"""The tables of grown trees beside the smallest that classify the same, and the questions behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.grammar.questions import WHERE_ITS_SOURCE, mean_with_interval
from pipeline.grids.smallest_tree.grid import FEWEST
from pipeline.screen import counted
from pipeline.summary.tables import SummaryTable, Value

if TYPE_CHECKING:
    from pipeline.grids.smallest_tree.summary import Pair, Standing

__all__ = ["of_builders", "of_sets"]

COLUMNS = (
    *("source", "part", "builder", "rows", "leaves", "fewest_leaves", "bound", "proven", "excess"),
    *("seconds", "status", "error"),
)
STANDING_COLUMNS = ("builder", "n", "already_smallest", "mean_excess", "low", "high", "worst", "worst_on", "not_proven")


PAIRS = (
    "with pairs as (\n  select g.source, g.part, g.builder, g.rows, g.terminal_nodes as leaves, "
    "f.terminal_nodes as fewest_leaves, f.bound, f.optimal,\n    (leaves - fewest_leaves) / fewest_leaves as excess, "
    "f.build_seconds as seconds, f.status, f.error\n"
    "  from results g join results f using (source, part)\n"
    f"  where f.builder = '{FEWEST}' and f.parameters ->> 'classification_of' = g.builder)\n"
)
"""Each grown tree and the fewest leaves beside it."""
STANDING_QUESTION = (
    f"{PAIRS}select count(*) filter (where proven) as n, count(*) filter (where proven and excess = 0) "
    f"as already_smallest,\n  {mean_with_interval('if(proven, excess, null)', 'mean_excess')},\n"
    "  max(if(proven, excess, null)) as worst, count(*) filter (where not proven) as not_proven\n"
    "from (select *, coalesce(optimal, false) as proven from pairs where excess is not null and builder = {builder})"
)
SET_QUESTION = (
    f"{PAIRS}select rows, leaves, fewest_leaves, bound, if(excess is null, null, lower(coalesce(optimal, false)"
    "::varchar)) as proven, excess, seconds, status, error\n"
    f"from pairs {WHERE_ITS_SOURCE} and builder = {{builder}}"
)


def of_builders(standings: Sequence[Standing]) -> SummaryTable:
    """A row for each builder."""
    rows: list[tuple[Value, ...]] = [
        (
            *(one.builder, len(one.excess), one.already_smallest),
            *((None,) * 3 if one.estimate is None else (one.estimate.mean, one.estimate.low, one.estimate.high)),
            *(*one.worst, one.not_proven),
        )
        for one in standings
    ]
    note = (
        "excess: (leaves - fewest) / fewest, fewest being the leaves of the smallest tree of any depth that gives each "
        "training row the class that the builder's tree gives it, with tests of the same kind: two branches for CART, "
        "else a branch for each label and two for a number. n: data sets where it is proven; low to high: 95 % normal "
        "interval of the mean over them, which are no random sample. not_proven: data sets where the search ended by "
        "its limit."
    )
    return SummaryTable("smallest_tree", "Leaves above the fewest", STANDING_COLUMNS, rows, note, STANDING_QUESTION)


def of_sets(pairs: Sequence[Pair]) -> SummaryTable:
    """A row for each data set and builder."""
    rows: list[tuple[Value, ...]] = [
        (
            *(pair.grown["source"], pair.grown["part"], pair.builder, pair.grown["rows"]),
            *(pair.grown["terminal_nodes"], pair.fewest["terminal_nodes"], _whole(pair.fewest["bound"])),
            *(str(pair.proven).lower() if pair.worked else None, pair.excess, pair.fewest["build_seconds"]),
            *(pair.fewest["status"], pair.fewest["error"]),
        )
        for pair in pairs
    ]
    note = (
        f"n = {counted(len(pairs), 'tree')}. fewest_leaves: of the smallest tree found with the same "
        "classification of the rows; bound: no such tree has fewer. Where they differ, excess is the least that it "
        "can be. seconds: to find it."
    )
    return SummaryTable("smallest_tree_sets", "Leaves beside the fewest, set by set", COLUMNS, rows, note, SET_QUESTION)


def _whole(number: float | None) -> int | None:
    return None if number is None else round(number)
