"""Attributes of two values: their tests, and that their table separates the same rows as the cut points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.attributes.binary import NO_YES, binary_attributes
from algorithms.data.attributes.discretisation import equal_frequency
from algorithms.data.data_set import MISSING, Attribute, AttributeKind, DataSet, DataSetError

COLOURS = ("red", "green", "blue", "grey")


def data_set(colour: list[int], size: list[int], length: list[float]) -> DataSet:
    attributes = (
        Attribute("colour", AttributeKind.NOMINAL, COLOURS),
        Attribute("size", AttributeKind.NOMINAL, ("small", "large")),
        Attribute("length", AttributeKind.NUMERIC),
    )
    columns = (np.array(colour, np.int32), np.array(size, np.int32), np.array(length, np.float64))
    return DataSet(attributes, columns, ("a",), np.zeros(len(colour), np.int32))


def test_the_binary_attributes_are_these() -> None:
    result = binary_attributes(data_set([0, 2, 3, 0], [0, 1, 1, 0], [1.0, 2.0, 3.0, 4.0]), bins=4)
    names = ["colour = red", "colour = blue", "colour = grey", "size = large"]
    assert [attribute.name for attribute in result.attributes] == [
        *names,
        "length <= 1.5",
        "length <= 2.5",
        "length <= 3.5",
    ]
    assert {attribute.labels for attribute in result.attributes} == {NO_YES}
    assert np.stack(result.columns).tolist() == [
        *([1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, 0]),
        *([1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]),
    ]


def test_numbers_may_stay_as_they_are() -> None:
    data = data_set([0, 1, 1, 0], [1, 1, 1, 1], [1.0, 2.0, 3.0, 4.0])
    result = binary_attributes(data, bins=None)
    assert [attribute.name for attribute in result.attributes] == ["colour = green", "length"]
    assert result.columns[1] is data.columns[2]


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1), st.integers(0, 6)), min_size=1, max_size=30),
    st.integers(2, 6),
)
def test_rows_are_separated_by_label_and_interval(rows: list[tuple[int, int, int]], bins: int) -> None:
    colour, size, length = ([row[index] for row in rows] for index in range(3))
    data = data_set(colour, size, [float(each) for each in length])
    result = binary_attributes(data, bins=bins)
    intervals = equal_frequency(data.columns[2], bins).codes(data.columns[2]).tolist()
    codes = np.stack([*result.columns, np.zeros(len(rows), np.int32)], axis=1).tolist()
    known = list(zip(colour, size, intervals, strict=True))
    for each in range(len(rows)):
        for other in range(each):
            assert (codes[each] == codes[other]) == (known[each] == known[other])
    assert all(0 < column.sum() < len(rows) for column in result.columns)


def test_missing_values_are_refused() -> None:
    with pytest.raises(DataSetError, match="attribute 'colour' has missing values"):
        binary_attributes(data_set([0, MISSING], [0, 1], [1.0, 2.0]))
