"""The nominal builders as estimators: values not seen in training, and numbers."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.induction.did import DIDClassifier
from algorithms.induction.id3 import GainRatioClassifier, ID3Classifier
from algorithms.induction.look_ahead import LookAheadClassifier
from algorithms.induction.mid_level import MidLevelClassifier
from algorithms.trees.arrays import NodeKind

KINDS = [ID3Classifier, GainRatioClassifier, DIDClassifier, LookAheadClassifier, MidLevelClassifier]


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_not_seen_gets_the_most_common_class(kind: type[TreeClassifier]) -> None:
    rows, classes = [["x", "p"], ["y", "p"], ["y", "q"], ["y", "p"]], ["no", "yes", "yes", "yes"]
    fitted = kind().fit(rows, classes)
    assert fitted.tree_.attribute[0] == 0
    assert fitted.predict([["z", "p"], ["x", "z"]]).tolist() == ["yes", "no"]
    np.testing.assert_array_equal(fitted.predict_proba([["z", "p"]]), [[0.25, 0.75]])
    with pytest.raises(NotFittedError):
        kind().predict(rows)


@pytest.mark.parametrize("kind", KINDS)
def test_a_distinct_number_is_a_label(kind: type[TreeClassifier]) -> None:
    tree = kind().fit(np.array([[1.5], [2.5], [7.0], [2.5]]), [0, 1, 0, 1]).tree_
    assert tree.kind.tolist() == [NodeKind.CODES, *[NodeKind.TERMINAL] * 3]
