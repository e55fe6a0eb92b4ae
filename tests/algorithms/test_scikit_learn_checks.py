"""All of scikit-learn's estimator checks for every estimator, and those that one cannot pass, with reasons."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import check_estimator

from algorithms.baselines.one_hot_classifiers import RandomForestClassifier
from algorithms.optimal.mio.mio_classifiers import OCTFlowClassifier, OCTMIOClassifier
from algorithms.optimal.tuned_oct import TunedOCTClassifier
from tests.algorithms.estimators import CHECKED, every_estimator

WEIGHTS = "check_sample_weight_equivalence_on_dense_data"
CLASS_WEIGHTS = "check_class_weight_classifiers"

SEPARATE = {
    "CARTClassifier",
    "EVOTreeFrontClassifier",
    "GenerateTreeClassifier",
    "LicketySPLITClassifier",
    "LogisticTreeClassifier",
    "OCTClassifier",
    "RandomTreeClassifier",
    "RashomonClassifier",
    "SPLITClassifier",
    "T2Classifier",
    "T3CClassifier",
    "T3Classifier",
    "TreeRulesClassifier",
}
"""Estimators whose trees separate rows of a light class, which costs the heavy class nothing."""


def expected_failures(estimator: Any) -> dict[str, str]:
    """The checks that an estimator cannot pass, and why."""
    result = {}
    apart = getattr(estimator, "pruning_share", 0) or getattr(estimator, "folds", 0)
    if type(estimator).__name__ in SEPARATE and not apart:
        result[CLASS_WEIGHTS] = "rows of a light class that can be told apart are, at no cost to the heavy class"
    if isinstance(estimator, OCTMIOClassifier | OCTFlowClassifier):
        result[CLASS_WEIGHTS] = "weights of 1 and ten millions are refused: solvers have tolerances"
        result["check_classifiers_train"] = (
            "one split, which a solver proves at once, does not tell three classes apart"
        )
    if isinstance(estimator, RandomForestClassifier):
        result[WEIGHTS] = "as in scikit-learn, two rows are not drawn as one of weight 2"
    if apart or isinstance(estimator, TunedOCTClassifier):
        result[WEIGHTS] = "a row of weight 2 is on one side of a split of the rows; two rows may be on both"
    return result


@pytest.mark.parametrize("estimator", CHECKED, ids=str)
def test_scikit_learn_accepts(estimator: Any) -> None:
    expected = expected_failures(estimator)
    results = check_estimator(estimator, expected_failed_checks=expected, on_skip=None)
    assert {result["check_name"] for result in results if result["status"] == "xfail"} == set(expected)


def test_every_estimator_is_checked() -> None:
    assert {type(estimator) for estimator in CHECKED} == set(every_estimator())
