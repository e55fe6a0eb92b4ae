"""The excess of unpruned trees over exact minima: every builder and heuristic on the same merged, weighted tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from algorithms.measures.impurity import ImpurityFunction
from pipeline.builders import Builder
from pipeline.data.protocols import drawn_seed
from pipeline.grammar.axes import Item, index_of, tree_builder
from pipeline.grammar.cells import Made
from pipeline.grammar.keys import Seed, TreeBuilders
from pipeline.grammar.sources import EXACT, TableGrid
from pipeline.grid import RebuiltTree

BEST_OF = "best of"
"""Prefix of the name of the best heuristic, which is chosen for each table and cost."""
Method = ImpurityFunction | Builder | str


@dataclass(frozen=True, kw_only=True)
class InductionGapGrid(TableGrid, version=2):
    """The decision table of each source, the costs of each heuristic's and builder's tree on it, and the exact minima.

    builders : further builders, which grow trees from the weighted rows of the table
    seed     : root of the draws of builders that draw
    """

    builders: TreeBuilders
    seed: Seed

    shown_cost = "average_depth"
    question = '"select source, builder, min(average_depth) from results group by all order by 1, 3"'

    @property
    def methods(self) -> Sequence[Method]:
        """The heuristics, the builders, and the search for the minima."""
        return [*self.heuristics, *self.builders, EXACT]

    def cell(self, item: Item, method: Method) -> Made:
        """The tree of a heuristic or a builder, or the minima."""
        from pipeline.grammar.table_rows import made

        return made(self.decision_table(item), method, drawn_seed(self.seed, item.source.seed_name), self.graph_bytes)

    def rehearsals(self, _: Sequence[Item], methods: Sequence[Method]) -> Iterable[Callable[[], object]]:
        """Run everything on a table of two attributes."""
        from pipeline.grammar.table_rows import made, rehearsal_table

        return [partial(made, rehearsal_table(), method, 0, self.graph_bytes) for method in methods]

    @property
    def context(self) -> dict[str, Any]:
        """Who is compared, in the order of the summary's tables."""
        heuristics = [heuristic.name for heuristic in self.heuristics]
        best = f"{BEST_OF} {len(heuristics)} heuristics"
        return {"builders": [*heuristics, best, *(builder.name for builder in self.builders), EXACT]}

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree of a heuristic or a builder; for the exact row a tree of least `cost`."""
        names = [builder.name for builder in self.builders]
        if row.get("builder") in names:
            return self.cell(self.item(self.number_of(row)), tree_builder(self.builders, row)).rebuilt()
        index_of("builder", row.get("builder"), ["greedy", *names, EXACT])
        return super()._rebuilt(row)


KIND = InductionGapGrid.offered()
