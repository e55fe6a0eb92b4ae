"""Rows in every form a user may hold them: the same attributes, codes and missing values; and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.exceptions import NotFittedError

from algorithms.attributes.one_hot import OneHot, filled, usual_values
from algorithms.data_set import MISSING, Attribute, AttributeKind, DataSet, DataSetError, Matrix
from algorithms.data_set_classifier import DataSetClassifier
from algorithms.data_set_of import data_set_of
from algorithms.induction.c45 import C45Classifier
from algorithms.inputs import data_set_of_frame, frame_of
from algorithms.table import DecisionTable

pd = pytest.importorskip("pandas")

NOMINAL, NUMERIC = AttributeKind.NOMINAL, AttributeKind.NUMERIC


class Recorder(DataSetClassifier):
    """Remembers what it was given, and answers with the first class."""

    handles_missing = True

    def __init__(self, categorical_features: Any = "auto") -> None:
        self.categorical_features = categorical_features

    def _learn(self, data, weights) -> None:
        self.data_, self.weights_ = data, weights

    def _decisions(self, data):
        self.predicted_ = data
        return np.zeros(data.rows, np.int64)


class Strict(Recorder):
    handles_missing = False


class Coded(Recorder):
    handles_numeric = False


class LazyFrame:
    """The attribute by which a polars.LazyFrame is recognised."""

    def collect_schema(self) -> dict[str, type]:
        return {"a": float}

    def __len__(self) -> int:
        return 1


COLOURS, SIZES, OLD = ["red", None, "blue", "red"], [1.5, 2.0, np.nan, -3.0], [True, False, None, True]
ROWS = [list(row) for row in zip(COLOURS, SIZES, OLD, strict=True)]
NUMBERS = pa.array(SIZES, from_pandas=True)


def chunk(colour: str | None, size: float, old: bool | None) -> pa.Table:
    codes = pa.array([None if colour is None else ["blue", "red"].index(colour)], pa.int8())
    colours = pa.DictionaryArray.from_arrays(codes, ["blue", "red"])
    return pa.table({"colour": colours, "size": pa.array([size]), "old": pa.array([old], pa.bool_())})


class Stream:
    """Rows as a stream of chunks: dictionaries with nulls, and slices without rows that begin at the second row."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        codes = pa.array([[None, "blue", "red"].index(colour) for colour in COLOURS], pa.int8())
        colours = pa.DictionaryArray.from_arrays(codes, pa.array([None, "blue", "red"]))
        columns = {"colour": colours, "size": NUMBERS, "old": pa.array(OLD)}
        chunks = {name: pa.chunked_array([column[1:1], column[:1], column[1:]]) for name, column in columns.items()}
        return pa.table(chunks).__arrow_c_stream__(requested_schema)


