"""Plain twins of all code that uses numba's private parts: the same results from public numba alone.

They compile and run slower. `primitives` selects them if the private parts are switched off or fail to import.
"""

import numpy as np
from numba import njit

__all__ = [
    "BRANCHES_AT_ONCE",
    "LANES",
    "MOST_WORDS",
    "any_bit",
    "any_flag",
    "beside",
    "bit_counts",
    "by_reference",
    "cells",
    "choose",
    "flags_of",
    "fold",
    "greater",
    "keep_if",
    "lane_min",
    "least_lane",
    "lesser",
    "load",
    "lowest",
    "pack",
    "part_masks",
    "popcount",
    "read",
    "store",
    "sum_of_each",
    "vector",
    "width",
    "with_bit",
    "without_lowest",
    "write",
    "zeros",
]

LANES = 32
"""The length of a vector, as in `vectors`: buffers have this width in either case."""

BRANCHES_AT_ONCE = 8
"""The number of elements that arrays have beyond the number of branches, as in `part_masks`."""

MOST_WORDS = 1
"""Machine words of the widest word; unlike `bits`, there are no tuples of words."""

ONE, TWO, FOUR, TOP_BYTE = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
PAIRS, NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
BYTES, EACH_BYTE = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)

LANE_TOPS, TO_LANE_BOTTOM = np.uint64(0x8000_8000_8000_8000), np.uint64(15)

plain = njit(nogil=True)


@plain
def by_reference(values):
    return values


@plain
def cells(array):
    return array


@plain
def popcount(word):
    """Number of set bits of a uint64, as a uint64: sums over pairs, nibbles and bytes."""
    word = word - ((word >> ONE) & PAIRS)
    word = (word & NIBBLES) + ((word >> TWO) & NIBBLES)
    return (((word + (word >> FOUR)) & BYTES) * EACH_BYTE) >> TOP_BYTE


@plain
def lowest(word):
    """Index of the lowest set bit of a uint64, as a uint64; 64 if none is set."""
    return popcount(~word & (word - ONE))


@plain
def without_lowest(word):
    return word & (word - ONE)


@plain
def with_bit(word, index):
    """A word with the bit at an index, an int64, set."""
    return word | ONE << np.uint64(index)


@plain
def any_bit(word):
    return word != word ^ word


@plain
def keep_if(mask, word):
    return mask & word


@plain
def lane_min(left, right):
    """The lesser of each pair of four numbers below 2**15, in two uint64."""
    tops = ((left | LANE_TOPS) - right) & LANE_TOPS
    return left ^ ((left ^ right) & (tops - (tops >> TO_LANE_BOTTOM)))


@plain
def sum_of_each(left, right):
    return left + right


@plain
def width(_word):
    return ONE


@plain
def fold(word, _factor):
    return word


@plain
def read(array, index, _like):
    """The word at a flat index of an array."""
    return array.reshape(-1)[index]


@plain
def write(array, index, word):
    """Write a word at a flat index of an array."""
    array.reshape(-1)[index] = word


@plain
def part_masks(value_rows, decision_rows, rows, branch, edge, first, last):
    """The bits of `part_masks.part_masks`, branch by branch."""
    threes, mores, wholes = rows ^ rows, rows ^ rows, rows ^ rows
    for b in range(first, last):
        part, decisions = rows & read(value_rows, b, rows), 0
        for decision in range(len(decision_rows)):
            decisions += part & decision_rows[decision, 0] != rows ^ rows
        branch[edge + (b - first)] = min(decisions, 2)
        bit, size = ONE << (b - first), popcount(part)
        if decisions > 1 and size == TWO + ONE:
            threes |= bit
        if decisions > 1 and size > TWO + ONE and part != rows:
            mores |= bit
        if part == rows:
            wholes |= bit
    return threes, mores, wholes


@plain
def pack(word, chosen):
    """The bits of a uint64 selected by `chosen`, moved together at its low end, in order."""
    packed, bit = word ^ word, ONE
    while chosen != packed ^ packed:
        below = chosen & (chosen - ONE)
        if word & (chosen ^ below):
            packed |= bit
        bit = bit << ONE
        chosen = below
    return packed


@plain
def zeros(like):
    """LANES zeros, like the numbers of an array."""
    return np.zeros(LANES, np.int64) * like.dtype.type(0)


@plain
def vector(numbers):
    return np.array(numbers)


@plain
def load(array, at, like):
    return array.reshape(-1)[at : at + len(like)].astype(like.dtype)


@plain
def store(array, at, vector):
    array.reshape(-1)[at : at + len(vector)] = vector


@plain
def choose(flags, first, second):
    return np.where(flags, first, second)


@plain
def lesser(first, second):
    return np.minimum(first, second)


@plain
def greater(first, second):
    return np.maximum(first, second)


@plain
def any_flag(flags):
    return flags.any()


@plain
def flags_of(word):
    return (word >> np.arange(LANES)) & 1 != 0


@plain
def bit_counts(vector):
    counts = np.zeros(len(vector), np.int64)
    for lane in range(len(vector)):
        counts[lane] = popcount(np.uint64(vector[lane]))
    return counts


@plain
def least_lane(vector):
    return vector.min()


@plain
def beside(first, second):
    return np.concatenate((first, second))
