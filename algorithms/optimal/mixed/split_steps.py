"""Go from one split of a node to the next, and keep the best one."""

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.optimal.mixed.cut_bounds import CUT_LOWS, CUT_RANK, CUT_WEIGHT, cuts_of_list, next_cut, relaxed_min_leaf
from algorithms.optimal.mixed.cut_windows import start_sweep
from algorithms.optimal.mixed.node_entry import DEPTH_KEY, NONE, done, may_sweep, reach_of, take, take_fewer
from algorithms.optimal.mixed.node_levels import KNOWN_ROWS, SPLIT_BITS, TOTAL, WORK, NodePhase, width_of
from algorithms.optimal.mixed.packed_rows import (
    BELOW,
    CLASS_MASK,
    RANK_SHIFT,
    ROW_BITS,
    ROW_MASK,
    THREE_LABELS,
    has_missing,
    is_cut,
    missing_rank,
)
from algorithms.optimal.mixed.rank_memo import MEMO_LOW, find
from algorithms.optimal.mixed.sides import ALL_CODES, clear_sides, close_sides, price_of
from algorithms.optimal.never import NEVER


@inner
def next_attribute(rows, kind, branches, rule, arena, levels, level, memo, sweep, scratch):
    """Go to the next attribute of a node; return the next phase."""
    node = levels.node[level]
    node.current += 1
    while node.current < node.n_lists and _is_left_out(kind, arena, node, level, scratch.root_cuts):
        node.current += 1
    if node.current >= node.n_lists or done(levels, level):
        return NodePhase.KEEP
    at = node.lists + 2 * node.current
    attribute, begin, n_rows = arena[at], arena[at + 1], node.rows
    missing = has_missing(kind, attribute, arena, begin, n_rows)
    if sweep is not None and node.reach == 2 and may_sweep(rule, node):
        start_sweep(rows, kind, branches, rule, arena, node, level > 0, sweep)
        return NodePhase.SWEEP
    for c in range(rule.classes):
        scratch.count[TOTAL, c] = arena[node.totals + c]
    node.table = node.free
    node.by_cut = is_cut(kind, attribute) and not missing
    if node.by_cut:
        width = width_of(rule, node.depth - 1, n_rows)
        lacking, whole = np.int64(0), scratch.costs[:width]
        for s in range(0 if kind is None else width):
            whole[s] = 0
        if kind is not None and rule.repeats and rule.weight_bounds and node.min_leaf == 1:
            _write_whole(node, memo, whole)
            if kind[attribute] < BELOW and _tried_list_before(arena, node, level, scratch.root_cuts):
                lacking = arena[node.table + CUT_WEIGHT * n_rows]
        node.n_cuts = cuts_of_list(arena, node, begin, rows, kind, rule, width, scratch.count, lacking, whole)
        scratch.state[WORK] += n_rows
        queue = node.table + (CUT_LOWS + 4 * width) * n_rows
        node.queue, node.head, node.tail = queue, 0, 1
        arena[queue], arena[queue + 1] = 0, node.n_cuts - 1
        if level == 0:
            _keep_root_cuts(arena, node, scratch.root_cuts[attribute])
        node.children = queue + 2 * (2 * node.n_cuts + 2)
        return NodePhase.NEXT_CUT
    codes = np.int64(0)
    before = np.int64(-1)
    for i in range(begin, begin + n_rows):
        rank = arena[i] >> RANK_SHIFT
        if rank != before:
            codes += 1
            before = rank
    node.n_cuts = 1
    if missing:
        node.n_cuts = min(codes - 1, np.int64(2))
    elif rule.subsets and codes > 2:
        node.n_cuts = np.int64(1) << (codes - 1)
    node.cut = -1
    node.children = node.table
    return NodePhase.NEXT_PARTITION


@inner
def _is_left_out(kind, arena, node, level, root_cuts):
    """Whether the node must not test the current attribute, by `node.only` or the limits on the root."""
    attribute = arena[node.lists + 2 * node.current]
    if kind is not None and node.only >= 0 and node.only != attribute:
        return True
    return level == 0 and root_cuts[attribute, 0] > root_cuts[attribute, 1]


@inner
def _write_whole(node, memo, whole):
    """Write lower bounds (width,) of all rows of a node with one level less, if the memo has them."""
    depth = np.uint64(node.depth)
    key_0, key_1 = node.key_0 ^ (depth * DEPTH_KEY) ^ ((depth - np.uint64(1)) * DEPTH_KEY), node.key_1 - np.uint64(1)
    slot = find(memo, key_0, key_1)
    if memo.key[slot, 0] == key_0 and memo.key[slot, 1] == key_1:
        for s in range(len(whole)):
            whole[s] = memo.cost[slot, MEMO_LOW, s]


