"""Sorts few numbers by shell sort: NumPy's sort takes a second or two to compile for each type."""

from __future__ import annotations

from algorithms._numba.decorators import inner

__all__ = ["PLACE_BITS", "PLACE_MASK", "sort"]

PLACE_BITS = 32
PLACE_MASK = (1 << PLACE_BITS) - 1
"""number << PLACE_BITS | index: a number of 31 bits and its index in one word, sorted by number and then by index."""


@inner
def sort(numbers):
    """Sort numbers (length,) in place, increasing; the gaps are those of Gonnet and Baeza-Yates."""
    gap = len(numbers)
    while gap > 1:
        gap = max(1, gap * 5 // 11)
        for upto in range(gap, len(numbers)):
            moving, at = numbers[upto], upto
            while at >= gap and numbers[at - gap] > moving:
                numbers[at] = numbers[at - gap]
                at -= gap
            numbers[at] = moving