FORMS = {
    "arrow": pa.table({"colour": COLOURS, "size": NUMBERS, "old": OLD}),
    "record batch": pa.record_batch({"colour": COLOURS, "size": NUMBERS, "old": OLD}),
    "chunks": pa.concat_tables(chunk(*row) for row in ROWS),
    "stream": Stream(),
    "pandas": pd.DataFrame({"colour": COLOURS, "size": SIZES, "old": pd.array(OLD, "boolean")}, index=[5, 5, 7, 1]),
    "pandas objects": pd.DataFrame({"colour": COLOURS, "size": SIZES, "old": OLD}, dtype=object),
    "pandas NA": pd.DataFrame(
        {
            "colour": pd.array(COLOURS, "string"),
            "size": pd.array([1.5, 2, None, -3], "Float64"),
            "old": pd.array(OLD, "boolean"),
        }
    ),
    "pandas categories": pd.DataFrame(
        {"colour": pd.Categorical(COLOURS, ["blue", "red"]), "size": SIZES, "old": pd.Categorical(OLD)}
    ),
    "rows": ROWS,
    "objects": np.array(ROWS, dtype=object),
}


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_give_one_data_set(form: str) -> None:
    made = Recorder().fit(FORMS[form], ["x", "y", "x", "x"])
    names = ("f1", "f2", "f3") if form in {"rows", "objects"} else ("colour", "size", "old")
    assert made.attributes_ == (
        Attribute(names[0], NOMINAL, ("blue", "red")),
        Attribute(names[1], NUMERIC),
        Attribute(names[2], NOMINAL, ("False", "True")),
    )
    expected = [[1, 1.5, 1], [np.nan, 2, 0], [0, np.nan, np.nan], [1, -3, 1]]
    np.testing.assert_array_equal(made.data_.values(), expected)
    assert made.data_.decisions.tolist() == [0, 1, 0, 0]
    assert made.data_.classes == ("x", "y")
    assert made.n_features_in_ == 3
    assert (
        (list(made.feature_names_in_) == list(names))
        if names[0] == "colour"
        else not hasattr(made, "feature_names_in_")
    )
    made.predict(FORMS[form])
    np.testing.assert_array_equal(made.predicted_.values(), expected)
    assert not made.unseen(FORMS[form]).any()


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.array([[1, 2], [3, 4]], np.uint8), [[1, 2], [3, 4]]),
        (np.array([[1, np.nan]], np.float32), [[1, np.nan]]),
        ([[1, 2.5]], [[1, 2.5]]),
        ([[1, None]], [[1, np.nan]]),
        (pa.table({"a": pa.array([1, None], pa.int8()), "b": pa.nulls(2)}), [[1, np.nan], [np.nan, np.nan]]),
        (pd.DataFrame({3: [1, 2], 4: [5, 6]}), [[1, 5], [2, 6]]),
    ],
)
def test_numbers_are_numeric(values: Any, numbers: list[list[float]]) -> None:
    made = Recorder().fit(values, [0] * len(numbers))
    assert {attribute.kind for attribute in made.attributes_} == {NUMERIC}
    np.testing.assert_array_equal(made.data_.values(), numbers)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint64, np.float16, np.float64])
def test_a_matrix_has_float_columns_whatever_it_holds_and_however_it_lies(kind: Any, order: Any) -> None:
    cells = np.array([[1, 2, 9], [3, 0, 9], [7, 7, 9]]).astype(kind, order=order)[:, :2]
    made = Recorder().fit(cells, [0, 1, 1])
    assert made.attributes_ == (Attribute("f1", NUMERIC), Attribute("f2", NUMERIC))
    for ask in (list, lambda columns: [columns[1], columns[0]][::-1]):
        for column, expected in zip(ask(made.data_.columns), ([1, 3, 7], [2, 0, 7]), strict=True):
            assert column.dtype == np.float64
            assert column.flags.c_contiguous
            assert column.tolist() == expected
    np.testing.assert_array_equal(made.data_.values(), cells)
    assert made.data_.values().flags.c_contiguous
    made.predict(cells)
    np.testing.assert_array_equal(made.predicted_.values(), cells)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("form", [np.asarray, pd.DataFrame])
def test_a_data_set_does_not_change_with_the_array_it_was_made_from(form: Any, order: Any) -> None:
    """Kernels would take a value for a code that has become missing after the check that none is."""
    numbers = np.array([[1.0, 2.0], [3.0, 4.0]], order=order)
    data = data_set_of(form(numbers), [0, 1])
    numbers[:] = np.nan
    assert data.values().tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert [column.tolist() for column in data.columns] == [[1.0, 3.0], [2.0, 4.0]]


def test_booleans_beside_numbers_in_a_list_of_rows_are_nominal() -> None:
    rows = [[True, 0.5], [False, 1.5], [True, 2]]
    listed = Recorder().fit(rows, [0, 1, 1])
    assert listed.attributes_ == Recorder().fit(np.array(rows, object), [0, 1, 1]).attributes_
    assert [attribute.kind for attribute in listed.attributes_] == [NOMINAL, NUMERIC]
    assert Recorder().fit([[True, 0.5], [2, 1.5]], [0, 1]).attributes_[0].kind is NUMERIC


