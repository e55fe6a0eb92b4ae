"""Lower bounds of the cost of a set of rows from the cost of similar ones.

A tree for a set classifies the rows that it shares with another set as well there. So the least cost of a set is at
least that of another one less the rows that only the other one has (van der Linden et al. 2023, section 4.2). If leaves
need several rows, the tree may not be allowed there, and there is no such bound.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import popcount
from algorithms.kernel_arrays import array

__all__ = ["Similar", "note_costs", "raise_bounds"]


class Similar(NamedTuple):
    """The tests of a level whose parts are solved; without room for tests, no bounds are made."""

    rows: Any = array("levels")  # how many rows the level has
    number: Any = array("levels")  # how many tests are solved
    test: Any = array("levels tests")
    inside: Any = array("levels tests")  # the rows inside its mask
    bound: Any = array("levels tests 2", np.float64)  # lower bounds of the cost of these rows, and of the others


@inner
def _common(words, one, two):
    """How many rows are in both masks."""
    number = np.int64(0)
    for w in range(len(words)):
        number += np.int64(popcount(words[w] & one[w] & two[w]))
    return number


@inner
def raise_bounds(rows, tests, similar, level, words, q, bound):
    """Raise the bounds of the two parts of a level's rows by test q; return by how much together."""
    before, mask = bound[0] + bound[1], tests.mask[tests.first[q]]
    inside = _common(words, mask, mask)
    for i in range(similar.number[level]):
        common = _common(words, mask, tests.mask[tests.first[similar.test[level, i]]])
        theirs = similar.inside[level, i]
        known_in, known_out = similar.bound[level, i, 0], similar.bound[level, i, 1]
        only_theirs, only_ours = theirs - common, inside - common
        neither = similar.rows[level] - theirs - only_ours
        bound[0] = max(bound[0], known_in - rows.each * only_theirs, known_out - rows.each * neither)
        bound[1] = max(bound[1], known_in - rows.each * common, known_out - rows.each * only_ours)
    return bound[0] + bound[1] - before


@inner
def note_costs(tests, similar, level, words, q, bound):
    """Note the bounds of the two parts of a level's rows by test q."""
    i, mask = similar.number[level], tests.mask[tests.first[q]]
    similar.test[level, i], similar.inside[level, i] = q, _common(words, mask, mask)
    similar.bound[level, i, 0], similar.bound[level, i, 1] = bound[0], bound[1]
    similar.number[level] += 1
