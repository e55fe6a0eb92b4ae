"""How the driver of exact searches cuts them into slices."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from algorithms._numba.compiling import Stopwatch
from algorithms.optimal.driver import SLICE_SECONDS, Driver, Kernel
from algorithms.optimal.instance import Instance
from algorithms.optimal.solution import Effort, Status
from tests.algorithms.data_sets import data_set_of


class Steady:
    """A kernel that does so many units a second, and its clock; other programs interrupt the slices in `interrupted`.

    slices : units of work in each slice
    """

    unit, priced, slack, first_slice = 1.0, False, 0.0, 100_000

    def __init__(self, units_a_second: float, interrupted: dict[int, float]) -> None:
        self.pace, self.interrupted = units_a_second, interrupted
        self.seconds, self.work = 0.0, 0
        self.slices: list[int] = []

    def advance(self, until: int) -> bool:
        """Do all the work."""
        self.slices.append(until - self.work)
        self.seconds += self.slices[-1] / self.pace + self.interrupted.get(len(self.slices), 0.0)
        self.work = until
        return False

    def grow(self) -> None:
        """Nothing has to grow."""


class Brief(Steady):
    """A kernel whose searches end after some units, less than a slice."""

    def advance(self, until: int) -> bool:
        """Do what the search needs."""
        return not super().advance(min(until, self.work + 50_000))


def driver_of(kernel: Steady, effort: Effort) -> Driver:
    instance = Instance(data_set_of([[1.0, 2.0]], [0, 1], [True]), np.ones(2), max_depth=1)
    clock, costs = cast("Stopwatch", kernel), np.zeros(1)
    return Driver(instance, cast("Kernel", cast("Any", kernel)), effort, clock, None, costs, costs)


def slices_of(units_a_second: float, interrupted: dict[int, float], work: int) -> list[int]:
    kernel = Steady(units_a_second, interrupted)
    driver_of(kernel, Effort()).advance(work)
    return kernel.slices


def test_slices_become_as_long_as_the_pace_allows() -> None:
    for pace in (1e7, 1e8, 1e9):
        assert slices_of(pace, {}, int(pace))[-2] / pace == pytest.approx(SLICE_SECONDS, rel=0.01)


def test_interrupted_slices_grow_again() -> None:
    pace = 1e8
    steady = len(slices_of(pace, {}, int(pace)))
    interrupted = len(slices_of(pace, {10: 1.0, 30: 1.0, 50: 1.0}, int(pace)))
    assert interrupted < 1.5 * steady


@pytest.mark.parametrize("pace", [3e6, 1e8, 1e10])
def test_a_search_checks_the_time_often_enough(pace: float) -> None:
    """The first slice is the only one whose length is not known."""
    kernel = Steady(pace, {})
    driver = driver_of(kernel, Effort(seconds=1.0))
    assert driver.run(driver.advance) is Status.TIME_LIMIT
    assert 1.0 < kernel.seconds < 1.0 + 2 * SLICE_SECONDS


def test_many_short_searches_keep_the_limit_of_one() -> None:
    kernel = Brief(1e7, {})
    driver = driver_of(kernel, Effort(seconds=1.0))

    def searches() -> None:
        for _ in range(1000):
            driver.advance()

    assert driver.run(searches) is Status.TIME_LIMIT
    assert 1.0 < kernel.seconds < 1.1


def test_the_first_slice_of_a_search_is_run_however_short_the_limit() -> None:
    kernel = Steady(1e7, {})
    kernel.seconds = 5.0
    driver = driver_of(kernel, Effort(seconds=1.0))
    assert driver.run(driver.advance) is Status.TIME_LIMIT
    assert len(kernel.slices) == 1
