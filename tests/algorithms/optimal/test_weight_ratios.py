"""Weights that differ so much that rounding hides the least of them: no proof is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from algorithms.optimal.instance import Instance
from algorithms.optimal.lookahead.lookahead_trees import licketysplit
from algorithms.optimal.majority_rule import sums_are_exact
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.solution import Effort, Status
from orchard import (
    Conditions,
    LicketySPLITClassifier,
    OCTClassifier,
    SPLITClassifier,
    T2Classifier,
    T3CClassifier,
    T3Classifier,
)
from tests.algorithms.data_sets import data_set_of

NAN = np.nan


@pytest.mark.parametrize(
    ("options", "first"),
    [
        ({"conditions": {"once": ["f1"]}}, 0.0),
        ({"conditions": {"misclassification_costs": [[0, 1e17], [1, 0]]}}, 0.0),
        ({"missing": "all_branches"}, NAN),
    ],
)
def test_rounding_of_the_costs_of_rows_is_refused(options: dict[str, Any], first: float) -> None:
    rows, decisions = [[first], [1.0], [2.0], [3.0]], list("abab")
    with pytest.raises(ValueError, match=r"the cheapest error costs .* more than .* times as much"):
        OCTClassifier(max_depth=2, **options).fit(rows, decisions, sample_weight=[1e17 / 3, 1.0, 1.0, 1.0])


def test_exact_sums_of_different_weights_are_not_refused() -> None:
    model = OCTClassifier(max_depth=2, conditions={"once": ["f1"]})
    model.fit([[0.0], [1.0], [2.0]], list("aba"), sample_weight=[1e15, 1.0, 1.0])
    assert (model.solution_.errors, model.solution_.status) == (1, Status.OPTIMAL)


@pytest.mark.parametrize(
    ("weights", "exact"),
    [
        ([1.0, 2.0**53 - 2], True),
        ([1.0, 2.0**53], False),
        ([0.1, 0.1], True),
        ([0.1, 0.1, 0.1], False),
        ([3e-8, 3e8], False),
    ],
)
def test_sums_are_exact_if_weights_are_multiples_of_a_unit(weights: list[float], exact: bool) -> None:
    assert sums_are_exact(np.array(weights)) == exact


def test_more_weight_of_a_row_that_no_good_tree_misclassifies_changes_no_set() -> None:
    data = data_set_of([[0, 1, 2, 3, 4], [0, 1, 0, 1, 1]], [0, 1, 0, 1, 0], [True, False])
    light, heavy = (np.array([weight, 1 / 3, 0.7, 1.0, 0.1]) for weight in (10.0, 1e17))
    sets = [RashomonSet.of(Instance(data, weights, max_depth=2), 0.2) for weights in (light, heavy)]
    assert [good.number for good in sets] == [sets[0].number] * 2
    assert [size.errors for size in sets[1].sizes] == pytest.approx([size.errors for size in sets[0].sizes])
    trees = list(RashomonSet.of(sets[1].instance, 2.0).trees())
    assert len(trees) > sum(tree in sets[1] for tree in trees) == sets[1].number


def test_weights_that_round_up_prove_no_tree_best(monkeypatch: pytest.MonkeyPatch) -> None:
    # the weights stay as they are
    monkeypatch.setattr("algorithms.optimal.lookahead.completed_rows.EQUAL_SHARE", np.inf)
    data = data_set_of([[0, 0, 1]], [0, 1, 1], [True])
    instance = Instance(data, np.array([2.0**53, 1.2, 0.7]), max_depth=2)
    result = licketysplit(instance, Effort(), None)
    assert result.bound <= 1.2 / 1.9
    assert not result.optimal


@pytest.mark.parametrize("classifier", [LicketySPLITClassifier, SPLITClassifier])
@pytest.mark.parametrize("heavy", [1e17 / 3, 1e200])
def test_a_heavy_row_hides_no_errors_of_greedy_trees(classifier: Any, heavy: float) -> None:
    X, y, weights = np.arange(5.0).reshape(-1, 1), np.array([0, 1, 0, 0, 1]), np.array([heavy, 1.0, 1.0, 0.7, 0.1])
    solution = classifier(max_depth=3).fit(X, y, weights).solution_
    assert (solution.errors, solution.splits, solution.forced) == (0, 3, 0)
    rows = np.array([[0.0], [0.0], [1.0]])
    solution = classifier(max_depth=3).fit(rows, [0, 1, 1], [heavy, 1.2, 0.7]).solution_
    assert (solution.errors, solution.forced) == pytest.approx((1.2, 1.2))
    assert solution.bound == pytest.approx(1.2 / 1.9)


@pytest.mark.parametrize("heavy", [1e12, 1e20])
@pytest.mark.parametrize(
    ("model", "errors"), [(T2Classifier(), 0), (T3Classifier(), 0), (T3CClassifier(), 0), (T3Classifier(mae=0.1), 2)]
)
def test_a_heavy_row_hides_no_errors_of_shallow_trees(model: Any, errors: int, heavy: float) -> None:
    X, y, weights = np.arange(4.0).reshape(-1, 1), np.array([0, 1, 0, 1]), np.array([heavy, 1.0, 1.0, 1.0])
    solution = model.fit(X, y, weights).solution_
    assert solution.errors == weights[model.predict(X) != y].sum() == errors
    assert not errors or not solution.optimal


@pytest.mark.parametrize("heavy", [1e15, 1e17, 1e200])
def test_rows_of_almost_no_weight_count_in_the_size_of_a_leaf(heavy: float) -> None:
    model = OCTClassifier(max_depth=1, min_samples_leaf=2)
    solution = model.fit([[0], [1], [2], [3]], [0, 0, 1, 1], sample_weight=[heavy, 1, heavy, 1]).solution_
    assert (solution.errors, solution.splits) == (0, 1)


def test_each_point_of_a_frontier_has_fewer_errors_in_weights_that_are_not_whole() -> None:
    rows, weights = [[-1.0], [0.0], [-1.0], [1.0], [0.0], [0.0]], [2 / 3, 5 / 3, 2 / 3, 7 / 3, 3.0, 7 / 3]
    model = OCTClassifier(min_samples_leaf=2, frontier=True).fit(rows, [0, 1, 0, 0, 1, 0], sample_weight=weights)
    assert [(point.splits, point.errors) for point in model.solution_.frontier] == [(0, 14 / 3)]


def test_the_errors_of_shallow_trees_are_those_of_their_predictions() -> None:
    X, y, weights = [[2.0], [1.0], [0.0], [3.0], [0.0]], np.array([0, 1, 1, 1, 0]), np.array([1e9, 1e9, 1e9, 1, 1e9])
    model = T2Classifier().fit(X, y, weights)
    assert model.solution_.errors == weights[model.predict(X) != y].sum() == 1e9 + 1


@pytest.mark.parametrize(
    "model",
    [OCTClassifier(max_depth=3), OCTClassifier(max_depth=3, conditions=Conditions(max_attributes=3)), T3CClassifier()],
)
def test_no_tree_has_fewer_errors_than_are_forced_however_their_sums_are_rounded(model: Any) -> None:
    draw = np.random.default_rng(1)
    for _ in range(20):
        X, y, weights = draw.integers(0, 2, (30, 3)), draw.integers(0, 3, 30), draw.choice([0.1, 0.2, 0.3, 0.7], 30)
        solution = model.fit(X, y, weights).solution_
        assert solution.forced <= solution.errors
