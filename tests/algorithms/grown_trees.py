"""The trees of estimators as functions of a data set and the weights of its rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.data.data_set import DataSet
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.induction.c45 import C45Classifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.did import DIDClassifier
from algorithms.induction.generate_tree import GenerateTreeClassifier
from algorithms.induction.id3 import GainRatioClassifier, ID3Classifier
from algorithms.induction.look_ahead import LookAheadClassifier
from algorithms.induction.mid_level import MidLevelClassifier
from algorithms.trees.decision_tree import DecisionTree


def grown_by(kind: type[TreeClassifier]) -> Callable[..., DecisionTree]:
    def grow(data: DataSet, weights: np.ndarray | None = None, **parameters: Any) -> DecisionTree:
        return kind(**parameters).fit(data, sample_weight=weights).tree_

    return grow


c45_tree = grown_by(C45Classifier)
cart_tree = grown_by(CARTClassifier)
did_tree = grown_by(DIDClassifier)
gain_ratio_tree = grown_by(GainRatioClassifier)
generate_tree = grown_by(GenerateTreeClassifier)
id3_tree = grown_by(ID3Classifier)
look_ahead_tree = grown_by(LookAheadClassifier)
mid_level_tree = grown_by(MidLevelClassifier)