@inner
def _tried_list_before(arena, node, level, root_cuts):
    """Whether the list before is the first of the same attribute (kind BELOW), and all its cuts were tried."""
    at = node.lists + 2 * node.current
    attribute = arena[at] - 1
    if node.current == 0 or arena[at - 2] != attribute:
        return False
    return level > 0 or (root_cuts[attribute, 0] == 0 and root_cuts[attribute, 1] == NEVER)


@inner
def _keep_root_cuts(arena, node, allowed):
    """Shrink the first interval of the current attribute to the cuts that the root may make.

    allowed : (2,) ranks before the first and the last of these cuts
    """
    first, last, ranks = arena[node.queue], arena[node.queue + 1], node.table + CUT_RANK * node.rows
    while first <= last and arena[ranks + first] < allowed[0]:
        first += 1
    while first <= last and arena[ranks + last] > allowed[1]:
        last -= 1
    arena[node.queue], arena[node.queue + 1] = first, last


@inner
def next_cut_of_node(rule, arena, levels, level, scratch):
    """Go to the middle cut of the next interval of the current attribute; return the next phase."""
    node = levels.node[level]
    width = width_of(rule, node.depth - 1, node.rows)
    while node.head < node.tail:
        at = node.queue + 2 * node.head
        node.head += 1
        first, middle, last = next_cut(arena, node, arena[at], arena[at + 1], width, rule, levels, level)
        scratch.state[WORK] += 1
        if middle < 0:
            continue
        node.first, node.cut, node.last = first, middle, last
        node.split = arena[node.table + CUT_RANK * node.rows + middle]
        node.price = rule.price
        if node.reach == 2:
            return NodePhase.STUMPS
        begin = arena[node.lists + 2 * node.current + 1]
        for i in range(begin, begin + node.rows):
            scratch.group_of[arena[i] & ROW_MASK] = 0 if i < begin + arena[node.table + middle] else 1
        node.n_children = 2
        return NodePhase.SPLIT
    return NodePhase.NEXT_ATTRIBUTE


@inner
def push_intervals(arena, levels, level):
    """Add the intervals before and after the current cut to the queue."""
    node = levels.node[level]
    for first, last in ((node.first, node.cut - 1), (node.cut + 1, node.last)):
        if first <= last:
            at = node.queue + 2 * node.tail
            arena[at], arena[at + 1] = first, last
            node.tail += 1


@inner
def next_partition(rows, kind, rule, arena, levels, level, scratch):
    """Go to the next partition of the rows by the current attribute; return the next phase.

    For a nominal attribute, the first partition is by code. The others are by two sets of codes: bit k of their index
    says whether the k-th code of the node is in the first set. For a number that some rows lack, the first partition
    separates these rows from all others, and the second is KNOWN_ROWS.
    """
    node = levels.node[level]
    node.cut += 1
    candidate = node.cut
    if candidate > 0 and (candidate >= node.n_cuts or done(levels, level)):
        return NodePhase.NEXT_ATTRIBUTE
    at = node.lists + 2 * node.current
    attribute, begin, n_rows = arena[at], arena[at + 1], node.rows
    missing = has_missing(kind, attribute, arena, begin, n_rows)
    if missing and candidate == 0 and node.n_cuts > 1 and kind[attribute] > THREE_LABELS:
        return NodePhase.NEXT_PARTITION
    by_code = candidate == 0 and not missing
    groups, split = (np.int64(0), np.int64(ALL_CODES)) if by_code else (np.int64(2), np.int64(0))
    code, before = np.int64(-1), np.int64(-1)
    scratch.group_size[0] = scratch.group_size[1] = 0  # rows, counted before merging
    for i in range(begin, begin + n_rows):
        rank = arena[i] >> RANK_SHIFT
        if rank != before:
            code += 1
            before = rank
            if by_code:
                scratch.group_size[code] = 0
                groups += 1
            elif not missing and candidate >> code & 1:
                split |= np.int64(1) << rank
        row, group = arena[i] & ROW_MASK, code
        if missing:
            group = np.int64(rank != missing_rank(kind, attribute))
            split = rank if group else split
        elif not by_code:
            group = np.int64(1 - (candidate >> code & 1))
        scratch.group_of[row] = group
        scratch.group_size[group] += rows.count[row]
    scratch.state[WORK] += n_rows
    for group in range(groups):
        if scratch.group_size[group] < node.min_leaf:
            return NodePhase.NEXT_PARTITION
    node.n_children, node.split, node.price = groups, split, price_of(rule, groups)
    if missing and candidate > 0:
        node.split, node.price = np.int64(KNOWN_ROWS), price_of(rule, 3) - rule.price
    elif groups == 2 and node.reach == 2 and rule.sweep_bits == 0:
        return NodePhase.STUMPS
    return NodePhase.SPLIT


