"""The tables of T2, T3 and T3C beside C4.5 that are theirs alone: the sweeps, and the best trees of their form."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.grammar.questions import WHERE_ITS_SOURCE, literal, mean_with_interval, paired_builders
from pipeline.grids.t3c_vs_c45.steps import MORE, SWEPT, Optimum, Step
from pipeline.summary.tables import SummaryTable, Value

__all__ = ["optimum_table", "step_table"]

STEP_COLUMNS = (
    *("sweep", "step", "builder", "n", "train_difference", "train_low", "train_high"),
    *("test_difference", "test_low", "test_high", "nodes_ratio", "nodes_low", "nodes_high"),
)
OPTIMUM_COLUMNS = (
    *("source", "part", "algorithm", "search", "n", "proven", "not_optimal"),
    *("algorithm_train_accuracy", "search_train_accuracy", "algorithm_test_accuracy", "search_test_accuracy"),
)
STEP_QUESTION = paired_builders(
    "{builder}",
    literal(SWEPT),
    "100 * avg(train_accuracy) as train, 100 * avg(test_accuracy) as test, log10(avg(nodes)) as nodes",
    "l.train - r.train as train, l.test - r.test as test, l.nodes - r.nodes as nodes",
    ",\n  ".join(
        [
            mean_with_interval("train", "train_difference", "train_low", "train_high"),
            mean_with_interval("test", "test_difference", "test_low", "test_high"),
            mean_with_interval("nodes", "nodes_ratio", "nodes_low", "nodes_high", shown="pow(10, $)"),
        ]
    ),
)
OPTIMUM_QUESTION = (
    f"with mine as (select * from results {WHERE_ITS_SOURCE} and status = 'ok'),\n"
    "pairs as (\n  select s.optimal, a.objective - s.objective as above\n"
    "  from mine a join mine s using (repeat, fold) where a.builder = {algorithm} and s.builder = {search})\n"
    "select (select count(*) from pairs) as n, (select count(*) from pairs where optimal) as proven,\n"
    f"  (select count(*) from pairs where optimal and above > {MORE}) as not_optimal,\n  "
    + ", ".join(
        f"avg({measure}) filter (where builder = {{{who}}}) as {who}_{measure}"
        for measure in ("train_accuracy", "test_accuracy")
        for who in ("algorithm", "search")
    )
    + "\nfrom mine"
)


def step_table(found: Sequence[Step]) -> SummaryTable:
    """A row for each step of each sweep."""
    rows: list[tuple[Value, ...]] = []
    for one in found:
        points = (value for kind in (one.train, one.test) for value in (kind.mean, kind.low, kind.high))
        ratio = (None if value is None else 10**value for value in (one.nodes.mean, one.nodes.low, one.nodes.high))
        rows.append((one.sweep, one.step, one.builder, one.test.n, *points, *ratio))
    note = (
        f"n: data sets. Differences of accuracy to {SWEPT}, in points, and ratios of nodes, paired by data set, with "
        "95 % normal intervals low to high; train: of the rows that were learnt from."
    )
    title = "T3C of more and fewer levels, branches and errors"
    return SummaryTable("sweeps", title, STEP_COLUMNS, rows, note, STEP_QUESTION)


def optimum_table(found: Sequence[Optimum]) -> SummaryTable:
    """A row for each data set and printed algorithm."""
    rows: list[tuple[Value, ...]] = []
    for one in found:
        means = (
            score.mean(measure)
            for measure in ("train_accuracy", "test_accuracy")
            for score in (one.printed, one.exhaustive)
        )
        named = (one.printed.source, one.printed.part, one.printed.builder, one.exhaustive.builder)
        rows.append((*named, one.splits, one.proven, one.worse, *means))
    note = (
        "n: splits on which neither failed; proven: of these, where the search among all trees of the form ended; "
        "not_optimal: of these, where the algorithm's tree has more training errors. Accuracies are means over the "
        "splits; where the search was not done, its tree is the best that it had found, at least the algorithm's."
    )
    title = "Printed algorithms beside the best trees of their form"
    return SummaryTable("optima", title, OPTIMUM_COLUMNS, rows, note, OPTIMUM_QUESTION)
