"""Every estimator against scikit-learn's own checks."""

from __future__ import annotations

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from algorithms.induction.c45 import C45Classifier
from algorithms.induction.cart import CARTClassifier

ESTIMATORS = [CARTClassifier(), C45Classifier()]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_finds_an_estimator(estimator: Any, check: Any) -> None:
    check(estimator)
