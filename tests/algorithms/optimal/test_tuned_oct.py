"""OCT tuned by its frontier: the intervals of alpha against a plain argmin, and what is chosen and proven."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import DataSet
from algorithms.optimal import tuned_oct as module
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.plan import ByBounds, ByCodes, Leaf, Plan, tree_of_plan
from algorithms.optimal.solution import Effort, FrontierPoint, Solution, Status
from algorithms.optimal.tuned_oct import (
    TunedOCTClassifier,
    best_intervals,
    joined,
    objective_bound,
    trimmed_cart,
    tuned_oct,
)
from tests.algorithms.data_sets import data_set_of


@st.composite
def points(draw: Any) -> tuple[list[tuple[int, float]], float]:
    """Points with different numbers of splits, one of them without any, of no more errors than it."""
    baseline = draw(st.integers(1, 30))
    splits = draw(st.lists(st.integers(1, 15), max_size=8, unique=True))
    errors = [float(draw(st.integers(0, baseline))) for _ in splits]
    return draw(st.permutations([(0, float(baseline)), *zip(splits, errors, strict=True)])), float(baseline)


@given(points(), st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_each_interval_is_where_its_point_is_best(
    result: tuple[list[tuple[int, float]], float], alphas: list[float]
) -> None:
    given_points, baseline = result
    intervals = best_intervals(given_points, baseline)
    assert (intervals[0].low, intervals[-1].high) == (0, 1)
    assert all(each.high == other.low for each, other in pairwise(intervals))
    assert all(interval.low < interval.high for interval in intervals[:-1])
    assert given_points[intervals[-1].point][0] == 0
    for alpha in [*alphas, *((interval.low + interval.high) / 2 for interval in intervals)]:
        costs = [errors / baseline + alpha * splits for splits, errors in given_points]
        (chosen, *_) = [interval.point for interval in intervals if interval.low <= alpha <= interval.high]
        assert costs[chosen] == pytest.approx(min(costs), abs=1e-12)
    corners = [given_points[interval.point] for interval in intervals]
    assert corners == sorted(corners, reverse=True)
    saved = [(few[1] - many[1]) / (many[0] - few[0]) for many, few in pairwise(corners)]
    assert saved == sorted(set(saved))  # the more splits, the less each saves: no corner lies on a line of others


def test_a_point_is_no_corner_by_rounding() -> None:
    result = best_intervals([(0, 0.8), (1, 0.7), (2, 0.6)], 0.8)  # 0.8 - 0.7 > 0.7 - 0.6 by rounding
    assert [each.point for each in result] == [2, 0]


def test_without_errors_there_is_one_interval() -> None:
    assert best_intervals([(0, 0.0)], 0.0) == ((0, 0.0, 1.0),)
    perfect = best_intervals([(0, 7.0), (1, 0.0)], 7.0)
    assert [(each.point, each.low, each.high) for each in perfect] == [(1, 0.0, 1.0), (0, 1.0, 1.0)]


def plans(data: DataSet, depth: int) -> list[Plan]:
    """All trees of binary tests up to a depth; nominal attributes have two labels."""
    result: list[Plan] = [Leaf()]
    if depth:
        below = plans(data, depth - 1)
        for index, column in enumerate(data.columns):
            if column.dtype.kind == "f":
                values = np.unique(column)
                tests = [((lower + upper) / 2,) for lower, upper in pairwise(values.tolist())]
                result += [ByBounds(index, test, (a, b)) for test in tests for a in below for b in below]
            else:
                result += [ByCodes(index, ((0,), (1,)), (a, b)) for a in below for b in below]
    return result


def solve_by_force(instance: Instance, effort: Effort | None = None, *, frontier: bool = False, **_: Any) -> Solution:
    """Every tree there is, the first of the best by splits."""
    best: dict[int, tuple[float, Any]] = {}
    for plan in plans(instance.data, instance.max_depth or 0):
        tree = tree_of_plan(plan, instance.data, instance.weights)
        leaves = tree.last_nodes(instance.data.values())
        ends = np.bincount(leaves, minlength=tree.nodes)[tree.kind == 0]
        if ends.min() < instance.min_samples_leaf:
            continue
        wrong = float(instance.weights[tree.decision[leaves] != instance.data.decisions].sum())
        splits = int((tree.kind != 0).sum())
        if splits not in best or wrong < best[splits][0]:
            best[splits] = wrong, tree
    steps: list[FrontierPoint] = []
    for splits in sorted(best):
        wrong, tree = best[splits]
        if not steps or wrong < steps[-1].errors:
            steps.append(FrontierPoint(splits, wrong, wrong, tree))
    chosen = min(steps, key=lambda step: instance.objective(step.errors, step.splits, step.splits + 1))
    objective = instance.objective(chosen.errors, chosen.splits, chosen.splits + 1)
    return Solution(
        *(chosen.tree, chosen.errors, chosen.splits, chosen.splits + 1, objective, objective, Status.OPTIMAL),
        frontier=tuple(steps) if frontier else (),
    )


@pytest.fixture
def by_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "solve", solve_by_force)


def drawn(rows: int, seed: int) -> DataSet:
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, 2, (2, rows))
    numbers = generator.integers(0, 4, rows).astype(float)
    decisions = ((codes[0] & codes[1]) + (numbers > 1) + (generator.random(rows) < 0.2)) % 3
    return data_set_of([*codes.tolist(), numbers.tolist()], decisions.tolist(), [False, False, True], 3)


@pytest.mark.usefixtures("by_force")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("least", [1, 4])
def test_the_choice_is_that_of_a_plain_loop_over_alphas(seed: int, least: int) -> None:
    train, validation = drawn(40, seed), drawn(30, seed + 100)
    instance = Instance(train, np.ones(40), max_depth=2, min_samples_leaf=least)
    choice, solution = tuned_oct(instance, validation, np.ones(30), Effort())
    assert solution.optimal
    trees = solve_by_force(instance, frontier=True).frontier  # one for each number of splits that helps

    def best_at(alpha: float) -> FrontierPoint:
        at = replace(instance, alpha=alpha)
        return min(trees, key=lambda step: at.objective(step.errors, step.splits, step.splits + 1))

    again = best_at(choice.alpha)
    assert (again.splits, again.errors) == (solution.splits, solution.errors)
    assert solution.objective == pytest.approx(again.errors / instance.baseline + choice.alpha * again.splits)
    best = (0.0, 0)
    for alpha in np.linspace(0.0005, 1.2, 400):
        tree = best_at(float(alpha)).tree
        score = float((tree.predict(validation.values()) == validation.decisions).mean())
        best = max(best, (score, -int((tree.kind != 0).sum())))
    assert best == pytest.approx((choice.validation_accuracy, -solution.splits))


def point(splits: int, errors: float, bound: float) -> FrontierPoint:
    data = data_set_of([[0.0]], [0], [True])
    return FrontierPoint(splits, errors, bound, tree_of_plan(Leaf(), data, np.ones(1)))


def test_the_bound_counts_the_fewest_splits_that_each_bound_is_for() -> None:
    """8 errors without a split; by proof 4 with 1 or 2 splits, 3 with 3, and 1 whatever the splits."""
    frontier = (point(0, 8, 8), point(2, 5, 4), point(3, 3, 3))
    assert objective_bound(frontier, 1, 0.1, 8) == pytest.approx(min(1, 4 / 8 + 0.1, 3 / 8 + 0.3, 1 / 8 + 0.4))
    assert objective_bound(frontier, 1, 0.0, 8) == 1 / 8
    assert objective_bound(frontier, 1, 1.0, 8) == 1


def solve_with_a_limit(instance: Instance, effort: Effort, *, frontier: bool) -> Solution:
    """Every tree there is, but that trees of two splits or more are best is not proven."""
    solution = solve_by_force(instance, frontier=frontier)
    loose = tuple(replace(each, bound=each.bound if each.splits < 2 else 0.0) for each in solution.frontier)
    return replace(solution, bound=0.0, status=Status.WORK_LIMIT, frontier=loose)


def test_the_bound_after_a_limit_is_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "solve", solve_with_a_limit)
    train, validation = drawn(60, 1), drawn(60, 2)
    choice, solution = tuned_oct(Instance(train, np.ones(60), max_depth=2), validation, np.ones(60), Effort(work=1))
    exact = solve_by_force(Instance(train, np.ones(60), max_depth=2, alpha=choice.alpha))
    assert solution.bound <= exact.objective + 1e-12
    assert solution.optimal == (solution.bound >= solution.objective)
    assert solution.status in (Status.OPTIMAL, Status.WORK_LIMIT)
    assert not solution.exhausted


def test_a_tree_may_be_proven_best_before_all_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Validation rows of the most common class alone choose a leaf, at a price that no two splits are worth."""
    monkeypatch.setattr(module, "solve", solve_with_a_limit)
    train = drawn(60, 1)
    alike = train.take(train.decisions == np.bincount(train.decisions).argmax())
    _, solution = tuned_oct(Instance(train, np.ones(60), max_depth=2), alike, np.ones(alike.rows), Effort(work=1))
    assert (solution.splits, solution.optimal, solution.exhausted) == (0, True, False)


