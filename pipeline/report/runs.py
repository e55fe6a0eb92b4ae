"""What a page says of a run: read from its parts and notes, its summary made anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from markupsafe import Markup

from pipeline.discovery import Places
from pipeline.errors import OrchardError
from pipeline.grid import RESULTS_TABLE, Grid, GridSummary, NotableTree
from pipeline.plan import GridRun
from pipeline.report.asked import Key, asked
from pipeline.report.failures import Failures, failures
from pipeline.report.making import Making, making
from pipeline.report.pictures import inlined, words
from pipeline.storage.parts import Part, missing_from_any
from pipeline.storage.places import copies, listed, storage_errors
from pipeline.summary.tables import SummaryTable

if TYPE_CHECKING:
    from algorithms.table import Labels
    from algorithms.tree import DecisionTree

__all__ = ["Picture", "ReportedRun", "reported"]

PICTURE_BYTES = 1_200_000
"""Of a figure beyond which the page links to its file instead."""


@dataclass(frozen=True)
class Picture:
    """A figure or a tree.

    title : what is to be seen
    svg   : as an element of the page; None: `why` tells why there is none
    text  : the same in words, of a tree
    files : names of its files
    """

    title: str
    svg: Markup | None
    why: str = ""
    text: str = ""
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReportedRun:
    """A complete run with all that is told of it.

    page    : name of its page
    meaning : what its grid is, as shipped; empty for a grid of a user's own
    rows    : result rows
    tables  : of its summary those that have a row
    folder  : where the files of its summary are, as a link from its page
    files   : their names
    """

    run: GridRun
    page: str
    meaning: str
    finding: str
    worked: bool
    rows: int
    asked: tuple[Key, ...]
    tables: tuple[SummaryTable, ...]
    figures: tuple[Picture, ...]
    trees: tuple[Picture, ...]
    failures: Failures
    making: Making
    folder: str
    files: tuple[str, ...]

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the keys whose value is not the shipped grid's, those aside that say where and how to run."""
        return tuple(key.name for key in self.asked if key.differs and not key.of_place)

    @property
    def seed(self) -> str:
        """The seed that it was asked for; empty where its configuration is lost."""
        return next((key.value for key in self.asked if key.name == "seed"), "")


def reported(run: GridRun) -> ReportedRun:
    """What there is to say of a complete run; its summary files are written anew on the way.

    Raises
    ------
    OrchardError
        It is not complete, part of it cannot be read, or there is nothing but failures.
    """
    with copies(run.output) as kept:
        parts = _verified(run, kept)
        with run.summarised(parts) as (summary, folder):
            figures = tuple(_figures(summary.figures))
            files = tuple(name for name in listed(folder) if not name.startswith("."))
        lost = failures(parts[RESULTS_TABLE])
    return ReportedRun(
        run,
        f"{run.name}-{run.id}.html",
        Places().grids().get(run.name, ""),
        summary.finding,
        summary.worked,
        sum(part.rows for part in parts[RESULTS_TABLE]),
        asked(run),
        tuple(table for table in summary.documents if table.rows),
        figures,
        tuple(_trees(run.grid, summary)),
        lost,
        making(run),
        quote(f"../summaries/grid={run.name}/run={run.id}/"),
        files,
    )


def _verified(run: GridRun, kept: Path | None) -> Mapping[str, Sequence[Part]]:
    """The verified parts of every table of a run, or copies of them; OrchardError where they are not all of it."""
    scans = {table: run.scan(table, kept) for table in run.grid.tables}
    left = missing_from_any((scan.parts for scan in scans.values()), run.grid.items)
    if left:
        items = sum(stop - first for first, stop in left)
        why = [f"{path.name} {why}" for scan in scans.values() for path, why in scan.rejected.items()]
        msg = f"{items:,} of {run.grid.items:,} {run.grid.noun} are not there" + "".join(f"; {one}" for one in why[:3])
        raise OrchardError(msg)
    return {table: scan.parts for table, scan in scans.items()}


def _figures(paths: Sequence[Path]) -> Iterator[Picture]:
    """Each figure once, of the files of its name."""
    for stem in dict.fromkeys(path.stem for path in paths):
        own = [path for path in paths if path.stem == stem]
        drawn = next((path for path in own if path.suffix == ".svg"), None)
        files = tuple(path.name for path in own)
        if drawn is None:
            yield Picture(stem, None, "it was drawn without an SVG", files=files)
            continue
        svg = drawn.read_text(encoding="utf-8")
        if len(svg) > PICTURE_BYTES:
            yield Picture(stem, None, f"its SVG is of {len(svg) / 1e6:.1f} MB, too large for a page", files=files)
            continue
        told = words(svg)
        label = f"Figure {stem}. Written in it: {told}" if told else f"Figure {stem}"
        yield Picture(stem, inlined(svg, f"{stem}-", label), files=files)


def _trees(grid: Grid, summary: GridSummary) -> Iterator[Picture]:
    """The trees that the summary names, each built again and drawn."""
    cannot: tuple[type[Exception], ...] = (OrchardError, ValueError, *storage_errors())
    for place, notable in enumerate(summary.trees, start=1):
        try:
            tree, labels = grid.tree(notable.row)
            yield _drawn(notable, tree, labels, place)
        except cannot as error:
            yield Picture(notable.title, None, f"it cannot be built again: {' '.join(str(error).split())}")


def _drawn(notable: NotableTree, tree: DecisionTree, labels: Labels, place: int) -> Picture:
    from algorithms.tree_text import text
    from pipeline.drawing.tree_drawing import tree_svg

    told = text(tree, labels)
    svg = inlined(tree_svg(tree, labels, notable.title), f"tree-{place}-", f"Tree: {notable.title}")
    return Picture(notable.title, svg, text=told)
