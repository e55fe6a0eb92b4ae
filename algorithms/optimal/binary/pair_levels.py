"""The nested sets of rows of a search over two-valued attributes, and what is known about each.

Level 0 has the rows that the search begins with. The rows of a further level are one side of an attribute of the level
above. Each level has packed columns of its own rows, for the attributes that have both values there, and the counts of
pairs of these. A *local index* numbers the attributes of a level.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, part
from algorithms._numba.primitives import popcount
from algorithms.kernel_arrays import array
from algorithms.optimal.binary.bit_memo import hash_of
from algorithms.optimal.binary.pair_counts import pack_columns


class PairProblem(NamedTuple):
    """The constants of a search. Weights, errors and costs are in units of `RowBits.unit`.

    A *plane* is a table of counts, one for each class.
    """

    columns: Any  # (attributes + 1, words) uint64: all rows as bits and, last, the set of all rows
    start: Any  # (segments + 1,) int64: the first word of each segment; last, the number of words
    forced: Any  # (words,) uint64: the rows of the equivalent points bound, each with its own weight
    plane: Any  # (segments,) int64: the class, which is the index of the plane
    alike: Any  # True if all rows weigh 1, else None
    weight: Any  # (segments,) float64: of each row; None if all weigh 1
    rows_plane: Any  # int: the index of a further plane, which counts rows instead of weights; -1 without one
    classes: Any  # int: number of classes that occur
    min_leaf: Any  # int: fewest rows in a leaf
    split_cost: Any  # float: cost of a split
    sizes: Any  # int: 1 to find the least cost; n > 1 to find the fewest errors with 0 to n - 1 splits
    stride: Any  # int: number of attributes, rounded up to a multiple of LANES
    slack: Any  # float: costs are equal if they differ by no more than this; 0 if all are integers
    barred: Any  # (attributes,) bool: attributes that the root must not test


class PairLevels(NamedTuple):
    """The data of each level. `stride` and all arrays by attribute are by local index.

    Side 0 of an attribute has the rows with the greater of its two values (bit 1), side 1 those with the lesser.
    """

    columns: Any = array("levels attributes+1 words", np.uint64)  # packed rows of the level; after the last, their set
    start: Any = array("levels segments+1")  # the first word of each segment; last, the number of words
    attributes: Any = array("levels attributes", np.int32)  # the attribute of each local index
    number: Any = array("levels")  # number of attributes
    mask: Any = array("levels words", np.uint64)  # the rows as bits of `PairProblem.columns`
    key: Any = array("levels 2", np.uint64)  # key of the rows in the memo
    pairs: Any = array("levels planes stride stride", "count")  # weight of the rows with value 1 in both attributes
    totals: Any = array("levels planes", "count")  # weight of all rows
    after_one: Any = array("levels stride", "count")
    """For each attribute at the root, the fewest errors of side 0 with one more split; `after_zero`: of side 1."""
    after_zero: Any = array("levels stride", "count")
    depth: Any = array("levels")  # greatest depth of the trees
    limit: Any = array("levels", np.float64)  # trees of this cost or more are not searched for
    current_depth: Any = array("levels")  # the depth for which the rows are being solved, from 2 to `depth`
    position: Any = array("levels")  # index of the current attribute in `order`
    side: Any = array("levels")  # side of the current attribute that the level below solves; NONE if none
    solved: Any = array("levels 2", np.bool_)  # which sides of the current attribute are solved
    forced: Any = array("levels", np.float64)  # equivalent points bound
    order: Any = array("levels attributes")  # local indices, most promising first
    lower: Any = array("levels 2 attributes sizes", np.float64)
    """Lower bounds of both sides of each attribute, with one level less than `current_depth`."""
    best: Any = array("levels sizes", np.float64)  # this and the next two: the best trees so far, as in the memo
    attribute: Any = array("levels sizes", np.int32)
    search_depth: Any = array("levels sizes", np.int8)


class SideBuffers(NamedTuple):
    """Buffers for both sides of an attribute; the first dimension of 2 is the side."""

    singles: Any = array("2 planes stride", "count")  # weight of the rows with value 1 of each attribute
    totals: Any = array("2 planes", "count")  # weight of all rows of a side
    after: Any = array("2 2 stride", "count")
    """For each attribute at the root, the fewest errors of its rows with value 1, and with 0, after one more split."""
    counts: Any = array("planes stride", "count")  # weight of the rows with value 1 of one attribute and of each other
    keys: Any = array("2 2", np.uint64)  # key of the rows of each side
    values: Any = array("2 sizes", np.float64)  # results of each side; the next two, of one side
    attribute: Any = array("sizes", np.int32)
    search_depth: Any = array("sizes", np.int8)


@part
def open_root(problem, levels, block):
    """Write the key of the rows of level 0, and their columns for the attributes that have both values there."""
    start, mask, kept = problem.start, levels.mask[0], block.kept
    weights, plane, rows_plane = problem.weight, problem.plane, problem.rows_plane
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
    if weights is None:  # numba removes a branch if an argument is None, but not if a field is
        totals[plane] += rows
    else:
        totals[plane] += rows * weights[segment]


@part
def descend(problem, levels, level, index, side, chosen, kept):
    """Write the rows of a side of an attribute, with the attributes that have both values there, as the level below.

    index, side  : local index of the attribute; its side
    chosen, kept : (words,) and (attributes,), buffers of `pair_counts.Lanes`
    """
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
