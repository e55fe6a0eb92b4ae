"""The estimators of mixed-integer programmes against scikit-learn's own checks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from algorithms.optimal.mio.classifiers import OCTFlowClassifier, OCTMIOClassifier

ESTIMATORS = [
    OCTMIOClassifier(max_depth=1, start="cart"),
    OCTFlowClassifier(max_depth=1, start="cart", thresholds=3),
]


def fails_by_nature(estimator: Any) -> dict[str, str]:
    """Checks that an estimator cannot pass, and why."""
    return {
        "check_class_weight_classifiers": "weights of 1 and ten millions are refused: solvers have tolerances",
        "check_classifiers_train": "one split, which a solver proves in no time, does not tell three classes apart",
    }


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=fails_by_nature)
def test_scikit_learn_finds_an_estimator(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_labels_and_numbers_together_and_what_was_never_seen(estimator: Any) -> None:
    generator = np.random.default_rng(0)
    colours, sizes = generator.choice(["red", "green", "blue"], 60), generator.integers(0, 9, 60).astype(float)
    classes = np.where((colours == "red") | (sizes > 6), "yes", "no")
    rows = pa.table({"colour": colours, "size": sizes})
    model = clone(estimator).fit(rows, classes)
    assert (model.predict(rows) == classes).mean() > 0.75
    later = pa.table({"colour": ["mauve", "red"], "size": [1.0, 1.0]})
    assert model.unseen(later).tolist() == [[True, False], [False, False]]
    assert model.predict(later).tolist()[1] == "yes"
