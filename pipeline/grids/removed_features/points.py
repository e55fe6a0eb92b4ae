"""Accuracy against the number of attributes removed: its points, and their table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from pipeline.grammar.questions import WHERE_ITS_SOURCE, mean_with_interval
from pipeline.grids.removed_features.rows import BY_GAIN
from pipeline.summary.statistics import Estimate, PairedMoments
from pipeline.summary.tables import SummaryTable, Value

__all__ = ["RANDOM", "Point", "point_table", "points_of"]

Row = Mapping[str, Any]

RANDOM = "random"
"""What the summary calls all random orders together."""

COLUMNS = (
    *("source", "part", "order", "removed", "left", "builder", "n", "failed", "test_accuracy", "low", "high"),
    *("difference_to", "difference", "difference_low", "difference_high", "nodes"),
)
POINTS = 100
NOTE = (
    "Attributes are removed by decreasing information gain on the training rows of each split (numeric ones cut by "
    "Fayyad and Irani's method for that), the most informative first, or in random orders, the same for all splits. "
    "Print tells neither the order nor the data sets, so both are ours, and its figure gives no numbers to be compared "
    "with. test_accuracy: percent. n: splits; of random orders the orders, each a mean over its splits. low to high: "
    "95 % normal interval over them; splits share training rows, so that it is approximate. difference: to that of "
    "difference_to, the first builder, in points, paired by split. nodes: mean, of trees alone. failed: fits that "
    "failed, which are left out, of a difference with those of the same split."
)
OF_ITS_POINT = (
    f"{WHERE_ITS_SOURCE} and removed_attributes = {{removed}} "
    f"and (removal_order = '{BY_GAIN}') = ({{order}} = '{BY_GAIN}')"
)
POINT = (
    f"with fits as (select *, if(removal_order = '{BY_GAIN}', repeat || ' ' || fold, removal_order) as unit, "
    f"100 * test_accuracy as accuracy from results {OF_ITS_POINT}), "
    f"own as (select count(*) as n, {mean_with_interval('accuracy', 'test_accuracy')} from "
    "(select avg(accuracy) as accuracy from fits where builder = {builder} and status = 'ok' group by unit)), "
    f"paired as (select {mean_with_interval('apart', 'difference', 'difference_low', 'difference_high')} from "
    "(select avg(own.accuracy - first.accuracy) as apart from fits own join fits first using (unit, repeat, fold) "
    "where own.builder = {builder} and first.builder = {difference_to} and own.status = 'ok' and first.status = 'ok' "
    "group by unit)), "
    "counts as (select count(*) filter (where status <> 'ok') as failed, "
    "avg(nodes) filter (where status = 'ok') as nodes from fits where builder = {builder}) "
    "select * from own, paired, counts"
)
"""Means over splits, or of random orders over the orders, each a mean over its splits."""

Sample = Mapping[object, Mapping[object, float]]
"""Accuracies in percent of what is a unit of the mean, by split."""


@dataclass(frozen=True)
class Point:
    """A builder on a source with so many attributes removed.

    order      : BY_GAIN or RANDOM
    accuracy   : mean test accuracy in percent; None where all fits failed
    first      : the builder that it is held against; None of that itself
    difference : of its accuracy to the first's, in points, paired by split or order
    """

    source: str
    part: str
    order: str
    removed: int
    left: int
    builder: str
    failed: int
    accuracy: Estimate | None
    first: str | None
    difference: Estimate | None
    nodes: float | None

    @property
    def z(self) -> float | None:
        """The difference in standard errors; None where there is none, or no spread to measure it by."""
        return self.difference.z if self.difference else None

    @property
    def title(self) -> str:
        """The data set, and its part where that is not the whole."""
        return self.source if self.part == "all" else f"{self.source} ({self.part})"


def points_of(rows: Iterable[Row], attributes: Mapping[str, int], builders: Sequence[str]) -> tuple[Point, ...]:
    """The points of result rows, by source, order, number removed and builder."""
    cells: dict[tuple[str, str, str, int], dict[str, list[Row]]] = {}
    for row in rows:
        order = BY_GAIN if row["removal_order"] == BY_GAIN else RANDOM
        key = (row["source"], row["part"], order, row["removed_attributes"])
        cells.setdefault(key, {}).setdefault(row["builder"], []).append(row)
    sources = list(dict.fromkeys(key[:2] for key in cells))
    points = []
    for key in sorted(cells, key=lambda key: (sources.index(key[:2]), key[2] != BY_GAIN, key[3])):
        source, part, order, removed = key
        left = attributes[source if part == "all" else f"{source} ({part})"] - removed
        samples = {builder: _sample(cells[key].get(builder, []), order) for builder in builders}
        for builder in builders:
            own = cells[key].get(builder, [])
            good = [row for row in own if row["status"] == "ok"]
            sizes = [row["nodes"] for row in good if row["nodes"] is not None]
            points.append(
                Point(
                    *(source, part, order, removed, left, builder),
                    failed=len(own) - len(good),
                    accuracy=_estimate(samples[builder]),
                    first=None if builder == builders[0] else builders[0],
                    difference=None if builder == builders[0] else _difference(samples[builder], samples[builders[0]]),
                    nodes=fmean(sizes) if sizes else None,
                )
            )
    return tuple(points)


def _sample(rows: Sequence[Row], order: str) -> Sample:
    """Accuracies by split, each a unit of its own; of random orders within the order."""
    found: dict[object, dict[object, float]] = {}
    for row in rows:
        if row["status"] == "ok":
            split = (row["repeat"], row["fold"])
            unit = row["removal_order"] if order == RANDOM else split
            found.setdefault(unit, {})[split] = POINTS * row["test_accuracy"]
    return found


def _estimate(sample: Sample) -> Estimate | None:
    values = [[fmean(splits.values())] for splits in sample.values()]
    return PairedMoments.of(np.array(values)).estimate(0) if values else None


def _difference(own: Sample, first: Sample) -> Estimate | None:
    """Over the units, each over the splits on which neither failed."""
    shared = {unit: [split for split in mine if split in first.get(unit, {})] for unit, mine in own.items()}
    pairs = [
        [fmean(of[unit][one] for one in splits) for of in (own, first)] for unit, splits in shared.items() if splits
    ]
    return PairedMoments.of(np.array(pairs)).difference(0, 1) if pairs else None


def _interval(estimate: Estimate | None) -> tuple[float | None, float | None, float | None]:
    return (estimate.mean, estimate.low, estimate.high) if estimate else (None, None, None)


def point_table(points: Sequence[Point]) -> SummaryTable:
    """A row for each point."""
    rows: list[tuple[Value, ...]] = [
        (
            *(point.source, point.part, point.order, point.removed, point.left, point.builder),
            *(point.accuracy.n if point.accuracy else 0, point.failed),
            *(*_interval(point.accuracy), point.first, *_interval(point.difference), point.nodes),
        )
        for point in points
    ]
    return SummaryTable(
        "removed_features", "Accuracy against the number of attributes removed", COLUMNS, rows, NOTE, POINT
    )