def test_numbers_of_splits_between_those_of_optimal_trees_may_be_open() -> None:
    """A search that meets its limit at once has found one error with two splits, and none has fewer; nor has one split.

    The price of a split at which two are better than none is one at which one is better still.
    """
    data = data_set_of([[0.0, 0.0, 0.0, 1.0, 2.0]], [0, 0, 1, 0, 1], [True])
    instance = Instance(data, np.ones(5), max_depth=2)
    result = solve(instance, Effort(work=1), frontier=True)
    assert [(each.splits, each.errors, each.optimal) for each in result.frontier] == [(0, 2.0, True), (2, 1.0, True)]
    assert result.optimal
    assert not result.exhausted
    choice, solution = tuned_oct(instance, data, np.ones(5), Effort(work=1))
    least = solve(replace(instance, alpha=choice.alpha))
    assert least.exhausted
    assert solution.bound <= least.objective < solution.objective
    assert not solution.optimal


@pytest.mark.usefixtures("by_force")
def test_the_estimator_draws_its_validation_rows_and_may_learn_again_from_all() -> None:
    data = drawn(90, 3)
    once = TunedOCTClassifier(max_depth=2, min_samples_leaf=0.1, refit=False, random_state=4).fit(data)
    assert once.solution_.tree is once.tree_ is once.tuned_.chosen.tree
    assert once.tree_.counts[0].sum() == 60
    again = TunedOCTClassifier(max_depth=2, min_samples_leaf=0.1, random_state=4).fit(data)
    assert again.tuned_.alpha == once.tuned_.alpha
    by_hand = Instance(data, np.ones(90), max_depth=2, min_samples_leaf=9, alpha=again.tuned_.alpha)
    assert again.solution_.objective == solve_by_force(by_hand).objective
    assert again.tree_.counts[0].sum() == 90


