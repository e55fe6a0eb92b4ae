"""Every estimator of the library: found by what it extends, and in the variants that scikit-learn checks."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import algorithms
from algorithms.baselines.naive_bayes import NaiveBayesClassifier
from algorithms.baselines.one_hot_classifiers import MLPClassifier, RandomForestClassifier, SVMClassifier
from algorithms.baselines.random_tree import RandomTreeClassifier
from algorithms.estimators.data_set_classifier import DataSetClassifier
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.evolutionary.front import EVOTreeFrontClassifier
from algorithms.evolutionary.stream import EVOTreeStreamClassifier
from algorithms.induction.c45 import C45Classifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.did import DIDClassifier
from algorithms.induction.generate_tree import GenerateTreeClassifier
from algorithms.induction.id3 import GainRatioClassifier, ID3Classifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier
from algorithms.induction.look_ahead import LookAheadClassifier
from algorithms.induction.mid_level import MidLevelClassifier
from algorithms.induction.pruned import CostComplexityClassifier, PessimisticClassifier, ReducedErrorClassifier
from algorithms.induction.tuned_cart import TunedCARTClassifier
from algorithms.optimal.lookahead.split_classifiers import LicketySPLITClassifier, SPLITClassifier
from algorithms.optimal.mio.mio_classifiers import OCTFlowClassifier, OCTMIOClassifier
from algorithms.optimal.rashomon_classifier import RashomonClassifier
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.t3.classifiers import T2Classifier, T3CClassifier, T3Classifier
from algorithms.optimal.tuned_oct import TunedOCTClassifier
from algorithms.rules.rule_classifiers import SequentialCoveringClassifier, TreeRulesClassifier

__all__ = ["CHECKED", "OF_BOTH_KINDS", "every_estimator", "quick"]

OF_BOTH_KINDS: list[Any] = [
    C45Classifier(),
    CARTClassifier(),
    GenerateTreeClassifier(),
    GenerateTreeClassifier(pruning_share=0.3, min_share=0.05),
    PessimisticClassifier(),
    ReducedErrorClassifier(),
    CostComplexityClassifier(),
    TunedCARTClassifier(),
    TunedOCTClassifier(max_depth=2),
    LogisticTreeClassifier(),
    RandomTreeClassifier(),
    NaiveBayesClassifier(),
    SVMClassifier(),
    RandomForestClassifier(trees=10),
    MLPClassifier(epochs=50),
    SequentialCoveringClassifier(),
    TreeRulesClassifier(),
    T2Classifier(),
    T3Classifier(),
    T3CClassifier(max_depth=2, method="exhaustive"),
    EVOTreeClassifier(individuals=100, generations=100),
    EVOTreeClassifier(individuals=100, generations=30, leaf_labels="majority", missing="fill"),
    EVOTreeFrontClassifier(individuals=50, generations=30),
    EVOTreeStreamClassifier(individuals=100),
]
"""Estimators of nominal and numeric attributes that need no solver and prove nothing at length."""

CHECKED: list[Any] = [
    *OF_BOTH_KINDS,
    ID3Classifier(),
    GainRatioClassifier(),
    DIDClassifier(),
    LookAheadClassifier(),
    MidLevelClassifier(),
    OCTClassifier(),
    SPLITClassifier(),
    LicketySPLITClassifier(),
    RashomonClassifier(max_depth=2),
    OCTMIOClassifier(max_depth=1, start="cart"),
    OCTFlowClassifier(max_depth=1, start="cart", thresholds=3),
]
"""Every estimator, for scikit-learn to check."""

QUICK = {
    "EVOTreeClassifier": {"individuals": 40, "generations": 10},
    "EVOTreeFrontClassifier": {"individuals": 40, "generations": 10},
    "EVOTreeStreamClassifier": {"individuals": 40},
    "MLPClassifier": {"epochs": 20},
    "OCTFlowClassifier": {"max_depth": 1, "start": "cart", "thresholds": 3},
    "OCTMIOClassifier": {"max_depth": 1, "start": "cart"},
    "OCTClassifier": {"max_depth": 2},
    "RashomonClassifier": {"max_depth": 2},
    "RandomForestClassifier": {"trees": 5},
    "TunedOCTClassifier": {"max_depth": 2},
}
"""Parameters with which an estimator is fitted in little time."""


def quick(kind: type[DataSetClassifier], **parameters: Any) -> Any:
    """An estimator that is fitted in little time."""
    return kind(**QUICK.get(kind.__name__, {}), **parameters)


def every_estimator() -> list[type[DataSetClassifier]]:
    """The classes that can be made and fitted, by name."""
    for module in pkgutil.walk_packages(algorithms.__path__, "algorithms."):
        if ".kernels" not in module.name and not module.name.startswith(("algorithms.optimal.mio.", "algorithms._")):
            import_module(module.name)
    result = {kind for kind in _below(DataSetClassifier) if kind.__module__.startswith("algorithms.")}
    return sorted((kind for kind in result if not inspect.isabstract(kind)), key=lambda kind: kind.__name__)


def _below(kind: type[DataSetClassifier]) -> Iterator[type[DataSetClassifier]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)
