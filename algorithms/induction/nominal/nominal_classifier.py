"""The base class of estimators over nominal attributes."""

from __future__ import annotations

from typing import ClassVar

from algorithms.estimator import estimator
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.inputs import Nominal


@estimator
class NominalClassifier(TreeClassifier):
    """An estimator that treats each distinct number as a label, so that `categorical_features` has no meaning."""

    handles_numeric: ClassVar[bool] = False
    categorical_features: ClassVar[Nominal] = "auto"  # type: ignore[misc]
