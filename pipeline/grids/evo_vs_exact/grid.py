"""Trees of EVO-Tree (Jankowski & Jackowski 2014) beside the fewest errors and the fewest splits at their depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from pipeline.builders import Builder
from pipeline.grammar.axes import Item, index_of, of_depths, of_sources, tree_builder
from pipeline.grammar.keys import DISTINCT, Seed, at_least, builders_key, each, within
from pipeline.grammar.sources import SourceGrid
from pipeline.grid import RESULTS_TABLE

EXACT = "oct"
"""The builder name of the search. Its objective and bound are numbers of errors; those of an evolved tree, fitness."""
DEEPEST = 6
"""A frontier has 2 ** depth rows, and with more levels the search does not end on data sets of any size."""


class Grow(NamedTuple):
    """Grow a tree of a builder; its repeats are numbered from 1."""

    builder: Builder
    repeat: int

    @property
    def row_identity(self) -> dict[str, Any]:
        """The columns that name it in rows."""
        return {"repeat": self.repeat, **self.builder.row_identity}


@dataclass(frozen=True, kw_only=True)
class EvoVsExactGrid(SourceGrid, version=2):
    """The trees of each builder at a depth, one for each seed, and the fewest errors of any such tree, on all rows.

    Nominal attributes first become one two-valued attribute for each label, so that builders and search have the same
    tests.

    sources  : their rows with a class are trained on, missing values filled
    depths   : for each source: most edges from the root to a leaf
    repeats  : number of trees of each builder
    builders : builders that grow a tree and take max_depth
    max_work : limit of the search, in its own unit
    seed     : root of all draws
    """

    depths: Annotated[tuple[int, ...], each(within(1, DEEPEST)), DISTINCT]
    repeats: Annotated[int, at_least(1)]
    builders: Annotated[tuple[Builder, ...], builders_key(trees=True, takes=["max_depth"])]
    max_work: Annotated[int, at_least(1)]
    seed: Seed

    axes = (of_sources(), of_depths())
    noun = "searches"
    tables = (RESULTS_TABLE, "frontiers", "descents")
    question = (
        "\"select parameters->>'max_depth' max_depth, builder, avg(train_accuracy), avg(nonterminal_nodes) "
        'from results group by all order by all"'
    )

    @property
    def methods(self) -> Sequence[Grow | str]:
        """The trees of all builders, then the search."""
        grow = [Grow(builder, repeat) for builder in self.builders for repeat in range(1, self.repeats + 1)]
        return [*grow, EXACT]

    @property
    def evolves(self) -> bool:
        """Whether EVO-Tree, whose fitness weighs depth as well as errors, is among the builders."""
        from algorithms.evolutionary.evo_tree import EVOTreeClassifier

        kept = (method for index, method in enumerate(self.methods) if index not in self.left_out)
        return any(method.builder.extends(EVOTreeClassifier) for method in kept if isinstance(method, Grow))

    def parameters(self, item: Item) -> dict[str, Any]:
        """The depth."""
        return {"max_depth": item.max_depth}

    def failed_rows(self, item: Item, method: Grow | str, row: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
        """The rows of a failed or skipped cell: one of the results, and for the search one of the frontiers."""
        return super().failed_rows(item, method, row) | ({"frontiers": [row]} if method == EXACT else {})

    def method_of(self, row: Mapping[str, Any]) -> Grow | str:
        """The search, or the tree of a builder with a repeat, that a row names."""
        if row.get("builder") == EXACT:
            return EXACT
        index_of("builder", row.get("builder"), [*(builder.name for builder in self.builders), EXACT])
        repeat = index_of("repeat", row.get("repeat"), range(1, self.repeats + 1)) + 1
        return Grow(tree_builder(self.builders, row), repeat)


KIND = EvoVsExactGrid.offered()
