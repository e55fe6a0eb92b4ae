"""Where builders stand: accuracy, size and time of each beside the first, on the same data sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

import numpy as np
from rich.table import Table

from pipeline.grammar.comparison.accuracies import Score
from pipeline.grammar.findings import points
from pipeline.grammar.questions import mean_with_interval, paired_builders
from pipeline.screen import counted
from pipeline.summary.statistics import Estimate, PairedMoments
from pipeline.summary.tables import SummaryTable, Value

__all__ = [
    "SHARES",
    "Measure",
    "Standing",
    "difference",
    "most_accurate",
    "split_difference",
    "standing_table",
    "standings",
    "standings_screen",
    "with_interval",
]

Measure = Literal["accuracy", "train_accuracy", "overfitting", "nodes", "terminal_nodes", "build_seconds"]
"""What builders are compared by: `accuracy` is that of test rows, `overfitting` that of training rows less that."""

SHARES: tuple[Measure, ...] = ("accuracy", "train_accuracy", "overfitting")
"""The measures that are compared in points; of the others the ratio counts."""

Pairs = Sequence[tuple[Score, Score]]
Numbers = np.ndarray[tuple[int, int], np.dtype[np.float64]]

POINTS = 100
COLUMNS = (
    *(
        "builder",
        "against",
        "n",
        "accuracy",
        "difference",
        "low",
        "high",
        "nodes",
        "nodes_ratio",
        "nodes_low",
        "nodes_high",
    ),
    *("build_seconds", "time_ratio", "time_low", "time_high"),
)
TEN_TO = "pow(10, $)"
OF_ALL = "if(count(nodes_ratio) = count(*), pow(10, $), null)"
QUESTION = paired_builders(
    "{builder}",
    "{against}",
    "100 * avg(test_accuracy) as accuracy, log10(avg(nodes)) as nodes, log10(avg(build_seconds)) as seconds",
    "l.accuracy, l.nodes, l.seconds, l.accuracy - r.accuracy as difference, l.nodes - r.nodes as nodes_ratio, "
    "l.seconds - r.seconds as time_ratio",
    ",\n  ".join(
        [
            "avg(accuracy) as accuracy",
            mean_with_interval("difference", "difference"),
            f"{OF_ALL.replace('$', 'avg(nodes)')} as nodes",
            mean_with_interval("nodes_ratio", "nodes_ratio", "nodes_low", "nodes_high", shown=OF_ALL),
            "pow(10, avg(seconds)) as build_seconds",
            mean_with_interval("time_ratio", "time_ratio", "time_low", "time_high", shown=TEN_TO),
        ]
    ),
)


@dataclass(frozen=True)
class Standing:
    """A builder held against the first, over the data sets on which no split of either failed.

    accuracy      : mean over the data sets of its mean test accuracy, in percent
    difference    : of that to the first builder's, paired by data set, in points
    nodes, seconds: geometric means over the data sets
    nodes_ratio, time_ratio : to the first builder's, as estimates of decimal logarithms, paired by data set
    """

    builder: str
    accuracy: float
    difference: Estimate
    nodes: float | None
    nodes_ratio: Estimate | None
    seconds: float
    time_ratio: Estimate


def standings(scores: Sequence[Score], builders: Sequence[str]) -> tuple[Standing, ...]:
    """Where each builder stands that was tested on at least one data set together with the first."""
    first, stand = builders[0], []
    for builder in builders:
        pairs = _pairs(scores, builder, first)
        if not pairs:
            continue
        nodes = _values(pairs, "nodes")
        accuracy, seconds = _values(pairs, "accuracy"), _values(pairs, "build_seconds")
        if accuracy is None or seconds is None:
            continue
        stand.append(
            Standing(
                builder=builder,
                accuracy=float(accuracy[:, 0].mean()),
                difference=_estimate(accuracy),
                nodes=None if nodes is None else float(10 ** nodes[:, 0].mean()),
                nodes_ratio=None if nodes is None else _estimate(nodes),
                seconds=float(10 ** seconds[:, 0].mean()),
                time_ratio=_estimate(seconds),
            )
        )
    return tuple(stand)


def difference(scores: Sequence[Score], left: str, right: str, measure: Measure) -> Estimate | None:
    """What left has more of than right, paired by data set; of accuracies in points, else in decimal logarithms.

    None where there is no data set on which no split of either failed, or one of them has no such measure.
    """
    values = _values(_pairs(scores, left, right), measure)
    return None if values is None else _estimate(values)


def split_difference(scores: Sequence[Score], left: str, right: str, measure: Measure, title: str) -> Estimate | None:
    """What left has more of than right on the data set of this title, paired by split, as `difference` has it.

    Its standard error allows for the rows that splits share. None where there is no split that neither failed on.
    """
    by_builder = {one.builder: one for one in scores if one.title == title}
    if left not in by_builder or right not in by_builder:
        return None
    rows = [
        {(row["repeat"], row["fold"]): row for row in by_builder[name].rows if row["status"] == "ok"}
        for name in (left, right)
    ]
    both = [(row, rows[1][split]) for split, row in rows[0].items() if split in rows[1]]
    values = [[_number(row.get, measure) for row in pair] for pair in both]
    if not values or any(value is None for pair in values for value in pair):
        return None
    share = fmean(row["test_rows"] / row["rows"] for row, _ in both)
    return _estimate(np.array(values, np.float64)).corrected(share)


def standing_table(name: str, title: str, stand: Sequence[Standing], first: str) -> SummaryTable:
    """A row for each builder."""
    rows: list[tuple[Value, ...]] = []
    for one in stand:
        apart = one.difference
        rows.append(
            (
                *(one.builder, first, apart.n, one.accuracy, apart.mean, apart.low, apart.high),
                *(one.nodes, *_ratio(one.nodes_ratio)),
                *(one.seconds, *_ratio(one.time_ratio)),
            )
        )
    note = (
        "n: data sets; accuracy: percent, the mean over them; difference (points), and the ratios of the nodes and of "
        f"the build times: to {first}, paired by data set, with 95 % normal intervals low to high. nodes and "
        "build_seconds are geometric means over the data sets, the ratios too; nodes are those of single trees."
    )
    return SummaryTable(name, title, COLUMNS, rows, note, QUESTION)


def most_accurate(stand: Sequence[Standing]) -> str:
    """The builder that is the furthest above the first in accuracy, in words; empty where there is no other."""
    if len(stand) < 2:
        return ""
    best, first = max(stand, key=lambda one: one.difference.mean), stand[0]
    over = f"on the mean of {counted(best.difference.n, 'data set')}"
    if best.builder == first.builder:
        return f"no builder is more accurate than {first.builder} {over}"
    return f"{best.builder} is the most accurate, {points(best.difference)} above {first.builder} {over}"


def standings_screen(stand: Sequence[Standing]) -> Table:
    """A line a builder."""
    shown = Table(title="Beside the first builder", title_justify="left", box=None, padding=(0, 2, 0, 0))
    for heading in ("", "accuracy, %", "difference, points", "nodes", "build seconds"):
        shown.add_column(heading, justify="left" if not heading else "right", no_wrap=True)
    for one in stand:
        size = "" if one.nodes is None else f"{one.nodes:.1f}"
        shown.add_row(one.builder, f"{one.accuracy:.2f}", with_interval(one.difference), size, f"{one.seconds:.3g}")
    return shown


def with_interval(estimate: Estimate) -> str:
    """A mean with its sign and half its 95 % interval."""
    half = "" if estimate.high is None else f" ± {estimate.high - estimate.mean:.2f}"
    return f"{estimate.mean:+.2f}{half}"


def _pairs(scores: Sequence[Score], left: str, right: str) -> Pairs:
    """The scores of two builders on each data set on which no split of either failed."""
    good = {(one.title, one.builder): one for one in scores if not one.failed}
    titles = dict.fromkeys(one.title for one in scores)
    return [(good[t, left], good[t, right]) for t in titles if (t, left) in good and (t, right) in good]


def _values(pairs: Pairs, measure: Measure) -> Numbers | None:
    """(data sets, 2): a measure of both, accuracies in percent, others in decimal logarithms; None if one has none."""
    rows = [[_number(one.mean, measure) for one in pair] for pair in pairs]
    if not rows or any(value is None for pair in rows for value in pair):
        return None
    return np.array(rows, np.float64)


def _number(column: Callable[[str], float | None], measure: Measure) -> float | None:
    """A measure of what has such columns, as it is compared: in points, or as a decimal logarithm."""
    if measure == "overfitting":
        train, test = column("train_accuracy"), column("test_accuracy")
        return None if train is None or test is None else POINTS * (train - test)
    found = column("test_accuracy" if measure == "accuracy" else measure)
    if found is None:
        return None
    return POINTS * found if measure in SHARES else math.log10(found)


def _estimate(values: Numbers) -> Estimate:
    return PairedMoments.of(values).difference(0, 1)


def _ratio(estimate: Estimate | None) -> tuple[float | None, float | None, float | None]:
    """An estimate of a decimal logarithm, and its interval, as ratios."""
    if estimate is None:
        return None, None, None
    low, high = estimate.low, estimate.high
    return 10**estimate.mean, None if low is None else 10**low, None if high is None else 10**high
