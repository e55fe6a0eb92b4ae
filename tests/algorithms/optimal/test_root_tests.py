"""Searches of some of the tests at the root, against every tree there is."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from algorithms.optimal.binary.bit_search import SharedMemo
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.root_tests import Root, root_tests
from algorithms.optimal.solution import Effort
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import KINDS, instances, noise
from tests.algorithms.optimal.split_objectives import is_among, objectives
from tests.oracles.conditioned_trees import Split, all_rows, depth_of, number_of_trees

MOST_TREES = 2000
SAME = 1e-9


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_the_best_tree_below_a_limit_whose_root_is_among_some_tests(kind: str, data: st.DataObject) -> None:
    instance = data.draw(instances(kind, max_rows=8, max_depth=3))
    subsets, parts = data.draw(st.booleans()), data.draw(st.integers(1, 5))
    assume(number_of_trees(instance, all_rows(instance), depth_of(instance), subsets=subsets) < MOST_TREES)
    trees = objectives(instance, subsets=subsets)
    least = min(objective for _, objective in trees)
    among = [
        min((objective for tree, objective in trees if is_among(tree, tests, instance)), default=inf)
        for tests in root_tests(instance, parts)
    ]
    assert min(*among, *(objective for tree, objective in trees if not isinstance(tree, Split))) == least
    memo = data.draw(st.sampled_from([None, SharedMemo()]))
    for tests, own in zip(root_tests(instance, parts), among, strict=True):
        for below in (inf, own, own * (1 + SAME) + SAME, least, data.draw(st.floats(0.01, 1.5))):
            work = data.draw(st.none() | st.integers(1, 100))
            solution = solve(instance, Effort(work=work), subsets=subsets, root=Root(tests, below), memo=memo)
            result = solution.objective < below
            event(f"a better tree: {result}, limited: {work is not None}")
            assert solution.objective >= least - SAME
            assert min(solution.bound, solution.objective) <= own + SAME
            if work is None and own < below * (1 - SAME):
                assert solution.objective <= own + SAME
            if work is None and not result:
                assert solution.bound == pytest.approx(below)


def test_parts_have_each_test_once_and_the_most_promising_come_first() -> None:
    numbers, labels = [1.0, 2.0, 3.0, 4.0], [0, 1, 2, 0]
    data = data_set_of([numbers, labels, [5.0] * 4, [7.0, 7.0, 9.0, 9.0]], [0, 0, 1, 1], [True, False, True, True], 2)
    instance = Instance(data, np.ones(4))
    assert [tests.cuts for tests in root_tests(instance, 1)] == [{0: (0, 2), 1: (0, 0), 3: (0, 0)}]
    assert [tests.cuts for tests in root_tests(instance, 5)] == [
        {0: (1, 1)},
        {3: (0, 0)},
        {1: (0, 0)},
        {0: (0, 0)},
        {0: (2, 2)},
    ]
    assert [tests.cuts for tests in root_tests(instance, 7)].count({}) == 2


def test_an_attribute_that_splits_as_an_earlier_one_is_left_out() -> None:
    columns = [[1.0, 5.0, 3.0], [0, 1, 1], [1, 0, 0], [2.0, 9.0, 4.0], [0, 2, 1], [1, 2, 0], [0, 2, 1]]
    data = data_set_of(columns, [0, 1, 1], [True, False, False, True, False, False, False], 2)
    (tests,) = root_tests(Instance(data, np.ones(3)), 1)
    assert [*tests.cuts] == [0, 1, 4, 5]


@pytest.mark.parametrize(("digits", "depth"), [(None, 4), (2, 3)])
def test_a_part_is_searched_alone(digits: int | None, depth: int) -> None:
    instance = noise(60, 8, digits, depth)
    whole = solve(instance)
    for tests in root_tests(instance, 8):
        assert solve(instance, root=Root(tests)).tree.attribute[0] in tests.cuts
        assert solve(instance, root=Root(tests, whole.objective)).work < whole.work / 2


@pytest.mark.parametrize("max_splits", [None, 6])
def test_searches_of_one_instance_need_less_work_with_what_those_before_have_found(max_splits: int | None) -> None:
    instance = noise(100, 10, None, 5, max_splits)
    whole, memo = solve(instance), SharedMemo()
    alone, informed = (
        [solve(instance, root=Root(tests), memo=known) for tests in root_tests(instance, 10)] for known in (None, memo)
    )
    assert [one.objective for one in informed] == [one.objective for one in alone]
    assert min(one.objective for one in informed) == whole.objective
    assert sum(one.work for one in informed) < sum(one.work for one in alone) / 2
