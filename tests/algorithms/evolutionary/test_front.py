"""The front of errors against leaves: dominance by brute force, members recounted, and both ends beside single runs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from algorithms.data.data_set import DataSet
from algorithms.data.rule_sets import RULE_SETS
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.evolutionary.front import EVOTreeFrontClassifier, by_front_and_crowding, crowding, front_of
from algorithms.trees.arrays import NodeKind
from algorithms.trees.json_text import to_json
from tests.algorithms.data_sets import data_sets

QUICK: dict[str, Any] = {"individuals": 20, "generations": 15}

costs = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)), min_size=1, max_size=25)


def dominates(points: list[tuple[int, int]], first: int, second: int) -> bool:
    """Whether one of two points is at least as good in both costs and better in one, or as good and before it."""
    mine, theirs = points[first], points[second]
    if mine == theirs:
        return first < second
    return mine[0] <= theirs[0] and mine[1] <= theirs[1]


@given(costs)
def test_fronts_are_those_of_peeling(points: list[tuple[int, int]]) -> None:
    left, expected = set(range(len(points))), {}
    while left:
        peeled = {i for i in left if not any(dominates(points, j, i) for j in left)}
        expected |= dict.fromkeys(peeled, max(expected.values(), default=-1) + 1)
        left -= peeled
    errors, leaves = np.array(points).T
    assert front_of(errors, leaves).tolist() == [expected[i] for i in range(len(points))]


@given(costs)
def test_crowding_is_the_distance_of_the_neighbours(points: list[tuple[int, int]]) -> None:
    errors, leaves = np.array(points).T
    front = front_of(errors, leaves)
    result = crowding(errors, leaves, front)
    for tree, (mine, size) in enumerate(points):
        others = [points[i] for i in np.flatnonzero(front == front[tree])]
        below = [other for other in others if other[1] < size]
        above = [other for other in others if other[1] > size]
        if not below or not above:
            assert result[tree] == np.inf
            continue
        left, right = max(below, key=lambda point: point[1]), min(above, key=lambda point: point[1])
        assert left[0] > mine > right[0]
        whole_errors, whole_leaves = np.ptp([e for e, _ in others]), np.ptp([size for _, size in others])
        distance = (left[0] - right[0]) / whole_errors + (right[1] - left[1]) / whole_leaves
        assert result[tree] == pytest.approx(distance)
    order = by_front_and_crowding(errors, leaves).tolist()
    assert sorted(order) == list(range(len(points)))
    keys = [(front[tree], -result[tree]) for tree in order]
    assert keys == sorted(keys)


@settings(max_examples=40)
@given(data_sets(), st.data(), st.sampled_from(["integers", "labels"]), st.integers(0, 9))
def test_members_are_counted_right_and_none_is_dominated(
    data: DataSet, more: st.DataObject, nominal_tests: Any, seed: int
) -> None:
    assume(len(np.unique(data.decisions)) > 1 and any(len(np.unique(column)) > 1 for column in data.columns))
    weights = np.array(more.draw(st.lists(st.sampled_from([0.1, 1.0, 3.25]), min_size=data.rows, max_size=data.rows)))
    model = EVOTreeFrontClassifier(**QUICK, nominal_tests=nominal_tests, random_state=seed, max_depth=4)
    model.fit(data, sample_weight=weights)
    for member in model.front_:
        wrong = member.tree.predict(data.values()) != data.decisions
        assert member.errors == pytest.approx(weights[wrong].sum())
        assert member.leaves == (member.tree.kind == NodeKind.TERMINAL).sum()
        assert member.tree.depths().max() <= 4
    errors, leaves = [each.errors for each in model.front_], [each.leaves for each in model.front_]
    assert leaves[0] == 1
    assert all(more > less for more, less in pairwise(errors))
    assert all(less < more for less, more in pairwise(leaves))
    price = [e / errors[0] + 0.01 * (size - 1) for e, size in zip(errors, leaves, strict=True)]
    chosen = model.front_[int(np.argmin(price))]
    assert model.tree_ is chosen.tree


def hypervolume(front: list[tuple[float, int]], most: tuple[float, int]) -> float:
    """The area of what a front dominates, up to the most errors and leaves."""
    area, errors = 0.0, most[0]
    for mine, leaves in sorted(front, key=lambda point: point[1]):
        area += max(errors - mine, 0) * max(most[1] - leaves, 0)
        errors = min(errors, mine)
    return area


def test_one_run_has_more_of_the_front_than_as_many_evaluations_for_one_objective_at_a_time() -> None:
    data = RULE_SETS["monks-1"]()
    front = EVOTreeFrontClassifier(individuals=100, generations=100, patience=100).fit(data).front_
    single = []
    for index, alpha in enumerate((0.3, 0.1, 0.03, 0.01)):
        model = EVOTreeClassifier(
            individuals=100, generations=25, alpha_2=alpha, leaf_labels="majority", random_state=index
        ).fit(data)
        wrong = int((model.tree_.predict(data.values()) != data.decisions).sum())
        single.append((float(wrong), int((model.tree_.kind == NodeKind.TERMINAL).sum())))
    most = front[0].errors, 1 + max(leaves for _, leaves in single)
    assert hypervolume([(each.errors, each.leaves) for each in front], most) > hypervolume(single, most)


def test_the_same_seed_gives_the_same_front_and_another_one_another() -> None:
    generator = np.random.default_rng(0)
    rows, classes = generator.random((100, 3)), generator.integers(0, 3, 100)
    fronts = [
        [to_json(each.tree) for each in EVOTreeFrontClassifier(**QUICK, random_state=seed).fit(rows, classes).front_]
        for seed in (1, 1, 2)
    ]
    assert fronts[0] == fronts[1] != fronts[2]


def test_a_front_that_does_not_change_ends_the_run() -> None:
    rows, classes = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    model = EVOTreeFrontClassifier(generations=10**9, patience=5, individuals=50).fit(rows, classes)
    assert [(each.errors, each.leaves) for each in model.front_] == [(2.0, 1), (0.0, 2)]


def test_options_may_be_numbers_of_numpy() -> None:
    rows = np.arange(40.0)[:, None]
    model = EVOTreeFrontClassifier(individuals=np.int8(100), split_probability=np.float16(0.5), generations=2)
    assert len(model.fit(rows, rows[:, 0] > 20).front_) == 2
