"""The splits of a node of the search over mixed attributes, one after another, and what is taken of them."""

from __future__ import annotations

import numpy as np
from numba import njit

from algorithms.kernels.mixed_cuts import cuts_of_list, next_cut
from algorithms.kernels.mixed_levels import BEST, LOOSE, PART, SIZE, SOLVED, SPLIT_BITS, TOTAL, WORK, Phase, width_of
from algorithms.kernels.mixed_nodes import done, take, take_fewer
from algorithms.kernels.mixed_rows import CLASS_MASK, CUTS, RANK_SHIFT, ROW_BITS, ROW_MASK
from algorithms.kernels.mixed_stumps import ALL_CODES, clear_sides, close_sides, price_of

__all__ = [
    "lay_sides",
    "next_attribute",
    "next_cut_of_node",
    "next_parting",
    "offer",
    "push_runs",
    "take_stump",
    "take_stumps",
]


@njit(nogil=True, cache=True, error_model="numpy")
def next_attribute(rows, rule, arena, levels, level, room):
    """Go to the next attribute of a node: the phase that follows."""
    node = levels.node[level]
    node.place += 1
    if node.place >= node.n_lists or done(levels, level):
        return Phase.KEEP
    at = node.lists + 2 * node.place
    attribute, begin, n_rows = arena[at], arena[at + 1], node.rows
    for c in range(rule.classes):
        room.count[TOTAL, c] = 0
    for i in range(begin, begin + n_rows):
        room.count[TOTAL, (arena[i] >> ROW_BITS) & CLASS_MASK] += rows.weight[arena[i] & ROW_MASK]
    node.table = node.room
    if rows.kind[attribute] == CUTS:
        width = width_of(rule, node.depth - 1, n_rows)
        node.n_cuts = cuts_of_list(arena, node.table, begin, n_rows, rows, rule, width, room.count)
        room.state[WORK] += n_rows
        queue = node.table + node.n_cuts * (3 + 2 * width)
        node.queue, node.head, node.tail = queue, 0, 1
        arena[queue], arena[queue + 1] = 0, node.n_cuts - 1
        node.children = queue + 2 * (2 * node.n_cuts + 2)
        return Phase.NEXT_CUT
    codes = np.int64(0)
    before = np.int64(-1)
    for i in range(begin, begin + n_rows):
        rank = arena[i] >> RANK_SHIFT
        if rank != before:
            arena[node.table + codes] = rank
            codes += 1
            before = rank
    node.n_cuts = codes
    node.cut = -1
    node.children = node.table + codes
    return Phase.NEXT_PARTING


@njit(nogil=True, cache=True, error_model="numpy")
def next_cut_of_node(rule, arena, levels, level, room):
    """Go to the next cut of an attribute: the phase that follows."""
    node = levels.node[level]
    width = width_of(rule, node.depth - 1, node.rows)
    table, queue = node.table, node.queue
    while node.head < node.tail:
        at = queue + 2 * node.head
        node.head += 1
        first, middle, last = next_cut(arena, table, width, arena[at], arena[at + 1], rule, levels, level)
        room.state[WORK] += 1
        if middle < 0:
            continue
        node.first, node.cut, node.last = first, middle, last
        cell = table + middle * (3 + 2 * width)
        node.split = arena[cell + 1]
        node.price = rule.price
        at = node.lists + 2 * node.place
        begin, n_rows = arena[at + 1], node.rows
        for i in range(begin, begin + n_rows):
            room.group[arena[i] & ROW_MASK] = 0 if i < begin + arena[cell] else 1
        if node.depth > 2:
            node.n_children = 2
            return Phase.PART
        return Phase.STUMPS
    return Phase.NEXT_ATTRIBUTE


@njit(nogil=True, cache=True, error_model="numpy")
def push_runs(arena, levels, level):
    """Put the runs before and after the cut in hand at the end of the queue."""
    node = levels.node[level]
    for first, last in ((node.first, node.cut - 1), (node.cut + 1, node.last)):
        if first <= last:
            at = node.queue + 2 * node.tail
            arena[at], arena[at + 1] = first, last
            node.tail += 1


