"""Every estimator against scikit-learn's own checks."""

from __future__ import annotations

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from algorithms.baselines.naive_bayes import NaiveBayesClassifier
from algorithms.baselines.one_hot_classifiers import MLPClassifier, RandomForestClassifier, SVMClassifier
from algorithms.baselines.random_tree import RandomTreeClassifier
from algorithms.induction.c45 import C45Classifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.generate_tree import GenerateTreeClassifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier
from algorithms.induction.pruned import CostComplexityClassifier, PessimisticClassifier, ReducedErrorClassifier
from algorithms.rules.rule_classifiers import SequentialCoveringClassifier, TreeRulesClassifier

ESTIMATORS = [
    C45Classifier(),
    CARTClassifier(),
    GenerateTreeClassifier(),
    GenerateTreeClassifier(pruning_share=0.3, min_share=0.05),
    PessimisticClassifier(),
    ReducedErrorClassifier(),
    CostComplexityClassifier(),
    LogisticTreeClassifier(),
    RandomTreeClassifier(),
    NaiveBayesClassifier(),
    SVMClassifier(),
    RandomForestClassifier(trees=10),
    MLPClassifier(epochs=50),
    SequentialCoveringClassifier(),
    TreeRulesClassifier(),
]

WEIGHT_CHECK = "check_sample_weight_equivalence_on_dense_data"


def fails_by_nature(estimator: Any) -> dict[str, str]:
    """Checks that an estimator cannot pass, and why."""
    if isinstance(estimator, RandomForestClassifier):
        return {WEIGHT_CHECK: "as in scikit-learn, two rows are not drawn as one of weight 2"}
    if getattr(estimator, "pruning_share", 0) or getattr(estimator, "folds", 0):
        return {WEIGHT_CHECK: "a row that weighs two is on one side of a split of the rows; two rows may be on both"}
    return {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=fails_by_nature)
def test_scikit_learn_finds_an_estimator(estimator: Any, check: Any) -> None:
    check(estimator)
