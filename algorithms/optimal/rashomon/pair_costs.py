"""The least costs of one level below each test, from the counts of pairs of tests.

The rows inside two masks, class by class, give those of all four combinations. So each pair is counted once for the
four sides that one of the two tests makes and the other one splits (Demirović et al. 2022, section 4.3).
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import popcount
from algorithms.kernel_arrays import array
from algorithms.optimal.binary.pair_counts import pack_lanes
from algorithms.optimal.binary.pair_scan import scan_pairs

ALL_ROWS = np.int64(0)  # the only side


class Pairs(NamedTuple):
    """Scratch for pairs of tests.

    It is empty if pairs are not counted, since some test has several masks or the weights of rows differ.
    """

    lanes: Any = array("lanes", "word")  # the rows of a set inside each mask, as in `Lanes`
    columns: Any = array("tests narrow", "word")
    start: Any = array("classes+1")
    counts: Any = array("classes stride", "count")  # how many rows are inside the mask of one test and each other
    singles: Any = array("1 classes stride", "count")  # how many rows are inside each mask
    totals: Any = array("1 classes", "count")  # how many rows the set has
    after: Any = array("1 2 stride", "count")  # the fewest errors of these rows, and of the others, with one more split
    below: Any = array("levels tests 2", np.float64)  # the least cost of the rows inside, and of the others


@inner
def cost_below(rows, tests, terms, words, pairs, level):
    """Write `pairs.below[level]` for a set of rows."""
    counts, singles, totals, after = pairs.counts, pairs.singles, pairs.totals, pairs.after
    number, (_, classes, stride) = len(tests.kind), singles.shape
    pack_lanes(tests.mask, rows.start, words, number, stride, pairs)
    after[:] = _count(rows, tests, words, singles, totals)  # until a split has fewer errors
    scan_pairs(True, None, None, pairs, counts, None, singles, totals, after, classes, terms.least, number, ALL_ROWS)
    price = terms.split + 2 * terms.leaf
    for q in range(number):
        for side in range(2):
            total, most = np.int64(0), np.int64(0)
            for c in range(classes):
                weight = np.int64(singles[0, c, q])
                weight = weight if side == 0 else np.int64(totals[0, c]) - weight
                total += weight
                most = max(most, weight)
            leaf = rows.common_weight * (total - most) + terms.leaf
            pairs.below[level, q, side] = min(leaf, rows.common_weight * np.int64(after[0, side, q]) + price)


@inner
def _count(rows, tests, words, singles, totals):
    """Count the rows of each class, all and inside each mask; return how many there are."""
    total = totals.dtype.type(0)
    singles[:] = 0
    for c in range(singles.shape[1]):
        number = np.int64(0)
        for w in range(rows.start[c], rows.start[c + 1]):
            if words[w] == np.uint64(0):
                continue
            number += np.int64(popcount(words[w]))
            for q in range(len(tests.kind)):
                singles[0, c, q] += np.int64(popcount(words[w] & tests.mask[q, w]))
        totals[0, c] = number
        total += totals.dtype.type(number)
    return total
