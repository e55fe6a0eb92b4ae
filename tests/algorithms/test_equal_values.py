"""Every estimator reads equal values in every type that holds them, and refuses text for numbers and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from algorithms.baselines.one_hot_classifiers import SVMClassifier
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from algorithms.evolutionary.stream import EVOTreeStreamClassifier
from algorithms.induction.c45 import C45Classifier
from algorithms.induction.id3 import ID3Classifier
from tests.algorithms.estimators import every_estimator, quick

pd = pytest.importorskip("pandas")

NAMES = ["f1", "f2", "f3"]
BITS = np.array([[row >> index & 1 for index in range(3)] for row in range(8)] * 6)
CLASSES = np.where(BITS[:, 0] | (BITS[:, 1] & BITS[:, 2]), "yes", "no")


def frame_of(kind: Any, cells: Any = BITS) -> pd.DataFrame:
    return pd.DataFrame({name: pd.array(column, kind) for name, column in zip(NAMES, cells.T, strict=True)})


def categories(cells: Any) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Categorical(column) for name, column in zip(NAMES, cells.T, strict=True)})


NUMBERS = {
    "int8": BITS.astype(np.int8),
    "uint64": BITS.astype(np.uint64),
    "int64, by column": np.asfortranarray(BITS),
    "float32": BITS.astype(np.float32),
    "float64": BITS.astype(float),
    "object integers": BITS.astype(object),
    "object floats": BITS.astype(float).astype(object),
    "list of integers": BITS.tolist(),
    "pandas int64": frame_of("int64"),
    "pandas Int8": frame_of("Int8"),
    "pandas Float64": frame_of("Float64", BITS.astype(float)),
    "pandas object": frame_of("int64").astype(object),
    "categories of integers": categories(BITS),
    "categories of floats": categories(BITS.astype(float)),
    "arrow decimals": pa.table(
        {n: pa.array(c.tolist()).cast(pa.decimal128(20, 1)) for n, c in frame_of("int64").items()}
    ),
    "arrow nothing but numbers": pa.table(frame_of("float64")),
}
BOOLEANS = {
    "bool": BITS.astype(bool),
    "object booleans": BITS.astype(bool).astype(object),
    "list of booleans": BITS.astype(bool).tolist(),
    "pandas bool": frame_of("bool"),
    "pandas boolean": frame_of("boolean", BITS.astype(bool)),
    "pandas object booleans": frame_of("bool").astype(object),
    "categories of booleans": categories(BITS.astype(bool)),
    "arrow booleans": pa.table(frame_of("bool")),
}
TEXT = {
    "str": BITS.astype(str),
    "object text": BITS.astype(str).astype(object),
    "pandas text": frame_of("int64").astype(str),
    "pandas string": frame_of("string", BITS.astype(str)),
    "categories of text": categories(BITS.astype(str)),
    "arrow text": pa.table({name: pa.array(column.astype(str)) for name, column in zip(NAMES, BITS.T, strict=True)}),
}
FITTED = ["float64", "categories of integers", "bool", "categories of booleans", "str"]


@pytest.mark.filterwarnings("ignore:X .* feature names:UserWarning")
@pytest.mark.parametrize("fitted", FITTED)
@pytest.mark.parametrize("kind", [C45Classifier, ID3Classifier, SVMClassifier])
def test_equal_values_have_one_answer_and_text_is_none_of_numbers(kind: Any, fitted: str) -> None:
    """Of an estimator of numbers and labels, one of labels alone, and one that codes labels as numbers."""
    rows = (NUMBERS | BOOLEANS | TEXT)[fitted]
    model = kind().fit(rows, CLASSES)
    expected = model.predict(rows)
    equal, other = (TEXT, NUMBERS | BOOLEANS) if fitted in TEXT else (NUMBERS | BOOLEANS, TEXT)
    for form, given in equal.items():
        assert model.predict(given).tolist() == expected.tolist(), form
        assert not model.unseen(given).any(), form
    for given in other.values():
        with pytest.raises(ValueError, match=r"attribute 'f1' was fitted with .*: convert the column"):
            model.predict(given)


@pytest.mark.parametrize("kind", every_estimator())
def test_every_estimator_takes_equal_values_in_another_type(kind: Any) -> None:
    model = quick(kind).fit(BOOLEANS["bool"], CLASSES)
    expected = model.predict(BOOLEANS["bool"]).tolist()
    for given in (NUMBERS["int8"], BOOLEANS["list of booleans"]):
        assert model.predict(given).tolist() == expected
        assert not model.unseen(given).any()
    with pytest.raises(ValueError, match=r"attribute 'f1' was fitted with booleans .*: convert the column"):
        model.predict(TEXT["str"])


ONE = np.array([[0], [1], [1], [0]])


@pytest.mark.parametrize(
    ("fitted", "given", "words"),
    [
        (
            ONE.astype(bool),
            [["True"]],
            "attribute 'f1' was fitted with booleans such as 'False', but now has text such as 'True', which equals "
            "none of the values in fit: convert the column, for example X[:, 0] == 'True', or fit again with data of "
            "this kind",
        ),
        (
            pd.DataFrame({"age": ONE[:, 0]}),
            pd.DataFrame({"age": ["old"]}),
            "attribute 'age' was fitted with numbers, but now has text such as 'old', which equals none of the values "
            "in fit: convert the column, for example X['age'].astype(float), or fit again with data of this kind",
        ),
        (
            pd.DataFrame({"age": ["young", "old", "old", "young"]}),
            pd.DataFrame({"age": [3.5]}),
            "attribute 'age' was fitted with text such as 'old', but now has numbers such as 3.5, which equals none of "
            "the values in fit: convert the column, for example X['age'].astype(str), or fit again with data of this "
            "kind",
        ),
        (
            ONE.astype(bool),
            [[1], [2]],
            "attribute 'f1' was fitted with booleans such as 'False', but now has numbers such as 2, which equals none "
            "of the values in fit: convert the column, for example X[:, 0] == 1, or fit again with data of this kind",
        ),
    ],
)
def test_the_error_names_the_attribute_both_kinds_and_what_to_type(fitted: Any, given: Any, words: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the words follow
        C45Classifier().fit(fitted, [0, 1, 1, 0]).predict(given)
    assert str(caught.value) == words


@pytest.mark.parametrize("fitted", [ONE, ONE.astype(bool), ONE.astype(str)], ids=["numbers", "booleans", "text"])
@pytest.mark.parametrize(
    "lost", [pa.nulls(2), pa.nulls(2, pa.string()), pa.nulls(2, pa.bool_()), pa.array([None, np.nan])], ids=str
)
def test_a_column_without_values_is_missing_whatever_its_type(fitted: Any, lost: pa.Array) -> None:
    model = C45Classifier().fit(fitted, [0, 1, 1, 0])
    empty = model.predict_proba(pd.DataFrame({"f1": pd.array([pd.NA, pd.NA], "Int8")}).to_numpy(float, na_value=np.nan))
    with pytest.warns(UserWarning, match="feature names"):
        np.testing.assert_array_equal(model.predict_proba(pa.table({"f1": lost})), empty)


def labelled(*labels: str) -> DataSet:
    """A row of each label of an attribute of a data set, whose class is whether it is the first."""
    codes = np.arange(len(labels), dtype=np.int32)
    return DataSet(
        (Attribute("f1", AttributeKind.NOMINAL, labels),), (codes,), ("no", "yes"), (codes == 0).astype(np.int32)
    )


@pytest.mark.filterwarnings("ignore:X .* feature names:UserWarning")
def test_labels_of_a_file_stand_for_numbers_or_booleans_or_text() -> None:
    model = ID3Classifier().fit(labelled("1", "0"))
    for given in ([["1"], ["0"]], [[1], [0]], [[1.0], [0.0]], [[True], [False]], pa.table({"f1": [1, 0]})):
        assert model.predict(given).tolist() == ["yes", "no"]
    assert ID3Classifier().fit(labelled("1.0", "2.50")).predict([[2.5], [1]]).tolist() == ["no", "yes"]
    assert ID3Classifier().fit(labelled("True", "False")).predict([[1], [0]]).tolist() == ["yes", "no"]
    for given, what in (([[1]], "numbers such as 1"), ([[True]], "booleans such as True")):
        with pytest.raises(ValueError, match=f"fitted with labels of a data set such as 'red', but now has {what}"):
            ID3Classifier().fit(labelled("red", "blue")).predict(given)
    nominal = ID3Classifier().fit(ONE.astype(bool), ["no", "yes", "yes", "no"])
    assert nominal.predict(labelled("1", "0")).tolist() == nominal.predict(labelled("True", "False")).tolist()
    assert nominal.predict(labelled("1", "0")).tolist() == ["yes", "no"]
    with pytest.raises(ValueError, match="fitted with booleans such as 'False', but now has labels of a data set"):
        nominal.predict(labelled("1", "0", "maybe"))
    numeric = C45Classifier().fit(ONE, ["no", "yes", "yes", "no"])
    with pytest.raises(ValueError, match="fitted with numbers, but now has labels of a data set such as '1'"):
        numeric.predict(labelled("1", "0"))
    lost = DataSet(labelled("x").attributes, (np.full(1, MISSING, np.int32),), ("no",), np.zeros(1, np.int32))
    np.testing.assert_array_equal(numeric.predict_proba(lost), numeric.predict_proba([[np.nan]]))


def test_numbers_that_were_not_there_are_unseen_and_not_an_error() -> None:
    model = ID3Classifier().fit(ONE, [0, 1, 1, 0])
    assert model.unseen([[1], [7]]).tolist() == [[False], [True]]
    assert model.unseen([[True], [False]]).tolist() == [[False], [False]]


def test_later_batches_of_a_stream_may_hold_equal_values_in_another_type() -> None:
    model = EVOTreeStreamClassifier(individuals=50, generations=20)
    model.partial_fit(BITS.astype(bool), CLASSES, classes=["no", "yes"])
    model.partial_fit(BITS, CLASSES)
    assert model.score(BITS, CLASSES) == model.score(BITS.astype(bool), CLASSES) == 1.0
    with pytest.raises(ValueError, match="fitted with booleans"):
        model.partial_fit(BITS.astype(str), CLASSES)
