"""The objective of every tree of an instance, and whether its root makes one of some tests."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from algorithms.optimal.instance import Instance
from algorithms.optimal.root_tests import RootTests
from tests.oracles.conditioned_trees import Rows, Split, all_rows, all_trees, depth_of, leaves_of, splits_of


def objectives(instance: Instance, *, subsets: bool) -> list[tuple[Any, float]]:
    """Every allowed tree and its objective."""
    data, weights = instance.data, instance.weights

    @cache
    def errors_of(leaf: Rows) -> float:
        rows = [row for row, _ in leaf]
        by_class = np.bincount(data.decisions[rows], weights[rows], len(data.classes))
        return float(by_class.sum() - by_class.max())

    result = []
    for tree in all_trees(instance, all_rows(instance), depth_of(instance), subsets=subsets):
        leaves, splits = leaves_of(tree), len(splits_of(tree))
        if instance.max_splits is not None and splits > instance.max_splits:
            continue
        result.append((tree, instance.objective(sum(map(errors_of, leaves)), splits, len(leaves))))
    return result


def is_among(tree: Any, tests: RootTests, instance: Instance) -> bool:
    """Whether the test at the root of a tree is one of these."""
    if not isinstance(tree, Split) or tree.attribute not in tests.cuts:
        return False
    first, last = tests.cuts[tree.attribute]
    values = sorted({float(value) for value in instance.data.columns[tree.attribute]})
    cut = 0 if tree.cut is None else values.index(tree.cut[0])
    return first <= cut <= last
