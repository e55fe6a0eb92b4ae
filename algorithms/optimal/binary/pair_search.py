"""Depth-first branch and bound for the best tree over two-valued attributes, which can be paused and resumed.

A set of rows with two levels left is solved from the counts of pairs of attributes (`two_levels`). With more levels,
the attributes are tried one by one, most promising first, and lower bounds of their two sides exclude most of them
(`side_bounds`). A set is solved for depth 2, then 3, and so on, so that good trees bound the search early. The counts
of pairs and the similarity bound are those of MurTree (Demirović et al. 2022); the memo by set of rows is that of
STreeD (van der Linden et al. 2023).
"""

import numpy as np

from algorithms._numba.decorators import inner, large, part
from algorithms.optimal.binary.bit_memo import find, hash_of, keep
from algorithms.optimal.binary.pair_levels import descend, open_root
from algorithms.optimal.binary.side_bounds import forced_weight, leaf_errors, open_bounds, ruled_out, spread_bound
from algorithms.optimal.binary.two_levels import best_of_two_levels, prepare, scan_sides, take_fewer

DONE, PAUSED, FULL = 0, 1, 2
"""Results of `advance`: the search has ended; the work is `until`; the memo is full."""

LEVEL, WORK, DEPTH = range(3)
"""Fields of the state: the current level, or NONE before the search begins; pairs of attributes examined; the greatest
depth of the trees."""

NONE = -1

ROOT = 0
"""The first level, or side."""


@inner
def begin(problem, levels, block, sides, level, depth, limit):
    """Begin the search of a level whose rows are written: find its best tree of two levels, and sort its attributes.

    depth, limit : greatest depth of the trees; trees of this cost or more are not searched for
    """
    prepare(problem, levels, block, sides, level)
    best, attribute, search_depth = levels.best[level], levels.attribute[level], levels.search_depth[level]
    best_of_two_levels(problem, sides, ROOT, levels, level, best, attribute, search_depth)
    _sort(levels, level)
    levels.forced[level] = forced_weight(problem, levels.mask[level], problem.columns[len(problem.columns) - 1], True)
    levels.depth[level] = depth
    levels.limit[level] = limit
    levels.current_depth[level] = 2
    levels.position[level] = levels.number[level]
    levels.side[level] = NONE


@part
def _sort(levels, level):
    """Sort the attributes by their errors after two levels, fewest first (by shell sort, which needs no buffer)."""
    order, number = levels.order[level], levels.number[level]
    one, zero = levels.after_one[level], levels.after_zero[level]
    for index in range(number):
        order[index] = index
    gap = 1
    while gap < number:
        gap = 3 * gap + 1
    while gap > 0:
        for end in range(gap, number):
            moving = order[end]
            errors = np.float64(one[moving]) + np.float64(zero[moving])
            at = end
            while at >= gap:
                other = order[at - gap]
                others = np.float64(one[other]) + np.float64(zero[other])
                if others < errors or (others == errors and other < moving):
                    break
                order[at] = other
                at -= gap
            order[at] = moving
        gap //= 3


@large
def advance(problem, levels, block, sides, memo, state, until, may_grow):
    """Continue the search of the rows `levels.mask[0]`; return why it stopped.

    problem, levels, block : `PairProblem`, `PairLevels`, `Lanes`
    sides, memo : `SideBuffers`, `RowSetMemo`
    state       : (3,) int64, LEVEL, WORK and DEPTH
    until       : work at which to pause
    may_grow    : whether to stop when half of the memo is filled
    """
    keys, values, attribute, search_depth = sides.keys, sides.values, sides.attribute, sides.search_depth
    if state[LEVEL] == NONE:
        open_root(problem, levels, block)
        begin(problem, levels, block, sides, ROOT, state[DEPTH], levels.limit[0])
        state[LEVEL] = ROOT
        state[WORK] += levels.number[0] * (levels.number[0] + 1) // 2
    while True:
        if state[WORK] >= until:
            return PAUSED
        if may_grow and 2 * memo.used[0] > len(memo.depth):
            return FULL
        level = state[LEVEL]
        if levels.side[level] != NONE:
            _take_side(problem, levels, level)
        elif levels.position[level] == levels.number[level]:
            _store(levels, memo, level, levels.current_depth[level])
            if _settled(problem, levels, level):
                _store(levels, memo, level, levels.depth[level])
                if level == 0:
                    return DONE
                state[LEVEL] = level - 1
            else:
                levels.current_depth[level] += 1
                levels.position[level] = 0
                levels.solved[level] = False
                open_bounds(problem, levels, level)
            continue
        index = levels.order[level, levels.position[level]]
        if ruled_out(problem, levels, level, index):
            _go_to_next(levels, level)
            continue
        depth = levels.current_depth[level] - 1
        column = problem.columns[levels.attributes[level, index]]
        for side in range(2):
            hash_of(levels.mask[level], column, side == 0, keys[side])
            if not levels.solved[level, side]:
                _recall(problem, levels, memo, level, index, side, keys[side], depth)
        if not (levels.solved[level, 0] and levels.solved[level, 1]):
            if ruled_out(problem, levels, level, index):
                _go_to_next(levels, level)
                continue
            if depth > 2:
                side = _side_to_solve(problem, levels, level, index)
                descend(problem, levels, level, index, side, block.chosen, block.kept)
                levels.key[level + 1, 0], levels.key[level + 1, 1] = keys[side, 0], keys[side, 1]
                levels.side[level] = side
                limit = np.inf
                if problem.sizes == 1:
                    least = levels.best[level, 0]
                    if levels.current_depth[level] == levels.depth[level]:
                        least = min(least, levels.limit[level])
                    limit = least - levels.lower[level, 1 - side, index, 0] - problem.split_cost
                begin(problem, levels, block, sides, level + 1, depth, limit)
                state[LEVEL] = level + 1
                state[WORK] += levels.number[level + 1] * (levels.number[level + 1] + 1) // 2
                continue
            wanted = (not levels.solved[level, 0], not levels.solved[level, 1])
            state[WORK] += scan_sides(problem, levels, block, sides, level, index)
            for side in range(2):
                if wanted[side]:
                    best_of_two_levels(problem, sides, side, levels, level, values[side], attribute, search_depth)
                    keep(memo, keys[side], depth, wanted[side], values[side], attribute, search_depth)
                    for size in range(problem.sizes):
                        levels.lower[level, side, index, size] = values[side, size]
                    spread_bound(problem, levels, level, index, side)
        _combine(problem, levels, level, index)
        _go_to_next(levels, level)


