"""The search over mixed attributes: what it refuses, weights, equal rows, and CART's tree at the start."""

from __future__ import annotations

import time

import numpy as np
import pytest

from algorithms.data.data_set import DataSetError
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.solve_ranks import solve_mixed
from algorithms.optimal.solution import Effort, Status
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.proofs import check_solution


def test_too_many_values_to_be_parted_into_two_sets_are_refused() -> None:
    data = data_set_of([list(range(13)) * 2], [0, 1] * 13, [False])
    instance = Instance(data, np.ones(26))
    assert solve_mixed(instance, Effort()).status is Status.OPTIMAL
    with pytest.raises(DataSetError, match=r"'a1' has 13 values: expected at most 12"):
        solve_mixed(instance, Effort(), subsets=True)


def test_too_many_classes_are_refused() -> None:
    data = data_set_of([list(range(5000))], list(range(5000)), [True])
    with pytest.raises(DataSetError, match=r"there are 5,000 classes: expected at most 4,096"):
        solve_mixed(Instance(data, np.ones(5000)), Effort())


@pytest.mark.parametrize("weight", [1.0, 0.1, 1e-9, 1e12])
def test_the_unit_of_the_weights_makes_no_difference(weight: float) -> None:
    generator = np.random.default_rng(3)
    numbers = generator.normal(size=(3, 80))
    decisions = (numbers[0] * numbers[1] > 0).astype(int) + (numbers[2] > 1)
    data = data_set_of(numbers.tolist(), decisions.tolist(), [True] * 3, 3)
    plain = solve_mixed(Instance(data, np.ones(80), max_depth=3, alpha=0.01), Effort())
    scaled = solve_mixed(Instance(data, np.full(80, weight), max_depth=3, alpha=0.01), Effort())
    assert scaled.objective == pytest.approx(plain.objective)
    assert plain.splits > 3


def test_rows_without_attributes_and_one_class_are_leaves() -> None:
    for columns, numeric in (([], []), ([[1.0, 1.0, 1.0]], [True]), ([[1.0, 2.0, 3.0]], [True])):
        decisions = [0, 1, 0] if not columns or columns[0][0] == columns[0][1] else [0, 0, 0]
        instance = Instance(data_set_of(columns, decisions, numeric, 2), np.ones(3))
        for frontier in (False, True):
            solution = solve_mixed(instance, Effort(), frontier=frontier)
            assert (solution.status, solution.splits, solution.leaves) == (Status.OPTIMAL, 0, 1)
            assert [point.splits for point in solution.frontier] == [0] * frontier


def test_numbers_that_cart_cannot_take_are_searched_within_limits() -> None:
    """CART's tree, which else is no better than what is returned, is grown of float32."""
    column = [1e300, -1e300, 3.0, 1e39, -1.7e308, 0.0, 2.0, 7.0]
    instance = Instance(data_set_of([column], [0, 1, 0, 1, 0, 1, 0, 1], [True]), np.ones(8), max_depth=3)
    solution = solve_mixed(instance, Effort(work=1))
    check_solution(solution, instance, proven=False)
    assert solution.status is Status.WORK_LIMIT


def test_a_deep_tree_of_cart_is_taken() -> None:
    rows = 1500
    data = data_set_of([list(range(rows)), list(range(rows))[::-1]], [row % 2 for row in range(rows)], [True, True])
    solution = solve_mixed(Instance(data, np.ones(rows)), Effort(work=1))
    assert solution.tree.depths().max() > 1000


def test_rows_of_a_class_that_weigh_nothing_beside_others_do_not_hide_the_best_tree() -> None:
    generator = np.random.default_rng(3)
    numbers, decisions = generator.normal(size=76).round(1), generator.integers(0, 3, 76)
    data = data_set_of([numbers.tolist()], decisions.tolist(), [True], 3)
    best = solve_mixed(Instance(data, np.ones(76), max_depth=2), Effort())
    more = data_set_of([[*numbers.tolist(), 0.0]], [*decisions.tolist(), 3], [True], 4)
    solution = solve_mixed(Instance(more, np.append(np.ones(76), 1e-20), max_depth=2), Effort())
    assert best.splits == 3
    assert solution.errors == best.errors


def _many_labels(rows: int, **limits: int) -> Instance:
    """Rows with four of each label, on average."""
    generator = np.random.default_rng(0)
    columns = [generator.integers(0, rows // 4, rows).tolist() for _ in range(2)]
    data = data_set_of(columns, generator.integers(0, 3, rows).tolist(), [False] * 2, 3)
    return Instance(data, np.ones(rows), max_depth=3, **limits)


def test_many_labels_do_not_slow_down_the_count_of_splits() -> None:
    """The costs of a branch are read for as many splits as its rows allow, not for those of all rows."""
    solve_mixed(_many_labels(40, max_splits=5), Effort())  # compiles
    began = time.process_time()
    solution = solve_mixed(_many_labels(1000, max_splits=800), Effort())
    assert time.process_time() - began < 4  # about 0.1 seconds; with all rows, 16
    assert solution.optimal


def test_costs_by_number_of_splits_respect_the_limit_of_memory() -> None:
    solution = solve_mixed(_many_labels(800), Effort(memory=1 << 22), frontier=True)
    assert solution.status is Status.MEMORY_LIMIT
    assert solution.frontier[0].splits == 0
