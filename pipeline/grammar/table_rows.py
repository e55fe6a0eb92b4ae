"""Result rows of a decision table: of greedy trees, of the trees of builders with a name, and of the exact minima."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from algorithms.costs import Costs
from algorithms.exact.graph import exact_costs
from algorithms.greedy import greedy_costs
from algorithms.impurity import ImpurityFunction
from algorithms.table import DecisionTable
from algorithms.tables_from_data import data_set_of
from pipeline.builders import Builder
from pipeline.grammar.measures import costs_of
from pipeline.grid import RebuiltTree
from pipeline.work.losses import loss_of
from pipeline.work.plugin_process import clock

__all__ = [
    "builder_row",
    "builder_tree",
    "called_greedy",
    "exact_row",
    "greedy_row",
    "measured",
]

Row = dict[str, Any]


def greedy_row(table: DecisionTable, heuristic: ImpurityFunction) -> Row:
    """The row of the tree that a greedy heuristic builds."""
    began = time.perf_counter()
    costs = greedy_costs(table, heuristic)
    return called_greedy(heuristic) | measured(table, costs, time.perf_counter() - began)


def builder_row(table: DecisionTable, builder: Builder, seed: int) -> Row:
    """The row of the tree that a builder grows from the rows of the table, each of its weight; failures say so.

    The builder's own preparation has nothing to do: the table is complete, and all its attributes are nominal.
    """
    row = {"builder": builder.name, "parameters": builder.parameters}
    try:
        return row | builder_tree(table, builder, seed).measures
    except (Exception, SystemExit) as error:  # not KeyboardInterrupt: a driver that rehearses comes by here too
        return row | {"rows": table.rows, **asdict(loss_of(error))}


def builder_tree(table: DecisionTable, builder: Builder, seed: int) -> RebuiltTree:
    """The tree that a builder grows from the rows of the table, each of its weight, and its row's measures."""
    data = data_set_of(table)
    classifier = builder.made(seed)
    began = clock()
    grown = classifier.fit(data, sample_weight=table.weights)  # type: ignore[call-arg]
    seconds = clock() - began
    return RebuiltTree(grown.tree_, grown.labels_, measured(table, grown.tree_.costs(table), seconds))


def exact_row(table: DecisionTable, limit: int) -> Row:
    """The row of the least of each cost, each minimised alone, in at most `limit` bytes; beyond it the row says so."""
    began = time.perf_counter()
    try:
        least = exact_costs(table, limit)
    except MemoryError as error:
        return {"builder": "exact", "rows": table.rows, **asdict(loss_of(error))}
    return {"builder": "exact", **measured(table, least, time.perf_counter() - began), "optimal": True}


def measured(table: DecisionTable, costs: Costs, seconds: float) -> Row:
    """The measures of a tree for the table, or the least of each."""
    return {"rows": table.rows, **costs_of(costs), "build_seconds": seconds, "status": "ok"}


def called_greedy(heuristic: ImpurityFunction) -> Row:
    """What tells the row of a heuristic from those of others."""
    return {"builder": "greedy", "impurity_type": heuristic.impurity_type, "uncertainty": heuristic.uncertainty}
