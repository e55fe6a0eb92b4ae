"""Every estimator against scikit-learn's own checks."""

from __future__ import annotations

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from algorithms.baselines.naive_bayes import NaiveBayesClassifier
from algorithms.baselines.one_hot_classifiers import MLPClassifier, RandomForestClassifier, SVMClassifier
from algorithms.baselines.random_tree import RandomTreeClassifier
from algorithms.induction.cart import CARTClassifier

ESTIMATORS = [
    CARTClassifier(),
    RandomTreeClassifier(),
    NaiveBayesClassifier(),
    SVMClassifier(),
    RandomForestClassifier(trees=10),
    MLPClassifier(epochs=50),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_finds_an_estimator(estimator: Any, check: Any) -> None:
    check(estimator)
