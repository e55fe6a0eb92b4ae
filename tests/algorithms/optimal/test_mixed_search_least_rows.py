"""The search over mixed attributes where leaves have a least size, and where it is long enough to rise in steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed import solve_ranks as search
from algorithms.optimal.mixed.rank_search import RankSearch
from algorithms.optimal.mixed.ranked_rows import RankedRows
from algorithms.optimal.mixed.solve_ranks import solve_mixed
from algorithms.optimal.never import NEVER
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.solution import Effort, Status
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import random_instance
from tests.algorithms.optimal.proofs import check_frontier, check_long_frontier, check_solution


@st.composite
def with_large_leaves(draw: st.DrawFn, max_rows: int, deepest: int, share: float = 0.4) -> Instance:
    """Instances of numbers at least in part, whose leaves have from 2 rows to a share of them."""
    seed, kind = draw(st.integers(0, 2**63)), draw(st.sampled_from(["numeric", "mixed"]))
    generator = np.random.default_rng(seed)
    instance = random_instance(generator, kind, max_rows, 4, deepest)
    least = min(instance.data.rows, int(generator.integers(2, max(3, int(share * max_rows)) + 1)))
    if generator.random() < 0.5:  # numbers that differ in all rows, with many cuts
        columns = [generator.permutation(instance.data.rows) * 0.5 for _ in range(2)]
        latent = (columns[0] // 3 + columns[1] // 4) % len(instance.data.classes)
        noise = generator.integers(0, len(instance.data.classes), instance.data.rows)
        decisions = np.where(generator.random(instance.data.rows) < 0.8, latent, noise).astype(int)
        classes = len(instance.data.classes)
        data = data_set_of([column.tolist() for column in columns], decisions.tolist(), [True, True], classes)
        instance = replace(instance, data=data)
    return replace(instance, min_samples_leaf=least)


def optimum(instance: Instance) -> float:
    """The least objective of all trees, by counting the best in a search of its own."""
    return RashomonSet.of(instance).sizes[0].objective


@given(with_large_leaves(max_rows=12, deepest=3), st.booleans())
@settings(max_examples=150, deadline=None)
def test_no_tree_with_large_leaves_is_better(instance: Instance, subsets: bool) -> None:
    check_solution(solve_mixed(instance, Effort(), subsets=subsets), instance, subsets=subsets)


@given(
    with_large_leaves(max_rows=60, deepest=4, share=0.2)
    | with_large_leaves(max_rows=72, deepest=3).map(lambda instance: replace(instance, min_samples_leaf=1))
)
@settings(max_examples=160, deadline=None)
def test_many_cuts_leave_no_better_tree(instance: Instance) -> None:
    """With large leaves, or with more cuts than are swept at once."""
    solution = solve_mixed(instance, Effort())
    check_solution(solution, instance, proven=False)
    assert solution.status is Status.OPTIMAL
    assert solution.objective == pytest.approx(optimum(instance))


@given(with_large_leaves(max_rows=12, deepest=3))
@settings(max_examples=60, deadline=None)
def test_the_frontier_of_trees_with_large_leaves(instance: Instance) -> None:
    solution = solve_mixed(instance, Effort(), frontier=True)
    check_solution(solution, instance)
    check_frontier(solution, instance)


@given(with_large_leaves(max_rows=40, deepest=4, share=0.1), st.booleans())
@settings(max_examples=80, deadline=None)
def test_a_long_search_has_a_bound_that_rises_to_the_optimum(instance: Instance, single_rows: bool) -> None:
    instance = replace(instance, min_samples_leaf=1) if single_rows else instance
    best, before = optimum(instance), 0.0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "BRIEF_WORK", 1)
        patch.setattr(search, "LONG_WORK", 1)
        for work in (1, 500, 1000, 2000, 4000, 8000, 16_000, None):
            solution = solve_mixed(instance, Effort(work=work))
            check_solution(solution, instance, proven=False)
            assert before <= solution.bound + 1e-9
            assert solution.bound <= best + 1e-9 <= solution.objective + 2e-9
            before = solution.bound
    assert solution.status is Status.OPTIMAL
    assert solution.objective == pytest.approx(best)


@given(with_large_leaves(max_rows=12, deepest=3))
@settings(max_examples=40, deadline=None)
def test_the_frontier_of_a_long_search(instance: Instance) -> None:
    check_long_frontier(instance)


def test_a_long_search_for_trees_of_four_leaves_at_most_ends() -> None:
    generator = np.random.default_rng(0)
    columns = [generator.permutation(24).tolist() for _ in range(2)]
    data = data_set_of(columns, generator.integers(0, 2, 24).tolist(), [True] * 2)
    check_long_frontier(Instance(data, np.ones(24), max_depth=4, min_samples_leaf=6))


def test_fewer_rows_may_have_a_worse_tree() -> None:
    """The counter-example to the bound for more rows: leaves of two separate four rows, but not three."""
    decisions, column = [0, 0, 1, 1], [1.0, 2.0, 3.0, 4.0]
    errors = []
    for rows in (4, 3):
        data = data_set_of([column[:rows]], decisions[:rows], [True])
        errors.append(solve_mixed(Instance(data, np.ones(rows), max_depth=2, min_samples_leaf=2), Effort()).errors)
    assert errors == [0, 1]


def test_a_search_that_has_not_begun_proves_nothing_by_an_earlier_one() -> None:
    data = data_set_of([[1.0, 2.0, 3.0, 4.0]], [0, 1, 0, 1], [True])
    instance = Instance(data, np.ones(4), max_depth=3)
    coded = RankedRows.of(instance, subsets=False)
    ranks = RankSearch(instance, coded, search.tree_rule(instance, coded, False, frontier=False), Effort().memory)
    limit = np.full(1, NEVER)
    ranks.begin(np.arange(4), 0, limit)
    assert ranks.advance(NEVER)
    assert ranks.bound().low > 0
    ranks.begin(np.arange(4), 3, limit)
    assert ranks.bound().low == 0


def test_sizes_whose_trees_are_proven_are_not_searched_again() -> None:
    generator = np.random.default_rng(0)
    columns = [generator.permutation(40) * 0.5 for _ in range(3)]
    data = data_set_of([column.tolist() for column in columns], generator.integers(0, 2, 40).tolist(), [True] * 3)
    instance = Instance(data, np.ones(40), max_depth=3, min_samples_leaf=2)
    coded, clock = RankedRows.of(instance, subsets=False), Stopwatch()
    rule = search.tree_rule(instance, coded, False, frontier=True)
    strategy = search._Strategy(instance, coded, Effort(), clock, None, rule)
    strategy._search(strategy.driver.cost, levels=2)
    proven = strategy.driver.low >= strategy.driver.cost
    assert proven.tolist() == [True] * 3 + [False] * 5
    before = strategy.search.work
    strategy._search_below(strategy.driver.low, strategy.rule.width)
    assert strategy.search.work == before
    strategy._raise_bound()
    assert strategy.driver.proven
    solution = solve_mixed(instance, Effort(), frontier=True)
    errors = {point.splits: point.errors for point in solution.frontier}
    for splits, cost in enumerate(strategy.driver.cost * coded.unit):
        assert cost == pytest.approx(min(of for used, of in errors.items() if used <= splits))


@pytest.mark.parametrize("few", [3, 0])
def test_a_long_search_proves_trees_of_few_splits_first(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "FEW_SPLITS", few)
    monkeypatch.setattr(search, "BRIEF_WORK", 1)
    monkeypatch.setattr(search, "LONG_WORK", 1)
    generator = np.random.default_rng(0)
    columns = [generator.permutation(100).tolist() for _ in range(8)]
    data = data_set_of(columns, generator.integers(0, 2, 100).tolist(), [True] * 8)
    instance = Instance(data, np.ones(100), max_depth=4, min_samples_leaf=4)
    solution = solve_mixed(instance, Effort(work=4_000_000), frontier=True)
    proven = {point.splits for point in solution.frontier if point.optimal}
    assert solution.status is Status.WORK_LIMIT
    assert proven == ({0, 1, 2, 3} if few else {0})
