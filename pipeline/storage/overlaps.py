"""Chooses among ranges of items that overlap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def with_most_items(ranges: Sequence[tuple[int, int]]) -> list[int]:
    """The indices, in order, of ranges without overlaps that hold the most items together.

    Of such choices, it is one with the fewest ranges. The ranges, from the first item up to, not including, the second,
    are sorted by their ends. They are chosen by dynamic programming.
    """
    stops = [stop for _, stop in ranges]
    before = [bisect_right(stops, first) for first, _ in ranges]  # the number of ranges that end where it begins
    best = [(0, 0)]  # of the first so many ranges: the items and, negative, the number of chosen ranges
    for (first, stop), number in zip(ranges, before, strict=True):
        items, chosen = best[number]
        best.append(max(best[-1], (items + stop - first, chosen - 1)))
    result, number = [], len(ranges)
    while number:
        if best[number] > best[number - 1]:
            result.append(number - 1)
            number = before[number - 1]
        else:
            number -= 1
    return result[::-1]
