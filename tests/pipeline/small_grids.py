"""A small grid whose work takes no time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from algorithms.data.random_tables import RandomTables
from algorithms.measures.impurity import impurity_function
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from tests.drills.misfits import BEHAVIOURS

FEW = ("max/rt", "w_sum/gini")
SHAPE = RandomTables(rows=6, attributes=3, values=2, decisions=2)


def grid(heuristics: tuple[str, ...] = FEW, **changes: object) -> GreedyVsDpGrid:
    """Tables of 6 rows and 3 attributes, a group of a million."""
    functions = tuple(impurity_function(name) for name in heuristics)
    made = GreedyVsDpGrid(seed=0, groups=1, count=1_000_000, shape=SHAPE, equal_rows="majority", heuristics=functions)
    return replace(made, **changes)


@dataclass(frozen=True, kw_only=True)
class FragileGrid(GreedyVsDpGrid):
    """The same rows, unless an item shows a behaviour of `tests.drills.misfits`."""

    behaviours: tuple[tuple[int, str], ...] = ()

    def work(self, first: int, stop: int) -> Mapping[str, Any]:
        for item, behaviour in self.behaviours:
            if first <= item < stop:
                BEHAVIOURS[behaviour]()
        return super().work(first, stop)


def fragile(**behaviours: str) -> FragileGrid:
    """A grid whose items `_<number>` have these behaviours."""
    whole = grid()
    values = {field.name: getattr(whole, field.name) for field in fields(whole)}
    return FragileGrid(**values, behaviours=tuple((int(item[1:]), behaviour) for item, behaviour in behaviours.items()))
