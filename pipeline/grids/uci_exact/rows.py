"""The result rows of a real table: greedy trees, the graph and its minima, sets of optimal trees, Pareto fronts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from algorithms.data.table import DecisionTable
from algorithms.exact.alpha import alpha_trees
from algorithms.exact.graph import SubtableGraph
from algorithms.exact.pareto import FrontTooLargeError, pareto_front
from algorithms.exact.tree_set import TreeSet, TreeSetTooLargeError
from algorithms.greedy import greedy_costs
from algorithms.measures.impurity import ImpurityFunction
from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.grammar.axes import Item, once
from pipeline.grammar.cells import Made
from pipeline.grammar.table_rows import greedy, measured, rehearsal_table
from pipeline.grids.uci_exact.grid import FRONTS, Method, TreesOf, UciExactGrid

PIECE_DIGITS = 4000
PIECE = 10**PIECE_DIGITS
NO_ROWS = Made({})
"""Of sets and fronts, if the graph does not fit into memory; the row of the minima gives the reason."""


def cell(grid: UciExactGrid, item: Item, method: Method) -> Made:
    """The tree of a heuristic; or the graph with the minima, a set of trees, or the fronts."""
    if isinstance(method, ImpurityFunction):
        return greedy(grid.decision_table(item), method)
    if isinstance(method, str) and method != FRONTS:
        return _minima(grid.decision_table(item), *graph(grid, item))
    try:
        of_table, _ = graph(grid, item)
    except MemoryError:
        return NO_ROWS
    if isinstance(method, TreesOf):
        return Made({}, more={"tree_sets": [_tree_set(of_table, method)]})
    return Made({}, more={"fronts": _fronts(of_table)})


@once("source")
def graph(grid: UciExactGrid, item: Item) -> tuple[SubtableGraph, float]:
    """The graph of an item's table, and the seconds it took to build."""
    table = grid.decision_table(item)
    began = time.perf_counter()
    return SubtableGraph.of(table, grid.graph_bytes), time.perf_counter() - began


def rehearsals(_: UciExactGrid, __: Sequence[Item], ___: Sequence[Method]) -> Iterable[Callable[[], object]]:
    """Run everything on a table of three rows."""
    return [_rehearse]


def _rehearse() -> None:
    table = rehearsal_table()
    greedy_costs(table, ImpurityFunction("max", "ent"))
    subtables = SubtableGraph.of(table)
    subtables.costs()
    _tree_set(subtables, TreesOf(0.1, tuple(COST_FUNCTIONS)))
    _fronts(subtables)


def _minima(table: DecisionTable, subtables: SubtableGraph, seconds: float) -> Made:
    began = time.perf_counter()
    least = subtables.costs()
    seconds += time.perf_counter() - began
    graph_bytes = sum(array.nbytes for array in vars(subtables).values() if isinstance(array, np.ndarray))
    size: dict[str, Any] = {"nodes": subtables.nodes, "edges": subtables.edges, "graph_bytes": graph_bytes}
    size |= {"build_seconds": seconds, "status": "ok"}
    return Made(measured(table, least, seconds) | {"optimal": True}, more={"graphs": [size]})


def _tree_set(subtables: SubtableGraph, method: TreesOf) -> dict[str, Any]:
    """All trees for an alpha, or the ordinary trees that are optimal for costs."""
    try:
        trees = alpha_trees(subtables, method.alpha) if method.alpha else TreeSet.of(subtables)
        trees = trees.optimal(*(COST_FUNCTIONS[name] for name in method.order))
        least = trees.costs()
    except TreeSetTooLargeError as error:
        return {"status": "memory_limit", "error": str(error)}
    number = trees.number()
    count = {"trees": digits_of(number), "log10_trees": math.log10(number), "status": "ok"}
    return count | {name: least[name] for name in COST_FUNCTIONS}


def digits_of(number: int) -> str:
    """A whole number of any size in decimal digits; Python itself refuses more than a few thousand digits."""
    pieces = []
    while number >= PIECE:
        number, piece = divmod(number, PIECE)
        pieces.append(f"{piece:0{PIECE_DIGITS}}")
    return "".join([str(number), *reversed(pieces)])


def _fronts(subtables: SubtableGraph) -> list[dict[str, Any]]:
    """The points of the front of each pair of costs, in increasing order of the first."""
    rows: list[dict[str, Any]] = []
    trees = TreeSet.of(subtables)
    for x, y in combinations(COST_FUNCTIONS, 2):
        named = {"cost_x": x, "cost_y": y}
        try:
            front = pareto_front(trees, COST_FUNCTIONS[x], COST_FUNCTIONS[y])
        except FrontTooLargeError as error:
            rows.append(named | {"status": "memory_limit", "error": str(error)})
            continue
        rows += [named | {"x": point[0], "y": point[1], "status": "ok"} for point in front.points]
    return rows
