"""The four uncertainty measures against exact arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures.uncertainty import UNCERTAINTIES
from tests.oracles import brute_force as bf

COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any)


def table_with(counts: list[int]) -> bf.Table:
    return tuple(((i,), i, count) for i, count in enumerate(counts) if count)


@given(COUNTS, st.sampled_from(bf.MEASURES))
def test_measures_are_those_of_the_paper(counts: list[int], measure: str) -> None:
    exact = float(bf.uncertainty(table_with(counts), measure))
    assert UNCERTAINTIES[measure](counts) == pytest.approx(exact, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("measure", bf.MEASURES)
def test_one_decision_leaves_no_uncertainty_at_all(measure: str) -> None:
    for n in range(1, 200):
        assert UNCERTAINTIES[measure]([0, n, 0]) == 0  # exactly: a split into such parts must tie with another one


def test_known_values() -> None:
    counts = [[2, 2], [3, 1], [4, 0]]
    np.testing.assert_allclose(UNCERTAINTIES["ent"](counts), [1, 0.8112781244591328, 0])
    assert UNCERTAINTIES["gini"](counts).tolist() == [0.5, 0.375, 0]
    assert UNCERTAINTIES["me"](counts).tolist() == [2, 1, 0]
    assert UNCERTAINTIES["rt"](counts).tolist() == [4, 3, 0]


@pytest.mark.parametrize("measure", bf.MEASURES)
def test_leading_axes_are_kept(measure: str) -> None:
    counts = np.arange(1, 25).reshape(2, 3, 4)
    result = UNCERTAINTIES[measure](counts)
    assert result.shape == (2, 3)
    assert result[1, 2] == UNCERTAINTIES[measure](counts[1, 2])


def test_the_order_is_the_papers() -> None:
    assert tuple(UNCERTAINTIES) == bf.MEASURES
