"""The tables of did_vs_c45 of made-up depths and results."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from pipeline.grammar.columns import Row
from pipeline.grids.did_vs_c45.summary import SUMMARY
from pipeline.schema import known_tables
from pipeline.storage.parts import Part, publish
from tests.summaries.builder_rows import published, verified

__all__ = ["cells_of", "parts_of"]


def parts_of(folder: Path, depths: list[dict[str, Any]], results: list[dict[str, Any]]) -> dict[str, list[Part]]:
    """The parts of a run."""
    table = pa.Table.from_pylist(depths, schema=known_tables()["depths"].schema)
    return {**published(results, folder), "depths": [verified(publish(table, folder / "depths", "x", 0, 1))]}


def cells_of(
    *depths: dict[str, Any], results: list[dict[str, Any]] | None = None, table: str = "did_vs_c45"
) -> list[Row]:
    """The rows of a table, of depths and results."""
    with TemporaryDirectory() as folder:
        rows = SUMMARY.rows_of(parts_of(Path(folder), list(depths), results or []))
        return list(rows[table])
