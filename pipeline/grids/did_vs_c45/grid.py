"""DID over its weights beside ID3 and C4.5: average depths of training, accuracies, and the least average depths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.builders import Builder, builders_named, own_alone
from pipeline.data.protocols import Protocol
from pipeline.data.sources import Place, Source, place_of_source, sources_named
from pipeline.errors import ConfigError
from pipeline.grammar.comparison.grid import CompareBuildersGrid
from pipeline.grammar.source_tables import check_seed, graph_bytes_of
from pipeline.grid import RESULTS_TABLE, GridKind, GridSummary, RebuildsTrees, RebuiltTree
from pipeline.grids.did_vs_c45.settings import Comparison, DidVsC45
from pipeline.storage.parts import Part
from pipeline.work.losses import Loss

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable
    from pipeline.configuration.settings import Data

__all__ = ["KIND", "DidVsC45Grid"]

RESULTS_VERSION = 2  # raise it when the numbers of an unchanged configuration change
MOST_ORDERS = 10_000


@dataclass(frozen=True)
class DidVsC45Grid(RebuildsTrees):
    """Every builder on every split of every source, and once more on all that trains, for its depth.

    comparisons : the sources that are split by one protocol and those split by another; an item is a split of one.
                  The results are those of accuracy. With `k_fold` the depths are of trees from all rows of the source,
                  and come with its first fold; else of trees from the training rows, and come with each split.
    orders      : random orders of the attributes in which ties are settled besides the given one, for all searches but
                  DID and for DID of least depth, where rows are not drawn
    graph_bytes : memory that the search for the least average depth of a table may take
    search_loss : what becomes of that search where it is not asked
    """

    comparisons: tuple[CompareBuildersGrid, ...]
    orders: int
    graph_bytes: int
    search_loss: Loss | None = field(default=None, compare=False)

    noun = "splits"
    tables = (RESULTS_TABLE, "depths")
    first_items = 1

    @staticmethod
    def of(config: DidVsC45, folders: Sequence[Path] | None = None) -> DidVsC45Grid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be."""
        from pipeline.grammar.keys import check_tree_builders

        graph_bytes = graph_bytes_of(config.graph_mib)
        if not 0 <= config.orders <= MOST_ORDERS:
            msg = f"orders is {config.orders}: expected 0 to {MOST_ORDERS}"
            raise ConfigError(msg)
        check_seed(config.seed)
        builders = builders_named([*config.builders, *_sweep(config.ratios)], config.plugins, folders)
        check_tree_builders(builders)
        comparisons = tuple(
            CompareBuildersGrid(
                sources=_sources(comparison, config.data),
                incomplete=True,
                most_rows=None,
                protocol=Protocol.of(comparison.protocol),
                builders=builders,
                seed=config.seed,
            )
            for comparison in (config.folded, config.published, config.drawn)
            if comparison.source
        )
        names = [source.name for comparison in comparisons for source in comparison.sources]
        if not names:
            msg = "folded.source, published.source and drawn.source are all empty: name at least one data set"
            raise ConfigError(msg)
        for name in names:
            if names.count(name) > 1:
                msg = f"'{name}' is named twice: a data set is in one of folded, published and drawn"
                raise ConfigError(msg)
        return DidVsC45Grid(comparisons, config.orders, graph_bytes)

    @staticmethod
    def from_identity(identity: dict[str, Any], place: Place) -> DidVsC45Grid:
        """The grid of which `identity()` is this, its data found at a place."""
        return DidVsC45Grid(
            comparisons=tuple(CompareBuildersGrid.from_identity(found, place) for found in identity["comparisons"]),
            orders=identity["orders"],
            graph_bytes=identity["graph_bytes"],
        )

    @property
    def builders(self) -> tuple[Builder, ...]:
        """What learns, on the same rows each."""
        return self.comparisons[0].builders

    @property
    def items(self) -> int:
        """Splits of all sources."""
        return sum(comparison.items for comparison in self.comparisons)

    @property
    def cells_per_item(self) -> int:
        """A row per builder."""
        return len(self.builders)

    @property
    def example(self) -> str:
        """The first builder's tree from the first training rows of the first source."""
        return self.comparisons[0].example

    @property
    def question(self) -> str:
        """How deep each builder's trees are."""
        return '"select builder, avg(table_average_depth) from depths group by builder order by 2"'

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {
            "grid": "did_vs_c45",
            "results_version": RESULTS_VERSION,
            "comparisons": [comparison.identity() for comparison in self.comparisons],
            "orders": self.orders,
            "graph_bytes": self.graph_bytes,
        }

    def prepare(self) -> None:
        """Have every data set here, check that it can be split, and have the kernels compiled."""
        from pipeline.grids.did_vs_c45.rows import rehearse

        for comparison in self.comparisons:
            comparison.prepare()
        rehearse(self.losing(own_alone(self.builders)))

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some splits: in the results of each the builders in order, in the depths also the exact one."""
        import pyarrow as pa

        from pipeline.grids.did_vs_c45.rows import depths_of, rehearse, rows_of

        rehearse(self)
        found = []
        for comparison, start, end in self._ranges(first, stop):
            depths = [depths_of(self, comparison, place) for place in range(start, end)]
            results = comparison.work(start, end)[RESULTS_TABLE]
            found.append(rows_of(results, [row for rows in depths for row in rows]))
        return {name: pa.concat_tables([tables[name] for tables in found]) for name in self.tables}

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of a split that took down its worker, or of a data set that could not be read."""
        from pipeline.grids.did_vs_c45.rows import failed_depths, rows_of

        comparison, place = self._place(item)
        results = comparison.failure(place, status, error)[RESULTS_TABLE]
        return rows_of(results, failed_depths(comparison, place, status, error))

    @property
    def asked(self) -> int:
        """The builders, and the search for the minima."""
        return len(self.builders) + 1

    def losing(self, losses: Mapping[int, Loss]) -> DidVsC45Grid:
        """The same grid, but that these builders or the search are not asked."""
        comparisons = tuple(one.losing(losses) for one in self.comparisons)
        return replace(self, comparisons=comparisons, search_loss=losses.get(len(self.builders)))

    def item(self, row: Mapping[str, Any]) -> int:
        """The item of a source, a repeat and a fold; ConfigError where there is none."""
        comparison = self._comparison(row)
        before = sum(one.items for one in self.comparisons[: self.comparisons.index(comparison)])
        return before + comparison.item(row)

    def title(self, item: int) -> str:
        """The source, the repeat and the fold."""
        comparison, place = self._place(item)
        return comparison.title(place)

    def table(self, item: int) -> DecisionTable:
        """The training rows of an item as a decision table."""
        comparison, place = self._place(item)
        return comparison.table(place)

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree that the row's builder grows from the training rows of its split."""
        return self._comparison(row).rebuilt(row)

    def load_summary(self) -> None:
        """Import what draws the figure, most of a summary's time."""
        import pipeline.grids.did_vs_c45.figure  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """The paper's depths and accuracies with a verdict each, the sweep over the weights, and its figure."""
        from pipeline.grids.did_vs_c45.summary import SUMMARY

        return SUMMARY.of(parts, folder, builders=[builder.name for builder in self.builders])

    def _comparison(self, row: Mapping[str, Any]) -> CompareBuildersGrid:
        """The comparison that has the source of a row, the first where it tells none; ConfigError where none has it."""
        sources = [(source, one) for one in self.comparisons for source in one.sources]
        return sources[place_of_source([source for source, _ in sources], row)][1]

    def _place(self, item: int) -> tuple[CompareBuildersGrid, int]:
        """The comparison that an item is of, and its place there."""
        ((comparison, place, _),) = self._ranges(item, item + 1)
        return comparison, place

    def _ranges(self, first: int, stop: int) -> Iterator[tuple[CompareBuildersGrid, int, int]]:
        """The comparisons that some items are of, each with the range of places there."""
        before = 0
        for comparison in self.comparisons:
            start, end = max(first - before, 0), min(stop - before, comparison.items)
            if start < end:
                yield comparison, start, end
            before += comparison.items


def _sources(comparison: Comparison, data: Data) -> tuple[Source, ...]:
    """The sources that a comparison names, both parts of those with a published split if that is asked for."""
    sources = sources_named(comparison.source, None, data)
    if comparison.protocol.method != "published":
        return sources
    return tuple(dict.fromkeys(replace(source, part="all") for source in sources))


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


KIND = GridKind(DidVsC45, lambda found, places: DidVsC45Grid.of(found, places.conf_folders), DidVsC45Grid.from_identity)
