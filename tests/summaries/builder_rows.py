"""Result rows of builders on data sets, made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from pipeline.discovery import SearchPath
from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.grid import summaries
from pipeline.grammar.summary import Summary
from pipeline.grid import RESULTS_TABLE, GridSummary
from pipeline.schema import RESULTS_IN_MEMORY, known_tables
from pipeline.storage.parts import Part, publish, state_of


def result_row(source: str, builder: str, fold: int, **measures: Any) -> dict[str, Any]:
    named = {"source": source, "part": "all", "repeat": 1, "fold": fold, "builder": builder, "status": "ok"}
    return named | measures


def published(
    rows: Sequence[Mapping[str, Any]], folder: Path, **others: Sequence[Mapping[str, Any]]
) -> dict[str, list[Part]]:
    """The parts of a run with these result rows, and with these rows of other tables."""
    schemas = {name: table.schema for name, table in known_tables().items()} | {RESULTS_TABLE: RESULTS_IN_MEMORY}
    tables = {RESULTS_TABLE: rows, "classes": (), **others}
    return {
        name: [verified(publish(pa.Table.from_pylist(list(own), schema=schemas[name]), folder / name, "x", 0, 1))]
        for name, own in tables.items()
    }


def written(
    summary: Summary, parts: Mapping[str, Sequence[Part]], folder: Path, *, drawn: bool = True, **context: Any
) -> GridSummary:
    """The summary of these parts, with its tables and, if they are to be drawn, its figures in a folder."""
    result = summary.of(parts, **context)
    for document in result.documents:
        document.write(folder)
    return replace(result, figures=summary.draw(parts, result.rows, folder, **context) if drawn else ())


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
