"""Random words, by which sets of rows are hashed."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import outer
from algorithms.splitmix import mixed_word


@outer
def random_words(words):
    """Fill an array with fixed pseudo-random words."""
    for row in range(words.shape[0]):
        for index in range(words.shape[1]):
            words[row, index] = mixed_word(np.uint64(row * words.shape[1] + index + 1))