@pytest.mark.usefixtures("by_force")
def test_one_class_is_one_leaf() -> None:
    data = data_set_of([[1.0, 2.0, 3.0, 4.0]], [0, 0, 0, 0], [True])
    fitted = TunedOCTClassifier(max_depth=2).fit(data)
    assert (fitted.tree_.nodes, fitted.solution_.objective, fitted.solution_.optimal) == (1, 0, True)


def test_trimmed_carts_are_allowed_trees_from_the_whole_to_one_leaf() -> None:
    train = drawn(80, 5)
    result = trimmed_cart(Instance(train, np.ones(80), max_depth=3, min_samples_leaf=7))
    assert len(result) > 2
    assert result[-1].nodes == 1
    for tree in result:
        ends = np.bincount(tree.last_nodes(train.values()), minlength=tree.nodes)[tree.kind == 0]
        assert ends.min() >= 7
        assert tree.costs_of_rows(train.values()).depth <= 3
    three_labels = data_set_of([[0, 1, 2, 2]], [0, 1, 0, 0], [False])
    assert trimmed_cart(Instance(three_labels, np.ones(4), max_depth=3)) == []
    too_great = data_set_of([[0, 1, 2, 1e39]], [0, 1, 0, 0], [True])
    assert trimmed_cart(Instance(too_great, np.ones(4), max_depth=3)) == []


def test_a_frontier_is_joined_by_trees_that_err_less_and_keeps_its_bounds() -> None:
    """Of 8 rows CART has a tree with 1, 2 and 3 splits; of the search's own, that with 3 splits alone is better."""
    data = data_set_of([[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]], [0, 0, 0, 1, 1, 0, 1, 1], [True])
    weights = np.ones(8)

    def tree(*bounds: float) -> Any:
        plan: Plan = Leaf()
        for bound in reversed(bounds):
            plan = ByBounds(0, (bound,), (Leaf(), plan))
        return tree_of_plan(plan, data, weights)

    own = (FrontierPoint(0, 4.0, 4.0, tree()), FrontierPoint(3, 0.0, 0.0, tree(2.5, 4.5, 5.5)))
    result = joined(own, 0.0, [tree(2.5, 4.5, 5.5), tree(2.5), tree(2.5, 3.5), tree()])
    assert [(each.splits, each.errors, each.bound) for each in result] == [(0, 4, 4), (1, 1, 0), (3, 0, 0)]
    assert result[0] is own[0]
    assert result[2] is own[1]
    beyond = joined(own[:1], 0.0, [tree(2.5)])
    assert [(each.splits, each.errors, each.bound, each.optimal) for each in beyond] == [
        (0, 4, 4, True),
        (1, 1, 0, False),
    ]
