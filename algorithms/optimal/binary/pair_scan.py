"""The best second split below every first one, from the weights of pairs of attributes, without reading rows.

A first attribute i and a second j divide the rows into four cells, 11, 10, 01, 00 by their values. Per class, with q
the weight of both, s that of one attribute and n that of all rows, the cells weigh q, s_i - q, s_j - q and n - s_i -
s_j + q. The errors of a cell are its weight minus that of its greatest class. A pair serves both orders.
"""

import numpy as np

from algorithms._numba.decorators import inlined, inner
from algorithms._numba.primitives import LANES, bit_counts, choose, greater, least_lane, lesser, load, store, zeros

FIRST, SECOND = np.int64(0), np.int64(1)  # plain numbers are of other types, for which numba compiles again


@inlined
def shared_bits(lanes, lane_at, stride, words, attribute, first, end, nothing):
    """The number of bits that each lane shares with an attribute in the words from `first` to `end`, as a vector."""
    counted = nothing
    for w in range(first, end):
        counted = counted + bit_counts(load(lanes, lane_at + w * stride, nothing) & np.int64(words[attribute, w]))
    return counted


@inner
def count_rows(block, attribute, counts):
    """Write the number of rows of each class with an attribute and each one up to the end of its tile to `counts`."""
    classes, stride = counts.shape
    nothing = zeros(counts)
    for c in range(classes):
        first, end = block.start[c], block.start[c + 1]
        for at in range(0, attribute + 1, LANES):
            shared = shared_bits(block.lanes, at, stride, block.columns, attribute, first, end, nothing)
            store(counts, c * stride + at, shared)


