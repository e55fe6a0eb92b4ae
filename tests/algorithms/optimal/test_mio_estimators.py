"""The estimators of mixed-integer programmes on labels and numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.base import clone

from algorithms.optimal.mio.mio_classifiers import OCTFlowClassifier, OCTMIOClassifier

ESTIMATORS = [
    OCTMIOClassifier(max_depth=1, start="cart"),
    OCTFlowClassifier(max_depth=1, start="cart", thresholds=3),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_labels_and_numbers_together_and_what_was_never_seen(estimator: Any) -> None:
    generator = np.random.default_rng(0)
    colours, sizes = generator.choice(["red", "green", "blue"], 60), generator.integers(0, 9, 60).astype(float)
    classes = np.where((colours == "red") | (sizes > 6), "yes", "no")
    rows = pa.table({"colour": colours, "size": sizes})
    model = clone(estimator).fit(rows, classes)
    assert (model.predict(rows) == classes).mean() > 0.75
    later = pa.table({"colour": ["mauve", "red"], "size": [1.0, 1.0]})
    assert model.unseen(later).tolist() == [[True, False], [False, False]]
    assert model.predict(later).tolist()[1] == "yes"
