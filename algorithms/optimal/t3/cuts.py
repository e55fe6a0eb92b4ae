"""Where to cut a number so that the trees over its intervals have the fewest errors in total.

Removing rows never increases the fewest errors, and reduces them by at most the weight removed (see `Form.monotone`).
So as a cut moves right, the errors to its left do not fall and those to its right do not rise. A range of cuts is
skipped if the errors at its ends leave nothing better than the best known. ConTree does the same for binary trees
(C. E. Briţa, J. G. M. van der Linden, E. Demirović: Optimal classification trees for continuous feature data using
dynamic programming with branch-and-bound, 2025).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

IntervalErrors = Callable[[int, int, float], float]
"""Computes the fewest errors over values from (first, stop, limit); stop is excluded. If they are not below limit, it
returns any number from limit up to them.
"""


@dataclass(frozen=True)
class Cuts:
    """The fewest errors, and the values before which intervals begin, after the first."""

    errors: float
    starts: tuple[int, ...] = ()


class _Range(NamedTuple):
    """Cuts from first to last, with errors on either side between low and high, where these are known."""

    bound: float
    first: int
    last: int
    left: tuple[float, float]
    right: tuple[float, float]

    @staticmethod
    def of(first: int, last: int, left: tuple[float, float], right: tuple[float, float]) -> _Range:
        return _Range(left[0] + right[0], first, last, left, right)


NOTHING_KNOWN = (0.0, math.inf)


def best_cuts(
    weight_before: Sequence[float],
    errors: IntervalErrors,
    *,
    fewest: int,
    most: int,
    limit: float,
    tie: float,
    monotone: bool = True,
) -> Cuts:
    """The best way to cut values into `fewest` to `most` intervals, or as many as there are values.

    weight_before : (values + 1,) the weight of the rows with the values before each, and of all
    limit         : if no way has fewer errors by `tie`, the result has `limit` errors and no cuts
    monotone      : whether ranges of cuts may be skipped, as explained above

    Ties go to fewer intervals, then to the smaller first cut, then to the smaller next one.
    """
    values = len(weight_before) - 1
    search = _CutSearch(weight_before, errors, tie, monotone)
    best = Cuts(limit)
    for number in range(min(fewest, values), min(most, values) + 1):
        cuts = Cuts(errors(0, values, best.errors)) if number == 1 else search.cut(0, number, best.errors)
        best = cuts if cuts.errors < best.errors - tie else best
    return best


@dataclass(frozen=True)
class _CutSearch:
    """The arguments of `best_cuts`."""

    weight_before: Sequence[float]
    errors: IntervalErrors
    tie: float
    monotone: bool

    @property
    def values(self) -> int:
        return len(self.weight_before) - 1

    def from_value(self, first: int, intervals: int, limit: float) -> Cuts:
        """The best of at most this many intervals from a value on; if none is below `limit`, any number that is not."""
        result = Cuts(self.errors(first, self.values, limit))
        for number in range(2, intervals + 1):
            result = min(result, self.cut(first, number, min(limit, result.errors)), key=lambda cuts: cuts.errors)
        return result

    def cut(self, start: int, intervals: int, limit: float) -> Cuts:
        """The best of two to this many intervals from a value on, or `limit` errors if none has fewer."""
        best, first_cut = Cuts(limit), self.values
        ranges = [_Range.of(start + 1, self.values - 1, NOTHING_KNOWN, NOTHING_KNOWN)]
        while ranges:
            span = heappop(ranges)
            earlier = bool(best.starts) and span.first < first_cut
            if span.bound >= best.errors + (self.tie if earlier else -self.tie) or span.first > span.last:
                continue
            middle, too_many = (span.first + span.last) // 2, best.errors + (2 * self.tie if earlier else 0)
            (left, left_high), (right, right_high), rest = span.left, span.right, Cuts(0)
            if left < left_high:
                left = self.errors(start, middle, too_many - right)
                left_high = left if left + right < too_many else left_high
            if left + right < too_many:
                rest = self.from_value(middle, intervals - 1, too_many - left)
                right = rest.errors
                right_high = right if left + right < too_many else right_high
            total = left + right
            if total < best.errors - self.tie or (earlier and total <= best.errors + self.tie):
                best, first_cut = Cuts(min(total, best.errors), (middle, *rest.starts)), middle
            if self.monotone:
                before, after = self._neighbours(middle, total - best.errors - self.tie)
                below = _Range.of(span.first, before, (span.left[0], left_high), (right, span.right[1]))
                above = _Range.of(after, span.last, (left, span.left[1]), (span.right[0], right_high))
            else:
                below = _Range.of(span.first, middle - 1, NOTHING_KNOWN, NOTHING_KNOWN)
                above = _Range.of(middle + 1, span.last, NOTHING_KNOWN, NOTHING_KNOWN)
            heappush(ranges, below)
            heappush(ranges, above)
        return best

    def _neighbours(self, middle: int, excess: float) -> tuple[int, int]:
        """The nearest cuts on either side with at least the excess between them, which only moved rows can remove.

        Without excess they are the adjacent cuts.
        """
        if excess <= 0:
            return middle - 1, middle + 1
        weight = self.weight_before[middle]
        before = bisect_right(self.weight_before, weight - excess) - 1
        return before, bisect_left(self.weight_before, weight + excess)
