"""The parts of a node that is split: their order, what each may cost, and what they cost together."""

from __future__ import annotations

import numpy as np
from numba import njit

from algorithms.kernels.mixed_cuts import write_lows
from algorithms.kernels.mixed_levels import add_costs, limit_part, width_of
from algorithms.kernels.mixed_rows import CLASS_MASK, CUTS, ROW_BITS, ROW_MASK, partition

__all__ = ["enter_child", "limit_child", "part_rows", "take_child", "write_found"]

HEAD = 3  # words of a child before its least costs: group, beginning of its lists, rows


@njit(nogil=True, cache=True)
def part_rows(rows, rule, arena, levels, level, room):
    """Part the rows of a node by `room.group` into children, those that may gain most first: whether it is worth while.

    Where what the children cost at least tells that it is not, their lists are not written.
    """
    n, classes, n_rows, base = levels.n_children[level], rule.classes, levels.rows[level], levels.base[level]
    width = width_of(rule, levels.depth[level] - 1, n_rows)
    n_lists, lists = levels.n_lists[level], levels.lists[level]
    tally = room.tally
    tally[:n, :] = 0
    for i in range(base, base + n_rows):
        row = arena[i] & ROW_MASK
        group = room.group[row]
        tally[group, (arena[i] >> ROW_BITS) & CLASS_MASK] += rows.weight[row]
        tally[group, classes] += rows.forced[row]
        tally[group, classes + 1] += 1
    step, children = HEAD + width, levels.children[level]
    place = children + n * step
    for group in range(n):
        room.size[group], room.base[group] = tally[group, classes + 1], place
        place += n_lists * room.size[group]
        tally[group, classes + 1] = tally[group, :classes].sum() - tally[group, :classes].max()
    levels.top[level] = place
    by_cut = rows.kind[arena[lists + 2 * levels.place[level]]] == CUTS
    for child in range(n):
        chosen, most = 0, np.int64(-1)
        for group in range(n):
            if tally[group, classes + 1] - tally[group, classes] > most:
                chosen, most = group, tally[group, classes + 1] - tally[group, classes]
        cell = children + child * step
        arena[cell], arena[cell + 1], arena[cell + 2] = chosen, room.base[chosen], room.size[chosen]
        if by_cut:
            known = levels.table[level] + levels.cut[level] * (3 + 2 * width) + 3 + chosen * width
            for s in range(width):
                arena[cell + HEAD + s] = arena[known + s]
        else:
            write_lows(arena, cell + HEAD, width, rule, tally[chosen, classes + 1], tally[chosen, classes])
        tally[chosen, classes + 1] = -1  # less than what is forced: not again
        tally[chosen, classes] = 0
    levels.solved[level, : levels.width[level]] = 0
    levels.child[level] = 0
    if not limit_child(rows, rule, arena, levels, level, room):
        return False
    table = arena[lists : lists + 2 * n_lists].reshape(n_lists, 2)
    partition(arena, table, n_lists, n_rows, room.group, room.first, room.size[:n], room.base)
    room.state[1] += n_rows * n_lists
    return True


@njit(nogil=True, cache=True)
def limit_child(rows, rule, arena, levels, level, room):
    """Write what the next child may cost to be of use, as the limit of the level below: whether it may cost so little.

    The second side of a cut is searched for somewhat more, for what it costs bounds the cuts beside this one.
    """
    n, child, top = levels.n_children[level], levels.child[level], levels.width[level]
    width = width_of(rule, levels.depth[level] - 1, levels.rows[level])
    step, children = HEAD + width, levels.children[level]
    rest = room.costs[:top]
    rest[:] = levels.solved[level, :top]
    for later in range(child + 1, n):
        cell = children + later * step + HEAD
        add_costs(rest, arena[cell : cell + width], width, room.other)
    limit = levels.limit[level + 1, :width]
    limit_part(limit, levels.best[level], levels.limit[level], rest, levels.price[level], rule.budgeted, top)
    low = children + child * step + HEAD
    worth = False
    for s in range(width):
        worth |= limit[s] > arena[low + s]
    lists = levels.lists[level] + 2 * levels.place[level]
    if worth and child == 1 and rule.sheds and rows.kind[arena[lists]] == CUTS:
        cut, table, cuts_step = levels.cut[level], levels.table[level], 3 + 2 * width
        here = arena[table + cut * cuts_step + 2]
        slack = max(
            here - arena[table + levels.first[level] * cuts_step + 2],
            arena[table + levels.last[level] * cuts_step + 2] - here,
        )
        for s in range(width):
            limit[s] += slack
    return worth


@njit(nogil=True, cache=True)
def enter_child(rule, arena, levels, level):
    """Make the next child the node of the level below."""
    width = width_of(rule, levels.depth[level] - 1, levels.rows[level])
    cell = levels.children[level] + levels.child[level] * (HEAD + width)
    below = level + 1
    levels.base[below], levels.rows[below] = arena[cell + 1], arena[cell + 2]
    levels.laid[below], levels.n_laid[below] = levels.lists[level], levels.n_lists[level]
    levels.lists[below] = levels.top[level]
    levels.depth[below] = levels.depth[level] - 1


@njit(nogil=True, cache=True)
def take_child(rule, arena, levels, level, room):
    """Add what the child that was left costs to what those before it do: whether it was the last."""
    width = width_of(rule, levels.depth[level] - 1, levels.rows[level])
    known, top = levels.width[level + 1], levels.width[level]
    cell = levels.children[level] + levels.child[level] * (HEAD + width) + HEAD
    for s in range(width):
        arena[cell + s] = max(arena[cell + s], room.low[min(s, known - 1)])
        room.costs[s] = room.high[min(s, known - 1)]
    add_costs(levels.solved[level, :top], room.costs, width, room.other)
    levels.child[level] += 1
    return levels.child[level] == levels.n_children[level]


@njit(nogil=True, cache=True)
def write_found(rule, arena, levels, level, room):
    """Write what is known of the two sides of a cut, as `bound_cuts` reads it."""
    width = width_of(rule, levels.depth[level] - 1, levels.rows[level])
    for child in range(2):
        cell = levels.children[level] + child * (HEAD + width)
        side = arena[cell]
        for s in range(width):
            room.part[side, s] = arena[cell + HEAD + s]
            room.loose[side, s] = arena[cell + HEAD + s] if rule.least == 1 else 0
