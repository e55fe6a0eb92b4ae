"""Rows in every form a user may hold them: the same attributes, codes and missing values; and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from algorithms.data.attributes.one_hot import OneHot, filled, usual_values
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet, DataSetError, Matrix
from algorithms.data.data_set_of import data_set_of
from algorithms.data.inputs import data_set_of_frame, frame_of
from algorithms.data.table import DecisionTable
from algorithms.induction.c45 import C45Classifier
from tests.algorithms.input_forms import FORMS, ROWS, Coded, Recorder, data

pd = pytest.importorskip("pandas")

NOMINAL, NUMERIC = AttributeKind.NOMINAL, AttributeKind.NUMERIC


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
    for held, read in ((made.attributes_, made.data_), (made.predicted_.attributes, made.predicted_)):
        expected = listed.data_ if read is made.data_ else listed.predicted_
        assert held == expected.attributes
        assert [column.tolist() for column in read.columns] == [column.tolist() for column in expected.columns]
        assert {column.dtype.name for column in read.columns} == {"int32"}
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
        ([0, 0], (("x", "y"), ("x", "y", "x")), "attribute 'b' has the label 'x' twice"),
    ],
)
def test_a_matrix_that_does_not_fit_its_attributes_is_refused(decisions: Any, labels: Any, words: str) -> None:
    attributes = tuple(Attribute(name, NOMINAL, of) for name, of in zip("ab", labels, strict=True))
    matrix = Matrix(np.array([[0, 0], [1, 0]], np.int32), NOMINAL)
    with pytest.raises(DataSetError, match=words):
        DataSet(attributes, matrix, ("c",), np.array(decisions, np.int32))
    numeric = (Attribute("a", NUMERIC), Attribute("b", NUMERIC))
    with pytest.raises(DataSetError, match="numeric attribute 'a' has values of type int32: expected finite float64"):
        DataSet(numeric, matrix, ("c",), np.zeros(2, np.int32))
    with pytest.raises(DataSetError, match="the class has the label 'c' twice"):
        DataSet(numeric, matrix, ("c", "c"), np.zeros(2, np.int32))


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


def test_a_mask_with_names_selects_by_name() -> None:
    table = pd.DataFrame({"zip": [1, 2], "size": [3, 4]})
    made = Recorder(categorical_features=pd.Series({"size": False, "zip": True})).fit(table, [0, 1])
    assert [attribute.kind for attribute in made.attributes_] == [NOMINAL, NUMERIC]


def test_a_position_that_is_also_the_name_of_another_column_is_refused() -> None:
    table = pd.DataFrame([[1, 2], [3, 4]], columns=[1, 2])
    with pytest.raises(ValueError, match="has 1, which is the position of column '2', but also the name of another"):
        Recorder(categorical_features=[1]).fit(table, [0, 1])
    made = Recorder(categorical_features=["1"]).fit(table, [0, 1])
    assert [attribute.kind for attribute in made.attributes_] == [NOMINAL, NUMERIC]


def test_where_numbers_are_not_handled_each_is_a_label() -> None:
    made = Coded().fit([[2.5], [10], [np.nan], [2.5]], [0, 1, 0, 1])
    assert made.attributes_ == (Attribute("f1", NOMINAL, ("2.5", "10")),)
    made.predict([[10.0], [3], [np.nan]])
    assert made.predicted_.columns[0].tolist() == [1, 2, MISSING]
    assert made.unseen([[10.0], [3], [np.nan]]).tolist() == [[False], [True], [False]]


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


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("form", [np.asarray, pd.DataFrame])
def test_numbers_whose_sum_overflows_are_read_without_a_warning(form: Any) -> None:
    column = [*[1.7e308, -1.7e308] * 16, np.nan]
    assert len(frame_of(form([[number] for number in column]), Recorder()).columns) == 1