@inner
def count_weights(weights, segments, block, attribute, counts):
    """Do the same for rows of any weights; the plane after those of the classes, if there is one, counts rows."""
    plane, rows_plane, counted = segments.plane, segments.rows_plane, block.counted
    stride, nothing, all_lanes = counts.shape[1], zeros(counted), (attribute // LANES + 1) * LANES
    counts[:, :all_lanes] = 0
    for s in range(len(plane)):
        first, end = block.start[s], block.start[s + 1]
        if first == end:
            continue
        for at in range(0, all_lanes, LANES):
            store(counted, at, shared_bits(block.lanes, at, stride, block.columns, attribute, first, end, nothing))
        into, weight = counts[plane[s]], weights[s]
        for j in range(all_lanes):
            into[j] += weight * counted[j]
        if rows_plane >= 0:
            rows = counts[rows_plane]
            for j in range(all_lanes):
                rows[j] += counted[j]


@inlined
def _cells(both, singles, totals, side, plane, first, at, nothing):
    """The weight of a plane in each cell of `first` and those of a tile, from that of the rows with both."""
    mine = singles[side, plane, first]
    other = load(singles, (side * singles.shape[1] + plane) * singles.shape[2] + at, nothing) - both
    return both, mine - both, other, (totals[side, plane] - mine) - other


@inlined
def _errors_of_two_classes(both_1, both_2, singles, totals, side, min_leaf, first, at, nothing):
    """The errors of each cell of rows of two classes that weigh 1."""
    both_1, mine_1, other_1, neither_1 = _cells(both_1, singles, totals, side, FIRST, first, at, nothing)
    both_2, mine_2, other_2, neither_2 = _cells(both_2, singles, totals, side, SECOND, first, at, nothing)
    both, mine = lesser(both_1, both_2), lesser(mine_1, mine_2)
    other, neither = lesser(other_1, other_2), lesser(neither_1, neither_2)
    if min_leaf > 1:
        everything = totals[side, FIRST] + totals[side, SECOND]
        both = choose(both_1 + both_2 < min_leaf, everything, both)
        mine = choose(mine_1 + mine_2 < min_leaf, everything, mine)
        other = choose(other_1 + other_2 < min_leaf, everything, other)
        neither = choose(neither_1 + neither_2 < min_leaf, everything, neither)
    return both, mine, other, neither


@inner
def _errors(weights, counts, pairs, singles, totals, side, classes, min_leaf, first, at, nothing):
    """The errors of each cell: by `counts` or, for the other side, by the difference of `pairs`."""
    both = mine = other = neither = most_both = most_mine = most_other = most_neither = nothing
    rows, everything = (both, mine, other, neither), 0 * totals[side, FIRST]
    for plane in range(len(counts)):
        shared = load(counts, plane * counts.shape[1] + at, nothing)
        if pairs is not None:
            shared = load(pairs, (plane * pairs.shape[1] + first) * pairs.shape[1] + at, nothing) - shared
        cells = _cells(shared, singles, totals, side, plane, first, at, nothing)
        if plane == classes:  # it counts rows
            rows = cells
            continue
        both, mine, other, neither = both + cells[0], mine + cells[1], other + cells[2], neither + cells[3]
        most_both, most_mine = greater(most_both, cells[0]), greater(most_mine, cells[1])
        most_other, most_neither = greater(most_other, cells[2]), greater(most_neither, cells[3])
        everything += totals[side, plane]
    if weights is None:
        rows = both, mine, other, neither
    both, mine, other, neither = both - most_both, mine - most_mine, other - most_other, neither - most_neither
    if min_leaf > 1:
        both, mine = choose(rows[0] < min_leaf, everything, both), choose(rows[1] < min_leaf, everything, mine)
        other, neither = choose(rows[2] < min_leaf, everything, other), choose(rows[3] < min_leaf, everything, neither)
    return both, mine, other, neither


@inlined
def _lower(after, side, at, errors, best, nothing):
    """Lower the errors below the attributes of a tile by those of the cells, and return the best below `first`."""
    both, mine, other, neither = errors
    one = 2 * side * after.shape[2] + at
    zero = one + after.shape[2]
    store(after, one, lesser(load(after, one, nothing), both + other))
    store(after, zero, lesser(load(after, zero, nothing), mine + neither))
    return lesser(best[0], both + mine), lesser(best[1], other + neither)


@inlined
def _take(after, side, first, best):
    """Lower the errors below `first`."""
    after[side, 0, first] = min(after[side, 0, first], least_lane(best[0]))
    after[side, 1, first] = min(after[side, 1, first], least_lane(best[1]))


@inner
def scan_pairs(
    alike, weights, segments, block, counts, pairs, singles, totals, after, classes, min_leaf, number, counted
):
    """Lower the errors after a second split, for the first attributes, each with all others in either order.

    alike, weights, segments : of the rows, see `pair_counts.Segments`; the last two are None if all rows weigh 1
    block  : the rows of the `counted` side
    counts : (planes, stride) a buffer
    pairs (planes, stride, stride) : the counts of all rows, so that the other side is scanned, too; None: it is not
    singles (sides, planes, stride), totals (sides, planes) : the weight of the rows with each attribute, and of all
    after (sides, 2, stride) : the least errors of the rows with value 1, and with 0, of each first attribute
    min_leaf : rows in a leaf at least; splits that leave fewer count as all wrong
    """
    stride, nothing, other = counts.shape[1], zeros(counts), 1 - counted
    lanes, columns, start = block.lanes, block.columns, block.start
    two_classes = classes == 2
    for first in range(number):
        best = nothing + after[counted, 0, first], nothing + after[counted, 1, first]
        if pairs is not None:
            best_of_other = nothing + after[other, 0, first], nothing + after[other, 1, first]
        if weights is not None:
            count_weights(weights, segments, block, first, counts)
        if alike is not None and not two_classes:  # numba leaves the branch out if the argument is None
            count_rows(block, first, counts)
        for at in range(0, first + 1, LANES):
            if alike is not None and two_classes:
                both_1 = shared_bits(lanes, at, stride, columns, first, start[0], start[1], nothing)
                both_2 = shared_bits(lanes, at, stride, columns, first, start[1], start[2], nothing)
                errors = _errors_of_two_classes(both_1, both_2, singles, totals, counted, min_leaf, first, at, nothing)
                best = _lower(after, counted, at, errors, best, nothing)
                if pairs is not None:
                    both_1 = load(pairs, first * stride + at, nothing) - both_1
                    both_2 = load(pairs, (stride + first) * stride + at, nothing) - both_2
                    errors = _errors_of_two_classes(
                        both_1, both_2, singles, totals, other, min_leaf, first, at, nothing
                    )
                    best_of_other = _lower(after, other, at, errors, best_of_other, nothing)
                continue
            errors = _errors(weights, counts, None, singles, totals, counted, classes, min_leaf, first, at, nothing)
            best = _lower(after, counted, at, errors, best, nothing)
            if pairs is not None:
                errors = _errors(weights, counts, pairs, singles, totals, other, classes, min_leaf, first, at, nothing)
                best_of_other = _lower(after, other, at, errors, best_of_other, nothing)
        _take(after, counted, first, best)
        if pairs is not None:
            _take(after, other, first, best_of_other)
