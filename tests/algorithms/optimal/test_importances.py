"""Importances over all good trees, against listing the trees one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.optimal.instance import Instance
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import instances

MOST_LISTED = 120
XOR = Instance(data_set_of([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0], [False, False]), np.ones(4), alpha=0.01)


def usage(tree: DecisionTree, instance: Instance, attribute: int) -> float:
    """The share of the rows that meet a node that tests an attribute, by following each row."""
    met = np.zeros(instance.data.rows, bool)
    for node, rows in tree.rows_of_nodes(instance.data.values()):
        if tree.kind[node] != NodeKind.TERMINAL and tree.attribute[node] == attribute:
            met[rows] = True
    return float(instance.weights[met].sum() / instance.weights.sum())


@given(instances(max_rows=8, max_depth=3), st.sampled_from([0.0, 1 / 16, 0.2, 0.5]), st.booleans())
@settings(max_examples=200)
def test_importances_are_those_of_trees_listed_one_by_one(instance: Instance, epsilon: float, subsets: bool) -> None:
    good_trees = RashomonSet.of(instance, epsilon, subsets=subsets)
    if good_trees.number > MOST_LISTED:
        return
    trees = list(good_trees.trees())
    intervals = good_trees.importances()
    assert [interval.attribute for interval in intervals] == list(range(len(instance.data.columns)))
    for interval in intervals:
        shares = [usage(tree, instance, interval.attribute) for tree in trees]
        assert (interval.least, interval.greatest) == pytest.approx((min(shares), max(shares)))


@pytest.mark.parametrize("heavy", [1e9, 1e17, 1e200])
def test_a_heavy_row_counts_with_all_its_weight(heavy: float) -> None:
    data = data_set_of([[0, 1, 1, 1, 1], [1, 0, 1, 0, 1]], [0, 0, 1, 0, 1], [False, False])
    instance = Instance(data, np.array([heavy, 1 / 3, 0.7, 1.0, 0.1]), max_depth=2, alpha=0.01)
    good_trees = RashomonSet.of(instance, 0.2)
    trees = list(good_trees.trees())
    assert good_trees.importances()[1].least < 1e-8  # of a test below the root, which the heavy row does not meet
    for interval in good_trees.importances():
        shares = [usage(tree, instance, interval.attribute) for tree in trees]
        assert (interval.least, interval.greatest) == pytest.approx((min(shares), max(shares)))


def test_things_counted_in_several_passes_are_those_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    good_trees = RashomonSet.of(XOR, 0.99)
    uses, importances = good_trees.uses(), good_trees.importances()
    monkeypatch.setattr("algorithms.optimal.rashomon.good_trees.MOST_COUNTERS", 1)
    assert (good_trees.uses(), good_trees.importances()) == (uses, importances)


def test_intervals_are_drawn_with_their_names() -> None:
    pytest.importorskip("matplotlib").use("agg")
    good_trees = RashomonSet.of(XOR, 0.99)
    axes = good_trees.plot_importances()
    assert sorted(text.get_text() for text in axes.get_yticklabels()) == sorted(
        attribute.name for attribute in XOR.data.attributes
    )
    ends = [np.asarray(marks.get_offsets())[:, 0].tolist() for marks in axes.collections[1:]]
    assert ends == [[0.0, 0.0], [1.0, 1.0]]
    assert (
        RashomonSet.of(replace(XOR, data=data_set_of([], [0, 1, 1, 1], []))).plot_importances().get_yticks().size == 0
    )
