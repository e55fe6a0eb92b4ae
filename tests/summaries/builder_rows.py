"""Result rows of builders on data sets, made up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from pipeline.discovery import SearchPath
from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.named_summaries import summaries
from pipeline.grammar.summary import Summary
from pipeline.grid import RESULTS_TABLE, GridSummary
from pipeline.plan import GridRun
from pipeline.schema import RESULTS_IN_MEMORY, known_tables
from pipeline.storage.parts import Part, publish, state_of

__all__ = ["MadeUpGrid", "declared", "made_up_run", "published", "result_row", "summary_rows", "tables_of", "verified"]


def result_row(source: str, builder: str, fold: int, **measures: Any) -> dict[str, Any]:
    named = {"source": source, "part": "all", "repeat": 1, "fold": fold, "builder": builder, "status": "ok"}
    return named | measures


def published(
    rows: Sequence[Mapping[str, Any]],
    folder: Path,
    classes: Sequence[Mapping[str, Any]] = (),
    curves: Sequence[Mapping[str, Any]] = (),
) -> dict[str, list[Part]]:
    """The parts of the tables; that of the curves is left out where it has no rows."""
    return {
        name: [verified(publish(table, folder / name, "x", 0, 1))]
        for name, table in tables_of(rows, classes, curves).items()
    }


def declared(grid: str) -> Summary:
    """The summary that the folder of a comparison of builders declares."""
    return summaries(SearchPath())[grid].summary()


def verified(part: Part) -> Part:
    """A part as a scan finds it."""
    return replace(part, state=state_of(part.path.stat()))


def summary_rows(
    summary: Summary, rows: Sequence[Mapping[str, Any]], builders: Sequence[str] = (), **tables: Any
) -> dict[str, list[Row]]:
    """The rows of a summary's tables, by name, with all that is computed for them; of made-up result rows."""
    names = list(builders) or list(dict.fromkeys(str(row["builder"]) for row in rows))
    with TemporaryDirectory() as folder:
        parts = published(rows, Path(folder) / "parts", **tables)
        return {name: list(own) for name, own in summary.rows_of(parts, builders=names).items()}


def tables_of(
    rows: Sequence[Mapping[str, Any]],
    classes: Sequence[Mapping[str, Any]] = (),
    curves: Sequence[Mapping[str, Any]] = (),
) -> dict[str, pa.Table]:
    """The tables; that of the curves is left out where it has no rows."""
    tables = {
        RESULTS_TABLE: pa.Table.from_pylist(list(rows), schema=RESULTS_IN_MEMORY),
        "classes": pa.Table.from_pylist(list(classes), schema=known_tables()["classes"].schema),
    }
    if curves:
        tables["curves"] = pa.Table.from_pylist(list(curves), schema=known_tables()["curves"].schema)
    return tables


@dataclass(frozen=True)
class MadeUpGrid:
    """What questions ask of a grid, of one item that gives all the rows."""

    tables: tuple[str, ...]
    cells_per_item: int
    summarise: Callable[..., GridSummary]
    items = 1
    noun = "items"


def made_up_run(tables: Mapping[str, pa.Table], folder: Path, summarise: Callable[..., GridSummary]) -> GridRun:
    """A run of these rows, whose questions can be asked."""
    grid = MadeUpGrid(tuple(tables), tables[RESULTS_TABLE].num_rows, summarise)
    run = GridRun(grid, "made_up", "x", folder)  # type: ignore[arg-type]
    for name, table in tables.items():
        publish(table, run.folder(name), run.id, 0, 1)
    return run
