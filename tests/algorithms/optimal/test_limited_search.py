"""Searches that a limit ends: the better of their tree and LicketySPLIT's; and weights far from each other."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.lookahead import limited_search
from algorithms.optimal.lookahead.limited_search import solve_within_limits
from algorithms.optimal.solution import Effort, Status, measures
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import instances


def noise(**limits: Any) -> Instance:
    """A table that the search does not finish within 10**7 units of work."""
    generator = np.random.default_rng(0)
    columns = [generator.normal(size=900).tolist() for _ in range(6)]
    data = data_set_of(columns, generator.integers(0, 3, 900).tolist(), [True] * 6)
    return Instance(data, np.ones(900), max_depth=5, **limits)


@given(instances(), st.integers(1, 40))
def test_a_tree_and_a_bound_within_limits(instance: Instance, work: int) -> None:
    best = solve(instance)
    solution = solve_within_limits(instance, Effort(work=work))
    assert solution.bound <= best.objective * (1 + 1e-9)
    assert solution.objective >= best.objective * (1 - 1e-9)
    assert solution.optimal == (solution.bound >= solution.objective * (1 - 1e-9))
    assert measures(solution.tree)[1:] == (solution.splits, solution.leaves)
    assert instance.max_splits is None or solution.splits <= instance.max_splits


def test_lickety_split_is_better_than_a_search_cut_short() -> None:
    exact, limited = solve(noise(), Effort(work=10**7)), solve_within_limits(noise(), Effort(work=10**7))
    assert exact.status is limited.status is Status.WORK_LIMIT
    assert limited.errors < exact.errors
    assert limited.bound <= limited.objective
    assert limited.work < 2 * 10**7


def test_the_tree_has_no_more_splits_than_allowed() -> None:
    assert solve_within_limits(noise(max_splits=9), Effort(work=10**7)).splits <= 9


def test_no_time_is_left_to_lickety_split_if_it_has_many_classes_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    efforts: list[Effort] = []

    def solved(_: Instance, effort: Effort, **__: Any) -> Any:
        efforts.append(effort)
        return SimpleNamespace(status=Status.OPTIMAL)

    monkeypatch.setattr(limited_search, "solve", solved)
    few = noise()
    for classes in (few.data.classes, tuple(map(str, range(1000)))):
        solve_within_limits(replace(few, data=replace(few.data, classes=classes)), Effort(seconds=0.1))
    assert (efforts[0].seconds or 0.0) < 0.1 == efforts[1].seconds


def test_ctrl_c_after_the_search_keeps_its_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(limited_search, "licketysplit", interrupted)
    solution = solve_within_limits(noise(), Effort(work=10**7))
    assert solution.status is Status.INTERRUPTED
    assert measures(solution.tree)[0] == solution.errors


@given(instances(), st.sampled_from([1e9, 1e12, 1e100]), st.sampled_from([1e-9, 1.0]))
def test_a_row_of_any_weight_leaves_the_proof_true(instance: Instance, heavy: float, unit: float) -> None:
    """With one row that outweighs all others the best tree is the same, whatever that row weighs."""
    weights = instance.weights / instance.weights.sum() * unit
    weights[0] = 3 * unit
    alike = solve(replace(instance, weights=weights.copy()))
    weights[0] = heavy * unit
    solution = solve(replace(instance, weights=weights))
    assert (solution.optimal, solution.errors) == (True, pytest.approx(alike.errors, rel=1e-6))
    assert solution.tree.counts[0].sum() == pytest.approx(weights.sum())
