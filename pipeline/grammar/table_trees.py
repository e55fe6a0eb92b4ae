"""Trees for decision tables, built again from what their result rows are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from algorithms.exact.graph import DEFAULT_LIMIT, SubtableGraph
from algorithms.greedy import greedy_tree
from algorithms.impurity import IMPURITY_FUNCTIONS, ImpurityFunction, impurity_function
from algorithms.table import DecisionTable
from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.errors import ConfigError
from pipeline.grammar.choices import place_of
from pipeline.grammar.costs import costs_of
from pipeline.grid import RebuiltTree
from pipeline.screen import listed_choices
from pipeline.work.limits import MIB

__all__ = ["rebuilt_for"]


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
