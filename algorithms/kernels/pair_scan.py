"""The best second split below every first one, from the counts of pairs of attributes, no row looked at.

For a first attribute i and a second j the rows fall into four cells, 11, 10, 01, 00 by the values of i and j. With q
the counts of both, s those of one, and n those of all, per class, they are q, s_i - q, s_j - q and n - s_i - s_j + q;
what a cell gets wrong is its weight less that of its greatest class. A pair serves both orders.
"""

from __future__ import annotations

from numba import njit

from algorithms.kernels.lanes import LANES

__all__ = ["scan_pairs", "scan_pairs_of_two_classes"]


@njit(nogil=True, cache=True)
def scan_pairs_of_two_classes(counts, singles, totals, first, tiles, after_one, after_zero):
    """Lower the errors after a second split for `first` and each attribute of the first tiles, in either order.

    counts (2, stride) : rows of each class with both attributes; singles (2, stride) : with one; totals (2,) : of all
    after_one, after_zero (stride,) : least errors among the rows with value 1, and 0, of each first attribute
    """
    number = counts.dtype.type
    q0, q1, s0, s1 = counts[0], counts[1], singles[0], singles[1]
    one0, one1 = s0[first], s1[first]
    zero0, zero1 = number(totals[0] - one0), number(totals[1] - one1)
    best_one, best_zero = after_one[first], after_zero[first]
    for tile in range(tiles):
        for lane in range(LANES):
            j = tile * LANES + lane
            both0, both1 = q0[j], q1[j]
            mine0, mine1 = number(one0 - both0), number(one1 - both1)
            other0, other1 = number(s0[j] - both0), number(s1[j] - both1)
            none0, none1 = number(zero0 - other0), number(zero1 - other1)
            both, mine = min(both0, both1), min(mine0, mine1)
            other, none = min(other0, other1), min(none0, none1)
            best_one = min(best_one, number(both + mine))
            best_zero = min(best_zero, number(other + none))
            after_one[j] = min(after_one[j], number(both + other))
            after_zero[j] = min(after_zero[j], number(mine + none))
    after_one[first] = best_one
    after_zero[first] = best_zero


@njit(nogil=True, cache=True)
def scan_pairs(counts, singles, totals, weights, classes, fewest, first, tiles, room, after_one, after_zero):
    """The same for any number of classes; where `fewest` is above 1, of cells with so many rows by the last plane.

    weights : (stride,) of the rows with each attribute, all classes together; room : (4, stride), for the cells
    """
    number = counts.dtype.type
    end = tiles * LANES
    room[:, :end] = 0
    both, mine, other, none = room[0], room[1], room[2], room[3]
    everything = number(0)
    for c in range(classes):
        q, s = counts[c], singles[c]
        one = s[first]
        zero = number(totals[c] - one)
        everything = number(everything + totals[c])
        for j in range(end):
            in_both = q[j]
            in_other = number(s[j] - in_both)
            both[j] = max(both[j], in_both)
            mine[j] = max(mine[j], number(one - in_both))
            other[j] = max(other[j], in_other)
            none[j] = max(none[j], number(zero - in_other))
    if fewest > 1:
        _forbid(counts[len(counts) - 1], singles[len(singles) - 1], totals[len(totals) - 1], fewest, first, end, room)
    with_first = weights[first]
    without_first = number(everything - with_first)
    best_one, best_zero = after_one[first], after_zero[first]
    for j in range(end):
        best_one = min(best_one, number(with_first - number(both[j] + mine[j])))
        best_zero = min(best_zero, number(without_first - number(other[j] + none[j])))
    for j in range(end):
        after_one[j] = min(after_one[j], number(weights[j] - number(both[j] + other[j])))
    for j in range(end):
        after_zero[j] = min(after_zero[j], number(number(everything - weights[j]) - number(mine[j] + none[j])))
    after_one[first] = best_one
    after_zero[first] = best_zero


@njit(nogil=True, cache=True)
def _forbid(rows, rows_of, all_rows, fewest, first, end, room):
    """Take from the cells with too few rows all that they get right, and more, so that no minimum has them."""
    number = room.dtype.type
    for j in range(end):
        in_both = rows[j]
        in_mine = number(rows_of[first] - in_both)
        in_other = number(rows_of[j] - in_both)
        in_none = number(number(all_rows - rows_of[first]) - in_other)
        for cell, size in ((0, in_both), (1, in_mine), (2, in_other), (3, in_none)):
            if size < fewest:
                room[cell, j] = number(-all_rows)
