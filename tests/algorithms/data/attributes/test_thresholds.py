"""Cut points and the intervals between them, in words and as codes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.attributes.thresholds import Thresholds
from algorithms.data.data_set import MISSING, number_text

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


def test_an_interval_has_its_upper_end_and_missing_stays_missing() -> None:
    thresholds = Thresholds((2.5, 4.0))
    values = [2.0, 2.5, np.nextafter(2.5, 3), 4.0, 5.0, np.nan]
    assert thresholds.codes(values).tolist() == [0, 0, 1, 1, 2, MISSING]
    assert thresholds.codes(values).dtype == np.int32
    assert thresholds.labels == ("<= 2.5", "(2.5, 4]", "> 4")


def test_one_cut_and_none() -> None:
    assert Thresholds((-1.0,)).labels == ("<= -1", "> -1")
    assert Thresholds().labels == ("any",)
    assert Thresholds().codes([3.0, np.nan]).tolist() == [0, MISSING]


@given(st.lists(NUMBERS, max_size=5, unique=True).map(sorted), NUMBERS)
def test_a_number_lies_in_the_interval_of_its_label(cuts: list[float], number: float) -> None:
    thresholds = Thresholds(tuple(cuts))
    (code,) = thresholds.codes([number])
    bounds = [-np.inf, *cuts, np.inf]
    assert bounds[code] < number <= bounds[code + 1]
    assert len(thresholds.labels) == len(set(thresholds.labels)) == len(cuts) + 1


@pytest.mark.parametrize("cuts", [(1.0, 1.0), (2.0, 1.0), (np.nan,), (1.0, np.inf)])
def test_cut_points_that_do_not_increase_are_refused(cuts: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="expected finite numbers in increasing order"):
        Thresholds(cuts)


@given(st.lists(NUMBERS, min_size=2, max_size=6, unique=True).map(sorted))
def test_cuts_between_neighbours_part_them(numbers: list[float]) -> None:
    """Also where the sum of two is too large for a number, or no number lies between them."""
    column = np.array(numbers)
    thresholds = Thresholds.between(column[:-1], column[1:])
    assert thresholds.codes(column).tolist() == list(range(len(numbers)))


@given(NUMBERS)
def test_neighbouring_floats_are_parted(number: float) -> None:
    lower = np.nextafter(number, 0) if number > 0 else number
    higher = number if number > 0 else np.nextafter(number, np.inf)
    assert Thresholds.between(np.array([lower]), np.array([higher])).cuts == (lower,)


@given(st.integers(-10_000, 10_000), st.integers(1, 10_000), st.integers(0, 6))
def test_cuts_between_decimals_are_the_decimals_midway(lower: int, gap: int, digits: int) -> None:
    scale = 10**digits
    (cut,) = Thresholds.between(np.array([lower / scale]), np.array([(lower + gap) / scale])).cuts
    assert cut == (2 * lower + gap) / (2 * scale)


@given(NUMBERS)
def test_numbers_read_back_from_their_text(number: float) -> None:
    assert float(number_text(number)) == number


@pytest.mark.parametrize(("number", "words"), [(3.0, "3"), (-0.0, "0"), (0.1, "0.1"), (-2.50, "-2.5"), (1e22, "1e+22")])
def test_numbers_as_text(number: float, words: str) -> None:
    assert number_text(number) == words