def test_a_matrix_of_booleans_has_the_labels_that_a_list_of_them_has() -> None:
    cells = np.array([[True, True, False], [False, True, False], [True, True, False]])
    made, listed = Recorder().fit(cells, [0, 1, 1]), Recorder().fit(cells.astype(object), [0, 1, 1])
    assert [attribute.labels for attribute in made.attributes_] == [("False", "True"), ("True",), ("False",)]
    none = Recorder().fit(pa.table({"f1": pa.nulls(3, pa.string())}), [0, 1, 1])
    none.__dict__.pop("feature_names_in_")
    none.predict(cells[:, :1])
    assert none.predicted_.attributes == (Attribute("f1", NOMINAL, ("False", "True")),)
    both = Recorder().fit(cells[:, :1], [0, 1, 1])
    both.predict(cells[1:2, :1])
    assert both.predicted_.attributes == both.attributes_
    assert both.predicted_.columns[0].tolist() == [0]
    for flags in (cells, ~cells, cells[:1]):
        made.predict(flags), listed.predict(flags.astype(object))
        assert made.predicted_.attributes == listed.predicted_.attributes
        assert made.unseen(flags).tolist() == listed.unseen(flags.astype(object)).tolist()
    for held, data in ((made.attributes_, made.data_), (made.predicted_.attributes, made.predicted_)):
        expected = listed.data_ if data is made.data_ else listed.predicted_
        assert held == expected.attributes
        assert [column.tolist() for column in data.columns] == [column.tolist() for column in expected.columns]
        assert {column.dtype.name for column in data.columns} == {"int32"}
    assert Recorder(categorical_features=[1]).fit(cells, [0, 1, 1]).attributes_ == made.attributes_
    numbers = Recorder().fit([[1.0]], [0])
    numbers.predict(np.array([[True], [False]]))
    assert numbers.predicted_.columns[0].tolist() == [1.0, 0.0]
    assert numbers.predicted_.attributes == numbers.attributes_


@pytest.mark.parametrize(
    ("decisions", "labels", "words"),
    [
        ([0], (("x", "y"), ("x",)), "attribute 'a' has shape"),
        ([0, 0], (("x",), ("x",)), "attribute 'a' has codes from 0 to 1"),
    ],
)
def test_a_matrix_that_does_not_fit_its_attributes_is_refused(decisions: Any, labels: Any, words: str) -> None:
    attributes = tuple(Attribute(name, NOMINAL, of) for name, of in zip("ab", labels, strict=True))
    matrix = Matrix(np.array([[0, 0], [1, 0]], np.int32), NOMINAL)
    with pytest.raises(DataSetError, match=words):
        DataSet(attributes, matrix, ("c",), np.array(decisions, np.int32))
    with pytest.raises(DataSetError, match="numeric attribute 'a' has values of type int32: expected finite float64"):
        DataSet((Attribute("a", NUMERIC), Attribute("b", NUMERIC)), matrix, ("c",), np.zeros(2, np.int32))


@pytest.mark.parametrize(
    "targets",
    [[0, 1, 1], [3, 1, 3], [-1, 1, 1], [7, 10**12, 7], [True, False, True], ["b", "a", "b"]],
    ids=str,
)
def test_classes_are_those_of_the_rows_in_order(targets: list[Any]) -> None:
    for given in (targets, np.array(targets), np.array(targets)[:, None][:, 0]):
        made = Recorder().fit([[1], [2], [3]], given)
        assert made.classes_.dtype == np.array(targets).dtype
        assert made.classes_.tolist() == sorted(set(targets))
        assert [made.classes_.tolist()[code] for code in made.data_.decisions] == targets
        assert made.data_.decisions.dtype == np.int32


def test_strings_of_digits_are_labels() -> None:
    assert Recorder().fit(np.array([["1"], ["10"], ["2"]]), [0, 0, 1]).attributes_[0].labels == ("1", "10", "2")


