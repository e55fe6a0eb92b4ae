"""Random words for Zobrist hashing: the hash of a set of rows is the exclusive or of the words of its rows."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import outer
from algorithms.splitmix import mixed_word


@outer
def random_words(words):
    """Fill an array (rows, words of a row) of uint64 with pseudo-random words, the same in every call."""
    for row in range(words.shape[0]):
        for index in range(words.shape[1]):
            words[row, index] = mixed_word(np.uint64(row * words.shape[1] + index + 1))
