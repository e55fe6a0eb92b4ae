"""Greedy heuristics against exact minima on random decision tables (`000_…`, section 5)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from algorithms.batch import COUNTED_COSTS, BatchCosts, costs_of_tables
from algorithms.impurity import IMPURITY_FUNCTIONS, ImpurityFunction
from algorithms.random_tables import RandomTables
from algorithms.table import TableError
from pipeline.config import GreedyVsDp
from pipeline.errors import ConfigError
from pipeline.schema import RESULTS, SCHEMA_VERSION

if TYPE_CHECKING:
    from pipeline.summaries.greedy_vs_dp import Summary

__all__ = ["GreedyVsDpGrid"]

RESULTS_VERSION = 1  # raise it when the numbers of an unchanged configuration change
AS_PRINTED = RandomTables()
PRINTED_COUNT = 10_000
EQUAL_ROWS = ("majority", "refuse")


@dataclass(frozen=True)
class GreedyVsDpGrid:
    """Groups of random tables, each built greedily by every heuristic and minimised exactly.

    Item i is table i % count + 1 of group i // count + 1.
    """

    seed: int
    groups: int
    count: int
    shape: RandomTables
    equal_rows: str
    heuristics: tuple[ImpurityFunction, ...]

    noun = "tables"

    @staticmethod
    def of(config: GreedyVsDp) -> GreedyVsDpGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        tables = config.tables
        for key, value, least in (
            ("seed", config.seed, 0),
            ("tables.groups", tables.groups, 1),
            ("tables.count", tables.count, 1),
        ):
            if value < least:
                msg = f"{key} is {value}: expected {least} or more"
                raise ConfigError(msg)
        if tables.equal_rows not in EQUAL_ROWS:
            msg = f"tables.equal_rows is '{tables.equal_rows}': expected {' or '.join(EQUAL_ROWS)}"
            raise ConfigError(msg)
        try:
            shape = RandomTables(
                rows=tables.rows,
                attributes=tables.attributes,
                values=tables.values,
                decisions=tables.decisions,
                value_probabilities=_tuple(tables.value_probabilities),
                decision_probabilities=_tuple(tables.decision_probabilities),
            )
        except ValueError as error:
            msg = f"tables.{error}"
            raise ConfigError(msg) from error
        return GreedyVsDpGrid(
            config.seed, tables.groups, tables.count, shape, tables.equal_rows, _heuristics(config.heuristics)
        )

    @property
    def items(self) -> int:
        """Tables of all groups."""
        return self.groups * self.count

    @property
    def cells_per_item(self) -> int:
        """A row per heuristic, and the exact one."""
        return len(self.heuristics) + 1

    @property
    def comparable(self) -> bool:
        """Whether only seed, count or number of groups differ from the paper."""
        return self.shape == AS_PRINTED and self.equal_rows == "majority"

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {
            "grid": "greedy_vs_dp",
            "results_version": RESULTS_VERSION,
            "schema_version": SCHEMA_VERSION,
            "seed": self.seed,
            "tables": {"groups": self.groups, "count": self.count, **asdict(self.shape), "equal_rows": self.equal_rows},
            "heuristics": [heuristic.name for heuristic in self.heuristics],
        }

    def work(self, first: int, stop: int) -> pa.Table:
        """The rows of some items: of each table the heuristics in order, then the exact builder."""
        return pa.concat_tables(self._rows_of_group(*segment) for segment in self._segments(first, stop))

    def failure(self, item: int, status: str, error: str) -> pa.Table:
        """The rows of a table that could not be worked."""
        cells = self.cells_per_item
        return self._table(
            np.full(cells, item // self.count + 1, np.int32),
            np.full(cells, item % self.count + 1, np.int64),
            {"status": pa.array([status] * cells), "error": pa.array([error] * cells)},
        )

    def summarise(self, parts: Iterable[pa.Table], folder: Path) -> Summary:
        """Tables 1-5 and their figure."""
        from pipeline.summaries.greedy_vs_dp import summarise

        return summarise(parts, [heuristic.name for heuristic in self.heuristics], self.comparable, folder)

    def _segments(self, first: int, stop: int) -> Iterator[tuple[int, int, int]]:
        """(group, first table, number of tables) of each group that the items touch."""
        while first < stop:
            group, place = divmod(first, self.count)
            count = min(stop - first, self.count - place)
            yield group + 1, place + 1, count
            first += count

    def _rows_of_group(self, group: int, first: int, count: int) -> pa.Table:
        codes, decisions = self.shape.draw(self.seed, group, first, count)
        costs = costs_of_tables(
            codes,
            decisions,
            values=self.shape.values,
            n_decisions=self.shape.decisions,
            impurity_functions=self.heuristics,
        )
        index = np.arange(first, first + count)
        return self._table(
            np.full(count * self.cells_per_item, group, np.int32),
            np.repeat(index, self.cells_per_item),
            self._measures(costs) | self._outcomes(group, index, costs),
        )

    def _measures(self, costs: BatchCosts) -> dict[str, Any]:
        counted = np.concatenate([costs.greedy, costs.minimum[:, None]], axis=1).reshape(-1, len(COUNTED_COSTS))
        rows = np.repeat(costs.rows, self.cells_per_item)
        measures = dict(zip(COUNTED_COSTS, counted.T, strict=True))
        return {"rows": rows, **measures, "average_depth": counted[:, COUNTED_COSTS.index("total_path_length")] / rows}

    def _outcomes(self, group: int, index: np.ndarray[Any, Any], costs: BatchCosts) -> dict[str, Any]:
        """Status and error of every row, and which rows have no measures."""
        status = np.zeros((len(index), self.cells_per_item), np.int8)
        errors: dict[int, str] = {}
        for table in np.flatnonzero(costs.minimum[:, 0] < 0):
            status[table, -1] = STATUS.index("memory_limit")
            errors[int(table) * self.cells_per_item + len(self.heuristics)] = "the graph of separable subtables is too large"
        if self.equal_rows == "refuse":
            for table in np.flatnonzero(costs.rows < self.shape.rows):
                status[table] = STATUS.index("failed")
                why = self._refusal(group, int(index[table]))
                errors |= {int(table) * self.cells_per_item + cell: why for cell in range(self.cells_per_item)}
        if not errors:
            return {"status": pa.DictionaryArray.from_arrays(status.ravel(), STATUS)}
        error = np.full(status.size, None, dtype=object)
        error[list(errors)] = list(errors.values())
        return {
            "status": pa.DictionaryArray.from_arrays(status.ravel(), STATUS),
            "error": pa.array(error, pa.string()),
            "unmeasured": status.ravel() != 0,
        }

    def _refusal(self, group: int, index: int) -> str:
        try:
            self.shape.table(self.seed, group, index, equal_rows="refuse")
        except TableError as error:
            return str(error)
        msg = f"table {index} of group {group} has no equal rows, yet rows of it were merged"
        raise AssertionError(msg)

    def _table(self, group: Any, table_index: Any, columns: dict[str, Any]) -> pa.Table:
        """Rows of the results schema: what columns do not give is null, and measures are null where `unmeasured`."""
        cells = len(group)
        unmeasured = columns.pop("unmeasured", None)
        columns |= {"group": group, "table_index": table_index, "source": _constant("random", cells)}
        columns |= {"part": _constant("all", cells), **self._builder_columns(cells // self.cells_per_item)}
        return pa.table(
            [
                pa.nulls(cells, field.type)
                if field.name not in columns
                else _column(columns[field.name], field, unmeasured)
                for field in RESULTS
            ],
            schema=RESULTS,
        )

    def _builder_columns(self, tables: int) -> dict[str, pa.Array]:
        types, measures = ([*dict.fromkeys(half)] for half in zip(*((h.impurity_type, h.uncertainty) for h in self.heuristics), strict=True))
        greedy = len(self.heuristics)
        patterns = {
            "builder": (["greedy", "exact"], [0] * greedy + [1]),
            "impurity_type": (types, [types.index(h.impurity_type) for h in self.heuristics] + [None]),
            "uncertainty": (measures, [measures.index(h.uncertainty) for h in self.heuristics] + [None]),
        }
        return {name: _tiled(values, pattern, tables) for name, (values, pattern) in patterns.items()}


STATUS = pa.array(["ok", "failed", "memory_limit"])
MEASURES = {"average_depth", *COUNTED_COSTS}


def _column(values: Any, field: pa.Field, unmeasured: Any) -> pa.Array:
    mask = unmeasured if field.name in MEASURES else None
    if isinstance(values, pa.Array):
        return values.cast(field.type)
    return pa.array(values.astype(field.type.to_pandas_dtype(), copy=False), field.type, mask=mask)


def _constant(value: str, cells: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(np.zeros(cells, np.int8), pa.array([value]))


def _tiled(values: list[str], pattern: list[int | None], times: int) -> pa.DictionaryArray:
    indices = np.tile(np.array([0 if place is None else place for place in pattern], dtype=np.int8), times)
    null = np.tile(np.array([place is None for place in pattern]), times)
    return pa.DictionaryArray.from_arrays(pa.array(indices, mask=null), pa.array(values))


def _tuple(probabilities: list[float] | None) -> tuple[float, ...] | None:
    return None if probabilities is None else tuple(float(p) for p in probabilities)


def _heuristics(names: list[str]) -> tuple[ImpurityFunction, ...]:
    """The impurity functions of these names, in the order of the paper's tables."""
    known = {function.name: function for function in IMPURITY_FUNCTIONS}
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f", did you mean {near[0]}?" if near else ""
            msg = f"heuristics has '{name}'{hint}\nheuristics there are: {', '.join(known)}"
            raise ConfigError(msg)
    if not names:
        msg = f"heuristics is empty: expected some of {', '.join(known)}"
        raise ConfigError(msg)
    return tuple(function for function in IMPURITY_FUNCTIONS if function.name in names)
