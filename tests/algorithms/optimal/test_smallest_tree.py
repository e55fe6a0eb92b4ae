"""Fewest leaves for a classification, against trying every tree; and the two ways to them against each other."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.data.attributes.binary import binary_attributes
from algorithms.data.data_set import DataSet
from algorithms.optimal.consistent.fewest import search_fewest
from algorithms.optimal.exact_search import solve
from algorithms.optimal.smallest_tree import fewest_leaves
from algorithms.optimal.solution import Effort, Status
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import instances
from tests.algorithms.optimal.proofs import least, one_class_each


@pytest.mark.parametrize("kind", ["binary", "multiway", "numeric", "mixed"])
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_as_by_trying_every_tree(kind: str, draw: st.DataObject) -> None:
    data = one_class_each(draw.draw(instances(kind, max_rows=8)).data)
    fewest = fewest_leaves(data)
    assert (fewest.leaves, fewest.bound, fewest.status, fewest.optimal) == (least(data),) * 2 + (Status.OPTIMAL, True)


@pytest.mark.parametrize("seed", range(8))
def test_the_graph_and_the_search_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (6, 40))
    decisions = (codes[0] & codes[1]) | (codes[2] & codes[3]) ^ codes[4 + seed % 2]
    data = data_set_of(codes.tolist(), decisions.tolist(), [False] * 6, 2)
    by_graph, by_search = fewest_leaves(data), fewest_leaves(data, graph_limit=1)
    assert by_graph == by_search
    assert by_graph.optimal


def test_the_graph_of_all_cut_points_is_of_numeric_attributes() -> None:
    """Where the search comes to nothing: values as near as floats can be, and the same minimum as with time enough."""
    rng = np.random.default_rng(5)
    near = np.nextafter(1.0, 2.0)
    columns = [rng.choice([1.0, near, 2.0, 3.5], 30).tolist(), rng.integers(0, 5, 30).tolist(), rng.random(30).tolist()]
    data = one_class_each(data_set_of(columns, rng.integers(0, 2, 30).tolist(), [True, False, True], 2))
    by_search, by_graph = fewest_leaves(data), fewest_leaves(data, Effort(work=1))
    assert by_search == by_graph
    assert by_graph.optimal
    assert not fewest_leaves(data, Effort(work=1), graph_limit=1).optimal


def test_a_search_that_is_cut_short_has_a_bound() -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, (9, 150))
    data = one_class_each(data_set_of(codes.tolist(), rng.integers(0, 2, 150).tolist(), [False] * 9, 2))
    short, whole = fewest_leaves(data, Effort(work=1000), graph_limit=1), fewest_leaves(data)
    assert short.status is Status.WORK_LIMIT
    assert not short.optimal
    assert whole.leaves is not None
    assert 2 <= short.bound <= whole.leaves <= (short.leaves or 150)


def test_two_branches_need_fewer_leaves_than_one_for_each_label() -> None:
    codes = [[0, 1, 2, 3, 4, 0, 1, 2, 3, 4], [0] * 5 + [1] * 5]
    data = data_set_of(codes, [0, 0, 0, 0, 1, 0, 0, 0, 0, 0], [False, False], 2)
    assert fewest_leaves(data).leaves == 6
    assert fewest_leaves(binary_attributes(data)).leaves == 3


def test_equal_rows_of_different_classes_are_refused() -> None:
    with pytest.raises(ValueError, match="rows 0 and 2 have equal values but different classes"):
        fewest_leaves(data_set_of([[0, 1, 0]], [0, 0, 1], [False], 2))


def _noise(rows: int) -> DataSet:
    rng = np.random.default_rng(0)
    columns = [rng.random(rows).tolist() for _ in range(3)]
    return data_set_of(columns, rng.integers(0, 2, rows).tolist(), [True] * 3, 2)


def test_all_searches_together_respect_the_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds: list[float] = []

    def limited(data: Any, effort: Effort, **options: Any) -> Any:
        seconds.append(effort.seconds or inf)
        return (search_fewest if isinstance(data, DataSet) else solve)(data, effort, **options)

    monkeypatch.setattr("algorithms.optimal.smallest_tree.search_fewest", limited)
    monkeypatch.setattr("algorithms.optimal.smallest_tree.solve", limited)
    grown: list[Any] = []
    monkeypatch.setattr(
        "algorithms.optimal.consistent.fewest._LeavesSearch._impurity", lambda *given: grown.append(given)
    )
    fewest = fewest_leaves(_noise(300), Effort(seconds=0.01))
    assert fewest.status is Status.TIME_LIMIT
    assert fewest.bound < (fewest.leaves or 300)
    assert (len(seconds), sum(seconds) <= 0.011, len(grown) < 1000) == (3, True, True)


def test_the_graph_respects_the_limit_of_time() -> None:
    rng = np.random.default_rng(0)
    columns = list(rng.integers(0, 3, (28, 600)))
    data = data_set_of(columns, rng.integers(0, 2, 600).tolist(), [False] * 28)
    fewest = fewest_leaves(data, Effort(seconds=0.1), graph_limit=2**26)  # without a limit of time all bytes are used
    assert fewest.status is Status.TIME_LIMIT


def test_the_sets_of_rows_respect_the_limit_of_memory() -> None:
    fewest = fewest_leaves(_noise(300), Effort(work=10_000, memory=10_000))
    assert fewest.status is Status.MEMORY_LIMIT
    assert fewest.leaves is not None
    assert fewest.bound < fewest.leaves < 300
