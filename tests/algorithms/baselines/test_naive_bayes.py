"""Naive Bayes against Weka's accuracies on training rows, and against the formula by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from algorithms.baselines.naive_bayes import NaiveBayesClassifier
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from tests.oracles.weka_reference import PROTOCOLS, ROUNDING, check_cross_validation, weka_data, weka_rows


def test_accuracies_on_training_rows_are_wekas(shared: Path) -> None:
    rows = weka_rows(shared, {"NaiveBayes"}, "train")
    assert len(rows) == 18
    for row in rows:
        data = weka_data(shared, row["dataset"])
        right = NaiveBayesClassifier().fit(data).predict(data) == np.array(data.classes)[data.decisions]
        assert 100 * right.mean() == pytest.approx(float(row["accuracy"]), abs=ROUNDING), row["dataset"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_accuracies_of_cross_validation_are_wekas(shared: Path, protocol: str) -> None:
    """By 5x2, diabetes, ecoli and winequality-red differ where the precision is the sum of divided gaps."""
    check_cross_validation(shared, "NaiveBayes", protocol, NaiveBayesClassifier())


def test_gaps_whose_sum_is_too_large_are_divided_first() -> None:
    model = NaiveBayesClassifier().fit([[-1.7e308], [0.0], [1.7e308]], ["low", "low", "high"])
    assert model.predict([[-1.7e308], [1.7e308]]).tolist() == ["low", "high"]


@pytest.mark.parametrize("number", [1e300, -1e300])
def test_a_large_number_in_all_rows_says_nothing(number: float) -> None:
    """A mean that was wrong by the last digit would be many deviations away from it."""
    model = NaiveBayesClassifier().fit([[number]] * 11, [0] * 5 + [1] * 6)
    np.testing.assert_allclose(model.predict_proba([[number]]), [[6 / 13, 7 / 13]])


def test_every_probability_by_hand() -> None:
    attributes = (
        Attribute("colour", AttributeKind.NOMINAL, ("red", "green", "blue")),
        Attribute("size", AttributeKind.NUMERIC),
    )
    columns = (np.array([0, 0, 1, MISSING], np.int32), np.array([1.0, 3, 7, np.nan]))
    data = DataSet(attributes, columns, ("no", "yes"), np.array([0, 0, 1, 1], np.int32))
    model = NaiveBayesClassifier().fit(data, sample_weight=[1, 2, 1, 1])
    # precision (2 + 4) / 2 = 3: the sizes are rounded to 0 (1/3 of a step), 3 and 6 (7/3 of a step)
    mean, deviation = 2.0, math.sqrt((1 * 4 + 2 * 1) / 3)

    def normal(low: float, high: float, mean: float, deviation: float) -> float:
        return (
            math.erf((high - mean) / deviation / math.sqrt(2)) - math.erf((low - mean) / deviation / math.sqrt(2))
        ) / 2

    no = 4 / 7 * (4 / 6) * normal(1.5, 4.5, mean, deviation)
    yes = 3 / 7 * (1 / 4) * normal(1.5, 4.5, 6, 0.5)  # one number: the least deviation, a sixth of the precision
    unknown = DataSet(
        attributes, (np.array([0, MISSING], np.int32), np.array([4.0, np.nan])), ("no", "yes"), np.zeros(2, np.int32)
    )
    probabilities = model.predict_proba(unknown)
    np.testing.assert_allclose(probabilities, [[no / (no + yes), yes / (no + yes)], [4 / 7, 3 / 7]], rtol=1e-9)


def test_of_equally_probable_classes_the_first_is_predicted_however_they_are_rounded() -> None:
    rows = [list("aab"), list("abb")]
    mirrored = [[third, first, second] for first, second, third in rows]
    model = NaiveBayesClassifier().fit(rows + mirrored, ["no"] * 2 + ["yes"] * 2)
    assert model.predict_proba([list("aaa")]) == pytest.approx(np.array([[0.5, 0.5]]))
    assert model.predict([list("aaa")]) == ["no"]


def test_a_label_that_training_did_not_have_says_nothing() -> None:
    model = NaiveBayesClassifier().fit([["a", 1.0], ["a", 2.0], ["b", 5.0]], [0, 1, 1])
    np.testing.assert_array_equal(model.predict_proba([["z", 2.0]]), model.predict_proba([[None, 2.0]]))
