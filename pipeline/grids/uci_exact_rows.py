"""What a worker makes of a real table: greedy trees, the graph and its minima, sets of optimal trees, Pareto fronts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from algorithms.costs import COST_FUNCTIONS
from algorithms.exact.alpha import alpha_trees
from algorithms.exact.graph import SubtableGraph
from algorithms.exact.pareto import FrontTooLargeError, pareto_front
from algorithms.exact.tree_set import TreeSet, TreeSetTooLargeError
from algorithms.greedy import greedy_costs
from algorithms.impurity import ImpurityFunction
from algorithms.kernels.subtables.pareto import fronts
from algorithms.table import DecisionTable
from pipeline.grids.base import RESULTS_TABLE
from pipeline.grids.table_rows import greedy_row, halves, measured
from pipeline.schema import FRONTS, GRAPHS, HELD_RESULTS, TREE_SETS
from pipeline.screen import note
from pipeline.work.kernels import compiled
from pipeline.work.losses import loss_of

if TYPE_CHECKING:
    from pipeline.grids.uci_exact import UciExactGrid

__all__ = ["compile_kernels", "failure_rows", "rows_of_table"]

Rows = list[dict[str, Any]]
SCHEMAS = {RESULTS_TABLE: HELD_RESULTS, "graphs": GRAPHS, "tree_sets": TREE_SETS, "fronts": FRONTS}
PIECE_DIGITS = 4000
PIECE = 10**PIECE_DIGITS


def rows_of_table(grid: UciExactGrid, called: dict[str, str], table: DecisionTable) -> dict[str, pa.Table]:
    """The rows of one table in all four tables; `called` is its identity, source and part."""
    _load_kernels()
    rows: dict[str, Rows] = {
        RESULTS_TABLE: [greedy_row(table, heuristic) for heuristic in grid.heuristics],
        "graphs": [],
        "tree_sets": [],
        "fronts": [],
    }
    facts = {
        "rows": table.rows,
        "size": table.size,
        "attributes": table.attributes,
        "decisions": len(np.unique(table.decisions)),
    }
    began = time.perf_counter()
    try:
        graph = SubtableGraph.of(table, grid.graph_bytes)
        least = graph.costs()
    except MemoryError as error:
        gone = asdict(loss_of(error))
        rows[RESULTS_TABLE].append({"builder": "exact", "rows": table.rows, **gone})
        rows["graphs"].append(facts | gone)
    else:
        seconds = time.perf_counter() - began
        rows[RESULTS_TABLE].append({"builder": "exact", **measured(table, least, seconds), "optimal": True})
        size = {"nodes": graph.nodes, "edges": graph.edges, "graph_bytes": _bytes(graph), "build_seconds": seconds}
        rows["graphs"].append(facts | size | {"status": "ok"})
        rows["tree_sets"] += _tree_sets(grid, graph)
        rows["fronts"] += _fronts(graph)
    return _tables(rows, called)


def failure_rows(grid: UciExactGrid, called: dict[str, str], status: str, error: str) -> dict[str, pa.Table]:
    """The rows of a table that could not be read or worked: they say so, and hold no measures."""
    said = {"status": status, "error": error}
    results = [{"builder": "greedy", **halves(heuristic), **said} for heuristic in grid.heuristics]
    rows = {RESULTS_TABLE: [*results, {"builder": "exact", **said}], "graphs": [said], "tree_sets": [], "fronts": []}
    return _tables(rows, called)


def _tables(rows: dict[str, Rows], called: dict[str, str]) -> dict[str, pa.Table]:
    return {
        name: pa.Table.from_pylist([called | row for row in rows[name]], schema=schema)
        for name, schema in SCHEMAS.items()
    }


def compile_kernels() -> None:
    """Compile what a table needs, once on this machine, so that no worker has to; that is announced."""
    if not compiled(fronts):
        note("compiling the kernels of exact trees: once on this machine, about half a minute ...")
    _load_kernels()
    graph = SubtableGraph.of(DecisionTable.from_codes([[0, 0], [0, 1], [1, 0]], [0, 1, 1]))
    _tree_set(0.0, "", lambda: alpha_trees(graph, 0.1).optimal(*COST_FUNCTIONS.values()))
    _fronts(graph)


def _load_kernels() -> None:
    """Load what is timed below, by way of a table of two rows."""
    table = DecisionTable.from_codes([[0, 0], [1, 0]], [0, 1])
    greedy_costs(table, ImpurityFunction("max", "ent"))
    SubtableGraph.of(table).costs()


def _bytes(graph: SubtableGraph) -> int:
    return sum(array.nbytes for array in vars(graph).values() if isinstance(array, np.ndarray))


def _tree_sets(grid: UciExactGrid, graph: SubtableGraph) -> Rows:
    """All trees for each alpha, and of the ordinary ones those optimal for each order of costs."""
    trees = TreeSet.of(graph)
    rows = [_tree_set(0.0, "", lambda: trees)]
    for order in grid.orders:
        costs = [COST_FUNCTIONS[name] for name in order]
        rows.append(_tree_set(0.0, ", ".join(order), lambda costs=costs: trees.optimal(*costs)))  # type: ignore[misc]
    return rows + [_tree_set(alpha, "", lambda alpha=alpha: alpha_trees(graph, alpha)) for alpha in grid.alphas]  # type: ignore[misc]


def _tree_set(alpha: float, optimal_for: str, found: Callable[[], TreeSet]) -> dict[str, Any]:
    named = {"alpha": alpha, "optimal_for": optimal_for}
    try:
        trees = found()
        least = trees.costs()
    except TreeSetTooLargeError as error:
        return named | {"status": "memory_limit", "error": str(error)}
    number = trees.number()
    told = {"trees": digits_of(number), "log10_trees": math.log10(number), "status": "ok"}
    return named | told | {name: least[name] for name in COST_FUNCTIONS}


def digits_of(number: int) -> str:
    """A whole number of any size in decimal digits; Python itself refuses to write more than some thousands."""
    pieces = []
    while number >= PIECE:
        number, piece = divmod(number, PIECE)
        pieces.append(f"{piece:0{PIECE_DIGITS}}")
    return "".join([str(number), *reversed(pieces)])


def _fronts(graph: SubtableGraph) -> Rows:
    """The points of the front of each two costs, in the order of the first."""
    rows: Rows = []
    trees = TreeSet.of(graph)
    for x, y in combinations(COST_FUNCTIONS, 2):
        named = {"cost_x": x, "cost_y": y}
        try:
            front = pareto_front(trees, COST_FUNCTIONS[x], COST_FUNCTIONS[y])
        except FrontTooLargeError as error:
            rows.append(named | {"status": "memory_limit", "error": str(error)})
            continue
        rows += [named | {"x": point[0], "y": point[1], "status": "ok"} for point in front.points]
    return rows
