"""DID at several weights beside ID3 and C4.5: average depths on training rows, accuracies, and least average depths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pipeline.builders import Builder, builders_named
from pipeline.configuration.settings import MISSING, Data, ProtocolSettings
from pipeline.data.protocols import Protocol
from pipeline.data.sources import Source, sources_named
from pipeline.errors import ConfigError
from pipeline.grammar.axes import Item, numbered, of_sources, tree_builder
from pipeline.grammar.comparison.grid import CompareBuildersGrid, whole_if_published
from pipeline.grammar.keys import GraphBytes, Key, Rule, at_least, check_tree_builders, each, within
from pipeline.grammar.sources import EXACT, DataGrid
from pipeline.grid import RESULTS_TABLE

if TYPE_CHECKING:
    from algorithms.data.data_set import DataSet
    from pipeline.discovery import SearchPath

MOST_ORDERS = 10_000
GROUPS = ("folded", "published", "drawn")
"""The keys of the groups of sources that are split by one protocol each."""


@dataclass
class Comparison:
    """Data sets, and the protocol that splits them."""

    source: Any = MISSING
    protocol: ProtocolSettings = MISSING


def _comparisons(config: Any, search_path: SearchPath) -> tuple[CompareBuildersGrid, ...]:
    at_least(0).check("seed", config.seed, null=False)
    builders = builders_named([*config.builders, *_sweep(config.ratios)], config.plugins, search_path.conf_folders)
    check_tree_builders(builders)
    comparisons = tuple(
        CompareBuildersGrid(
            sources=whole_if_published(sources_named(group.source, None, config.data), group.protocol.method),
            incomplete_rows="keep",
            most_rows=None,
            protocol=Protocol.of(group.protocol, key=f"{name}.protocol"),
            builders=builders,
            seed=config.seed,
        )
        for name in GROUPS
        if (group := getattr(config, name)).source
    )
    names = [source.name for comparison in comparisons for source in comparison.sources]
    if not names:
        raise ConfigError("folded.source, published.source and drawn.source are all empty: give at least one data set")
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(
                f"'{name}' is listed twice: list a data set in only one of `folded`, `published` and `drawn`"
            )
    return comparisons


def _sweep(ratios: Sequence[float]) -> list[dict[str, Any]]:
    """Entries of `builders` for DID at each ratio w1/w2; ConfigError if a ratio is not allowed."""
    each(Rule("w1/w2 of 0 or more", lambda ratio: 0 <= ratio < float("inf"))).check("ratios", ratios)
    return [
        {
            "name": f"did {ratio:g}",
            "builder": "did",
            "parameters": {"orthogonality_weight": float(ratio)},
            "preparation": {"numeric": "keep"},  # distinct numbers are labels, as in the tables of the exact minima
        }
        for ratio in ratios
    ]


COMPARISONS = Key(
    {
        **dict.fromkeys(GROUPS, Comparison),
        "data": Data,
        "builders": Any,
        "ratios": list[float],
    },
    _comparisons,
    lambda kept, location: tuple(CompareBuildersGrid.from_identity(identity, location) for identity in kept),
    lambda comparisons: [comparison.identity() for comparison in comparisons],
    late=2,
)


class DepthOf(NamedTuple):
    """The depth of a builder's tree."""

    builder: Builder

    @property
    def row_identity(self) -> dict[str, str]:
        """The columns that name it in rows: those of its builder."""
        return self.builder.row_identity


Method = Builder | DepthOf | str


@dataclass(frozen=True, kw_only=True)
class DidVsC45Grid(DataGrid, version=2):
    """Run every builder on every split of every source, and once more on all training rows to measure its depth.

    comparisons : sources that are split by one protocol, and sources split by another; an item is a split of a source.
                  The results are those of accuracy. With `k_fold`, depths are measured on trees from all rows of the
                  source, together with its first fold; otherwise on the training rows of each split
    orders      : number of random orders of the attributes, besides the given one, in which ties are settled. This
                  applies to all searches except DID, and to the DID tree of least depth, unless rows are sampled
    graph_bytes : memory limit of the search for the least average depth of a table, in bytes
    """

    comparisons: Annotated[tuple[CompareBuildersGrid, ...], COMPARISONS]
    orders: Annotated[int, within(0, MOST_ORDERS)]
    graph_bytes: GraphBytes

    axes = (
        of_sources(),
        numbered("repeat", lambda grid, source: grid.of_source(source).protocol.repeats, varies=True),
        numbered("fold", lambda grid, source: grid.of_source(source).protocol.folds, varies=True),
    )
    noun = "splits"
    ending = ", training rows"
    tables = (RESULTS_TABLE, "depths")
    columns_version = 3
    question = '"select builder, avg(table_average_depth) from depths group by builder order by 2"'

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources of all comparisons."""
        return tuple(source for comparison in self.comparisons for source in comparison.sources)

    @property
    def builders(self) -> tuple[Builder, ...]:
        """The builders that learn on the same rows."""
        return self.comparisons[0].builders

    @property
    def methods(self) -> Sequence[Method]:
        """The builders, their depths, and the search for the minima."""
        return [*self.builders, *map(DepthOf, self.builders), EXACT]

    @property
    def cells_per_item(self) -> int:
        """One row for each builder."""
        return len(self.builders)

    def of_source(self, index: int) -> CompareBuildersGrid:
        """The comparison of a source, given its index among all sources."""
        return [comparison for comparison in self.comparisons for _ in comparison.sources][index]

    def comparison(self, item: Item) -> CompareBuildersGrid:
        """The comparison of an item."""
        return self.of_source(item.index("source"))

    def has_depths(self, item: Item) -> bool:
        """Whether depths are measured with an item."""
        return self.comparison(item).protocol.method != "k_fold" or (item.repeat, item.fold) == (1, 1)

    def check_source(self, item: Item) -> None:
        """Raise ConfigError if a data set cannot be split."""
        self.comparison(item).check_source(item)

    def failed_rows(self, item: Item, method: Method, row: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
        """The row of a failed or skipped cell: a row of the results, or of the depths."""
        if isinstance(method, Builder):
            return super().failed_rows(item, method, row)
        return {"depths": [row | {"rows": row.get("trained_on")}] if self.has_depths(item) else []}

    def method_of(self, row: Mapping[str, Any]) -> Builder:
        """The builder of a row; its tree is that of the training rows."""
        return tree_builder(self.builders, row)

    def trained(self, item: Item) -> DataSet:
        """The training rows of an item."""
        return self.comparison(item).trained(item)


KIND = DidVsC45Grid.offered()
