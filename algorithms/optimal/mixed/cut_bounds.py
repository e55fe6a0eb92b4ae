"""The cuts of one numeric attribute at a node, and bounds for those that were not searched from those that were.

Left of a later cut there are more rows and right of it fewer. Of more rows no tree is better than the best for fewer,
where leaves may be of any size; and fewer rows cost at most the weight of the rows less (ConTree, arXiv 2501.07903,
section 4). Under a least number of rows in a leaf the second still holds, for more rows only make leaves larger. The
first does not: a leaf that has enough of more rows may have too few of fewer. But it has at most so many fewer as there
are fewer rows; so no tree for more rows is better than the best, for fewer, with leaves that may be so much smaller.
Those are the looser trees. What they cost bounds those of other cuts in the same way; but that of more rows only where
their leaves may have any size, for else those of a cut beside it may be smaller still.

The table of cuts has a column for each of these, as long as the node has rows: place in the list, rank before the cut,
weight before it, rows before it (each as often as it stands for), and the least cost of what is left of it and right of
it, each for `width` numbers of splits; and the same of looser trees, where they are kept.
"""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.optimal.mixed.class_bounds import raise_lows
from algorithms.optimal.mixed.node_levels import BEST, LEFT, LIMIT, LOOSE, PART, TOTAL
from algorithms.optimal.mixed.packed_rows import CLASS_MASK, RANK_SHIFT, ROW_BITS, ROW_MASK

__all__ = [
    "CUT_LOWS",
    "CUT_NUMBER",
    "CUT_RANK",
    "CUT_WEIGHT",
    "bound_cuts",
    "bounds_looser",
    "cuts_of_list",
    "loosely",
    "next_cut",
    "words_of_cuts",
    "write_lows",
]

CUT_RANK, CUT_WEIGHT, CUT_NUMBER, CUT_LOWS = 1, 2, 3, 4  # columns; the first is the place


@inner
def words_of_cuts(rows, width):
    """How many words the cuts of so many rows take, with their queue."""
    return rows * (8 + 4 * width) + 8


@inner
def cuts_of_list(arena, node, begin, rows, rule, width, count):
    """Write the cuts of a node's list that leave rows enough on both sides: how many they are.

    count : weight of each class at the node, and room, as in Room
    """
    classes, n_rows = rule.classes, node.rows
    all_weight = np.int64(0)
    for c in range(classes):
        count[LEFT, c] = 0
        all_weight += count[TOTAL, c]
    weight, most, forced, in_left = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    n_cuts = np.int64(0)
    for i in range(begin, begin + n_rows - 1):
        word = arena[i]
        row = word & ROW_MASK
        c = (word >> ROW_BITS) & CLASS_MASK
        count[LEFT, c] += rows.weight[row]
        most = max(most, count[LEFT, c])
        weight += rows.weight[row]
        forced += rows.forced[row]
        in_left += rows.count[row]
        rank = word >> RANK_SHIFT
        if arena[i + 1] >> RANK_SHIFT == rank:
            continue
        if in_left < node.least or node.number - in_left < node.least:
            continue
        most_right = np.int64(0)
        for c in range(classes):
            most_right = max(most_right, count[TOTAL, c] - count[LEFT, c])
        cell = node.table + n_cuts
        arena[cell], arena[cell + CUT_RANK * n_rows] = i + 1 - begin, rank
        arena[cell + CUT_WEIGHT * n_rows], arena[cell + CUT_NUMBER * n_rows] = weight, in_left
        cell += CUT_LOWS * n_rows
        write_lows(arena, cell, n_rows, width, rule, weight - most, forced)
        raise_lows(arena, cell, n_rows, width, rule, node.least, in_left, count, 0)
        cell += width * n_rows
        write_lows(arena, cell, n_rows, width, rule, all_weight - weight - most_right, node.forced - forced)
        raise_lows(arena, cell, n_rows, width, rule, node.least, node.number - in_left, count, 1)
        for s in range(2 * width if bounds_looser(rule, node) else 0):
            arena[cell + (width + s) * n_rows] = 0
        n_cuts += 1
    return n_cuts


