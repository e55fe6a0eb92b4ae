"""The views for queries: one for each table, over all runs; one for each grid, over its result rows; and the runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.grid import RESULTS_TABLE
from pipeline.record.kept import KeptRun
from pipeline.record.remarks import remarks
from pipeline.sql import literal
from pipeline.storage.parts import Part

RUNS = "runs"
"""The view of the runs themselves."""


@dataclass(frozen=True)
class Piece:
    """The rows that one run has for a table: in `files`, by DuckDB's names for them."""

    run: KeptRun
    table: str
    parts: tuple[Part, ...]
    files: tuple[str, ...]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(part.rows for part in self.parts)


@dataclass(frozen=True)
class View:
    """Named rows: of one table, from some runs.

    grid : the grid of the result rows; None: all grids that have the table
    """

    name: str
    pieces: tuple[Piece, ...]
    grid: str | None = None

    @property
    def table(self) -> str:
        """The table that its columns are of, besides grid and run."""
        return self.pieces[0].table

    @property
    def runs(self) -> int:
        """The number of runs with rows in it."""
        return len(self.pieces)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(piece.rows for piece in self.pieces)

    @property
    def sql(self) -> str:
        """The SELECT of the view, with columns by name, so that runs with different columns can be combined."""
        return " union all by name ".join(
            f"select {literal(piece.run.name)} as grid, {literal(piece.run.id)} as run, * from "  # noqa: S608 - literals
            f"read_parquet([{', '.join(map(literal, piece.files))}], hive_partitioning = false)"
            for piece in self.pieces
        )


class RunsView(View):
    """The runs themselves, a row for each run, with its tags and notes."""

    @property
    def table(self) -> str:
        """The name of the view itself: no table of the part files has these rows."""
        return RUNS

    @property
    def rows(self) -> int:
        """The number of runs."""
        return self.runs

    @property
    def sql(self) -> str:
        """The SELECT of the view, over literals."""
        rows = []
        for run in (piece.run for piece in self.pieces):
            of_run = remarks(run.record_folder)
            texts = [_texts(of_run.tags), _texts([note.text for note in of_run.notes])]
            rows.append(f"({', '.join([literal(run.name), literal(run.id), *texts])})")
        return f"select * from (values {', '.join(rows)}) as {RUNS}(grid, run, tags, notes)"  # noqa: S608 - literals


def _texts(values: Sequence[str]) -> str:
    return f"[{', '.join(map(literal, values))}]::varchar[]"


def views_of(pieces: Sequence[Piece]) -> tuple[list[View], dict[str, str]]:
    """The views over the pieces of runs, tables first, and for each grid without a view the query to ask instead.

    A grid has no view if its name is that of a table. The view of the runs is left out if a table or grid has its name.
    Names are compared as in SQL, where `Trees` is `trees`.
    """
    views = [View(table, of_table) for table, of_table in _by(pieces, lambda piece: piece.table).items()]
    taken = {view.name.casefold() for view in views} | {
        name.casefold() for piece in pieces for name in piece.run.tables
    }
    without: dict[str, str] = {}
    results = [piece for piece in pieces if piece.table == RESULTS_TABLE]
    for grid, of_grid in _by(results, lambda piece: piece.run.name).items():
        if grid.casefold() in taken:
            without[grid] = f"from {RESULTS_TABLE} where grid = {literal(grid)}"
        else:
            taken.add(grid.casefold())
            views.append(View(grid, of_grid, grid))
    if results and RUNS not in taken:
        views.append(RunsView(RUNS, tuple(results)))
    return views, without


def _by(pieces: Sequence[Piece], name: Callable[[Piece], str]) -> dict[str, tuple[Piece, ...]]:
    """Pieces by a name, in the order of first occurrence."""
    groups: dict[str, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(name(piece), []).append(piece)
    return {key: tuple(group) for key, group in groups.items()}
