"""The result rows of greedy heuristics against exact minima: what a worker makes of some tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from algorithms.batch import GRAPH_BYTES, BatchCosts, costs_of_tables
from algorithms.costs import COUNTED_COSTS
from algorithms.table import TableError
from pipeline.schema import HELD_RESULTS, RESULTS, STATUSES

if TYPE_CHECKING:
    from pipeline.grammar.random_tables import RandomTablesGrid

__all__ = ["rows_of_items"]

OK, FAILED, MEMORY_LIMIT = (STATUSES.index(status) for status in ("ok", "failed", "memory_limit"))
MEASURES = ("average_depth", *COUNTED_COSTS)
WORDS_DRAWN = 2**20  # random words in memory at a time
TOO_LARGE = "the graph of separable subtables is too large; fewer attributes make it smaller"

Columns = dict[str, Any]


def rows_of_items(grid: RandomTablesGrid, first: int, stop: int) -> pa.Table:
    """Of each item from `first` up to, not including, `stop` a row per heuristic and then the exact one."""
    most = max(1, WORDS_DRAWN // (grid.shape.rows * (grid.shape.attributes + 1)))
    return pa.concat_tables(_rows_of_group(grid, *segment) for segment in _segments(grid.count, first, stop, most))


def _segments(count: int, first: int, stop: int, most: int) -> Iterator[tuple[int, int, int]]:
    """(group, first table, number of tables) of the items, of groups of `count` tables, at most so many at a time."""
    while first < stop:
        group, place = divmod(first, count)
        tables = min(stop - first, count - place, most)
        yield group + 1, place + 1, tables
        first += tables


def _rows_of_group(grid: RandomTablesGrid, group: int, first: int, tables: int) -> pa.Table:
    codes, decisions = grid.shape.draw(grid.seed, group, first, tables)
    costs = _costs(grid, codes, decisions)
    index = np.arange(first, first + tables)
    status, errors = _outcomes(grid, group, index, costs)
    outcomes = {"status": _names(STATUSES, status.ravel()), "error": _sparse(errors, status.size)}
    return _table(_identity(grid, group, index) | _measures(costs, grid.cells_per_item, status.ravel()) | outcomes)


def _costs(grid: RandomTablesGrid, codes: NDArray[Any], decisions: NDArray[Any]) -> BatchCosts:
    """The costs of the tables; of what is not asked they are nothing that counts."""
    asked = [place for place in range(len(grid.heuristics)) if place not in grid.losses]
    costs = costs_of_tables(
        codes,
        decisions,
        values=grid.shape.values,
        n_decisions=grid.shape.decisions,
        impurity_functions=[grid.heuristics[place] for place in asked],
        graph_bytes=0 if len(grid.heuristics) in grid.losses else GRAPH_BYTES,
    )
    if len(asked) == len(grid.heuristics):
        return costs
    greedy = np.zeros((len(codes), len(grid.heuristics), len(COUNTED_COSTS)), np.int64)
    greedy[:, asked] = costs.greedy
    return replace(costs, greedy=greedy)


def _identity(grid: RandomTablesGrid, group: int, index: NDArray[np.int64]) -> Columns:
    """What the rows are called; `index` (tables,) numbers the tables."""
    cells = len(index) * grid.cells_per_item
    builders = [*([0] * len(grid.heuristics)), 1]
    columns = {
        "source": _constant(grid.source, cells),
        "part": _constant("all", cells),
        "group": pa.array(np.full(cells, group, np.int32)),
        "table_index": pa.array(np.repeat(index, grid.cells_per_item)),
        "builder": _names(("greedy", "exact"), np.tile(builders, len(index))),
    }
    for name in ("impurity_type", "uncertainty"):
        halves = [getattr(heuristic, name) for heuristic in grid.heuristics]
        known = tuple(dict.fromkeys(halves))
        places = np.array([*(known.index(half) for half in halves), -1])
        columns[name] = _names(known, np.tile(places, len(index)))
    return columns


def _measures(costs: BatchCosts, cells_per_item: int, status: NDArray[np.int8]) -> Columns:
    """The measures of all rows, null where the status is not ok."""
    counted = np.concatenate([costs.greedy, costs.minimum[:, None]], axis=1).reshape(-1, len(COUNTED_COSTS))
    rows = np.repeat(costs.rows, cells_per_item)
    measures = dict(zip(COUNTED_COSTS, counted.T, strict=True))
    measures["average_depth"] = measures["total_path_length"] / rows
    unmeasured = status != OK if status.any() else None
    columns = {name: pa.array(measures[name], RESULTS.field(name).type, mask=unmeasured) for name in MEASURES}
    return {"rows": pa.array(rows.astype(np.int32)), **columns}


def _outcomes(
    grid: RandomTablesGrid, group: int, index: NDArray[np.int64], costs: BatchCosts
) -> tuple[NDArray[np.int8], dict[int, str]]:
    """(status (tables, cells) as a place in STATUSES, why by row)."""
    cells = grid.cells_per_item
    status = np.full((len(index), cells), OK, np.int8)
    errors: dict[int, str] = {}
    for table in np.flatnonzero(costs.minimum[:, 0] < 0).tolist():
        status[table, -1] = MEMORY_LIMIT
        errors[table * cells + cells - 1] = TOO_LARGE
    for place, loss in grid.losses.items():
        status[:, place] = STATUSES.index(loss.status)
        errors |= dict.fromkeys(range(place, status.size, cells), loss.error)
    if grid.equal_rows == "refuse":
        for table in np.flatnonzero(costs.rows < grid.shape.rows).tolist():
            status[table] = FAILED
            why = _refusal(grid, group, int(index[table]))
            errors |= dict.fromkeys(range(table * cells, (table + 1) * cells), why)
    return status, errors


def _refusal(grid: RandomTablesGrid, group: int, index: int) -> str:
    try:
        grid.table(grid.item({"group": group, "table_index": index}))
    except TableError as error:
        return str(error)
    msg = f"table {index} of group {group} has no equal rows, yet rows of it were merged"
    raise AssertionError(msg)


def _table(columns: Columns) -> pa.Table:
    """Rows of the results; columns that are not given are null."""
    rows = len(columns["group"])
    arrays = [columns[f.name] if f.name in columns else pa.nulls(rows, f.type) for f in HELD_RESULTS]
    return pa.table(arrays, schema=HELD_RESULTS)


def _names(names: Sequence[str], places: NDArray[Any]) -> pa.DictionaryArray:
    """A column of names by their places, null where a place is below 0."""
    null = places < 0
    return pa.DictionaryArray.from_arrays(
        pa.array(places.astype(np.int8), mask=null if null.any() else None), pa.array(names)
    )


def _constant(name: str, rows: int) -> pa.DictionaryArray:
    return _names((name,), np.zeros(rows, np.int8))


def _sparse(words: dict[int, str], rows: int) -> pa.Array:
    """A column of text that most rows lack."""
    if not words:
        return pa.nulls(rows, pa.string())
    column = np.full(rows, None, dtype=object)
    column[list(words)] = list(words.values())
    return pa.array(column, pa.string())
