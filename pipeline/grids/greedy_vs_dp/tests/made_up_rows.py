"""Rows of made-up grids, as part files, and what their summary finds."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from algorithms.measures.impurity import IMPURITY_FUNCTIONS
from pipeline.grammar.columns import COSTS, Row
from pipeline.grid import RESULTS_TABLE, GridSummary
from pipeline.grids.greedy_vs_dp.summary import SUMMARY
from pipeline.storage.parts import Part, publish
from tests.summaries.builder_rows import written

ALL = tuple(function.name for function in IMPURITY_FUNCTIONS)
FEW = ("max/rt", "sum/rt", "w_sum/gini")
TABLE_ROWS = 7
Rows = list[dict[str, object]]


def grid_rows(groups: int, tables: int, heuristics: tuple[str, ...] = FEW, seed: int = 0) -> Rows:
    """Rows of a made-up grid whose greedy costs are never below the minima; some tables are single leaves."""
    rng = np.random.default_rng(seed)
    rows: Rows = []
    for group, table in ((g, t) for g in range(1, groups + 1) for t in range(tables)):
        leaf = bool(rng.random() < 0.1)
        minima = dict.fromkeys(COSTS, 0) | {"nodes": 1, "terminal_nodes": 1}
        if not leaf:
            minima = {cost: int(rng.integers(2, 9)) for cost in COSTS}
        for name in [*heuristics, None]:
            above = 0 if leaf or name is None else 1
            costs = {cost: least + above * int(rng.integers(0, 4)) for cost, least in minima.items()}
            rows.append(
                {
                    "source": "random",
                    "part": "all",
                    "group": group,
                    "table_index": table,
                    "builder": "exact" if name is None else "greedy",
                    "impurity_type": None if name is None else name.split("/")[0],
                    "uncertainty": None if name is None else name.split("/")[1],
                    "status": "ok",
                    **costs,
                    "total_path_length": costs["average_depth"],
                    "average_depth": costs["average_depth"] / TABLE_ROWS,
                }
            )
    return rows


def part(rows: Rows) -> pa.Table:
    text = pa.dictionary(pa.int8(), pa.string())
    types = {"group": pa.int32(), "table_index": pa.int64(), "average_depth": pa.float64()}
    types |= dict.fromkeys(("source", "part", "builder", "impurity_type", "uncertainty", "status"), text)
    return pa.Table.from_pylist(
        rows, schema=pa.schema([(name, types.get(name, pa.int32())) for name in grid_rows(1, 1)[0]])
    )


def read(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def parts_of(tables: Sequence[pa.Table], folder: Path) -> dict[str, list[Part]]:
    """The tables as part files, but those without rows."""
    full = [table for table in tables if table.num_rows]
    return {RESULTS_TABLE: [publish(table, folder / "parts", "x", n, n + 1) for n, table in enumerate(full)]}


def context(heuristics: Sequence[str], comparable: bool) -> dict[str, list[object]]:
    return {"heuristics": list(heuristics), "comparison": [{"comparable": comparable}]}


def summarise(tables: Sequence[pa.Table], heuristics: Sequence[str], comparable: bool, folder: Path) -> GridSummary:
    """The summary of tables of rows, without its figure."""
    return written(SUMMARY, parts_of(tables, folder), folder, drawn=False, **context(heuristics, comparable))


def summary_rows(
    tables: Sequence[pa.Table], heuristics: Sequence[str], comparable: bool, folder: Path
) -> dict[str, Sequence[Row]]:
    """The rows of the tables of its summary."""
    return dict(SUMMARY.rows_of(parts_of(tables, folder), **context(heuristics, comparable)))