@inner
def _go_to_next(levels, level):
    levels.position[level] += 1
    levels.solved[level] = False


@part
def _settled(problem, levels, level):
    """Whether deeper trees are not allowed, or cannot be better, since they have more splits than the current depth."""
    current = levels.current_depth[level]
    if current >= levels.depth[level] or levels.number[level] == 0:
        return True
    forced = levels.forced[level]
    if problem.sizes == 1:
        return levels.best[level, 0] <= forced + problem.split_cost * (current + 1) + problem.slack
    return current + 1 >= problem.sizes or levels.best[level, current + 1] <= forced + problem.slack


@inner
def _store(levels, memo, level, depth):
    """Store the results of a level for a depth in the memo; if no tree is below its limit, store this as a bound."""
    best = levels.best[level]
    exact = depth < levels.depth[level] or best[0] < levels.limit[level] or len(best) > 1
    value = best if exact else levels.limit[level : level + 1]
    keep(memo, levels.key[level], depth, exact, value, levels.attribute[level], levels.search_depth[level])


@part
def _take_side(problem, levels, level):
    """Take the results of the level below for the side of the current attribute that it has solved."""
    side, index = levels.side[level], levels.order[level, levels.position[level]]
    levels.side[level] = NONE
    below = levels.best[level + 1]
    if problem.sizes == 1 and below[0] >= levels.limit[level + 1]:
        levels.lower[level, side, index, 0] = max(levels.lower[level, side, index, 0], levels.limit[level + 1])
    else:
        for size in range(problem.sizes):
            levels.lower[level, side, index, size] = below[size]
        levels.solved[level, side] = True
    spread_bound(problem, levels, level, index, side)


@part
def _recall(problem, levels, memo, level, index, side, key, depth):
    """Use the memo's entry of a side, if there is one."""
    lower = levels.lower[level, side, index]
    known = find(memo, key, depth)
    if known >= 0 and memo.exact[known]:
        for size in range(problem.sizes):
            lower[size] = memo.value[known, size]
        levels.solved[level, side] = True
        spread_bound(problem, levels, level, index, side)
    elif known >= 0:
        lower[0] = max(lower[0], memo.value[known, 0])


@part
def _side_to_solve(problem, levels, level, index):
    """The side to solve next: of the unsolved ones, that with more errors as a leaf."""
    if levels.solved[level, 0]:
        return 1
    if levels.solved[level, 1]:
        return 0
    pairs, totals = levels.pairs[level], levels.totals[level]
    one, zero = leaf_errors(problem, pairs, totals, index, 0), leaf_errors(problem, pairs, totals, index, 1)
    return 0 if one >= zero else 1


@part
def _combine(problem, levels, level, index):
    """Join the best trees of both sides below their attribute, where that improves on the best trees so far."""
    one, zero = levels.lower[level, 0, index], levels.lower[level, 1, index]
    best, attribute, search_depth = levels.best[level], levels.attribute[level], levels.search_depth[level]
    name, current = levels.attributes[level, index], levels.current_depth[level]
    if problem.sizes == 1:
        cost = one[0] + zero[0] + problem.split_cost
        if cost < best[0] - problem.slack:
            best[0], attribute[0], search_depth[0] = cost, name, current
        return
    for first in range(problem.sizes - 1):
        for second in range(problem.sizes - 1 - first):
            errors = one[first] + zero[second]
            if errors < best[first + second + 1] - problem.slack:
                size = first + second + 1
                best[size], attribute[size], search_depth[size] = errors, name, current
    take_fewer(best, attribute, search_depth)
