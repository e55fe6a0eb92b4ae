"""Trees of a decision table and their measures, built first or once more: of heuristics, of builders, of least cost."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from algorithms.exact.graph import DEFAULT_LIMIT, SubtableGraph, exact_costs
from algorithms.greedy import greedy_costs, greedy_tree
from algorithms.impurity import IMPURITY_FUNCTIONS, ImpurityFunction, impurity_function
from algorithms.table import DecisionTable
from algorithms.trees.costs import COST_FUNCTIONS, Costs
from pipeline.builders import Builder
from pipeline.errors import ConfigError
from pipeline.grammar.cells import Made
from pipeline.grammar.choices import place_of
from pipeline.grammar.costs import costs_of
from pipeline.grid import RebuiltTree
from pipeline.words import listed_choices
from pipeline.work.limits import MIB
from pipeline.work.plugin_process import clock

__all__ = ["built", "greedy", "made", "measured", "minima", "rebuilt_for", "rehearsal_table"]


def rehearsal_table() -> DecisionTable:
    """A table of three rows and two attributes, to compile and load kernels by."""
    return DecisionTable.from_codes([[0, 0], [0, 1], [1, 0]], [0, 1, 1], weights=[1, 1, 1])


def made(table: DecisionTable, ask: ImpurityFunction | Builder | str, seed: int, limit: int) -> Made:
    """The tree of a heuristic or of a builder; of any other ask the minima."""
    if isinstance(ask, ImpurityFunction):
        return greedy(table, ask)
    return built(table, ask, seed) if isinstance(ask, Builder) else minima(table, limit)


def greedy(table: DecisionTable, heuristic: ImpurityFunction) -> Made:
    """The tree that a greedy heuristic builds."""
    began = time.perf_counter()
    costs = greedy_costs(table, heuristic)
    return Made(measured(table, costs, time.perf_counter() - began))


def built(table: DecisionTable, builder: Builder, seed: int) -> Made:
    """The tree that a builder grows from the rows of the table, each of its weight.

    The builder's own preparation has nothing to do: the table is complete, and all its attributes are nominal.
    """
    from algorithms.data_set_of import data_set_of  # which imports scikit-learn, as builders do

    data = data_set_of(table)
    classifier = builder.made(seed)
    began = clock()
    grown = classifier.fit(data, sample_weight=table.weights)  # type: ignore[call-arg]
    seconds = clock() - began
    measures = measured(table, grown.tree_.costs(table), seconds)
    return Made(measures, lambda: (grown.tree_, grown.labels_))


def minima(table: DecisionTable, limit: int = DEFAULT_LIMIT) -> Made:
    """The least of each cost, each minimised alone, in at most `limit` bytes; MemoryError beyond."""
    began = time.perf_counter()
    least = exact_costs(table, limit)
    return Made(measured(table, least, time.perf_counter() - began) | {"optimal": True})


def measured(table: DecisionTable, costs: Costs, seconds: float) -> dict[str, Any]:
    """The measures of a tree for the table, or the least of each."""
    return {"rows": table.rows, **costs_of(costs), "build_seconds": seconds, "status": "ok"}


def rebuilt_for(
    table: DecisionTable, row: Mapping[str, Any], heuristics: tuple[ImpurityFunction, ...], limit: int = DEFAULT_LIMIT
) -> RebuiltTree:
    """The greedy tree that a row's impurity function grows for a table; of the exact builder one of least `cost`.

    heuristics : of the grid, the first of which is meant where a row names no builder
    limit      : bytes that the graph of the table may take

    Raises
    ------
    ConfigError
        The row names no builder of trees for tables, the exact one without a cost, or the graph does not fit.
    """
    builder = row.get("builder") or ("exact" if row.get("cost") else "greedy")
    if builder == "greedy":
        return _greedy(table, row, heuristics)
    if builder == "exact":
        return _exact(table, row.get("cost"), limit)
    msg = f"builder {builder}: expected one of greedy, exact"
    raise ConfigError(msg)


def _greedy(table: DecisionTable, row: Mapping[str, Any], heuristics: tuple[ImpurityFunction, ...]) -> RebuiltTree:
    heuristic = heuristics[0]
    if row.get("impurity_type"):
        name = f"{row['impurity_type']}/{row['uncertainty']}"
        place_of("heuristic", name, [function.name for function in IMPURITY_FUNCTIONS])
        heuristic = impurity_function(name)
    tree = greedy_tree(table, heuristic)
    return RebuiltTree(tree, table.labels, {"rows": table.rows} | costs_of(tree.costs(table)))


def _exact(table: DecisionTable, cost: str | None, limit: int) -> RebuiltTree:
    if cost is None:
        msg = "the exact row holds the least of each cost, by trees of their own: name as cost "
        raise ConfigError(msg + listed_choices(list(COST_FUNCTIONS)))
    place_of("cost", cost, list(COST_FUNCTIONS))
    try:
        tree = SubtableGraph.of(table, limit).optimal_tree(COST_FUNCTIONS[cost])
    except MemoryError as error:
        msg = f"the graph of this table takes more than the {limit / MIB:,.0f} MiB of the run: it has no exact tree"
        raise ConfigError(msg) from error
    return RebuiltTree(tree, table.labels, {"rows": table.rows} | costs_of(tree.costs(table)), cost)
