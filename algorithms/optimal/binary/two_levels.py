"""The fewest errors below each attribute of a level after one more split, and the best trees of two levels.

They are computed from the counts of pairs of attributes (MurTree, Demirović et al. 2022), for all rows of a level or
for both sides of one of its attributes.
"""

import numpy as np

from algorithms._numba.decorators import inner, part
from algorithms._numba.primitives import LANES
from algorithms.optimal.binary.pair_counts import pack_lanes
from algorithms.optimal.binary.pair_scan import count_rows, count_weights, scan_pairs

ALL_ROWS, NO_ROWS = 0, 1
"""Sides, if all rows are on the first one."""


@part
def prepare(problem, levels, block, sides, level):
    """Count the pairs of attributes of a level; find the fewest errors below each attribute after one more split."""
    number, stride, pairs, counts = levels.number[level], problem.stride, levels.pairs[level], sides.counts
    pack_lanes(levels.columns[level], levels.start[level], levels.columns[level, number], number, stride, block)
    for i in range(number):
        _count_pairs(problem.alike, problem.weight, problem, block, i, counts)
        for plane in range(len(counts)):
            for j in range(i + 1):
                pairs[plane, i, j] = pairs[plane, j, i] = counts[plane, j]
    end = (number + LANES - 1) // LANES * LANES
    for plane in range(len(counts)):
        for attribute in range(number):
            sides.singles[0, plane, attribute] = pairs[plane, attribute, attribute]
            for rest in range(number, end):
                pairs[plane, attribute, rest] = 0
        sides.singles[0, plane, number:end] = 0
        sides.totals[0, plane] = levels.totals[level, plane]
    _all_wrong(problem, sides, ALL_ROWS, end)
    block.start[:] = 0  # the counted side is empty, so the other side has all rows
    _scan(problem, pairs, block, sides, number, NO_ROWS)
    for attribute in range(number):
        levels.after_one[level, attribute] = sides.after[0, 0, attribute]
        levels.after_zero[level, attribute] = sides.after[0, 1, attribute]


@inner
def _count_pairs(alike, weights, problem, block, attribute, counts):
    if alike is not None:  # numba removes a branch if an argument is None, but not if a field is
        count_rows(block, attribute, counts)
    if weights is not None:
        count_weights(weights, problem, block, attribute, counts)


@inner
def _scan(problem, pairs, block, sides, number, counted):
    """Call `scan_pairs` for both sides of a level's rows, of which `block` has the `counted` side."""
    counts, singles, totals, after = sides.counts, sides.singles, sides.totals, sides.after
    rows = problem.alike, problem.weight, problem, block, counts, pairs, singles, totals, after
    scan_pairs(*rows, problem.classes, problem.min_leaf, number, counted)


@inner
def _all_wrong(problem, sides, side, end):
    """Write the weight of all rows of a side as its errors `after` each attribute, before second splits are tried."""
    everything = sides.totals.dtype.type(0)
    for c in range(problem.classes):
        everything = sides.totals.dtype.type(everything + sides.totals[side, c])
    sides.after[side, :, :end] = everything


@part
def scan_sides(problem, levels, block, sides, level, index):
    """For both sides of an attribute, find the fewest errors below each attribute after one more split.

    Only the rows of the smaller side are counted. The counts of the other side are the difference from those of the
    level. Returns the number of pairs of attributes examined.
    """
    number = levels.number[level]
    columns, start = levels.columns[level], levels.start[level]
    pairs, totals = levels.pairs[level], levels.totals[level]
    end = (number + LANES - 1) // LANES * LANES
    kind = totals.dtype.type
    ones, rows = 0.0, 0.0
    for c in range(problem.classes):
        ones += pairs[c, index, index]
        rows += totals[c]
    counted = 0 if ones + ones <= rows else 1  # side 0 has value 1, side 1 has value 0
    for w in range(start[len(start) - 1]):
        word = columns[index, w]
        block.chosen[w] = word if counted == 0 else columns[number, w] & ~word
    pack_lanes(columns, start, block.chosen, number, problem.stride, block)
    for plane in range(len(totals)):
        sides.totals[0, plane] = pairs[plane, index, index]
        sides.totals[1, plane] = kind(totals[plane] - pairs[plane, index, index])
        for j in range(end):
            sides.singles[0, plane, j] = pairs[plane, index, j]
        for j in range(number):
            sides.singles[1, plane, j] = kind(pairs[plane, j, j] - pairs[plane, index, j])
        sides.singles[1, plane, number:end] = 0
    _all_wrong(problem, sides, 0, end)
    _all_wrong(problem, sides, 1, end)
    _scan(problem, pairs, block, sides, number, np.int64(counted))
    return number * (number + 1) // 2


@inner
def best_of_two_levels(problem, sides, side, levels, level, best, attribute, search_depth):
    """Write the best trees of two levels of a side, from the errors `after` each attribute of a level.

    best, attribute, search_depth : (sizes,) written, as in an entry of the memo
    """
    singles, totals, after = sides.singles, sides.totals, sides.after
    number, names = levels.number[level], levels.attributes
    classes, min_leaf, cost, sizes = problem.classes, problem.min_leaf, problem.split_cost, problem.sizes
    slack, rows_plane = problem.slack, problem.rows_plane
    leaf, rows = 0.0, 0.0
    for c in range(classes):
        rows += totals[side, c]
        leaf = max(leaf, np.float64(totals[side, c]))
    leaf = rows - leaf
    if rows_plane >= 0:
        rows = np.float64(totals[side, rows_plane])
    best[:] = leaf
    attribute[:] = -1
    search_depth[:] = 0
    by_one, by_two, by_three = leaf, leaf, leaf
    for index in range(number):
        all_one, most_one, all_zero, most_zero = 0.0, 0.0, 0.0, 0.0
        for c in range(classes):
            one = np.float64(singles[side, c, index])
            zero = np.float64(totals[side, c]) - one
            all_one += one
            all_zero += zero
            most_one = max(most_one, one)
            most_zero = max(most_zero, zero)
        ones = np.float64(singles[side, rows_plane, index]) if rows_plane >= 0 else all_one
        if min_leaf > 1 and (ones < min_leaf or rows - ones < min_leaf):
            continue
        one, zero = all_one - most_one, all_zero - most_zero
        one_split, zero_split = np.float64(after[side, 0, index]), np.float64(after[side, 1, index])
        if sizes == 1:
            total = cost + min(one, one_split + cost) + min(zero, zero_split + cost)
            if total < by_one - slack:
                by_one, best[0], attribute[0], search_depth[0] = total, total, names[level, index], 2
            continue
        if one + zero < by_one - slack:
            by_one = one + zero
            best[1], attribute[1], search_depth[1] = by_one, names[level, index], 2
        either = min(one + zero_split, one_split + zero)
        if sizes > 2 and either < by_two - slack:
            by_two = either
            best[2], attribute[2], search_depth[2] = by_two, names[level, index], 2
        if sizes > 3 and one_split + zero_split < by_three - slack:
            by_three = one_split + zero_split
            best[3], attribute[3], search_depth[3] = by_three, names[level, index], 2
    take_fewer(best, attribute, search_depth)


@inner
def take_fewer(best, attribute, search_depth):
    """Replace the best tree by one with fewer splits that has as few errors or fewer."""
    for size in range(1, len(best)):
        if best[size] >= best[size - 1]:
            best[size], attribute[size], search_depth[size] = (
                best[size - 1],
                attribute[size - 1],
                search_depth[size - 1],
            )
