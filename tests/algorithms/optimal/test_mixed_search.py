"""The search over mixed attributes against trying every tree, on small instances of every kind, and what it promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.data_set import DataSetError
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed_search import solve_mixed
from algorithms.optimal.solution import Effort, Solution, Status
from algorithms.tree import NodeKind
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import KINDS, instances
from tests.oracles.optimal_trees import best_objective, fewest_errors


def check(instance: Instance, solution: Solution) -> None:
    """The tree is allowed, and what is told of it is true."""
    values, tree = instance.data.values(), solution.tree
    wrong = tree.predict(values) != instance.data.decisions
    assert solution.errors == pytest.approx(instance.weights[wrong].sum())
    nonterminal = int((tree.kind != NodeKind.TERMINAL).sum())
    assert (solution.splits, solution.leaves) == (nonterminal, tree.nodes - nonterminal)
    assert solution.objective == pytest.approx(instance.objective(solution.errors, solution.splits, solution.leaves))
    assert solution.bound <= solution.objective
    assert instance.max_splits is None or solution.splits <= instance.max_splits
    assert instance.max_depth is None or tree.depths().max() <= instance.max_depth
    assert np.bincount(tree.last_nodes(values))[tree.kind == NodeKind.TERMINAL].min() >= instance.min_rows_leaf


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
@settings(max_examples=150, deadline=None)
def test_trees_are_as_good_as_the_best_of_all(kind: str, data: Any) -> None:
    instance, subsets = data.draw(instances(kind)), data.draw(st.booleans())
    solution = solve_mixed(instance, Effort(), subsets=subsets)
    check(instance, solution)
    assert solution.status is Status.OPTIMAL
    assert solution.bound == solution.objective == pytest.approx(best_objective(instance, subsets=subsets))


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
@settings(max_examples=100, deadline=None)
def test_the_frontier_has_the_fewest_errors_for_every_number_of_splits(kind: str, data: Any) -> None:
    instance, subsets = data.draw(instances(kind)), data.draw(st.booleans())
    solution = solve_mixed(instance, Effort(), subsets=subsets, frontier=True)
    check(instance, solution)
    assert solution.objective == pytest.approx(best_objective(instance, subsets=subsets))
    expected: list[tuple[int, float]] = []
    for splits, errors in fewest_errors(instance, subsets=subsets).items():
        if not expected or errors < expected[-1][1] - 1e-9:
            expected.append((splits, errors))
    assert [point.splits for point in solution.frontier] == [splits for splits, _ in expected]
    assert [point.errors for point in solution.frontier] == pytest.approx([errors for _, errors in expected])
    for point in solution.frontier:
        assert point.optimal
        wrong = point.tree.predict(instance.data.values()) != instance.data.decisions
        assert point.errors == pytest.approx(instance.weights[wrong].sum())
