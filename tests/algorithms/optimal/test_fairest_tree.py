"""The fairest good tree, against listing the trees one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.optimal.instance import Instance
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.solution import Effort
from algorithms.options import ParameterError
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import instances

MOST_LISTED = 120
EPSILONS = st.sampled_from([0.0, 1 / 16, 0.2, 0.5])


def difference(tree: DecisionTree, instance: Instance, groups: list[Any], favourable: int, only: bool) -> float:
    """The greatest less the least rate, by definition; with `only`, of the rows of the favourable class."""
    rates, chosen = [], tree.predict(instance.data.values()) == favourable
    for group in set(groups):
        rows = np.array([each == group for each in groups])
        rows &= (instance.data.decisions == favourable) | (not only)
        rates.append(instance.weights[rows & chosen].sum() / instance.weights[rows].sum())
    return float(max(rates) - min(rates))


@given(instances(max_rows=8, max_depth=3), EPSILONS, st.booleans(), st.integers(0, 2**32), st.booleans())
@settings(max_examples=100)
def test_the_fairest_is_that_of_trees_listed_one_by_one(
    instance: Instance, epsilon: float, subsets: bool, seed: int, only: bool
) -> None:
    generator = np.random.default_rng(seed)
    number, classes = int(generator.integers(2, 4)), len(instance.data.classes)
    groups = generator.permutation(np.arange(instance.data.rows) % number).tolist()
    favourable = int(generator.integers(classes))
    of_class = instance.data.decisions == favourable
    enough = {groups[row] for row in np.flatnonzero(of_class)} if only else set(groups)
    if instance.data.rows < number or len(enough) < number:
        return
    good_trees = RashomonSet.of(instance, epsilon, subsets=subsets)
    if good_trees.number > MOST_LISTED:
        return
    measure: Any = "equal_opportunity" if only else "demographic_parity"
    fairest = good_trees.fairest(groups, measure, favourable=instance.data.classes[favourable])
    listed = [(difference(tree, instance, groups, favourable, only), tree) for tree in good_trees.trees()]
    least = min(each for each, _ in listed)
    if not fairest.exact:  # weights so large that sums by group take more than 62 bits
        assert instance.weights.max() > 1 << 20
        return
    assert fairest.difference == pytest.approx(least)
    assert fairest.tree in good_trees
    assert difference(fairest.tree, instance, groups, favourable, only) == pytest.approx(least)
    assert max(fairest.rates.values()) - min(fairest.rates.values()) == pytest.approx(least)


XOR = Instance(data_set_of([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0], [False, False]), np.ones(4), alpha=0.01)


def test_where_not_all_trees_can_be_compared_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    good_trees = RashomonSet.of(XOR, 0.99)
    groups = ["a", "a", "b", "b"]
    exact = good_trees.fairest(groups)
    assert (exact.exact, exact.difference, exact.rates) == (True, 0.0, {"a": 0.5, "b": 0.5})
    assert good_trees.fairest(groups, samples=1, random_state=1).exact  # nothing is drawn
    monkeypatch.setattr("algorithms.optimal.rashomon.good_trees.MOST_COMBINED", 0)
    drawn = good_trees.fairest(groups, samples=50, random_state=2)
    assert (drawn.exact, drawn.difference) == (False, 0.0)
    assert drawn.tree in good_trees
    monkeypatch.undo()
    for weights in ([2.0**30 + 1, 2.0**31 - 1, 2.0**31 + 11, 2.0**30 + 7], [1.0, 1.0, 2.0**60, 2.0**60]):
        heavy = RashomonSet.of(replace(XOR, weights=np.array(weights)), 0.99)
        assert not heavy.fairest(groups, samples=5, random_state=0).exact


def test_rows_that_count_with_less_weight_than_they_have_give_samples() -> None:
    data = data_set_of([[0, 1, 1, 1, 1], [1, 0, 1, 0, 1]], [0, 0, 1, 0, 1], [False, False])
    instance = Instance(data, np.array([1e200, 1.0, 1.0, 1.0, 1.0]), max_depth=2, alpha=0.01)
    fairest = RashomonSet.of(instance, 0.2).fairest([0, 0, 1, 1, 0], random_state=0)
    assert not fairest.exact


def test_a_limit_of_memory_gives_samples() -> None:
    good_trees = RashomonSet.of(XOR, 0.99)
    assert good_trees.number == 9
    good_trees._trees.effort = Effort(memory=1)
    assert not good_trees.fairest([0, 1, 0, 1], samples=5, random_state=0).exact


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"groups": ["a", "b"]}, r"`groups` has the shape \(2,\): expected one .* of the 4 rows .* weight$"),
        ({"groups": [["a"], ["b"], ["a"], ["b"]]}, r"`groups` has the shape \(4, 1\)"),
        ({"groups": "abab"}, r"`groups` has the shape \(\)"),
        ({"groups": ["a"] * 4}, "`groups` has only the group 'a': expected two groups"),
        ({"groups": ["a", None, "b", "b"]}, "`groups` has no value for row 1"),
        ({"groups": [1.0, 2.0, float("nan"), 1.0]}, "`groups` has no value for row 2"),
        ({"measure": "equality"}, "measure is 'equality'"),
        ({"favourable": "yes"}, "favourable is 'yes': expected one of the classes 'c0', 'c1'"),
        (
            {"groups": ["a", "b", "b", "a"], "measure": "equal_opportunity"},
            "group 'a' has no row of class 'c1': .* Merge the group with another group, or give measure=",
        ),
        ({"samples": 0}, "samples is 0"),
    ],
)
def test_groups_that_cannot_be_compared_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        RashomonSet.of(XOR).fairest(**({"groups": ["a", "b", "a", "b"]} | changed))


def test_of_three_classes_the_favourable_one_must_be_named() -> None:
    data = data_set_of([[0, 1, 2]], [0, 1, 2], [False])
    good_trees = RashomonSet.of(Instance(data, np.ones(3), alpha=0.01))
    with pytest.raises(ParameterError, match="favourable is None: expected one of the classes"):
        good_trees.fairest([0, 1, 1])
    assert good_trees.fairest([0, 1, 1], favourable="c2").rates == {0: 0.0, 1: 0.5}
