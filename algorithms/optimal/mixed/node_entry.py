"""Enter and leave a node of the search over mixed attributes: its first bounds, ordered lists and memo entry."""

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.optimal.mixed.cut_bounds import raise_lows
from algorithms.optimal.mixed.node_levels import LEFT, NO_CHOICE, PAIR_LEVELS, TOTAL, WORK, NodePhase, width_of
from algorithms.optimal.mixed.packed_rows import BELOW, CLASS_MASK, RANK_SHIFT, ROW_BITS, ROW_MASK, has_missing, is_cut
from algorithms.optimal.mixed.rank_memo import MEMO_CHOICE, MEMO_HIGH, MEMO_LOW, find, put
from algorithms.optimal.never import NEVER

NONE = 0
"""The index of the only cost if splits are not counted."""

DEPTH_KEY = np.uint64(0xD1B5_4A32_D192_ED03)
MIN_LEAF_KEY = np.uint64(0x8CB9_2BA7_2F3D_8DD7)
ONLY_KEY = np.uint64(0xA24B_AED4_963E_E407)
"""Odd constants that mix the depth, `min_leaf` and `only` of a node into its key in the memo."""


@inner
def done(levels, level):
    """Whether the node needs no search: for all numbers of splits, the bound reaches the best cost or the limit."""
    node = levels.node[level]
    for s in range(node.width):
        low = node.leaf if node.width > 1 and s == 0 else node.lowest
        if min(levels.best[level, s], levels.limit[level, s]) > max(low, levels.low[level, s]):
            return False
    return True


@inner
def take(levels, level, splits, cost, choice):
    """Keep a tree with at most this number of splits if it is better than the best so far."""
    if cost < levels.best[level, splits]:
        levels.best[level, splits] = cost
        levels.choice[level, splits] = choice


@inner
def take_fewer(levels, level):
    """Replace the best tree by one with fewer splits that costs the same or less."""
    node = levels.node[level]
    best, choice = levels.best[level], levels.choice[level]
    for s in range(1, node.width):
        if best[s - 1] <= best[s]:
            best[s], choice[s] = best[s - 1], choice[s - 1]


@inner
def _impurity(arena, begin, n_rows, rows, count, cuts):
    """The least weighted Gini impurity after a cut of an attribute or, without `cuts`, after a branch for each code."""
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
def _score_lists(arena, lists, n_lists, n_rows, rows, kind, scratch):
    """Write the impurity after the best split of each list in the table at `lists`.

    scratch.count[TOTAL] must have the weight of each class. A list of kind BELOW gets the impurity of the next list, so
    that it stays before it.
    """
    for k in range(n_lists):
        attribute, scored = arena[lists + 2 * k], arena[lists + 2 * k + 1]
        cuts = is_cut(kind, attribute)
        if kind is not None and kind[attribute] == BELOW:
            scored = arena[lists + 2 * k + 3]
        scratch.score[attribute] = _impurity(arena, scored, n_rows, rows, scratch.count, cuts)


@inner
def sort_lists(arena, lists, n_lists, score):
    """Sort the table of lists at `lists` by the score of their attributes, the least first, then by attribute."""
    for k in range(n_lists):
        attribute, begin, at = arena[lists + 2 * k], arena[lists + 2 * k + 1], lists + 2 * k
        while at > lists and (
            score[arena[at - 2]] > score[attribute]
            or (score[arena[at - 2]] == score[attribute] and arena[at - 2] > attribute)
        ):
            arena[at], arena[at + 1] = arena[at - 2], arena[at - 1]
            at -= 2
        arena[at], arena[at + 1] = attribute, begin


