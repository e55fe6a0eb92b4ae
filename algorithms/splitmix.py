"""splitmix64 (Steele, Lea and Flood 2014): pseudorandom words, determined by their input."""

import numpy as np

from algorithms._numba.decorators import of_words

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio: its multiples are spread evenly modulo 2**64."""
FACTOR, SECOND_FACTOR = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@of_words
def finished(word):
    """The last step of splitmix64: each bit of the word affects about half of the bits of the result."""
    word = (word ^ (word >> np.uint64(30))) * FACTOR
    word = (word ^ (word >> np.uint64(27))) * SECOND_FACTOR
    return word ^ (word >> np.uint64(31))


@of_words
def mixed_word(word):
    """A pseudorandom word determined by a word."""
    return finished(word * GOLDEN)
