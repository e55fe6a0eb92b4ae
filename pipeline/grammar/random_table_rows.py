"""The result rows of greedy heuristics against exact minima, as a worker computes them for some tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from algorithms.batch import BatchCosts, costs_of_tables
from algorithms.batch.table_costs import GRAPH_BYTES
from algorithms.data.table import TableError
from algorithms.trees.costs import COUNTED_COSTS
from pipeline.arrow_arrays import array_of, constant, table_of_columns, texts
from pipeline.schema import RESULTS_IN_MEMORY, STATUSES

OK, FAILED, MEMORY_LIMIT = (STATUSES.index(status) for status in ("ok", "failed", "memory_limit"))
MEASURES = ("average_depth", *COUNTED_COSTS)
WORDS_DRAWN = 2**20  # random words in memory at a time
TOO_LARGE = "the graph of separable subtables is too large; fewer attributes make it smaller"

Columns = dict[str, Any]


def rows_of_items(grid: Any, first: int, stop: int) -> pa.Table:
    """The rows of items `first` to `stop` - 1: for each, one row per heuristic, then the exact one.

    grid : a `RandomTablesGrid`, whose module imports this one
    """
    most = max(1, WORDS_DRAWN // (grid.shape.rows * (grid.shape.attributes + 1)))
    return pa.concat_tables(_rows_of_group(grid, *segment) for segment in _segments(grid.count, first, stop, most))


def _segments(count: int, first: int, stop: int, most: int) -> Iterator[tuple[int, int, int]]:
    """Cut the items into (group, first table, number of tables), each within a group and of at most `most` tables."""
    while first < stop:
        group, index = divmod(first, count)
        tables = min(stop - first, count - index, most)
        yield group + 1, index + 1, tables
        first += tables


def _rows_of_group(grid: Any, group: int, first: int, tables: int) -> pa.Table:
    codes, decisions = grid.shape.draw(grid.seed, group, first, tables)
    costs = _costs(grid, codes, decisions)
    index = np.arange(first, first + tables)
    status, errors = _outcomes(grid, group, index, costs)
    outcomes = {"status": _names(STATUSES, status.ravel()), "error": _sparse(errors, status.size)}
    columns = _identity(grid, group, index) | _measures(costs, grid.cells_per_item, status.ravel()) | outcomes
    return table_of_columns(columns, RESULTS_IN_MEMORY)


def _costs(grid: Any, codes: NDArray[Any], decisions: NDArray[Any]) -> BatchCosts:
    """The costs of the tables. Those of heuristics that are not computed are zeros, which are not used."""
    computed = [index for index in range(len(grid.heuristics)) if index not in grid.left_out]
    costs = costs_of_tables(
        codes,
        decisions,
        values=grid.shape.values,
        n_decisions=grid.shape.decisions,
        impurity_functions=[grid.heuristics[index] for index in computed],
        graph_bytes=0 if len(grid.heuristics) in grid.left_out else GRAPH_BYTES,
    )
    if len(computed) == len(grid.heuristics):
        return costs
    greedy = np.zeros((len(codes), len(grid.heuristics), len(COUNTED_COSTS)), np.int64)
    greedy[:, computed] = costs.greedy
    return replace(costs, greedy=greedy)


def _identity(grid: Any, group: int, index: NDArray[np.int64]) -> Columns:
    """The columns that identify the rows; `index` (tables,) numbers the tables."""
    cells = len(index) * grid.cells_per_item
    builders = [*([0] * len(grid.heuristics)), 1]
    columns = {
        "source": constant(grid.source, cells),
        "part": constant("all", cells),
        "group": np.full(cells, group, np.int32),
        "table_index": np.repeat(index, grid.cells_per_item),
        "builder": _names(("greedy", "exact"), np.tile(builders, len(index))),
    }
    for name in ("impurity_type", "uncertainty"):
        halves = [getattr(heuristic, name) for heuristic in grid.heuristics]
        distinct = tuple(dict.fromkeys(halves))
        indices = np.array([*(distinct.index(half) for half in halves), -1])
        columns[name] = _names(distinct, np.tile(indices, len(index)))
    return columns


def _measures(costs: BatchCosts, cells_per_item: int, status: NDArray[np.int8]) -> Columns:
    """The measures of all rows; null if the status is not ok."""
    counted = np.concatenate([costs.greedy, costs.minimum[:, None]], axis=1).reshape(-1, len(COUNTED_COSTS))
    rows = np.repeat(costs.rows, cells_per_item)
    measures = dict(zip(COUNTED_COSTS, counted.T, strict=True))
    measures["average_depth"] = measures["total_path_length"] / rows
    unmeasured = status != OK if status.any() else None
    return {"rows": rows, **{name: array_of(measures[name], unmeasured) for name in MEASURES}}


def _outcomes(
    grid: Any, group: int, index: NDArray[np.int64], costs: BatchCosts
) -> tuple[NDArray[np.int8], dict[int, str]]:
    """The status (tables, cells) as an index into STATUSES, and the errors keyed by row."""
    cells = grid.cells_per_item
    status = np.full((len(index), cells), OK, np.int8)
    errors: dict[int, str] = {}
    for table in np.flatnonzero(costs.minimum[:, 0] < 0).tolist():
        status[table, -1] = MEMORY_LIMIT
        errors[table * cells + cells - 1] = TOO_LARGE
    for cell, failure in grid.left_out.items():
        status[:, cell] = STATUSES.index(failure.status)
        errors |= dict.fromkeys(range(cell, status.size, cells), failure.error)
    if grid.equal_rows == "refuse":
        for table in np.flatnonzero(costs.rows < grid.shape.rows).tolist():
            status[table] = FAILED
            reason = _refusal(grid, group, int(index[table]))
            errors |= dict.fromkeys(range(table * cells, (table + 1) * cells), reason)
    return status, errors


def _refusal(grid: Any, group: int, index: int) -> str:
    try:
        grid.shape.table(grid.seed, group, index, grid.equal_rows)
    except TableError as error:
        return str(error)
    raise AssertionError(f"table {index} of group {group} has no equal rows, but some of its rows were merged")


def _names(names: Sequence[str], indices: NDArray[Any]) -> pa.DictionaryArray:
    """A column of names, given by their indices; a negative index is null."""
    return pa.DictionaryArray.from_arrays(array_of(indices.astype(np.int8), indices < 0), texts(names))


def _sparse(words: dict[int, str], rows: int) -> pa.Array:
    """A column of text that is null in most rows."""
    if not words:
        return pa.nulls(rows, pa.string())
    return texts([words.get(row) for row in range(rows)])
