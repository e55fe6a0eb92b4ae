"""What every estimator of attributes of both kinds does with missing values, labels never seen, and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.base import clone

from algorithms.baselines.naive_bayes import NaiveBayesClassifier
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.optimal.mio.mio_classifiers import OCTFlowClassifier, OCTMIOClassifier
from tests.algorithms.estimators import OF_BOTH_KINDS as ESTIMATORS

PROGRAMMES = [
    OCTMIOClassifier(max_depth=1, start="cart"),
    OCTFlowClassifier(max_depth=1, start="cart", thresholds=3),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
@pytest.mark.parametrize("beside", [{}, {"size": [1.0, 2.0, 3.0, 4.0]}], ids=["alone", "beside another"])
@pytest.mark.parametrize("held", [pa.string(), pa.float64()], ids=str)
def test_an_attribute_that_is_all_missing_decides_nothing(estimator: Any, beside: dict[str, Any], held: Any) -> None:
    rows = pa.table({"lost": pa.nulls(4, held)} | beside)
    model = clone(estimator)
    if not model.handles_missing:
        with pytest.raises(ValueError, match="attribute 'lost' has 4 missing values"):
            model.fit(rows, ["a", "b", "b", "b"])
        return
    if isinstance(model, EVOTreeClassifier) and not beside:
        with pytest.raises(ValueError, match="no attribute has two values in the 4 rows"):
            model.fit(rows, ["a", "b", "b", "b"])
        return
    model.fit(rows, ["a", "b", "b", "b"])
    expected = [] if beside else ["b"] * 4
    assert model.predict(rows).tolist()[: len(expected)] == expected
    assert model.predict_proba(rows).shape == (4, 2)
    there = pa.table({"lost": ["now"] * 4 if held == pa.string() else [7.0] * 4} | beside)
    np.testing.assert_allclose(model.predict_proba(there), model.predict_proba(rows))


@pytest.mark.parametrize("estimator", [*ESTIMATORS, *PROGRAMMES], ids=str)
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
    np.testing.assert_allclose(model.predict_proba(later).sum(axis=1), 1)


def test_naive_bayes_distinguishes_numbers_of_any_size() -> None:
    numbers = np.array([1.0, 2.0, 3.0, 11.0, 12.0, 13.0])[:, None]
    labels = ["low"] * 3 + ["high"] * 3
    for scale in (1e-200, 1.0, 1e200):
        assert NaiveBayesClassifier().fit(numbers * scale, labels).predict(numbers * scale).tolist() == labels
