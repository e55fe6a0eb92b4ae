"""The Rashomon set against every tree there is, and optima published for real data."""

from __future__ import annotations

import math
import tracemalloc
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from algorithms.optimal.instance import Instance
from algorithms.optimal.rashomon.bit_tests import bit_rows
from algorithms.optimal.rashomon.cost_memo import WORK
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import Effort, EffortSpentError
from algorithms.options import ParameterError
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import KINDS, instances, structure
from tests.algorithms.optimal.proofs import check_allowed
from tests.oracles.optimal_trees import TIE, best_objective, trees_by_size, without_attribute

XOR = Instance(data_set_of([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0], [False, False]), np.ones(4))
SHALLOW = instances(max_rows=8, max_depth=2) | instances(max_rows=8, max_depth=2, missing=True)
EPSILONS = st.sampled_from([0.0, 0.0, 1 / 16, 0.2, 0.5, 2.0])


def good_by_size(instance: Instance, epsilon: float, *, subsets: bool) -> dict[tuple[Fraction, int, int], int]:
    """How many trees have each (errors, splits, leaves), of those within epsilon of the best, by trying every tree."""
    least = best_objective(instance, subsets=subsets)
    return {
        (errors, splits, leaves): number
        for (errors, splits, leaves), number in trees_by_size(instance, subsets=subsets).items()
        if instance.objective(float(errors), splits, leaves) <= least + epsilon + TIE
    }


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
@settings(max_examples=150)
def test_numbers_are_those_of_trying_every_tree(kind: str, data: st.DataObject) -> None:
    instance, epsilon = data.draw(instances(kind, missing=data.draw(st.booleans()))), data.draw(EPSILONS)
    for subsets in (False, True):
        good_trees = RashomonSet.of(instance, epsilon, subsets=subsets)
        expected = good_by_size(instance, epsilon, subsets=subsets)
        assert {(Fraction(s.errors), s.splits, s.leaves): s.number for s in good_trees.sizes} == expected
        assert good_trees.number == sum(expected.values())
        assert good_trees.objective == pytest.approx(best_objective(instance, subsets=subsets))
        objectives = [size.objective for size in good_trees.sizes]
        assert objectives == pytest.approx(sorted(objectives))
        assert objectives == [instance.objective(s.errors, s.splits, s.leaves) for s in good_trees.sizes]


@given(instances(max_rows=8) | instances(max_rows=8, missing=True), EPSILONS, st.booleans())
@settings(max_examples=200)
def test_each_tree_is_listed_once_in_order_and_is_a_member(instance: Instance, epsilon: float, subsets: bool) -> None:
    good_trees = RashomonSet.of(instance, epsilon, subsets=subsets)
    listed = list(good_trees.trees(limit=60))
    assert len(listed) == min(60, good_trees.number)
    assert len({structure(tree, instance) for tree in listed}) == len(listed)
    objectives = [instance.objective(*check_allowed(tree, instance, subsets=subsets)) for tree in listed]
    assert objectives == pytest.approx(sorted(objectives))
    assert objectives[0] == pytest.approx(good_trees.objective)
    assert all(tree in good_trees for tree in listed)
    last = good_trees.tree(good_trees.number - 1)
    assert last in good_trees
    assert (structure(last, instance) == structure(listed[-1], instance)) == (good_trees.number <= 60)


@given(SHALLOW, EPSILONS, st.booleans())
@settings(max_examples=150)
def test_agreement_of_trees_is_that_of_counting_them_one_by_one(
    instance: Instance, epsilon: float, subsets: bool
) -> None:
    good_trees = RashomonSet.of(instance, epsilon, subsets=subsets)
    if good_trees.number > 500:
        return
    trees, values = list(good_trees.trees()), instance.data.values()
    used = Counter(attribute for tree in trees for attribute in {*tree.attribute[tree.attribute >= 0].tolist()})
    least = best_objective(instance, subsets=subsets)
    for use in good_trees.uses():
        assert use.share == used[use.attribute] / len(trees)
        without = best_objective(without_attribute(instance, use.attribute), subsets=subsets)
        assert use.loss == pytest.approx(without - least)
    votes = np.zeros((instance.data.rows, len(instance.data.classes)))
    for tree in trees:
        votes[np.arange(instance.data.rows), tree.predict(values)] += 1
    assert good_trees.votes() == pytest.approx(votes / len(trees))
    assert leaves(good_trees.smallest()) == min(map(leaves, trees))
    assert good_trees.shallowest().depths().max() == min(tree.depths().max() for tree in trees)
    assert good_trees.smallest() in good_trees
    assert good_trees.shallowest() in good_trees


