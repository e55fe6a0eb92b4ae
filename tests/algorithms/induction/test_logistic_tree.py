"""Trees of logistic tests: what one such test can do that thresholds cannot, and cuts against brute force."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from algorithms.induction.cart import CARTClassifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier, _cut
from algorithms.trees.arrays import NodeKind
from algorithms.trees.text import export_text
from tests.oracles.uci_files import nominal_data_set, rows_of_file


def test_one_test_parts_what_thresholds_need_many_for() -> None:
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(400, 2))
    rows = rows[np.abs(rows.sum(axis=1)) > 0.1]
    decisions = (rows.sum(axis=1) > 0).astype(int)
    model = LogisticTreeClassifier().fit(rows, decisions)
    assert model.tree_.nodes == 3
    assert model.predict(rows).tolist() == decisions.tolist()
    assert CARTClassifier().fit(rows, decisions).tree_.nodes > 20
    ratio = model.tree_.coefficients[0, 0] / model.tree_.coefficients[0, 1]
    assert ratio == pytest.approx(1, abs=0.25)


def test_labels_are_columns() -> None:
    rows = [["red", 0.0], ["green", 1.0], ["blue", 2.0], ["red", 3.0], ["green", 4.0], [None, np.nan], ["red", 5.0]]
    model = LogisticTreeClassifier(max_depth=1).fit(rows, ["no", "yes", "no", "no", "yes", "no", "no"])
    assert model.labels_.attributes == ("f1=blue", "f1=green", "f1=red", "f2")
    assert "f1=green" in export_text(model.tree_, model.labels_)
    assert model.predict([["green", 2.0], ["red", 2.0], [None, np.nan]]).tolist() == ["yes", "no", "no"]


def test_the_tree_parts_its_rows_as_its_counts_say() -> None:
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    tree = LogisticTreeClassifier().fit(X, y, weights).tree_
    for node, rows in tree.rows_of_nodes(X):
        assert tree.counts[node].tolist() == np.bincount(y[rows], weights=weights[rows], minlength=3).tolist()
    assert set(tree.kind.tolist()) == {NodeKind.TERMINAL, NodeKind.LINEAR}
    assert tree.predict(X).tolist() == y.tolist()


@pytest.mark.parametrize(
    ("options", "least", "deepest"), [({"min_samples_leaf": 12}, 12, 99), ({"max_depth": 2}, 1, 2)]
)
def test_stops(options: dict[str, Any], least: int, deepest: int) -> None:
    generator = np.random.default_rng(3)
    rows, decisions = generator.normal(size=(200, 3)), generator.integers(0, 3, 200).astype(np.int32)
    tree = LogisticTreeClassifier(**options).fit(rows, decisions).tree_
    leaves = tree.kind == NodeKind.TERMINAL
    assert tree.nodes > 3
    assert tree.counts[leaves].sum(axis=1).min() >= least
    assert tree.depths().max() <= deepest


@given(st.data())
def test_the_cut_is_the_best_there_is(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 9))
    sums = np.array(data.draw(st.lists(st.sampled_from([-1.0, 0, 0.5, 2, 3, 7]), min_size=n, max_size=n)))
    decisions = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), np.int32)
    weights = np.array(data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)), float)
    least = data.draw(st.integers(1, 3))

    def gini(rows: np.ndarray) -> float:
        counts = np.bincount(decisions[rows], weights=weights[rows])
        return counts.sum() - (counts**2).sum() / counts.sum()

    cuts = [(low + high) / 2 for low, high in pairwise(sorted(set(sums.tolist())))]
    gains = [
        (gini(sums > -9) - gini(sums <= cut) - gini(sums > cut), -cut)
        for cut in cuts
        if min((sums <= cut).sum(), (sums > cut).sum()) >= least
    ]
    good = [(gain, cut) for gain, cut in gains if gain > 1e-7]
    result = _cut(sums, 0.0, decisions, weights, least)
    if not good:
        assert result is None
    else:
        best = max(gain for gain, _ in good)
        assert result == min(-cut for gain, cut in good if gain > best - 1e-7)


@pytest.mark.parametrize("first", [0, 1.7e9, 1.7e12, -1.7e12])
def test_rows_are_cut_wherever_their_numbers_begin(first: float) -> None:
    """Seconds and milliseconds of our time differ by less than a part in 10⁹."""
    rows = first + np.arange(400.0).reshape(-1, 2)
    model = LogisticTreeClassifier().fit(rows, np.arange(200) > 77)
    assert model.tree_.nodes == 3
    assert model.predict(rows).tolist() == (np.arange(200) > 77).tolist()


def test_sums_that_only_rounding_tells_apart_are_not_cut() -> None:
    """In exact arithmetic, the three products add up to 0."""
    generator = np.random.default_rng(0)
    numbers = generator.normal(size=200) * 1e12
    assert LogisticTreeClassifier().fit(np.full((200, 2), numbers[0]), np.arange(200) > 77).tree_.nodes == 1
    assert (
        _cut(numbers * 3.3 - numbers * 1.1 - numbers * 2.2, 3.3, (numbers > 0).astype(np.int32), np.ones(200), 1)
        is None
    )


@pytest.mark.filterwarnings("error")
def test_a_column_of_the_least_numbers_hides_no_other() -> None:
    model = LogisticTreeClassifier().fit([[0, 1], [5e-324, 2], [0, 3], [5e-324, 4]], [0, 0, 1, 1])
    assert model.predict([[0, 1], [0, 4]]).tolist() == [0, 1]


def test_constant_columns_and_one_class_make_a_leaf() -> None:
    assert LogisticTreeClassifier().fit(np.ones((4, 2)), [0, 1, 0, 1]).tree_.nodes == 1
    assert LogisticTreeClassifier().fit(np.eye(4), np.zeros(4)).tree_.nodes == 1


def test_fewer_nodes_than_thresholds_need(shared: Path) -> None:
    names, rows = rows_of_file(shared, "balance-scale/balance-scale.data")
    data = nominal_data_set(names, rows, numeric=names)
    model = LogisticTreeClassifier().fit(data)
    assert (model.predict(data) == np.array(data.classes)[data.decisions]).mean() > 0.97
    assert 3 * model.tree_.nodes < CARTClassifier().fit(data).tree_.nodes
