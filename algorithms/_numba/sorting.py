"""Sorts few numbers by shell sort: NumPy's sort takes a second or two to compile for each type."""

from algorithms._numba.decorators import inner

INDEX_BITS = 32
INDEX_MASK = (1 << INDEX_BITS) - 1
"""number << INDEX_BITS | index: a number of 31 bits and its index in one word, sorted by number and then by index."""


@inner
def sort(numbers):
    """Sort numbers (length,) in place, increasing; the gaps are those of Gonnet and Baeza-Yates."""
    gap = len(numbers)
    while gap > 1:
        gap = max(1, gap * 5 // 11)
        for end in range(gap, len(numbers)):
            moving, index = numbers[end], end
            while index >= gap and numbers[index - gap] > moving:
                numbers[index] = numbers[index - gap]
                index -= gap
            numbers[index] = moving