@given(SHALLOW, st.booleans())
@settings(max_examples=150)
def test_a_tree_is_a_member_if_its_objective_is_within_epsilon(instance: Instance, subsets: bool) -> None:
    least = best_objective(instance, subsets=subsets)
    near, all_of_them = (RashomonSet.of(instance, epsilon, subsets=subsets) for epsilon in (0.25, 1e6))
    for tree in all_of_them.trees(100):
        objective = instance.objective(*check_allowed(tree, instance, subsets=subsets))
        assert (tree in near) == (objective <= least + 0.25 + TIE)


def test_a_tree_that_the_instance_does_not_allow_is_no_member() -> None:
    good_trees = RashomonSet.of(XOR)
    (tree, *_) = good_trees.trees()
    assert tree in good_trees
    for changed in (replace(XOR, max_depth=1), replace(XOR, max_splits=2), replace(XOR, min_samples_leaf=2)):
        assert tree not in RashomonSet.of(changed, 10.0)
    numbers = data_set_of([[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]], [0, 1, 1, 0], [True, True])
    assert tree not in RashomonSet.of(replace(XOR, data=numbers))
    assert "a tree" not in good_trees
    worse = replace(tree, decision=1 - tree.decision)
    assert worse not in good_trees


def leaves(tree: DecisionTree) -> int:
    return int((tree.kind == NodeKind.TERMINAL).sum())


@pytest.mark.parametrize("options", [{}, {"alpha": 0.1}, {"max_splits": 2, "subsets": True}, {"max_depth": 1}])
def test_an_estimator_gives_those_of_its_options(options: dict[str, Any]) -> None:
    X = [["u", 1.0], ["u", 2.0], ["v", 1.0], ["v", 2.0], ["w", 2.0]]
    y, weights = ["no", "yes", "yes", "no", "no"], [1.0, 1.0, 2.0, 1.0, 0.0]
    model = OCTClassifier(**{"max_depth": 2, **options}, class_weight={"no": 3})
    good_trees = model.rashomon_set(X, y, weights, epsilon=0.3)
    assert vars(model) == vars(OCTClassifier(**{"max_depth": 2, **options}, class_weight={"no": 3}))  # not fitted by it
    fitted = model.fit(X, y, weights)
    columns = [[0, 0, 1, 1], [1.0, 2.0, 1.0, 2.0]]
    instance = Instance(
        data_set_of(columns, [0, 1, 1, 0], [False, True]),
        np.array([3.0, 1.0, 2.0, 3.0]),
        **{"max_depth": 2, **{name: value for name, value in options.items() if name != "subsets"}},
    )
    assert good_trees.number == sum(good_by_size(instance, 0.3, subsets="subsets" in options).values())
    assert good_trees.objective == pytest.approx(fitted.solution_.objective)


@pytest.mark.parametrize(
    ("epsilon", "text"),
    [
        (0.0, "<RashomonSet: 2 trees of objective 0.03>"),
        (0.48, "<RashomonSet: 2 trees of objective 0.03>"),
        (0.49, "<RashomonSet: 6 trees of objective 0.03 to 0.52>"),
        (0.99, "<RashomonSet: 9 trees of objective 0.03 to 1.01>"),
    ],
)
def test_it_says_how_many_trees_have_which_objectives(epsilon: float, text: str) -> None:
    assert repr(RashomonSet.of(replace(XOR, alpha=0.01), epsilon)) == text


def test_more_trees_than_any_integer_of_a_machine_holds() -> None:
    """40 codes with 4 rows each, and 5 equal attributes that part the rows of a code: 40 branches with 5 trees each."""
    codes, side = np.repeat(np.arange(40), 4), np.tile([0, 0, 1, 1], 40)
    data = data_set_of([codes, *[np.arange(160)] * 5], side.tolist(), [False, *[True] * 5])
    good_trees = RashomonSet.of(Instance(data, np.ones(160), max_depth=2, alpha=0.001))
    assert good_trees.number == 5**40
    assert repr(good_trees) == "<RashomonSet: about 1e27 trees of objective 0.041>"
    assert good_trees.objective == pytest.approx(0.041)
    assert len({structure(tree, good_trees.instance) for tree in good_trees.trees(7)}) == 7
    assert [use.share for use in good_trees.uses()] == [1.0, *[pytest.approx(1 - 0.8**40)] * 5]
    assert good_trees.votes().tolist() == np.eye(2)[side].tolist()
    near = RashomonSet.of(good_trees.instance, 1 / 80)  # the rows of one code are split 1 to 3 in place of 2 to 2
    assert near.number == 5**40 + 40 * 10 * 5**39


