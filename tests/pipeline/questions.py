"""The query behind a row of a summary table, run on the run's own part files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any, cast

import pyarrow as pa
import pytest

from pipeline.grammar.grid import DeclaredGrid
from pipeline.grid import Grid, GridSummary
from pipeline.plan import GridRun
from pipeline.query.database import opened
from pipeline.record.kept import chosen
from pipeline.record.provenance import OF_GRID
from pipeline.record.runs import kept_runs
from pipeline.storage.parts import Range, publish
from pipeline.summary.tables import SummaryTable, Value
from tests.pipeline.record.made_up import made_up_run
from tests.summaries.builder_rows import written

MOST_ROWS = 20
"""Rows of a table whose queries are run: the first, the last, and others at even distances."""


@dataclass(frozen=True)
class Answer:
    """A row of a summary table, its question, and the columns and rows that answer it."""

    row: dict[str, Value]
    question: str
    columns: list[str]
    rows: list[dict[str, Any]]


def finished_run(output: Path, run: str | None = None) -> GridRun:
    """The newest run below an output folder, or that whose id begins with `run`."""
    runs = kept_runs(output)
    return runs[-1] if run is None else chosen(runs, run, output)


def computed_run(grid: Grid, computed: Iterable[tuple[Range, Mapping[str, pa.Table]]], folder: Path) -> GridRun:
    """A run of a grid whose items are computed already, with a part file for each range."""
    run = GridRun(grid, "worked", "x", folder)
    for span, tables in computed:
        for name, table in tables.items():
            publish(table, run.folder(name), run.id, *span)
    return run


def summarised(run: GridRun, folder: Path, *, drawn: bool = False) -> GridSummary:
    """The summary of a run, made again from its parts into a folder, with its figures if they are to be drawn."""
    parts = {table: run.scan(table).parts for table in run.grid.tables}
    grid = cast("DeclaredGrid", run.grid)
    return written(grid.declared_summary(), parts, folder, drawn=drawn, **grid.context)


def answers(run: GridRun, table: SummaryTable, most: int = MOST_ROWS) -> Iterator[Answer]:
    """Of a table's rows, at most so many, what the run's own parts answer to their questions."""
    positions = sorted({index * max(len(table.rows) - 1, 1) // max(most - 1, 1) for index in range(most)})
    of_grid = {name: getattr(run.grid, name) for name in OF_GRID}
    kept = made_up_run(run.output, run.name, run.id, **of_grid)
    with opened([kept], run.output) as database:
        for row in [row for position, row in enumerate(table.records) if position in positions]:
            question = table.question_of(row)
            result = database.answer(question)
            names = result.columns
            assert len(set(names)) == len(names), f"columns of one name: {names} of {question}"
            yield Answer(
                row,
                question,
                names,
                [dict(zip(names, values, strict=True)) for values in result.fetchall()],
            )


def check_answers(run: GridRun, table: SummaryTable, most: int = MOST_ROWS) -> None:
    """Fail unless the table tells a question, and each answer is not empty and says what its row says.

    Columns of an answer that the table has too must be the row's: all of them where the answer is one row, those of
    text where it is the rows that the figures are made of. An answer of one row must share a column that its question
    was not told, or it would prove nothing. No row answers where the row has nothing either, but what it was told.
    """
    assert table.question, f"table {table.name} tells no question"
    keys = {name for _, name, _, _ in Formatter().parse(table.question) if name}
    for answer in answers(run, table, most):
        measured = [answer.row[name] for name in answer.columns if name in answer.row and name not in keys]
        nothing = measured and all(value is None or value == 0 for value in measured)
        assert answer.rows or nothing, f"no row answers {answer.question}"
        alone = len(answer.rows) == 1
        shared = [name for name in answer.columns if name in answer.row]
        assert not alone or set(shared) - keys, f"nothing of the row is found by {answer.question}"
        compared = shared if alone else [name for name in shared if isinstance(answer.row[name], str)]
        for result in answer.rows:
            for name in compared:
                assert same(result[name], answer.row[name]), (
                    f"{name} is {answer.row[name]!r} in table {table.name}, {result[name]!r} answers {answer.question}"
                )


def same(result: Any, expected: Value) -> bool:
    """Whether a value of an answer is that of a table: texts exactly, numbers to 1e-9."""
    if expected is None or result is None or isinstance(expected, str) or isinstance(result, str):
        return bool(result == expected)
    return bool(float(result) == pytest.approx(float(expected), rel=1e-9, abs=1e-9, nan_ok=True))
