"""What a worker makes of a builder on a data set: its tree, and the fewest leaves that classify the rows as it does."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from algorithms.attributes.binary import binary_attributes
from algorithms.data_set import Attribute, AttributeKind, DataSet
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.optimal.smallest_tree import fewest_leaves
from algorithms.optimal.solution import Effort, Status
from pipeline.builders import Builder
from pipeline.data.preparation import Preparation
from pipeline.data.protocols import Split, drawn_seed
from pipeline.data.sources import Source
from pipeline.grammar.whole_sources import complete, fitted_tree
from pipeline.grid import RebuiltTree
from pipeline.grids.smallest_tree.grid import FEWEST
from pipeline.work.losses import CELL_ERRORS, loss_of

if TYPE_CHECKING:
    from pipeline.grids.smallest_tree.grid import SmallestTreeGrid

__all__ = ["called", "rebuilt_tree", "rehearse", "rows_of"]

Row = dict[str, Any]


def called(source: Source, builder: Builder) -> list[Row]:
    """What tells the two rows of a builder on a source from others."""
    parameters = json.dumps({"classification_of": builder.name})
    return [
        {**source.called, "builder": builder.name, "parameters": builder.parameters},
        {**source.called, "builder": FEWEST, "parameters": parameters},
    ]


def rows_of(grid: SmallestTreeGrid, source: Source, builder: Builder) -> list[Row]:
    """The row of the builder's tree, and that of the fewest leaves; what fails says so."""
    grown, fewest = called(source, builder)
    of_tree, of_search = grid.losses.get(0), grid.losses.get(1)
    if of_tree and of_search:
        return [grown | asdict(of_tree), fewest | asdict(of_search)]
    try:
        classifier, data, row = _grown_on(grid, source, builder)
        decisions = classifier.tree_.predict(data.values())
    except CELL_ERRORS as error:
        said = asdict(loss_of(error))
        return [grown | said, fewest | said]
    classified = _of_kind(grid, builder, replace(data, decisions=decisions))
    found = asdict(of_tree) if of_tree else row
    if of_search:
        return [grown | found, fewest | asdict(of_search)]
    try:
        return [grown | found, fewest | _fewest(grid, classified, row["terminal_nodes"])]
    except CELL_ERRORS as error:
        return [grown | found, fewest | asdict(loss_of(error))]


def rebuilt_tree(grid: SmallestTreeGrid, source: Source, builder: Builder) -> RebuiltTree:
    """The tree of a builder on a source, with the measures of its row."""
    classifier, _, measures = _grown_on(grid, source, builder)
    return RebuiltTree(classifier.tree_, classifier.labels_, measures)


def rehearse(grid: SmallestTreeGrid, builders: Iterable[Builder]) -> None:
    """Have builders grow a few rows, and search them, so that no time is that of compiling kernels or loading them."""
    rng = np.random.default_rng(0)
    codes, numbers = rng.integers(0, 3, (2, 12), np.int32), rng.random(12)
    labelled = [Attribute(f"c{place}", AttributeKind.NOMINAL, ("a", "b", "c")) for place in range(len(codes))]
    decisions = rng.integers(0, 2, 12).astype(np.int32)
    mixed = DataSet((*labelled, Attribute("x", AttributeKind.NUMERIC)), (*codes, numbers), ("0", "1"), decisions)
    for builder in builders:
        for data in (mixed, mixed.select([0, 1])):
            try:
                prepared = _prepared(builder.preparation, data)
                classifier, _ = fitted_tree(builder, prepared, 0)
                classes = classifier.tree_.predict(prepared.values())
            except Exception:  # noqa: S112 - few rows may lack what a builder needs; the rows of the grid will tell
                continue
            classified = _of_kind(grid, builder, replace(prepared, decisions=classes))
            for limit in (grid.graph_bytes, 1):  # by the graph, and by the search
                fewest_leaves(classified, Effort(work=grid.max_work), limit)


def _of_kind(grid: SmallestTreeGrid, builder: Builder, data: DataSet) -> DataSet:
    """The data set in which a test has the branches of the builder's."""
    return binary_attributes(data, bins=None) if builder.name in grid.two_branches else data


def _prepared(preparation: Preparation, data: DataSet) -> DataSet:
    rows = np.arange(data.rows)
    return preparation.prepared(data, Split(rows, rows))[0]


def _grown_on(grid: SmallestTreeGrid, source: Source, builder: Builder) -> tuple[TreeClassifier, DataSet, Row]:
    """A builder fitted to the rows of a source, these rows, and the measures of its tree."""
    data = _prepared(builder.preparation, complete(source))
    classifier, row = fitted_tree(builder, data, drawn_seed(grid.seed, source.title))
    return classifier, data, row


def _fewest(grid: SmallestTreeGrid, classified: DataSet, grown: int) -> Row:
    """The row of the fewest leaves; the grown tree is one that classifies so, where none smaller is found.

    Raises ValueError where it has fewer leaves than any such tree can have.
    """
    began = time.perf_counter()
    found = fewest_leaves(classified, Effort(work=grid.max_work), grid.graph_bytes)
    seconds = time.perf_counter() - began
    if found.bound > grown:
        msg = (
            f"the grown tree has {grown} leaves, and none of its kind has fewer than {found.bound}: name its builder "
            "in two_branches if its tests hold one label against all others, and leave it out if not"
        )
        raise ValueError(msg)
    leaves = grown if found.leaves is None else min(grown, found.leaves)
    limited = {"status": "memory_limit"} if found.status is Status.MEMORY_LIMIT else {"status": "ok"}
    return limited | {
        "rows": classified.rows,
        "terminal_nodes": leaves,
        "objective": float(leaves),
        "bound": float(found.bound),
        "optimal": leaves == found.bound,
        "build_seconds": seconds,
    }