def test_a_category_keeps_the_order_and_the_labels_it_names() -> None:
    sizes = pd.DataFrame(
        {"size": pd.Categorical(["m", "s"], ["s", "m", "l"], ordered=True), "n": pd.Categorical([2, 10])}
    )
    made = Recorder().fit(sizes, [0, 1])
    assert [attribute.labels for attribute in made.attributes_] == [("s", "m", "l"), ("2", "10")]
    later = pd.DataFrame({"size": pd.Categorical(["l", "xl"], ["xl", "l"]), "n": pd.Categorical([10, 11])})
    made.predict(later)
    np.testing.assert_array_equal(made.predicted_.values(), [[2, 1], [3, 2]])
    assert made.unseen(later).tolist() == [[True, False], [True, True]]  # "l" is known, but no row had it


@pytest.mark.parametrize(
    "categorical_features", [["zip"], [0], np.array([0]), [True, False], np.array([True, False])], ids=str
)
def test_numbers_are_labels_where_the_user_says_so(categorical_features: Any) -> None:
    table = pd.DataFrame({"zip": [10.0, 9, np.nan], "size": [1.0, 2, 3]})
    made = Recorder(categorical_features=categorical_features).fit(table, [0, 1, 1])
    assert made.attributes_ == (Attribute("zip", NOMINAL, ("9", "10")), Attribute("size", NUMERIC))
    made.predict(pd.DataFrame({"zip": [9.0, 7, 8.5], "size": [0.0, 0, 0]}))
    assert made.predicted_.columns[0].tolist() == [0, 2, 3]


