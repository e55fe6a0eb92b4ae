"""A published proof held against the code as it is: cells computed again, and what follows from its rows."""

from __future__ import annotations

import csv
import io
import math
import pickle
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from algorithms._numba.compiling import Stopwatch
from pipeline.failures import Failure
from pipeline.grid import RESULTS_TABLE
from pipeline.plan import GridRun
from pipeline.proof.printed import papers
from pipeline.proof.proof import Answered, Proof, Unanswered, proof_of
from pipeline.record.runs import kept_runs
from pipeline.storage.parts import missing_from_any, read
from pipeline.summary.tables import SummaryTable
from tests.pipeline.command_line import ROOT, VARYING
from tests.pipeline.drawing.axis_ends import free_shares

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPRODUCED = ROOT / "reproduced"
NOT_DRAWN = Failure("skipped", "not drawn")
MOST_SECONDS = 3.0
"""Of a cell that may be drawn, as its row has them."""
IDENTITY = (
    *("source", "part", "group", "table_index", "repeat", "fold", "builder", "impurity_type", "uncertainty"),
    *("parameters", "removal_order", "removed_attributes", "step", "class", "name"),
)

BY_PROCESSOR = frozenset({"logistic_tree", "mlp", "svm"})
"""Builders that leave sums of products to BLAS, which adds up in another order on another processor."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """A cell of a published run: an item, and the index of one of its methods; None: all of them."""

    run: GridRun
    item: int
    method: int | None

    def __str__(self) -> str:
        return f"run {self.run.id} of {self.run.name}, {self.run.grid.title(self.item)}"

    def differences(self) -> list[str]:
        """How its published rows differ from ours, without seconds, bytes, error messages and BY_PROCESSOR."""
        grid = self.run.grid
        others = {index: NOT_DRAWN for index in range(len(grid.methods)) if self.method not in {None, index}}
        made = grid.leaving_out(others).work(self.item, self.item + 1)
        result = []
        for table, rows in made.items():
            published = _rows_of_item(self.run, table, self.item, rows)
            drawn_here = (row for row in rows.to_pylist() if row.get("status") != NOT_DRAWN.status)
            ours = [row for row in drawn_here if row.get("builder") not in BY_PROCESSOR]
            result += [f"{self}: {table}: {why}" for row in ours if (why := _difference(row, published))]
        return result


def _difference(row: Row, published: Sequence[Row]) -> str:
    """How a row differs from the published one; empty where that has the same values."""
    kept = {name: value for name, value in row.items() if not name.endswith(VARYING) and name != "error"}
    if any(all(other[name] == value for name, value in kept.items()) for other in published):
        return ""
    same = [other for other in published if all(other.get(name) == row.get(name) for name in IDENTITY)]
    if not same:
        return f"no row is published for {kept}"
    values = [
        f"{name} is {value!r}, published {same[0][name]!r}" for name, value in kept.items() if same[0][name] != value
    ]
    return f"{row.get('builder')}: {', '.join(values)}"


@cache
def _published(run: GridRun, table: str) -> pa.Table:
    return pa.concat_tables([read(part) for part in run.scan(table).parts])


def _rows_of_item(run: GridRun, table: str, item: int, rows: pa.Table) -> list[Row]:
    """The published rows of an item; of other tables than results those of the sources of its rows."""
    published = _published(run, table)
    if table == RESULTS_TABLE:
        cells = run.grid.cells_per_item
        return published.slice(item * cells, cells).to_pylist()  # type: ignore[no-any-return]
    sources = pa.array(pc.unique(rows["source"].combine_chunks().cast(pa.string())).to_pylist(), pa.string())
    return published.filter(pc.is_in(published["source"], sources)).to_pylist()  # type: ignore[no-any-return]


def drawn(run: GridRun, generator: random.Random) -> Cell:
    """An item whose published rows ended well and soon; where all its cells took longer, one of these."""
    published, cells = _published(run, RESULTS_TABLE), run.grid.cells_per_item
    for _ in range(1000):
        item, index = generator.randrange(published.num_rows // cells), generator.randrange(cells)
        rows = published.slice(item * cells, cells).to_pylist()
        if _soon_done(rows):
            return Cell(run, item, None)
        if cells == len(run.grid.methods) and _soon_done([rows[index]]):
            return Cell(run, item, index)
    raise AssertionError(f"no cell of {run.name} ended well within {MOST_SECONDS} seconds")


def _soon_done(rows: Sequence[Row]) -> bool:
    return all(row["status"] == "ok" for row in rows) and sum(map(_seconds, rows)) <= MOST_SECONDS


def _seconds(row: Mapping[str, Any]) -> float:
    return sum(value or 0.0 for name, value in row.items() if name.endswith("_seconds"))


def cells_in(runs: Sequence[GridRun], generator: random.Random, seconds: float) -> Iterator[Cell]:
    """Cells of all runs in turn, in random order, until so many seconds have passed; compiling does not count."""
    watch = Stopwatch()
    while True:
        for run in generator.sample(runs, len(runs)):
            yield drawn(run, generator)
            if watch.seconds > seconds:
                return


def runs_below(folder: Path) -> list[GridRun]:
    """The runs of a published proof."""
    return sorted(kept_runs(folder / "rows"), key=lambda run: run.name)


@dataclass(frozen=True)
class Summarised:
    """What the code makes of the published rows of a run.

    axes : the free shares of the axes of each figure
    """

    finding: str
    tables: tuple[SummaryTable, ...]
    axes: dict[str, dict[str, list[float]]]


def write_summaries(folder: Path) -> None:
    """Summarise the published rows of each run, with figures that are laid out but not kept, into a folder."""
    for run in runs_below(REPRODUCED):
        axes: dict[str, dict[str, list[float]]] = {}
        parts = {table: run.scan(table).parts for table in run.grid.tables}
        with TemporaryDirectory() as figures, pytest.MonkeyPatch.context() as patch:
            patch.setattr("pipeline.drawing.frame.save", partial(_measured, axes))
            summary = run.grid.summarise(parts)
            run.grid.draw(parts, summary.rows, Path(figures))
        (folder / run.name).write_bytes(pickle.dumps(Summarised(summary.finding, summary.documents, axes)))


def _measured(axes: dict[str, dict[str, list[float]]], figure: Figure, _: Path, name: str) -> tuple[()]:
    """In place of saving a figure: keep the free shares of its axes."""
    axes[name] = free_shares(figure)
    return ()


def summaries_in(folder: Path) -> dict[GridRun, Summarised]:
    """What `write_summaries` has written."""
    return {run: pickle.loads((folder / run.name).read_bytes()) for run in runs_below(REPRODUCED)}


def is_whole(run: GridRun) -> bool:
    """Whether all rows of a run are published."""
    return not missing_from_any((run.scan(table).parts for table in run.grid.tables), run.grid.items)


def proof_from(summaries: Mapping[GridRun, Summarised]) -> Proof:
    """The proof that these summaries give."""
    answers: dict[str, Answered | Unanswered] = dict.fromkeys(papers().experiments, Unanswered(""))
    for run, summary in summaries.items():
        tables = {table.name: table for table in summary.tables}
        answers[run.name] = Answered(run.id, "", "", summary.finding, tables, {})
    return proof_of(papers().documents, answers)


def unlike(ours: str, published: str) -> list[tuple[list[str], list[str]]]:
    """The lines in which two CSVs differ; numbers may in the last digits, which hang on the order of a sum."""
    pairs = zip_longest(csv.reader(io.StringIO(ours)), csv.reader(io.StringIO(published)), fillvalue=[])
    return [(a, b) for a, b in pairs if len(a) != len(b) or not all(map(_close, a, b))]


def _close(ours: str, published: str) -> bool:
    if ours == published:
        return True
    try:
        return math.isclose(float(ours), float(published), rel_tol=1e-9, abs_tol=1e-12)
    except ValueError:
        return False
