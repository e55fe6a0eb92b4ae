"""Rows as the search over mixed attributes reads them: ranks, lists in order, equal rows as one, forced errors."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from algorithms.kernel_arrays import arrays_of
from algorithms.optimal.hashing import random_words
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.node_levels import NodeLevels
from algorithms.optimal.mixed.packed_rows import RANK_SHIFT, ROW_MASK
from algorithms.optimal.mixed.ranked_rows import FEW_VALUES, MANY_ROWS, RankedRows
from algorithms.optimal.mixed.ranks import begin_node
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import instances


@settings(deadline=None, max_examples=100)
@given(instances(max_rows=30))
def test_ranks_lists_and_forced_errors_are_those_by_hand(instance: Instance) -> None:
    data, coded = instance.data, RankedRows.of(instance, subsets=False)
    values = np.array([data.columns[index] for index in coded.attribute]).reshape(-1, data.rows)
    points = list(zip(*values.tolist(), strict=True)) if len(values) else [()] * data.rows
    first = dict.fromkeys(zip(points, data.decisions.tolist(), strict=True))  # in order of their first row
    assert [(*of, decision) for of, decision in first] == [
        (*(known[rank] for known, rank in zip(coded.values, ranks, strict=True)), decision)
        for ranks, decision in zip(coded.ranks.T, coded.classes.tolist(), strict=True)
    ]
    weight = dict.fromkeys(first, 0.0)
    for key, of_row in zip(zip(points, data.decisions.tolist(), strict=True), instance.weights, strict=True):
        weight[key] += of_row
    np.testing.assert_allclose(coded.rows.weight * coded.unit, list(weight.values()))
    at_points = [[of for (point, _), of in weight.items() if point == here] for here in dict.fromkeys(points)]
    assert np.isclose(coded.forced * coded.unit, sum(sum(there) - max(there) for there in at_points))
    assert (np.sort(coded.words, axis=1) == coded.words).all()
    assert (coded.words >> RANK_SHIFT == np.take_along_axis(coded.ranks, coded.words & ROW_MASK, axis=1)).all()


def test_zeros_of_either_sign_are_one_value() -> None:
    data = data_set_of([[0.0, -0.0, 1.0]], [0, 0, 1], [True])
    coded = RankedRows.of(Instance(data, np.ones(3)), subsets=False)
    assert coded.values[0].tolist() == [0, 1]
    assert coded.rows.count.tolist() == [2, 1]


def test_ranks_are_the_same_of_few_values_and_of_many() -> None:
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, many, MANY_ROWS + 1).astype(float) for many in (2, FEW_VALUES, 3 * FEW_VALUES, 50)]
    data = data_set_of([(column - 20).tolist() for column in columns], [*range(MANY_ROWS + 1)], [True] * 4)
    coded = RankedRows.of(Instance(data, np.ones(data.rows)), subsets=False)
    for column, values, ranks in zip(data.columns, coded.values, coded.ranks, strict=True):
        distinct, rank = np.unique(column, return_inverse=True)
        assert (values == distinct).all()
        assert (ranks == rank).all()


def test_lists_of_some_rows_are_laid_in_their_order() -> None:
    data = data_set_of([[3.0, 1.0, 2.0], [1.0, 2.0, 3.0]], [0, 1, 0], [True, True])
    words = RankedRows.of(Instance(data, np.ones(3)), subsets=False).words
    arena, chosen = np.full(9, -1), np.zeros(3, np.bool_)
    levels = arrays_of(NodeLevels, levels=1, width=1)
    begin_node(words, np.array([0, 2]), 3, np.array([5]), chosen, arena, levels)
    assert not chosen.any()
    assert arena[[0, 2, 8]].tolist() == [0, 1, -1]
    assert (arena[4:8] & ROW_MASK).tolist() == [2, 0, 0, 2]


def test_random_words_are_all_apart() -> None:
    words = np.empty((1000, 2), np.uint64)
    random_words(words)
    assert len(np.unique(words)) == 2000
    ones = [int(np.bitwise_count(words & np.uint64(1 << bit)).sum()) for bit in range(64)]
    assert min(ones) > 850
    assert max(ones) < 1150
