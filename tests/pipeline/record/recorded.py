"""A comparison of two builders, one of them of a plugin, run and recorded inside this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.builders import Builder
from pipeline.data.catalogue.catalogue import catalogue
from pipeline.data.preparation import Preparation
from pipeline.data.protocols import Protocol
from pipeline.data.sources import DataLocation, Source
from pipeline.grammar.comparison.grid import CompareBuildersGrid
from pipeline.plan import GridRun, run_id
from pipeline.record.provenance import begin
from pipeline.storage.parts import publish

__all__ = ["CART", "GROWER", "IMPORTED", "PLUGIN", "changed", "compared", "rows_of", "write_plugin"]

PLUGIN = "plugged"
GROWER = Builder("grower", "tests.pipeline.predictors.EvolvingClassifier", "{}", Preparation())
CART = Builder("cart", "algorithms.induction.cart.CARTClassifier", "{}", Preparation())
IMPORTED = "imported"
"""The file that shows that the plugin was imported, in the working folder."""


def compared(
    output: Path,
    builders: Sequence[Builder] = (GROWER, CART),
    source: str = "uci/balloons/adult-stretch",
    data: str | None = None,
) -> GridRun:
    """A complete run with its record, which says that a builder called grower is of the class `plugged.Grower`.

    data : folder of data sets
    """
    sources = (Source(source, "all", catalogue(data).fingerprints(source), location=DataLocation(data)),)
    curves = GROWER in builders
    grid = CompareBuildersGrid(
        sources=sources,
        incomplete_rows="keep",
        most_rows=None,
        protocol=Protocol("k_fold", folds=2),
        builders=tuple(builders),
        seed=0,
        curves=curves,
    )
    run = GridRun(grid, "compare_builders", run_id(grid), output)
    for name, table in rows_of(grid).items():
        publish(table, run.folder(name), run.id, 0, grid.items)
    folder = json.dumps({"folder": data, "own": None})
    begin(run, f"seed: 0\nsummary: accuracies\ndata: {folder}\n", "python -m pipeline +grid=x")

    def by_plugin(record: dict[str, Any]) -> None:
        for builder in record["identity"]["builders"]:
            if builder["name"] == GROWER.name:
                builder["class"] = f"{PLUGIN}.Grower"

    changed(run, by_plugin)
    return run


@cache
def rows_of(grid: CompareBuildersGrid) -> Mapping[str, pa.Table]:
    """The rows of all items by table; they are the same in every test, and take a process of their own."""
    return grid.work(0, grid.items)


def changed(run: GridRun, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the record of a run."""
    path = run.record_folder / "run.json"
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))


def write_plugin(folder: Path) -> Path:
    """The module of the plugin, which leaves a file in the working folder when it is imported."""
    module = folder / f"{PLUGIN}.py"
    module.write_text(
        "from pathlib import Path\n"
        "from tests.pipeline.predictors import EvolvingClassifier as Grower\n"
        f"Path({IMPORTED!r}).touch()\n"
    )
    return module
