"""The best tree of two levels over attributes with at most three codes, from counts of pairs of codes.

This extends the frequency counts of MurTree (Demirović et al. 2022) to three branches. Rows are packed as bits. An
attribute has a column for the rows with code 1 and, if it has three codes, a column for those with code 2. Two
attributes divide the rows into up to nine cells. The rows that two columns share give four cells, and the others are
differences. So no sorted lists of the rows are needed.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, inner
from algorithms._numba.primitives import LANES, bit_counts, choose, greater, least_lane, lesser, load, store, zeros
from algorithms.kernel_arrays import array
from algorithms.optimal.binary.pair_counts import pack_lanes
from algorithms.optimal.binary.pair_scan import shared_bits
from algorithms.optimal.mixed.node_entry import NONE, reach_of, sort_lists, take, take_fewer
from algorithms.optimal.mixed.node_levels import PAIR_LEVELS, SPLIT_BITS, WORK, NodePhase
from algorithms.optimal.mixed.packed_rows import ROW_MASK

MOST_BRANCHES = 3
CODE_ONE, CODE_TWO = np.int64(0), np.int64(1)
"""Branches of codes 1 and 2; that of code 0 is the third. Plain numbers have other types, for which numba would compile
the kernels again."""


class CodePairs(NamedTuple):
    """All rows as bits, and buffers to count pairs. Weights and errors are in units of `grain`.

    A *segment* is the rows of one class and one weight; it begins with a new word. A *tile* is LANES attributes.
    Attributes are in the order of `attribute`. Half the stride is their number, rounded up to a multiple of LANES.
    """

    bits: Any = array("columns words", np.uint64)
    """Whether each row has code 1 of an attribute; from column stride / 2 on, whether it has code 2. A row is bit
    `bit` % 64 of word `bit` // 64."""
    first: Any = array("segments+1")  # the first word of each segment; last, the number of words
    segment_of: Any = array("classes+1")  # the first segment of each class; last, the number of segments
    weight: Any = array("segments", "count")  # of each row of a segment
    bit: Any = array("rows")  # of each merged row
    attribute: Any = array("attributes")  # indices of the attributes, those of three codes first
    split: Any = array("attributes")  # the split of a choice that divides the rows by the codes of each attribute
    chosen: Any = array("words", np.uint64)  # the rows of a node
    lanes: Any = array("narrow*stride", "word")  # rows of a node; this and the next two as in `pair_counts.Lanes`
    columns: Any = array("stride narrow", "word")
    start: Any = array("segments+1")
    ones: Any = array("1 narrow", "word")  # a column of all rows: words of ones
    cells: Any = array("classes 4 lane", "count")
    """Weight of the rows with code 1 or 2 of an attribute and code 1 or 2 of each of a tile: (1, 1), (1, 2), (2, 1),
    (2, 2)."""
    counted: Any = array("stride", "count")  # the number of rows of a segment in each column
    singles: Any = array("classes stride", "count")  # weight of the rows of a node in each column
    totals: Any = array("classes", "count")  # weight of all rows of a node
    after: Any = array("3 stride", "count")
    """For each attribute at the root, the fewest errors of the rows with code 1, 2 and 0 after one more split."""
    child_rows: Any = array("3 words", np.uint64)  # the rows of each child of a node with PAIR_LEVELS + 1 levels left
    known: Any = array("1")  # number of solved children of such a node; their rows and lower bounds follow
    known_rows: Any = array("3*attributes words", np.uint64)
    known_low: Any = array("3*attributes width")


