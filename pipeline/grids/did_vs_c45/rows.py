"""The result rows for a set of training rows: the depth of each builder's tree, and the least possible depth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.data.data_set import DataSet
from algorithms.data.table import DecisionTable
from algorithms.data.tables_from_data import decision_table
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.induction.did import DIDClassifier, average_depth_of_search
from algorithms.induction.id3 import GainRatioClassifier, ID3Classifier
from algorithms.trees.arrays import NodeKind
from pipeline.builders import Builder
from pipeline.data.protocols import Split, drawn_seed
from pipeline.failures import CELL_ERRORS, failure_of
from pipeline.grammar.axes import Item, once
from pipeline.grammar.cells import Made
from pipeline.grammar.table_rows import made, rehearsal_table
from pipeline.grids.did_vs_c45.grid import DepthOf, DidVsC45Grid, Method

Row = dict[str, Any]
SEARCHES = (DIDClassifier, ID3Classifier, GainRatioClassifier)
"""Builders that grow until the rows have one class or no attribute is left, like Search in Ben-Gal et al. 2014."""


def facts(grid: DidVsC45Grid, item: Item) -> Row:
    """The numbers of training and test rows, and of the rows on which depths are measured."""
    result = grid.comparison(item).facts(item)
    if grid.has_depths(item):
        result |= {"trained_on": len(_rows(grid, item)), "distinct_rows": _table(grid, item).rows}
    return result


def cell(grid: DidVsC45Grid, item: Item, method: Method) -> Made:
    """The accuracies of a builder, or depths."""
    if isinstance(method, Builder):
        return grid.comparison(item).cell(item, method)
    return Made({}, more={"depths": [depth(grid, item, method)] if grid.has_depths(item) else []})


def depth(grid: DidVsC45Grid, item: Item, method: DepthOf | str) -> Row:
    """The depth of a builder's tree, or the least average depth."""
    counted = {"rows": len(_rows(grid, item))}
    if not isinstance(method, DepthOf):
        return counted | _on_table(made(_table(grid, item), method, 0, grid.graph_bytes))
    builder = method.builder
    train, grown = _grown(grid, item, builder)
    costs = grown.costs(train)
    row = counted | {"nodes": costs.nodes, "average_depth": costs.average_depth} | _tested(grid, item, builder, grown)
    if builder.extends(*SEARCHES):
        row["search_depth"] = _search_depth(grown)
        sampled = grid.comparison(item).protocol.repeats > 1
        if not sampled and (not _is_did(builder) or builder == _shallowest_did(grid, item)):
            row |= _range_by_ties(builder, train, _test(grid, item, builder), _seed(grid, item), grid.orders)
    try:
        return row | _on_table(made(_table(grid, item), builder, _seed(grid, item), grid.graph_bytes))
    except CELL_ERRORS as error:
        return row | asdict(failure_of(error))


def rehearsals(grid: DidVsC45Grid, items: Sequence[Item], methods: Sequence[Method]) -> Iterable[Callable[[], object]]:
    """Run the builders of the comparisons, and everything on a table of two attributes."""
    for comparison in grid.comparisons:
        of_comparison = [item for item in items if grid.comparison(item) is comparison]
        yield from comparison.rehearsals(of_comparison, [method for method in methods if isinstance(method, Builder)])
    for method in methods:
        if not isinstance(method, Builder):
            searched = method.builder if isinstance(method, DepthOf) else method
            yield partial(made, rehearsal_table(), searched, 0, grid.graph_bytes)


@once()
def _rows(grid: DidVsC45Grid, item: Item) -> NDArray[np.int64]:
    """The rows on which the depths of an item are measured."""
    comparison = grid.comparison(item)
    if comparison.protocol.method == "k_fold":
        return np.arange(comparison.data(item).rows)
    return comparison.split(item).train


@once()
def _table(grid: DidVsC45Grid, item: Item) -> DecisionTable:
    """These rows as a decision table."""
    data = grid.comparison(item).data(item).take(_rows(grid, item))
    return decision_table(data, numeric="values", distinct_attributes="keep", row_weights="multiplicity")


@once()
def _trees(grid: DidVsC45Grid, item: Item) -> dict[str, tuple[DataSet, TreeClassifier]]:  # noqa: ARG001
    """The builders already fitted to these rows, keyed by name."""
    return {}


