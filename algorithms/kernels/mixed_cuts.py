"""The cuts of one numeric attribute at a node, and bounds for those that were not searched from those that were.

Left of a later cut there are more rows and right of it fewer. Of more rows no tree is better than the best for fewer,
where leaves may be of any size; and fewer rows cost at most the weight of the rows less (ConTree, arXiv 2501.07903,
section 4; under a least number of rows in a leaf only the second holds of trees that keep to it, and the first of those
that need not).
"""

from __future__ import annotations


import numpy as np
from numba import njit

from algorithms.kernels.mixed_rows import RANK_SHIFT, ROW_MASK, CLASS_MASK, ROW_BITS

__all__ = ["bound_cuts", "cuts_of_list", "next_cut", "promising", "words_of_cuts", "write_lows"]



@njit(inline="always")
def words_of_cuts(rows, width):
    """How many words the cuts of so many rows take, with bounds for `width` numbers of splits."""
    return rows * (7 + 2 * width) + 8


@njit(nogil=True, cache=True)
def cuts_of_list(arena, at, begin, n_rows, rows, rule, width, total, left):
    """Write the cuts that leave rows enough on both sides from arena[at] on: how many they are.

    Row t of the table is: place in the list, rank before it, weight before it, least cost left (width,), right (width,).
    total, left (classes,): weight of each class; room.
    """
    classes = rule.classes
    left[:] = 0
    weight, all_weight, most = np.int64(0), np.int64(0), np.int64(0)
    for c in range(classes):
        all_weight += total[c]
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
                    most_right = max(most_right, total[c] - left[c])
                cell = at + n_cuts * step
                arena[cell], arena[cell + 1], arena[cell + 2] = i - begin, before, weight
                write_lows(arena, cell + 3, width, rule, weight - most, forced)
                right = all_weight - weight
                write_lows(arena, cell + 3 + width, width, rule, right - most_right, all_forced - forced)
                n_cuts += 1
            before = rank
        row = word & ROW_MASK
        c = (word >> ROW_BITS) & CLASS_MASK
        left[c] += rows.weight[row]
        most = max(most, left[c])
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


@njit(nogil=True, cache=True)
def promising(arena, left, right, width, rule, price, best, limit, top):
    """Whether two parts that cost at least arena[left] and arena[right] may make a better tree than there is.

    best, limit (top,): the least cost so far, and what is of no use any more
    """
    if not rule.budgeted:
        return price + arena[left] + arena[right] < min(best[0], limit[0])
    for a in range(width):
        for b in range(width):
            s = a + b + 1
            if s < top and price + arena[left + a] + arena[right + b] < min(best[s], limit[s]):
                return True
    return False


@njit(nogil=True, cache=True)
def bound_cuts(arena, at, width, first, last, cut, rule, low, loose):
    """Raise the bounds of the cuts from `first` to `last` by what was found of one of them.

    low, loose (2, width): least costs left and right of it; the same where leaves may be of any size
    """
    step = 3 + 2 * width
    here = arena[at + cut * step + 2]
    for side in range(2):
        offset = 3 + side * width
        for s in range(width):
            cell = at + cut * step + offset + s
            arena[cell] = max(arena[cell], low[side, s])
    for t in range(first, last + 1):
        if t == cut:
            continue
        cell = at + t * step
        grown, shrunk = (0, 1) if t > cut else (1, 0)
        for s in range(width):
            place = cell + 3 + grown * width + s
            arena[place] = max(arena[place], loose[grown, s])
        if rule.sheds:
            moved = abs(arena[cell + 2] - here)
            for s in range(width):
                place = cell + 3 + shrunk * width + s
                arena[place] = max(arena[place], low[shrunk, s] - moved)


@njit(nogil=True, cache=True)
def next_cut(arena, at, width, first, last, rule, best, limit, top):
    """(first, middle, last) promising cut of those from `first` to `last`; the middle is -1 where there is none."""
    step = 3 + 2 * width
    price = rule.price
    while first <= last:
        left = at + first * step + 3
        if promising(arena, left, left + width, width, rule, price, best, limit, top):
            break
        first += 1
    while first <= last:
        left = at + last * step + 3
        if promising(arena, left, left + width, width, rule, price, best, limit, top):
            break
        last -= 1
    if first > last:
        return first, -1, last
    middle = (first + last) // 2
    while True:
        left = at + middle * step + 3
        if promising(arena, left, left + width, width, rule, price, best, limit, top):
            return first, middle, last
        middle += 1
