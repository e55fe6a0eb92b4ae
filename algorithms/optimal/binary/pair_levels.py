"""The nested sets of rows of a search over two-valued attributes, and what is known about each.

Level 0 is the start of the search. The rows of a level are one side of an attribute of the level above. A level has its
own columns of its rows, only for attributes that have both values there, and the counts of their pairs.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, part
from algorithms._numba.primitives import popcount
from algorithms.kernel_arrays import array
from algorithms.optimal.binary.bit_memo import hash_of
from algorithms.optimal.binary.pair_counts import pack_columns


class PairProblem(NamedTuple):
    """The constants of a search."""

    columns: Any  # (attributes + 1, words) uint64: all rows by segment and, last, which bits are rows
    start: Any  # (segments + 1,) int64
    forced: Any  # (words,) uint64: rows that every tree misclassifies, counted by their own weight
    segments: Any  # of all rows
    classes: Any  # int
    min_leaf: Any  # int: fewest rows in a leaf
    split_cost: Any  # float: of a split, in errors
    sizes: Any  # int: 1 to look for the least cost; otherwise the least errors by splits, from 0 to sizes - 1
    stride: Any  # int: number of attributes, rounded up to a multiple of LANES
    slack: Any  # float: rounding error of sums of weights; 0 if they are whole
    barred: Any  # (attributes,) bool: those that the root must not test


class PairLevels(NamedTuple):
    """The data of each level; within a level, attributes have local indices."""

    columns: Any = array("levels attributes+1 words", np.uint64)
    start: Any = array("levels segments+1")
    attributes: Any = array("levels attributes", np.int32)  # which they are
    number: Any = array("levels")  # of attributes
    mask: Any = array("levels words", np.uint64)  # the rows as bits of the problem's words
    key: Any = array("levels 2", np.uint64)  # their hash
    pairs: Any = array("levels planes stride stride", "count")  # of attributes; the diagonal counts the attributes
    totals: Any = array("levels planes", "count")  # of all rows
    after_one: Any = array("levels stride", "count")  # errors below a first attribute with one more split
    after_zero: Any = array("levels stride", "count")
    depth: Any = array("levels")  # the greatest depth of the trees
    limit: Any = array("levels", np.float64)  # trees that cost as much are not searched for
    current_depth: Any = array("levels")  # from 2 to `depth`: the depth that the rows are being solved for
    position: Any = array("levels")  # in `order`, of the current attribute
    side: Any = array("levels")  # of the current attribute: the one that the level below solves; NONE if none
    solved: Any = array("levels 2", np.bool_)  # which sides of the current attribute are solved
    forced: Any = array("levels", np.float64)  # weight of the rows that every tree misclassifies
    order: Any = array("levels attributes")  # local indices, most promising first
    lower: Any = array("levels 2 attributes sizes", np.float64)
    """Bounds of each attribute's sides, with one level less than `current_depth`."""
    best: Any = array("levels sizes", np.float64)  # the best tree so far, as in an entry of the memo
    attribute: Any = array("levels sizes", np.int32)
    search_depth: Any = array("levels sizes", np.int8)


class SideBuffers(NamedTuple):
    """Buffers for both sides of an attribute."""

    singles: Any = array("2 planes stride", "count")  # the weight of the rows with each attribute
    totals: Any = array("2 planes", "count")  # the weight of all rows
    after: Any = array("2 2 stride", "count")  # errors with one more split on the rows with 1, and 0, of each attribute
    counts: Any = array("planes stride", "count")  # the weight of the rows with one attribute and each other
    keys: Any = array("2 2", np.uint64)  # the memo's entries of each side
    values: Any = array("2 sizes", np.float64)
    attribute: Any = array("sizes", np.int32)
    search_depth: Any = array("sizes", np.int8)


@part
def open_root(problem, levels, block):
    """Write the rows of the mask of level 0 as columns of the attributes that differ among them, and their hash."""
    start, mask, kept = problem.start, levels.mask[0], block.kept
    weights, plane, rows_plane = problem.segments.weight, problem.segments.plane, problem.segments.rows_plane
    last = len(problem.columns) - 1
    for index in range(levels.totals.shape[1]):
        levels.totals[0, index] = 0
    rows = 0
    for s in range(len(plane)):
        counted = 0
        for w in range(start[s], start[s + 1]):
            counted += np.int64(popcount(mask[w]))
        _add(levels.totals[0], plane[s], weights, s, counted)
        if rows_plane >= 0:
            levels.totals[0, rows_plane] += counted
        rows += counted
    count = 0
    for index in range(last):
        ones = 0
        for w in range(len(mask)):
            ones += np.int64(popcount(mask[w] & problem.columns[index, w]))
        if 0 < ones < rows:
            kept[count] = index
            levels.attributes[0, count] = index
            count += 1
    levels.number[0] = count
    hash_of(mask, problem.columns[last], True, levels.key[0])
    pack_columns(problem.columns, start, mask, kept[:count], levels.columns[0], levels.start[0])


@inner
def _add(totals, plane, weights, segment, rows):
    if weights is None:  # numba leaves a branch out by the type of an argument, not by that of a field
        totals[plane] += rows
    else:
        totals[plane] += rows * weights[segment]


@part
def descend(problem, levels, level, index, side, chosen, kept):
    """Write the rows of a side of an attribute, and which attributes differ there, as the level below."""
    number, below = levels.number[level], level + 1
    pairs, totals = levels.pairs[level], levels.totals[level]
    columns = levels.columns[level]
    words = levels.start[level, len(problem.start) - 1]
    for w in range(words):
        word = columns[index, w]
        chosen[w] = columns[number, w] & (word if side == 0 else ~word)
    for plane in range(len(totals)):
        one = pairs[plane, index, index]
        levels.totals[below, plane] = one if side == 0 else totals[plane] - one
    count = 0
    for other in range(number):
        ones, total = 0.0, 0.0
        for c in range(problem.classes):
            both = np.float64(pairs[c, index, other])
            ones += both if side == 0 else np.float64(pairs[c, other, other]) - both
            total += np.float64(levels.totals[below, c])
        if problem.slack < ones < total - problem.slack:
            kept[count] = other
            levels.attributes[below, count] = levels.attributes[level, other]
            count += 1
    levels.number[below] = count
    pack_columns(columns, levels.start[level], chosen, kept[:count], levels.columns[below], levels.start[below])
    column = problem.columns[levels.attributes[level, index]]
    for w in range(len(column)):
        levels.mask[below, w] = levels.mask[level, w] & (column[w] if side == 0 else ~column[w])
