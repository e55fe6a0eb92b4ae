"""Builders that predict while data sets lose one attribute after another (Ben-Gal et al. 2014, "Some Results")."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from algorithms.data.attributes.discretisation import fitted_thresholds, with_thresholds
from algorithms.measures.partitions import mutual_information
from pipeline.data.protocols import drawn_seed
from pipeline.data.sources import DataLocation, SourceErrors
from pipeline.errors import ConfigError
from pipeline.grammar.axes import Axis, Item, index_of, numbered, once
from pipeline.grammar.comparison.grid import CompareBuildersGrid, ComparisonGrid
from pipeline.grammar.keys import Key, within
from pipeline.words import counted

if TYPE_CHECKING:
    from algorithms.data.data_set import DataSet
    from pipeline.discovery import SearchPath

MOST_ORDERS = 100  # `removal_order` is a column of at most 127 distinct texts
SAME = 1e-9
"""Gains that differ by at most this many bits tie."""
BY_GAIN = "information_gain"
"""The name of the order by decreasing information gain in rows; the others are random_1, random_2 and so on."""

ORDERS = Axis(
    "removal_order",
    lambda grid: [BY_GAIN, *(f"random_{order}" for order in range(1, grid.random_orders + 1))],
    lambda order: {"removal_order": order},
    lambda _: "",
    lambda row, orders: index_of("removal order", row.get("removal_order"), orders),
)
REMOVED = numbered(
    "removed_attributes",
    lambda grid, source: grid.attributes[source] - 1,
    word="removed attributes",
    first=0,
    varies=True,
)
COUNTED = Key({}, lambda config, search_path: (), lambda kept, _: tuple(kept), list)  # noqa: ARG005
"""Not a key: it is counted in the data sets, and recorded."""


@dataclass(frozen=True, kw_only=True)
class RemovedFeaturesGrid(ComparisonGrid, version=1):
    """Every builder on every split of every source, with 0 to all but one of the attributes removed.

    random_orders : number of random orders of removal, besides the order by decreasing information gain
    attributes    : number of attributes of each source, in the order of the sources

    The slides give neither the order of removal nor the data sets; both are our choice.
    """

    random_orders: Annotated[int, within(0, MOST_ORDERS)]
    attributes: Annotated[tuple[int, ...], COUNTED] = ()

    axes = (*ComparisonGrid.axes, ORDERS, replace(REMOVED, title=lambda _: ""))
    noun = "reduced splits"
    first_items = 4
    question = (
        '"select source, removed_attributes, builder, avg(test_accuracy) from results '
        "where removal_order = 'information_gain' group by all order by all\""
    )

    @classmethod
    def of(cls, config: Any, search_path: SearchPath) -> Self:
        """Make the grid from a composed configuration; ConfigError names a key or data set that is not allowed."""
        grid = super().of(config, search_path)
        attributes, errors = [], SourceErrors()
        for source in grid.sources:
            with errors.collect(source.name):
                attributes.append(len(source.load().part(source.part).attributes))
        errors.check()
        for source, number in zip(grid.sources, attributes, strict=True):
            if number < 2:
                raise ConfigError(
                    f"'{source.title}' has {counted(number, 'attribute')}: expected two or more; leave the data set "
                    "out of `source`"
                )
        return replace(grid, attributes=tuple(attributes))

    @classmethod
    def from_identity(cls, identity: dict[str, Any], location: DataLocation) -> Self:
        """Make the grid from its `identity()`; `location` says where its data is."""
        return super().from_identity(identity["comparison"] | identity, location)

    def identity(self) -> dict[str, Any]:
        """Everything that can change a result: a comparison, and what is removed."""
        comparison = super().identity()
        removal = {
            "grid": comparison["grid"],
            "results_version": comparison["results_version"],
            "attributes": comparison.pop("attributes"),
            "random_orders": comparison.pop("random_orders"),
        }
        of_comparison = {"grid": CompareBuildersGrid.kind, "results_version": CompareBuildersGrid.version}
        return removal | {"comparison": comparison | of_comparison}

    def title(self, number: int) -> str:
        """The title of an item: source, repeat, fold and, if any attributes are removed, how many in which order."""
        item = self.item(number)
        removed = f", {counted(item.removed_attributes, 'attribute')} removed by {item.removal_order}"
        return super().title(number) + (removed if item.removed_attributes else "")

    @once()
    def data(self, item: Item) -> DataSet:
        """The rows without the removed attributes."""
        order = self.in_order(item)
        return self.selected_rows(item).data.select(sorted(order[item.removed_attributes :]))

    @once("source", "repeat", "fold", "removal_order")
    def in_order(self, item: Item) -> list[int]:
        """The attributes in order of removal. A random order is the same for all splits of a source."""
        data = self.selected_rows(item).data
        if item.removal_order == BY_GAIN:
            return by_gain(data.take(self.split(item).train))
        generator = np.random.default_rng(drawn_seed(self.seed, item.source.seed_name, item.removal_order))
        return generator.permutation(len(data.attributes)).tolist()  # type: ignore[no-any-return]

    @property
    def context(self) -> dict[str, Any]:
        """The compared builders, and the number of attributes."""
        attributes = [
            {"title": source.title, "attributes": number}
            for source, number in zip(self.sources, self.attributes, strict=True)
        ]
        return super().context | {"attributes": attributes}


def by_gain(train: DataSet) -> list[int]:
    """The attributes by decreasing information gain on these rows; ties keep the order of the data set.

    Numeric attributes are cut by Fayyad and Irani's method on the same rows. A missing value is one more value.
    """
    nominal = with_thresholds(train, fitted_thresholds(train, "fayyad_irani"))
    gains = [mutual_information(train.decisions, column) for column in nominal.columns]  # type: ignore[arg-type]
    return sorted(range(len(gains)), key=lambda index: (-round(gains[index] / SAME), index))


KIND = RemovedFeaturesGrid.offered()
