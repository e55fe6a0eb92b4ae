"""The children of a split: their order, their limits and the sum of their costs.

Solved children of a node bound the children of its other splits, by the similarity bound. A tree for a set of rows A
misclassifies of another set B at most its errors on A, and the rows of B that are not in A. So A costs at least as much
as B, less the weight of the rows of B that A lacks (Demirović et al. 2022). This needs `TreeRule.weight_bounds`.
"""

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import popcount
from algorithms.optimal.mixed.cut_bounds import CUT_LOWS, CUT_WEIGHT, keeps_relaxed, relaxed_min_leaf, write_lows
from algorithms.optimal.mixed.node_levels import KNOWN_ROWS, PAIR_LEVELS, WORK, add_costs, width_of
from algorithms.optimal.mixed.packed_rows import CLASS_MASK, ROW_BITS, ROW_MASK
from algorithms.optimal.never import NEVER

HEAD = 3
"""Words at the head of each entry of the table of children: the group of the child, the position of its lists in the
arena, and its number of merged rows. Lower bounds follow, one for each number of splits, then those of its relaxed
trees."""


@inner
def _write_lists(arena, node, n_lists, scratch):
    """Write the sorted lists of the children of a node, in the order of its own."""
    free = scratch.next_word
    for k in range(n_lists):
        for g in range(node.n_children):
            free[g] = scratch.group_base[g] + k * scratch.group_size[g]
        begin = arena[node.lists + 2 * k + 1]
        for i in range(begin, begin + node.rows):
            word = arena[i]
            g = scratch.group_of[word & ROW_MASK]
            arena[free[g]] = word
            free[g] += 1


@inner
def split_rows(rows, kind, rule, arena, levels, level, pairs, scratch):
    """Split the rows of a node by `scratch.group_of` into children; return whether they may give a better tree.

    The children are sorted by the errors that a subtree may save, most first; with KNOWN_ROWS, the rows that lack the
    number come first. The lists of the children are not written if their bounds rule out a better tree. A child that is
    solved from counts of pairs gets one list.
    """
    node = levels.node[level]
    n, classes, n_rows, base = node.n_children, rule.classes, node.rows, node.base
    width = width_of(rule, node.depth - 1, n_rows)
    n_lists = node.n_lists
    if pairs is not None and node.depth - 1 <= PAIR_LEVELS:
        n_lists = 1
    tally = scratch.tally
    for group in range(n):
        for column in range(classes + 2):
            tally[group, column] = 0
    for i in range(base, base + n_rows):
        row = arena[i] & ROW_MASK
        group = scratch.group_of[row]
        tally[group, (arena[i] >> ROW_BITS) & CLASS_MASK] += rows.weight[row]
        tally[group, classes] += rows.forced[row]
        tally[group, classes + 1] += 1
    if pairs is not None and node.depth == PAIR_LEVELS + 1:
        _write_siblings(arena, node, n, pairs, scratch.group_of)
    step, children = HEAD + 2 * width, node.children
    end = children + n * step
    for group in range(n):
        scratch.group_size[group], scratch.group_base[group] = tally[group, classes + 1], end
        end += n_lists * scratch.group_size[group]
        leaf, most = np.int64(0), np.int64(0)
        for c in range(classes):
            leaf += tally[group, c]
            most = max(most, tally[group, c])
        tally[group, classes + 1] = leaf - most  # replaces the number of rows
    node.top = end
    by_cut = kind is None or node.by_cut > 0
    for child in range(n):
        chosen, most = child, np.int64(-1)
        for group in range(0 if node.split == KNOWN_ROWS else n):
            if tally[group, classes + 1] - tally[group, classes] > most:
                chosen, most = group, tally[group, classes + 1] - tally[group, classes]
        cell = children + child * step
        arena[cell] = chosen
        arena[cell + 1], arena[cell + 2] = scratch.group_base[chosen], scratch.group_size[chosen]
        if by_cut:
            known = node.table + (CUT_LOWS + chosen * width) * n_rows + node.cut
            for s in range(width):
                arena[cell + HEAD + s] = arena[known + s * n_rows]
        else:
            write_lows(arena, cell + HEAD, 1, width, rule, tally[chosen, classes + 1], tally[chosen, classes])
        if pairs is not None and node.depth == PAIR_LEVELS + 1:
            _raise_lows_by_siblings(rule, arena, cell + HEAD, width, pairs, chosen)
        if node.split == KNOWN_ROWS and child == 1:
            for s in range(width):
                arena[cell + HEAD + s] = rule.price + tally[chosen, classes]
        for s in range(width):
            relaxed = node.table + (CUT_LOWS + (2 + chosen) * width + s) * n_rows + node.cut
            arena[cell + HEAD + width + s] = arena[relaxed] if by_cut and keeps_relaxed(rule, node) else 0
        tally[chosen, classes + 1] = -1  # less than any gain, so that it is not chosen again
        tally[chosen, classes] = 0
    node.relaxed = by_cut and node.min_leaf > 1 and node.first < node.last
    begin_round(levels, level)
    if not limit_child(kind, rule, arena, levels, level, scratch):
        return False
    _write_lists(arena, node, n_lists, scratch)
    scratch.state[WORK] += n_rows * n_lists
    return True