@inner
def write_lows(arena, at, step, width, rule, leaf, forced):
    """Write what rows cost at least, from what they cost in one leaf and what no tree avoids, every `step` words."""
    if rule.budgeted:
        arena[at] = leaf
        for splits in range(1, width):
            arena[at + splits * step] = min(leaf, rule.price + forced)
    else:
        arena[at] = min(leaf, rule.price + forced)


@inner
def _promising(arena, node, cut, width, rule, levels, level):
    """Whether the two sides of a cut, which cost what stands in the table at least, may make a better tree."""
    n_rows = node.rows
    left = node.table + CUT_LOWS * n_rows + cut
    right = left + width * n_rows
    if not rule.budgeted:
        useful = min(levels.cost[level, BEST, 0], levels.cost[level, LIMIT, 0])
        return rule.price + arena[left] + arena[right] < useful
    for a in range(width):
        for b in range(min(width, node.width - 1 - a)):
            useful = min(levels.cost[level, BEST, a + b + 1], levels.cost[level, LIMIT, a + b + 1])
            if rule.price + arena[left + a * n_rows] + arena[right + b * n_rows] < useful:
                return True
    return False


@inner
def loosely(arena, node):
    """Fewest rows in a leaf of the looser trees of each side of the cut in hand, which bound all cuts of its run."""
    n_rows = node.rows
    numbers = node.table + CUT_NUMBER * n_rows
    here = arena[numbers + node.cut]
    left = node.least - (arena[numbers + node.last] - here)
    right = node.least - (here - arena[numbers + node.first])
    return max(np.int64(1), left), max(np.int64(1), right)


@inner
def bounds_looser(rule, node):
    """Whether what looser trees of a cut's sides cost is kept for the cuts beside it."""
    return rule.thorough and node.least > 1 and node.reach > 2


@inner
def bound_cuts(arena, node, width, rule, cost):
    """Raise the bounds of the cuts of the run in hand by what was found of one: PART and LOOSE of `cost`."""
    n_rows, cut, first, last = node.rows, node.cut, node.first, node.last
    weights, lows = node.table + CUT_WEIGHT * n_rows, node.table + CUT_LOWS * n_rows
    here, keeps = arena[weights + cut], bounds_looser(rule, node)
    for side in range(2):  # of this side fewer rows remain before the cut, or after it
        grown_from, grown_to = (cut + 1, last + 1) if side == 0 else (first, cut)
        shed_from, shed_to = (first, cut) if side == 0 else (cut + 1, last + 1)
        any_size = keeps and loosely(arena, node)[side] == 1
        for s in range(width):
            low = lows + (side * width + s) * n_rows
            looser = low + 2 * width * n_rows
            part, loose = cost[PART + side, s], cost[LOOSE + side, s]
            arena[low + cut] = max(arena[low + cut], part)
            for t in range(grown_from, grown_to):
                arena[low + t] = max(arena[low + t], loose)
                if keeps:
                    arena[looser + t] = max(arena[looser + t], loose)
            for t in range(shed_from, shed_to if rule.sheds else shed_from):
                apart = abs(arena[weights + t] - here)
                arena[low + t] = max(arena[low + t], part - apart)
                if any_size:
                    arena[looser + t] = max(arena[looser + t], loose - apart)


@inner
def next_cut(arena, node, first, last, width, rule, levels, level):
    """(first, middle, last) promising cut of those from `first` to `last`; the middle is -1 where there is none."""
    while first <= last and not _promising(arena, node, first, width, rule, levels, level):
        first += 1
    while first < last and not _promising(arena, node, last, width, rule, levels, level):
        last -= 1
    if first > last:
        return first, np.int64(-1), last
    middle = (first + last) // 2
    while not _promising(arena, node, middle, width, rule, levels, level):
        middle += 1
    return first, middle, last
