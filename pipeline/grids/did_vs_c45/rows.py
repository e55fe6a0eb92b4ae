"""What a worker makes of a set of training rows: how deep each builder's tree is, and how shallow a tree can be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from algorithms.data_set import DataSet
from algorithms.induction.did import DIDClassifier, average_depth_of_search
from algorithms.induction.id3 import GainRatioClassifier, ID3Classifier
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.table import DecisionTable
from algorithms.tables_from_data import decision_table
from pipeline.builders import Builder
from pipeline.data.protocols import ProtocolError, Split, drawn_seed
from pipeline.grammar.cells import Made
from pipeline.grammar.comparison.grid import CompareBuildersGrid
from pipeline.grammar.table_rows import built, minima
from pipeline.grid import RESULTS_TABLE
from pipeline.grids.did_vs_c45.columns import DEPTHS
from pipeline.work.losses import CELL_ERRORS, loss_of

if TYPE_CHECKING:
    from pipeline.grids.did_vs_c45.grid import DidVsC45Grid

__all__ = ["depths_of", "failed_depths", "rehearse", "rows_of"]

Row = dict[str, Any]
SEARCHES = (DIDClassifier, ID3Classifier, GainRatioClassifier)
"""Builders that go on until rows have one class or nothing is left to ask, as `001_…` has its Search."""


def depths_of(grid: DidVsC45Grid, comparison: CompareBuildersGrid, place: int) -> list[Row]:
    """The depths of a split of a comparison: none with the later folds of a source, whose first fold has them."""
    number, split = divmod(place, comparison.protocol.splits)
    if not _has_depths(comparison, split):
        return []
    source = comparison.sources[number]
    parted = comparison.taken(source, source.load())
    repeat, fold = comparison.protocol.repeat_and_fold(split)
    try:
        rows = np.arange(parted.data.rows)
        if comparison.protocol.method != "k_fold":
            rows = comparison.protocol.split(parted.split_source, comparison.seed, repeat, fold).train
    except ProtocolError as error:
        return failed_depths(comparison, place, "failed", str(error))
    called = {**source.called, "repeat": repeat}
    seed = drawn_seed(comparison.seed, source.title, repeat)
    table = decision_table(
        parted.data.take(rows), numeric="values", distinct_attributes="keep", row_weights="multiplicity"
    )
    counted = called | {"rows": len(rows), "distinct_rows": table.rows}
    found = [counted | _row_of_builder(builder, parted.data, rows, table, seed) for builder in comparison.builders]
    if comparison.protocol.repeats == 1:
        for builder, row in _chosen(comparison.builders, found):
            train, _ = builder.prepared(parted.data, Split(rows, rows))
            row.update(_range_by_ties(builder, train, row["search_depth"], seed, grid.orders))
    loss = grid.search_loss
    exact = (
        {"builder": "exact", **asdict(loss)} if loss else _on_table("exact", partial(minima, table, grid.graph_bytes))
    )
    return [*found, counted | exact]


def failed_depths(comparison: CompareBuildersGrid, place: int, status: str, error: str) -> list[Row]:
    """The depths of a split that could not be worked: they say so."""
    number, split = divmod(place, comparison.protocol.splits)
    if not _has_depths(comparison, split):
        return []
    repeat, _ = comparison.protocol.repeat_and_fold(split)
    called = {**comparison.sources[number].called, "repeat": repeat, "status": status, "error": error}
    builders = [{"builder": one.name, "parameters": one.parameters} for one in comparison.builders]
    return [called | builder for builder in (*builders, {"builder": "exact"})]


def rows_of(results: pa.Table, depths: Sequence[Mapping[str, Any]]) -> dict[str, pa.Table]:
    """The tables of the grid."""
    return {RESULTS_TABLE: results, "depths": pa.Table.from_pylist(list(depths), schema=DEPTHS)}


def rehearse(grid: DidVsC45Grid) -> None:
    """Compile or load the kernels of trees on tables and of the minima, by way of a table of two attributes."""
    table = DecisionTable.from_codes([[0, 0], [0, 1], [1, 0]], [0, 1, 1], weights=[1, 1, 1])
    for builder in grid.builders:
        _on_table(builder.name, partial(built, table, builder, 0))
    if not grid.search_loss:
        _on_table("exact", partial(minima, table, grid.graph_bytes))


def _has_depths(comparison: CompareBuildersGrid, split: int) -> bool:
    return comparison.protocol.method != "k_fold" or split == 0


def _row_of_builder(builder: Builder, data: DataSet, rows: NDArray[np.int64], table: DecisionTable, seed: int) -> Row:
    called = {"builder": builder.name, "parameters": builder.parameters}
    try:
        train, _ = builder.prepared(data, Split(rows, rows))
        grown = builder.made(seed).fit(train)
    except CELL_ERRORS as error:
        return called | asdict(loss_of(error))
    costs = grown.costs(train)
    measures = {"nodes": costs.nodes, "average_depth": costs.average_depth}
    if builder.extends(*SEARCHES):
        measures["search_depth"] = _search_depth(grown)
    return called | measures | _on_table(builder.name, partial(built, table, builder, seed))


def _chosen(builders: Sequence[Builder], rows: Sequence[Row]) -> list[tuple[Builder, Row]]:
    """The searches whose ties are looked into, with their rows: all but DID, and of DID that of least depth."""
    searches = [pair for pair in zip(builders, rows, strict=True) if "search_depth" in pair[1]]
    dual = [pair for pair in searches if pair[0].extends(DIDClassifier)]
    others = [pair for pair in searches if pair not in dual]
    return [*others, *sorted(dual, key=lambda pair: pair[1]["search_depth"])[:1]]


def _range_by_ties(builder: Builder, train: DataSet, given: float, seed: int, orders: int) -> Row:
    """The range of the depth over the given order of the attributes and random ones; ties go to the first attribute."""
    generator = np.random.default_rng(drawn_seed(seed, "orders"))
    depths = [given]
    for _ in range(orders):
        order = generator.permutation(len(train.attributes)).tolist()
        depths.append(_search_depth(builder.made(seed).fit(train.select(order))))
    return {"least_search_depth": min(depths), "greatest_search_depth": max(depths)}


def _search_depth(grown: TreeClassifier) -> float:
    return average_depth_of_search(grown.tree_, len(grown.attributes_))


def _on_table(name: str, made: Callable[[], Made]) -> Row:
    """Of what is made of the decision table what the depths have."""
    try:
        measures = made().measures
    except (Exception, SystemExit) as error:  # not KeyboardInterrupt: a driver that rehearses comes by here too
        return {"builder": name, **asdict(loss_of(error))}
    return {"builder": name, "table_average_depth": measures["average_depth"], "status": measures["status"]}
