"""What a thorough search knows of the least cost of rows by the weight of their classes alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.array_types import Numbers
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed import solve_ranks as search
from algorithms.optimal.mixed.rank_search import RankSearch
from algorithms.optimal.mixed.ranked_rows import RankedRows
from algorithms.optimal.solution import Effort
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import random_instance
from tests.algorithms.optimal.proofs import check_long_frontier
from tests.oracles.optimal_trees import fewest_errors


def bounds(instance: Instance) -> Numbers:
    """(splits,) errors that no tree with at most so many splits goes below, before any split is looked at."""
    coded = RankedRows.of(instance, subsets=False)
    rule = search.tree_rule(instance, coded, False, frontier=True)
    ranks = RankSearch(instance, coded, rule._replace(thorough=True), Effort().memory)
    ranks.begin(np.arange(len(coded.classes)), instance.max_depth or 0, np.zeros(rule.width, np.int64))
    assert ranks.advance(1 << 60)
    return np.asarray(ranks.bound().low * coded.unit)


@st.composite
def with_scarce_classes(draw: st.DrawFn, max_rows: int) -> Instance:
    """Instances of numbers with up to five classes, some of them scarcer than a leaf must have rows."""
    generator = np.random.default_rng(draw(st.integers(0, 2**63)))
    instance = random_instance(generator, "numeric", max_rows, 3, 3)
    rows, classes = instance.data.rows, int(generator.integers(2, 6))
    columns = [generator.permutation(rows) * 0.5 for _ in range(2)]
    decisions = ((columns[0] // 2 + columns[1] // 3) % classes).astype(int)
    decisions[generator.random(rows) < generator.random()] = 0
    data = data_set_of([column.tolist() for column in columns], decisions.tolist(), [True, True], classes)
    weights = np.ones(rows) if generator.random() < 0.6 else instance.weights
    least = min(rows, int(generator.integers(1, 6)))
    return replace(instance, data=data, weights=weights, min_samples_leaf=least, max_depth=3, max_splits=None, alpha=0)


@given(with_scarce_classes(max_rows=11))
@settings(max_examples=150, deadline=None)
def test_no_tree_costs_less_than_its_classes_allow(instance: Instance) -> None:
    known, fewest = bounds(instance), fewest_errors(instance)
    for splits, low in enumerate(known):
        assert low <= min(errors for used, errors in fewest.items() if used <= splits) + 1e-9


@given(with_scarce_classes(max_rows=11))
@settings(max_examples=100, deadline=None)
def test_the_frontier_of_rare_classes_is_exact(instance: Instance) -> None:
    check_long_frontier(instance)


def counted(*rows_of_class: int, least: int = 1) -> Instance:
    """Rows all different, so many of each class."""
    decisions = np.repeat(np.arange(len(rows_of_class)), rows_of_class)
    column = np.random.default_rng(0).permutation(len(decisions)).astype(float)
    data = data_set_of([column.tolist()], decisions.tolist(), [True], len(rows_of_class))
    return Instance(data, np.ones(data.rows), max_depth=2, min_samples_leaf=least)


def test_a_tree_answers_with_one_class_more_than_it_has_splits() -> None:
    assert bounds(counted(5, 4, 3, 2)).tolist() == [9, 5, 2, 0]


def test_a_leaf_of_a_scarce_class_has_rows_of_others() -> None:
    """A leaf of 7 rows has at most the 5 of the second class, and 2 others; one of 9 rows has 4, one of 11 rows 6."""
    assert bounds(counted(30, 5, least=7)).tolist() == [5, 2, 2, 2]
    assert bounds(counted(30, 5, least=9)).tolist() == [5, 4, 4]
    assert bounds(counted(30, 5, least=11)).tolist() == [5, 5, 5]


def test_rows_have_no_more_leaves_than_rows_for_them() -> None:
    assert bounds(counted(4, 4, 4, least=4)).tolist() == [8, 4, 0]
    assert bounds(counted(4, 4, 4, least=5)).tolist() == [8, 4]
