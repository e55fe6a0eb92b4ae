"""The oracle of optimal trees on instances solved by hand; drawn instances are of every kind."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings

from algorithms.optimal.instance import Instance
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import KINDS, instances
from tests.oracles.optimal_trees import (
    best_objective,
    fewest_errors,
    fewest_errors_by_leaves,
    number_of_optimal_trees,
    trees_by_size,
)

XOR = data_set_of([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0], [False, False])
COLOURS = data_set_of([[0, 0, 1, 1, 2, 2, 3]], [0, 0, 1, 1, 0, 1, 2], [False])


def test_an_instance_shows_its_options_in_a_line() -> None:
    shown = repr(Instance(XOR, np.ones(4), max_depth=2))
    assert shown.startswith("Instance(data=<DataSet: 4 rows, 2 attributes, 2 classes>, max_depth=2, min_samples_leaf=1")


def test_exclusive_or_has_two_trees_of_three_splits() -> None:
    instance = Instance(XOR, np.ones(4), alpha=0.1)
    assert fewest_errors(instance) == {0: 2, 1: 2, 2: 1, 3: 0}
    assert fewest_errors_by_leaves(instance) == {1: 2, 2: 2, 3: 1, 4: 0}
    assert best_objective(instance) == pytest.approx(0.3)
    assert number_of_optimal_trees(instance) == 2
    assert number_of_optimal_trees(Instance(XOR, np.ones(4), alpha=0.4)) == 1
    assert best_objective(Instance(XOR, np.ones(4), alpha=0.1, max_depth=1)) == 1


@pytest.mark.parametrize("n", range(1, 7))
def test_trees_over_distinct_numbers_are_the_binary_trees(n: int) -> None:
    """Catalan's numbers, by number of splits: trees with k splits choose k of the n - 1 positions for their cuts."""
    numbers = data_set_of([list(range(n))], [0] * n, [True])
    by_splits: Counter[int] = Counter()
    for (_, splits, _), number in trees_by_size(Instance(numbers, np.ones(n))).items():
        by_splits[splits] += number
    assert by_splits == {k: comb(n - 1, k) * comb(2 * k, k) // (k + 1) for k in range(n)}


def test_a_branch_for_each_code_or_one_for_two_sets_of_codes() -> None:
    instance = Instance(COLOURS, np.ones(7))
    assert fewest_errors(instance) == {0: 4, 1: 1}
    assert fewest_errors_by_leaves(instance) == {1: 4, 4: 1}
    assert fewest_errors(instance, subsets=True) == {0: 4, 1: 1, 2: 1, 3: 1}
    assert fewest_errors(Instance(COLOURS, np.ones(7), min_samples_leaf=2)) == {0: 4}
    assert fewest_errors(Instance(COLOURS, np.ones(7), min_samples_leaf=2), subsets=True) == {0: 4, 1: 2, 2: 2}
    assert number_of_optimal_trees(Instance(COLOURS, np.ones(7), alpha=0.1)) == 1
    assert best_objective(Instance(COLOURS, np.ones(7), alpha=0.1, penalty="leaves")) == pytest.approx(0.25 + 0.4)


@pytest.mark.parametrize(("kind", "subsets"), [*((kind, False) for kind in KINDS), ("multiway", True)])
def test_drawn_instances_reach_every_corner(kind: str, subsets: bool) -> None:
    seen: Counter[str] = Counter()

    @given(instances(kind))
    @settings(max_examples=120)
    def look(instance: Instance) -> None:
        fewest = fewest_errors(instance, subsets=subsets)
        free = fewest_errors(replace(instance, min_samples_leaf=1, max_splits=None, max_depth=None), subsets=subsets)
        sizes = trees_by_size(instance, subsets=subsets)
        best = best_objective(instance, subsets=subsets)
        splits = {size[1] for size in sizes if instance.objective(float(size[0]), *size[1:]) == best}
        seen["any"] += 1
        seen["two splits or more"] += min(splits) >= 2
        seen["several optimal trees, though splits cost"] += (
            instance.alpha > 0 and number_of_optimal_trees(instance, subsets=subsets) > 1
        )
        seen["rows that no tree tells apart"] += min(free.values()) > 0
        seen["limits that cost errors"] += min(fewest.values()) > min(free.values())
        seen["one class"] += instance.baseline == 0

    look()
    assert min(seen.values()) >= 4, seen
