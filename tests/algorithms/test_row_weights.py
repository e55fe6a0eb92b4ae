"""Weights of rows as whole numbers: they keep their shares."""

from __future__ import annotations

import numpy as np
import pytest

from algorithms.row_weights import whole_weights


@pytest.mark.parametrize("weights", [[1.0, 2.0, 7.0], [0.25, 0.5, 3.0], [2.0**-60, 2.0**-59], [2.0**200, 3 * 2.0**200]])
def test_whole_and_dyadic_weights_are_exact(weights: list) -> None:
    whole, unit = whole_weights(np.array(weights))
    assert [float(count) * unit for count in whole] == weights
    assert 2**51 <= whole.sum() <= 2**52


def test_other_weights_are_rounded_to_the_unit() -> None:
    whole, unit = whole_weights(np.array([0.1, 0.2, 0.7]))
    assert unit == 2.0**-52
    np.testing.assert_allclose(whole * unit, [0.1, 0.2, 0.7], rtol=0, atol=unit / 2)
