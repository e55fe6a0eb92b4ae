"""The summary of removed features: test accuracy of each builder against the number of attributes removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from pipeline.grammar.findings import does, listed
from pipeline.grammar.notable_trees import drawable, notable, right
from pipeline.grid import NotableTree
from pipeline.grids.removed_features.points import RANDOM, Point, point_table, points_of
from pipeline.grids.removed_features.rows import BY_GAIN
from pipeline.screen import counted, out_of
from pipeline.storage.parts import Part, read
from pipeline.summary.statistics import HALF_WIDTH_95
from pipeline.summary.tables import SummaryTable

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Summary", "summarise"]

Row = Mapping[str, Any]

READ = (
    *("source", "part", "repeat", "fold", "removal_order", "removed_attributes", "builder", "status", "error"),
    *("parameters", "test_accuracy", "nodes", "terminal_nodes"),
)


@dataclass(frozen=True)
class Summary:
    """All points, the trees to see, and what was written."""

    points: tuple[Point, ...]
    trees: tuple[NotableTree, ...]
    first_error: str | None
    documents: tuple[SummaryTable, ...]
    figures: tuple[Path, ...]

    @property
    def worked(self) -> bool:
        """Whether any builder was tested."""
        return any(point.accuracy for point in self.points)

    @property
    def finding(self) -> str:
        """What each builder has left without the more informative half, and how often they are told apart."""
        falls = _falls(self.points)
        sets = min((len(pairs) for pairs in falls.values()), default=0)
        if not sets:
            return "No data set was tested both with all attributes and without the more informative half of them."
        means = {name: [fmean(column) for column in zip(*pairs, strict=True)] for name, pairs in falls.items()}
        said = listed([f"from {whole:.1f} to {half:.1f} % with {name}" for name, (whole, half) in means.items()])
        on = counted(sets, "data set")
        found = f"Without the more informative half of the attributes mean test accuracy on {on} goes {said}"
        known = [abs(point.z) for point in self.points if point.z is not None]
        if not known:
            return f"{found}."
        clear = sum(z > HALF_WIDTH_95 for z in known)
        first = next(point.first for point in self.points if point.first)
        one, several = f"difference to {first} that has a spread", f"differences to {first} that have a spread"
        return f"{found}; {out_of(clear, len(known), one, several)} {does('clear', len(known))} 0."

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
        lines = [Text(f"{counted(failed, 'fit')} failed; the first: {self.first_error}", style="red")] if failed else []
        return [shown, Text(self.finding), *lines]


def summarise(parts: Sequence[Part], attributes: Mapping[str, int], builders: Sequence[str], folder: Path) -> Summary:
    """Write `removed_features` (.csv and .md) and the figure of that name into folder.

    attributes : of each source by its title, with none removed
    """
    rows = [row for part in parts for row in read(part, list(READ)).to_pylist()]
    points = points_of(rows, attributes, builders)
    document = point_table(points)
    document.write(folder)
    from pipeline.grids.removed_features.figure import draw

    error = next((row["error"] for row in rows if row["status"] != "ok"), None)
    return Summary(points, _trees(rows), error, (document,), draw(points, folder))


def _falls(points: Sequence[Point]) -> dict[str, list[tuple[float, float]]]:
    """By builder its accuracies with all attributes and without the better half, on each set where all have both."""
    known = {
        (point.title, point.builder, point.removed): point.accuracy.mean
        for point in points
        if point.order == BY_GAIN and point.accuracy and not point.failed
    }
    found: dict[str, list[tuple[float, float]]] = {point.builder: [] for point in points}
    for title, attributes in {point.title: point.removed + point.left for point in points}.items():
        cells = {name: [(title, name, removed) for removed in (0, attributes // 2)] for name in found}
        if all(cell in known for own in cells.values() for cell in own):
            for name, (whole, half) in cells.items():
                found[name].append((known[whole], known[half]))
    return found


def _trees(rows: Sequence[Row]) -> tuple[NotableTree, ...]:
    """The trees with all attributes and without the first to go, of the fit that loses most by it and can be drawn."""
    by_fit: dict[tuple[object, ...], dict[int, Row]] = {}
    for row in rows:
        if row["removal_order"] == BY_GAIN and row["removed_attributes"] <= 1 and drawable(row):
            fit = tuple(row[name] for name in ("source", "part", "repeat", "fold", "builder"))
            by_fit.setdefault(fit, {})[row["removed_attributes"]] = row
    pairs = [(found[0], found[1]) for found in by_fit.values() if len(found) > 1]
    if not pairs:
        return ()
    chosen = max(pairs, key=lambda pair: pair[0]["test_accuracy"] - pair[1]["test_accuracy"])
    return tuple(
        notable(row, f"{said}, {right(row)}")
        for row, said in zip(chosen, ("with all attributes", "without the most informative attribute"), strict=True)
    )


def _shown(point: Point | None) -> str:
    return f"{point.accuracy.mean:.1f}" if point and point.accuracy else ""
