"""Rashomon sets of real data: the optima that others find, and trees counted by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from algorithms.data.data_set import DataSet
from algorithms.optimal.instance import Instance
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.trees.arrays import NodeKind
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import structure


def benchmark(shared: Path, name: str) -> DataSet:
    table = np.loadtxt(shared / "data" / "binary_benchmarks" / f"{name}.txt", dtype=np.int32)
    return data_set_of(list(table[:, 1:].T), table[:, 0].tolist(), [False] * (table.shape[1] - 1))


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
