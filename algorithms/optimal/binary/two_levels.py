"""The errors below each attribute of a level with one more split, and the best trees of two levels by them.

They are computed from counts of pairs of attributes: over all rows of the level, or both sides of one attribute.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload

from algorithms._numba.decorators import UNCOUNTED, inner, part
from algorithms._numba.primitives import (
    LANES,
    scan_both_sides,
    scan_both_sides_of_two_classes,
    scan_other_side,
    scan_other_side_of_two_classes,
    tile_counts,
)
from algorithms.optimal.binary.pair_counts import pack_lanes
from algorithms.optimal.binary.weight_scan import scan_weights, write_weights_of_pairs

NOTHING = np.int64(-1)


@part
def prepare(problem, levels, block, sides, level):
    """Count the pairs of a level's attributes, and the errors below each of them with one more split."""
    number, stride = levels.number[level], problem.stride
    pack_lanes(levels.columns[level], levels.start[level], levels.columns[level, number], number, stride, block)
    _write_pairs(problem, problem.segments.weight, levels, block, sides, level)
    _mirror(levels, level)
    tiles = (number + LANES - 1) // LANES
    for plane in range(levels.totals.shape[1]):
        for attribute in range(number):
            sides.singles[0, plane, attribute] = levels.pairs[level, plane, attribute, attribute]
            for rest in range(number, tiles * LANES):
                levels.pairs[level, plane, attribute, rest] = 0
        sides.singles[0, plane, number : tiles * LANES] = 0
        sides.totals[0, plane] = levels.totals[level, plane]
    _all_wrong(problem, sides, 0, tiles)
    block.start[:] = 0  # an empty side is counted, so that its other side has all rows
    _scan_rows(problem, problem.segments.weight, levels, block, sides, level, NOTHING)
    for attribute in range(number):
        levels.after_one[level, attribute] = sides.after[0, 0, attribute]
        levels.after_zero[level, attribute] = sides.after[0, 1, attribute]


def _write_pairs(problem, weights, levels, block, sides, level):
    """Write the counts of the pairs of a level, each in one order."""
    write = _write_counts if weights is None else _write_weights  # selects the kernels below, by the type
    write(problem, weights, levels, block, sides, level)


@overload(_write_pairs, jit_options=UNCOUNTED)
def _write_pairs_of(problem, weights, levels, block, sides, level):  # noqa: ARG001
    return _write_counts if isinstance(weights, types.NoneType) else _write_weights


