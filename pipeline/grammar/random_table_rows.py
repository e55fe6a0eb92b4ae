"""The result rows of greedy heuristics against exact minima, as a worker computes them for some tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from algorithms.batch import BatchCosts, costs_of_tables
from algorithms.batch.table_costs import GRAPH_BYTES
from algorithms.impurity import ImpurityFunction
from algorithms.random_tables import RandomTables
from algorithms.table import EqualRows, TableError
from algorithms.trees.costs import COUNTED_COSTS
from pipeline.arrow_arrays import array_of, constant, table_of_columns, texts
from pipeline.losses import Loss
from pipeline.schema import HELD_RESULTS, STATUSES

__all__ = ["TablesAsked", "rows_of_items"]

OK, FAILED, MEMORY_LIMIT = (STATUSES.index(status) for status in ("ok", "failed", "memory_limit"))
MEASURES = ("average_depth", *COUNTED_COSTS)
WORDS_DRAWN = 2**20  # random words in memory at a time
TOO_LARGE = "the graph of separable subtables is too large; fewer attributes make it smaller"

Columns = dict[str, Any]


@dataclass(frozen=True)
class TablesAsked:
    """What the rows depend on: groups of `count` tables of a shape, the heuristics, and which are not computed."""

    source: str
    seed: int
    count: int
    shape: RandomTables
    equal_rows: EqualRows
    heuristics: Sequence[ImpurityFunction]
    losses: Mapping[int, Loss]

    @property
    def cells_per_item(self) -> int:
        """The number of rows of a table: one for each heuristic, and the exact one."""
        return len(self.heuristics) + 1


def rows_of_items(asked: TablesAsked, first: int, stop: int) -> pa.Table:
    """The rows of items `first` to `stop` - 1: for each, one row per heuristic, then the exact one."""
    most = max(1, WORDS_DRAWN // (asked.shape.rows * (asked.shape.attributes + 1)))
    return pa.concat_tables(_rows_of_group(asked, *segment) for segment in _segments(asked.count, first, stop, most))


def _segments(count: int, first: int, stop: int, most: int) -> Iterator[tuple[int, int, int]]:
    """Cut the items into (group, first table, number of tables), each within a group and of at most `most` tables."""
    while first < stop:
        group, place = divmod(first, count)
        tables = min(stop - first, count - place, most)
        yield group + 1, place + 1, tables
        first += tables


def _rows_of_group(asked: TablesAsked, group: int, first: int, tables: int) -> pa.Table:
    codes, decisions = asked.shape.draw(asked.seed, group, first, tables)
    costs = _costs(asked, codes, decisions)
    index = np.arange(first, first + tables)
    status, errors = _outcomes(asked, group, index, costs)
    outcomes = {"status": _names(STATUSES, status.ravel()), "error": _sparse(errors, status.size)}
    columns = _identity(asked, group, index) | _measures(costs, asked.cells_per_item, status.ravel()) | outcomes
    return table_of_columns(columns, HELD_RESULTS)


def _costs(asked: TablesAsked, codes: NDArray[Any], decisions: NDArray[Any]) -> BatchCosts:
    """The costs of the tables. Those of heuristics that are not computed are zeros, which are not used."""
    known = [place for place in range(len(asked.heuristics)) if place not in asked.losses]
    costs = costs_of_tables(
        codes,
        decisions,
        values=asked.shape.values,
        n_decisions=asked.shape.decisions,
        impurity_functions=[asked.heuristics[place] for place in known],
        graph_bytes=0 if len(asked.heuristics) in asked.losses else GRAPH_BYTES,
    )
    if len(known) == len(asked.heuristics):
        return costs
    greedy = np.zeros((len(codes), len(asked.heuristics), len(COUNTED_COSTS)), np.int64)
    greedy[:, known] = costs.greedy
    return replace(costs, greedy=greedy)


def _identity(asked: TablesAsked, group: int, index: NDArray[np.int64]) -> Columns:
    """The columns that identify the rows; `index` (tables,) numbers the tables."""
    cells = len(index) * asked.cells_per_item
    builders = [*([0] * len(asked.heuristics)), 1]
    columns = {
        "source": constant(asked.source, cells),
        "part": constant("all", cells),
        "group": np.full(cells, group, np.int32),
        "table_index": np.repeat(index, asked.cells_per_item),
        "builder": _names(("greedy", "exact"), np.tile(builders, len(index))),
    }
    for name in ("impurity_type", "uncertainty"):
        halves = [getattr(heuristic, name) for heuristic in asked.heuristics]
        known = tuple(dict.fromkeys(halves))
        places = np.array([*(known.index(half) for half in halves), -1])
        columns[name] = _names(known, np.tile(places, len(index)))
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
    asked: TablesAsked, group: int, index: NDArray[np.int64], costs: BatchCosts
) -> tuple[NDArray[np.int8], dict[int, str]]:
    """The status (tables, cells) as an index into STATUSES, and the errors keyed by row."""
    cells = asked.cells_per_item
    status = np.full((len(index), cells), OK, np.int8)
    errors: dict[int, str] = {}
    for table in np.flatnonzero(costs.minimum[:, 0] < 0).tolist():
        status[table, -1] = MEMORY_LIMIT
        errors[table * cells + cells - 1] = TOO_LARGE
    for place, loss in asked.losses.items():
        status[:, place] = STATUSES.index(loss.status)
        errors |= dict.fromkeys(range(place, status.size, cells), loss.error)
    if asked.equal_rows == "refuse":
        for table in np.flatnonzero(costs.rows < asked.shape.rows).tolist():
            status[table] = FAILED
            why = _refusal(asked, group, int(index[table]))
            errors |= dict.fromkeys(range(table * cells, (table + 1) * cells), why)
    return status, errors


def _refusal(asked: TablesAsked, group: int, index: int) -> str:
    try:
        asked.shape.table(asked.seed, group, index, asked.equal_rows)
    except TableError as error:
        return str(error)
    msg = f"table {index} of group {group} has no equal rows, yet rows of it were merged"
    raise AssertionError(msg)


def _names(names: Sequence[str], places: NDArray[Any]) -> pa.DictionaryArray:
    """A column of names, given by their indices; a negative index is null."""
    return pa.DictionaryArray.from_arrays(array_of(places.astype(np.int8), places < 0), texts(names))


def _sparse(words: dict[int, str], rows: int) -> pa.Array:
    """A column of text that is null in most rows."""
    if not words:
        return pa.nulls(rows, pa.string())
    return texts([words.get(row) for row in range(rows)])
