"""Dummy coding of nominal attributes: by hand, and as one-hot columns less one."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from algorithms.data.attributes.one_hot import OneHot
from algorithms.data.data_set import MISSING, AttributeKind, DataSet
from pipeline.grids.oct_vs_cart.rows import dummy_attributes
from tests.algorithms.data_sets import data_set_of, data_sets


def test_labels_but_the_first_become_attributes() -> None:
    given_data = data_set_of(
        [[0, 2, 3, 3, MISSING], [1, 1, 0, 1, 1], [2, 2, 2, 2, 2], [0.5] * 5], [0] * 5, [False] * 3 + [True]
    )
    result = dummy_attributes(given_data)
    assert [(attribute.name, attribute.labels) for attribute in result.attributes] == [
        ("a1=v2", ("no", "yes")),  # v1 is of no row
        ("a1=v3", ("no", "yes")),
        ("a2", ("v0", "v1")),
        ("a4", ()),
    ]
    assert [column.tolist() for column in result.columns] == [
        [0, 1, 0, 0, -1],
        [0, 0, 1, 1, -1],
        [1, 1, 0, 1, 1],
        [0.5] * 5,
    ]
    assert result.decisions is given_data.decisions


@given(data_sets(missing=True))
def test_they_are_the_one_hot_columns_without_the_first_of_each_attribute(data: DataSet) -> None:
    result = dummy_attributes(data)
    encoding = OneHot.of(data.attributes)
    matrix = encoding.matrix(data)
    kept = []
    for index, attribute in enumerate(data.attributes):
        columns = np.flatnonzero(encoding.attribute == index)
        if attribute.kind is AttributeKind.NOMINAL:
            columns = [column for column in columns if matrix[:, column].any()][1:]
        kept += [matrix[:, column] for column in columns]
    values = result.values()
    assert values.shape == (data.rows, len(kept))
    for ours, theirs in zip(values.T, kept, strict=True):
        known = ~np.isnan(ours)
        assert np.array_equal(ours[known], theirs[known])
    assert all(len(attribute.labels) in (0, 2) for attribute in result.attributes)
