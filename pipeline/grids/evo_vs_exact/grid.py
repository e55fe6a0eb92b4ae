"""Trees of EVO-Tree (Jankowski & Jackowski 2014) beside the fewest errors, and the fewest splits, at their depth."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from pipeline.builders import Builder
from pipeline.errors import ConfigError
from pipeline.grammar.axes import At, of_depths, of_sources
from pipeline.grammar.choices import place_of, tree_builder
from pipeline.grammar.keys import DISTINCT, Seed, at_least, builders_key, each, within
from pipeline.grammar.sources import SourceGrid
from pipeline.grid import RESULTS_TABLE

__all__ = ["EXACT", "KIND", "EvoVsExactGrid", "Grow"]

EXACT = "oct"
"""What rows call the search; its objective and its bound are errors, in rows. Those of an evolved tree are fitness."""
DEEPEST = 6
"""A frontier has 2 ** depth rows, and no search ends on sets of any size with more levels."""


class Grow(NamedTuple):
    """To grow a tree of a builder, by its repeat from 1."""

    builder: Builder
    repeat: int


@dataclass(frozen=True, kw_only=True)
class EvoVsExactGrid(SourceGrid, version=2):
    """Each builder's trees of a depth, a seed each, and the fewest errors of any such tree, on all rows of a source.

    Nominal attributes become a question for each label beforehand, so that builders and search have the same tests.

    sources  : whose rows with a class are trained on, missing values filled
    depths   : of each source: edges from the root to a leaf at most
    repeats  : trees of each builder
    builders : what grows a tree, and takes max_depth
    max_work : of the search, in its own unit
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

    def check(self) -> None:
        """Raise ConfigError where a builder is called as the search is."""
        if EXACT in [builder.name for builder in self.builders]:
            msg = f"builders has '{EXACT}', as rows call the search that all are held against: leave it out"
            raise ConfigError(msg)

    @property
    def asks(self) -> Sequence[Grow | str]:
        """The trees of all builders, then the search."""
        grow = [Grow(builder, repeat) for builder in self.builders for repeat in range(1, self.repeats + 1)]
        return [*grow, EXACT]

    @property
    def evolves(self) -> bool:
        """Whether a builder that is asked is EVO-Tree, whose fitness weighs depth as well as errors."""
        from algorithms.evolutionary.evo_tree import EVOTreeClassifier

        asked = {
            ask.builder for place, ask in enumerate(self.asks) if isinstance(ask, Grow) and place not in self.losses
        }
        return any(builder.extends(EVOTreeClassifier) for builder in asked)

    def called(self, at: At, ask: Grow | str) -> dict[str, Any]:
        """The depth is a parameter of all."""
        if isinstance(ask, Grow):
            parameters = ask.builder.given(max_depth=at.max_depth).parameters
            return at.called | {"repeat": ask.repeat, "builder": ask.builder.name, "parameters": parameters}
        return at.called | {"builder": ask, "parameters": json.dumps({"max_depth": at.max_depth})}

    def lost(self, at: At, ask: Grow | str, row: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
        """A row of the results, and of the search one of the frontiers."""
        return super().lost(at, ask, row) | ({"frontiers": [row]} if ask == EXACT else {})

    def ask_of(self, row: Mapping[str, Any]) -> Grow | str:
        """The search, or a builder's tree by its repeat."""
        if row.get("builder") == EXACT:
            return EXACT
        place_of("builder", row.get("builder"), [*(builder.name for builder in self.builders), EXACT])
        repeat = place_of("repeat", row.get("repeat"), range(1, self.repeats + 1)) + 1
        return Grow(tree_builder(self.builders, row), repeat)


KIND = EvoVsExactGrid.offered()
