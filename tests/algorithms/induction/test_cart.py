"""CART against scikit-learn's own predictions on one-hot columns, and its stops against counts by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier

from algorithms.baselines.one_hot_classifiers import RandomForestClassifier
from algorithms.baselines.random_tree import RandomTreeClassifier
from algorithms.data.attributes.one_hot import OneHot
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet, DataSetError
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.tuned_cart import TunedCARTClassifier
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.text import export_text
from tests.algorithms.grown_trees import cart_tree

NOMINAL, NUMERIC = AttributeKind.NOMINAL, AttributeKind.NUMERIC


def mixed(generator: np.random.Generator, rows: int, *, missing: float = 0.0) -> DataSet:
    """Two nominal and two numeric attributes with values that are lost, and three classes that depend on them."""
    colour, size = generator.integers(0, 4, rows).astype(np.int32), generator.integers(0, 3, rows).astype(np.int32)
    height, width = generator.normal(size=rows), np.round(generator.normal(size=rows), 1)
    rule = 1 * (colour == 2) + (height > 0.3) * (size != 1) + (generator.random(rows) < 0.1)
    decisions = (rule % 3).astype(np.int32)
    for column, lost in ((colour, MISSING), (size, MISSING), (height, np.nan), (width, np.nan)):
        column[generator.random(rows) < missing] = lost
    attributes = (
        Attribute("colour", NOMINAL, ("red", "green", "blue", "grey")),
        Attribute("size", NOMINAL, ("s", "m", "l")),
        Attribute("height", NUMERIC),
        Attribute("width", NUMERIC),
    )
    return DataSet(attributes, (colour, size, height, width), ("a", "b", "c"), decisions)


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("options", [{}, {"min_samples_leaf": 7}, {"max_depth": 3}], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_it_predicts_what_scikit_learn_predicts_from_one_hot_columns(missing: float, options: dict, seed: int) -> None:
    generator = np.random.default_rng(seed)
    train, test = mixed(generator, 300, missing=missing), mixed(generator, 400, missing=missing)
    weights = generator.integers(1, 4, 300).astype(float)
    tree = cart_tree(train, weights, **options)
    columns = OneHot.of(train.attributes)
    theirs = DecisionTreeClassifier(
        random_state=0, min_samples_leaf=options.get("min_samples_leaf", 1), max_depth=options.get("max_depth")
    ).fit(columns.matrix(train), train.decisions, sample_weight=weights)
    assert tree.predict(test.values()).tolist() == theirs.predict(columns.matrix(test)).tolist()
    np.testing.assert_allclose(tree.distribution(test.values()), theirs.predict_proba(columns.matrix(test)), atol=1e-12)
    assert tree.nodes == theirs.tree_.node_count
    assert tree.depths().tolist() == (theirs.tree_.compute_node_depths() - 1).tolist()
    assert set(tree.kind.tolist()) == {NodeKind.TERMINAL, NodeKind.CODES, NodeKind.BOUNDS}


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_bounds_round_as_scikit_learn_rounds_to_float32(load) -> None:
    X, y = load(return_X_y=True)
    mine, theirs = CARTClassifier().fit(X, y), DecisionTreeClassifier(random_state=0).fit(X, y)
    inner = theirs.tree_.feature >= 0
    for feature, threshold in zip(theirs.tree_.feature[inner], theirs.tree_.threshold[inner], strict=True):
        # values about each threshold, float64 and float32 neighbours, and the midpoints that round to one or the other
        below = np.nextafter(np.float32(threshold), np.float32(-np.inf), dtype=np.float32).astype(float)
        above = np.nextafter(np.float32(threshold), np.float32(np.inf), dtype=np.float32).astype(float)
        middle = float(np.float32(threshold))
        near = [below, middle, above, threshold, (below + middle) / 2, (above + middle) / 2]
        near += [np.nextafter(value, side) for value in near for side in (-np.inf, np.inf)]
        rows = np.repeat(X[:1], len(near), axis=0)
        rows[:, feature] = near
        assert mine.predict(rows).tolist() == theirs.predict(rows).tolist()
    assert mine.predict(X).tolist() == y.tolist()


def gain_by_hand(tree: DecisionTree, node: int) -> float:
    """The unweighted Gini gain of a node's split."""

    def gini(counts: np.ndarray) -> float:
        return 1 - float(((counts / counts.sum()) ** 2).sum())

    here = tree.counts[node]
    below = [tree.counts[child] for child in tree.children(node)]
    return gini(here) - sum(counts.sum() / here.sum() * gini(counts) for counts in below)