@once()
def _shallowest_did(grid: DidVsC45Grid, item: Item) -> Builder | None:
    """Among the DID builders, the one with the shallowest tree."""
    depths = {}
    for index, method in enumerate(grid.methods):
        if isinstance(method, DepthOf) and _is_did(method.builder) and index not in grid.left_out:
            with suppress(Exception, SystemExit):  # its own row reports it
                depths[method.builder] = _search_depth(_grown(grid, item, method.builder)[1])
    return min(depths, key=depths.__getitem__, default=None)


def _grown(grid: DidVsC45Grid, item: Item, builder: Builder) -> tuple[DataSet, TreeClassifier]:
    """The rows after a builder's preparation, and the builder fitted to them."""
    fitted = _trees(grid, item)
    if builder.name not in fitted:
        rows = _rows(grid, item)
        train, _ = builder.preparation.prepared(grid.comparison(item).data(item), Split(rows, rows))
        fitted[builder.name] = (train, builder.made(_seed(grid, item)).fit(train))
    return fitted[builder.name]


def _tested(grid: DidVsC45Grid, item: Item, builder: Builder, grown: TreeClassifier) -> Row:
    """How a tree of the training rows classifies the test rows, by several papers' measures; nothing for folds."""
    test = _test(grid, item, builder)
    if test is None:
        return {}
    classes = np.asarray(test.classes)
    predicted, right = grown.predict(test), classes[test.decisions]
    correct = predicted == right
    classified = grown.tree_.kind[grown.apply(test)] == NodeKind.TERMINAL
    chosen = [predicted == label for label in classes]
    precision = [correct[rows].mean() if rows.any() else 0.0 for rows in chosen]
    return {
        "correct": int(correct.sum()),
        "classified": int(classified.sum()),
        "classified_correct": int((correct & classified).sum()),
        "mean_precision": float(np.mean(precision)),
    }


def _test(grid: DidVsC45Grid, item: Item, builder: Builder) -> DataSet | None:
    """The test rows after a builder's preparation; None for folds."""
    comparison = grid.comparison(item)
    if comparison.protocol.method == "k_fold":
        return None
    return builder.preparation.prepared(comparison.data(item), comparison.split(item))[1]


def _is_did(builder: Builder) -> bool:
    return builder.extends(DIDClassifier)


def _seed(grid: DidVsC45Grid, item: Item) -> int:
    return drawn_seed(grid.comparison(item).seed, item.source.seed_name, item.repeat)


def _range_by_ties(builder: Builder, train: DataSet, test: DataSet | None, seed: int, orders: int) -> Row:
    """The ranges of the depth and of the number of correct test rows over the given and random orders of attributes.

    Ties between attributes go to the first one. Ties between the classes of a node are decided against the test rows
    for the lower end of the correct rows, and in favour of them for the upper end.
    """
    generator = np.random.default_rng(drawn_seed(seed, "orders"))
    ordered = [list(range(len(train.attributes)))]
    ordered += [generator.permutation(len(train.attributes)).tolist() for _ in range(orders)]
    depths, fewest, most = [], [], []
    for order in ordered:
        grown = builder.made(seed).fit(train.select(order))
        depths.append(_search_depth(grown))
        if test is not None:
            surely, perhaps = _correct_by_ties(grown, test.select(order))
            fewest.append(surely)
            most.append(perhaps)
    depth_range: Row = {"least_search_depth": min(depths), "greatest_search_depth": max(depths)}
    return depth_range | {"fewest_correct": min(fewest, default=None), "most_correct": max(most, default=None)}


def _correct_by_ties(grown: TreeClassifier, test: DataSet) -> tuple[int, int]:
    """The number of correct test rows if ties between a node's classes are decided against them, or for them."""
    counts = grown.tree_.counts[grown.apply(test)]
    own = np.asarray(grown.classes_)[None] == np.asarray(test.classes)[test.decisions][:, None]
    usual = counts == counts.max(axis=1, keepdims=True)
    perhaps = (own & usual).any(axis=1)
    return int((perhaps & (usual.sum(axis=1) == 1)).sum()), int(perhaps.sum())


def _search_depth(grown: TreeClassifier) -> float:
    return average_depth_of_search(grown.tree_, len(grown.attributes_))


def _on_table(tree: Made) -> Row:
    """The columns of the depths among those that are computed for the decision table."""
    return {"table_average_depth": tree.measures["average_depth"], "status": tree.measures["status"]}
