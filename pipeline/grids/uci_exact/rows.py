"""What a worker makes of a real table: greedy trees, the graph and its minima, sets of optimal trees, Pareto fronts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
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
from algorithms.table import DecisionTable
from pipeline.grammar.table_rows import called_greedy, greedy_row, measured
from pipeline.grid import RESULTS_TABLE
from pipeline.grids.uci_exact.columns import FRONTS, GRAPHS, TREE_SETS
from pipeline.schema import HELD_RESULTS
from pipeline.work.losses import Loss, loss_of

if TYPE_CHECKING:
    from pipeline.grids.uci_exact.grid import UciExactGrid

__all__ = ["compile_kernels", "failure_rows", "rows_of_table"]

Rows = list[dict[str, Any]]
SCHEMAS = {RESULTS_TABLE: HELD_RESULTS, "graphs": GRAPHS, "tree_sets": TREE_SETS, "fronts": FRONTS}
PIECE_DIGITS = 4000
PIECE = 10**PIECE_DIGITS


def rows_of_table(grid: UciExactGrid, called: dict[str, str], table: DecisionTable) -> dict[str, pa.Table]:
    """The rows of one table in all four tables; `called` is its identity, source and part."""
    _load_kernels()
    heuristics = len(grid.heuristics)
    greedy = [_greedy_row(table, grid.heuristics[place], grid.losses.get(place)) for place in range(heuristics)]
    rows = _rows_by_graph(grid, table, [grid.losses.get(place) for place in range(heuristics, grid.asked)])
    return _tables(rows | {RESULTS_TABLE: [*greedy, *rows[RESULTS_TABLE]]}, called)


def failure_rows(grid: UciExactGrid, called: dict[str, str], status: str, error: str) -> dict[str, pa.Table]:
    """The rows of a table that could not be read or worked: they say so, and hold no measures."""
    said = {"status": status, "error": error}
    results = [called_greedy(heuristic) | said for heuristic in grid.heuristics]
    rows = {RESULTS_TABLE: [*results, {"builder": "exact", **said}], "graphs": [said], "tree_sets": [], "fronts": []}
    return _tables(rows, called)


def _tables(rows: dict[str, Rows], called: dict[str, str]) -> dict[str, pa.Table]:
    return {
        name: pa.Table.from_pylist([called | row for row in rows[name]], schema=schema)
        for name, schema in SCHEMAS.items()
    }


def _greedy_row(table: DecisionTable, heuristic: ImpurityFunction, loss: Loss | None) -> dict[str, Any]:
    return called_greedy(heuristic) | asdict(loss) if loss else greedy_row(table, heuristic)


def _rows_by_graph(grid: UciExactGrid, table: DecisionTable, losses: Sequence[Loss | None]) -> dict[str, Rows]:
    """The rows of what is found by way of the graph: the minima, the sets of trees and the fronts, if not lost."""
    of_minima, *of_sets, of_fronts = losses
    facts = {
        "rows": table.rows,
        "size": table.size,
        "attributes": table.attributes,
        "decisions": len(np.unique(table.decisions)),
    }
    if of_minima and all(losses):
        return _without_minima(facts, of_minima)
    began = time.perf_counter()
    try:
        graph = SubtableGraph.of(table, grid.graph_bytes)
        rows = _without_minima(facts, of_minima) if of_minima else _with_minima(table, facts, graph, began)
    except MemoryError as error:
        return _without_minima(facts, loss_of(error))
    return rows | {"tree_sets": _tree_sets(grid, graph, of_sets), "fronts": _fronts(graph, of_fronts)}


def _with_minima(table: DecisionTable, facts: dict[str, Any], graph: SubtableGraph, began: float) -> dict[str, Rows]:
    """The rows of a table and of its minima; its graph was begun then."""
    least = graph.costs()
    seconds = time.perf_counter() - began
    minima = {"builder": "exact", **measured(table, least, seconds), "optimal": True}
    size = {"nodes": graph.nodes, "edges": graph.edges, "graph_bytes": _bytes(graph), "build_seconds": seconds}
    return {RESULTS_TABLE: [minima], "graphs": [facts | size | {"status": "ok"}]}


def _without_minima(facts: dict[str, Any], loss: Loss) -> dict[str, Rows]:
    """The rows of a table of which no minima are known."""
    gone = asdict(loss)
    minima = {"builder": "exact", "rows": facts["rows"], **gone}
    return {RESULTS_TABLE: [minima], "graphs": [facts | gone], "tree_sets": [], "fronts": []}


def compile_kernels() -> None:
    """Compile what a table needs, once on this machine, so that no worker has to."""
    _load_kernels()
    graph = SubtableGraph.of(DecisionTable.from_codes([[0, 0], [0, 1], [1, 0]], [0, 1, 1]))
    _tree_set(lambda: alpha_trees(graph, 0.1).optimal(*COST_FUNCTIONS.values()))
    _fronts(graph, None)


def _load_kernels() -> None:
    """Load what is timed below, by way of a table of two rows."""
    table = DecisionTable.from_codes([[0, 0], [1, 0]], [0, 1])
    greedy_costs(table, ImpurityFunction("max", "ent"))
    SubtableGraph.of(table).costs()


def _bytes(graph: SubtableGraph) -> int:
    return sum(array.nbytes for array in vars(graph).values() if isinstance(array, np.ndarray))


def _tree_sets(grid: UciExactGrid, graph: SubtableGraph, losses: Sequence[Loss | None]) -> Rows:
    """All trees for each alpha, and of the ordinary ones those optimal for each order of costs."""
    trees = TreeSet.of(graph)
    rows = []
    for (alpha, order), loss in zip(grid.sets, losses, strict=True):
        named = {"alpha": alpha, "optimal_for": ", ".join(order)}
        costs = [COST_FUNCTIONS[name] for name in order]
        found = partial(alpha_trees, graph, alpha) if alpha else partial(trees.optimal, *costs)
        rows.append(named | (asdict(loss) if loss else _tree_set(found)))
    return rows


def _tree_set(found: Callable[[], TreeSet]) -> dict[str, Any]:
    try:
        trees = found()
        least = trees.costs()
    except TreeSetTooLargeError as error:
        return {"status": "memory_limit", "error": str(error)}
    number = trees.number()
    told = {"trees": digits_of(number), "log10_trees": math.log10(number), "status": "ok"}
    return told | {name: least[name] for name in COST_FUNCTIONS}


def digits_of(number: int) -> str:
    """A whole number of any size in decimal digits; Python itself refuses to write more than some thousands."""
    pieces = []
    while number >= PIECE:
        number, piece = divmod(number, PIECE)
        pieces.append(f"{piece:0{PIECE_DIGITS}}")
    return "".join([str(number), *reversed(pieces)])


def _fronts(graph: SubtableGraph, loss: Loss | None) -> Rows:
    """The points of the front of each two costs, in the order of the first."""
    rows: Rows = []
    trees = TreeSet.of(graph)
    for x, y in combinations(COST_FUNCTIONS, 2):
        named = {"cost_x": x, "cost_y": y}
        if loss:
            rows.append(named | asdict(loss))
            continue
        try:
            front = pareto_front(trees, COST_FUNCTIONS[x], COST_FUNCTIONS[y])
        except FrontTooLargeError as error:
            rows.append(named | {"status": "memory_limit", "error": str(error)})
            continue
        rows += [named | {"x": point[0], "y": point[1], "status": "ok"} for point in front.points]
    return rows