def _write_counts(problem, weights, levels, block, sides, level):  # noqa: ARG001
    stride, width = problem.stride, block.columns.shape[1]
    lanes, words, start = block.lanes, block.columns, block.start
    for c in range(problem.classes):
        base = (level * levels.totals.shape[1] + c) * stride
        for i in range(levels.number[level]):
            for tile in range(i // LANES + 1):
                at = tile * LANES
                into = (base + i) * stride + at
                tile_counts(levels.pairs, into, lanes, at, stride, words, i * width, start[c], start[c + 1])


def _write_weights(problem, weights, levels, block, sides, level):
    stride, plane, rows, counts = problem.stride, problem.segments.plane, problem.segments.rows_plane, sides.counts
    for i in range(levels.number[level]):
        write_weights_of_pairs(block, plane, weights, rows, stride, i, i // LANES + 1, counts)
        for index in range(len(counts)):
            for j in range(i + 1):
                levels.pairs[level, index, i, j] = counts[index, j]


@part
def _mirror(levels, level):
    for plane in range(levels.totals.shape[1]):
        for i in range(levels.number[level]):
            for j in range(i):
                levels.pairs[level, plane, j, i] = levels.pairs[level, plane, i, j]


@inner
def _all_wrong(problem, sides, side, tiles):
    """Begin with all rows of a side as errors below each attribute, before any second split is tried."""
    everything = sides.totals.dtype.type(0)
    for c in range(problem.classes):
        everything = sides.totals.dtype.type(everything + sides.totals[side, c])
    sides.after[side, :, : tiles * LANES] = everything


def _scan_rows(problem, weights, levels, block, sides, level, counted):
    """Scan the pairs of all attributes, for both sides; or for all rows as side 0, if NOTHING is counted."""
    scan = _scan_counts if weights is None else _scan_weights  # selects the kernels below, by the type
    scan(problem, weights, levels, block, sides, level, counted)


@overload(_scan_rows, jit_options=UNCOUNTED)
def _scan_rows_of(problem, weights, levels, block, sides, level, counted):  # noqa: ARG001
    return _scan_counts if isinstance(weights, types.NoneType) else _scan_weights


def _scan_counts(problem, weights, levels, block, sides, level, counted):  # noqa: ARG001
    stride, classes, min_leaf = problem.stride, problem.classes, problem.min_leaf
    lanes, words, start, width = block.lanes, block.columns, block.start, block.columns.shape[1]
    singles, totals, after, pairs = sides.singles, sides.totals, sides.after, levels.pairs
    base = level * levels.totals.shape[1] * stride
    both = counted != NOTHING
    side = counted if both else 1
    for i in range(levels.number[level]):
        at, tiles = (base + i) * stride, i // LANES + 1
        if classes == 2 and min_leaf <= 1 and both:
            scan_both_sides_of_two_classes(
                lanes, words, start, singles, totals, after, pairs, at, i, side, tiles, stride, width, classes, min_leaf
            )
        elif classes == 2 and min_leaf <= 1:
            scan_other_side_of_two_classes(
                lanes, words, start, singles, totals, after, pairs, at, i, side, tiles, stride, width, classes, min_leaf
            )
        elif both:
            scan_both_sides(
                lanes, words, start, singles, totals, after, pairs, at, i, side, tiles, stride, width, classes, min_leaf
            )
        else:
            scan_other_side(
                lanes, words, start, singles, totals, after, pairs, at, i, side, tiles, stride, width, classes, min_leaf
            )


def _scan_weights(problem, weights, levels, block, sides, level, counted):
    stride, classes, min_leaf, rows = problem.stride, problem.classes, problem.min_leaf, problem.segments.rows_plane
    both = counted != NOTHING
    other, counts, pairs = 1 - counted if both else 0, sides.counts, levels.pairs[level]
    for i in range(levels.number[level]):
        tiles = i // LANES + 1
        write_weights_of_pairs(block, problem.segments.plane, weights, rows, stride, i, tiles, counts)
        if both:
            singles, totals = sides.singles[counted], sides.totals[counted]
            scan_weights(counts, singles, totals, classes, min_leaf, i, tiles, sides.scratch, sides.after[counted])
        for plane in range(len(counts)):
            for j in range(tiles * LANES):
                counts[plane, j] = pairs[plane, i, j] - counts[plane, j]
        singles, totals = sides.singles[other], sides.totals[other]
        scan_weights(counts, singles, totals, classes, min_leaf, i, tiles, sides.scratch, sides.after[other])


@part
def scan_sides(problem, levels, block, sides, level, index):
    """Find the errors below every attribute with one more split, on both sides of an attribute.

    The rows of the smaller side are counted; those of the other side are the difference from the level's. Returns the
    number of pairs of attributes examined.
    """
    number = levels.number[level]
    columns, start = levels.columns[level], levels.start[level]
    pairs, totals = levels.pairs[level], levels.totals[level]
    tiles = (number + LANES - 1) // LANES
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
        for j in range(tiles * LANES):
            sides.singles[0, plane, j] = pairs[plane, index, j]
        for j in range(number):
            sides.singles[1, plane, j] = kind(pairs[plane, j, j] - pairs[plane, index, j])
        sides.singles[1, plane, number : tiles * LANES] = 0
    _all_wrong(problem, sides, 0, tiles)
    _all_wrong(problem, sides, 1, tiles)
    _scan_rows(problem, problem.segments.weight, levels, block, sides, level, counted)
    return number * (number + 1) // 2


@inner
def best_of_two_levels(problem, sides, side, levels, level, best, attribute, search_depth):
    """Write the best trees of two levels of a side, from the errors below each first attribute of a level.

    best, attribute, search_depth (sizes,) : the results, as in an entry of the memo
    """
    singles, totals, after = sides.singles, sides.totals, sides.after
    number, names = levels.number[level], levels.attributes
    classes, min_leaf, cost, sizes = problem.classes, problem.min_leaf, problem.split_cost, problem.sizes
    slack, rows_plane = problem.slack, problem.segments.rows_plane
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
    """Use a tree with fewer splits where more are allowed and it is as good."""
    for size in range(1, len(best)):
        if best[size] >= best[size - 1]:
            best[size], attribute[size], search_depth[size] = (
                best[size - 1],
                attribute[size - 1],
                search_depth[size - 1],
            )
