"""The arrays that the kernels of `two_level_cuts` read and write."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words

__all__ = ["Node", "Scratch"]

Places = NDArray[np.int64]

WORK, MOST_WORK, EVALUATED, SLICE, ENTRIES, STOPPED, VALUES = range(7)
"""Indices into `Scratch.tally`: work counted, and allowed; work on intervals that were not in the memo, and allowed;
number of intervals in the memo; whether the search has stopped early; the values of the number that is cut.
"""

RECENT = 32
"""Number of recent intervals from which the errors of attributes are bounded."""

LEFT, LEFT_HIGH, RIGHT, RIGHT_HIGH, BOUND, FIRST, LAST = range(7)
"""Fields of a range of cuts, see `cuts._Range`."""
MIDDLE, WANTED, BEST, CUTS, PLACE, WAITING = range(4, 10)
"""Fields of a search after the first four: its current cut; the errors that are too many; the fewest errors so far, the
number of their cuts, and the first; the number of waiting ranges.
"""


class Scratch(NamedTuple):
    """Scratch of a search, sized for a maximum of rows, values and attributes.

    order, ends, before, hashes : the rows sorted by the number that is cut, see `CodedRows.ordered`; for the values
                                  before each: their rows, their weight, and the exclusive or of their rows' words
    counts, there, only, right, most : those of `best_attribute`
    total              : (classes,)
    queue              : (attributes,) in the order in which they are tried
    bounds             : (RECENT + 1, attributes) lower bounds of the errors of each attribute, on recent intervals and
                         on the current one
    recent             : (RECENT + 1, 2) their first values, and the values after them; the last: their number
    ranges, state      : [intervals - 2, index, field], [intervals - 2, field] of a search for two or three intervals
    places             : [intervals - 2, index] its best cuts; in the third row those of all searches
    parts              : (codes,) the codes of a nominal attribute that occur
    keys, errors       : (slots, 2), (slots,) the fewest errors of one level on some rows, keyed by their words
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
    """The rows of a node, see `CodedRows`, and the allowed trees of one level for some of them.

    intervals  : most intervals of a number
    acceptable : a node with at most this error rate is a leaf
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
