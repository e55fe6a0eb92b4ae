"""The best second split below every first one, from counts of pairs of attributes (MurTree, Demirović et al. 2022).

A first attribute i and a second attribute j divide the rows into four cells by their values: 11, 10, 01 and 00. For
each class, let q be the weight of the rows with value 1 in both, s_i and s_j the weights of those with value 1 in i and
in j, and n the weight of all rows. Then the cells weigh q, s_i - q, s_j - q and n - s_i - s_j + q. The errors of a cell
are its weight minus that of its heaviest class. One pair serves for i above j and for j above i.

A *tile* is LANES attributes from a multiple of LANES on. Side 0 of an attribute has its rows with value 1, side 1 those
with value 0. The cells are called `both` (11), `mine` (10), `other` (01) and `neither` (00).
"""

import numpy as np

from algorithms._numba.decorators import inlined, inner
from algorithms._numba.primitives import LANES, bit_counts, choose, greater, least_lane, lesser, load, store, zeros

FIRST, SECOND = 0, 1
"""Planes of two classes."""


@inlined
def shared_bits(lanes, lane_at, stride, words, attribute, first, end, nothing):
    """The number of rows with value 1 in an attribute and in each of a tile, in the words from `first` to `end`.

    lanes, stride    : see `pair_counts`
    lane_at          : first attribute of the tile
    words, attribute : (attributes, words) columns, and the attribute
    nothing          : vector of zeros of the type of the result
    """
    counted = nothing
    for w in range(first, end):
        counted = counted + bit_counts(load(lanes, lane_at + w * stride, nothing) & np.int64(words[attribute, w]))
    return counted


@inner
def count_rows(block, attribute, counts):
    """Count the rows of each class with value 1 in an attribute and in each other one, up to the end of its tile.

    block  : `Lanes`, whose segments are the classes
    counts : (classes, stride) written
    """
    classes, stride = counts.shape
    nothing = zeros(counts)
    for c in range(classes):
        first, end = block.start[c], block.start[c + 1]
        for at in range(0, attribute + 1, LANES):
            shared = shared_bits(block.lanes, at, stride, block.columns, attribute, first, end, nothing)
            store(counts, c * stride + at, shared)


@inner
def count_weights(weights, problem, block, attribute, counts):
    """Write the same for rows of any weights (segments,); the plane after those of the classes, if any, counts rows."""
    plane, rows_plane, counted = problem.plane, problem.rows_plane, block.counted
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
    """The weights of a plane in the four cells of attribute `first` and each of the tile at `at`, as vectors.

    both : weight of the rows with value 1 in both, the first of the cells
    """
    mine = singles[side, plane, first]
    other = load(singles, (side * singles.shape[1] + plane) * singles.shape[2] + at, nothing) - both
    return both, mine - both, other, (totals[side, plane] - mine) - other


@inlined
def _errors_of_two_classes(both_1, both_2, singles, totals, side, min_leaf, first, at, nothing):
    """The errors of each cell for rows of two classes that weigh 1; all rows if a cell has fewer than `min_leaf`."""
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
    """The errors of each cell; all rows if a cell has fewer than `min_leaf`.

    counts : (planes, stride) of the side or, if `pairs` is not None, of the other side
    pairs  : (planes, stride, stride) of both sides
    """
    both = mine = other = neither = most_both = most_mine = most_other = most_neither = nothing
    rows, everything = (both, mine, other, neither), 0 * totals[side, FIRST]
    for plane in range(len(counts)):
        shared = load(counts, plane * counts.shape[1] + at, nothing)
        if pairs is not None:
            shared = load(pairs, (plane * pairs.shape[1] + first) * pairs.shape[1] + at, nothing) - shared
        cells = _cells(shared, singles, totals, side, plane, first, at, nothing)
        if plane == classes:  # this plane counts rows
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
    """Lower the errors below each attribute of a tile by those of the cells; return the least ones below `first`."""
    both, mine, other, neither = errors
    one = 2 * side * after.shape[2] + at
    zero = one + after.shape[2]
    store(after, one, lesser(load(after, one, nothing), both + other))
    store(after, zero, lesser(load(after, zero, nothing), mine + neither))
    return lesser(best[0], both + mine), lesser(best[1], other + neither)


@inlined
def _take(after, side, first, best):
    """Lower the errors below attribute `first`."""
    after[side, 0, first] = min(after[side, 0, first], least_lane(best[0]))
    after[side, 1, first] = min(after[side, 1, first], least_lane(best[1]))


@inner
def scan_pairs(
    alike, weights, problem, block, counts, pairs, singles, totals, after, classes, min_leaf, number, counted
):
    """Lower the errors `after` a second split by all pairs of the first `number` attributes.

    alike, weights : `PairProblem.alike`, and `PairProblem.weight` or None
    problem  : `PairProblem`; None if all rows weigh 1
    block    : `Lanes` with the rows of the `counted` side
    counts   : (planes, stride) a buffer
    pairs    : (planes, stride, stride) counts of the rows of both sides; None to scan only the `counted` side
    singles  : (sides, planes, stride) weight of the rows with value 1 of each attribute
    totals   : (sides, planes) weight of all rows
    after    : (sides, 2, stride) updated: the fewest errors of the rows with value 1, and with 0, of each attribute
    classes  : number of classes
    min_leaf : fewest rows in a leaf; if a split leaves fewer, all rows count as errors
    counted  : the side whose rows are in `block`
    """
    stride, nothing, other = counts.shape[1], zeros(counts), 1 - counted
    lanes, columns, start = block.lanes, block.columns, block.start
    two_classes = classes == 2
    for first in range(number):
        best = nothing + after[counted, 0, first], nothing + after[counted, 1, first]
        if pairs is not None:
            best_of_other = nothing + after[other, 0, first], nothing + after[other, 1, first]
        if weights is not None:
            count_weights(weights, problem, block, first, counts)
        if alike is not None and not two_classes:  # numba removes the branch if the argument is None
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
