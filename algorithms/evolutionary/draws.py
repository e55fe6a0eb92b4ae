"""Random draws that depend only on their position: splitmix64, in integers, the same on any machine.

Each tree has its own stream of draws, identified by seed, generation and index. So the order in which trees are made,
and the number of threads, do not matter.
"""

import numpy as np

from algorithms._numba.decorators import allocating, kernel
from algorithms.splitmix import GOLDEN, finished


@kernel
def begin_stream(stream, seed, generation, index):
    """Begin the stream (1,) uint64 of an index in a generation; all three are uint64."""
    state = finished(seed + GOLDEN)
    state = finished((state ^ generation) + GOLDEN)
    stream[0] = finished((state ^ index) + GOLDEN)


@allocating
def _draw_word(stream):
    stream[0] += GOLDEN
    return finished(stream[0])


@kernel
def draw_below(stream, count):
    """A whole number from 0 to count - 1, count at most 2**32.

    Probabilities differ by a share of count / 2**32 at most.
    """
    return np.int64(((_draw_word(stream) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@allocating
def draw_true(stream, probability):
    """True with this probability."""
    return np.float64(np.int64(_draw_word(stream) >> np.uint64(11))) < probability * 9007199254740992.0  # 2**53


@kernel
def draw_words(stream, words):
    """Write the next words of a stream."""
    for index in range(len(words)):
        words[index] = _draw_word(stream)
