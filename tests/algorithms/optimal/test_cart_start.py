"""CART beside a search: the time that is left to it, and searches that leave it out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from algorithms.induction.cart import CARTClassifier
from algorithms.optimal import cart_start
from algorithms.optimal.cart_start import effort_beside_cart
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed.solve_ranks import plan_of_tree
from algorithms.optimal.plan import tree_of_plan
from algorithms.optimal.solution import Effort, Status
from tests.algorithms.data_sets import data_set_of


def noise(*, numeric: bool, labels: int = 2) -> Instance:
    generator = np.random.default_rng(3)
    values = generator.random((20, 200)) if numeric else generator.integers(0, labels, (20, 200))
    data = data_set_of(list(values), generator.integers(0, 2, 200).tolist(), [numeric] * 20)
    return Instance(data, np.ones(200), max_depth=5)


def test_time_is_left_to_cart_up_to_a_half_of_the_limit() -> None:
    for numeric in (False, True):
        instance = noise(numeric=numeric)
        left, fits = effort_beside_cart(instance, Effort(seconds=10.0, work=7, memory=8))
        assert fits
        cart = 10.0 - (left.seconds or 0.0)
        assert 0 < cart < 0.1
        assert (left.work, left.memory) == (7, 8)
        for share, enough in ((2.1, True), (1.9, False)):
            left, fits = effort_beside_cart(instance, Effort(seconds=share * cart))
            assert fits == enough
            assert left.seconds == pytest.approx((share - 1) * cart if enough else share * cart)
        deeper = effort_beside_cart(replace(instance, max_depth=10), Effort(seconds=10.0))[0]
        assert 10.0 - (deeper.seconds or 0.0) == pytest.approx(2 * cart)


def test_more_time_is_left_to_cart_for_more_classes() -> None:
    few = noise(numeric=True)
    many = replace(few, data=replace(few.data, classes=tuple(map(str, range(1000)))))
    left_few, left_many = (effort_beside_cart(instance, Effort(seconds=10.0))[0].seconds for instance in (few, many))
    assert 10.0 - (left_many or 0.0) > 4 * (10.0 - (left_few or 0.0))


@pytest.mark.parametrize("codes", [(0, 1), (1, 4), (4, 1), (3, 4), (0, 4)])
def test_the_plan_of_cart_has_every_row(codes: tuple[int, int]) -> None:
    """CART tests one label against all others. The rows have two of the up to five labels."""
    generator = np.random.default_rng(1)
    bits = generator.integers(0, 2, (3, 60))
    columns = [*np.array(codes)[bits], generator.random(60)]
    data = data_set_of(columns, (bits[0] ^ (bits[1] & bits[2])).tolist(), [False, False, False, True])
    for seed in range(10):  # which of the two labels is tested is drawn
        grown = CARTClassifier(random_state=seed).fit(data).tree_
        plan = plan_of_tree(data, grown)
        assert (tree_of_plan(plan, data, np.ones(60)).predict(data.values()) == data.decisions).all()


@pytest.mark.parametrize("effort", [Effort(), Effort(work=10)])
def test_without_a_limit_of_time_nothing_is_left(effort: Effort) -> None:
    assert effort_beside_cart(noise(numeric=True), effort) == (effort, True)


def test_no_time_is_left_to_a_cart_that_splits_otherwise() -> None:
    effort = Effort(seconds=1e-6)
    assert effort_beside_cart(noise(numeric=False, labels=3), effort) == (effort, True)


@pytest.mark.parametrize("numeric", [False, True])
@pytest.mark.parametrize("fits", [False, True])
def test_a_search_grows_cart_where_the_time_suffices(
    numeric: bool, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown: list[Any] = []
    whole = cart_start.grown_tree
    monkeypatch.setattr(cart_start, "grown_tree", lambda *given: grown.append(given) or whole(*given))
    if not fits:
        monkeypatch.setattr(cart_start, "SECONDS_OF_A_NUMBER", 1.0)
        monkeypatch.setattr(cart_start, "SECONDS_OF_A_LABEL", 1.0)
    monkeypatch.setattr("algorithms.optimal.driver.Driver._check_time", stopped)
    solution = solve(noise(numeric=numeric), Effort(seconds=100.0))
    assert solution.status is Status.TIME_LIMIT
    assert len(grown) == fits


def stopped(_: object) -> None:
    from algorithms.optimal.solution import Stopped

    raise Stopped(Status.TIME_LIMIT)
