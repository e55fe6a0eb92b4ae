"""The tables of evolved and grown trees beside the fewest training errors, and the questions behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.grammar.questions import WHERE_ITS_SOURCE, mean_with_interval
from pipeline.grids.evo_vs_exact.grid import EXACT
from pipeline.grids.evo_vs_exact.sets import Held
from pipeline.summary.statistics import Estimate
from pipeline.summary.tables import SummaryTable, Value

if TYPE_CHECKING:
    from pipeline.grids.evo_vs_exact.summary import Standing

__all__ = ["of_builders", "of_sets"]

COLUMNS = (
    *("source", "part", "max_depth", "rows", "builder", "n", "errors", "errors_low", "errors_high", "best_errors"),
    *(
        "fewest_errors",
        "bound",
        "proven",
        "reached",
        "fittest",
        "excess",
        "excess_low",
        "excess_high",
        "splits",
        "fewest_splits",
    ),
    *("fewest_splits_proven", "excess_for_splits"),
)
STANDING_COLUMNS = (
    *(
        "max_depth",
        "builder",
        "n",
        "trees",
        "reached",
        "reached_by_any",
        "fittest",
        "excess",
        "low",
        "high",
        "worst",
        "worst_on",
    ),
    *("not_proven", "n_by_splits", "splits", "fewest_splits", "excess_for_splits"),
)
HELD = (
    "with trees as (\n  select source, part, (parameters ->> 'max_depth')::int as max_depth, builder, rows, "
    "round((1 - train_accuracy) * rows) as errors, nonterminal_nodes as splits, optimal\n"
    f"  from results where status = 'ok' and builder <> '{EXACT}'),\n"
    "searched as (\n  select source, part, max_depth, arg_max(bound, splits) as bound, min(errors) as errors\n"
    "  from frontiers where status = 'ok' group by all),\n"
    "known as (\n  select source, part, max_depth, errors from searched\n"
    "  union all select source, part, max_depth, errors from trees),\n"
    "optima as (\n  select s.source, s.part, s.max_depth, s.bound, min(k.errors) as fewest_errors\n"
    "  from searched s join known k on k.source = s.source and k.part = s.part and k.max_depth <= s.max_depth "
    "group by all),\n"
    "held as (\n  select t.*, bound, fewest_errors, fewest_errors = bound as proven, 100 * (t.errors - bound) / rows "
    "as above\n  from trees t join optima using (source, part, max_depth))\n"
)
"""Each tree and the fewest errors of its depth: a tree is one of every greater depth, too."""
FITTEST = "if(count(optimal) = 0, null, count(*) filter (where optimal)) as fittest"
SET_QUESTION = (
    f"{HELD}select rows, count(*) as n, {mean_with_interval('errors', 'errors', 'errors_low', 'errors_high')}, "
    "min(errors) as best_errors,\n  fewest_errors, bound, lower(proven::varchar) as proven, "
    f"count(*) filter (where errors = bound) as reached, {FITTEST},\n"
    f"  {mean_with_interval('above', 'excess', 'excess_low', 'excess_high')}, avg(splits) as splits\n"
    f"from held {WHERE_ITS_SOURCE} and max_depth = {{max_depth}} and builder = {{builder}} group by all"
)
STANDING_QUESTION = (
    f"{HELD.rstrip()}, of_set as (\n  select source, part, proven, count(*) as trees, "
    f"count(*) filter (where errors = bound) as reached, {FITTEST}, avg(above) as above\n"
    "  from held where max_depth = {max_depth} and builder = {builder} group by all)\n"
    "select count(*) filter (where proven) as n, coalesce(sum(trees) filter (where proven), 0) as trees, "
    "coalesce(sum(reached) filter (where proven), 0) as reached,\n"
    "  count(*) filter (where proven and reached > 0) as reached_by_any, "
    "sum(fittest) filter (where proven) as fittest,\n"
    f"  {mean_with_interval('if(proven, above, null)', 'excess')}, max(if(proven, above, null)) as worst, "
    "count(*) filter (where not proven) as not_proven\nfrom of_set"
)
TESTS = (
    "All have the same tests: a label against all others, and any threshold of a number. EVO-Tree's fitness is not the "
    "error alone: it weighs depth, too, so that on large sets a level must save more than a row or two."
)


def of_builders(standings: Sequence[Standing]) -> SummaryTable:
    """A row for each depth and builder."""
    rows: list[tuple[Value, ...]] = [
        (
            *(one.max_depth, one.builder, len(one.held), one.trees, one.reached),
            *(sum(own.reached > 0 for own in one.held), one.fittest, *_ends(one.excess)),
            *((one.worst.excess.mean, one.worst.optimum.title) if one.worst else (None, None)),
            *(one.not_proven, len(one.by_splits), one.splits, one.fewest_splits, one.excess_for_splits),
        )
        for one in standings
    ]
    note = (
        "n: data sets where the fewest training errors of any tree of the depth are proven (not_proven: where the "
        "search ended by its limit); trees: on these, one a seed; reached: those of them that have no more errors; "
        "reached_by_any: data sets with at least one such; fittest: trees of the least fitness that there can be. "
        "excess: training error above the least, in points, the mean over data sets of means over seeds; low to high: "
        "its 95 % normal interval over data sets, which are no random sample. n_by_splits: data sets where the fewest "
        "errors are proven for each number of splits, too. On these: splits: mean; fewest_splits: the mean of the "
        "fewest splits with no more errors; excess_for_splits: training error in points above the least with no more "
        f"splits. {TESTS}"
    )
    return SummaryTable(
        "evo_vs_exact", "Training errors above the fewest, by depth", STANDING_COLUMNS, rows, note, STANDING_QUESTION
    )


def of_sets(held: Sequence[Held]) -> SummaryTable:
    """A row for each data set, depth and builder."""
    rows: list[tuple[Value, ...]] = [
        (
            *(one.optimum.source, one.optimum.part, one.optimum.max_depth, one.optimum.rows, one.builder),
            *(len(one.trees), *_ends(one.errors), one.best, one.optimum.fewest, one.optimum.bound),
            *(str(one.optimum.proven).lower(), one.reached, one.fittest, *_ends(one.excess)),
            *(
                one.splits.mean,
                one.fewest_splits.mean,
                str(one.optimum.proven_by_splits).lower(),
                one.excess_for_size.mean,
            ),
        )
        for one in held
    ]
    note = (
        "n: trees of the builder, one a seed; errors: mean of the training rows, which are all rows, that they get "
        "wrong, with the 95 % normal interval over seeds; best_errors: of the best seed. fewest_errors: of the best "
        "tree of the depth that was found; bound: none has fewer; proven: they are equal. reached: trees with no more "
        "errors than the bound; fittest: trees with no more fitness than any can have. excess: errors above the bound "
        "in points of the training error: at most that where the bound is not reached. splits: mean of nonterminal "
        "nodes that training rows reach; fewest_splits: mean over the trees of the fewest splits that were found with "
        f"no more errors; excess_for_splits: as excess, above the bound of trees with no more splits. {TESTS}"
    )
    return SummaryTable(
        "evo_vs_exact_sets", "Training errors beside the fewest, set by set", COLUMNS, rows, note, SET_QUESTION
    )


def _ends(estimate: Estimate | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if estimate is None else (estimate.mean, estimate.low, estimate.high)
