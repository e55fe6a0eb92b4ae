"""The sets of rows that a search over binary attributes stands at, one below the other, and what it knows of each.

Level 0 is where the search starts; the rows of a level are one side of an attribute of the level above. A level holds
its rows as columns of its own, only of attributes that have both values there, and the counts of their pairs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from algorithms.kernels.lanes import LANES
from algorithms.kernels.pair_counts import Lanes, pack_columns, pack_lanes, write_pair_counts
from algorithms.kernels.pair_scan import scan_pairs, scan_pairs_of_two_classes

__all__ = [
    "Block",
    "Levels",
    "Problem",
    "Sides",
    "best_of_two_levels",
    "descend",
    "leaf_error",
    "prepare",
    "scan_sides",
]


class Problem(NamedTuple):
    """What does not change while searching.

    columns   (attributes + 1, words) uint64 : all rows by segment, and last which bits are rows
    start     (segments + 1,) int64
    forced    (words,) uint64 : rows that are wrong in every tree, counted by their own weight
    segments  : of all rows
    classes   int; fewest int : rows in a leaf; split_cost float : of a split, in errors
    sizes     int : 1 to look for the least cost; else the least errors by splits, from 0 to sizes - 1
    stride    int : attributes, up to a multiple of LANES
    slack     float : what rounding may make of sums of weights; 0 where they are whole
    """

    columns: Any
    start: Any
    forced: Any
    segments: Any
    classes: Any
    fewest: Any
    split_cost: Any
    sizes: Any
    stride: Any
    slack: Any


class Levels(NamedTuple):
    """By level, and within it by the place of an attribute in the level.

    columns (levels, attributes + 1, words) uint64, start (levels, segments + 1)
    attributes (levels, attributes) int32 : which they are; number (levels,) : how many
    mask (levels, words) uint64 : the rows as bits of the problem's words; key (levels, 2) uint64 : their hash
    pairs (levels, planes, stride, stride) : counts of pairs; the diagonal counts the attributes
    totals (levels, planes) : counts of all rows
    after_one, after_zero (levels, stride) : errors below a first attribute with one more split
    depth, limit, current, position, side (levels,) : what is sought there, and how far it is
    solved (levels, 2) bool : which sides of the present attribute are
    forced (levels,) : weight of the rows that every tree gets wrong
    order (levels, attributes) : places, most promising first
    lower (levels, 2, attributes, sizes) : bounds of the sides of each attribute at depth current - 1
    best, attribute, found (levels, sizes) : the best tree so far, as in a memo's entry
    """

    columns: Any
    start: Any
    attributes: Any
    number: Any
    mask: Any
    key: Any
    pairs: Any
    totals: Any
    after_one: Any
    after_zero: Any
    depth: Any
    limit: Any
    current: Any
    position: Any
    side: Any
    solved: Any
    forced: Any
    order: Any
    lower: Any
    best: Any
    attribute: Any
    found: Any


class Sides(NamedTuple):
    """Room for both sides of an attribute.

    counts, singles (2, planes, stride), totals (2, planes), weights (2, stride), after (2, 2, stride), room (4, stride)
    """

    counts: Any
    singles: Any
    totals: Any
    weights: Any
    after: Any
    room: Any


class Block(NamedTuple):
    """Room for rows to count: `lanes`, and `chosen` (words,) which rows they are."""

    lanes: Lanes
    chosen: Any


@njit(nogil=True, cache=True)
def leaf_error(weights, classes):
    """The weight of the rows that are not of the greatest class."""
    total, most = 0.0, 0.0
    for c in range(classes):
        total += weights[c]
        most = max(most, weights[c])
    return total - most


@njit(nogil=True, cache=True)
def prepare(problem, levels, block, sides, level):
    """Count the pairs of a level's attributes, and the errors below each of them with one more split."""
    number = levels.number[level]
    columns, start = levels.columns[level], levels.start[level]
    pairs, totals = levels.pairs[level], levels.totals[level]
    pack_lanes(columns, start, columns[number], number, problem.stride, block.lanes)
    planes = len(totals)
    tiles = (number + LANES - 1) // LANES
    for attribute in range(number):
        upto = attribute // LANES + 1
        write_pair_counts(block.lanes, problem.segments, problem.stride, attribute, upto, sides.counts[0])
        for plane in range(planes):
            for j in range(attribute + 1):
                pairs[plane, attribute, j] = sides.counts[0, plane, j]
                pairs[plane, j, attribute] = sides.counts[0, plane, j]
    for plane in range(planes):
        for attribute in range(number):
            sides.singles[0, plane, attribute] = pairs[plane, attribute, attribute]
        for rest in range(number, tiles * LANES):
            sides.singles[0, plane, rest] = 0
            for attribute in range(number):
                pairs[plane, attribute, rest] = 0
        sides.totals[0, plane] = totals[plane]
    write_weights(problem, sides, 0, tiles)
    for attribute in range(number):
        for plane in range(planes):
            upto = (attribute // LANES + 1) * LANES
            sides.counts[0, plane, :upto] = pairs[plane, attribute, :upto]
        _scan(problem, sides, 0, attribute)
    levels.after_one[level, : tiles * LANES] = sides.after[0, 0, : tiles * LANES]
    levels.after_zero[level, : tiles * LANES] = sides.after[0, 1, : tiles * LANES]


@njit(nogil=True, cache=True)
def write_weights(problem, sides, side, tiles):
    """Write the weights of a side's attributes, and no second split yet below any: all rows count as wrong."""
    kind = sides.counts.dtype.type
    everything = kind(0)
    for c in range(problem.classes):
        everything = kind(everything + sides.totals[side, c])
    for j in range(tiles * LANES):
        weight = kind(0)
        for c in range(problem.classes):
            weight = kind(weight + sides.singles[side, c, j])
        sides.weights[side, j] = weight
        sides.after[side, 0, j] = everything
        sides.after[side, 1, j] = everything


@njit(nogil=True, cache=True)
def _scan(problem, sides, side, attribute):
    upto = attribute // LANES + 1
    one, zero = sides.after[side, 0], sides.after[side, 1]
    counts, singles, totals = sides.counts[side], sides.singles[side], sides.totals[side]
    if problem.classes == 2 and problem.fewest <= 1:
        scan_pairs_of_two_classes(counts, singles, totals, attribute, upto, one, zero)
    else:
        scan_pairs(
            counts,
            singles,
            totals,
            sides.weights[side],
            problem.classes,
            problem.fewest,
            attribute,
            upto,
            sides.room,
            one,
            zero,
        )


@njit(nogil=True, cache=True)
def scan_sides(problem, levels, block, sides, level, place, wanted_one, wanted_zero):
    """Find the errors below every attribute with one more split, on the sides of an attribute that are wanted.

    The rows of the smaller side are counted; those of the other are what is left of the level's. Returns how many pairs
    of attributes were looked at.
    """
    number = levels.number[level]
    columns, start = levels.columns[level], levels.start[level]
    pairs, totals = levels.pairs[level], levels.totals[level]
    planes = len(totals)
    tiles = (number + LANES - 1) // LANES
    ones, rows = 0.0, 0.0
    for c in range(problem.classes):
        ones += pairs[c, place, place]
        rows += totals[c]
    counted = 0 if ones + ones <= rows else 1  # side 0 of `sides` has value 1, side 1 has value 0
    other = 1 - counted
    words = start[len(start) - 1]
    for w in range(words):
        word = columns[place, w]
        block.chosen[w] = word if counted == 0 else columns[number, w] & ~word
    pack_lanes(columns, start, block.chosen, number, problem.stride, block.lanes)
    kind = sides.counts.dtype.type
    for plane in range(planes):
        sides.totals[0, plane] = pairs[plane, place, place]
        sides.totals[1, plane] = kind(totals[plane] - pairs[plane, place, place])
        for j in range(tiles * LANES):
            sides.singles[0, plane, j] = pairs[plane, place, j]
        for j in range(number):
            sides.singles[1, plane, j] = kind(pairs[plane, j, j] - pairs[plane, place, j])
        for j in range(number, tiles * LANES):
            sides.singles[1, plane, j] = 0
    wanted_counted = wanted_one if counted == 0 else wanted_zero
    wanted_other = wanted_zero if counted == 0 else wanted_one
    write_weights(problem, sides, 0, tiles)
    write_weights(problem, sides, 1, tiles)
    for attribute in range(number):
        upto = attribute // LANES + 1
        write_pair_counts(block.lanes, problem.segments, problem.stride, attribute, upto, sides.counts[counted])
        if wanted_counted:
            _scan(problem, sides, counted, attribute)
        if wanted_other:
            for plane in range(planes):
                mine, theirs, all_rows = (
                    sides.counts[other, plane],
                    sides.counts[counted, plane],
                    pairs[plane, attribute],
                )
                for j in range(upto * LANES):
                    mine[j] = kind(all_rows[j] - theirs[j])
            _scan(problem, sides, other, attribute)
    return number * (number + 1) // 2


@njit(nogil=True, cache=True)
def best_of_two_levels(problem, singles, totals, after, number, names, best, attribute, found):
    """Write the best trees of two levels of a set of rows, by the errors below each first attribute.

    singles (planes, stride), totals (planes,) : counts; after (2, stride) : errors with one more split on the side with
    value 1, and 0; names (number,) : the attributes
    """
    leaf = leaf_error(totals, problem.classes)
    best[:], attribute[:], found[:] = leaf, -1, 0
    last = len(totals) - 1
    for place in range(number):
        if problem.fewest > 1 and not (
            problem.fewest <= singles[last, place] <= totals[last] - singles[last, place]
            or problem.fewest <= totals[last] - singles[last, place] <= singles[last, place]
        ):
            continue
        total_one, most_one, total_zero, most_zero = 0.0, 0.0, 0.0, 0.0
        for c in range(problem.classes):
            one = np.float64(singles[c, place])
            zero = np.float64(totals[c]) - one
            total_one += one
            total_zero += zero
            most_one = max(most_one, one)
            most_zero = max(most_zero, zero)
        one, zero = total_one - most_one, total_zero - most_zero
        one_split, zero_split = np.float64(after[0, place]), np.float64(after[1, place])
        if problem.sizes == 1:
            cost = problem.split_cost
            total = cost + min(one, one_split + cost) + min(zero, zero_split + cost)
            _improve(problem, total, 0, names[place], 2, best, attribute, found)
        else:
            _improve(problem, one + zero, 1, names[place], 2, best, attribute, found)
            _improve(problem, min(one + zero_split, one_split + zero), 2, names[place], 2, best, attribute, found)
            _improve(problem, one_split + zero_split, 3, names[place], 2, best, attribute, found)
    carry(best, attribute, found)


@njit(nogil=True, cache=True)
def _improve(problem, value, size, name, depth, best, attribute, found):
    if size < problem.sizes and value < best[size] - problem.slack:
        best[size], attribute[size], found[size] = value, name, depth


@njit(nogil=True, cache=True)
def carry(best, attribute, found):
    """Where more splits have not led to fewer errors, the tree of fewer splits is the best of more, too."""
    for size in range(1, len(best)):
        if best[size] >= best[size - 1]:
            best[size], attribute[size], found[size] = best[size - 1], attribute[size - 1], found[size - 1]


@njit(nogil=True, cache=True)
def descend(problem, levels, level, place, side, chosen, kept):
    """Write the rows of a side of an attribute, and which attributes differ there, as the level below."""
    number, below = levels.number[level], level + 1
    pairs, totals = levels.pairs[level], levels.totals[level]
    columns = levels.columns[level]
    words = levels.start[level, len(problem.start) - 1]
    for w in range(words):
        word = columns[place, w]
        chosen[w] = columns[number, w] & (word if side == 0 else ~word)
    for plane in range(len(totals)):
        one = pairs[plane, place, place]
        levels.totals[below, plane] = one if side == 0 else totals[plane] - one
    count = 0
    for other in range(number):
        there, all_there = 0.0, 0.0
        for c in range(problem.classes):
            both = np.float64(pairs[c, place, other])
            there += both if side == 0 else np.float64(pairs[c, other, other]) - both
            all_there += np.float64(levels.totals[below, c])
        if problem.slack < there < all_there - problem.slack:
            kept[count] = other
            levels.attributes[below, count] = levels.attributes[level, other]
            count += 1
    levels.number[below] = count
    pack_columns(columns, levels.start[level], chosen, kept[:count], levels.columns[below], levels.start[below])
    column = problem.columns[levels.attributes[level, place]]
    for w in range(len(column)):
        levels.mask[below, w] = levels.mask[level, w] & (column[w] if side == 0 else ~column[w])
