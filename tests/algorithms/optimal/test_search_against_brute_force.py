"""The searches against every tree there is, and against the counts of optimal trees where there are too many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from algorithms.optimal.binary.row_bits import RowBits
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.solve_ranks import solve_mixed
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.solution import Effort, Status
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import KINDS, instances
from tests.algorithms.optimal.proofs import check_frontier, check_solution

OF_SUBSETS = ("multiway", "mixed")
"""Kinds of instances that have an attribute of more than two labels, which may be split into two sets."""

each_search = pytest.mark.parametrize(
    ("kind", "subsets"), [*((kind, False) for kind in KINDS), *((kind, True) for kind in OF_SUBSETS)]
)


@each_search
@given(st.data())
@settings(max_examples=150)
def test_no_tree_is_better(kind: str, subsets: bool, data: st.DataObject) -> None:
    instance = data.draw(instances(kind))
    check_solution(solve(instance, subsets=subsets), instance, subsets=subsets)


@each_search
@given(st.data())
@settings(max_examples=80)
def test_no_number_of_splits_has_fewer_errors(kind: str, subsets: bool, data: st.DataObject) -> None:
    instance = data.draw(instances(kind))
    limited = instance.max_depth is not None or instance.max_splits is not None
    assume(limited or RowBits.of(instance) is None)  # the search on bits has a frontier within limits alone
    solution = solve(instance, subsets=subsets, frontier=True)
    check_solution(solution, instance, subsets=subsets)
    check_frontier(solution, instance, subsets=subsets)


@given(instances("binary"), st.booleans())
@settings(max_examples=100)
def test_the_search_for_any_attributes_is_right_of_binary_ones(instance: Instance, subsets: bool) -> None:
    check_solution(solve_mixed(instance, Effort(), subsets=subsets), instance, subsets=subsets)


def optimum(instance: Instance, *, subsets: bool = False) -> float:
    """The least objective of the trees that a search of its own counts."""
    return RashomonSet.of(instance, subsets=subsets).sizes[0].objective


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
@settings(max_examples=40)
def test_larger_instances_have_the_objective_of_the_trees_counted(kind: str, data: st.DataObject) -> None:
    instance = data.draw(instances(kind, max_rows=80, max_attributes=5, max_depth=3))
    for subsets in (False, True):
        solution = solve(instance, subsets=subsets)
        check_solution(solution, instance, subsets=subsets, proven=False)
        assert solution.status is Status.OPTIMAL
        assert solution.objective == pytest.approx(optimum(instance, subsets=subsets))


@given(instances(max_rows=40, max_attributes=4), st.sampled_from([1, 10, 100, 1000]))
@settings(max_examples=100)
def test_a_search_cut_short_has_a_tree_and_a_bound(instance: Instance, work: int) -> None:
    instance = replace(instance, max_depth=3 if instance.max_depth is None else instance.max_depth)
    solution = solve(instance, Effort(work=work))
    check_solution(solution, instance, proven=False)
    best = optimum(instance)
    assert solution.bound <= best + 1e-9
    assert solution.objective >= best - 1e-9
    assert solution.objective <= instance.objective(instance.baseline, 0, 1) + 1e-9
    assert solution.status in {Status.OPTIMAL, Status.WORK_LIMIT}
    assert solution.optimal == (solution.status is Status.OPTIMAL)


@given(instances(max_rows=30, max_attributes=4, max_depth=3), st.integers(0, 2**32))
@settings(max_examples=60)
def test_the_order_of_rows_and_the_unit_of_weights_change_nothing(instance: Instance, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(instance.data.rows)
    mixed_up = replace(instance, data=instance.data.take(order), weights=instance.weights[order] * 1024)
    solution, mixed_solution = solve(instance), solve(mixed_up)
    assert solution.objective == pytest.approx(mixed_solution.objective)
    assert (solution.splits, solution.leaves) == (mixed_solution.splits, mixed_solution.leaves)
    for name in ("kind", "attribute", "edges", "edge_code", "edge_bound", "edge_to"):
        assert getattr(solution.tree, name).tolist() == getattr(mixed_solution.tree, name).tolist(), name


def test_a_light_row_is_a_row() -> None:
    """Its weight is less than the number of rows a leaf must have, which is one."""
    data = data_set_of([[0, 0, 0, 0, 1], [0, 1, 0, 1, 0]], [0, 0, 0, 0, 1], [False, False])
    instance = Instance(data, np.array([1, 1, 1, 1, 0.5]), max_depth=2, alpha=0.1)
    check_solution(solve(instance), instance)
    check_frontier(solve(instance, frontier=True), instance)
