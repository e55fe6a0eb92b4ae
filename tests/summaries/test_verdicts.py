"""The one rule of verdicts: who agrees, who is merely consistent, who differs, and what may not change that."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.summary.statistics import Estimate, critical_z
from pipeline.summary.verdicts import Comparison, Tolerance, Verdict, tally, verdict, verdicts

AGREES, CONSISTENT, DIFFERS = Verdict.AGREES, Verdict.CONSISTENT, Verdict.DIFFERS


def test_the_list_of_verdicts_is_closed() -> None:
    assert [str(member) for member in Verdict] == [
        *("agrees", "consistent", "differs", "misprint", "follows", "impossible", "no input", "open")
    ]


@pytest.mark.parametrize(
    ("low", "high", "differs", "expected"),
    [
        (-0.9, 0.9, False, AGREES),
        (-1.0, 1.0, False, AGREES),
        (-1.1, 0.9, False, CONSISTENT),
        (-0.1, 1.1, False, CONSISTENT),
        (0.3, 0.9, True, AGREES),  # statistically distinct, practically equal
        (0.3, 1.1, True, DIFFERS),
        (1.1, 1.2, True, DIFFERS),
        (1.1, 1.2, False, CONSISTENT),  # outside of its own interval, but one of very many
        (None, None, False, CONSISTENT),
        (None, None, True, DIFFERS),
    ],
)
def test_a_verdict_is_by_the_interval_and_by_significance(
    low: float | None, high: float | None, differs: bool, expected: Verdict
) -> None:
    assert verdict(low, high, 1.0, differs=differs) is expected


def test_the_tolerance_is_the_larger_of_the_rounding_and_a_tenth() -> None:
    assert Tolerance(0.005).of(2.0) == pytest.approx(0.2)
    assert Tolerance(0.005).of(-2.0) == pytest.approx(0.2)
    assert Tolerance(0.005).of(0.01) == 0.005
    assert Tolerance(0.005, share=0.01).of(2.0) == pytest.approx(0.02)


def of_mean(mean: float, n: int, printed: float = 1.0) -> Comparison | None:
    """A sample with a standard deviation of 1 beside a printed value of a very large one."""
    return Comparison.of(Estimate(n, mean, 1 / math.sqrt(n)).less(printed), Tolerance(0.0).of(printed))


@pytest.mark.parametrize(("n", "expected"), [(50, CONSISTENT), (300, CONSISTENT), (500, AGREES), (40_000, AGREES)])
def test_only_a_large_sample_agrees(n: int, expected: Verdict) -> None:
    """The half interval is 1.96 / sqrt(n), and at most the tolerance of 0.1 from 385 on."""
    assert verdicts([of_mean(1.0, n)]) == (expected,)


def test_a_difference_is_significant_by_bonferroni_over_what_is_compared() -> None:
    def at(z: float) -> Comparison | None:
        return of_mean(1.0 + z, 1)

    for cells in (1, 320):
        limit = critical_z(cells)
        others = [at(0.0)] * (cells - 1)
        assert verdicts([at(limit - 0.001), *others])[0] is CONSISTENT
        assert verdicts([at(limit + 0.001), *others])[0] is DIFFERS
        assert verdicts([at(-limit - 0.001), *others, None, None])[0] is DIFFERS  # what is not compared does not count
    assert verdicts([None]) == (None,)
    assert verdicts([]) == ()


def test_without_spread_nothing_is_compared() -> None:
    for difference in (Estimate(9, 0.0, 0.0), Estimate(1, 0.0, None), Estimate(9, math.nan, 1.0), None):
        assert Comparison.of(difference, 1.0) is None


@given(mean=st.floats(-3, 3), error=st.floats(0.001, 2), cells=st.integers(1, 400))
def test_the_verdict_is_what_the_sentence_says(mean: float, error: float, cells: int) -> None:
    estimate = verdicts([Comparison.of(Estimate(100, mean, error), 0.5)] + [of_mean(1.0, 100)] * (cells - 1))[0]
    within = abs(mean) + 1.959964 * error
    if abs(within - 0.5) < 1e-5 or abs(abs(mean / error) - critical_z(cells)) < 1e-5:
        return
    assert estimate is (AGREES if within < 0.5 else DIFFERS if abs(mean / error) > critical_z(cells) else CONSISTENT)


def test_a_tally_counts_in_the_order_of_the_list() -> None:
    result = tally([DIFFERS, None, AGREES, CONSISTENT, AGREES])
    assert list(result.items()) == [(AGREES, 2), (CONSISTENT, 1), (DIFFERS, 1)]
    assert tally([None]) == {}
