"""Weights of rows: which are refused, and that whole ones keep their shares."""

from __future__ import annotations

import numpy as np
import pytest

from algorithms.data_set import DataSetError
from algorithms.row_weights import checked_weights, whole_weights


@pytest.mark.parametrize(
    "weights", [[1.0], [[1.0, 1.0, 1.0]], [1.0, -1.0, 1.0], [1.0, np.nan, 1.0], [1.0, np.inf, 1.0]]
)
def test_weights_that_count_nothing_are_refused(weights: list) -> None:
    with pytest.raises(DataSetError, match="expected one for each of 3 rows, finite and not below 0"):
        checked_weights(weights, 3)


def test_accepted_weights_are_a_copy() -> None:
    given = np.array([0.0, 2.5])
    checked = checked_weights(given, 2)
    checked[0] = 1.0
    assert given.tolist() == [0.0, 2.5]
    assert checked_weights(None, 2).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("weights", [[1.0, 2.0, 7.0], [0.25, 0.5, 3.0], [2.0**-60, 2.0**-59], [2.0**200, 3 * 2.0**200]])
def test_whole_and_dyadic_weights_are_exact(weights: list) -> None:
    whole, unit = whole_weights(np.array(weights), sum(weights))
    assert [float(count) * unit for count in whole] == weights
    assert 2**51 <= whole.sum() <= 2**52


def test_other_weights_are_rounded_to_the_unit() -> None:
    whole, unit = whole_weights(np.array([0.1, 0.2, 0.7]), 1.0)
    assert unit == 2.0**-52
    np.testing.assert_allclose(whole * unit, [0.1, 0.2, 0.7], rtol=0, atol=unit / 2)