@inner
def solve_from_pairs(rule, arena, levels, level, pairs, scratch):
    """Find the best tree of at most PAIR_LEVELS levels of a node; return the next phase.

    If a deeper tree may be better, the lists of the node are sorted, most promising first.
    """
    node = levels.node[level]
    number = len(pairs.attribute)
    _count_columns(rule, arena, node, pairs)
    tried = min(node.depth, node.reach, np.int64(PAIR_LEVELS)) if node.depth > 1 else np.int64(1)
    if tried > 1:
        _scan_pairs(rule, node, pairs)
    for index in range(number):
        _try_attribute(rule, levels, level, pairs, index, tried > 1)
    take_fewer(levels, level)
    scratch.state[WORK] += node.rows * number
    if tried == node.depth:
        for s in range(node.width):
            levels.low[level, s] = max(levels.low[level, s], levels.best[level, s])
        return NodePhase.KEEP if node.depth > 1 else NodePhase.LEAVE
    node.reach = reach_of(rule, levels, level)
    if node.reach <= tried:
        return NodePhase.KEEP
    for index in range(number):
        errors = np.int64(0)
        for branch in range(MOST_BRANCHES):
            errors += np.int64(pairs.after[branch, index])
        scratch.score[pairs.attribute[index]] = errors
    sort_lists(arena, node.lists, node.n_lists, scratch.score)
    pairs.known[0] = 0
    return NodePhase.NEXT_ATTRIBUTE


