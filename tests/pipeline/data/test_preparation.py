"""What is done to a fold before a builder: fitted on training rows alone, and the counts of what these do not have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.attributes.fayyad_irani import fayyad_irani
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet
from pipeline.data.preparation import Preparation, unseen_values
from pipeline.data.protocols import Split

SIZE = Attribute("size", AttributeKind.NUMERIC)
COLOUR = Attribute("colour", AttributeKind.NOMINAL, ("red", "green", "blue"))
SHINY = Attribute("shiny", AttributeKind.NOMINAL, ("no", "yes"))
CELL = st.tuples(st.none() | st.integers(0, 5), st.integers(-1, 2), st.integers(-1, 1), st.integers(0, 1))
DATA = st.lists(CELL, min_size=2, max_size=20)


def data_of(rows: list[tuple[int | None, int, int, int]]) -> DataSet:
    return DataSet(
        (SIZE, COLOUR, SHINY),
        (
            np.array([np.nan if size is None else size for size, *_ in rows], np.float64),
            np.array([colour for _, colour, _, _ in rows], np.int32),
            np.array([shiny for *_, shiny, _ in rows], np.int32),
        ),
        ("a", "b"),
        np.array([decision for *_, decision in rows], np.int32),
    )


def halves(data: DataSet) -> Split:
    rows = np.arange(data.rows)
    return Split(rows[::2], rows[1::2])


@given(DATA)
def test_training_rows_alone_decide_cuts_and_fillings(rows: list[tuple[int | None, int, int, int]]) -> None:
    data = data_of(rows)
    split = halves(data)
    other = replace(  # the same training rows; other test rows
        data,
        columns=tuple(
            np.where(np.isin(np.arange(data.rows), split.train), column, column[0]) for column in data.columns
        ),
    )
    for numeric in ("keep", "fayyad_irani", "equal_width", "equal_frequency"):
        preparation = Preparation(numeric=numeric, missing="fill")
        train, test = preparation.prepared(data, split)
        again, _ = preparation.prepared(other, split)
        assert train.attributes == test.attributes == again.attributes
        assert all(np.array_equal(column, two) for column, two in zip(train.columns, again.columns, strict=True))
        assert not train.missing.any()
        assert not test.missing.any()
    train, _ = Preparation(numeric="fayyad_irani").prepared(data, split)
    cuts = fayyad_irani(data.columns[0][split.train], data.decisions[split.train])
    assert train.attributes[0].labels == cuts.labels


def test_missing_values_are_filled_with_mode_and_mean_of_the_training_rows() -> None:
    data = data_of([(1, 2, 0, 0), (None, -1, -1, 0), (4, 2, 1, 1), (9, 0, 1, 1), (None, 1, 1, 0), (9, -1, 0, 1)])
    split = Split(np.array([0, 2, 4]), np.array([1, 3, 5]))
    train, test = Preparation(missing="fill").prepared(data, split)
    assert train.columns[0].tolist() == [1, 4, 2.5]
    assert test.columns[0].tolist() == [2.5, 9, 9]
    assert test.columns[1].tolist() == [2, 0, 2]
    assert test.columns[2].tolist() == [1, 1, 0]


def test_an_attribute_without_a_known_value_is_filled_with_something() -> None:
    data = replace(data_of([(None, -1, -1, 0), (3, 1, 1, 1)]))
    train, test = Preparation(missing="fill").prepared(data, Split(np.array([0]), np.array([1])))
    assert [column.tolist() for column in train.columns] == [[0], [0], [0]]
    assert [column.tolist() for column in test.columns] == [[0], [1], [1]]  # of numbers nothing could be learnt
    none = Attribute("none", AttributeKind.NOMINAL)
    bare = replace(data, attributes=(SIZE, COLOUR, none), columns=(*data.columns[:2], np.full(2, MISSING, np.int32)))
    train, test = Preparation(missing="fill").prepared(bare, Split(np.array([0]), np.array([1])))
    assert train.attributes == test.attributes == (SIZE, COLOUR)


def test_missing_as_a_value_is_one_more_label() -> None:
    data = data_of([(1, -1, 0, 0), (1, 2, 0, 0)])
    train, test = Preparation(missing="value").prepared(data, Split(np.array([0]), np.array([1])))
    assert train.attributes[1].labels == test.attributes[1].labels == ("red", "green", "blue", "?")
    assert (train.columns[1].tolist(), test.columns[1].tolist()) == ([3], [2])
    assert unseen_values(train, test) == 1


def test_a_missing_number_is_a_value_too_once_numbers_are_cut() -> None:
    data = data_of([(None, 0, 0, 0), (1, 0, 0, 0), (5, 0, 0, 1), (None, 0, 0, 1)])
    split = Split(np.array([1, 2]), np.array([0, 3]))  # the training rows have no missing number
    train, test = Preparation(numeric="equal_width", bins=2, missing="value").prepared(data, split)
    assert train.attributes == test.attributes
    assert train.attributes[0].labels[2:] == ("?",)
    assert (train.columns[0].tolist(), test.columns[0].tolist()) == ([0, 1], [2, 2])
    kept, _ = Preparation(missing="value").prepared(data, Split(np.array([0, 1]), np.array([2, 3])))
    assert np.isnan(kept.columns[0]).tolist() == [True, False]


@given(DATA)
def test_unseen_values_are_those_of_a_plain_count(rows: list[tuple[int | None, int, int, int]]) -> None:
    data = data_of(rows)
    split = halves(data)
    count = 0
    for index in (1, 2):
        seen = {rows[row][index] for row in split.train}
        count += sum(rows[row][index] not in seen and rows[row][index] != MISSING for row in split.test)
    assert unseen_values(*Preparation().prepared(data, split)) == count


@pytest.mark.parametrize(
    ("handles", "takes", "missing", "encoding"),
    [(True, True, "keep", "none"), (False, True, "fill", "none"), (False, False, "fill", "one_hot")],
)
def test_the_default_preparation_follows_from_the_class(
    handles: bool, takes: bool, missing: str, encoding: str
) -> None:
    result = Preparation.of({}, "x", encoded=not takes, handles_missing=handles)
    assert (result.missing, result.encoding, result.numeric) == (missing, encoding, "keep")
    assert Preparation.of({"missing": "value"}, "x", encoded=not takes, handles_missing=handles).missing == "value"