@pytest.mark.parametrize("min_gain", [0.02, 0.1, 0.3])
def test_a_split_of_less_gain_is_not_made_however_few_or_many_rows_it_parts(min_gain: float) -> None:
    data = mixed(np.random.default_rng(5), 500)
    weights = np.ones(500)
    whole, stopped = cart_tree(data, weights), cart_tree(data, weights, min_gain=min_gain)
    inner = np.flatnonzero(stopped.kind != NodeKind.TERMINAL)
    assert all(gain_by_hand(stopped, node) >= min_gain for node in inner)
    # the same tree, cut at the highest nodes of little gain: those below may gain more and are gone all the same
    kept, waiting = 0, [0]
    while waiting:
        node = waiting.pop()
        kept += 1
        if whole.kind[node] != NodeKind.TERMINAL and gain_by_hand(whole, node) >= min_gain:
            waiting += whole.children(node)
    assert stopped.nodes == kept < whole.nodes


def test_a_gain_equal_to_the_threshold_splits() -> None:
    # 2 + 2 rows into two pure halves: the gain is exactly 1/2
    model = CARTClassifier(min_gain=0.5).fit([["x"], ["x"], ["y"], ["y"]], [0, 0, 1, 1])
    assert model.tree_.nodes == 3
    assert CARTClassifier(min_gain=0.51).fit([["x"], ["x"], ["y"], ["y"]], [0, 0, 1, 1]).tree_.nodes == 1


def test_a_gain_of_0_that_rounding_makes_negative_splits() -> None:
    """Where the labels agree, the classes have other shares than where they differ; alone, a label says nothing."""
    counts = np.array([[2, 4, 2], [4, 1, 1], [4, 1, 1], [2, 4, 2]])
    classes = np.concatenate([np.repeat(np.arange(3), count) for count in counts])
    values = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], counts.sum(axis=1), axis=0)
    assert CARTClassifier().fit(values, classes).get_n_leaves() == 4


@pytest.mark.parametrize("kind", [CARTClassifier, TunedCARTClassifier, RandomTreeClassifier, RandomForestClassifier])
def test_numbers_beyond_float32_are_refused_by_the_name_of_their_column(kind: type[Any]) -> None:
    rows = [[1.0, 2.0], [3.0, -1e39], [4.0, np.nan], [5.0, 0.0]]
    with pytest.raises(
        DataSetError,
        match=r"attribute 'f2' has a number that is too large for float32, .* from -3\.4e\+38 to 3\.4e\+38",
    ):
        kind().fit(rows, ["no", "yes", "no", "yes"])


def test_a_tree_over_the_attributes_themselves() -> None:
    table = pa.table({"colour": ["red", "green", "blue", "red", "green", "blue"], "size": [1.0, 2, 3, 4, 5, 6]})
    model = CARTClassifier().fit(table, ["no", "yes", "no", "no", "yes", "no"])
    assert sorted(export_text(model.tree_, model.labels_).splitlines()[:2]) == [
        "colour = green: yes",
        "colour in {blue, red} or unknown: no",
    ]
    unknown = pa.table({"colour": ["violet", None], "size": [1.0, None]})
    assert model.predict(unknown).tolist() == ["no", "no"]  # not green
    assert model.unseen(unknown).tolist() == [[True, False], [False, False]]


def test_costs_are_those_of_the_rows_and_weights_that_are_given() -> None:
    rows, decisions = [["x", 1.0], ["x", 2.0], ["y", 3.0]], [0, 1, 1]
    model = CARTClassifier().fit(rows, decisions, sample_weight=[1, 2, 3])
    costs = model.costs(rows, [1, 2, 3])
    assert (costs.nodes, costs.depth, costs.average_depth) == (3, 1, 1)  # size > 1.5
    assert model.costs(rows[:1]).nodes == 2