def test_samples_are_uniform_and_come_again_with_their_seed() -> None:
    good_trees = RashomonSet.of(replace(XOR, alpha=0.01), 0.99)
    drawn = good_trees.sample(900, random_state=3)
    times = Counter(structure(tree, XOR) for tree in drawn)
    assert len(times) == good_trees.number == 9
    assert sum((number - 100) ** 2 / 100 for number in times.values()) < 26.1  # chi squared, 8 degrees: 1 of 1,000
    again = good_trees.sample(5, random_state=3)
    assert [structure(tree, XOR) for tree in again] == [structure(tree, XOR) for tree in drawn[:5]]
    assert structure(good_trees.sample(1, np.int64(3))[0], XOR) == structure(drawn[0], XOR)
    assert good_trees.sample(0) == []
    with pytest.raises(ParameterError, match="number is -1"):
        good_trees.sample(-1)


def test_more_questions_than_are_paired_give_the_same_set(monkeypatch: pytest.MonkeyPatch) -> None:
    values, decisions = load_iris(return_X_y=True)
    data = data_set_of(list(values[::3].T), decisions[::3], [True] * 4)
    instance = Instance(data, np.ones(50), max_depth=3, alpha=0.05)
    paired = RashomonSet.of(instance, 0.1)
    monkeypatch.setattr("algorithms.optimal.rashomon.good_trees.MOST_PAIRED", 10)
    single = RashomonSet.of(instance, 0.1)
    assert (paired._trees.pairs is None, single._trees.pairs is None) == (False, True)
    assert paired.sizes == single.sizes
    assert paired.number > 100


@pytest.mark.parametrize("paired", [0, 10_000])
def test_a_search_in_small_slices_repeats_no_work(monkeypatch: pytest.MonkeyPatch, paired: int) -> None:
    values, decisions = load_iris(return_X_y=True)
    data = data_set_of(list(values[::3].T), decisions[::3], [True] * 4)
    instance = Instance(data, np.ones(50), max_depth=4, alpha=0.05)
    monkeypatch.setattr("algorithms.optimal.rashomon.good_trees.MOST_PAIRED", paired)
    expected = RashomonSet.of(instance, 0.1)
    monkeypatch.setattr("algorithms.optimal.rashomon.good_trees.SLICE", 1)
    sliced = RashomonSet.of(instance, 0.1, Effort(work=10**8))
    assert sliced.sizes == expected.sizes
    assert sliced._trees.search.memo.state[WORK] == expected._trees.search.memo.state[WORK]


def test_counts_are_the_same_if_their_arrays_must_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    values, decisions = load_iris(return_X_y=True)
    data = data_set_of(list(values[::3].T), decisions[::3], [True] * 4)
    instance = Instance(data, np.ones(50), max_depth=3, alpha=0.02)

    def answers() -> Any:
        good = RashomonSet.of(instance, 0.1)
        fairest = good.fairest(np.arange(50) % 2, favourable="c1").difference
        return good.sizes, good.votes().tolist(), good.uses(), good.importances(), fairest

    expected = answers()
    monkeypatch.setattr("algorithms.optimal.rashomon.good_trees.START", 2)
    assert answers() == expected


def test_votes_of_few_states_at_a_time_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    values, decisions = load_iris(return_X_y=True)
    data = data_set_of(list(values[::10].T), decisions[::10], [True] * 4)
    good_trees, checks = RashomonSet.of(Instance(data, np.ones(15), max_depth=2, alpha=0.02), 0.2), list[int]()
    expected = good_trees.votes().tolist()
    monkeypatch.setattr("algorithms.optimal.rashomon.good_trees.STATES_AT_ONCE", 1)
    monkeypatch.setattr(good_trees._trees, "_check_effort", lambda *_: checks.append(1))
    assert good_trees.votes().tolist() == expected
    states = good_trees._trees.graph.size[0]
    assert len(checks) == 3 * states - 1 > 10  # of counts below and around each state, and of its votes


def test_the_size_of_the_set_does_not_depend_on_the_number_of_a_weight() -> None:
    generator = np.random.default_rng(1)
    rows = generator.integers(0, 2, (60, 6))
    data = data_set_of(list(rows.T), (rows[:, 0] ^ rows[:, 1] ^ (generator.random(60) < 0.2)).tolist(), [False] * 6)
    light, heavy = (
        RashomonSet.of(Instance(data, np.full(60, weight), max_depth=3, alpha=0.02), 0.1) for weight in (1.0, 1e12)
    )
    assert [size[2:] for size in light.sizes] == [size[2:] for size in heavy.sizes]


