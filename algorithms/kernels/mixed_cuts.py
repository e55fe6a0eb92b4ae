"""The cuts of one numeric attribute at a node, and bounds for those that were not searched from those that were.

Left of a later cut there are more rows and right of it fewer. Of more rows no tree is better than the best for fewer,
where leaves may be of any size; and fewer rows cost at most the weight of the rows less (ConTree, arXiv 2501.07903,
section 4; under a least number of rows in a leaf only the second holds of trees that keep to it, and the first of those
that need not).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from algorithms.kernels.mixed_levels import BEST, LEFT, LIMIT, LOOSE, PART, TOTAL
from algorithms.kernels.mixed_rows import CLASS_MASK, RANK_SHIFT, ROW_BITS, ROW_MASK

__all__ = ["bound_cuts", "cuts_of_list", "next_cut", "words_of_cuts", "write_lows"]


@njit(inline="always")
def words_of_cuts(rows, width):
    """How many words the cuts of so many rows take, with bounds for `width` numbers of splits."""
    return rows * (7 + 2 * width) + 8


@njit(nogil=True, cache=True, error_model="numpy")
def cuts_of_list(arena, at, begin, n_rows, rows, rule, width, count):
    """Write the cuts that leave rows enough on both sides from arena[at] on: how many they are.

    Row t of the table is: place in the list, rank before it, weight before it, least cost left (width,), right (width,).
    count: weight of each class, and room, as in Room.
    """
    classes = rule.classes
    for c in range(classes):
        count[LEFT, c] = 0
    weight, all_weight, most = np.int64(0), np.int64(0), np.int64(0)
    for c in range(classes):
        all_weight += count[TOTAL, c]
    forced, all_forced = np.int64(0), np.int64(0)
    in_left, all_rows = np.int64(0), np.int64(0)
    for i in range(begin, begin + n_rows):
        row = arena[i] & ROW_MASK
        all_forced += rows.forced[row]
        all_rows += rows.count[row]
    step = 3 + 2 * width
    n_cuts = 0
    before = arena[begin] >> RANK_SHIFT
    for i in range(begin, begin + n_rows):
        word = arena[i]
        rank = word >> RANK_SHIFT
        if rank != before:
            if in_left >= rule.least and all_rows - in_left >= rule.least:
                most_right = np.int64(0)
                for c in range(classes):
                    most_right = max(most_right, count[TOTAL, c] - count[LEFT, c])
                cell = at + n_cuts * step
                arena[cell], arena[cell + 1], arena[cell + 2] = i - begin, before, weight
                write_lows(arena, cell + 3, width, rule, weight - most, forced)
                right = all_weight - weight
                write_lows(arena, cell + 3 + width, width, rule, right - most_right, all_forced - forced)
                n_cuts += 1
            before = rank
        row = word & ROW_MASK
        c = (word >> ROW_BITS) & CLASS_MASK
        count[LEFT, c] += rows.weight[row]
        most = max(most, count[LEFT, c])
        weight += rows.weight[row]
        forced += rows.forced[row]
        in_left += rows.count[row]
    return n_cuts


@njit(inline="always")
def write_lows(arena, at, width, rule, leaf, forced):
    """Write what rows cost at least, from what they cost in one leaf and what no tree avoids."""
    if rule.budgeted:
        arena[at] = leaf
        for splits in range(1, width):
            arena[at + splits] = min(leaf, rule.price + forced)
    else:
        arena[at] = min(leaf, rule.price + forced)


@njit(nogil=True, cache=True, error_model="numpy")
def _promising(arena, left, width, rule, levels, level):
    """Whether two parts that cost at least what stands at `left`, and behind it, may make a better tree."""
    best, limit, price = levels.cost[level, BEST], levels.cost[level, LIMIT], rule.price
    if not rule.budgeted:
        return price + arena[left] + arena[left + 1] < min(best[0], limit[0])
    top = levels.node[level].width
    for a in range(width):
        for b in range(min(width, top - 1 - a)):
            if price + arena[left + a] + arena[left + width + b] < min(best[a + b + 1], limit[a + b + 1]):
                return True
    return False


@njit(nogil=True, cache=True, error_model="numpy")
def bound_cuts(arena, node, width, rule, cost):
    """Raise the bounds of the cuts of the run in hand by what was found of its cut in hand: PART and LOOSE of `cost`."""
    step, cut = 3 + 2 * width, node.cut
    here = arena[node.table + cut * step + 2]
    for side in range(2):
        place = node.table + cut * step + 3 + side * width
        for s in range(width):
            arena[place + s] = max(arena[place + s], cost[PART + side, s])
    for t in range(node.first, node.last + 1):
        if t == cut:
            continue
        cell = node.table + t * step
        grown = 0 if t > cut else 1
        place = cell + 3 + grown * width
        for s in range(width):
            arena[place + s] = max(arena[place + s], cost[LOOSE + grown, s])
        if rule.sheds:
            moved = abs(arena[cell + 2] - here)
            place = cell + 3 + (1 - grown) * width
            for s in range(width):
                arena[place + s] = max(arena[place + s], cost[PART + 1 - grown, s] - moved)


@njit(nogil=True, cache=True, error_model="numpy")
def next_cut(arena, at, width, first, last, rule, levels, level):
    """(first, middle, last) promising cut of those from `first` to `last`; the middle is -1 where there is none."""
    step = 3 + 2 * width
    left = at + 3
    while first <= last and not _promising(arena, left + first * step, width, rule, levels, level):
        first += 1
    while first < last and not _promising(arena, left + last * step, width, rule, levels, level):
        last -= 1
    if first > last:
        return first, np.int64(-1), last
    middle = (first + last) // 2
    while not _promising(arena, left + middle * step, width, rule, levels, level):
        middle += 1
    return first, middle, last
