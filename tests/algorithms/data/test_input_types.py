"""Types of values that lose or change them where they are read as float64: kept apart, read as missing, or refused."""

from __future__ import annotations

import ctypes
import warnings
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from algorithms.data.data_set import AttributeKind
from algorithms.data.data_set_of import data_set_of
from algorithms.induction.id3 import ID3Classifier

pd = pytest.importorskip("pandas")

NEIGHBOURS = [2**53, 2**53 + 1]
BEYOND = r"column '.*' of X holds integers beyond 2\*\*53, which float64 cannot always tell apart: convert the column"


@pytest.mark.parametrize(
    "rows",
    [
        np.array(NEIGHBOURS)[:, None],
        np.array([[0, 2**64 - 1], [1, 1]], np.uint64),
        [[-(2**53) - 1], [1]],
        pd.DataFrame({"a": NEIGHBOURS}),
        pa.table({"a": pa.array([2**64 - 1, 1], pa.uint64())}),
        pa.table({"a": pa.array([Decimal(2**53), Decimal(2**53 + 1)])}),
        pd.DataFrame({"a": [Decimal(10**30), Decimal(1)]}),
        [[2**70], [None]],
        pd.DataFrame({"a": pd.Series([2**63, 1], dtype=object)}),
    ],
    ids=lambda rows: type(rows).__name__,
)
def test_integers_that_float64_does_not_tell_apart_are_refused(rows: Any) -> None:
    with pytest.raises(ValueError, match=BEYOND):
        data_set_of(rows, [0, 1])


def test_integers_that_float64_holds_are_numbers() -> None:
    for rows in (np.array([[2**53], [-(2**53)]]), pd.DataFrame({"a": [2**53, -(2**53)]})):
        assert data_set_of(rows, [0, 1]).values().tolist() == [[2.0**53], [-(2.0**53)]]
    assert data_set_of(pa.table({"a": [Decimal("1.5"), None]}), [0, 1]).incomplete == (0,)
    assert data_set_of(pa.table({"a": [Decimal(2**53), None]}), [0, 1]).columns[0][0] == 2.0**53


def test_categories_of_large_integers_stay_apart_in_any_order() -> None:
    model = ID3Classifier().fit(pd.DataFrame({"a": pd.Categorical(NEIGHBOURS)}), ["even", "odd"])
    assert model.attributes_[0].labels == ("9007199254740992", "9007199254740993")
    for given in (NEIGHBOURS[::-1], NEIGHBOURS[1:]):
        expected = ["odd" if number % 2 else "even" for number in given]
        assert model.predict(pd.DataFrame({"a": pd.Categorical(given, categories=given)})).tolist() == expected
    assert model.predict(pd.DataFrame({"a": [2.0**53]})).tolist() == ["even"]


def test_masked_cells_are_missing() -> None:
    masked = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    np.testing.assert_array_equal(data_set_of(masked, [0, 1]).values(), [[1, np.nan], [3, 4]])
    flags = np.ma.array([[True], [False], [True]], mask=[[False], [False], [True]])
    read = data_set_of(flags, [0, 1, 1])
    assert read.attributes[0].kind is AttributeKind.NOMINAL
    assert read.columns[0].tolist() == [1, 0, -1]


@pytest.mark.parametrize("kind", ["datetime64[D]", "timedelta64[s]"])
def test_arrays_of_dates_and_times_are_refused(kind: str) -> None:
    with pytest.raises(
        TypeError, match=r"X holds (datetime|timedelta)64.*convert it; dates and times can become numbers"
    ):
        data_set_of(np.array([[1], ["NaT"]], kind), [0, 1])


def test_the_refusal_of_a_date_shows_how_to_make_it_a_number() -> None:
    X = pd.DataFrame({"day": pd.to_datetime(["1970-01-01", "2024-02-29", None])})
    with pytest.raises(TypeError, match="in pandas by ") as refused:
        data_set_of(X, [0, 1, 1])
    X["day"] = eval(str(refused.value).partition("in pandas by ")[2], {"X": X, "pd": pd})
    np.testing.assert_array_equal(data_set_of(X, [0, 1, 1]).values(), [[0], [19782], [np.nan]])