@njit(nogil=True, cache=True, error_model="numpy")
def next_parting(rows, rule, arena, levels, level, room):
    """Go to the next parting of a nominal attribute's codes: the phase that follows."""
    node = levels.node[level]
    node.cut += 1
    candidate, codes = node.cut, node.n_cuts
    if candidate > 0 and (not rule.subsets or codes < 3 or candidate >= 1 << (codes - 1)):
        return Phase.NEXT_ATTRIBUTE
    if candidate > 0 and done(levels, level):
        return Phase.NEXT_ATTRIBUTE
    at = node.lists + 2 * node.place
    begin, n_rows, table = arena[at + 1], node.rows, node.table
    groups = codes if candidate == 0 else 2
    for group in range(groups):
        room.part[SIZE, group] = 0  # rows here, each as often as it stands for
    code, before = np.int64(-1), np.int64(-1)
    for i in range(begin, begin + n_rows):
        rank = arena[i] >> RANK_SHIFT
        if rank != before:
            code += 1
            before = rank
        row = arena[i] & ROW_MASK
        group = code if candidate == 0 else np.int64(1 - (candidate >> code & 1))
        room.group[row] = group
        room.part[SIZE, group] += rows.count[row]
    room.state[WORK] += n_rows
    for group in range(groups):
        if room.part[SIZE, group] < rule.least:
            return Phase.NEXT_PARTING
    node.split, node.price = ALL_CODES, price_of(rule, groups)
    if candidate > 0:
        mask = np.int64(0)
        for code in range(codes):
            if candidate >> code & 1:
                mask |= np.int64(1) << arena[table + code]
        node.split, node.price = mask, rule.price
    if groups == 2 and node.depth == 2:
        return Phase.STUMPS
    node.n_children = groups
    return Phase.PART


@njit(nogil=True, cache=True, error_model="numpy")
def offer(levels, level, arena):
    """Take the split in hand, whose parts are solved."""
    node = levels.node[level]
    width, solved = node.width, levels.cost[level, SOLVED]
    attribute = arena[node.lists + 2 * node.place]
    choice = (attribute << SPLIT_BITS) | node.split
    if width == 1:
        take(levels, level, 0, node.price + solved[0], choice)
        return
    for s in range(1, width):
        take(levels, level, s, node.price + solved[s - 1], choice)
    take_fewer(levels, level)


@njit(nogil=True, cache=True, error_model="numpy")
def lay_sides(rows, rule, arena, levels, level, sides, room, by_group):
    """Lay the rows of a node out as two sides, by `room.group`; or all on the first."""
    node = levels.node[level]
    classes, n_rows, base = rule.classes, node.rows, node.base
    clear_sides(sides)
    forced_0, forced_1 = np.int64(0), np.int64(0)
    for i in range(base, base + n_rows):
        row = arena[i] & ROW_MASK
        s = room.group[row] if by_group else 0
        slot = s * classes + ((arena[i] >> ROW_BITS) & CLASS_MASK)
        sides.slot[row] = slot
        sides.count[TOTAL, slot] += rows.weight[row]
        sides.side[s].rows += rows.count[row]
        if s == 0:
            forced_0 += rows.forced[row]
        else:
            forced_1 += rows.forced[row]
    close_sides(sides, classes, rule.price + forced_0, rule.price + forced_1)
    room.state[WORK] += n_rows * node.n_lists


@njit(nogil=True, cache=True, error_model="numpy")
def take_stump(rule, levels, level, sides):
    """Take the best single split of a node: the phase that follows."""
    node, side = levels.node[level], sides.side[0]
    if side.attribute >= 0 and (node.width > 1 or not rule.budgeted):
        take(levels, level, min(1, node.width - 1), side.cost, (side.attribute << SPLIT_BITS) | side.split)
        take_fewer(levels, level)
    if node.depth > 1:
        return Phase.NEXT_ATTRIBUTE
    node.lowest = levels.cost[level, BEST, node.width - 1]
    return Phase.LEAVE


@njit(nogil=True, cache=True, error_model="numpy")
def take_stumps(rule, arena, levels, level, sides, room):
    """Take the split in hand of a node with two levels left, both sides of which are solved."""
    node, left, right = levels.node[level], sides.side[0], sides.side[1]
    choice = (arena[node.lists + 2 * node.place] << SPLIT_BITS) | node.split
    most = 1 if rule.budgeted else 0
    for s in range(2):
        side = sides.side[s]
        room.cost[PART + s, 0], room.cost[LOOSE + s, 0] = side.leaf, side.leaf
        room.cost[PART + s, most], room.cost[LOOSE + s, most] = side.cost, side.loose
    if not rule.budgeted:
        take(levels, level, 0, node.price + left.cost + right.cost, choice)
        return
    for a in range(2):
        for b in range(2):
            if a + b + 1 < node.width:
                cost = node.price + (left.cost if a else left.leaf) + (right.cost if b else right.leaf)
                take(levels, level, a + b + 1, cost, choice)
    take_fewer(levels, level)
