"""The Bayesian signed-rank test: the same probabilities as its authors' own program, and what must hold of any."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.summary.statistics import posterior

NEAR = 0.01
"""Both draw 50,000 times."""


# (differences, region, probabilities of worse, equivalent, better) by baycomp 1.0.3 of its authors with
# random_state=1; it cannot be installed beside these tests, for it brings a top-level package `tests`
BAYCOMP = [
    ([-0.8, -1.32, -0.25, 0.42, 1.14], 1.0, (0.0189, 0.9768, 0.0043)),
    (
        [1.48, 4.64, 3.72, 3.67, 6.36, -2.12, -0.38, -2.46, 1.18, 4.5, 1.43, 2.99],
        1.0,
        (0.003, 0.0177, 0.9793),
    ),
    (
        [
            *(2.15, 0.49, -2.94, -1.42, -1.57, 3.72, -2.89, 1.75, -0.75, 1.04, -1.01, -0.21, -0.02, -0.78, 0.3),
            *(-0.3, 1.47, 2.61, -1.18, -1.37, -0.18, -4.31, -0.38, -2.05, -2.65, -4.16, -1.45, 0.02, -2.06, -2.82),
        ],
        0.5,
        (0.9747, 0.0053, 0.0201),
    ),
    ([-0.25, -0.17, -0.17, 0.03, -0.36, 0.06, -0.09, 0.28], 1.0, (0.0, 1.0, 0.0)),
    ([10.2, -12.78, 2.09], 2.0, (0.3462, 0.1088, 0.545)),
]


@pytest.mark.parametrize(("differences", "region", "theirs"), BAYCOMP)
def test_it_is_as_the_program_of_its_authors(
    differences: list[float], region: float, theirs: tuple[float, float, float]
) -> None:
    assert posterior(differences, region) == pytest.approx(theirs, abs=NEAR)


@given(st.lists(st.integers(-40, 40).map(lambda tenths: tenths / 10), min_size=1, max_size=8))
def test_the_other_builder_is_the_reverse(differences: list[float]) -> None:
    result, reverse = posterior(differences, 1.0), posterior([-difference for difference in differences], 1.0)
    assert sum(result) == pytest.approx(1.0)
    assert (result.worse, result.better) == pytest.approx((reverse.better, reverse.worse), abs=NEAR)


def test_what_is_far_apart_is_sure_and_what_is_the_same_is_equivalent() -> None:
    assert posterior([9.0] * 10, 1.0).better > 0.99
    assert posterior([0.1, -0.2] * 5, 1.0).equivalent == 1.0
    assert posterior([3.0, -3.0] * 4, 1.0).equivalent < 0.6


def test_rounding_does_not_decide_at_the_end_of_the_region() -> None:
    assert 2.363636364 - 4.363636364 < -2.0
    assert posterior([2.363636364, -4.363636364], 1.0) == posterior([2.25, -4.25], 1.0)


def test_the_same_differences_have_the_same_probabilities() -> None:
    assert posterior([1.0, 2.0, -0.5], 1.0) == posterior([1.0, 2.0, -0.5], 1.0)