@pytest.mark.parametrize(
    ("rows", "labels", "dates", "warned"),
    [(38, 20, True, True), (38, 20, False, True), (40, 20, True, False), (20, 19, True, False)],
)
def test_a_column_with_a_label_for_most_rows_is_warned_of(rows: int, labels: int, dates: bool, warned: bool) -> None:
    days = pd.date_range("1970-01-02", periods=labels).astype(str) if dates else [str(day + 1) for day in range(labels)]
    X = pd.DataFrame({"day": [days[row % labels] for row in range(rows)]})
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        data_set_of(X, np.arange(rows) % 2)
    assert len(found) == warned
    for message in (str(warning.message) for warning in found):
        assert message.startswith(f"column 'day' of X has {labels} labels in {rows} rows, and a split may have")
        assert eval(message.partition("in pandas by ")[2], {"X": X, "pd": pd})[0] == 1


@pytest.mark.parametrize(("numbers", "texts", "warned"), [(19, ["?"], True), (20, [], False), (19, ["?", "-"], False)])
def test_a_column_of_numbers_with_a_few_texts_is_warned_of(numbers: int, texts: list[str], warned: bool) -> None:
    X = pd.DataFrame({"age": 3 * [*map(str, range(numbers)), *texts]})
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        data_set_of(X, np.arange(len(X)) % 2)
    assert len(found) == warned
    for message in (str(warning.message) for warning in found):
        assert message.startswith("column 'age' of X is text because of '?', but 19 of its 20 labels are numbers")
        assert eval(message.partition("in pandas by ")[2], {"X": X, "pd": pd}).isna().sum() == 3


def test_a_category_without_values_is_missing() -> None:
    empty = pd.DataFrame({"a": pd.Series([None, None], dtype="category")})
    assert data_set_of(empty, [0, 1]).incomplete == (0,)


def test_sparse_columns_of_a_frame_are_read() -> None:
    sparse = pd.DataFrame({"a": pd.arrays.SparseArray([0, 3]), "b": pd.arrays.SparseArray([True, False])})
    read = data_set_of(sparse, [0, 1])
    assert read.values().tolist() == [[0, 1], [3, 0]]
    assert [attribute.kind.value for attribute in read.attributes] == ["numeric", "nominal"]


def test_numpys_strings_of_any_length_are_text() -> None:
    rows = np.array([["x"], ["longer"], [None]], np.dtypes.StringDType(na_object=None))
    data = data_set_of(rows, np.array(["a", "b", "a"], np.dtypes.StringDType()))
    assert data.attributes[0].labels == ("longer", "x")
    assert data.columns[0].tolist() == [1, 0, -1]
    assert data.classes == ("a", "b")


def test_text_that_is_no_unicode_names_its_column() -> None:
    with pytest.raises(TypeError, match=r"column 'f1' of X .* not of one readable type.*surrogates not allowed"):
        data_set_of([["\ud800"], ["b"]], [0, 1])


@pytest.mark.parametrize(
    ("kind", "classes"),
    [
        ("Int64", NEIGHBOURS),
        ("int64[pyarrow]", NEIGHBOURS),
        ("uint8[pyarrow]", [0, 1]),
        ("boolean", [False, True]),
        ("bool[pyarrow]", [False, True]),
        ("category", [False, True]),
    ],
)
def test_classes_of_pandas_types_stay_as_they_are(kind: str, classes: list[Any]) -> None:
    model = ID3Classifier().fit([["a"], ["b"]], pd.Series(classes, dtype=kind))
    assert repr(model.predict([["a"], ["b"]]).tolist()) == repr(classes)
    with pytest.raises(ValueError, match="y contains NaN"):
        model.fit([["a"], ["b"]], pd.Series([classes[0], None], dtype=kind))


def test_rows_of_a_type_that_arrow_does_not_read_are_refused() -> None:
    class Unread:
        """As a polars frame of 128-bit integers."""

        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            raise pa.ArrowInvalid("Invalid or unsupported format string: '_pli128'")

    with pytest.raises(
        TypeError, match=r"X is a Unread with values that pyarrow does not know: .* convert it.*_pli128"
    ):
        data_set_of(Unread(), [0, 1])


def test_rows_that_only_numpy_knows_as_a_sequence_are_read() -> None:
    rows = ((ctypes.c_double * 2) * 3)((1, 2), (3, 4), (5, 6))
    assert ID3Classifier().fit(rows, [0, 1, 0]).predict(rows).tolist() == [0, 1, 0]


@pytest.mark.parametrize("weight", [2, 0.5, Fraction(1, 2), Decimal("0.5"), np.float32(0.5)])
def test_one_number_is_the_weight_of_each_row(weight: Any) -> None:
    model = ID3Classifier().fit([["a"], ["b"], ["b"]], [0, 1, 0], sample_weight=weight)
    assert model.tree_.counts.tolist()[0] == [2 * float(weight), float(weight)]
