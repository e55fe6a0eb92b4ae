"""The least costs of trees of one level below each test, from the counts of pairs of tests.

This is the algorithm for trees of depth two of MurTree (Demirović et al. 2022, section 4.3). For each class, the number
of rows inside both masks of a pair gives the numbers of rows in all four intersections. So a pair is counted once,
though either of its tests may be the first, and has two sides that the other test splits.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import popcount
from algorithms.kernel_arrays import array
from algorithms.optimal.binary.pair_counts import pack_lanes
from algorithms.optimal.binary.pair_scan import scan_pairs

ALL_ROWS = 0
"""The side of `scan_pairs` that is scanned, the only one here."""


class Pairs(NamedTuple):
    """Scratch for pairs of tests.

    It is None if pairs are not counted: if some test has several masks, the weights of rows differ, or there are more
    than `MOST_PAIRED` tests. A word has 16 bits and a count is int16 if there are at most `MOST_ROWS_OF_16_BITS` rows,
    otherwise they have 32 bits. `stride` is the number of tests, rounded up to a multiple of LANES.
    """

    lanes: Any = array("lanes", "word")  # which rows of the set are inside each mask, as in `Lanes`
    columns: Any = array("tests narrow", "word")  # the same, mask by mask
    start: Any = array("classes+1")  # the words of each class
    counts: Any = array("classes stride", "count")  # number of rows inside the masks of the current test and each other
    singles: Any = array("1 classes stride", "count")  # number of rows inside each mask
    totals: Any = array("1 classes", "count")  # number of rows of the set
    after: Any = array("1 2 stride", "count")  # fewest errors, with one more split, of the rows inside; of the others
    below: Any = array("levels tests 2", np.float64)  # least cost, with one more level, of the rows inside; the others


@inner
def cost_below(rows, tests, terms, words, pairs, level):
    """Write `pairs.below[level]` for a set of rows (words,)."""
    counts, singles, totals, after = pairs.counts, pairs.singles, pairs.totals, pairs.after
    number, (_, classes, stride) = len(tests.kind), singles.shape
    pack_lanes(tests.mask, rows.start, words, number, stride, pairs)
    after[:] = _count(rows, tests, words, singles, totals)  # no split has more errors
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
