"""The splits of a node of the search over mixed attributes, one after another, and what is taken of them."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.optimal.mixed.cut_bounds import CUT_LOWS, CUT_RANK, cuts_of_list, loosely, next_cut
from algorithms.optimal.mixed.cut_windows import lay_sweep
from algorithms.optimal.mixed.node_entry import NONE, done, may_sweep, reach_of, take, take_fewer
from algorithms.optimal.mixed.node_levels import (
    BEST,
    LOOSE,
    PART,
    SIZE,
    SOLVED,
    SPLIT_BITS,
    TOTAL,
    WORK,
    Phase,
    width_of,
)
from algorithms.optimal.mixed.packed_rows import CLASS_MASK, CUTS, RANK_SHIFT, ROW_BITS, ROW_MASK
from algorithms.optimal.mixed.stumps import ALL_CODES, clear_sides, close_sides, price_of

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


@inner
def next_attribute(rows, kind, rule, arena, levels, level, sweep, room):
    """Go to the next attribute of a node: the phase that follows."""
    node = levels.node[level]
    node.place += 1
    if node.place >= node.n_lists or done(levels, level):
        return Phase.KEEP
    at = node.lists + 2 * node.place
    attribute, begin, n_rows = arena[at], arena[at + 1], node.rows
    if sweep is not None and node.reach == 2 and may_sweep(rule, node):
        lay_sweep(rows, rule, arena, node, sweep)
        return Phase.SWEEP
    for c in range(rule.classes):
        room.count[TOTAL, c] = arena[node.totals + c]
    node.table = node.room
    if kind is None or kind[attribute] == CUTS:
        width = width_of(rule, node.depth - 1, n_rows)
        node.n_cuts = cuts_of_list(arena, node, begin, rows, rule, width, room.count)
        room.state[WORK] += n_rows
        queue = node.table + (CUT_LOWS + 4 * width) * n_rows
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


@inner
def next_cut_of_node(rule, arena, levels, level, room):
    """Go to the next cut of an attribute: the phase that follows."""
    node = levels.node[level]
    width = width_of(rule, node.depth - 1, node.rows)
    while node.head < node.tail:
        at = node.queue + 2 * node.head
        node.head += 1
        first, middle, last = next_cut(arena, node, arena[at], arena[at + 1], width, rule, levels, level)
        room.state[WORK] += 1
        if middle < 0:
            continue
        node.first, node.cut, node.last = first, middle, last
        node.split = arena[node.table + CUT_RANK * node.rows + middle]
        node.price = rule.price
        if node.reach == 2:
            return Phase.STUMPS
        begin = arena[node.lists + 2 * node.place + 1]
        for i in range(begin, begin + node.rows):
            room.group[arena[i] & ROW_MASK] = 0 if i < begin + arena[node.table + middle] else 1
        node.n_children = 2
        return Phase.PART
    return Phase.NEXT_ATTRIBUTE


@inner
def push_runs(arena, levels, level):
    """Put the runs before and after the cut in hand at the end of the queue."""
    node = levels.node[level]
    for first, last in ((node.first, node.cut - 1), (node.cut + 1, node.last)):
        if first <= last:
            at = node.queue + 2 * node.tail
            arena[at], arena[at + 1] = first, last
            node.tail += 1


@inner
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
        if room.part[SIZE, group] < node.least:
            return Phase.NEXT_PARTING
    node.split, node.price = ALL_CODES, price_of(rule, groups)
    if candidate > 0:
        mask = np.int64(0)
        for code in range(codes):
            if candidate >> code & 1:
                mask |= np.int64(1) << arena[table + code]
        node.split, node.price = mask, rule.price
    if groups == 2 and node.reach == 2:
        return Phase.STUMPS
    node.n_children = groups
    return Phase.PART


@inner
def offer(levels, level, arena):
    """Take the split in hand, whose parts are solved."""
    node = levels.node[level]
    width, solved = node.width, levels.cost[level, SOLVED]
    attribute = arena[node.lists + 2 * node.place]
    choice = (attribute << SPLIT_BITS) | node.split
    if width == 1:
        take(levels, level, NONE, node.price + solved[0], choice)
        return
    for s in range(1, width):
        take(levels, level, s, node.price + solved[s - 1], choice)
    take_fewer(levels, level)


@inner
def _lay_packed(rows, rule, arena, begin, middle, end, sides, packed):
    """Lay rows out as two sides where all that is read of them is packed."""
    classes, bits = rule.classes, rule.bits
    total = np.int64(0)
    for s in range(2):
        first, last = (begin, middle) if s == 0 else (middle, end)
        for i in range(first, last):
            row = arena[i] & ROW_MASK
            c = (arena[i] >> ROW_BITS) & CLASS_MASK
            field = rows.grains[row] << ((s * classes + c) * bits)
            total += field
            packed[row, 0], packed[row, 1] = field, rows.grains[row] << (32 * s)
    for slot in range(2 * classes):
        sides.count[TOTAL, slot] = ((total >> (bits * slot)) & ((np.int64(1) << bits) - 1)) * rule.grain


@inner
def lay_sides(rows, kind, rule, arena, levels, level, sides, packed, room, parted):
    """Lay the rows of a node out as two sides, parted by the cut in hand or by `room.group`; or all as the first.

    Where there is no room for packed weights they are never parted.
    """
    node = levels.node[level]
    classes, begin, n_rows = rule.classes, node.base, node.rows
    by_cut, middle = False, begin + n_rows
    if packed is not None and parted:
        at = node.lists + 2 * node.place
        by_cut = kind is None or kind[arena[at]] == CUTS
        if by_cut:
            begin = arena[at + 1]
            middle = begin + arena[node.table + node.cut]
    room.state[WORK] += n_rows * node.n_lists
    clear_sides(sides)
    for s in range(2):
        sides.side[s].least = sides.side[s].loosely = node.least
    if packed is not None and by_cut:
        sides.side[0].loosely, sides.side[1].loosely = loosely(arena, node)
    if packed is not None and rule.bits and rule.binary and node.forced == 0:
        _lay_packed(rows, rule, arena, begin, middle, begin + n_rows, sides, packed)
        close_sides(sides, rule, rule.price, rule.price)
        return
    forced_0, forced_1 = np.int64(0), np.int64(0)
    for i in range(begin, begin + n_rows):
        row = arena[i] & ROW_MASK
        s = 1 if i >= middle else 0
        if kind is not None and parted and not by_cut:
            s = room.group[row]
        slot = s * classes + ((arena[i] >> ROW_BITS) & CLASS_MASK)
        if packed is not None and rule.bits:
            packed[row, 0] = rows.grains[row] << (slot * rule.bits)
            packed[row, 1] = rows.grains[row] << (32 * s)
        sides.slot[row] = slot
        sides.count[TOTAL, slot] += rows.weight[row]
        sides.side[s].rows += rows.count[row]
        if s == 0:
            forced_0 += rows.forced[row]
        else:
            forced_1 += rows.forced[row]
    close_sides(sides, rule, rule.price + forced_0, rule.price + forced_1)


@inner
def take_stump(rule, levels, level, sides):
    """Take the best single split of a node: the phase that follows."""
    node, side = levels.node[level], sides.side[0]
    if side.attribute >= 0 and (node.width > 1 or not rule.budgeted):
        take(levels, level, min(1, node.width - 1), side.cost, (side.attribute << SPLIT_BITS) | side.split)
        take_fewer(levels, level)
    if node.depth == 1:
        node.lowest = levels.cost[level, BEST, node.width - 1]
        return Phase.LEAVE
    node.reach = reach_of(rule, levels, level)
    return Phase.NEXT_ATTRIBUTE if node.reach > 1 else Phase.KEEP


@inner
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
        take(levels, level, NONE, node.price + left.cost + right.cost, choice)
        return
    for a in range(2):
        for b in range(2):
            if a + b + 1 < node.width:
                cost = node.price + (left.cost if a else left.leaf) + (right.cost if b else right.leaf)
                take(levels, level, a + b + 1, cost, choice)
    take_fewer(levels, level)
