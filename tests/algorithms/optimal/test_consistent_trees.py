"""Fewest leaves of consistent trees by search: against trying every tree, and against the graph of subtables."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.optimal.consistent import fewest
from algorithms.optimal.consistent.consistent_search import leaves_at_least
from algorithms.optimal.consistent.fewest import FewestLeaves, search_fewest, splitting_tests
from algorithms.optimal.instance import Instance
from algorithms.optimal.smallest_tree import fewest_leaves
from algorithms.optimal.solution import Effort, Status
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import KINDS, instances
from tests.algorithms.optimal.proofs import least, one_class_each


def drawn(seed: int, rows: int, classes: int = 2) -> DataSet:
    """Rows of a number, of one of few values, and of labels with two and with four values."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, most, rows) for most in (12, 6, 2, 4)]
    decisions = (columns[0] + 2 * columns[1] > 8 + 3 * columns[2]).astype(int) + (columns[3] == 1)
    noisy = np.where(rng.random(rows) < 0.1, rng.integers(0, classes, rows), decisions % classes)
    numeric = [True, True, False, False]
    return one_class_each(data_set_of([column.tolist() for column in columns], noisy.tolist(), numeric, classes))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=80, deadline=None)
@given(st.data())
def test_as_by_trying_every_tree(kind: str, draw: st.DataObject) -> None:
    data = one_class_each(draw.draw(instances(kind, max_rows=9)).data)
    assert search_fewest(data, Effort()) == FewestLeaves(least(data), least(data), Status.OPTIMAL)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(1, 400))
def test_a_search_that_is_cut_short_has_a_bound_and_a_tree(kind: str, draw: st.DataObject, work: int) -> None:
    data = one_class_each(draw.draw(instances(kind, max_rows=9)).data)
    fewest = search_fewest(data, Effort(work=work))
    assert fewest.bound <= least(data) <= fewest.leaves <= data.rows
    assert (fewest.status is Status.OPTIMAL) == (fewest.bound == fewest.leaves)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("classes", [2, 3])
def test_as_by_the_graph_of_subtables(seed: int, classes: int) -> None:
    """On more rows than one machine word has, with numbers and with branches."""
    data = drawn(seed, 130, classes)
    fewest, by_graph = search_fewest(data, Effort()), fewest_leaves(data, Effort(work=1))
    assert by_graph.optimal
    assert (fewest.leaves, fewest.bound) == (by_graph.leaves, by_graph.bound)


def test_few_pivots_and_a_small_memo_change_no_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = [drawn(seed, 110) for seed in range(3)]
    minima = [search_fewest(data, Effort()) for data in sets]
    assert len({each.leaves for each in minima}) > 1
    assert all(len(np.unique(data.values(), axis=0)) > 64 for data in sets)
    monkeypatch.setattr(fewest, "WORDS_OF_PIVOTS", 1)
    assert [search_fewest(data, Effort(memory=50_000)) for data in sets] == minima


def test_the_work_of_a_search_is_the_same_with_a_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    data = drawn(1, 120)
    monkeypatch.setattr(fewest, "SLICE", 10_000)
    whole = search_fewest(data, Effort())
    assert search_fewest(data, Effort(seconds=1000)) == whole
    short = search_fewest(data, Effort(seconds=1e-9))
    assert short.status is Status.TIME_LIMIT
    assert (short.leaves, short.bound <= whole.leaves) == (None, True)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_rows_in_conflict_share_no_leaf_and_the_bound_is_none_that_a_tree_breaks(
    kind: str, draw: st.DataObject
) -> None:
    """Each two rows of a class can share a leaf unless a row of another class is between them; else one tree has it."""
    data = one_class_each(draw.draw(instances(kind, max_rows=8)).data)
    _, distinct = np.unique(data.values(), axis=0, return_index=True)
    data = data.take(np.sort(distinct))
    tests = splitting_tests(data)
    bits = np.unpackbits(tests.conflicts.view(np.uint8), axis=1, bitorder="little")[:, : data.rows]
    expected = [len(conflicts_of(data, row)) for row in range(data.rows)]
    assert sorted(bits.sum(axis=1).tolist()) == sorted(expected)
    left = np.empty(tests.conflicts.shape[1], np.uint64)
    bound = leaves_at_least(tests, tests.rows, left, 1000)
    assert len(set(data.decisions.tolist())) <= bound <= least(data)


def conflicts_of(data: DataSet, row: int) -> list[int]:
    """The rows that can share no leaf with one, by the smallest node that has both."""
    values, decisions = data.values().tolist(), data.decisions.tolist()

    def between(other: int, here: int) -> bool:
        for attribute, value, second, at in zip(data.attributes, values[row], values[other], values[here], strict=True):
            if attribute.kind is AttributeKind.NUMERIC and not min(value, second) <= at <= max(value, second):
                return False
            if attribute.kind is AttributeKind.NOMINAL and value == second != at:
                return False
        return True

    return [
        other
        for other in range(data.rows)
        if len({decisions[here] for here in range(data.rows) if between(other, here)}) > 1
    ]


@settings(max_examples=60, deadline=None)
@given(instances("mixed", max_rows=7))
def test_rows_without_conflict_share_a_leaf_of_some_tree(instance: Instance) -> None:
    """The conflicts are exact: each two others are together in a node of tests that leaves them one class."""
    data = one_class_each(instance.data)
    values = data.values()
    numeric = [attribute.kind is AttributeKind.NUMERIC for attribute in data.attributes]

    @cache
    def shares(rows: tuple[int, ...], first: int, second: int) -> bool:
        """Whether a tree for some rows has a leaf of one class with both."""
        if len({int(data.decisions[row]) for row in rows}) == 1:
            return True
        for attribute, number in enumerate(numeric):
            column = values[list(rows), attribute]
            groups = [column <= cut for cut in np.unique(column)[:-1]] if number else [column == column]
            for group in groups:
                keys = group if number else column
                here = keys[rows.index(first)]
                part = tuple(row for row, key in zip(rows, keys, strict=True) if key == here)
                if second in part and len(part) < len(rows) and shares(part, first, second):
                    return True
        return False

    rows = tuple(range(data.rows))
    for each, second in itertools.combinations(rows, 2):
        assert shares(rows, each, second) == (second not in conflicts_of(data, each))