def test_weights_of_one_class_do_not_matter() -> None:
    data = data_set_of([[1, 0, 1, 0, 0, 1]], [0] * 6, [False])
    weights = np.array([2.1, 1e-6, 3, 1, 4, 4])
    for unit in (1e290, 1.0, 1e-300):
        assert RashomonSet.of(Instance(data, unit * weights, max_depth=2, alpha=1.0)).number == 1


def test_a_split_may_have_more_branches_than_python_has_levels() -> None:
    label = np.arange(2400) // 2
    rows = [[f"v{value}", f"w{value % 3}"] for value in label.tolist()]
    good = OCTClassifier(max_depth=2).rashomon_set(rows, label % 2)
    assert [len(tree.children(0)) for tree in good.trees()] == [1200, 3]
    assert all(tree in good for tree in good.trees())
    assert good.fairest(np.arange(2400) % 2, favourable=1).difference == 0


def test_weights_of_many_rows_are_not_rounded_more_than_objectives_tie() -> None:
    generator = np.random.default_rng(0)
    rows = generator.integers(0, 2, (20_000, 2))
    decisions = ((rows[:, 0] & rows[:, 1]) ^ (generator.random(20_000) < 0.2)).astype(int)
    weights = np.where(decisions == 1, 1 / 3, 1 / 7)
    good_trees = RashomonSet.of(
        Instance(data_set_of(list(rows.T), decisions.tolist(), [False] * 2), weights, alpha=0.01)
    )
    assert (good_trees.number, good_trees.sizes[0].objective) == (2, pytest.approx(good_trees.objective, rel=1e-10))


def test_a_leaf_that_errs_is_no_member_beside_a_row_of_any_weight() -> None:
    rows, classes, weights = [[0], [0], [1]], [0, 1, 1], [1e17, 1e-12, 0.2]
    good = OCTClassifier(max_depth=1).rashomon_set(rows, classes, weights, epsilon=0.0)
    assert [(size.splits, size.number) for size in good.sizes] == [(1, 1)]


@pytest.mark.parametrize("rows", [6, 10, 15, 22])
def test_classes_of_equal_weight_are_a_tie_however_their_sums_are_rounded(rows: int) -> None:
    values, classes = np.arange(rows + 7)[:, None] % 3, ["no"] * rows + ["yes"] * 7
    good = OCTClassifier(max_depth=1, class_weight="balanced").rashomon_set(values, classes, epsilon=1.0)
    trees = list(good.trees())
    chosen = np.array([tree.predict(values) for tree in trees])
    assert all(tree in good for tree in trees)
    assert good.votes()[:, 1] == pytest.approx(chosen.mean(axis=0))


def test_trees_of_equal_objectives_are_in_order_of_splits_however_they_are_rounded() -> None:
    rows, classes, weights = [[1, 1], [0, 0], [0, 1], [0, 1], [1, 0]], [0, 1, 0, 1, 0], [0.2, 0.7, 0.6, 0.7, 0.2]
    sizes = OCTClassifier(max_depth=2, alpha=0.1).rashomon_set(rows, classes, weights, epsilon=1.0).sizes
    assert [size.splits for size in sizes] == [1, 2, 2, 3, 0, 1, 2]


def test_a_size_is_listed_once_however_its_errors_are_rounded() -> None:
    rows, classes, weights = [[1, 1], [1, 2], [1, 0], [2, 0], [1, 0]], [0, 1, 1, 1, 0], [0.2, 0.3, 0.1, 0.2, 0.3]
    good = OCTClassifier(max_depth=2, alpha=0.1).rashomon_set(rows, classes, weights, epsilon=1.0)
    assert [(round(size.objective, 9), size.splits, size.number) for size in good.sizes] == [
        *[(0.4, 2, 2), (0.5, 3, 1), (0.7, 1, 1), (0.8, 2, 4), (0.9, 1, 1), (1, 0, 1), (1.1, 1, 1)]
    ]
    assert len({structure(tree, good.instance) for tree in good.trees()}) == good.number == 11


def test_without_attributes_the_leaf_is_the_only_tree() -> None:
    good_trees = RashomonSet.of(replace(XOR, data=data_set_of([], [0, 1, 1, 1], [])), 5.0)
    assert (good_trees.number, good_trees.objective, good_trees.uses()) == (1, 1.0, ())
    assert good_trees.votes().tolist() == [[0.0, 1.0]] * 4


