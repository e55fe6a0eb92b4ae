"""The arrays that the kernels of `two_level_cuts` read and write."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers, Words
from algorithms.kernel_arrays import array

WORK, MOST_WORK, EVALUATED, SLICE, ENTRIES, STOPPED, VALUES = range(7)
"""Indices into `TwoLevelBuffers.tally`: the work done, and its limit; the work on intervals that were not in the memo,
and its limit; the number of intervals in the memo; whether the search stopped early; the number of values.
"""

RECENT = 32
"""Number of recent intervals that bound the errors of attributes on the next one."""

LEFT, LEFT_HIGH, RIGHT, RIGHT_HIGH, BOUND, FIRST, LAST = range(7)
"""Fields of a range of cuts, see `cuts._Range`."""
MIDDLE, TOO_MANY, BEST, CUTS, FIRST_CUT, WAITING = range(4, 10)
"""Fields of a search, after LEFT to RIGHT_HIGH: its current cut; a number of errors that is too many; the fewest errors
so far, the number of their cuts and the first of these; the number of waiting ranges.
"""


class TwoLevelBuffers(NamedTuple):
    """Scratch of a search, sized for a maximum of rows, values and attributes."""

    order: Any = array("rows")  # the rows sorted by the number that is cut, see `CodedRows.ordered`
    ends: Any = array("known+2")  # how many rows have a value before each
    weight_before: Any = array("known+1", np.float64)  # the weight of these rows
    hashes: Any = array("known+1 2", np.uint64)  # the exclusive or of their words
    counts: Any = array("known+1 classes", np.float64)  # this and the next four are those of `best_attribute`
    present: Any = array("words", np.uint64)
    only: Any = array("known+1")
    correct: Any = array("intervals classes", np.float64)
    most: Any = array("intervals", np.float64)
    total: Any = array("classes", np.float64)
    queue: Any = array("attributes")  # the attributes, in the order in which they are tried
    bounds: Any = array(
        "recent+1 attributes", np.float64
    )  # lower bounds of errors on each of `recent`; the last: scratch
    recent: Any = array("recent+1 2")  # the first value of each, and the value after its last; the last: their number
    ranges: Any = array("2 known+2 7", np.float64)  # [intervals - 2, index, field] of searches for two or three
    state: Any = array("2 10", np.float64)  # [intervals - 2, field] of these
    cuts: Any = array("3 2")  # [intervals - 2, index] their best cuts; in the third row those of all searches
    parts: Any = array("known+1")  # the codes that occur, with their numbers of rows, see `split_labels`
    keys: Any = array("slots 2", np.uint64)  # a hash of 128 bits of a set of rows; zeros in an empty slot
    errors: Any = array("slots", np.float64)  # the fewest errors of one level on this set
    tally: Any = array("7")  # see WORK


class T3Node(NamedTuple):
    """The rows of a node, see `CodedRows`, and the allowed trees of one level for some of them."""

    codes: NDArray[np.int32]
    width: NDArray[np.int64]
    numeric: NDArray[np.bool_]
    decisions: NDArray[np.int32]
    weights: Numbers
    words: Words
    intervals: int  # most intervals of a number
    acceptable: float  # a node with at most this error rate is a leaf
    tie: float
