"""The estimator that chooses one of the good trees, against every tree there is."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from algorithms.data.data_set import AttributeKind
from algorithms.optimal.instance import Instance
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.rashomon_classifier import Choice, RashomonClassifier
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import EffortSpentError, Status
from algorithms.options import ParameterError
from tests.algorithms.optimal.instances import instances
from tests.algorithms.optimal.proofs import check_allowed
from tests.oracles.optimal_trees import TIE, best_objective, trees_by_size

XOR = [[0, 0], [0, 1], [1, 0], [1, 1]]
SMALL = instances(max_rows=8, max_depth=3) | instances(max_rows=8, max_depth=3, missing=True)


@given(SMALL, st.sampled_from([0.0, 1 / 16, 0.2, 0.5]), st.booleans())
@settings(max_examples=200)
def test_the_tree_is_the_smallest_or_the_shallowest_of_all(instance: Instance, epsilon: float, subsets: bool) -> None:
    least = best_objective(instance, subsets=subsets)
    fewest = min(
        leaves
        for (errors, splits, leaves) in trees_by_size(instance, subsets=subsets)
        if instance.objective(float(errors), splits, leaves) <= least + epsilon + TIE
    )
    good = RashomonSet.of(instance, epsilon, subsets=subsets)
    choices: list[Choice] = ["smallest", "shallowest", "random"]
    for choice in choices:
        model = RashomonClassifier(epsilon=epsilon, choice=choice, subsets=subsets)
        solution = model._solution(instance, None)
        errors, splits, leaves = check_allowed(solution.tree, instance, subsets=subsets)
        assert solution.tree in good
        assert solution.objective == pytest.approx(instance.objective(errors, splits, leaves))
        assert solution.bound == pytest.approx(least)
        assert solution.optimal == (solution.objective <= least + TIE)
        assert choice != "smallest" or leaves == fewest
        if choice == "shallowest":
            assert solution.tree.depths().max() == good.shallowest().depths().max()


@given(instances("numeric", max_rows=8, max_depth=3), st.sampled_from([0.0, 0.2]))
@settings(max_examples=50)
def test_the_frontier_gives_a_tree_as_good_as_the_smallest_of_the_set(instance: Instance, epsilon: float) -> None:
    assert all(about.kind is AttributeKind.NUMERIC for about in instance.data.attributes)
    solution = RashomonClassifier(epsilon=epsilon)._solution(instance, None)
    smallest = RashomonSet.of(instance, epsilon).smallest()
    assert (solution.leaves, solution.objective) == (
        int((smallest.attribute < 0).sum()),
        pytest.approx(instance.objective(*check_allowed(smallest, instance))),
    )


def test_the_smallest_tree_needs_no_limit() -> None:
    model = RashomonClassifier(max_depth=None, alpha=0.1, epsilon=0.8).fit(XOR, [0, 0, 0, 1])
    assert (model.get_n_leaves(), model.solution_.bound) == (1, pytest.approx(0.2))


def test_a_random_tree_comes_again_with_its_seed() -> None:
    models = [RashomonClassifier(choice="random", epsilon=1.0, random_state=seed) for seed in (1, 1, 2, 3, 4, 5)]
    trees = [model.fit(XOR, [0, 1, 1, 0]).export_text() for model in models]
    assert trees[0] == trees[1]
    assert len(set(trees)) > 1


@pytest.mark.parametrize(
    "limits", [{"max_work": 1}, {"max_work": 1, "choice": "random"}, {"memory_limit": 1, "choice": "shallowest"}]
)
def test_where_a_limit_is_reached_there_is_no_tree_and_the_message_names_it(limits: dict[str, Any]) -> None:
    generator = np.random.default_rng(0)
    X, y = generator.random((60, 4)), generator.integers(0, 2, 60)
    with pytest.raises(EffortSpentError, match=next(iter(limits))):
        RashomonClassifier(**limits).fit(X, y)


def test_without_tolerance_the_tree_is_optimal() -> None:
    model = RashomonClassifier(epsilon=0, max_depth=2, alpha=0.1).fit(XOR, [0, 1, 1, 0])
    assert (model.solution_.status, model.get_n_leaves()) == (Status.OPTIMAL, 4)
    near = RashomonClassifier(epsilon=0.8, max_depth=2, alpha=0.1).fit(XOR, [0, 1, 1, 0])
    assert (near.solution_.status, near.get_n_leaves()) == (Status.HEURISTIC, 1)
    assert near.solution_.gap > 0


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_set_does_not_change_with_the_arrays_it_was_made_from(order: Literal["C", "F"]) -> None:
    rng = np.random.default_rng(0)
    rows, decisions, weights = rng.integers(0, 4, (60, 3)) * 1.0, rng.integers(0, 2, 60), np.arange(1.0, 61)
    rows = np.array(rows, order=order)
    model = OCTClassifier(max_depth=2, alpha=0.01)
    same = model.rashomon_set(rows.copy(), decisions.copy(), weights.copy(), epsilon=0.02)
    good = model.rashomon_set(rows, decisions, weights, epsilon=0.02)
    rows[:], decisions[:], weights[:] = 0, 0, 0
    for tree in (good.tree(0), good.shallowest(), good.smallest()):
        assert tree in same
        assert tree in good
    assert good.tree(0).counts.tolist() == same.tree(0).counts.tolist()


def test_an_estimator_stands_for_its_tree() -> None:
    model = OCTClassifier(max_depth=2, alpha=0.1)
    good = model.rashomon_set(XOR, [0, 1, 1, 0], epsilon=0.1)
    assert model.fit(XOR, [0, 1, 1, 0]) in good
    assert OCTClassifier(max_depth=0).fit(XOR, [0, 1, 1, 0]) not in good
    for rows, classes, words in (
        (
            [["a", 0], ["a", 1], ["b", 0], ["b", 1]],
            [0, 1, 1, 0],
            r"attribute 1 of the estimator is 'f1' \(nominal, with the labels a, b\), but .* is 'f1' \(numeric\)",
        ),
        (XOR, ["a", "b", "b", "a"], "class 1 of the estimator is a, but class 1 of the set is 0: expected an est"),
        ([[0], [1], [0], [1]], [0, 1, 0, 1], r"is absent, but attribute 2 of the set is 'f2' \(numeric\)"),
    ):
        with pytest.raises(ParameterError, match=words):
            _ = model.fit(rows, classes) in good
    assert DecisionTreeClassifier().fit(XOR, [0, 1, 1, 0]) not in good
