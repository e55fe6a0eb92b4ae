"""Trees by mixed-integer programmes: equal to brute force, limits kept, what Ctrl-C leaves, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.highs import solve as solve_by_highs
from algorithms.optimal.mio.mio_classifiers import OCTFlowClassifier, OCTMIOClassifier
from algorithms.optimal.mio.model import Model, ModelSizeError
from algorithms.optimal.mio.problem import SolverProblem
from algorithms.optimal.mio.solve import solve_mio
from algorithms.optimal.mio.solver import Limits, Report, SolverError, SolverOutcome
from algorithms.optimal.solution import Effort, Solution, Status
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import instances
from tests.algorithms.optimal.mio_instances import binary_rows, cut_short, iris, one_hot
from tests.algorithms.timed import timed
from tests.oracles.optimal_trees import best_objective

CLASSIFIERS = [OCTMIOClassifier, OCTFlowClassifier]
XOR = data_set_of([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0], [False, False])


@pytest.mark.parametrize("method", CLASSIFIERS)
@pytest.mark.parametrize("depth", [2, None])
def test_the_least_numbers_there_are(method: Any, depth: int | None) -> None:
    values, decisions = np.array([[0.0, 0], [0, 5e-324], [5e-324, 0], [5e-324, 5e-324]]), np.array([0, 1, 1, 0])
    model = method(max_depth=depth, alpha=5e-324).fit(values, decisions)
    assert model.predict(values).tolist() == decisions.tolist()


def check(instance: Instance, solution: Solution) -> None:
    """The solution is a proven one, is what it says it is on the rows, and is as good as brute force."""
    assert solution.status is Status.OPTIMAL
    assert solution.objective == pytest.approx(best_objective(one_hot(instance)), abs=1e-6)
    assert solution.bound == solution.objective
    data, tree = instance.data, solution.tree
    wrong = tree.predict(data.values()) != data.decisions
    assert solution.errors == pytest.approx(instance.weights[wrong].sum())
    costs = tree.costs_of_rows(data.values())
    assert (solution.splits, solution.leaves) == (costs.nonterminal_nodes, costs.terminal_nodes)
    assert instance.max_depth is None or costs.depth <= instance.max_depth
    assert instance.max_splits is None or solution.splits <= instance.max_splits
    ended = tree.weight_ending(data.values())
    assert ended[ended > 0].min() >= min(instance.min_samples_leaf, data.rows)


@pytest.mark.parametrize("kind", ["binary", "multiway", "numeric", "mixed"])
@pytest.mark.parametrize(("formulation", "rows"), [("oct", 6), ("flow", 10)])
def test_trees_are_as_good_as_by_brute_force(
    kind: str, formulation: Any, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved: list[SolverOutcome] = []

    def spied(*arguments: Any) -> SolverOutcome:
        solved.append(solve_by_highs(*arguments))
        return solved[-1]

    @given(instances(kind, max_rows=rows, max_attributes=3, max_depth=2), st.sampled_from(["search", "cart", "none"]))
    @settings(max_examples=24)
    def equal(instance: Instance, start: Any) -> None:
        assume(SolverProblem.of(instance).depth)
        check(instance, solve_mio(instance, formulation=formulation, start=start))

    monkeypatch.setattr("algorithms.optimal.mio.highs.solve", spied)
    equal()
    assert len(solved) >= 8  # of the others, rows force the errors of the tree that it would start from


@pytest.mark.parametrize("formulation", ["oct", "flow"])
def test_a_deeper_tree_where_splits_go_down_one_side(formulation: Any) -> None:
    instance = Instance(data_set_of([[0, 1, 2, 3, 4, 5]], [0, 1, 0, 1, 0, 1], [True]), np.ones(6), max_depth=3)
    check(
        replace(instance, max_splits=4),
        solve_mio(replace(instance, max_splits=4), formulation=formulation, start="cart"),
    )
    check(replace(instance, alpha=0.2), solve_mio(replace(instance, alpha=0.2), formulation=formulation, start="cart"))
    limitless = replace(instance, max_depth=None, max_splits=2)
    check(limitless, solve_mio(limitless, formulation=formulation, start="cart"))


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_estimators_take_the_options_of_all_oct_builders(classifier: Any) -> None:
    numbers = [[0, 5], [1, 5], [2, 7], [3, 7], [4, 9], [5, 9]]
    model = classifier(max_depth=1, class_weight={"b": 5.0}, start="cart").fit(numbers, list("aabbac"))
    assert model.solution_.optimal
    assert (model.solution_.errors, model.solution_.splits) == (2, 1)  # an a and the c, or both a's below 2
    assert model.predict([[0, 5], [9, 9]]).tolist() == ["a", "b"]
    model = classifier(min_samples_leaf=0.3, alpha=0.01, penalty="leaves", start="cart").fit(numbers, list("aabbac"))
    assert (model.solution_.leaves, model.solution_.objective) == (3, pytest.approx(1 / 3 + 0.03))
    assert model.solution_.optimal


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_a_leaf_needs_no_solver(classifier: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("algorithms.optimal.mio.highs.solve", pytest.fail)
    for options, numbers, classes in (
        ({"max_depth": 0}, [[0], [1]], "ab"),
        ({"max_splits": 0}, [[0], [1]], "ab"),
        ({"max_depth": 3}, [[0], [1]], "aa"),
        ({"min_samples_leaf": 2}, [[0], [1], [2]], "aab"),
        ({"alpha": 1.5}, [[0], [1]], "ab"),
        ({}, [[4], [4], [4]], "aab"),
    ):
        model = classifier(**options).fit(numbers, list(classes))
        assert (model.tree_.nodes, model.solution_.status) == (1, Status.OPTIMAL)
        assert model.solution_.bound == model.solution_.objective


@pytest.mark.parametrize("formulation", ["oct", "flow"])
def test_equal_rows_of_two_classes_force_errors(formulation: Any) -> None:
    data = data_set_of([[0, 0, 0, 1, 1], [0, 0, 0, 0, 1]], [0, 1, 1, 0, 1], [False, True])
    weights = np.array([3.0, 1, 1, 2, 4])
    solution = solve_mio(Instance(data, weights, max_depth=2), formulation=formulation, start="cart")
    assert (solution.errors, solution.forced, solution.bound) == (2, 2, solution.objective)
    assert solution.optimal


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_weights_beyond_a_solvers_tolerance_are_refused(classifier: Any) -> None:
    with pytest.raises(ValueError, match=r"the weights differ too much, from 0\.0001 to 1000: .* use OCTClassifier"):
        classifier(class_weight={"c0": 1000, "c1": 0.0001}).fit(XOR)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_errors_that_vanish_beside_the_greatest_weight_are_refused(classifier: Any) -> None:
    rows, classes, weights = [[0.0], [1.0], [2.0]], list("aba"), [1.0, 1e-200, 1e200]
    with pytest.raises(
        ValueError, match=r"from 1e-200 to 1e\+200: .* have a total weight of 1e-200, .* use OCTClassifier"
    ):
        classifier().fit(rows, classes, sample_weight=weights)
    leaf = classifier(max_depth=0).fit([[0.0]] * 3, classes, sample_weight=weights).solution_
    assert (leaf.forced, leaf.status) == (1e-200, Status.OPTIMAL)


def test_thresholds_are_some_or_all() -> None:
    numbers = np.arange(12.0)[:, None]
    classes = ["a"] + ["b"] * 11
    assert OCTFlowClassifier(max_depth=1, start="cart").fit(numbers, classes).solution_.errors == 0
    some = OCTFlowClassifier(max_depth=1, start="cart", thresholds=3).fit(numbers, classes)
    assert (some.solution_.errors, some.solution_.splits, some.solution_.forced) == (1, 0, 0)


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_missing_values_are_refused(classifier: Any) -> None:
    with pytest.raises(ValueError, match="has 1 missing value"):
        classifier().fit([[0.0], [np.nan]], ["a", "b"])


@pytest.mark.parametrize("formulation", ["oct", "flow"])
def test_models_that_are_too_large_are_refused(formulation: Any) -> None:
    with pytest.raises(ModelSizeError, match="at depth 119 would have about"):
        solve_mio(replace(iris(), max_depth=None), formulation=formulation)


def test_a_large_model_keeps_its_time_limit_too() -> None:
    generator = np.random.default_rng(0)
    rows, classes = generator.normal(size=(200, 6)), generator.integers(0, 3, 200)
    classifier = OCTFlowClassifier(max_depth=2, time_limit=1, start="cart")
    fitted, taken = timed(lambda: classifier.fit(rows, classes))
    assert fitted.solution_.status is Status.TIME_LIMIT
    assert taken < 10  # 38 s where HiGHS presolves it


@pytest.mark.parametrize("formulation", ["oct", "flow"])
def test_the_best_tree_is_the_incumbent_at_once(formulation: Any) -> None:
    solution, reports, _ = cut_short(iris(), formulation=formulation)
    assert solution.errors == 6
    assert reports[0].objective == solution.objective == 0.06


def test_ctrl_c_in_the_search_for_a_start_ends_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(instance: Instance, effort: Effort) -> Solution:
        return replace(solve(instance, effort), status=Status.INTERRUPTED)

    monkeypatch.setattr("algorithms.optimal.mio.solve.solve", interrupted)
    monkeypatch.setattr("algorithms.optimal.mio.highs.solve", pytest.fail)
    solution = solve_mio(iris())
    assert (solution.errors, solution.status, solution.bound) == (6, Status.INTERRUPTED, 0)


@pytest.mark.parametrize(
    ("objective", "bound", "status", "message"),
    [
        (3.0, 0.0, Status.TIME_LIMIT, "the solver's objective is 3, but its tree costs"),
        (50.0, 49.0, Status.OPTIMAL, "the solver's bound is 49, but the best known tree costs"),
        (50.0, 0.0, Status.OPTIMAL, "the solver reports an optimum, but its bound 0 is below"),
    ],
)
def test_a_solver_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, objective: float, bound: float, status: Status, message: str
) -> None:
    def lie(model: Model, start: Any, limits: Limits, report: Report) -> SolverOutcome:
        return SolverOutcome(start, objective, bound, status, 0)

    monkeypatch.setattr("algorithms.optimal.mio.highs.solve", lie)
    with pytest.raises(SolverError, match=message):
        solve_mio(binary_rows(rows=120), start="cart")


def test_a_solver_that_is_stopped_by_a_sufficient_report_is_not_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(model: Model, start: Any, limits: Limits, report: Report) -> SolverOutcome:
        cost = float(model.costs @ start)
        assert report(cost - 2e-6, cost - 3e-6)  # what a solver reports has its tolerance
        return SolverOutcome(start, cost - 2e-6, cost - 3e-6, Status.INTERRUPTED, 0)

    monkeypatch.setattr("algorithms.optimal.mio.highs.solve", stopped)
    instance = binary_rows(rows=120)
    odd = replace(instance, weights=instance.weights * np.where(instance.data.decisions == 0, 1, np.pi / 3))
    assert solve_mio(odd, start="cart").status is Status.OPTIMAL


@given(instances(max_rows=7, max_attributes=2, max_depth=2), st.sampled_from(["oct", "flow"]))
@settings(max_examples=40)
def test_weights_that_are_no_whole_numbers(instance: Instance, formulation: Any) -> None:
    odd = instance.weights * np.where(instance.data.decisions == 0, 1, np.pi / 3)
    solution = solve_mio(replace(instance, weights=odd), formulation=formulation, start="none")
    assert solution.status is Status.OPTIMAL
    assert solution.gap <= 1e-6
    assert solution.objective == pytest.approx(best_objective(one_hot(replace(instance, weights=odd))), abs=1e-6)
