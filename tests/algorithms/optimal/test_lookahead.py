"""LicketySPLIT and SPLIT against their definitions, tried split by split, and against what must hold of any tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.lookahead import completed_rows, completions
from algorithms.optimal.lookahead.lookahead_trees import licketysplit, split
from algorithms.optimal.lookahead.split_classifiers import LicketySPLITClassifier, SPLITClassifier
from algorithms.optimal.solution import Effort, Solution, Status
from algorithms.trees.text import export_text
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import KINDS, instances
from tests.algorithms.optimal.proofs import check_solution
from tests.oracles.lookahead_trees import Lookahead

EXACT = [0.0, 0.0, 1 / 64, 1 / 32, 1 / 16, 1 / 4]
"""Values of alpha that floats multiply without rounding, so that no tie is made or broken."""


def questions(kind: str, max_rows: int) -> st.SearchStrategy[Instance]:
    """Instances of up to four levels, without a limit of splits."""
    drawn = instances(kind, max_rows=max_rows, max_attributes=4, max_depth=4)
    return st.builds(
        lambda instance, alpha: replace(instance, max_splits=None, alpha=alpha), drawn, st.sampled_from(EXACT)
    )


def check(solution: Solution, instance: Instance, objective: float) -> None:
    """It has this objective, its tree is one of those allowed, and its bound is one."""
    assert solution.objective == pytest.approx(objective, abs=1e-9)
    check_solution(solution, instance, proven=False)
    best = solve(instance).objective
    assert solution.bound <= best + 1e-9 <= solution.objective + 2e-9
    assert not solution.optimal or solution.objective == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
@settings(max_examples=60)
def test_licketysplit_is_what_its_definition_says(kind: str, data: st.DataObject) -> None:
    instance = data.draw(questions(kind, 25))
    trees = Lookahead(instance)
    solution = licketysplit(instance, Effort(), None)
    check(solution, instance, trees.objective(trees.node_by_node(trees.rows, trees.depth)))
    assert solution.objective <= trees.objective(trees.greedy(trees.rows, trees.depth)) + 1e-9
    assert solution.optimal or solution.status is Status.HEURISTIC


@pytest.mark.parametrize("kind", KINDS)
@given(st.data(), st.integers(1, 3))
@settings(max_examples=30)
def test_split_is_what_its_definition_says(kind: str, data: st.DataObject, levels: int) -> None:
    instance = data.draw(questions(kind, 14))
    trees = Lookahead(instance)
    result = split(instance, levels, Effort(), None)
    check(result, instance, trees.objective(trees.split(trees.rows, trees.depth, levels)))
    assert result.objective <= trees.objective(trees.greedy(trees.rows, trees.depth)) + 1e-9
    if levels == 1:
        assert result.objective <= trees.objective(trees.node_by_node(trees.rows, trees.depth)) + 1e-9
    assert result.optimal or levels < trees.depth


@given(questions("mixed", 20), st.integers(1, 3), st.integers(1, 4))
@settings(max_examples=30)
def test_of_few_thresholds_the_tree_is_between_the_greedy_and_the_best(
    instance: Instance, thresholds: int, levels: int
) -> None:
    trees = Lookahead(instance)
    for solution in (licketysplit(instance, Effort(), thresholds), split(instance, levels, Effort(), thresholds)):
        check(solution, instance, solution.objective)
        assert solution.objective <= trees.objective(trees.greedy(trees.rows, trees.depth)) + 1e-9
    assert licketysplit(instance, Effort(), 40).objective == licketysplit(instance, Effort(), None).objective


@given(questions("mixed", 20), st.sampled_from([1, 100, 1000, 10_000]), st.integers(1, 2))
@settings(max_examples=30)
def test_a_limit_leaves_a_tree_no_worse_than_the_greedy_one(instance: Instance, work: int, levels: int) -> None:
    trees = Lookahead(instance)
    exact = levels >= trees.depth
    for solution in (licketysplit(instance, Effort(work=work), None), split(instance, levels, Effort(work=work), None)):
        check(solution, instance, solution.objective)
        assert solution.status in {Status.OPTIMAL, Status.HEURISTIC, Status.WORK_LIMIT}
        assert exact or solution.objective <= trees.objective(trees.greedy(trees.rows, trees.depth)) + 1e-9


@pytest.fixture(scope="module")
def crossed() -> tuple[np.ndarray, np.ndarray]:
    """Rows whose class is the parity of two thresholds, between numbers that say nothing."""
    generator = np.random.default_rng(0)
    X = generator.random((150, 6))
    return X, (X[:, 4] > 0.3) ^ (X[:, 1] > 0.6)


def test_one_level_ahead_finds_a_parity_that_greedy_trees_miss(crossed: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = crossed
    solution = LicketySPLITClassifier(max_depth=2).fit(X, y).solution_
    assert (solution.errors, solution.splits, solution.optimal) == (0, 3, True)
    data = LicketySPLITClassifier(max_depth=2)._instance(*LicketySPLITClassifier()._rows_to_learn(X, y, None))
    assert Lookahead(data).greedy(tuple(range(150)), 2) > 0


def test_a_limit_of_time_ends_the_search_with_a_tree(crossed: tuple[np.ndarray, np.ndarray]) -> None:
    X, _ = crossed
    y = np.random.default_rng(1).integers(0, 3, len(X))
    for kind in (LicketySPLITClassifier, SPLITClassifier):
        solution = kind(max_depth=6, time_limit=1e-9).fit(X, y).solution_
        assert solution.status is Status.TIME_LIMIT
        assert 0 < solution.errors < 2 * len(X) / 3


def test_as_many_levels_ahead_as_the_tree_has_are_the_exact_search(crossed: tuple[np.ndarray, np.ndarray]) -> None:
    X, _ = crossed
    y = np.random.default_rng(2).integers(0, 2, len(X))
    model = SPLITClassifier(max_depth=2, lookahead_depth=2, alpha=0.01).fit(X, y)
    best = solve(model._instance(*model._rows_to_learn(X, y, None)))
    assert model.solution_.optimal
    assert model.solution_.objective == best.objective
    assert model.export_text() == export_text(best.tree, model.labels_)


def test_a_long_chain_of_labels_needs_no_recursion() -> None:
    """A tree without a limit of depth over 1500 alternating classes."""
    X = np.arange(1500.0)[:, None] ** 1.5
    solution = LicketySPLITClassifier(max_depth=None, max_thresholds=3).fit(X, np.arange(1500) % 2).solution_
    assert (solution.errors, solution.splits) == (0, 1499)


def test_the_clock_is_read_more_often_if_there_are_more_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    units: list[int] = []

    def search_splits(*arguments: Any) -> bool:
        units.append(arguments[-1] - int(arguments[1].state[completions.WORK]))
        return completions.search_splits(*arguments)

    monkeypatch.setattr(completed_rows, "search_splits", search_splits)
    for classes in (2, 1000):
        units.clear()
        LicketySPLITClassifier(max_depth=2).fit(np.arange(1000)[:, None], np.arange(1000) % classes)
        assert set(units) == {8_000_000 // classes}


@pytest.mark.parametrize("kind", [LicketySPLITClassifier, SPLITClassifier])
def test_equal_rows_are_a_leaf(kind: type[LicketySPLITClassifier]) -> None:
    for y in ([0, 0, 1], [1, 1, 1]):
        solution = kind(max_depth=4).fit([[1, 2], [1, 2], [1, 2]], y).solution_
        assert (solution.splits, solution.errors, solution.status) == (0, sum(y) % 3, Status.OPTIMAL)


@pytest.mark.parametrize("kind", [LicketySPLITClassifier, SPLITClassifier])
def test_a_statement_that_is_no_query_is_refused(kind: type[LicketySPLITClassifier]) -> None:
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 0]
    for name, value in (("max_depth", -1), ("alpha", -0.1), ("max_thresholds", 0), ("time_limit", 0), ("max_work", 0)):
        with pytest.raises(ValueError, match=name):
            kind(**{name: value}).fit(X, y)
    with pytest.raises(TypeError, match="max_splits"):
        kind(max_splits=2)
    with pytest.raises(ValueError, match="lookahead_depth"):
        SPLITClassifier(lookahead_depth=0).fit(X, y)
    with pytest.raises(ValueError, match="min_samples_leaf is 4"):
        kind(min_samples_leaf=4).fit(X, y)
    with pytest.raises(ValueError, match="missing values"):
        kind().fit(data_set_of([[0.0, np.nan, 1.0]], [0, 1, 0], numeric=[True]))
