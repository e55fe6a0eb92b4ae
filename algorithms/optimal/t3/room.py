"""What the kernels of `two_level_cuts` read and write."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words

__all__ = ["Node", "Room"]

Places = NDArray[np.int64]

WORK, MOST_WORK, EVALUATED, SLICE, ENTRIES, STOPPED, VALUES = range(7)
"""Places in `Room.tally`: work counted, and allowed; work done on intervals that were not remembered, and allowed; how
many intervals are remembered; whether the search has stopped before its end; the values of the number that is cut."""

RECENT = 32
"""Intervals that the errors of attributes are bounded by."""

LEFT, LEFT_HIGH, RIGHT, RIGHT_HIGH, BOUND, FIRST, LAST = range(7)
"""Fields of a range of cuts, see `cuts._Range`."""
MIDDLE, WANTED, BEST, CUTS, PLACE, WAITING = range(4, 10)
"""Fields of a search beside the first four: its cut in hand; so many errors are too many; the fewest so far, how many
cuts they have, and the first; how many ranges wait."""


class Room(NamedTuple):
    """Scratch of a search, for at most so many rows, values and attributes.

    order, ends, before, hashes : the rows by the number that is cut, see `CodedRows.ordered`; of the values before
                         each: their rows, their weight, and the words of their rows combined by exclusive or
    counts, there, only, right, most : of `best_attribute`
    total              : (classes,)
    queue              : (attributes,) in the order in which they are asked
    bounds             : (RECENT + 1, attributes) at least so many errors has each, on recent
                         intervals and on that in hand
    recent             : (RECENT + 1, 2) their first values, and the values after them; the last: how many there are
    ranges, state      : [intervals - 2, place, field], [intervals - 2, field] of a search for two or three intervals
    places             : [intervals - 2, place] its best cuts; in the third row those of all
    parts              : (codes,) those codes of a nominal attribute that rows have
    keys, errors       : (slots, 2), (slots,) the fewest errors of one level on some rows, by their words
    tally              : see WORK
    """

    order: Places
    ends: Places
    before: Numbers
    hashes: Words
    counts: Numbers
    there: Words
    only: Places
    right: Numbers
    most: Numbers
    total: Numbers
    queue: Places
    bounds: Numbers
    recent: Places
    ranges: Numbers
    state: Numbers
    places: Places
    parts: Places
    keys: Words
    errors: Numbers
    tally: Places


class Node(NamedTuple):
    """The rows of a node, see `CodedRows`, and what a tree of one level for some of them may be.

    intervals  : of a number at most so many
    acceptable : a leaf where the error rate is no more
    """

    codes: NDArray[np.int32]
    width: NDArray[np.int64]
    numeric: NDArray[np.bool_]
    decisions: NDArray[np.int32]
    weights: Numbers
    words: Words
    intervals: int
    acceptable: float
    tie: float
