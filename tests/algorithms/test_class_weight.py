"""Weights by class: the same as weights of rows, for every estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.utils.class_weight import compute_sample_weight

from algorithms.estimators.data_set_classifier import DataSetClassifier, weights_of_classes
from algorithms.evolutionary.stream import EVOTreeStreamClassifier
from algorithms.induction.c45 import C45Classifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.generate_tree import GenerateTreeClassifier
from algorithms.induction.id3 import ID3Classifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier
from algorithms.optimal.search import OCTClassifier
from algorithms.rules.rule_classifiers import SequentialCoveringClassifier, TreeRulesClassifier
from tests.algorithms.estimators import every_estimator, quick

ESTIMATORS = every_estimator()
VALUES, NUMBERS = make_classification(60, 4, flip_y=0.2, weights=[0.7], random_state=0)
VALUES = VALUES.round(1)
LABELS = np.array(["no", "yes"])[NUMBERS]


def fitted(kind: type[DataSetClassifier], weights: Any = None, **parameters: Any) -> Any:
    return quick(kind, **parameters).fit(VALUES, LABELS, weights)


@pytest.mark.parametrize(
    ("kind", "class_weight"), [*((kind, {"yes": 3.0}) for kind in ESTIMATORS), (C45Classifier, "balanced")], ids=str
)
def test_a_weight_of_a_class_is_one_of_its_rows(kind: type[DataSetClassifier], class_weight: Any) -> None:
    by_row = compute_sample_weight(class_weight, LABELS)
    by_class = fitted(kind, class_weight=class_weight).predict_proba(VALUES)
    np.testing.assert_allclose(by_class, fitted(kind, by_row).predict_proba(VALUES), atol=1e-12)


def test_weights_of_classes_and_of_rows_are_multiplied() -> None:
    rows = np.where(np.arange(60) % 2, 1.0, 2.0)
    both = fitted(C45Classifier, rows, class_weight={"yes": 3.0}, pruned=False)
    alone = fitted(C45Classifier, rows * np.where(LABELS == "yes", 3.0, 1.0), pruned=False)
    np.testing.assert_array_equal(both.tree_.counts, alone.tree_.counts)
    assert both.tree_.counts[0].tolist() == [rows[LABELS == "no"].sum(), 3 * rows[LABELS == "yes"].sum()]


def test_balanced_goes_by_the_weights_of_rows() -> None:
    result = weights_of_classes(
        "balanced", np.array(["a", "b", "c"]), np.array([0, 0, 1], np.int32), np.array([1.0, 1, 6])
    )
    assert result.tolist() == [2.0, 8 / 12, 1.0]  # 8 in all, of two classes; no row has the third


@pytest.mark.parametrize(
    "kind",
    [
        C45Classifier,
        CARTClassifier,
        GenerateTreeClassifier,
        ID3Classifier,
        LogisticTreeClassifier,
        OCTClassifier,
        SequentialCoveringClassifier,
        TreeRulesClassifier,
    ],
)
def test_classes_of_equal_weight_are_a_tie_however_their_sums_are_rounded(kind: Any) -> None:
    for rows in range(1, 20):
        classes = ["no"] * rows + ["yes"] * 7
        model = kind(class_weight="balanced").fit(np.ones((rows + 7, 1)), classes)
        assert model.predict([[1.0]]) == ["no"], rows


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(
        ValueError, match=r"class_weight has the key 'maybe', which is not a class: expected keys among \['no', 'yes'\]"
    ):
        fitted(C45Classifier, class_weight={"maybe": 2.0})
    with pytest.raises(ValueError, match=r"class_weight of 'yes' is 0.0: expected a finite number above 0"):
        fitted(C45Classifier, class_weight={"yes": 0.0})
    with pytest.raises(ValueError, match=r"class_weight of 'yes' is '2': expected a finite number above 0"):
        fitted(C45Classifier, class_weight={"yes": "2"})
    with pytest.raises(ValueError, match=r"class_weight of 'yes' is 10*: expected a finite number above 0"):
        fitted(C45Classifier, class_weight={"yes": 10**400})
    with pytest.raises(ValueError, match=r"the weights add up to inf: expected less than"):
        fitted(C45Classifier, class_weight={"yes": 1e308})
    with pytest.raises(ValueError, match=r"class_weight is 3: expected .balanced., or a dict, or None"):
        fitted(C45Classifier, class_weight=3)


def test_a_stream_weighs_each_row_once_by_its_class() -> None:
    halves = [slice(0, 30), slice(30, 60)]
    by_class = quick(EVOTreeStreamClassifier, class_weight={"yes": 3.0, "later": 1.0})
    by_row = quick(EVOTreeStreamClassifier)
    for half in halves:
        by_class.partial_fit(VALUES[half], LABELS[half], classes=["later", "no", "yes"])
        weights = np.where(LABELS[half] == "yes", 3.0, 1.0)
        by_row.partial_fit(VALUES[half], LABELS[half], classes=["later", "no", "yes"], sample_weight=weights)
    np.testing.assert_array_equal(by_class.tree_.counts, by_row.tree_.counts)
    assert by_class.tree_.counts[0].tolist() == [0, (LABELS == "no").sum(), 3 * (LABELS == "yes").sum()]
    with pytest.raises(
        ValueError, match=r"class_weight is .balanced., but partial_fit never has all rows: expected None"
    ):
        quick(EVOTreeStreamClassifier, class_weight="balanced").partial_fit(VALUES, LABELS, classes=["no", "yes"])
