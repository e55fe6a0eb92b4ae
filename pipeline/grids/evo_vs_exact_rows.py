"""What a worker makes of a data set at a depth: the trees of builders, and the fewest errors by number of splits."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from algorithms.optimal.instance import Instance
from algorithms.optimal.search import solve
from algorithms.optimal.solution import Effort, Solution
from pipeline.builders import Builder
from pipeline.grids.base import RESULTS_TABLE
from pipeline.grids.compare_builders_rows import proof_of
from pipeline.grids.whole_sources import fitted_tree, measured, rehearsal_sets, with_two_branches
from pipeline.protocols import drawn_seed
from pipeline.schema import FRONTIERS, HELD_RESULTS

if TYPE_CHECKING:
    from pipeline.grids.evo_vs_exact import Cell, EvoVsExactGrid

__all__ = ["EXACT", "Rows", "failed_rows", "fewest_by_splits", "rehearse", "rows_of", "tables_of"]

Row = dict[str, Any]

EXACT = "oct"
"""What rows call the search; its objective and its bound are errors, in rows."""
WHOLE = 1e-6
"""How far rounding may lift a bound above a whole number of errors."""


class Rows(NamedTuple):
    """The rows of an item: the builders' trees in their order, repeat by repeat, then the best; and the frontier."""

    results: list[Row]
    frontier: list[Row]


def rows_of(grid: EvoVsExactGrid, cell: Cell) -> Rows:
    """The rows of a data set at a depth; what fails says so."""
    try:
        data = with_two_branches(cell.source, bins=None)
        instance = Instance(data, np.ones(data.rows), max_depth=cell.max_depth)
        began = time.perf_counter()
        found = solve(instance, Effort(work=grid.max_work), frontier=True)
        seconds = time.perf_counter() - began
    except MemoryError as error:
        return failed_rows(grid, cell, "memory_limit", str(error) or "out of memory")
    except Exception as error:
        return failed_rows(grid, cell, "failed", f"{type(error).__name__}: {error}")
    frontier = fewest_by_splits(instance, found)
    *trees, best = _called(grid, cell)
    of_builders = [builder for builder in grid.builders for _ in range(grid.repeats)]
    results = [
        row | _row(builder.given(max_depth=cell.max_depth), instance, frontier, _seed(grid, cell, row["repeat"]))
        for row, builder in zip(trees, of_builders, strict=True)
    ]
    fewest = {"objective": found.errors, "bound": float(frontier[-1]["bound"])}
    results.append(best | measured(found.tree, data, seconds) | proof_of(found) | fewest)
    return Rows(results, [_named(cell) | point | {"status": "ok"} for point in frontier])


def failed_rows(grid: EvoVsExactGrid, cell: Cell, status: str, error: str) -> Rows:
    """The rows of an item that could not be worked: they say so, and hold no measures."""
    said = {"status": status, "error": error}
    return Rows([row | said for row in _called(grid, cell)], [_named(cell) | said])


def tables_of(rows: Sequence[Rows]) -> dict[str, pa.Table]:
    """The tables of the grid."""
    results = [row for item in rows for row in item.results]
    frontiers = [row for item in rows for row in item.frontier]
    return {
        RESULTS_TABLE: pa.Table.from_pylist(results, schema=HELD_RESULTS),
        "frontiers": pa.Table.from_pylist(frontiers, schema=FRONTIERS),
    }


def fewest_by_splits(instance: Instance, found: Solution) -> list[Row]:
    """For each number of splits from 0 to all that the depth has room for, the fewest errors found, and their bound.

    The instance has a max_depth, alpha 0 and weights of 1, and `found` its frontier.
    """
    points, least = found.frontier, found.bound * instance.baseline
    fewest = []
    for splits in range(2 ** (instance.max_depth or 0)):
        errors = round(min(point.errors for point in points if point.splits <= splits))
        bound = next((point.bound for point in points if point.splits >= splits), least)
        whole = max(math.ceil(max(bound, least) - WHOLE), 0)
        fewest.append({"splits": splits, "errors": errors, "bound": errors if found.exhausted else min(whole, errors)})
    return fewest


def rehearse(grid: EvoVsExactGrid) -> None:
    """Grow and search a few rows, so that no time is that of compiling kernels or loading them."""
    depth = min(max(grid.depths), 3)
    for data in rehearsal_sets():
        solve(Instance(data, np.ones(data.rows), max_depth=depth), Effort(work=grid.max_work), frontier=True)
        for builder in grid.builders:
            try:
                fitted_tree(builder.given(max_depth=depth), data, 0)
            except Exception:  # noqa: S112 - the rows of the grid will tell
                continue


def _row(builder: Builder, instance: Instance, frontier: Sequence[Row], seed: int) -> Row:
    """The measures of a builder's tree, which is one of those that the search looked through; else the row says so."""
    try:
        classifier, row = fitted_tree(builder, instance.data, seed)
        wrong, splits = round((1 - row["train_accuracy"]) * row["rows"]), row["nonterminal_nodes"]
        if row["depth"] > (instance.max_depth or 0) or wrong < frontier[min(splits, len(frontier) - 1)]["bound"]:
            msg = (
                f"its tree of depth {row['depth']} with {splits} splits has {wrong} errors, and none of depth "
                f"{instance.max_depth} with tests of two branches has so few: leave it out"
            )
            raise ValueError(msg)
        if hasattr(classifier, "fitness_"):
            row["objective"] = float(classifier.fitness_)
    except MemoryError as error:
        return {"status": "memory_limit", "error": str(error) or "out of memory"}
    except Exception as error:
        return {"status": "failed", "error": f"{type(error).__name__}: {error}"}
    return row


def _called(grid: EvoVsExactGrid, cell: Cell) -> list[Row]:
    """What tells the rows of an item from others."""
    depth = json.dumps({"max_depth": cell.max_depth})
    trees = [
        {**cell.source.called, "repeat": repeat, "builder": builder.name, "parameters": parameters}
        for builder in grid.builders
        for parameters in [builder.given(max_depth=cell.max_depth).parameters]
        for repeat in range(1, grid.repeats + 1)
    ]
    return [*trees, {**cell.source.called, "builder": EXACT, "parameters": depth}]


def _named(cell: Cell) -> Row:
    return {**cell.source.called, "max_depth": cell.max_depth}


def _seed(grid: EvoVsExactGrid, cell: Cell, repeat: int) -> int:
    return drawn_seed(grid.seed, cell.source.title, cell.max_depth, repeat)
