"""Random draws that are a function of where they are made: splitmix64, all in integers, the same on any machine.

The draws for one tree are a stream of their own, known by seed, generation and place in it, so that it does not matter
in which order, or by how many threads, trees are made.
"""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import allocating, kernel
from algorithms.splitmix import GOLDEN, finished

__all__ = ["begin", "below", "chance", "fill"]


@kernel
def begin(stream, seed, generation, place):
    """Begin the stream (1,) uint64 of a place in a generation; all three are uint64."""
    state = finished(seed + GOLDEN)
    state = finished((state ^ generation) + GOLDEN)
    stream[0] = finished((state ^ place) + GOLDEN)


@allocating
def _word(stream):
    stream[0] += GOLDEN
    return finished(stream[0])


@kernel
def below(stream, count):
    """A whole number from 0 to count - 1, count at most 2**32; each but for a part in 2**32 / count as likely."""
    return np.int64(((_word(stream) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@allocating
def chance(stream, probability):
    """Whether what has this probability comes to pass."""
    return np.float64(np.int64(_word(stream) >> np.uint64(11))) < probability * 9007199254740992.0  # 2**53


@kernel
def fill(stream, words):
    """Write the next words of a stream."""
    for place in range(len(words)):
        words[place] = _word(stream)
