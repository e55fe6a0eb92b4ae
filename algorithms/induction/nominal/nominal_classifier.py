"""What estimators of trees over nominal attributes have in common."""

from __future__ import annotations

from typing import ClassVar

from algorithms.estimator import estimator
from algorithms.induction.tree_classifier import TreeClassifier
from algorithms.inputs import Nominal

__all__ = ["NominalClassifier"]


@estimator
class NominalClassifier(TreeClassifier):
    """An estimator to which each distinct number is a label, so that it is not asked which columns are nominal."""

    handles_numeric: ClassVar[bool] = False
    categorical_features: ClassVar[Nominal] = "auto"  # type: ignore[misc]
