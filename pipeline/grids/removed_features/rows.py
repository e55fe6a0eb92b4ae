"""What a worker makes of a split with attributes removed: the orders of removal, and the builders' rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from algorithms.attributes.discretisation import fitted_thresholds, with_thresholds
from algorithms.data_set import DataSet
from algorithms.partitions import mutual_information
from pipeline.data.protocols import ProtocolError, drawn_seed
from pipeline.grammar.comparison.rows import rehearse, rows_of_split
from pipeline.grammar.splits import PartedSet
from pipeline.grid import RESULTS_TABLE

if TYPE_CHECKING:
    from pipeline.grids.removed_features.grid import Reduced, RemovedFeaturesGrid

__all__ = ["BY_GAIN", "attributes_in_order", "by_gain", "removal_order", "rows_of_items", "told", "without"]

BY_GAIN = "information_gain"
"""What the rows call the order by decreasing information gain; the others are random_1, random_2 and so on."""

SAME = 1e-9
"""Bits by which gains may differ and yet tie."""


def rows_of_items(grid: RemovedFeaturesGrid, items: Sequence[Reduced]) -> list[pa.Table]:
    """The results of each item."""
    found = []
    comparison = grid.comparison
    for number, of_source in groupby(items, key=lambda item: item.source):
        source = comparison.sources[number]
        parted = comparison.taken(source, source.load())
        rehearse(comparison, parted)
        for (split, order), of_order in groupby(of_source, key=lambda item: (item.split, item.order)):
            repeat, fold = comparison.protocol.repeat_and_fold(split)
            places = attributes_in_order(grid, parted, repeat, fold, order)
            for item in of_order:
                rows = rows_of_split(comparison, without(parted, places, item.removed), repeat, fold)
                found.append(told(rows[RESULTS_TABLE], item))
    return found


def without(parted: PartedSet, places: Sequence[int], removed: int) -> PartedSet:
    """The rows without so many of the attributes, the first of `places`."""
    return replace(parted, data=parted.data.select(sorted(places[removed:])))


def told(results: pa.Table, item: Reduced) -> pa.Table:
    """Result rows that tell what was removed."""
    columns = {"removal_order": removal_order(item.order), "removed_attributes": item.removed}
    for name, value in columns.items():
        place = results.schema.get_field_index(name)
        field = results.schema.field(place)
        plain = pa.array([value] * results.num_rows)
        results = results.set_column(place, field, plain.cast(field.type))
    return results


def removal_order(order: int) -> str:
    """What the rows call an order by its number."""
    return f"random_{order}" if order else BY_GAIN


def by_gain(train: DataSet) -> list[int]:
    """The attributes by decreasing information gain on these rows, the first of several that tie first.

    Numeric ones are cut by Fayyad and Irani's method on the same rows; a missing value is one more value.
    """
    nominal = with_thresholds(train, fitted_thresholds(train, "fayyad_irani"))
    gains = [mutual_information(train.decisions, column) for column in nominal.columns]  # type: ignore[arg-type]
    return sorted(range(len(gains)), key=lambda place: (-round(gains[place] / SAME), place))


def attributes_in_order(grid: RemovedFeaturesGrid, parted: PartedSet, repeat: int, fold: int, order: int) -> list[int]:
    """The attributes in the order in which they go; a random one is the same for all splits of a source."""
    comparison = grid.comparison
    if order:
        seed = drawn_seed(comparison.seed, parted.split_source.name, removal_order(order))
        return np.random.default_rng(seed).permutation(len(parted.data.attributes)).tolist()  # type: ignore[no-any-return]
    try:
        split = comparison.protocol.split(parted.split_source, comparison.seed, repeat, fold)
    except ProtocolError:  # the rows will say so
        return list(range(len(parted.data.attributes)))
    return by_gain(parted.data.take(split.train))
