"""A comparison of two builders, one of them of a plugin, run and recorded inside this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pipeline.builders import Builder
from pipeline.data.catalogue.catalogue import catalogue
from pipeline.data.preparation import Preparation
from pipeline.data.protocols import Protocol
from pipeline.data.sources import Source
from pipeline.grids.compare_builders import CompareBuildersGrid
from pipeline.plan import GridRun, run_id
from pipeline.record.provenance import begin
from pipeline.storage.parts import publish

__all__ = ["GROWER", "IMPORTED", "PLUGIN", "changed", "compared", "write_plugin"]

PLUGIN = "plugged"
GROWER = Builder("grower", "tests.pipeline.predictors.EvolvingClassifier", "{}", Preparation())
CART = Builder("cart", "algorithms.induction.cart.CARTClassifier", "{}", Preparation())
IMPORTED = "imported"
"""The file that tells that the plugin was imported, in the working folder."""


def compared(
    output: Path, builders: Sequence[Builder] = (GROWER, CART), source: str = "uci/balloons/adult-stretch"
) -> GridRun:
    """A complete run with its record, which says that the first builder's class is `plugged.Grower`."""
    sources = (Source(source, "all", catalogue().fingerprints(source)),)
    grid = CompareBuildersGrid(sources, True, None, Protocol("k_fold", folds=2), tuple(builders), 0, curves=True)
    run = GridRun(grid, "compare_builders", run_id(grid), output)
    for name, table in grid.work(0, grid.items).items():
        publish(table, run.folder(name), run.id, 0, grid.items)
    begin(run, "seed: 0\nsummary: accuracies\ndata: {folder: null, own: null}\n", "python -m pipeline +grid=x")

    def by_plugin(record: dict[str, Any]) -> None:
        record["identity"]["builders"][0]["class"] = f"{PLUGIN}.Grower"

    changed(run, by_plugin)
    return run


def changed(run: GridRun, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the record of a run."""
    path = run.notes / "run.json"
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