@inner
def reach_of(rule, levels, level):
    """The greatest depth of a useful tree: each level costs at least one split."""
    node = levels.node[level]
    if rule.price == 0 or rule.counts_splits:
        return node.depth
    useful = min(levels.best[level, 0], levels.limit[level, 0])
    return min(node.depth, (useful - node.forced - 1) // rule.price)


@inner
def may_sweep(rule, node):
    """Whether many cuts of a node with two levels left may be solved in one pass (a sweep)."""
    return rule.sweep_bits > 0 and (node.min_leaf == 1 or rule.row_weight > 0)


@inner
def enter(rows, kind, rule, arena, levels, level, memo, pairs, scratch, look):
    """Enter a node: count its rows, write its first bounds and read the memo; return the next phase.

    The search for the best stump is skipped if the cuts of the node will be swept, unless `look` asks for it, and if
    pairs are counted. If pairs are counted, a node with at most PAIR_LEVELS levels, or one to `look` at, has one list.
    """
    node = levels.node[level]
    n_rows, base, classes, count = node.rows, node.base, rule.classes, scratch.count
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
    parent_lists, lists = node.parent_lists, node.lists
    has_lists = pairs is None or (node.depth > PAIR_LEVELS and not look)
    n_lists, n_with_missing = np.int64(0), np.int64(0)
    for missing in range(1 if kind is None else 2):  # lists with missing numbers come last
        if missing > 0 and n_with_missing == 0:
            break
        for k in range(node.n_parent_lists if has_lists else 0):
            begin = base + k * n_rows
            attribute, first = arena[parent_lists + 2 * k], arena[begin] >> RANK_SHIFT
            if first == arena[begin + n_rows - 1] >> RANK_SHIFT:
                continue
            if kind is not None and kind[attribute] == BELOW and first > 0:  # no row lacks the number
                continue
            lacks = has_missing(kind, attribute, arena, begin, n_rows)
            n_with_missing += lacks
            if lacks == (missing > 0):
                arena[lists + 2 * n_lists] = attribute
                arena[lists + 2 * n_lists + 1] = begin
                n_lists += 1
    node.n_lists = n_lists
    node.current = -1
    node.totals = lists + 2 * n_lists
    for c in range(classes):
        arena[node.totals + c] = count[TOTAL, c]
    node.free = node.totals + classes
    node.number = number
    leaves = min(n_rows, number // node.min_leaf)
    is_known = kind is not None and node.only >= 0
    depth = node.depth if is_known else min(node.depth, leaves - 1)
    if not is_known and rule.price > 0 and leaf > forced:  # each level needs at least one split
        depth = min(depth, (leaf - forced - 1) // rule.price)
    node.depth = depth
    width = width_of(rule, depth, max(1, leaves))
    node.width = width
    node.lowest = rule.price + forced if is_known else min(leaf, rule.price + forced)
    for s in range(width):
        levels.best[level, s] = NEVER if is_known else leaf
        levels.choice[level, s] = NO_CHOICE
    if not is_known and (depth <= 0 or (has_lists and n_lists == 0) or leaf <= rule.price + forced):
        node.lowest = leaf
        return NodePhase.LEAVE
    for c in range(classes):
        count[LEFT, c] = 0
    raise_lows(levels.low[level], np.int64(0), np.int64(1), width, rule, node.min_leaf, number, count, np.int64(1))
    if done(levels, level):
        return NodePhase.LEAVE
    if depth > 1:
        node.key_0 = key_0 ^ (np.uint64(depth) * DEPTH_KEY)
        node.key_1 = key_1 + np.uint64(depth) + np.uint64(node.min_leaf) * MIN_LEAF_KEY
        if is_known:
            node.key_0 ^= np.uint64(node.only + 1) * ONLY_KEY
        slot = find(memo, node.key_0, node.key_1)
        if memo.key[slot, 0] != 0 or memo.key[slot, 1] != 0:
            for s in range(width):
                levels.low[level, s] = max(levels.low[level, s], memo.cost[slot, MEMO_LOW, s])
                levels.best[level, s] = memo.cost[slot, MEMO_HIGH, s]
                levels.choice[level, s] = memo.cost[slot, MEMO_CHOICE, s]
            if done(levels, level):
                return NodePhase.LEAVE
        node.reach = reach_of(rule, levels, level)
        if is_known:
            node.reach = max(node.reach, np.int64(2))
            return NodePhase.NEXT_ATTRIBUTE
        if node.reach == 2 and may_sweep(rule, node) and not rule.counts_splits and not look:
            return NodePhase.NEXT_ATTRIBUTE
        if pairs is None and node.reach > 1:
            _score_lists(arena, lists, n_lists, n_rows, rows, kind, scratch)
            sort_lists(arena, lists, n_lists, scratch.score)
            scratch.state[WORK] += n_rows * n_lists
    return NodePhase.STUMP if pairs is None else NodePhase.PAIRS


@inner
def leave(levels, level, scratch):
    """Write a lower and an upper bound of the least cost of the node for its parent."""
    node = levels.node[level]
    width = node.width
    for s in range(width):
        best = levels.best[level, s]
        low = node.leaf if width > 1 and s == 0 else node.lowest
        low = max(low, levels.low[level, s], min(best, levels.limit[level, s]))
        scratch.lowest[s], scratch.high[s] = min(low, best), best


@inner
def keep(levels, level, memo, scratch):
    """Write the bounds and the best trees of the node to the memo, unless it is full."""
    node = levels.node[level]
    key_0, key_1 = node.key_0, node.key_1
    slot = find(memo, key_0, key_1)
    if not put(memo, slot, key_0, key_1):
        return
    for s in range(node.width):
        memo.cost[slot, MEMO_LOW, s] = max(memo.cost[slot, MEMO_LOW, s], scratch.lowest[s])
        if scratch.high[s] < memo.cost[slot, MEMO_HIGH, s]:
            memo.cost[slot, MEMO_HIGH, s] = scratch.high[s]
            memo.cost[slot, MEMO_CHOICE, s] = levels.choice[level, s]
