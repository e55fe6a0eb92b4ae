"""Greedy heuristics against exact minima on random decision tables (Alkhalid et al. 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algorithms.data.random_tables import RandomTables
from pipeline.grammar.random_tables import RandomTablesGrid

AS_PRINTED = RandomTables()


@dataclass(frozen=True, kw_only=True)
class GreedyVsDpGrid(RandomTablesGrid, version=1):
    """Groups of random tables of one shape."""

    question = "\"select impurity_type, uncertainty, avg(nodes) from results where builder = 'greedy' group by all\""

    @property
    def comparable(self) -> bool:
        """Whether only the seed, the count or the number of groups differ from the paper."""
        return self.shape == AS_PRINTED and self.equal_rows == "majority"

    @property
    def context(self) -> dict[str, Any]:
        """The heuristics in order, and whether their means are compared with the paper's."""
        return super().context | {"comparison": [{"comparable": self.comparable}]}


KIND = GreedyVsDpGrid.offered()
