"""Depth-first search with bounds for the best tree over mixed attributes, which can be stopped and gone on with.

A choice is attribute << 32 | split, where a split is the rank that ends the first branch of a cut, ALL_CODES, or a set
of codes as bits; NO_CHOICE is a leaf. The unit of work is a row looked at in the list of one attribute.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from algorithms.kernels.mixed_cuts import bound_cuts, cuts_of_list, next_cut, words_of_cuts
from algorithms.kernels.mixed_found import find, put
from algorithms.kernels.mixed_levels import Ended, Phase, width_of
from algorithms.kernels.mixed_parts import enter_child, limit_child, part_rows, take_child, write_found
from algorithms.kernels.mixed_rows import CLASS_MASK, CUTS, RANK_SHIFT, ROW_BITS, ROW_MASK
from algorithms.kernels.mixed_stumps import ALL_CODES, best_stumps, clear_sides, close_sides, price_of

__all__ = ["NO_CHOICE", "SPLIT_BITS", "Room", "look", "search"]

NO_CHOICE = -1
SPLIT_BITS = 32
DEPTH_KEY = np.uint64(0xD1B5_4A32_D192_ED03)


class Room(NamedTuple):
    """Room to work in, and what a node returns to the one above.

    state (4,)            : level in hand; work done; words of the arena that are wanted; whether more may be kept
    low, high (width,)    : what the node last left costs at least and at most
    part (2, width), loose (2, width) : least costs of two parts; the same where leaves may be of any size
    costs, other (width,) : room
    total, left (classes,), group (rows,), score (attributes,)
    tally (codes, classes + 2), first, size, base (codes,) : room for the parts of a node
    """

    state: Any
    low: Any
    high: Any
    part: Any
    loose: Any
    costs: Any
    other: Any
    total: Any
    left: Any
    group: Any
    score: Any
    tally: Any
    first: Any
    size: Any
    base: Any


@njit(nogil=True, cache=True)
def _impurity(arena, begin, n_rows, rows, total, left, cuts):
    """The least sum of weighted Gini impurities of a cut of one attribute, or of a branch per code."""
    classes = len(total)
    left[:] = 0
    weight, all_weight = 0.0, 0.0
    for c in range(classes):
        all_weight += total[c]
    best, codes = np.inf, 0.0
    before = arena[begin] >> RANK_SHIFT
    for i in range(begin, begin + n_rows + 1):
        rank = arena[i] >> RANK_SHIFT if i < begin + n_rows else np.int64(-1)
        if rank != before:
            squares_left, squares_right = 0.0, 0.0
            for c in range(classes):
                inside, outside = float(left[c]), float(total[c] - left[c])
                squares_left += inside * inside
                squares_right += outside * outside
            if cuts:
                if rank >= 0:
                    best = min(best, all_weight - squares_left / weight - squares_right / (all_weight - weight))
            else:
                codes += weight - squares_left / weight
                left[:] = 0
                weight = 0.0
            before = rank
        if rank >= 0:
            row = arena[i] & ROW_MASK
            left[(arena[i] >> ROW_BITS) & CLASS_MASK] += rows.weight[row]
            weight += rows.weight[row]
    return best if cuts else codes


@njit(nogil=True, cache=True)
def _order_lists(arena, lists, n_rows, rows, room):
    """Sort the table of lists by impurity, then by attribute."""
    n_lists = len(lists)
    score = room.score
    for k in range(n_lists):
        cuts = rows.kind[lists[k, 0]] == CUTS
        score[k] = _impurity(arena, lists[k, 1], n_rows, rows, room.total, room.left, cuts)
    for k in range(1, n_lists):
        attribute, begin, value = lists[k, 0], lists[k, 1], score[k]
        at = k
        while at > 0 and (score[at - 1] > value or (score[at - 1] == value and lists[at - 1, 0] > attribute)):
            lists[at, 0], lists[at, 1], score[at] = lists[at - 1, 0], lists[at - 1, 1], score[at - 1]
            at -= 1
        lists[at, 0], lists[at, 1], score[at] = attribute, begin, value


@njit(nogil=True, cache=True)
def _take(levels, level, splits, cost, choice):
    """Take a tree with so many splits, where it is better than the one that was found."""
    if cost < levels.best[level, splits]:
        levels.best[level, splits] = cost
        levels.choice[level, splits] = choice


@njit(nogil=True, cache=True)
def _take_fewer(levels, level):
    """A tree with fewer splits serves where more are allowed."""
    best, choice = levels.best[level], levels.choice[level]
    for s in range(1, levels.width[level]):
        if best[s - 1] <= best[s]:
            best[s], choice[s] = best[s - 1], choice[s - 1]


@njit(nogil=True, cache=True)
def _done(levels, level):
    """Whether nothing that would be of use is left to be found."""
    for s in range(levels.width[level]):
        low = levels.leaf[level] if levels.width[level] > 1 and s == 0 else levels.lowest[level]
        if min(levels.best[level, s], levels.limit[level, s]) > max(low, levels.low[level, s]):
            return False
    return True


@njit(nogil=True, cache=True)
def _enter(rows, rule, arena, levels, level, found, sides, room):
    """Look at a node for the first time: the phase that follows."""
    n_rows, base, classes = levels.rows[level], levels.base[level], rule.classes
    total = room.total
    total[:] = 0
    forced, count = np.int64(0), np.int64(0)
    key_0, key_1 = np.uint64(0), np.uint64(0)
    for i in range(base, base + n_rows):
        row = arena[i] & ROW_MASK
        total[(arena[i] >> ROW_BITS) & CLASS_MASK] += rows.weight[row]
        forced += rows.forced[row]
        count += rows.count[row]
        key_0 ^= rows.key[row, 0]
        key_1 ^= rows.key[row, 1]
    leaf = total.sum() - total.max()
    levels.leaf[level], levels.forced[level] = leaf, forced
    laid, lists = levels.laid[level], levels.lists[level]
    n_lists = 0
    for k in range(levels.n_laid[level]):
        begin = base + k * n_rows
        if arena[begin] >> RANK_SHIFT != arena[begin + n_rows - 1] >> RANK_SHIFT:
            arena[lists + 2 * n_lists] = arena[laid + 2 * k]
            arena[lists + 2 * n_lists + 1] = begin
            n_lists += 1
    levels.n_lists[level] = n_lists
    depth = min(levels.depth[level], n_rows - 1)
    if rule.price > 0 and leaf > forced:  # a level more is a split more
        depth = min(depth, (leaf - forced - 1) // rule.price)
    levels.depth[level] = depth
    width = width_of(rule, depth, n_rows)
    levels.width[level] = width
    levels.lowest[level] = min(leaf, rule.price + forced)
    levels.best[level, :width] = leaf
    levels.choice[level, :width] = NO_CHOICE
    levels.low[level, :width] = 0
    if depth <= 0 or n_lists == 0 or count < 2 * rule.least or leaf <= rule.price + forced:
        levels.lowest[level] = leaf
        return Phase.LEAVE
    if _done(levels, level):
        return Phase.LEAVE
    table = arena[lists : lists + 2 * n_lists].reshape(n_lists, 2)
    if depth > 1:
        levels.key[level, 0] = key_0 ^ (np.uint64(depth) * DEPTH_KEY)
        levels.key[level, 1] = key_1 + np.uint64(depth)
        slot = find(found, levels.key[level, 0], levels.key[level, 1])
        if found.key[slot, 0] != 0 or found.key[slot, 1] != 0:
            levels.low[level, :width] = found.low[slot, :width]
            levels.best[level, :width] = found.high[slot, :width]
            levels.choice[level, :width] = found.choice[slot, :width]
            if _done(levels, level):
                return Phase.LEAVE
        _order_lists(arena, table, n_rows, rows, room)
        room.state[1] += n_rows * n_lists
    clear_sides(sides)
    for i in range(base, base + n_rows):
        sides.slot[arena[i] & ROW_MASK] = (arena[i] >> ROW_BITS) & CLASS_MASK
    sides.total[:classes] = total
    sides.rows[0] = count
    close_sides(sides, classes, rule.price + forced, 0)
    best_stumps(rows, rule, arena, table, n_lists, n_rows, sides)
    room.state[1] += n_rows * n_lists
    if sides.attribute[0] >= 0 and rule.width > (1 if rule.budgeted else 0):
        choice = (sides.attribute[0] << SPLIT_BITS) | sides.split[0]
        _take(levels, level, min(1, width - 1), sides.cost[0], choice)
        _take_fewer(levels, level)
    if depth == 1:
        levels.lowest[level] = levels.best[level, width - 1]
        return Phase.LEAVE
    levels.place[level] = -1
    levels.room[level] = lists + 2 * n_lists
    return Phase.NEXT_ATTRIBUTE


@njit(nogil=True, cache=True)
def _next_attribute(rows, rule, arena, levels, level, room):
    """Go to the next attribute of a node: the phase that follows."""
    levels.place[level] += 1
    if levels.place[level] >= levels.n_lists[level] or _done(levels, level):
        return Phase.KEEP
    at = levels.lists[level] + 2 * levels.place[level]
    attribute, begin, n_rows = arena[at], arena[at + 1], levels.rows[level]
    total = room.total
    total[:] = 0
    for i in range(begin, begin + n_rows):
        total[(arena[i] >> ROW_BITS) & CLASS_MASK] += rows.weight[arena[i] & ROW_MASK]
    levels.table[level] = levels.room[level]
    if rows.kind[attribute] == CUTS:
        width = width_of(rule, levels.depth[level] - 1, n_rows)
        levels.n_cuts[level] = cuts_of_list(
            arena, levels.table[level], begin, n_rows, rows, rule, width, total, room.left
        )
        room.state[1] += n_rows
        queue = levels.table[level] + levels.n_cuts[level] * (3 + 2 * width)
        levels.queue[level], levels.head[level], levels.tail[level] = queue, 0, 1
        arena[queue], arena[queue + 1] = 0, levels.n_cuts[level] - 1
        levels.children[level] = queue + 2 * (2 * levels.n_cuts[level] + 2)
        return Phase.NEXT_CUT
    codes = np.int64(0)
    before = np.int64(-1)
    for i in range(begin, begin + n_rows):
        rank = arena[i] >> RANK_SHIFT
        if rank != before:
            arena[levels.table[level] + codes] = rank
            codes += 1
            before = rank
    levels.n_cuts[level] = codes
    levels.cut[level] = -1
    levels.children[level] = levels.table[level] + codes
    return Phase.NEXT_SET


@njit(nogil=True, cache=True)
def _next_cut(rows, rule, arena, levels, level, sides, room):
    """Go to the next cut of an attribute: the phase that follows."""
    width = width_of(rule, levels.depth[level] - 1, levels.rows[level])
    table, queue = levels.table[level], levels.queue[level]
    best, limit, top = levels.best[level], levels.limit[level], levels.width[level]
    while levels.head[level] < levels.tail[level]:
        at = queue + 2 * levels.head[level]
        levels.head[level] += 1
        first, middle, last = next_cut(arena, table, width, arena[at], arena[at + 1], rule, best, limit, top)
        room.state[1] += 1
        if middle < 0:
            continue
        levels.first[level], levels.cut[level], levels.last[level] = first, middle, last
        cell = table + middle * (3 + 2 * width)
        levels.split[level] = arena[cell + 1]
        levels.price[level] = rule.price
        at = levels.lists[level] + 2 * levels.place[level]
        begin, n_rows = arena[at + 1], levels.rows[level]
        for i in range(begin, begin + n_rows):
            room.group[arena[i] & ROW_MASK] = 0 if i < begin + arena[cell] else 1
        if levels.depth[level] > 2:
            levels.n_children[level] = 2
            return Phase.PART
        _two_stumps(rows, rule, arena, levels, level, sides, room)
        bound_cuts(arena, table, width, first, last, middle, rule, room.part, room.loose)
        _push_runs(arena, levels, level)
        return Phase.NEXT_CUT
    return Phase.NEXT_ATTRIBUTE


@njit(nogil=True, cache=True)
def _push_runs(arena, levels, level):
    """Put the runs before and after the cut in hand at the end of the queue."""
    for first, last in ((levels.first[level], levels.cut[level] - 1), (levels.cut[level] + 1, levels.last[level])):
        if first <= last:
            at = levels.queue[level] + 2 * levels.tail[level]
            arena[at], arena[at + 1] = first, last
            levels.tail[level] += 1


@njit(nogil=True, cache=True)
def _two_stumps(rows, rule, arena, levels, level, sides, room):
    """Search the split into groups 0 and 1 of a node with two levels left."""
    classes, n_rows, base = rule.classes, levels.rows[level], levels.base[level]
    clear_sides(sides)
    forced_0, forced_1 = np.int64(0), np.int64(0)
    for i in range(base, base + n_rows):
        row = arena[i] & ROW_MASK
        side = room.group[row]
        slot = side * classes + ((arena[i] >> ROW_BITS) & CLASS_MASK)
        sides.slot[row] = slot
        sides.total[slot] += rows.weight[row]
        sides.rows[side] += rows.count[row]
        if side == 0:
            forced_0 += rows.forced[row]
        else:
            forced_1 += rows.forced[row]
    close_sides(sides, classes, rule.price + forced_0, rule.price + forced_1)
    lists, n_lists = levels.lists[level], levels.n_lists[level]
    best_stumps(rows, rule, arena, arena[lists : lists + 2 * n_lists].reshape(n_lists, 2), n_lists, n_rows, sides)
    room.state[1] += n_rows * n_lists
    choice = (arena[lists + 2 * levels.place[level]] << SPLIT_BITS) | levels.split[level]
    for side in range(2):
        room.part[side, 0], room.loose[side, 0] = sides.leaf[side], sides.leaf[side]
        at = 1 if rule.budgeted else 0
        if at < rule.width:
            room.part[side, at], room.loose[side, at] = sides.cost[side], sides.loose[side]
    if not rule.budgeted:
        _take(levels, level, 0, rule.price + sides.cost[0] + sides.cost[1], choice)
        return
    for a in range(2):
        for b in range(2):
            if a + b + 1 < levels.width[level]:
                cost = rule.price + (sides.cost[0] if a else sides.leaf[0]) + (sides.cost[1] if b else sides.leaf[1])
                _take(levels, level, a + b + 1, cost, choice)
    _take_fewer(levels, level)


@njit(nogil=True, cache=True)
def _next_set(rows, rule, arena, levels, level, sides, room):
    """Go to the next parting of a nominal attribute's codes: the phase that follows."""
    levels.cut[level] += 1
    candidate, codes = levels.cut[level], levels.n_cuts[level]
    if candidate > 0 and (not rule.subsets or codes < 3 or candidate >= 1 << (codes - 1)):
        return Phase.NEXT_ATTRIBUTE
    if candidate > 0 and _done(levels, level):
        return Phase.NEXT_ATTRIBUTE
    at = levels.lists[level] + 2 * levels.place[level]
    begin, n_rows, table = arena[at + 1], levels.rows[level], levels.table[level]
    groups = codes if candidate == 0 else 2
    room.size[:groups] = 0  # rows here, each as often as it stands for
    code, before = np.int64(-1), np.int64(-1)
    for i in range(begin, begin + n_rows):
        rank = arena[i] >> RANK_SHIFT
        if rank != before:
            code += 1
            before = rank
        row = arena[i] & ROW_MASK
        group = code if candidate == 0 else np.int64(1 - (candidate >> code & 1))
        room.group[row] = group
        room.size[group] += rows.count[row]
    room.state[1] += n_rows
    for group in range(groups):
        if room.size[group] < rule.least:
            return Phase.NEXT_SET
    levels.split[level], levels.price[level] = ALL_CODES, price_of(rule, groups)
    if candidate > 0:
        mask = np.int64(0)
        for code in range(codes):
            if candidate >> code & 1:
                mask |= np.int64(1) << arena[table + code]
        levels.split[level], levels.price[level] = mask, rule.price
    if groups == 2 and levels.depth[level] == 2:
        _two_stumps(rows, rule, arena, levels, level, sides, room)
        return Phase.NEXT_SET
    levels.n_children[level] = groups
    return Phase.PART


