"""Shell sort for short arrays: NumPy's sort takes a second or two to compile for each type."""

from algorithms._numba.decorators import inner

INDEX_BITS = 32
INDEX_MASK = (1 << INDEX_BITS) - 1
"""A sort key is an int64, number << INDEX_BITS | index: bits 32 to 62 are a number, bits 0 to 31 its index.

Keys sort by number, and then by index.
"""


@inner
def sort(numbers):
    """Sort numbers (length,) in place, in increasing order. The gaps are those of Gonnet and Baeza-Yates 1991."""
    gap = len(numbers)
    while gap > 1:
        gap = max(1, gap * 5 // 11)
        for end in range(gap, len(numbers)):
            moving, index = numbers[end], end
            while index >= gap and numbers[index - gap] > moving:
                numbers[index] = numbers[index - gap]
                index -= gap
            numbers[index] = moving
