"""Trees of a decision table and their measures: of greedy heuristics, of builders, and the least of each cost."""

from __future__ import annotations

import time
from typing import Any

from algorithms.exact.graph import exact_costs
from algorithms.greedy import greedy_costs
from algorithms.impurity import ImpurityFunction
from algorithms.table import DecisionTable
from algorithms.tables_from_data import data_set_of
from algorithms.trees.costs import Costs
from pipeline.builders import Builder
from pipeline.grammar.cells import Made
from pipeline.grammar.costs import costs_of
from pipeline.work.plugin_process import clock

__all__ = ["built", "greedy", "made", "measured", "minima", "rehearsal_table"]


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
    data = data_set_of(table)
    classifier = builder.made(seed)
    began = clock()
    grown = classifier.fit(data, sample_weight=table.weights)  # type: ignore[call-arg]
    seconds = clock() - began
    measures = measured(table, grown.tree_.costs(table), seconds)
    return Made(measures, lambda: (grown.tree_, grown.labels_))


def minima(table: DecisionTable, limit: int) -> Made:
    """The least of each cost, each minimised alone, in at most `limit` bytes; MemoryError beyond."""
    began = time.perf_counter()
    least = exact_costs(table, limit)
    return Made(measured(table, least, time.perf_counter() - began) | {"optimal": True})


def measured(table: DecisionTable, costs: Costs, seconds: float) -> dict[str, Any]:
    """The measures of a tree for the table, or the least of each."""
    return {"rows": table.rows, **costs_of(costs), "build_seconds": seconds, "status": "ok"}
