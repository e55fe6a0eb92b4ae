"""Naive Bayes against Weka's accuracies on training rows, and against the formula by hand."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from algorithms.baselines.naive_bayes import NaiveBayesClassifier
from algorithms.data_set import MISSING, Attribute, AttributeKind, DataSet
from tests.oracles.uci_files import nominal_data_set, rows_of_file

SETS = {
    "balance-scale-nominal": ("balance-scale/balance-scale.data", False),
    "balance-scale-numeric": ("balance-scale/balance-scale.data", True),
    "car": ("car/car.data", False),
    "tic-tac-toe": ("tic-tac-toe/tic-tac-toe.data", False),
    "monks-1-train": ("monks-1/monks-1.train", False),
    "house-votes-84": ("house-votes-84/house-votes-84.data", False),
    "soybean-small": ("soybean-small/soybean-small.data", False),
    "zoo-nominal": ("zoo/zoo.data", False),
    "kr-vs-kp": ("kr-vs-kp/kr-vs-kp.data", False),
    "seeds": ("seeds/seeds_dataset.txt", True),
    "ecoli": ("ecoli/ecoli.data", True),
    "diabetes": ("pima/pima-indians-diabetes.data", True),
    "winequality-red": ("winequality-red/winequality-red.csv", True),
}


@pytest.mark.parametrize("name", SETS)
def test_accuracies_on_training_rows_are_wekas(shared: Path, name: str) -> None:
    with (shared / "notes" / "weka_reference.csv").open(newline="") as lines:
        (expected,) = (
            float(row["accuracy"])
            for row in csv.DictReader(lines)
            if (row["dataset"], row["algorithm"], row["protocol"]) == (name, "NaiveBayes", "train")
        )
    file, numeric = SETS[name]
    names, rows = rows_of_file(shared, file)
    data = nominal_data_set(names, rows, missing=["?"], numeric=names if numeric else ())
    model = NaiveBayesClassifier().fit(data)
    right = model.predict(data) == np.array(data.classes)[data.decisions]
    assert f"{100 * right.mean():.4f}" == f"{expected:.4f}"


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
    asked = DataSet(
        attributes, (np.array([0, MISSING], np.int32), np.array([4.0, np.nan])), ("no", "yes"), np.zeros(2, np.int32)
    )
    found = model.predict_proba(asked)
    np.testing.assert_allclose(found, [[no / (no + yes), yes / (no + yes)], [4 / 7, 3 / 7]], rtol=1e-9)


def test_a_label_that_training_did_not_have_says_nothing() -> None:
    model = NaiveBayesClassifier().fit([["a", 1.0], ["a", 2.0], ["b", 5.0]], [0, 1, 1])
    np.testing.assert_array_equal(model.predict_proba([["z", 2.0]]), model.predict_proba([[None, 2.0]]))


def test_an_attribute_that_is_all_missing_says_nothing() -> None:
    model = NaiveBayesClassifier().fit([[np.nan], [np.nan], [np.nan]], [0, 1, 1])
    np.testing.assert_allclose(model.predict_proba([[3.0], [np.nan]])[1], [2 / 5, 3 / 5])