@inner
def _write_siblings(arena, node, number, pairs, group_of):
    """Write the rows of the `number` children of a node as bits; `group_of` (rows,) has the child of each row."""
    pairs.child_rows[:number] = np.uint64(0)
    for i in range(node.base, node.base + node.rows):
        row = arena[i] & ROW_MASK
        bit = pairs.bit[row]
        pairs.child_rows[group_of[row], bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@inner
def _keep_sibling(rule, pairs, child, lows):
    """Keep the rows and the lower bounds (width,) of a solved child."""
    at = pairs.known[0]
    if not rule.weight_bounds or at == len(pairs.known_rows):
        return
    for w in range(pairs.child_rows.shape[1]):
        pairs.known_rows[at, w] = pairs.child_rows[child, w]
    for s in range(len(lows)):
        pairs.known_low[at, s] = lows[s]
    pairs.known[0] += 1


@inner
def _raise_lows_by_siblings(rule, arena, lows, width, pairs, child):
    """Raise the `width` lower bounds of a child, from place `lows` of the arena on, by those of solved children."""
    for k in range(pairs.known[0]):
        if pairs.known_low[k, width - 1] <= arena[lows + width - 1]:
            continue
        lacking = np.int64(0)
        for s in range(len(pairs.weight)):
            rows = np.int64(0)
            for w in range(pairs.first[s], pairs.first[s + 1]):
                rows += np.int64(popcount(pairs.known_rows[k, w] & ~pairs.child_rows[child, w]))
            lacking += rows * np.int64(pairs.weight[s])
        for s in range(width):
            arena[lows + s] = max(arena[lows + s], pairs.known_low[k, s] - lacking * rule.grain)


@inner
def begin_round(levels, level):
    """Go back to the first child, and forget the costs of solved children."""
    node = levels.node[level]
    for s in range(node.width):
        levels.solved[level, s] = 0
    node.child = 0


@inner
def limit_child(kind, rule, arena, levels, level, scratch):
    """Write the limit of the next child to the level below; return whether its bound is less than the limit.

    A child that costs its limit or more gives no better tree. The limit of a side of a cut is then raised by the weight
    of the rows between this cut and the farther end of its interval. So the result also bounds the other cuts there.
    """
    node = levels.node[level]
    n, child, node_width = node.n_children, node.child, node.width
    width = width_of(rule, node.depth - 1, node.rows)
    step, children = HEAD + 2 * width, node.children
    rest = scratch.costs[:node_width]
    for s in range(node_width):
        rest[s] = levels.solved[level, s]
    by_cut = kind is None or node.by_cut > 0
    for later in range(child + 1, n):
        cell = children + later * step
        useful = width if by_cut else min(width, arena[cell + 2])  # further splits do not change its bounds
        add_costs(rest, arena[cell + HEAD : cell + HEAD + useful], useful, scratch.other)
    if not by_cut:
        width = min(width, arena[children + child * step + 2])
    limit, best, useless = levels.limit[level + 1, :width], levels.best[level], levels.limit[level]
    if rule.counts_splits:
        for a in range(width):
            limit[a] = -NEVER
            for s in range(a + 1, node_width):
                limit[a] = max(limit[a], min(best[s], useless[s]) - node.price - rest[s - 1 - a])
    else:
        limit[0] = min(best[0], useless[0]) - node.price - rest[0]
    low = children + child * step + HEAD
    worth = False
    for s in range(width):
        worth |= limit[s] > arena[low + s]
    if kind is not None and rule.counts_splits and node.split == KNOWN_ROWS and child == 1:  # it counts the split
        for s in range(width - 1, 0, -1):
            limit[s] = limit[s - 1]
        limit[0] = 0
    if worth and rule.weight_bounds and by_cut:
        weights = node.table + CUT_WEIGHT * node.rows
        here = arena[weights + node.cut]
        slack = max(here - arena[weights + node.first], arena[weights + node.last] - here)
        for s in range(width):
            limit[s] += slack
    return worth


@inner
def enter_child(kind, rule, arena, levels, level):
    """Make the next child the node of the level below."""
    node = levels.node[level]
    is_known = kind is not None and node.split == KNOWN_ROWS and node.child == 1
    width = width_of(rule, node.depth - 1, node.rows)
    cell = node.children + node.child * (HEAD + 2 * width)
    below = level + 1
    levels.node[below].min_leaf = node.min_leaf
    if node.relaxed:
        left, right = relaxed_min_leaf(arena, node)
        levels.node[below].min_leaf = right if arena[cell] else left
    lows = cell + HEAD + (width if node.relaxed else 0)
    for s in range(width):
        levels.low[below, s] = 0 if is_known else arena[lows + s]
    levels.node[below].base, levels.node[below].rows = arena[cell + 1], arena[cell + 2]
    levels.node[below].parent_lists, levels.node[below].n_parent_lists = node.lists, node.n_lists
    levels.node[below].lists = node.top
    levels.node[below].depth = node.depth if is_known else node.depth - 1
    levels.node[below].only = arena[node.lists + 2 * node.current] if is_known else -1


@inner
def take_child(rule, arena, levels, level, pairs, scratch):
    """Add the cost of the solved child, or its bound if relaxed, to those before it; return whether it is the last."""
    node = levels.node[level]
    width = width_of(rule, node.depth - 1, node.rows)
    child_width, node_width = levels.node[level + 1].width, node.width
    cell = node.children + node.child * (HEAD + 2 * width) + HEAD
    for s in range(width):
        low = scratch.lowest[min(s, child_width - 1)]
        arena[cell + s] = max(arena[cell + s], low)
        if node.relaxed:
            arena[cell + width + s] = low
        scratch.costs[s] = arena[cell + s] if node.relaxed else scratch.high[min(s, child_width - 1)]
    if pairs is not None and node.depth == PAIR_LEVELS + 1:
        _keep_sibling(rule, pairs, arena[cell - HEAD], arena[cell : cell + width])
    useful = width if node.relaxed else min(width, child_width)  # further splits do not change its costs
    add_costs(levels.solved[level, :node_width], scratch.costs, useful, scratch.other)
    node.child += 1
    return node.child == node.n_children


@inner
def write_result(rule, arena, levels, level, scratch):
    """Write the bounds of the two sides of a cut for `bound_cuts`.

    If leaves have a minimum size, `side_low` bounds the trees that respect it, and `side_relaxed` the relaxed trees.
    """
    node = levels.node[level]
    width = width_of(rule, node.depth - 1, node.rows)
    for child in range(2):
        cell = node.children + child * (HEAD + 2 * width)
        side = arena[cell]
        for s in range(width):
            scratch.side_low[side, s] = arena[cell + HEAD + s]
            scratch.side_relaxed[side, s] = arena[cell + HEAD + s + (0 if node.min_leaf == 1 else width)]
