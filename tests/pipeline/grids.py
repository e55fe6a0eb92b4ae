"""A small grid whose work takes no time."""

from __future__ import annotations

from dataclasses import replace

from algorithms.impurity import impurity_function
from algorithms.random_tables import RandomTables
from pipeline.grids.greedy_vs_dp import GreedyVsDpGrid

FEW = ("max/rt", "w_sum/gini")
SHAPE = RandomTables(rows=6, attributes=3, values=2, decisions=2)


def grid(heuristics: tuple[str, ...] = FEW, **changes: object) -> GreedyVsDpGrid:
    """Tables of 6 rows and 3 attributes, a group of a million."""
    functions = tuple(impurity_function(name) for name in heuristics)
    return replace(GreedyVsDpGrid(0, 1, 1_000_000, SHAPE, "majority", functions), **changes)
