"""Every estimator against scikit-learn's own checks."""

from __future__ import annotations

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from algorithms.baselines.naive_bayes import NaiveBayesClassifier
from algorithms.baselines.one_hot_classifiers import MLPClassifier, RandomForestClassifier, SVMClassifier
from algorithms.baselines.random_tree import RandomTreeClassifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier

ESTIMATORS = [
    CARTClassifier(),
    LogisticTreeClassifier(),
    RandomTreeClassifier(),
    NaiveBayesClassifier(),
    SVMClassifier(),
    RandomForestClassifier(trees=10),
    MLPClassifier(epochs=50),
]

BY_CHANCE = {
    RandomForestClassifier: {
        "check_sample_weight_equivalence_on_dense_data": "as in scikit-learn, two rows are not drawn as one of weight 2"
    }
}
"""Checks that an estimator cannot pass, and why."""


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda estimator: BY_CHANCE.get(type(estimator), {}))
def test_scikit_learn_finds_an_estimator(estimator: Any, check: Any) -> None:
    check(estimator)
