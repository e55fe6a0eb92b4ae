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

OK, FAILED, MEMORY_LIMIT = (STATUSES.index(status) for status in ("ok", "failed", "memory_limit"))
MEASURES = ("average_depth", *COUNTED_COSTS)
WORDS_DRAWN = 2**20  # random words in memory at a time
TOO_LARGE = "the graph of separable subtables is too large; fewer attributes make it smaller"

Columns = dict[str, Any]


@dataclass(frozen=True)
class Study:
    """Groups of random tables, and what is computed for each.

    count      : tables of a group
    source     : value of the column `source`
    heuristics : each builds a tree; the exact search follows them
    losses     : the outcome of each heuristic or search that is not computed, keyed by its index
    """

    seed: int
    count: int
    shape: RandomTables
    equal_rows: EqualRows
    source: str
    heuristics: Sequence[ImpurityFunction]
    losses: Mapping[int, Loss]

    @property
    def cells_per_item(self) -> int:
        """The number of rows for each table."""
        return len(self.heuristics) + 1


def rows_of_items(study: Study, first: int, stop: int) -> pa.Table:
    """The rows of items `first` to `stop` - 1: for each, one row per heuristic, then the exact one."""
    most = max(1, WORDS_DRAWN // (study.shape.rows * (study.shape.attributes + 1)))
    return pa.concat_tables(_rows_of_group(study, *segment) for segment in _segments(study.count, first, stop, most))


def _segments(count: int, first: int, stop: int, most: int) -> Iterator[tuple[int, int, int]]:
    """Cut the items into (group, first table, number of tables), each within a group and of at most `most` tables."""
    while first < stop:
        group, index = divmod(first, count)
        tables = min(stop - first, count - index, most)
        yield group + 1, index + 1, tables
        first += tables


def _rows_of_group(study: Study, group: int, first: int, tables: int) -> pa.Table:
    codes, decisions = study.shape.draw(study.seed, group, first, tables)
    costs = _costs(study, codes, decisions)
    index = np.arange(first, first + tables)
    status, errors = _outcomes(study, group, index, costs)
    outcomes = {"status": _names(STATUSES, status.ravel()), "error": _sparse(errors, status.size)}
    columns = _identity(study, group, index) | _measures(costs, study.cells_per_item, status.ravel()) | outcomes
    return table_of_columns(columns, HELD_RESULTS)


def _costs(study: Study, codes: NDArray[Any], decisions: NDArray[Any]) -> BatchCosts:
    """The costs of the tables. Those of heuristics that are not computed are zeros, which are not used."""
    computed = [index for index in range(len(study.heuristics)) if index not in study.losses]
    costs = costs_of_tables(
        codes,
        decisions,
        values=study.shape.values,
        n_decisions=study.shape.decisions,
        impurity_functions=[study.heuristics[index] for index in computed],
        graph_bytes=0 if len(study.heuristics) in study.losses else GRAPH_BYTES,
    )
    if len(computed) == len(study.heuristics):
        return costs
    greedy = np.zeros((len(codes), len(study.heuristics), len(COUNTED_COSTS)), np.int64)
    greedy[:, computed] = costs.greedy
    return replace(costs, greedy=greedy)


def _identity(study: Study, group: int, index: NDArray[np.int64]) -> Columns:
    """The columns that identify the rows; `index` (tables,) numbers the tables."""
    cells = len(index) * study.cells_per_item
    builders = [*([0] * len(study.heuristics)), 1]
    columns = {
        "source": constant(study.source, cells),
        "part": constant("all", cells),
        "group": np.full(cells, group, np.int32),
        "table_index": np.repeat(index, study.cells_per_item),
        "builder": _names(("greedy", "exact"), np.tile(builders, len(index))),
    }
    for name in ("impurity_type", "uncertainty"):
        halves = [getattr(heuristic, name) for heuristic in study.heuristics]
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
    study: Study, group: int, index: NDArray[np.int64], costs: BatchCosts
) -> tuple[NDArray[np.int8], dict[int, str]]:
    """The status (tables, cells) as an index into STATUSES, and the errors keyed by row."""
    cells = study.cells_per_item
    status = np.full((len(index), cells), OK, np.int8)
    errors: dict[int, str] = {}
    for table in np.flatnonzero(costs.minimum[:, 0] < 0).tolist():
        status[table, -1] = MEMORY_LIMIT
        errors[table * cells + cells - 1] = TOO_LARGE
    for cell, loss in study.losses.items():
        status[:, cell] = STATUSES.index(loss.status)
        errors |= dict.fromkeys(range(cell, status.size, cells), loss.error)
    if study.equal_rows == "refuse":
        for table in np.flatnonzero(costs.rows < study.shape.rows).tolist():
            status[table] = FAILED
            reason = _refusal(study, group, int(index[table]))
            errors |= dict.fromkeys(range(table * cells, (table + 1) * cells), reason)
    return status, errors


def _refusal(study: Study, group: int, index: int) -> str:
    try:
        study.shape.table(study.seed, group, index, study.equal_rows)
    except TableError as error:
        return str(error)
    msg = f"table {index} of group {group} has no equal rows, yet rows of it were merged"
    raise AssertionError(msg)


def _names(names: Sequence[str], indices: NDArray[Any]) -> pa.DictionaryArray:
    """A column of names, given by their indices; a negative index is null."""
    return pa.DictionaryArray.from_arrays(array_of(indices.astype(np.int8), indices < 0), texts(names))


def _sparse(words: dict[int, str], rows: int) -> pa.Array:
    """A column of text that is null in most rows."""
    if not words:
        return pa.nulls(rows, pa.string())
    return texts([words.get(row) for row in range(rows)])