def test_negative_zero_is_zero() -> None:
    numbers = Instance(data_set_of([[0.0, -0.0, 1.0, 1.0]], [0, 1, 0, 0], [True]), np.ones(4))
    assert RashomonSet.of(numbers, 5.0).number == sum(trees_by_size(numbers).values())


def test_an_index_without_a_tree_is_named() -> None:
    good_trees = RashomonSet.of(replace(XOR, alpha=0.01))
    for index in (-1, 2):
        with pytest.raises(
            IndexError, match=f"`index` is {index}: expected 0 or more, and less than the number of trees, 2"
        ):
            good_trees.tree(index)


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"limit is -1: expected a whole number of 0 or more"):
        RashomonSet.of(XOR).trees(-1)


@pytest.mark.parametrize("epsilon", [-0.1, math.nan, math.inf, "much", None, True])
def test_an_epsilon_that_cannot_be_is_refused(epsilon: Any) -> None:
    with pytest.raises(ParameterError, match=r"epsilon is .*: expected a finite number of 0 or more"):
        RashomonSet.of(XOR, epsilon)


@pytest.mark.parametrize(
    ("effort", "limit"),
    [
        (
            Effort(work=1000),
            r"the search reached its limit \(max_work\) before it proved a tree best: the least objective is between",
        ),
        (
            Effort(memory=2_000),
            "the tests of 4 attributes on 150 rows take more than .* 2,000 bytes: raise memory_limit",
        ),
    ],
)
def test_what_is_too_much_for_the_optimum_is_refused(effort: Effort, limit: str) -> None:
    with pytest.raises(EffortSpentError, match=limit):
        RashomonSet.of(iris(), 0.0, effort)


@pytest.mark.parametrize("missing", [False, True])
def test_the_tests_of_many_values_take_no_more_than_the_limit_of_memory(missing: bool) -> None:
    rows = 4000
    values = np.arange(rows, dtype=float)
    if missing:
        values[0] = np.nan
    data = data_set_of([values if missing else values.astype(int)], [0, 1] * (rows // 2), [missing])
    instance = Instance(data, np.ones(rows), max_depth=1, missing="best_side")
    tracemalloc.start()
    with pytest.raises(EffortSpentError, match="take more than the limit of 500,000 bytes"):
        bit_rows(instance, 500_000, lambda: None, 1.0, 2, subsets=False)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000  # the rows of each of the values, as bytes, take 16,000,000


@pytest.mark.parametrize(
    ("effort", "limit"),
    [
        (Effort(seconds=1e-9), r"its limit of 1e-09 seconds \(time_limit\), after it had found 0 nodes"),
        (Effort(work=60_000), r"its limit of 60,000 units of work \(max_work\), after it had found .* nodes"),
        (Effort(memory=4_000_000), r"its limit of 4,000,000 bytes \(memory_limit\), after it had found .* nodes"),
    ],
)
def test_what_is_too_much_to_count_is_refused(effort: Effort, limit: str) -> None:
    with pytest.raises(EffortSpentError, match=limit):
        RashomonSet.of(iris(), 2.0, effort)


def iris() -> Instance:
    values, decisions = load_iris(return_X_y=True)
    return Instance(data_set_of(list(values.T), decisions, [True] * 4), np.ones(150), max_depth=3)


def test_a_number_of_thousands_of_digits_is_written_and_drawn() -> None:
    pytest.importorskip("matplotlib").use("agg")
    good_trees = RashomonSet.of(XOR)
    vars(good_trees)["_sizes"] = [(0, good_trees.sizes[0]._replace(number=10**5000), 0)]
    for name in ("sizes", "number"):
        vars(good_trees).pop(name, None)
    assert repr(good_trees) == "<RashomonSet: about 1e5000 trees of objective 0>"
    with pytest.raises(IndexError, match="less than the number of trees, about 1e5000"):
        good_trees.tree(-1)
    assert good_trees.plot().get_legend().get_texts()[0].get_text() == "1e+5000"


def test_a_set_is_drawn_with_a_mark_for_each_size() -> None:
    pytest.importorskip("matplotlib").use("agg")
    good_trees = RashomonSet.of(replace(XOR, alpha=0.01), 0.99)
    axes = good_trees.plot()
    marks = axes.collections[0]
    assert np.asarray(marks.get_offsets()).tolist() == [[size.splits, size.objective] for size in good_trees.sizes]
    assert (
        np.diff(
            [area for _, area in sorted(zip([s.number for s in good_trees.sizes], marks.get_sizes(), strict=True))]
        ).min()
        >= 0
    )
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("splits", "objective")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["1", "4"]
