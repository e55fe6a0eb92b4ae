"""Trees for decision tables, built again from what their result rows are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from algorithms.costs import COST_FUNCTIONS
from algorithms.exact.graph import SubtableGraph
from algorithms.greedy import greedy_tree
from algorithms.impurity import impurity_function
from algorithms.table import DecisionTable
from algorithms.tree import DecisionTree
from pipeline.errors import ConfigError

__all__ = ["tree_for"]


def tree_for(table: DecisionTable, row: Mapping[str, Any]) -> DecisionTree:
    """The greedy tree that a row's impurity function grows for a table; of the exact builder one of least `cost`.

    Raises
    ------
    ConfigError
        The row names no builder of trees for tables, or the exact one without a cost.
    """
    if row["builder"] == "greedy":
        return greedy_tree(table, impurity_function(f"{row['impurity_type']}/{row['uncertainty']}"))
    cost = row.get("cost")
    if row["builder"] == "exact" and cost in COST_FUNCTIONS:
        return SubtableGraph.of(table).optimal_tree(COST_FUNCTIONS[cost])
    msg = f"builder {row['builder']!r}, cost {cost!r}: expected greedy, or exact and one of {', '.join(COST_FUNCTIONS)}"
    raise ConfigError(msg)
