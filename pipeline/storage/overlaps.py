"""Chooses among ranges of items that overlap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def with_most_items(ranges: Sequence[tuple[int, int]]) -> list[int]:
    """The indices, in order, of ranges without overlaps that hold the most items together.

    If several choices hold as many, it is one with the fewest ranges. A range (a, b) holds the items a to b - 1. The
    ranges are sorted by their ends. They are chosen by dynamic programming.
    """
    stops = [stop for _, stop in ranges]
    before = [bisect_right(stops, first) for first, _ in ranges]  # the number of ranges that end by its first item
    best = [(0, 0)]  # by number of first ranges: the items, and minus the chosen ranges
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
