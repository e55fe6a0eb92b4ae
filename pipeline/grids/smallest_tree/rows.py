"""The result rows of a builder on a data set: its tree, and the fewest leaves of any tree that classifies alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from algorithms.data.attributes.binary import binary_attributes
from algorithms.data.data_set import DataSet
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.optimal.smallest_tree import fewest_leaves
from algorithms.optimal.solution import Effort, Status
from pipeline.builders import Builder
from pipeline.data.protocols import drawn_seed
from pipeline.grammar.axes import Item, once
from pipeline.grammar.cells import Made
from pipeline.grammar.whole_sources import complete, fitted_tree, rehearsal_sets
from pipeline.grids.smallest_tree.grid import GROWN, SmallestTreeGrid
from pipeline.words import counted


class Grown(NamedTuple):
    """A builder fitted to the rows of a source, these rows, and its cell."""

    classifier: TreeClassifier
    data: DataSet
    made: Made


def cell(grid: SmallestTreeGrid, item: Item, method: str) -> Made:
    """The tree of the builder, or the search for the fewest leaves."""
    return grown(grid, item).made if method == GROWN else fewest(grid, item)


@once()
def grown(grid: SmallestTreeGrid, item: Item) -> Grown:
    """The tree of the builder of an item."""
    data = item.builder.preparation.whole(complete(item.source))
    classifier, measures = fitted_tree(item.builder, data, drawn_seed(grid.seed, item.source.seed_name))
    return Grown(classifier, data, Made(measures, lambda: (classifier.tree_, classifier.labels_)))


def fewest(grid: SmallestTreeGrid, item: Item) -> Made:
    """The fewest leaves. If no smaller tree is found, the grown tree is the answer.

    Raises ValueError if the grown tree has fewer leaves than the proven minimum.
    """
    tree = grown(grid, item)
    classified = _of_kind(grid, item.builder, tree.data, tree.classifier)
    leaves_grown = tree.made.measures["terminal_nodes"]
    began = time.perf_counter()
    smallest = fewest_leaves(classified, Effort(work=grid.max_work), grid.graph_bytes)
    seconds = time.perf_counter() - began
    if smallest.bound > leaves_grown:
        raise ValueError(
            f"the grown tree has {counted(leaves_grown, 'leaf', 'leaves')}, but each tree with a branch for each label "
            f"has at least {smallest.bound} leaves: if the builder's tests separate one label from all others, add the "
            "builder to two_branches; if not, leave the builder out"
        )
    leaves = leaves_grown if smallest.leaves is None else min(leaves_grown, smallest.leaves)
    return Made(
        {
            "status": "memory_limit" if smallest.status is Status.MEMORY_LIMIT else "ok",
            "rows": classified.rows,
            "terminal_nodes": leaves,
            "objective": float(leaves),
            "bound": float(smallest.bound),
            "optimal": leaves == smallest.bound,
            "build_seconds": seconds,
        }
    )


def rehearsals(grid: SmallestTreeGrid, items: Sequence[Item], _: Sequence[str]) -> Iterable[Callable[[], object]]:
    """Grow and search trees on twelve rows with each builder."""
    for builder in dict.fromkeys(item.builder for item in items):
        for data in rehearsal_sets():
            yield partial(_rehearse, grid, builder, data.take(np.arange(12)))


def _rehearse(grid: SmallestTreeGrid, builder: Builder, data: DataSet) -> None:
    prepared = builder.preparation.whole(data)
    classifier, _ = fitted_tree(builder, prepared, 0)
    classified = _of_kind(grid, builder, prepared, classifier)
    for limit in (grid.graph_bytes, 1):  # by the graph, and by the search
        fewest_leaves(classified, Effort(work=grid.max_work), limit)


def _of_kind(grid: SmallestTreeGrid, builder: Builder, data: DataSet, classifier: TreeClassifier) -> DataSet:
    """The rows as a tree classifies them; a test has the branches of the builder's tests."""
    classified = replace(data, decisions=classifier.tree_.predict(data.values()))
    return binary_attributes(classified, bins=None) if builder.name in grid.two_branches else classified
