"""What a fitted estimator says of its tree, by scikit-learn's names: importances, depth, leaves, and where rows go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from algorithms.baselines.random_tree import RandomTreeClassifier
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.induction.c45 import C45Classifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.generate_tree import GenerateTreeClassifier
from algorithms.induction.id3 import ID3Classifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.t3.classifiers import T2Classifier
from algorithms.trees.arrays import NodeKind

SETS = [load_iris, load_wine, load_breast_cancer]


@pytest.mark.parametrize("load", SETS)
@pytest.mark.parametrize("options", [{}, {"max_depth": 3}], ids=str)
def test_a_converted_tree_says_what_scikit_learn_says(load: Any, options: dict[str, Any]) -> None:
    values, labels = load(return_X_y=True)
    weights = np.random.default_rng(0).integers(1, 4, len(labels)).astype(float)
    ours = CARTClassifier(**options).fit(values, labels, weights)
    theirs = DecisionTreeClassifier(random_state=0, **options).fit(values, labels, weights)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-12)
    assert (ours.get_depth(), ours.get_n_leaves()) == (theirs.get_depth(), theirs.get_n_leaves())
    np.testing.assert_array_equal(ours.apply(values), theirs.apply(values))
    path = ours.decision_path(values)
    assert path.format == "csr"
    np.testing.assert_array_equal(path.toarray(), theirs.decision_path(values).toarray())


def test_importances_of_nominal_attributes_by_hand() -> None:
    rows = [["x", "p"], ["x", "q"], ["y", "p"], ["y", "q"], ["y", "q"]]
    model = ID3Classifier().fit(rows, [0, 0, 1, 0, 0])
    # the root tests the second: classes 4 : 1 become 3 : 0 and 1 : 1, which the first separates
    root, below = (5 - (16 + 1) / 5) - (2 - (1 + 1) / 2), 2 - (1 + 1) / 2
    assert model.tree_.attribute[0] == 1
    np.testing.assert_allclose(model.feature_importances_, [below / (root + below), root / (root + below)])


@pytest.mark.parametrize("estimator", [C45Classifier(), OCTClassifier(max_depth=2), T2Classifier()], ids=str)
def test_importances_add_up_and_are_of_tested_attributes(estimator: TreeClassifier) -> None:
    values, labels = load_iris(return_X_y=True)
    values[:, 1] = 0
    importances = estimator.fit(values, labels).feature_importances_
    assert importances.shape == (4,)
    assert importances.sum() == pytest.approx(1)
    tested = set(estimator.tree_.attribute[estimator.tree_.kind != NodeKind.TERMINAL].tolist())
    assert set(np.flatnonzero(importances).tolist()) == tested


@pytest.mark.parametrize("tenths", [1, 2, 4, 8])
def test_a_test_that_makes_no_class_purer_has_no_importance_by_rounding(tenths: int) -> None:
    weights = np.array([1, tenths, 2, 2 * tenths]) / 10
    model = GenerateTreeClassifier().fit([[0], [0], [1], [1]], [0, 1, 0, 1], weights)
    assert model.get_n_leaves() == 2
    assert model.feature_importances_.tolist() == [0.0]


def test_a_tree_of_one_leaf_has_no_importances() -> None:
    model = C45Classifier().fit([[1.0], [1.0], [1.0]], ["a", "a", "b"])
    assert model.feature_importances_.tolist() == [0.0]
    assert (model.get_depth(), model.get_n_leaves()) == (0, 1)
    assert model.apply([[3.0]]).tolist() == [0]
    assert model.decision_path([[3.0]]).toarray().tolist() == [[1]]


def test_a_row_that_goes_down_all_branches_has_several_leaves() -> None:
    numbers = np.arange(10.0)[:, None]
    model = C45Classifier().fit(numbers, ["a"] * 4 + ["b"] * 6)
    assert model.apply([[0.0], [9.0], [np.nan]]).tolist() == [1, 2, 0]
    assert model.decision_path([[0.0], [9.0], [np.nan]]).toarray().tolist() == [[1, 1, 0], [1, 0, 1], [1, 1, 1]]


def test_a_row_with_an_unseen_label_ends_at_the_node_that_tests_it() -> None:
    model = ID3Classifier().fit([["x"], ["y"]], ["a", "b"])
    assert model.apply([["z"]]).tolist() == [0]
    assert model.decision_path([["z"], ["y"]]).toarray().tolist() == [[1, 0, 0], [1, 0, 1]]


def test_sums_of_attributes_have_no_importances() -> None:
    values, labels = load_iris(return_X_y=True)
    model = LogisticTreeClassifier(max_depth=2).fit(values, labels)
    assert not hasattr(model, "feature_importances_")
    with pytest.raises(AttributeError, match="LogisticTreeClassifier has no feature_importances_: its nodes test"):
        _ = model.feature_importances_
    assert model.get_depth() == 2
    assert model.decision_path(values).sum(axis=1).max() == 3


@pytest.mark.parametrize(
    "name", ["feature_importances_", "get_depth", "get_n_leaves", "apply", "decision_path", "costs"]
)
def test_a_tree_that_was_not_grown_says_nothing(name: str) -> None:
    arguments = ([[1.0]],) if name in {"apply", "decision_path", "costs"} else ()
    with pytest.raises(NotFittedError):
        getattr(RandomTreeClassifier(), name)(*arguments)


@pytest.mark.parametrize("kind", [CARTClassifier, LogisticTreeClassifier])
def test_labels_need_a_fitted_tree(kind: type[TreeClassifier]) -> None:
    with pytest.raises(NotFittedError):
        _ = kind().labels_
