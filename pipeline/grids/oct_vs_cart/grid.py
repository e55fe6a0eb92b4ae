"""Optimal classification trees beside CART, both tuned on validation rows (Li, "Results")."""

from __future__ import annotations

from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

from pipeline.data.protocols import Protocol
from pipeline.grammar.axes import Item, numbered, of_depths, of_sources
from pipeline.grammar.keys import DISTINCT, Called, Rule, at_least, each, protocol_key, within
from pipeline.grammar.sources import SelectedRows, SplitGrid
from pipeline.grid import RESULTS_TABLE

if TYPE_CHECKING:
    from pipeline.data.catalogue.loading import LoadedSet
    from pipeline.data.sources import Source

DEEPEST = 20
CART, OCT = "cart", "oct"
METHODS = (CART, OCT)
"""The names of the builders in rows, in order."""


@dataclass(frozen=True, kw_only=True)
class OctVsCartGrid(SplitGrid, version=4):
    """CART and OCT at each depth, on the same training and validation rows of each split of each source.

    sources       : data sets; rows with a missing value are left out, nominal attributes are dummy-coded
    protocol      : which rows train, tune and test
    depths        : most edges from the root to a leaf
    min_rows_leaf : fewest training rows in a leaf, as a share of the training rows
    refit         : whether the tree with the tuned alpha is grown again, from training and validation rows
    work_limit    : limit of a search, in its units of work; None: no limit
    """

    protocol: Annotated[Protocol, protocol_key(tunes=True)]
    depths: Annotated[tuple[int, ...], each(within(1, DEEPEST)), DISTINCT]
    min_rows_leaf: Annotated[float, Rule("a share of the training rows, at most 0.5", lambda share: 0 < share <= 0.5)]
    refit: bool
    work_limit: Annotated[int | None, Called("work"), at_least(1, "units")]

    axes = (
        of_sources(),
        numbered("repeat", lambda grid: grid.protocol.repeats),
        replace(numbered("fold", lambda _: 1), title=lambda _: ""),
        of_depths(),
    )
    methods = METHODS
    noun = "pairs of fits"
    tables = failed_rows_in = (RESULTS_TABLE, "tunings")
    ending = ", training rows"
    question = (
        '"select max_depth, builder, avg(test_accuracy), avg(alpha), sum(optimal::int) from results '
        'join tunings using (run, source, part, repeat, builder, parameters) group by all order by all"'
    )

    @property
    def example(self) -> str:
        """The optimal tree of the first source, split and depth."""
        return f"--source {quote(self.sources[0].name)} --builder {OCT}"

    def select_rows(self, source: Source, loaded: LoadedSet) -> SelectedRows:
        """The complete rows."""
        return SelectedRows.of(source, loaded, self.seed, incomplete=False)

    def parameters(self, item: Item) -> dict[str, Any]:
        """The limits of the tree."""
        return {"max_depth": item.max_depth, "min_rows_leaf": self.min_rows_leaf}


KIND = OctVsCartGrid.offered()
