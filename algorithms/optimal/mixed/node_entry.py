"""A node of the search over mixed attributes: what is seen of it at first, and what is kept of it in the end."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.optimal.mixed.class_bounds import raise_lows
from algorithms.optimal.mixed.found import FOUND_CHOICE, FOUND_HIGH, FOUND_LOW, find, put
from algorithms.optimal.mixed.node_levels import (
    BEST,
    CHOICE,
    HIGH,
    LEFT,
    LIMIT,
    LOW,
    LOWEST,
    NO_CHOICE,
    TOTAL,
    WORK,
    Phase,
    width_of,
)
from algorithms.optimal.mixed.packed_rows import CLASS_MASK, CUTS, RANK_SHIFT, ROW_BITS, ROW_MASK

__all__ = ["NONE", "done", "enter", "keep", "leave", "may_sweep", "reach_of", "take", "take_fewer"]

NONE = np.int64(0)
"""Splits told apart where they are not counted; a plain 0 would be a type of its own, compiled for once more."""

DEPTH_KEY = np.uint64(0xD1B5_4A32_D192_ED03)
LEAST_KEY = np.uint64(0x8CB9_2BA7_2F3D_8DD7)


@inner
def done(levels, level):
    """Whether nothing that would be of use is left to be found."""
    node = levels.node[level]
    for s in range(node.width):
        low = node.leaf if node.width > 1 and s == 0 else node.lowest
        if min(levels.cost[level, BEST, s], levels.cost[level, LIMIT, s]) > max(low, levels.cost[level, LOW, s]):
            return False
    return True


@inner
def take(levels, level, splits, cost, choice):
    """Take a tree with so many splits, where it is better than the one that was found."""
    if cost < levels.cost[level, BEST, splits]:
        levels.cost[level, BEST, splits] = cost
        levels.cost[level, CHOICE, splits] = choice


@inner
def take_fewer(levels, level):
    """A tree with fewer splits serves where more are allowed."""
    node = levels.node[level]
    best, choice = levels.cost[level, BEST], levels.cost[level, CHOICE]
    for s in range(1, node.width):
        if best[s - 1] <= best[s]:
            best[s], choice[s] = best[s - 1], choice[s - 1]


@inner
def _impurity(arena, begin, n_rows, rows, count, cuts):
    """The least sum of weighted Gini impurities of a cut of one attribute, or of a branch per code."""
    classes = count.shape[1]
    weight, all_weight = 0.0, 0.0
    for c in range(classes):
        count[LEFT, c] = 0
        all_weight += count[TOTAL, c]
    best, codes = np.inf, 0.0
    before = arena[begin] >> RANK_SHIFT
    for i in range(begin, begin + n_rows + 1):
        rank = arena[i] >> RANK_SHIFT if i < begin + n_rows else np.int64(-1)
        if rank != before:
            squares_left, squares_right = 0.0, 0.0
            for c in range(classes):
                inside, outside = float(count[LEFT, c]), float(count[TOTAL, c] - count[LEFT, c])
                squares_left += inside * inside
                squares_right += outside * outside
            if cuts and rank >= 0:
                rest = all_weight - weight
                best = min(best, all_weight - (squares_left * rest + squares_right * weight) / (weight * rest))
            elif not cuts:
                codes += weight - squares_left / weight
                for c in range(classes):
                    count[LEFT, c] = 0
                weight = 0.0
            before = rank
        if rank >= 0:
            row = arena[i] & ROW_MASK
            count[LEFT, (arena[i] >> ROW_BITS) & CLASS_MASK] += rows.weight[row]
            weight += rows.weight[row]
    return best if cuts else codes


@inner
def order_lists(arena, lists, n_lists, n_rows, rows, kind, room):
    """Sort the table of lists at `lists` by impurity, then by attribute; room.count has the weight of each class."""
    score = room.score
    for k in range(n_lists):
        attribute, begin = arena[lists + 2 * k], arena[lists + 2 * k + 1]
        cuts = kind is None or kind[attribute] == CUTS
        value = _impurity(arena, begin, n_rows, rows, room.count, cuts)
        at = k
        while at > 0 and (score[at - 1] > value or (score[at - 1] == value and arena[lists + 2 * at - 2] > attribute)):
            arena[lists + 2 * at] = arena[lists + 2 * at - 2]
            arena[lists + 2 * at + 1] = arena[lists + 2 * at - 1]
            score[at] = score[at - 1]
            at -= 1
        arena[lists + 2 * at], arena[lists + 2 * at + 1], score[at] = attribute, begin, value


@inner
def reach_of(rule, levels, level):
    """The greatest depth of a tree that may be of use, for each level costs a split."""
    node = levels.node[level]
    if rule.price == 0 or rule.budgeted:
        return node.depth
    useful = min(levels.cost[level, BEST, 0], levels.cost[level, LIMIT, 0])
    return min(node.depth, (useful - node.forced - 1) // rule.price)


@inner
def may_sweep(rule, node):
    """Whether many cuts of a node with two levels left are solved at once."""
    return rule.lanes > 0 and (node.least == 1 or rule.row > 0)


@inner
def enter(rows, kind, rule, arena, levels, level, found, room, look):
    """Look at a node for the first time: the phase that follows.

    Where all its cuts are swept, and it is not just looked at, no single split is sought before.
    """
    node = levels.node[level]
    n_rows, base, classes, count = node.rows, node.base, rule.classes, room.count
    for c in range(classes):
        count[TOTAL, c] = 0
    forced, number = np.int64(0), np.int64(0)
    key_0, key_1 = np.uint64(0), np.uint64(0)
    for i in range(base, base + n_rows):
        row = arena[i] & ROW_MASK
        count[TOTAL, (arena[i] >> ROW_BITS) & CLASS_MASK] += rows.weight[row]
        forced += rows.forced[row]
        number += rows.count[row]
        key_0 ^= rows.key[row, 0]
        key_1 ^= rows.key[row, 1]
    leaf, most = np.int64(0), np.int64(0)
    for c in range(classes):
        leaf += count[TOTAL, c]
        most = max(most, count[TOTAL, c])
    leaf -= most
    node.leaf, node.forced = leaf, forced
    laid, lists = node.laid, node.lists
    n_lists = np.int64(0)
    for k in range(node.n_laid):
        begin = base + k * n_rows
        if arena[begin] >> RANK_SHIFT != arena[begin + n_rows - 1] >> RANK_SHIFT:
            arena[lists + 2 * n_lists] = arena[laid + 2 * k]
            arena[lists + 2 * n_lists + 1] = begin
            n_lists += 1
    node.n_lists = n_lists
    node.place = -1
    node.totals = lists + 2 * n_lists
    for c in range(classes):
        arena[node.totals + c] = count[TOTAL, c]
    node.room = node.totals + classes
    node.number = number
    leaves = min(n_rows, number // node.least)
    depth = min(node.depth, leaves - 1)
    if rule.price > 0 and leaf > forced:  # a level more is a split more
        depth = min(depth, (leaf - forced - 1) // rule.price)
    node.depth = depth
    width = width_of(rule, depth, max(1, leaves))
    node.width = width
    node.lowest = min(leaf, rule.price + forced)
    for s in range(width):
        levels.cost[level, BEST, s] = leaf
        levels.cost[level, CHOICE, s] = NO_CHOICE
    if depth <= 0 or n_lists == 0 or leaf <= rule.price + forced:
        node.lowest = leaf
        return Phase.LEAVE
    for c in range(classes):
        count[LEFT, c] = 0
    raise_lows(levels.cost[level, LOW], 0, 1, width, rule, node.least, number, count, 1)
    if done(levels, level):
        return Phase.LEAVE
    if depth > 1:
        node.key_0 = key_0 ^ (np.uint64(depth) * DEPTH_KEY)
        node.key_1 = key_1 + np.uint64(depth) + np.uint64(node.least) * LEAST_KEY
        slot = find(found, node.key_0, node.key_1)
        if found.key[slot, 0] != 0 or found.key[slot, 1] != 0:
            for s in range(width):
                levels.cost[level, LOW, s] = max(levels.cost[level, LOW, s], found.cost[slot, FOUND_LOW, s])
                levels.cost[level, BEST, s] = found.cost[slot, FOUND_HIGH, s]
                levels.cost[level, CHOICE, s] = found.cost[slot, FOUND_CHOICE, s]
            if done(levels, level):
                return Phase.LEAVE
        node.reach = reach_of(rule, levels, level)
        if node.reach == 2 and may_sweep(rule, node) and not rule.budgeted and not look:
            return Phase.NEXT_ATTRIBUTE
        if node.reach > 1:
            order_lists(arena, lists, n_lists, n_rows, rows, kind, room)
            room.state[WORK] += n_rows * n_lists
    return Phase.STUMP


@inner
def leave(levels, level, room):
    """Write what the node costs at least and at most."""
    node = levels.node[level]
    width = node.width
    for s in range(width):
        best = levels.cost[level, BEST, s]
        low = node.leaf if width > 1 and s == 0 else node.lowest
        low = max(low, levels.cost[level, LOW, s], min(best, levels.cost[level, LIMIT, s]))
        room.cost[LOWEST, s], room.cost[HIGH, s] = min(low, best), best


@inner
def keep(levels, level, found, room):
    """Keep what the node costs, if there is room."""
    node = levels.node[level]
    key_0, key_1 = node.key_0, node.key_1
    slot = find(found, key_0, key_1)
    if not put(found, slot, key_0, key_1):
        return
    for s in range(node.width):
        found.cost[slot, FOUND_LOW, s] = max(found.cost[slot, FOUND_LOW, s], room.cost[LOWEST, s])
        if room.cost[HIGH, s] < found.cost[slot, FOUND_HIGH, s]:
            found.cost[slot, FOUND_HIGH, s] = room.cost[HIGH, s]
            found.cost[slot, FOUND_CHOICE, s] = levels.cost[level, CHOICE, s]
