"""Searches of some of the tests below one test at the root, against every tree there is."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from algorithms.optimal.branch_tests import HARDEST, SECOND, BranchTests, divided_tests, solve_branches
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.root_tests import RootTests, root_tests
from algorithms.optimal.solution import Effort
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import KINDS, instances, noise
from tests.algorithms.optimal.split_objectives import is_among, objectives
from tests.oracles.conditioned_trees import Split, all_rows, depth_of, number_of_trees

MOST_TREES = 1000
SAME = 1e-9
ANY = 1e9
"""No tree has this objective or more."""


def numbered(instance: Instance) -> int:
    """The number of tests at the root."""
    return sum(last - first + 1 for first, last in root_tests(instance, 1)[0].cuts.values())


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_the_best_tree_of_each_test_at_the_root_is_in_one_of_its_parts(kind: str, data: st.DataObject) -> None:
    instance = replace(data.draw(instances(kind, max_rows=7, max_depth=3)), max_splits=None)
    assume(instance.baseline and instance.most_levels > 1 and numbered(instance))
    assume(number_of_trees(instance, all_rows(instance), depth_of(instance), subsets=False) < MOST_TREES)
    trees = objectives(instance, subsets=False)
    least = min(objective for _, objective in trees)
    each = data.draw(st.integers(2, 3))
    divided = divided_tests(instance, 2 * each * numbered(instance) + 1)
    assert divided[-1] == RootTests({})
    by_root: dict[tuple[int, int], list[BranchTests]] = {}
    for tests in divided[:-1]:
        assert isinstance(tests, BranchTests)
        by_root.setdefault((tests.attribute, tests.cut), []).append(tests)
    leaf = min(objective for tree, objective in trees if not isinstance(tree, Split))
    for (attribute, cut), parts in by_root.items():
        assert [(tests.rank, tests.part) for tests in parts] == [(r, p) for r in (HARDEST, SECOND) for p in range(each)]
        at_root = RootTests({attribute: (cut, cut)})
        own = min((objective for tree, objective in trees if is_among(tree, at_root, instance)), default=inf)
        limits = [ANY, own * (1 + SAME) + SAME, own, least, data.draw(st.floats(0.01, 1.5))]
        below, effort = data.draw(st.sampled_from(limits)), Effort(work=data.draw(st.none() | st.integers(1, 100)))
        lows = [solve_branches(instance, tests, below=below, effort=effort).bound for tests in parts[:each]]
        assert min(lows) <= own + SAME
        bounds = []
        for tests in parts[each:]:
            best = solve_branches(instance, tests, below=ANY)
            solution = solve_branches(instance, tests, below=below, lows=lows, effort=effort)
            found = solution.tree.nodes > 1
            event(f"a tree: {found}, limited: {effort.work is not None}")
            bounds.append(min(solution.bound, solution.objective))
            if found:
                assert solution.objective == best.objective
                assert np.array_equal(solution.tree.attribute, best.tree.attribute)
                assert np.array_equal(solution.tree.counts, best.tree.counts)
            if effort.unlimited and best.tree.nodes > 1:
                assert found or best.objective >= below - SAME
        assert min(bounds) <= own + SAME
        if effort.unlimited:
            assert min(bounds) >= min(own, below, leaf) - SAME


def test_few_parts_are_those_of_the_tests_at_the_root() -> None:
    data = data_set_of([[0, 1, 0, 1], [0, 0, 1, 1]], [0, 1, 1, 1], [False, False], 2)
    instance = Instance(data, np.ones(4), max_depth=2)
    assert divided_tests(instance, 7) == root_tests(instance, 7)
    assert divided_tests(replace(instance, max_depth=1), 8) == root_tests(replace(instance, max_depth=1), 8)
    assert divided_tests(instance, 8)[0] == BranchTests(0, 0, HARDEST, 0, 2)


@pytest.mark.parametrize(("digits", "depth"), [(None, 5), (1, 3)])
def test_parts_of_second_branches_need_less_work_with_the_bounds_of_the_hardest(digits: int | None, depth: int) -> None:
    instance = noise(60, 8, digits, depth)
    whole = solve(instance)
    divided = [tests for tests in divided_tests(instance, 4 * numbered(instance)) if isinstance(tests, BranchTests)]
    below = whole.objective * (1 + SAME)
    lows: dict[tuple[int, int], list[float]] = {}
    alone, informed = 0, 0
    objectives = []
    for tests in divided:
        known = lows.setdefault((tests.attribute, tests.cut), [])
        solution = solve_branches(instance, tests, below=below)
        if tests.rank == HARDEST:
            known.append(solution.bound)
            continue
        alone += solution.work
        solution = solve_branches(instance, tests, below=below, lows=known)
        informed += solution.work
        objectives.append(solution.objective)
    assert min(objectives) == pytest.approx(whole.objective)
    assert informed < alone / 2
