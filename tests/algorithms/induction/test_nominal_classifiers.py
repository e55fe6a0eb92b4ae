"""The nominal builders as estimators: their options, and values not seen in training."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from algorithms.induction.did import DIDClassifier, did_tree
from algorithms.induction.id3 import GainRatioClassifier, ID3Classifier, gain_ratio_tree, id3_tree
from algorithms.induction.look_ahead import LookAheadClassifier, look_ahead_tree
from algorithms.induction.mid_level import MidLevelClassifier, mid_level_tree
from algorithms.rule_sets import monks_2
from tests.algorithms.trees import as_oracle

ALL_OPTIONS: list[tuple[Any, Any, dict[str, Any]]] = [
    (ID3Classifier, id3_tree, {"stop_at_zero_gain": True}),
    (GainRatioClassifier, gain_ratio_tree, {}),
    (
        DIDClassifier,
        did_tree,
        {"orthogonality_weight": 0.25, "information_weight": 2.0, "distance": "mantaras", "restricted": False},
    ),
    (LookAheadClassifier, look_ahead_tree, {"depth": 3, "estimate": "path_length", "limit": 10**7}),
    (
        MidLevelClassifier,
        mid_level_tree,
        {"width": 3, "orthogonality_weight": 0.25, "information_weight": 2.0, "distance": "rokhlin", "limit": 10**7},
    ),
]


@pytest.mark.parametrize(("classifier", "builder", "options"), ALL_OPTIONS)
def test_options_reach_the_builder(classifier: Any, builder: Any, options: dict[str, Any]) -> None:
    data = monks_2().take(np.arange(0, 432, 3))
    fitted = classifier(**options).fit(data)
    assert as_oracle(fitted.tree_) == as_oracle(builder(data, **options))
    assert set(fitted.get_params()) == {*options, "class_weight"}
    assert (fitted.predict(data) == fitted.classes_[data.decisions]).mean() > 0.6
    plain = classifier().fit(data).get_params()
    for name, value in options.items():
        assert plain[name] != value


@pytest.mark.parametrize(("classifier", "builder", "options"), ALL_OPTIONS)
def test_a_value_not_seen_gets_the_most_common_class(classifier: Any, builder: Any, options: dict[str, Any]) -> None:
    rows, classes = [["x", "p"], ["y", "p"], ["y", "q"], ["y", "p"]], ["no", "yes", "yes", "yes"]
    fitted = classifier().fit(rows, classes)
    assert fitted.tree_.attribute[0] == 0
    assert fitted.predict([["z", "p"], ["x", "z"]]).tolist() == ["yes", "no"]
    np.testing.assert_array_equal(fitted.predict_proba([["z", "p"]]), [[0.25, 0.75]])
    with pytest.raises(NotFittedError):
        classifier().predict(rows)