@inner
def offer(levels, level, arena):
    """Keep the current split, whose children are solved, if it is the best so far."""
    node = levels.node[level]
    width, solved = node.width, levels.solved[level]
    attribute = arena[node.lists + 2 * node.current]
    choice = (attribute << SPLIT_BITS) | node.split
    if width == 1:
        take(levels, level, NONE, node.price + solved[0], choice)
        return
    for s in range(1, width):
        take(levels, level, s, node.price + solved[s - 1], choice)
    take_fewer(levels, level)


@inner
def offer_cut_of_known(levels, level):
    """Keep the best cut of the rows that have the number, just solved, with a branch for those that lack it."""
    node, known = levels.node[level], levels.node[level + 1]
    missing, best, choice = levels.solved[level], levels.best[level + 1], levels.choice[level + 1]
    if node.width == 1:
        take(levels, level, NONE, node.price + missing[0] + best[0], choice[0])
        return
    for splits in range(1, known.width):
        for more in range(node.width - splits):
            take(levels, level, splits + more, node.price + missing[more] + best[splits], choice[splits])
    take_fewer(levels, level)


@inner
def pack_sides(rows, kind, rule, arena, levels, level, sides, packed, scratch, two_sides):
    """Write the rows of a node as two sides, by the current cut or by `scratch.group_of`, for `best_stumps`.

    Without `two_sides` or `packed`, all rows are the first side.
    """
    node = levels.node[level]
    classes, begin, n_rows = rule.classes, node.base, node.rows
    by_cut, middle = False, begin + n_rows
    if packed is not None and two_sides:
        at = node.lists + 2 * node.current
        by_cut = kind is None or node.by_cut > 0
        if by_cut:
            begin = arena[at + 1]
            middle = begin + arena[node.table + node.cut]
    scratch.state[WORK] += n_rows * node.n_lists
    clear_sides(sides)
    for s in range(2):
        sides.side[s].min_leaf = sides.side[s].relaxed_min_leaf = node.min_leaf
    if packed is not None and by_cut:
        sides.side[0].relaxed_min_leaf, sides.side[1].relaxed_min_leaf = relaxed_min_leaf(arena, node)
    forced_0, forced_1 = np.int64(0), np.int64(0)
    for i in range(begin, begin + n_rows):
        row = arena[i] & ROW_MASK
        s = 1 if i >= middle else 0
        if kind is not None and two_sides and not by_cut:
            s = scratch.group_of[row]
        slot = s * classes + ((arena[i] >> ROW_BITS) & CLASS_MASK)
        if packed is not None and rule.packed_bits:
            packed[row, 0] = rows.grains[row] << (slot * rule.packed_bits)
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
    """Keep the best stump of a node; return the next phase."""
    node, side = levels.node[level], sides.side[0]
    if side.attribute >= 0 and (node.width > 1 or not rule.counts_splits):
        take(levels, level, min(1, node.width - 1), side.cost, (side.attribute << SPLIT_BITS) | side.split)
        take_fewer(levels, level)
    if node.depth == 1:
        node.lowest = levels.best[level, node.width - 1]
        return NodePhase.LEAVE
    node.reach = reach_of(rule, levels, level)
    return NodePhase.NEXT_ATTRIBUTE if node.reach > 1 else NodePhase.KEEP


@inner
def take_stumps(rule, arena, levels, level, sides, scratch):
    """Write the bounds of both sides of a node with two levels left, and keep its split if it is the best so far."""
    node, left, right = levels.node[level], sides.side[0], sides.side[1]
    choice = (arena[node.lists + 2 * node.current] << SPLIT_BITS) | node.split
    most = 1 if rule.counts_splits else 0
    for s in range(2):
        side = sides.side[s]
        scratch.side_low[s, 0], scratch.side_relaxed[s, 0] = side.leaf, side.leaf
        scratch.side_low[s, most], scratch.side_relaxed[s, most] = side.cost, side.relaxed
    if not rule.counts_splits:
        take(levels, level, NONE, node.price + left.cost + right.cost, choice)
        return
    for a in range(2):
        for b in range(2):
            if a + b + 1 < node.width:
                cost = node.price + (left.cost if a else left.leaf) + (right.cost if b else right.leaf)
                take(levels, level, a + b + 1, cost, choice)
    take_fewer(levels, level)
