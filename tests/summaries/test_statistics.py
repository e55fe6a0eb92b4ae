"""Estimates against numpy; intervals, z and the critical z, Holm's correction."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from pipeline.summary.statistics import Estimate, critical_z, holm

SAMPLES = st.integers(2, 40).flatmap(
    lambda n: arrays(np.float64, n, elements=st.floats(-100, 100).map(lambda x: round(x, 3)))
)


@given(sample=SAMPLES)
def test_an_estimate_is_of_the_whole_sample(sample: NDArray[np.float64]) -> None:
    estimate = Estimate.of(sample)
    assert estimate.n == len(sample)
    assert estimate.mean == pytest.approx(sample.mean(), abs=1e-9)
    assert estimate.standard_error == pytest.approx(sample.std(ddof=1) / math.sqrt(len(sample)), abs=1e-9)


def test_a_large_offset_costs_no_digits() -> None:
    values = np.random.default_rng(1).normal(size=1000)
    assert Estimate.of(values + 1e8).standard_error == pytest.approx(Estimate.of(values).standard_error)


@given(value=st.floats(-10, 10), n=st.integers(2, 50))
def test_equal_values_have_no_spread(value: float, n: int) -> None:
    assert Estimate.of(np.full(n, value)) == Estimate(n, value, 0.0)


def test_one_row_has_no_standard_error() -> None:
    estimate = Estimate.of(np.array([3.0]))
    assert estimate == Estimate(1, 3.0, None)
    assert (estimate.low, estimate.high, estimate.less(1.0).z, estimate.p) == (None,) * 4


def test_interval_and_z() -> None:
    estimate = Estimate(100, 1.0, 0.1)
    assert estimate.low == pytest.approx(1 - 0.1959964)
    assert estimate.high == pytest.approx(1 + 0.1959964)
    assert estimate.less(1.3).z == pytest.approx(-3)
    assert estimate.less(0.8, 100).z == pytest.approx(2 / math.sqrt(2))
    assert estimate.less(0.8, 25).z == pytest.approx(2 / math.sqrt(5))
    assert estimate.less(1.3).p == pytest.approx(0.0026998, rel=1e-4)


def test_no_spread_gives_no_z() -> None:
    assert Estimate(5, 1.0, 0.0).less(2.0, 10).z is None


def test_holm_rejects_what_the_step_down_procedure_does() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    generator = np.random.default_rng(2)
    for _ in range(200):
        ps = (generator.random(7) ** 4).tolist()
        rejected = set()
        for rank, index in enumerate(sorted(range(7), key=lambda index: ps[index])):
            if ps[index] > 0.05 / (7 - rank):
                break
            rejected.add(index)
        assert {index for index, p in enumerate(holm(ps)) if p <= 0.05} == rejected


def test_the_interval_of_a_mean_over_splits_allows_for_what_they_share() -> None:
    estimate = Estimate(10, 2.0, 0.1).corrected(1.0)  # 5x2: a test row for each training row
    assert (estimate.n, estimate.mean) == (10, 2.0)
    assert estimate.standard_error == pytest.approx(math.sqrt((1 / 10 + 1) * 10 * 0.1**2))
    assert Estimate(1, 2.0, None).corrected(1.0) == Estimate(1, 2.0, None)


def test_critical_z() -> None:
    assert critical_z(1) == pytest.approx(1.959964)
    assert 2 * NormalDist().cdf(-critical_z(320)) == pytest.approx(0.05 / 320)
    assert critical_z(1, level=0.01) == pytest.approx(2.575829)
    with pytest.raises(ValueError, match="at least one"):
        critical_z(0)


def test_the_p_of_a_small_sample_is_that_of_scipy() -> None:
    from scipy.stats import ttest_1samp

    values = np.array([0.5, -0.2, 1.1, 0.9])
    apart = Estimate.of(values)
    assert apart.t_p == pytest.approx(ttest_1samp(values, 0).pvalue)
    assert (Estimate(5, 0.0, 0.0).t_p, Estimate(5, 0.1, 0.0).t_p, Estimate(1, 0.1, None).t_p) == (1.0, None, None)


def test_what_is_not_known_is_not_adjusted() -> None:
    assert holm([0.01, None, 0.04]) == [0.02, None, 0.04]
