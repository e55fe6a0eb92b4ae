"""Result rows of builders on data sets, made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.grids.base import RESULTS_TABLE
from pipeline.schema import CLASSES, CURVES, HELD_RESULTS
from pipeline.storage.parts import Part, publish

__all__ = ["published", "result_row"]


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
    tables = {
        RESULTS_TABLE: pa.Table.from_pylist(list(rows), schema=HELD_RESULTS),
        "classes": pa.Table.from_pylist(list(classes), schema=CLASSES),
    }
    if curves:
        tables["curves"] = pa.Table.from_pylist(list(curves), schema=CURVES)
    return {name: [publish(table, folder / name, "x", 0, 1)] for name, table in tables.items()}
