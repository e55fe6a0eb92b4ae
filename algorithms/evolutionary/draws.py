"""Random draws by splitmix64, in integer arithmetic, so that they are the same on every machine.

Each tree has its own stream of draws, given by the seed, the generation and the index of the tree. So the draws depend
neither on the order in which trees are made nor on the number of threads.
"""

import numpy as np

from algorithms._numba.decorators import allocating, kernel
from algorithms.splitmix import GOLDEN, finished


@kernel
def begin_stream(stream, seed, generation, index):
    """Set `stream`, (1,) uint64, to the start of the stream of a seed, generation and index, all uint64."""
    state = finished(seed + GOLDEN)
    state = finished((state ^ generation) + GOLDEN)
    stream[0] = finished((state ^ index) + GOLDEN)


@allocating
def _draw_word(stream):
    stream[0] += GOLDEN
    return finished(stream[0])


@kernel
def draw_below(stream, count):
    """An integer from 0 to count - 1; count is at most 2**32.

    The probability of each integer differs from 1 / count by a relative error of at most count / 2**32.
    """
    return np.int64(((_draw_word(stream) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@allocating
def draw_true(stream, probability):
    """True with this probability."""
    return np.float64(np.int64(_draw_word(stream) >> np.uint64(11))) < probability * 9007199254740992.0  # 2**53


@kernel
def draw_words(stream, words):
    """Fill `words`, (n,) uint64, with the next words of a stream."""
    for index in range(len(words)):
        words[index] = _draw_word(stream)
