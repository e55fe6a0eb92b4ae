"""Builders that predict, as data sets lose one attribute after another (`001_…`, "Some Results")."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.builders import Builder
from pipeline.data.sources import Place
from pipeline.errors import ConfigError
from pipeline.grammar.choices import place_of
from pipeline.grammar.comparison.grid import CompareBuildersGrid
from pipeline.grammar.comparison.settings import CompareBuilders
from pipeline.grammar.tree_builders import tree_builder
from pipeline.grid import RESULTS_TABLE, GridKind, GridSummary, RebuildsTrees, RebuiltTree
from pipeline.grids.removed_features.settings import RemovedFeatures
from pipeline.storage.parts import Part
from pipeline.work.losses import Loss

if TYPE_CHECKING:
    import pyarrow as pa

    from algorithms.table import DecisionTable

__all__ = ["KIND", "Reduced", "RemovedFeaturesGrid"]

RESULTS_VERSION = 1  # raise it when the numbers of an unchanged configuration change
MOST_ORDERS = 100  # their names are held as dictionaries of at most 127 words


class Reduced(NamedTuple):
    """What an item is: a source and a split of it by place, an order by number (0: by gain), how many are removed."""

    source: int
    split: int
    order: int
    removed: int


@dataclass(frozen=True)
class RemovedFeaturesGrid(RebuildsTrees):
    """Every builder on every split of every source, with 0 to all but one of the attributes removed.

    comparison    : the sources, the protocol and the builders
    attributes    : of each source
    random_orders : in which attributes are removed, besides the order by decreasing information gain

    Items are in the order of Reduced. The deck tells neither the order in which it removed attributes nor the data
    sets: both are ours.
    """

    comparison: CompareBuildersGrid
    attributes: tuple[int, ...]
    random_orders: int

    noun = "reduced splits"
    tables = (RESULTS_TABLE,)
    first_items = 4

    @staticmethod
    def of(config: RemovedFeatures, folders: Sequence[Path] | None = None) -> RemovedFeaturesGrid:
        """The grid of a composed configuration; ConfigError names a key whose value cannot be, or a data set."""
        if not 0 <= config.random_orders <= MOST_ORDERS:
            msg = f"random_orders is {config.random_orders}: expected 0 to {MOST_ORDERS}"
            raise ConfigError(msg)
        shared = {field.name: getattr(config, field.name) for field in fields(config) if field.name != "random_orders"}
        comparison = CompareBuildersGrid.of(CompareBuilders(**shared, summary="accuracies"), folders)
        attributes = tuple(len(source.load().part(source.part).attributes) for source in comparison.sources)
        for source, number in zip(comparison.sources, attributes, strict=True):
            if number < 2:
                msg = f"'{source.title}' has {number} attribute: there is none to remove, so leave it out of source"
                raise ConfigError(msg)
        return RemovedFeaturesGrid(comparison, attributes, config.random_orders)

    @staticmethod
    def from_identity(identity: dict[str, Any], place: Place) -> RemovedFeaturesGrid:
        """The grid of which `identity()` is this, its data found at a place."""
        comparison = CompareBuildersGrid.from_identity(identity["comparison"], place)
        return RemovedFeaturesGrid(comparison, tuple(identity["attributes"]), identity["random_orders"])

    @property
    def builders(self) -> tuple[Builder, ...]:
        """What learns, on the same rows each."""
        return self.comparison.builders

    @property
    def orders(self) -> int:
        """In how many orders attributes are removed."""
        return 1 + self.random_orders

    @property
    def items(self) -> int:
        """Splits of all sources, with each number of attributes removed in each order."""
        return self._ends[-1]

    @property
    def cells_per_item(self) -> int:
        """A row per builder."""
        return self.comparison.cells_per_item

    @property
    def example(self) -> str:
        """The first builder's tree from the first training rows of the first source, with all attributes."""
        return self.comparison.example

    @property
    def question(self) -> str:
        """How accuracy falls."""
        return (
            '"select source, removed_attributes, builder, avg(test_accuracy) from results '
            "where removal_order = 'information_gain' group by all order by all\""
        )

    def identity(self) -> dict[str, Any]:
        """All that can change a number."""
        return {
            "grid": "removed_features",
            "results_version": RESULTS_VERSION,
            "comparison": self.comparison.identity(),
            "attributes": list(self.attributes),
            "random_orders": self.random_orders,
        }

    def prepare(self) -> None:
        """Have every data set here, check that the protocol can split it, and have the kernels compiled."""
        self.comparison.prepare()

    def reduced(self, item: int) -> Reduced:
        """What an item is."""
        source = bisect_right(self._ends, item)
        place = item - (self._ends[source - 1] if source else 0)
        place, removed = divmod(place, self.attributes[source])
        split, order = divmod(place, self.orders)
        return Reduced(source, split, order, removed)

    def work(self, first: int, stop: int) -> dict[str, pa.Table]:
        """The rows of some items: of each the builders in order."""
        import pyarrow as pa

        from pipeline.grids.removed_features.rows import rows_of_items

        found = rows_of_items(self, [self.reduced(item) for item in range(first, stop)])
        return {RESULTS_TABLE: pa.concat_tables(found)}

    def failure(self, item: int, status: str, error: str) -> dict[str, pa.Table]:
        """The rows of an item that took down its worker, or of a data set that could not be read."""
        from pipeline.grids.removed_features.rows import told

        rows = self.comparison.failure(self._split(item), status, error)[RESULTS_TABLE]
        return {RESULTS_TABLE: told(rows, self.reduced(item))}

    @property
    def asked(self) -> int:
        """The builders."""
        return len(self.builders)

    def losing(self, losses: Mapping[int, Loss]) -> RemovedFeaturesGrid:
        """The same grid, but that these builders are not asked."""
        return replace(self, comparison=self.comparison.losing(losses))

    def item(self, row: Mapping[str, Any]) -> int:
        """The item of a source, a repeat, a fold, an order of removal and a number of attributes; or ConfigError."""
        from pipeline.grids.removed_features.rows import removal_order

        source, split = divmod(self.comparison.item(row), self.comparison.protocol.splits)
        orders = [removal_order(order) for order in range(self.orders)]
        order = place_of("removal order", row.get("removal_order"), orders)
        removed = place_of("removed attributes", row.get("removed_attributes"), range(self.attributes[source]))
        start = self._ends[source - 1] if source else 0
        return start + (split * self.orders + order) * self.attributes[source] + removed

    def title(self, item: int) -> str:
        """The source, the repeat and the fold; and what is removed where anything is."""
        from pipeline.grids.removed_features.rows import removal_order

        what = self.reduced(item)
        removed = f", {what.removed} attributes removed by {removal_order(what.order)}" if what.removed else ""
        return self.comparison.title(self._split(item)) + removed

    def table(self, item: int) -> DecisionTable:
        """The training rows of the split of an item, with all attributes, as a decision table."""
        return self.comparison.table(self._split(item))

    def _rebuilt(self, row: Mapping[str, Any]) -> RebuiltTree:
        """The tree that the row's builder grows from the attributes that are left."""
        from pipeline.grammar.comparison.rows import rebuilt_tree
        from pipeline.grids.removed_features.rows import attributes_in_order, without

        builder, item = tree_builder(self.builders, row), self.item(row)
        parted, repeat, fold = self.comparison.split_of(self._split(item))
        what = self.reduced(item)
        places = attributes_in_order(self, parted, repeat, fold, what.order)
        return rebuilt_tree(self.comparison, builder, without(parted, places, what.removed), repeat, fold)

    def load_summary(self) -> None:
        """Import what the summary needs."""
        import pipeline.grids.removed_features.summary  # noqa: F401

    def summarise(self, parts: Mapping[str, Sequence[Part]], folder: Path) -> GridSummary:
        """Accuracy against the number of attributes removed, as a table and a figure."""
        from pipeline.grids.removed_features.summary import SUMMARY

        return SUMMARY.of(
            parts,
            folder,
            builders=[builder.name for builder in self.comparison.builders],
            attributes=[
                {"title": source.title, "attributes": number}
                for source, number in zip(self.comparison.sources, self.attributes, strict=True)
            ],
        )

    @property
    def _ends(self) -> list[int]:
        """Of each source the item after its last."""
        once = self.comparison.protocol.splits * self.orders
        return list(accumulate(once * number for number in self.attributes))

    def _split(self, item: int) -> int:
        """The item of the comparison that has the source and the split of an item."""
        what = self.reduced(item)
        return what.source * self.comparison.protocol.splits + what.split


KIND = GridKind(
    RemovedFeatures,
    lambda found, places: RemovedFeaturesGrid.of(found, places.conf_folders),
    RemovedFeaturesGrid.from_identity,
)
