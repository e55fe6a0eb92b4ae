"""Rashomon sets of real data: the optima that others find, and trees counted by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from algorithms.data_set import DataSet
from algorithms.optimal.instance import Instance
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.trees.arrays import NodeKind
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import structure


@pytest.mark.parametrize(("load", "depth", "errors"), [(load_iris, 2, 6), (load_iris, 3, 1), (load_wine, 2, 6)])
def test_optima_known_for_numbers(load: Any, depth: int, errors: int) -> None:
    values, decisions = load(return_X_y=True)
    data = data_set_of(list(values.T), decisions, [True] * values.shape[1])
    good_trees = RashomonSet.of(Instance(data, np.ones(len(values)), max_depth=depth))
    assert {size.errors for size in good_trees.sizes} == {errors}
    for tree in good_trees.trees(3):
        assert (tree.predict(values) != decisions).sum() == errors


def benchmark(shared: Path, name: str) -> DataSet:
    table = np.loadtxt(shared / "data" / "binary_benchmarks" / f"{name}.txt", dtype=np.int32)
    return data_set_of(list(table[:, 1:].T), table[:, 0].tolist(), [False] * (table.shape[1] - 1))


@pytest.mark.parametrize(
    ("name", "optima"),
    [
        ("tic-tac-toe", (282, 216)),
        ("vote", (17, 12)),
        ("heart-cleveland", (60, 41)),
        ("anneal", (137, 112)),
        ("german-credit", (267,)),
        ("kr-vs-kp", (418,)),
        ("hypothyroid", (70,)),
    ],
)
def test_optima_that_other_solvers_find(shared: Path, name: str, optima: tuple[int, ...]) -> None:
    data = benchmark(shared, name)
    for depth, errors in enumerate(optima, start=2):
        good_trees = RashomonSet.of(Instance(data, np.ones(data.rows), max_depth=depth))
        assert {size.errors for size in good_trees.sizes} == {errors}
        tree = good_trees.tree(good_trees.number // 2)
        assert (tree.predict(data.values()) != data.decisions).sum() == errors


@pytest.mark.parametrize("name", ["tic-tac-toe", "vote", "lymph"])
@pytest.mark.parametrize("more", [0, 5])
def test_trees_of_two_levels_of_real_data_counted_by_hand(shared: Path, name: str, more: int) -> None:
    data = benchmark(shared, name)
    values, decisions = data.values().astype(bool), data.decisions

    def below(rows: np.ndarray) -> Counter[int]:
        """How many trees of at most one level have each number of errors."""
        result = Counter([errors(rows)])
        for column in values.T:
            left, right = rows[column[rows]], rows[~column[rows]]
            result.update([errors(left) + errors(right)] if len(left) and len(right) else [])
        return result

    def errors(rows: np.ndarray) -> int:
        return len(rows) - int(np.bincount(decisions[rows]).max())

    def trees() -> Iterator[tuple[int, int]]:
        yield errors(np.arange(data.rows)), 1
        for column in values.T:
            sides = [np.flatnonzero(column), np.flatnonzero(~column)]
            if all(map(len, sides)):
                left, right = map(below, sides)
                yield from ((e + f, left[e] * right[f]) for e in left for f in right)

    every = list(trees())
    most = min(cost for cost, _ in every) + more
    instance = Instance(data, np.ones(data.rows), max_depth=2)
    result = RashomonSet.of(instance, more / instance.baseline)
    assert result.number == sum(number for cost, number in every if cost <= most)
    assert len({structure(tree, result.instance) for tree in result.trees(300)}) == min(result.number, 300)


def test_the_budget_of_splits_of_real_data(shared: Path) -> None:
    data = benchmark(shared, "tic-tac-toe")
    whole = Instance(data, np.ones(data.rows), max_depth=3)
    errors = []
    for splits in range(8):
        good_trees = RashomonSet.of(replace(whole, max_splits=splits))
        errors.append(good_trees.objective * whole.baseline)
        tree = good_trees.tree()
        assert (tree.kind != NodeKind.TERMINAL).sum() <= splits
        assert (tree.predict(data.values()) != data.decisions).sum() == pytest.approx(errors[-1])
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] == pytest.approx(216)
    assert RashomonSet.of(replace(whole, max_splits=7)).number == RashomonSet.of(whole).number
