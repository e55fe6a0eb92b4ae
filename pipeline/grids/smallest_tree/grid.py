"""Grown trees, compared with the smallest tree (Li: optimal) that gives the training rows the same classes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pipeline.errors import ConfigError
from pipeline.grammar.axes import Item, of_builders, of_sources, parameter_of, tree_builder
from pipeline.grammar.keys import GraphBytes, Seed, TreeBuilders, at_least, each, one_of
from pipeline.grammar.sources import SourceGrid

GROWN, FEWEST = "grown", "fewest_leaves"
"""The cells of an item. In rows, the first has its builder's name; the parameters of the second name that builder."""
CLASSIFIED = "classification_of"


@dataclass(frozen=True, kw_only=True)
class SmallestTreeGrid(SourceGrid, version=5):
    """The tree of each builder on each source, and the fewest leaves of any tree that gives the rows the same classes.

    sources      : data sets; the training rows are all rows with a class, with missing values filled
    builders     : builders that grow a tree
    two_branches : builders whose tests separate one label from all others. Their trees are compared with the smallest
                   tree of such tests; other trees are compared with the smallest tree with a branch for each label
    max_work     : limit of the search for the fewest leaves, in sets of at most 512 rows examined
    graph_bytes  : memory limit of the graph of separable subtables of a table, in bytes
    seed         : root of the draws of builders that draw
    """

    builders: TreeBuilders
    two_branches: tuple[str, ...]
    max_work: Annotated[int, at_least(1)]
    graph_bytes: GraphBytes
    seed: Seed

    axes = (
        of_sources(),
        of_builders(
            lambda row: parameter_of(row, "classification_of") if row.get("builder") == FEWEST else row.get("builder")
        ),
    )
    methods = (GROWN, FEWEST)
    noun = "trees"
    question = '"select source, builder, parameters, terminal_nodes, bound, optimal from results order by all"'

    def check(self) -> None:
        """Raise ConfigError if `two_branches` names anything that is not a builder here."""
        each(one_of(*(builder.name for builder in self.builders))).check("two_branches", self.two_branches)

    def row_identity(self, item: Item, method: str) -> dict[str, Any]:
        """The columns that identify a cell: the builder, or the builder whose classification has the fewest leaves."""
        if method == GROWN:
            return item.row_identity
        return item.row_identity | {"builder": FEWEST, "parameters": json.dumps({CLASSIFIED: item.builder.name})}

    def method_of(self, row: Mapping[str, Any]) -> str:
        """The tree of a builder; ConfigError for the fewest leaves, which are counted without a tree."""
        if row.get("builder") == FEWEST:
            names = ", ".join(builder.name for builder in self.builders)
            raise ConfigError(
                f"the row {FEWEST} has no tree, only a number of leaves or a bound; the builders that make trees are "
                f"{names}"
            )
        tree_builder([self.item(self.number_of(row)).builder], row)
        return GROWN


KIND = SmallestTreeGrid.offered()
