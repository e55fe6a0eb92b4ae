"""The summary of removed features: test accuracy of each builder against the number of attributes removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from pipeline.grids.removed_features_rows import BY_GAIN
from pipeline.storage.parts import Part, read
from pipeline.summaries.statistics import Estimate, PairedMoments
from pipeline.summaries.tables import SummaryTable, Value

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["RANDOM", "Point", "Summary", "points_of", "summarise"]

Row = Mapping[str, Any]

RANDOM = "random"
"""What the summary calls all random orders together."""

COLUMNS = (
    *("source", "part", "order", "removed", "left", "builder", "n", "failed", "test_accuracy", "low", "high"),
    *("difference", "difference_low", "difference_high", "nodes"),
)
READ = (
    *("source", "part", "repeat", "fold", "removal_order", "removed_attributes", "builder", "status", "error"),
    *("test_accuracy", "nodes"),
)
POINTS = 100
NOTE = (
    "Attributes are removed by decreasing information gain on the training rows of each split (numeric ones cut by "
    "Fayyad and Irani's method for that), the most informative first, or in random orders, the same for all splits. "
    "Print tells neither the order nor the data sets, so both are ours, and its figure gives no numbers to be compared "
    "with. test_accuracy: percent. n: splits; of random orders the orders, each a mean over its splits. low to high: "
    "95 % normal interval over them; splits share training rows, so that it is approximate. difference: to the first "
    "builder, in points, paired. nodes: mean, of trees alone. failed: fits that failed, which are left out."
)


@dataclass(frozen=True)
class Point:
    """A builder on a source with so many attributes removed.

    order      : BY_GAIN or RANDOM
    accuracy   : mean test accuracy in percent; None where all fits failed
    difference : of that to the first builder's, in points, paired by split or order; None of the first itself
    """

    source: str
    part: str
    order: str
    removed: int
    left: int
    builder: str
    failed: int
    accuracy: Estimate | None
    difference: Estimate | None
    nodes: float | None

    @property
    def title(self) -> str:
        """The data set, and its part where that is not the whole."""
        return self.source if self.part == "all" else f"{self.source} ({self.part})"


@dataclass(frozen=True)
class Summary:
    """All points, and what was written."""

    points: tuple[Point, ...]
    first_error: str | None
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]

    @property
    def worked(self) -> bool:
        """Whether any builder was tested."""
        return any(point.accuracy for point in self.points)

    def screen(self, width: int) -> list[RenderableType]:  # noqa: ARG002 - it fits all
        """A line for each source and builder: with all attributes, with half of them, with one."""
        shown = Table(title="Test accuracy, %", title_justify="left", box=None, padding=(0, 2, 0, 0), pad_edge=False)
        for heading in ("", "", "all", "half, by gain", "half, random", "one, by gain", "one, random"):
            shown.add_column(heading, justify="right" if heading else "left")
        known = {(point.title, point.builder, point.order, point.removed): point for point in self.points}
        for title, builder in dict.fromkeys((point.title, point.builder) for point in self.points):
            number = max(point.removed + point.left for point in self.points if point.title == title)
            asked = [
                (BY_GAIN, 0),
                *((order, removed) for removed in (number // 2, number - 1) for order in (BY_GAIN, RANDOM)),
            ]
            shown.add_row(title, builder, *(_shown(known.get((title, builder, *cell))) for cell in asked))
        failed = sum(point.failed for point in self.points)
        lines = [Text(f"{failed} fits failed; the first: {self.first_error}", style="red")] if failed else []
        return [shown, *lines]


def summarise(parts: Sequence[Part], attributes: Mapping[str, int], builders: Sequence[str], folder: Path) -> Summary:
    """Write `removed_features` (.csv and .md) and the figure of that name into folder.

    attributes : of each source by its title, with none removed
    """
    rows = [row for part in parts for row in read(part, list(READ)).to_pylist()]
    points = points_of(rows, attributes, builders)
    document = _table(points)
    document.write(folder)
    from pipeline.summaries.removed_features_figure import draw

    error = next((row["error"] for row in rows if row["status"] != "ok"), None)
    return Summary(points, error, (document,), draw(points, folder))


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
                    accuracy=_estimate([[value] for value in samples[builder].values()]),
                    difference=None if builder == builders[0] else _difference(samples[builder], samples[builders[0]]),
                    nodes=fmean(sizes) if sizes else None,
                )
            )
    return tuple(points)


def _sample(rows: Sequence[Row], order: str) -> dict[object, float]:
    """Accuracies in percent, by split; of random orders by order, each a mean over its splits."""
    found: dict[object, list[float]] = {}
    for row in rows:
        if row["status"] == "ok":
            unit = row["removal_order"] if order == RANDOM else (row["repeat"], row["fold"])
            found.setdefault(unit, []).append(POINTS * row["test_accuracy"])
    return {unit: fmean(values) for unit, values in found.items()}


def _estimate(values: list[list[float]]) -> Estimate | None:
    return PairedMoments.of(np.array(values)).estimate(0) if values else None


def _difference(own: Mapping[object, float], first: Mapping[object, float]) -> Estimate | None:
    pairs = [[value, first[unit]] for unit, value in own.items() if unit in first]
    return PairedMoments.of(np.array(pairs)).difference(0, 1) if pairs else None


def _shown(point: Point | None) -> str:
    return f"{point.accuracy.mean:.1f}" if point and point.accuracy else ""


def _interval(estimate: Estimate | None) -> tuple[float | None, float | None, float | None]:
    return (estimate.mean, estimate.low, estimate.high) if estimate else (None, None, None)


def _table(points: Sequence[Point]) -> SummaryTable:
    rows: list[tuple[Value, ...]] = [
        (
            *(point.source, point.part, point.order, point.removed, point.left, point.builder),
            *(point.accuracy.n if point.accuracy else 0, point.failed),
            *(*_interval(point.accuracy), *_interval(point.difference), point.nodes),
        )
        for point in points
    ]
    return SummaryTable("removed_features", "Accuracy against the number of attributes removed", COLUMNS, rows, NOTE)