@inner
def _count_columns(rule, arena, node, pairs):
    """Pack the rows of a node as lanes, and write `singles` and `totals`."""
    half, columns = pairs.singles.shape[1] // 2, len(pairs.bits)
    for w in range(len(pairs.chosen)):
        pairs.chosen[w] = 0
    for i in range(node.base, node.base + node.rows):
        bit = pairs.bit[arena[i] & ROW_MASK]
        pairs.chosen[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
    pack_lanes(pairs.bits, pairs.first, pairs.chosen, columns, 2 * half, pairs)
    singles, counted, nothing = pairs.singles, pairs.counted, zeros(pairs.counted)
    singles[:] = 0
    for c in range(rule.classes):
        pairs.totals[c] = arena[node.totals + c] // rule.grain
        for s in range(pairs.segment_of[c], pairs.segment_of[c + 1]):
            first, end, weight = pairs.start[s], pairs.start[s + 1], pairs.weight[s]
            for at in range(0, columns, LANES):
                store(counted, at, shared_bits(pairs.lanes, at, 2 * half, pairs.ones, 0, first, end, nothing))
            for column in range(columns):
                singles[c, column] += weight * counted[column]


@inner
def _scan_pairs(rule, node, pairs):
    """Write `after` from the counts of all pairs of attributes. If a branch has too few rows, all rows are errors."""
    after, cells, singles, totals = pairs.after, pairs.cells, pairs.singles, pairs.totals
    lanes, columns = pairs.lanes, pairs.columns
    segment_of, start, weight, stride = pairs.segment_of, pairs.start, pairs.weight, singles.shape[1]
    nothing, three, everything = zeros(singles), len(pairs.bits) - stride // 2, np.int64(0)
    for c in range(rule.classes):
        everything += np.int64(totals[c])
    for branch in range(MOST_BRANCHES):
        for index in range(stride):
            after[branch, index] = everything
    for first in range(len(pairs.attribute)):
        for at in range(0, first + 1, LANES):
            for c in range(rule.classes):
                end = segment_of[c + 1]
                _count_cells(cells, lanes, columns, start, weight, segment_of[c], end, c, CODE_ONE, first, at, stride)
                end = end if at < three else segment_of[c]
                _count_cells(cells, lanes, columns, start, weight, segment_of[c], end, c, CODE_TWO, first, at, stride)
            below_one, below_two, below_zero = nothing, nothing, nothing
            for branch in range(MOST_BRANCHES):
                one = two = zero = most_one = most_two = most_zero = nothing
                for c in range(rule.classes):
                    one_c, two_c, zero_c = _cells_of_branch(cells, singles, totals, c, branch, first, at)
                    one, two, zero = one + one_c, two + two_c, zero + zero_c
                    most_one, most_two = greater(most_one, one_c), greater(most_two, two_c)
                    most_zero = greater(most_zero, zero_c)
                one = _errors(one, most_one, node.min_leaf, everything)
                two = _errors(two, most_two, node.min_leaf, everything)
                zero = _errors(zero, most_zero, node.min_leaf, everything)
                least = np.int64(least_lane(one + two + zero))
                after[branch, first] = min(np.int64(after[branch, first]), least)
                below_one, below_two, below_zero = below_one + one, below_two + two, below_zero + zero
            store(after, at, lesser(load(after, at, nothing), below_one))
            store(after, stride + at, lesser(load(after, stride + at, nothing), below_two))
            store(after, 2 * stride + at, lesser(load(after, 2 * stride + at, nothing), below_zero))


@inlined
def _count_cells(cells, lanes, columns, start, weight, first_segment, end_segment, c, code, first, at, stride):
    """Write the weight of a class in the cells of codes 1 and 2 of an attribute and of `code` of each of a tile.

    first_segment, end_segment : segments of the class
    c     : the class
    code  : CODE_ONE or CODE_TWO
    first : the attribute
    at    : the first attribute of the tile
    """
    nothing = zeros(cells)
    one = two = nothing
    for s in range(first_segment, end_segment):
        of_one = of_two = nothing
        for w in range(start[s], start[s + 1]):
            lane = load(lanes, w * stride + code * (stride // 2) + at, nothing)
            of_one = of_one + bit_counts(lane & np.int64(columns[first, w]))
            of_two = of_two + bit_counts(lane & np.int64(columns[stride // 2 + first, w]))
        one, two = one + of_one * weight[s], two + of_two * weight[s]
    store(cells, (c * 4 + code) * LANES, one)
    store(cells, (c * 4 + 2 + code) * LANES, two)


@inlined
def _cells_of_branch(cells, singles, totals, c, branch, first, at):
    """The weights of a class in a branch of an attribute and with code 1, 2 and 0 of each of a tile, as vectors."""
    stride, nothing, of_class = singles.shape[1], zeros(cells), c * 4 * LANES
    half = stride // 2
    if branch < 2:
        one = load(cells, of_class + 2 * branch * LANES, nothing)
        two = load(cells, of_class + (2 * branch + 1) * LANES, nothing)
        return one, two, (singles[c, branch * half + first] - one) - two
    one = load(singles, c * stride + at, nothing) - load(cells, of_class, nothing)
    two = load(singles, c * stride + half + at, nothing) - load(cells, of_class + LANES, nothing)
    one = one - load(cells, of_class + 2 * LANES, nothing)
    two = two - load(cells, of_class + 3 * LANES, nothing)
    return one, two, ((totals[c] - singles[c, first] - singles[c, half + first]) - one) - two


@inlined
def _errors(rows, most, min_leaf, everything):
    """The errors of a leaf for each cell of a tile; all rows if it has fewer than `min_leaf`, unless it is empty."""
    return choose((rows > 0) & (rows < min_leaf), everything, rows - most)


@inner
def _try_attribute(rule, levels, level, pairs, index, split_again):
    """Keep the best tree with an attribute at its root if it is the best so far.

    index       : position of the attribute in `pairs.attribute`
    split_again : whether each branch may be split once more, which leaves the errors `after`
    """
    node, half = levels.node[level], pairs.singles.shape[1] // 2
    has_two = half + index < len(pairs.bits)
    cost, present, gain, later, last = np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for branch in range(MOST_BRANCHES):
        all_weight, most = np.int64(0), np.int64(0)
        for c in range(rule.classes):
            one = np.int64(pairs.singles[c, index])
            two = np.int64(pairs.singles[c, half + index]) if has_two else np.int64(0)
            weight = one if branch == 0 else two if branch == 1 else np.int64(pairs.totals[c]) - one - two
            all_weight += weight
            most = max(most, weight)
        if all_weight == 0:
            continue
        if node.min_leaf > 1 and all_weight < node.min_leaf:
            return
        present += 1
        leaf = all_weight - most
        cost += leaf * rule.grain
        if split_again:
            saved = max(np.int64(0), (leaf - np.int64(pairs.after[branch, index])) * rule.grain - rule.price)
            gain, saved = max(gain, saved), min(gain, saved)
            later, saved = max(later, saved), min(later, saved)
            last = max(last, saved)
    if present < 2:
        return
    choice = (pairs.attribute[index] << SPLIT_BITS) | pairs.split[index]
    cost += rule.price
    if not rule.counts_splits:
        take(levels, level, NONE, cost - gain - later - last, choice)
        return
    for splits in range(1, node.width):
        take(levels, level, splits, cost, choice)
        cost, gain, later, last = cost - gain, later, last, np.int64(0)