@njit(nogil=True, cache=True)
def _offer(levels, level, arena):
    """Take the split in hand, whose parts are solved."""
    width, solved = levels.width[level], levels.solved[level]
    attribute = arena[levels.lists[level] + 2 * levels.place[level]]
    choice = (attribute << SPLIT_BITS) | levels.split[level]
    if width == 1:
        _take(levels, level, 0, levels.price[level] + solved[0], choice)
        return
    for s in range(1, width):
        _take(levels, level, s, levels.price[level] + solved[s - 1], choice)
    _take_fewer(levels, level)


@njit(nogil=True, cache=True)
def _leave(levels, level, room):
    """Write what the node costs at least and at most."""
    width = levels.width[level]
    for s in range(width):
        best = levels.best[level, s]
        low = levels.leaf[level] if width > 1 and s == 0 else levels.lowest[level]
        low = max(low, levels.low[level, s], min(best, levels.limit[level, s]))
        room.low[s], room.high[s] = min(low, best), best


@njit(nogil=True, cache=True)
def _keep(levels, level, found, room):
    """Keep what the node costs, if there is room."""
    key_0, key_1 = levels.key[level, 0], levels.key[level, 1]
    slot = find(found, key_0, key_1)
    if not put(found, slot, key_0, key_1):
        return
    for s in range(levels.width[level]):
        found.low[slot, s] = max(found.low[slot, s], room.low[s])
        if room.high[s] < found.high[slot, s]:
            found.high[slot, s] = room.high[s]
            found.choice[slot, s] = levels.choice[level, s]


