"""Lower bounds of the cost of a set of rows from the cost of similar ones.

A tree for one set is a tree for another set, too, and makes the same errors on the rows of both. So the least cost of a
set is at least that of another set less the weight of the rows that only the other set has (van der Linden et al. 2023,
section 4.2). If leaves need several rows, the tree may not be allowed for the other set, and there is no such bound.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import popcount
from algorithms.kernel_arrays import array


class Similar(NamedTuple):
    """The tests of a level whose parts are solved; with arrays for no tests, no bounds are made."""

    rows: Any = array("levels")  # how many rows the level has
    number: Any = array("levels")  # how many tests are solved
    test: Any = array("levels tests")
    inside: Any = array("levels tests")  # how many rows are inside its mask
    bound: Any = array("levels tests 2", np.float64)  # lower bounds of the cost of these rows, and of the others


@inner
def _common(words, first, second):
    """How many rows are in both masks."""
    number = np.int64(0)
    for w in range(len(words)):
        number += np.int64(popcount(words[w] & first[w] & second[w]))
    return number


@inner
def raise_bounds(rows, tests, similar, level, words, q, bound):
    """Raise the bounds of the two parts of a level's rows by test q; return the sum of the increases."""
    before, mask, weight = bound[0] + bound[1], tests.mask[tests.first[q]], rows.common_weight
    inside = _common(words, mask, mask)
    for i in range(similar.number[level]):
        common = _common(words, mask, tests.mask[tests.first[similar.test[level, i]]])
        solved = similar.inside[level, i]
        solved_inside, solved_outside = similar.bound[level, i, 0], similar.bound[level, i, 1]
        only_solved, only_inside = solved - common, inside - common
        neither = similar.rows[level] - solved - only_inside
        bound[0] = max(bound[0], solved_inside - weight * only_solved, solved_outside - weight * neither)
        bound[1] = max(bound[1], solved_inside - weight * common, solved_outside - weight * only_inside)
    return bound[0] + bound[1] - before


@inner
def note_costs(tests, similar, level, words, q, bound):
    """Note the bounds of the two parts of a level's rows by test q."""
    i, mask = similar.number[level], tests.mask[tests.first[q]]
    similar.test[level, i], similar.inside[level, i] = q, _common(words, mask, mask)
    similar.bound[level, i, 0], similar.bound[level, i, 1] = bound[0], bound[1]
    similar.number[level] += 1