@pytest.mark.parametrize(
    ("categorical_features", "words"),
    [
        ("zip", "categorical_features is 'zip': expected \"auto\", or a list of names or positions of columns"),
        (
            ["zap"],
            "categorical_features has 'zap', which is not a column of X: .* zip, size, or a position",
        ),
        (
            [2],
            "categorical_features has 2, which is not a column of X: .* zip, size, or a position",
        ),
        (
            [True],
            "categorical_features has True, which is not a column of X: .* zip, size, or a position",
        ),
        (
            [True, 1],
            "categorical_features has True, which is not a column of X: .* zip, size, or a position",
        ),
        (
            [0.5],
            "categorical_features has 0.5, which is not a column of X: .* zip, size, or a position",
        ),
    ],
)
def test_unknown_columns_cannot_be_nominal(categorical_features: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Recorder(categorical_features=categorical_features).fit(pd.DataFrame({"zip": [1], "size": [1]}), [0])


def test_where_numbers_are_not_handled_each_is_a_label() -> None:
    made = Coded().fit([[2.5], [10], [np.nan], [2.5]], [0, 1, 0, 1])
    assert made.attributes_ == (Attribute("f1", NOMINAL, ("2.5", "10")),)
    made.predict([[10.0], [3], [np.nan]])
    assert made.predicted_.columns[0].tolist() == [1, 2, MISSING]
    assert made.unseen([[10.0], [3], [np.nan]]).tolist() == [[False], [True], [False]]


def data() -> DataSet:
    attributes = (Attribute("colour", NOMINAL, ("red", "green", "blue")), Attribute("size", NUMERIC))
    columns = (np.array([2, 0, MISSING, 2], np.int32), np.array([1.0, np.nan, 3, 4]))
    return DataSet(attributes, columns, ("no", "yes", "maybe"), np.array([1, 0, 0, MISSING], np.int32))


def test_a_data_set_is_taken_as_it_is_but_for_rows_without_a_class() -> None:
    made = Recorder().fit(data())
    assert made.attributes_ == data().attributes
    assert made.classes_.tolist() == ["no", "yes", "maybe"]
    assert made.data_.decisions.tolist() == [1, 0, 0]
    assert made.predict(data()).tolist() == ["no"] * 4
    assert made.feature_names_in_.tolist() == ["colour", "size"]
    other = DataSet(
        (Attribute("colour", NOMINAL, ("blue", "mauve", "green")), Attribute("size", NUMERIC)),
        (np.array([0, 1, 2, MISSING], np.int32), np.zeros(4)),
        ("no",),
        np.zeros(4, np.int32),
    )
    assert made.unseen(other)[:, 0].tolist() == [False, True, True, False]  # no row was green
    made.predict(other)
    assert made.predicted_.columns[0].tolist() == [2, 3, 1, MISSING]


def test_rows_of_other_forms_are_read_for_a_data_set() -> None:
    made = Recorder().fit(data())
    made.predict(pa.table({"colour": ["blue", "mauve"], "size": [1, 2]}))
    np.testing.assert_array_equal(made.predicted_.values(), [[2, 1], [3, 2]])


def test_rows_without_weight_are_left_out_and_labels_stay() -> None:
    made = Recorder().fit([["a"], ["b"], ["c"]], [0, 1, 1], sample_weight=[1, 0, 2.5])
    assert made.attributes_[0].labels == ("a", "b", "c")
    assert (made.data_.rows, made.weights_.tolist()) == (2, [1, 2.5])
    assert made.unseen([["b"], ["a"]]).tolist() == [[True], [False]]
    assert Recorder().fit(data(), sample_weight=[1, 2, 0, 9]).weights_.tolist() == [1, 2]


def one_label() -> DataSet:
    attributes = (Attribute("a", NOMINAL, ("1",)), Attribute("b", NUMERIC))
    return DataSet(attributes, (np.zeros(1, np.int32), np.zeros(1)), (), np.full(1, MISSING, np.int32))


GOOD = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (GOOD[["b", "a"]], "must be in the same order"),
        (GOOD.rename(columns={"a": "c"}), r"unseen at fit time:\n- c"),
        (GOOD[["a"]], "seen at fit time, yet now missing:\n- b"),
        (pd.DataFrame({"a": ["1"], "b": ["x"]}), "attribute 'a' was fitted with numbers and now has text such as '1'"),
        (data(), "unseen at fit time:\n- colour"),
        (
            one_label(),
            "attribute 'a' was fitted with numbers and now has labels of a data set such as '1'",
        ),
    ],
)
def test_other_columns_at_predict_are_refused(given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Recorder().fit(GOOD, [0, 1]).predict(given)


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
            [["x"], [1.5]],
            TypeError,
            "column 'f1' of X has values of several types: each argument must be a string or a number",
        ),
        (
            pd.DataFrame({"a": ["?", 1]}),
            TypeError,
            "column 'a' .*Convert all of them to numbers, with NaN .* or all of them to text",
        ),
        (pd.DataFrame({"a": [1j]}), TypeError, "column 'a' of X holds complex128: each argument must be a string or"),
        (np.array([[10**400], [1]], object), TypeError, "column 'f1' of X has values of several types"),
        (pa.table({"a": [np.inf]}), ValueError, "Input X contains infinity"),
        (np.array([[np.inf]]), ValueError, "Input X contains infinity"),
        (pa.table({"a": pa.array([], pa.int8())}), ValueError, r"Found array with 0 sample\(s\)"),
        (pa.table({}), ValueError, r"Found array with 0 sample\(s\)"),
        (pd.DataFrame(index=[1, 2]), ValueError, r"Found array with 0 feature\(s\)"),
        (pa.table([[1], [2]], names=["a", "a"]), ValueError, "two columns of X are called 'a'"),
        ({"a": [1.0]}, TypeError, r"X is a dict: expected an array or a data frame, such as pandas.DataFrame\(X\)"),
        (LazyFrame(), TypeError, r"X is a LazyFrame: expected an array .* X.collect\(\) for a LazyFrame"),
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
        ([[1], [2]], [0.5, 1.5], None, "Unknown label type: continuous"),
        ([[1], [2]], None, None, "requires y to be passed"),
        ([[1], [2]], [0, 1], [1], r"sample_weight.shape == \(1,\), expected \(2,\)"),
        ([[1], [2]], [0, 1], [-1, 1], "Negative values in data passed to `sample_weight`"),
        (data(), [0, 1, 1, 0], None, "X is a data set, which already has classes"),
        (data(), None, [0, 0, 0, 1], "none of the 4 rows has a class and a positive weight"),
    ],
)
def test_classes_and_weights_that_do_not_fit_are_refused(X: Any, y: Any, weight: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Recorder().fit(X, y, weight)


def test_an_unfitted_estimator_cannot_predict() -> None:
    with pytest.raises(NotFittedError, match="Recorder instance is not fitted yet"):
        Recorder().predict([[1]])


def test_values_of_many_rows() -> None:
    generator = np.random.default_rng(0)
    codes, numbers = generator.integers(-1, 3, 5000).astype(np.int32), generator.normal(size=5000)
    attributes = (Attribute("a", NOMINAL, ("x", "y", "z")), Attribute("b", NUMERIC))
    many = DataSet(attributes, (codes, numbers), ("c",), np.zeros(5000, np.int32))
    expected = np.stack([np.where(codes < 0, np.nan, codes), numbers], axis=1)
    np.testing.assert_array_equal(many.values(), expected)


def test_one_hot_columns_and_fillings() -> None:
    encoding = OneHot.of(data().attributes)
    assert encoding.names(data().attributes) == ("colour=red", "colour=green", "colour=blue", "size")
    expected = [[0, 0, 1, 1], [1, 0, 0, np.nan], [0, 0, 0, 3], [0, 0, 1, 4]]
    np.testing.assert_array_equal(encoding.matrix(data()), expected)
    weights = np.array([1.0, 3, 5, 0])
    assert usual_values(data(), weights) == (0, (1 + 15) / 6)  # red weighs 3, blue 1
    whole = filled(data(), usual_values(data(), weights))
    assert whole.columns[0].tolist() == [2, 0, 0, 2]
    assert whole.columns[1].tolist() == [1, 16 / 6, 3, 4]
    read = frame_of(pa.table({"a": pa.nulls(2), "b": pa.nulls(2, pa.string())}), None)
    empty = data_set_of_frame(read, "auto", ["c"], np.zeros(2, np.int32))
    lost = usual_values(empty, np.ones(2))
    assert np.isnan(lost[0])
    assert lost[1] == MISSING
    assert filled(empty, lost).columns[0].tolist() == [0, 0]


def test_values_of_a_category_that_stands_twice_or_is_missing_in_its_dictionary() -> None:
    twice = pa.DictionaryArray.from_arrays([0, 1, 0, 1, None], ["a", "a"])
    numbers = pa.DictionaryArray.from_arrays([0, 1, 2], pa.array([2.0, float("nan"), None]))
    for held, labels, codes in ((twice, ("a",), [0, 0, 0, 0, -1]), (numbers, ("2",), [0, -1, -1])):
        read = frame_of(pa.table({"colour": held}), C45Classifier())
        data = data_set_of_frame(read, "auto", ("no", "yes"), np.zeros(len(codes), np.int32))
        assert data.attributes[0].labels == labels
        assert data.columns[0].tolist() == codes


@pytest.mark.parametrize("form", FORMS)
def test_a_data_set_of_rows_is_what_estimators_learn_from(form: str) -> None:
    classes = np.array(["yes", "no", "no", "yes"])
    read, learnt = data_set_of(FORMS[form], classes), Recorder().fit(FORMS[form], classes).data_
    assert (read.attributes, read.classes) == (learnt.attributes, ("no", "yes"))
    np.testing.assert_array_equal(read.values(), learnt.values())
    assert read.decisions.tolist() == learnt.decisions.tolist() == [1, 0, 0, 1]


def test_rows_without_their_classes_are_no_data_set() -> None:
    table = DecisionTable.from_codes([[0], [1]], [0, 1])
    for given, y, words in (
        (ROWS, None, r"y is missing: .* data_set_of\(X, y\)"),
        (ROWS, [0, 1], r"inconsistent numbers of samples: \[4, 2\]"),
        (ROWS, ["a", None, "b", "a"], "row 1 has None instead of a class"),
        (table, [0, 1], r"a decision table, which already has classes: call data_set_of\(table\)"),
    ):
        with pytest.raises(ValueError, match=words):
            data_set_of(given, y)
