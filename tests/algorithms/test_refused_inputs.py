"""Rows, classes and weights that estimators refuse, and what they say."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.exceptions import NotFittedError

from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from tests.algorithms.input_forms import FORMS, LazyFrame, Recorder, Strict, data

pd = pytest.importorskip("pandas")

NOMINAL, NUMERIC = AttributeKind.NOMINAL, AttributeKind.NUMERIC
GOOD = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})


def one_label() -> DataSet:
    attributes = (Attribute("a", NOMINAL, ("1",)), Attribute("b", NUMERIC))
    return DataSet(attributes, (np.zeros(1, np.int32), np.zeros(1)), (), np.full(1, MISSING, np.int32))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (GOOD[["b", "a"]], "must be in the same order"),
        (GOOD.rename(columns={"a": "c"}), r"unseen at fit time:\n- c"),
        (GOOD[["a"]], "seen at fit time, yet now missing:\n- b"),
        (pd.DataFrame({"a": ["1"], "b": ["x"]}), "attribute 'a' was fitted with numbers, but now has text such as '1'"),
        (data(), "unseen at fit time:\n- colour"),
        (
            one_label(),
            "attribute 'a' was fitted with numbers, but now has labels of a data set such as '1'",
        ),
    ],
)
def test_other_columns_at_predict_are_refused(given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Recorder().fit(GOOD, [0, 1]).predict(given)


def test_columns_whose_names_are_numbers_keep_their_order() -> None:
    table = pd.DataFrame([range(12)])
    fitted = Recorder().fit(table, [0])
    with pytest.raises(ValueError, match="column 10 of X is 11, but in fit it was 10: expected the columns in"):
        fitted.predict(table[[*range(10), 11, 10]])
    assert fitted.predict(table.set_axis(range(7, 19), axis=1)) == 0  # as scikit-learn does


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (pa.table({"a": [[1]]}), TypeError, "column 'a' of X holds list<.*must be a string or a number"),
        (
            pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}),
            TypeError,
            "column 'a' of X holds timestamp.*convert it; dates",
        ),
        (
            np.array([[Decimal("Infinity")]], dtype=object),
            TypeError,
            "column 'f1' of X has values that are not of one readable type",
        ),
        (
            [["x"], [1.5]],
            TypeError,
            "column 'f1' of X has values that are not of one readable type: each value in this argument must be a",
        ),
        (
            pd.DataFrame({"a": ["?", 1]}),
            TypeError,
            "column 'a' .*Convert all values to numbers, with NaN .* or all values to text",
        ),
        (
            pd.DataFrame({"a": [1j]}),
            TypeError,
            "column 'a' of X holds complex128: each value in this argument must be a string or",
        ),
        (np.array([[10**400], [1]], object), ValueError, r"column 'f1' of X holds integers beyond 2\*\*53"),
        (pa.table({"a": [0.5, np.inf]}), ValueError, "Input X contains infinity: column 'a' has inf in row 1"),
        (np.array([[1, np.nan], [2, -np.inf]]), ValueError, "contains infinity: column 'f2' has -inf in row 1"),
        (pa.table({"a": pa.array([], pa.int8())}), ValueError, r"Found array with 0 sample\(s\)"),
        (pa.table({}), ValueError, r"Found array with 0 sample\(s\)"),
        (pd.DataFrame(index=[1, 2]), ValueError, r"Found array with 0 feature\(s\)"),
        (pa.table([[1], [2]], names=["a", "a"]), ValueError, "two columns of X are called 'a'"),
        ({"a": [1.0]}, TypeError, r"X is of type dict: expected an array or a data frame, .* pandas.DataFrame\(X\)"),
        (LazyFrame(), TypeError, r"X is of type LazyFrame: expected an array .* X.collect\(\) for a LazyFrame"),
        ("rows", TypeError, "X is of type str: expected an array or a data frame"),
        ({1, 2}, TypeError, "X is of type set: expected an array or a data frame"),
        ([[1, 2], [3]], ValueError, "rows of X differ in length: row 0 has 2 cells and row 1 has 1 cell. Expected a"),
        ([[1, [2]], [3, [4, 5]]], ValueError, "rows of X have cells that are lists of different lengths"),
    ],
)
def test_invalid_columns_are_refused(given: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Recorder().fit(given, [0] * len(given))


def test_missing_values_are_refused_by_attribute_where_they_are_not_handled() -> None:
    with pytest.raises(
        ValueError,
        match=r"attribute 'colour' has 1 missing value in 4 rows, the first in row 1\. Strict does",
    ):
        Strict().fit(FORMS["arrow"], [0, 1, 0, 1])
    made = Strict().fit([[1.0]], [0])
    with pytest.raises(ValueError, match="Input X contains NaN: attribute 'f1'"):
        made.predict([[np.nan]])


@pytest.mark.parametrize(
    ("X", "y", "weight", "words"),
    [
        ([[1], [2]], [0], None, "inconsistent numbers of samples"),
        ([[1], [2]], [0, np.nan], None, "Input y contains NaN"),
        (
            [[1], [2]],
            np.array(["a", np.nan], dtype=object),
            None,
            "Input y contains NaN: row 1 has nan instead of a class",
        ),
        (
            [[1], [2]],
            np.array([None, "a"], dtype=object),
            None,
            "Input y contains NaN: row 0 has None instead of a class",
        ),
        ([[1], [2]], pd.Series(["a", pd.NA]), None, "y contains NaN: row 1 has (nan|<NA>) instead of a class"),
        ([[1], [2]], ["a", np.nan], None, "y contains NaN: row 1 has nan instead of a class"),
        ([[1], [2]], ("1", 1), None, r"y is a list with text, and its row 1 is 1: .* with list\(map\(str, y\)\)"),
        ([[1], [2]], [0.5, 1.5], None, "Unknown label type: continuous"),
        ([[1], [2]], np.array(["2026-01-31", "NaT"], "datetime64[D]"), None, r"y holds datetime64\[D\]: expected text"),
        ([[1], [2]], None, None, "requires y to be passed"),
        ([[1], [2]], [0, 1], [1], r"sample_weight.shape == \(1,\), expected \(2,\)"),
        ([[1], [2]], [0, 1], [-1, 1], "Negative values in data passed to `sample_weight`"),
        (data(), [0, 1, 1, 0], None, "X is a data set, which already has classes"),
        (data(), None, [0, 0, 0, 1], "no row has a class and a positive weight"),
    ],
)
def test_classes_and_weights_that_do_not_fit_are_refused(X: Any, y: Any, weight: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Recorder().fit(X, y, weight)


@pytest.mark.parametrize("weights", [["a", "b"], {0: 1.0}, {1.0, 2.0}, np.array([1j, 2]), np.array([1, 2], "M8[s]")])
def test_weights_that_are_no_numbers_are_refused(weights: Any) -> None:
    with pytest.raises(TypeError, match=r"sample_weight is of type .*: expected a number of 0 or more for each row"):
        Recorder().fit([[1], [2]], [0, 1], weights)


def test_an_unfitted_estimator_cannot_predict() -> None:
    with pytest.raises(NotFittedError, match="Recorder instance is not fitted yet"):
        Recorder().predict([[1]])
