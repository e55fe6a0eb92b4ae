"""Trees of a decision table and their measures: by a heuristic, by a builder, and of least cost."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from algorithms.data.table import DecisionTable
from algorithms.exact.graph import DEFAULT_LIMIT, SubtableGraph, exact_costs
from algorithms.greedy import greedy_costs, greedy_tree
from algorithms.measures.impurity import IMPURITY_FUNCTIONS, ImpurityFunction, impurity_function
from algorithms.trees.costs import COST_FUNCTIONS, Costs
from pipeline.builders import Builder
from pipeline.errors import ConfigError
from pipeline.grammar.axes import index_of
from pipeline.grammar.cells import Made
from pipeline.grid import RebuiltTree
from pipeline.words import listed_choices
from pipeline.work.limits import MIB
from pipeline.work.plugin_process import clock


def rehearsal_table() -> DecisionTable:
    """A table of three rows and two attributes, to compile and load kernels with."""
    return DecisionTable.from_codes([[0, 0], [0, 1], [1, 0]], [0, 1, 1], weights=[1, 1, 1])


def made(table: DecisionTable, method: ImpurityFunction | Builder | str, seed: int, limit: int) -> Made:
    """Build the tree of a heuristic or a builder; for anything else, find the minima."""
    if isinstance(method, ImpurityFunction):
        return greedy(table, method)
    return built(table, method, seed) if isinstance(method, Builder) else minima(table, limit)


def greedy(table: DecisionTable, heuristic: ImpurityFunction) -> Made:
    """Build the tree of a greedy heuristic."""
    began = time.perf_counter()
    costs = greedy_costs(table, heuristic)
    return Made(measured(table, costs, time.perf_counter() - began))


def built(table: DecisionTable, builder: Builder, seed: int) -> Made:
    """Grow a builder's tree from the weighted rows of the table.

    The table is complete and all its attributes are nominal, so the builder's own preparation changes nothing.
    """
    from algorithms.data.data_set_of import data_set_of  # imports scikit-learn, as builders do

    data = data_set_of(table)
    classifier = builder.made(seed)
    began = clock()
    grown = classifier.fit(data, sample_weight=table.weights)  # type: ignore[call-arg]
    seconds = clock() - began
    measures = measured(table, grown.tree_.costs(table), seconds)
    return Made(measures, lambda: (grown.tree_, grown.labels_))


def minima(table: DecisionTable, limit: int = DEFAULT_LIMIT) -> Made:
    """Minimise each cost separately, in at most `limit` bytes; MemoryError if that is too little."""
    began = time.perf_counter()
    least = exact_costs(table, limit)
    return Made(measured(table, least, time.perf_counter() - began) | {"optimal": True})


def measured(table: DecisionTable, costs: Costs, seconds: float) -> dict[str, Any]:
    """The measures of a tree of the table, or the minima."""
    return {"rows": table.rows, **asdict(costs), "build_seconds": seconds, "status": "ok"}


def rebuilt_for(
    table: DecisionTable, row: Mapping[str, Any], heuristics: tuple[ImpurityFunction, ...], limit: int = DEFAULT_LIMIT
) -> RebuiltTree:
    """Rebuild the greedy tree of a row; for the exact row, a tree of least `cost`.

    heuristics : those of the grid; a row without a builder means the first
    limit      : memory limit of the table's graph, in bytes

    Raises
    ------
    ConfigError
        The builder is neither greedy nor exact, an exact row has no cost, or the graph exceeds the limit.
    """
    builder = row.get("builder") or ("exact" if row.get("cost") else "greedy")
    if builder == "greedy":
        return _greedy(table, row, heuristics)
    if builder == "exact":
        return _exact(table, row.get("cost"), limit)
    raise ConfigError(f"builder {builder}: expected one of greedy, exact")


def _greedy(table: DecisionTable, row: Mapping[str, Any], heuristics: tuple[ImpurityFunction, ...]) -> RebuiltTree:
    heuristic = heuristics[0]
    if row.get("impurity_type"):
        name = f"{row['impurity_type']}/{row['uncertainty']}"
        index_of("heuristic", name, [function.name for function in IMPURITY_FUNCTIONS])
        heuristic = impurity_function(name)
    tree = greedy_tree(table, heuristic)
    return RebuiltTree(tree, table.labels, {"rows": table.rows} | asdict(tree.costs(table)))


def _exact(table: DecisionTable, cost: str | None, limit: int) -> RebuiltTree:
    if cost is None:
        raise ConfigError(
            "the exact row has the minimum of each cost, and these minima belong to different trees: leave "
            f"--builder out, and give --cost NAME, where NAME is {listed_choices(list(COST_FUNCTIONS))}"
        )
    index_of("cost", cost, list(COST_FUNCTIONS))
    try:
        tree = SubtableGraph.of(table, limit).optimal_tree(COST_FUNCTIONS[cost])
    except MemoryError as error:
        raise ConfigError(
            "there is no exact tree, because the exact search on this table needs more than the run's limit of "
            f"{limit / MIB:,.0f} MiB"
        ) from error
    return RebuiltTree(tree, table.labels, {"rows": table.rows} | asdict(tree.costs(table)), cost)
