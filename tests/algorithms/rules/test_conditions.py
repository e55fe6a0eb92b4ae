"""Conditions: on which rows they hold, how they read, and what two of them are together."""

from __future__ import annotations

from functools import reduce
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.table import Labels
from algorithms.rules.condition import Condition, Interval, LinearInterval, NoneOf, OneOf, conjoined, ends

LABELS = Labels(("width", "colour"), ((), ("red", "green", "blue")), ("no", "yes"))
NUMBERS = st.sampled_from([-inf, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, inf])
VALUES = st.sampled_from([nan, -inf, -1.0, 0.0, 0.25, 0.5, 1.0, 2.0, 5.0, inf])
CODES = st.lists(st.integers(0, 3), unique=True).map(lambda codes: tuple(sorted(codes)))
ATTRIBUTES = st.integers(0, 1)
CONDITIONS = st.one_of(
    st.builds(OneOf, ATTRIBUTES, CODES),
    st.builds(NoneOf, ATTRIBUTES, CODES),
    st.builds(Interval, ATTRIBUTES, NUMBERS, NUMBERS, st.booleans()),
    st.builds(LinearInterval, st.sampled_from([(2.0, 0.0), (1.0, -1.0)]), NUMBERS, NUMBERS, st.booleans()),
)
ROWS = st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=8)


def holds(condition: Condition, row: tuple[float, float]) -> bool:
    """By the words of the docstrings."""
    if isinstance(condition, LinearInterval):
        terms = [c * value for c, value in zip(condition.coefficients, row, strict=True) if c]
        value: Any = sum(terms)
    else:
        value = row[condition.attribute]
    if isinstance(condition, OneOf):
        return value in condition.codes
    if isinstance(condition, NoneOf):
        return value not in condition.codes
    if value != value:  # NaN alone
        return condition.unknown
    if condition.lower == -inf:
        return value <= condition.upper and condition.upper > -inf
    return condition.lower < value <= condition.upper


@pytest.mark.filterwarnings("ignore:invalid value")  # infinities less infinities
@given(CONDITIONS, ROWS)
def test_where_they_hold(condition: Condition, rows: list[tuple[float, float]]) -> None:
    with np.errstate(invalid="ignore"):
        assert condition.holds(np.array(rows)).tolist() == [holds(condition, row) for row in rows]


@given(st.lists(CONDITIONS, max_size=5), ROWS)
def test_joined_they_hold_where_all_do(conditions: list[Condition], rows: list[tuple[float, float]]) -> None:
    start: tuple[Condition, ...] = ()
    joined = reduce(conjoined, conditions, start)
    for row in rows:
        assert all(holds(each, row) for each in joined) == all(holds(condition, row) for condition in conditions)
    tested = [(type(each), each.attribute) for each in joined if not isinstance(each, LinearInterval)]
    assert len(set(tested)) == len(tested)


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        (Interval(0, 1, 5, unknown=True), Interval(0, 2, 9), Interval(0, 2, 5)),
        (Interval(0, 1, 5, unknown=True), Interval(0, 2, 9, unknown=True), Interval(0, 2, 5, unknown=True)),
        (OneOf(0, (0, 1, 2)), OneOf(0, (1, 2, 3)), OneOf(0, (1, 2))),
        (OneOf(0, (0, 1, 2)), NoneOf(0, (1, 3)), OneOf(0, (0, 2))),
        (NoneOf(0, (2, 3)), OneOf(0, (0, 2)), OneOf(0, (0,))),
        (NoneOf(0, (2,)), NoneOf(0, (1, 2)), NoneOf(0, (1, 2))),
    ],
)
def test_two_of_one_attribute_are_one(first: Condition, second: Condition, together: Condition) -> None:
    assert conjoined((first,), second) == (together,)
    assert conjoined((OneOf(1, (0,)), first), second) == (OneOf(1, (0,)), together)


@given(CONDITIONS, ROWS)
def test_the_ends_of_an_interval_are_the_interval(condition: Condition, rows: list[tuple[float, float]]) -> None:
    parts = ends(condition)
    for row in rows:
        assert all(holds(part, row) for part in parts) == holds(condition, row)
    two = isinstance(condition, Interval | LinearInterval) and np.isfinite([condition.lower, condition.upper]).all()
    assert len(parts) == 1 + two


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (OneOf(1, (0,)), "colour = red"),
        (OneOf(1, (0, 2)), "colour in {red, blue}"),
        (OneOf(1, (7,)), "colour = 7"),
        (NoneOf(1, (0,)), "not colour = red"),
        (NoneOf(1, (0, 1)), "not colour in {red, green}"),
        (Interval(0, upper=2.5), "width <= 2.5"),
        (Interval(0, 1, 2.5), "1 < width <= 2.5"),
        (Interval(0, lower=1), "width > 1"),
        (Interval(0), "width is known"),
        (Interval(0, lower=1, unknown=True), "(width > 1 or unknown)"),
        (Interval(0, inf, inf, unknown=True), "width is unknown"),
        (LinearInterval((2.0, -1.0), upper=3), "2 width + -1 colour <= 3"),
        (LinearInterval((0.0, 1.0), inf, inf, unknown=True), "1 colour is unknown"),
    ],
)
def test_how_they_read(condition: Condition, words: str) -> None:
    assert condition.text(LABELS) == words
    assert condition.text() == words.replace("width", "f1").replace("colour", "f2").replace("red", "0").replace(
        "blue", "2"
    ).replace("green", "1")
