"""The tests of a node in the order of their lower bounds, which are computed for ranges of cuts first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Any

import numpy as np

from algorithms.array_types import Numbers

Range = list[int]
"""Tests that are bounded together: cuts of one attribute, increasing, or one test."""


class TestsByBound:
    """Pairs of a lower bound and a test, the least bound first; it is a bound of all tests that follow, too.

    Of tests of equal bounds, that of the least `cost` comes first.

    bound_of : a lower bound of all tests from the first to the last of a range
    best     : the least cost so far, which the caller updates; the pairs end when no further test can be better
    """

    def __init__(self, ranges: list[Range], cost: Numbers, bound_of: Callable[[int, int], float], best: float) -> None:
        self._cost, self._bound_of, self.best = cost, bound_of, best
        self._waiting: list[tuple[float, float, Range]] = []
        for cuts in ranges:
            self._add(cuts, 0.0)

    def _add(self, cuts: Range, least: float) -> None:
        bound = max(self._bound_of(cuts[0], cuts[-1]), least)
        if bound < self.best:
            heappush(self._waiting, (bound, float(self._cost[cuts].min()), cuts))

    def __iter__(self) -> Iterator[tuple[float, int]]:
        while self._waiting:
            bound, _, cuts = heappop(self._waiting)
            if bound >= self.best:
                return
            if len(cuts) == 1:
                yield bound, cuts[0]
            else:
                middle = len(cuts) // 2
                self._add(cuts[:middle], bound)
                self._add(cuts[middle:], bound)


def ranges_of_cuts(tests: Any, attributes: Any, cuts: Any, together: Any) -> list[Range]:
    """The tests, increasing, in ranges of rising cuts of one attribute.

    attributes, cuts : (tests,) the attribute and the cut of each
    together         : (all attributes,) whether their cuts can be bounded together; otherwise each is a range
    """
    ends = np.flatnonzero((np.diff(attributes) != 0) | (np.diff(cuts) <= 0) | ~together[attributes[1:]]) + 1
    return [in_range.tolist() for in_range in np.split(tests, ends)] if len(tests) else []