@njit(nogil=True, cache=True)
def _words_below(levels, level, width):
    """How far into the arena a node may write."""
    n_rows, n_lists = levels.rows[level], levels.n_laid[level]
    return levels.lists[level] + 2 * n_lists + words_of_cuts(n_rows, width) + n_rows * (4 + width) + n_rows * n_lists


@njit(nogil=True, cache=True)
def search(rows, rule, arena, levels, found, sides, room, until):
    """Search on below level 0 until all is done, or the work is `until`: why it returns."""
    level = room.state[0]
    while True:
        room.state[0] = level
        if room.state[1] >= until:
            return Ended.PAUSED
        phase = levels.phase[level]
        if phase == Phase.ENTER:
            wanted = _words_below(levels, level, rule.width)
            if wanted > len(arena):
                room.state[2] = wanted
                return Ended.ARENA
            levels.phase[level] = _enter(rows, rule, arena, levels, level, found, sides, room)
        elif phase == Phase.NEXT_ATTRIBUTE:
            levels.phase[level] = _next_attribute(rows, rule, arena, levels, level, room)
        elif phase == Phase.NEXT_CUT:
            levels.phase[level] = _next_cut(rows, rule, arena, levels, level, sides, room)
        elif phase == Phase.NEXT_SET:
            levels.phase[level] = _next_set(rows, rule, arena, levels, level, sides, room)
        elif phase == Phase.PART:
            if level + 1 == len(levels.phase):
                return Ended.LEVELS
            worth = part_rows(rows, rule, arena, levels, level, room)
            levels.phase[level] = Phase.NEXT_CHILD if worth else Phase.PARTED
        elif phase == Phase.NEXT_CHILD:
            if limit_child(rows, rule, arena, levels, level, room):
                enter_child(rule, arena, levels, level)
                levels.phase[level] = Phase.RETURNED
                level += 1
                levels.phase[level] = Phase.ENTER
            else:
                levels.phase[level] = Phase.PARTED
        elif phase == Phase.RETURNED:
            levels.phase[level] = Phase.NEXT_CHILD
            if take_child(rule, arena, levels, level, room):
                _offer(levels, level, arena)
                levels.phase[level] = Phase.PARTED
        elif phase == Phase.PARTED:
            if rows.kind[arena[levels.lists[level] + 2 * levels.place[level]]] == CUTS:
                width = width_of(rule, levels.depth[level] - 1, levels.rows[level])
                write_found(rule, arena, levels, level, room)
                first, last, cut = levels.first[level], levels.last[level], levels.cut[level]
                bound_cuts(arena, levels.table[level], width, first, last, cut, rule, room.part, room.loose)
                _push_runs(arena, levels, level)
                levels.phase[level] = Phase.NEXT_CUT
            else:
                levels.phase[level] = Phase.NEXT_SET
        elif phase == Phase.KEEP:
            if room.state[3] and 2 * found.used[0] > len(found.key):
                return Ended.FOUND
            _leave(levels, level, room)
            _keep(levels, level, found, room)
            levels.phase[level] = Phase.LEAVE
        else:
            _leave(levels, level, room)
            if level == 0:
                return Ended.DONE
            level -= 1


@njit(nogil=True, cache=True)
def look(rows, rule, arena, levels, found, sides, room):
    """Write what is known of the node of level 0, from what was found and its best single split, without a search."""
    _enter(rows, rule, arena, levels, 0, found, sides, room)
