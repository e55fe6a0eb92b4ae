"""DID over its weights beside ID3 and C4.5: average depths of training, accuracies, and the least average depths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pipeline.builders import Builder, builders_named
from pipeline.configuration.settings import MISSING, Data, ProtocolSettings
from pipeline.data.protocols import Protocol
from pipeline.data.sources import Source, sources_named
from pipeline.errors import ConfigError
from pipeline.grammar.axes import At, numbered, of_sources
from pipeline.grammar.choices import tree_builder
from pipeline.grammar.comparison.grid import CompareBuildersGrid, whole_if_published
from pipeline.grammar.keys import GraphBytes, Key, at_least, check_tree_builders, within
from pipeline.grammar.sources import EXACT, DataGrid
from pipeline.grid import RESULTS_TABLE

if TYPE_CHECKING:
    from algorithms.data_set import DataSet
    from pipeline.discovery import Places

__all__ = ["KIND", "DepthOf", "DidVsC45Grid"]

MOST_ORDERS = 10_000


@dataclass
class Comparison:
    """Data sets, and which of their rows train and test."""

    source: Any = MISSING
    protocol: ProtocolSettings = MISSING


def _comparisons(config: Any, places: Places) -> tuple[CompareBuildersGrid, ...]:
    at_least(0).check("seed", config.seed, null=False)
    builders = builders_named([*config.builders, *_sweep(config.ratios)], config.plugins, places.conf_folders)
    check_tree_builders(builders)
    comparisons = tuple(
        CompareBuildersGrid(
            sources=whole_if_published(sources_named(one.source, None, config.data), one.protocol.method),
            incomplete_rows="keep",
            most_rows=None,
            protocol=Protocol.of(one.protocol),
            builders=builders,
            seed=config.seed,
        )
        for one in (config.folded, config.published, config.drawn)
        if one.source
    )
    names = [source.name for comparison in comparisons for source in comparison.sources]
    if not names:
        msg = "folded.source, published.source and drawn.source are all empty: name at least one data set"
        raise ConfigError(msg)
    for name in names:
        if names.count(name) > 1:
            msg = f"'{name}' is named twice: a data set is in one of folded, published and drawn"
            raise ConfigError(msg)
    return comparisons


def _sweep(ratios: Sequence[float]) -> list[dict[str, Any]]:
    """DID at each ratio w1/w2, as entries of `builders`; ConfigError where a ratio is none."""
    for ratio in ratios:
        if not 0 <= ratio < float("inf"):
            msg = f"ratios has {ratio}: expected w1/w2 of 0 or more"
            raise ConfigError(msg)
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
        **dict.fromkeys(("folded", "published", "drawn"), Comparison),
        "data": Data,
        "builders": Any,
        "ratios": list[float],
    },
    _comparisons,
    lambda kept, place: tuple(CompareBuildersGrid.from_identity(one, place) for one in kept),
    lambda comparisons: [comparison.identity() for comparison in comparisons],
    late=2,
)


class DepthOf(NamedTuple):
    """How deep the tree of a builder is."""

    builder: Builder


Ask = Builder | DepthOf | str


@dataclass(frozen=True, kw_only=True)
class DidVsC45Grid(DataGrid, version=2):
    """Every builder on every split of every source, and once more on all that trains, for its depth.

    comparisons : the sources that are split by one protocol and those split by another; an item is a split of one.
                  The results are those of accuracy. With `k_fold` the depths are of trees from all rows of the source,
                  and come with its first fold; else of trees from the training rows, and come with each split.
    orders      : random orders of the attributes in which ties are settled besides the given one, for all searches but
                  DID and for DID of least depth, where rows are not drawn
    graph_bytes : memory that the search for the least average depth of a table may take
    """

    comparisons: Annotated[tuple[CompareBuildersGrid, ...], COMPARISONS]
    orders: Annotated[int, within(0, MOST_ORDERS)]
    graph_bytes: GraphBytes

    axes = (
        of_sources(),
        numbered("repeat", lambda grid, place: grid.of_source(place).protocol.repeats, varies=True),
        numbered("fold", lambda grid, place: grid.of_source(place).protocol.folds, varies=True),
    )
    noun = "splits"
    ending = ", training rows"
    tables = (RESULTS_TABLE, "depths")
    columns_version = 3
    question = '"select builder, avg(table_average_depth) from depths group by builder order by 2"'

    @property
    def sources(self) -> tuple[Source, ...]:
        """Those of all comparisons."""
        return tuple(source for comparison in self.comparisons for source in comparison.sources)

    @property
    def builders(self) -> tuple[Builder, ...]:
        """What learns, on the same rows each."""
        return self.comparisons[0].builders

    @property
    def asks(self) -> Sequence[Ask]:
        """The builders, their depths, and the search for the minima."""
        return [*self.builders, *map(DepthOf, self.builders), EXACT]

    @property
    def cells_per_item(self) -> int:
        """A row per builder."""
        return len(self.builders)

    def of_source(self, place: int) -> CompareBuildersGrid:
        """The comparison that a source is of, by its place among all."""
        return [one for one in self.comparisons for _ in one.sources][place]

    def comparison(self, at: At) -> CompareBuildersGrid:
        """The comparison that an item is of."""
        return self.of_source(at.place("source"))

    def has_depths(self, at: At) -> bool:
        """Whether depths come with an item."""
        return self.comparison(at).protocol.method != "k_fold" or (at.repeat, at.fold) == (1, 1)

    def check_source(self, at: At) -> None:
        """Raise ConfigError where a data set cannot be split."""
        self.comparison(at).check_source(at)

    def called(self, at: At, ask: Ask) -> dict[str, Any]:
        """A depth is called as its builder is."""
        return super().called(at, ask.builder if isinstance(ask, DepthOf) else ask)

    def lost(self, at: At, ask: Ask, row: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
        """A row of the results, or one of the depths."""
        if isinstance(ask, Builder):
            return super().lost(at, ask, row)
        return {"depths": [row | {"rows": row.get("trained_on")}] if self.has_depths(at) else []}

    def ask_of(self, row: Mapping[str, Any]) -> Builder:
        """The builder of a row, whose tree is that of the training rows."""
        return tree_builder(self.builders, row)

    def trained(self, at: At) -> DataSet:
        """The training rows of an item."""
        return self.comparison(at).trained(at)


KIND = DidVsC45Grid.offered()
