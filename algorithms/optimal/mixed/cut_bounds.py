"""The cuts of a numeric attribute at a node, and the bounds that the cost of one cut gives for the others.

A later cut has more rows on its left and fewer on its right. If leaves may have any size, two bounds of the least cost
of a set of rows follow:

1. Monotonicity: a set of rows costs at least as much as each of its subsets.
2. Similarity (Demirović et al. 2022): a subset costs at least as much as its superset, less the weight of the rows that
   it lacks.

By these bounds, ConTree (Briţa et al. 2025, section 4) prunes the neighbours of a cut and shrinks intervals of cuts.

If leaves have a minimum size, bound 2 still holds, because further rows only enlarge leaves. Bound 1 does not: a leaf
with enough rows of the superset may have too few rows of the subset. It is short of at most the rows that the subset
lacks. So the superset costs at least as much as the best *relaxed* tree of the subset, whose leaves may be smaller by
that number of rows. Relaxed trees bound each other in the same ways, but by 2 only if their leaves may have any size.

If missing numbers may go to either side, each cut of the known numbers occurs twice (see `packed_rows.BELOW`): first
with the missing ones on its left, then with them on its right. By 1, the right side of the second cut costs at least as
much as that of the first. By 2, its left side costs at least as much as that of the first, less the weight of the rows
that lack the number. Also by 2, a side costs at least as much as all rows with one level less than the node, less the
weight of the other side. This excludes most cuts that only separate a few rows from all others.

An interval of cuts begins and ends with a promising cut. Its middle cut is solved, and divides it in two.

The table of cuts is stored by column, each with a word for each merged row of the node. Element k of a column is of the
k-th cut. With `width` numbers of splits, the columns are:

- 0: position of the cut in the list, the number of merged rows before it;
- CUT_RANK: the rank before the cut;
- CUT_WEIGHT: the weight of the rows before it;
- CUT_NUMBER: their number, counted before merging;
- CUT_LOWS on: `width` columns of lower bounds of its left side, and `width` of its right side;
- then, if `keeps_relaxed`, as many columns for the relaxed trees of both sides.
"""

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.optimal.mixed.node_levels import LEFT, TOTAL
from algorithms.optimal.mixed.packed_rows import CLASS_MASK, RANK_SHIFT, ROW_BITS, ROW_MASK
from algorithms.optimal.never import NEVER

CUT_RANK, CUT_WEIGHT, CUT_NUMBER, CUT_LOWS = 1, 2, 3, 4


@inner
def cuts_of_list(arena, node, begin, rows, kind, rule, width, count, lacking, whole):
    """Write the table of the cuts of a list that leave at least `min_leaf` rows on both sides; return their number.

    begin   : position of the list in the arena
    width   : length of the vectors of bounds of a side
    count   : (2, classes) weight of each class at the node in row TOTAL; row LEFT is a buffer
    lacking : the weight of the rows that lack the number, if the table still has the cuts of the same attribute of kind
              BELOW: first the cut between these rows and all others, then those with them on the left; else 0
    whole   : (width,) lower bounds of all rows of the node with one level less; 0 where unknown
    """
    classes, n_rows = rule.classes, node.rows
    all_weight = np.int64(0)
    for c in range(classes):
        count[LEFT, c] = 0
        all_weight += count[TOTAL, c]
    weight, most, forced, in_left = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    n_cuts = np.int64(0)
    for i in range(begin, begin + n_rows - 1):
        word = arena[i]
        row = word & ROW_MASK
        c = (word >> ROW_BITS) & CLASS_MASK
        count[LEFT, c] += rows.weight[row]
        most = max(most, count[LEFT, c])
        weight += rows.weight[row]
        forced += rows.forced[row]
        in_left += rows.count[row]
        rank = word >> RANK_SHIFT
        if arena[i + 1] >> RANK_SHIFT == rank:
            continue
        if in_left < node.min_leaf or node.number - in_left < node.min_leaf:
            continue
        if kind is not None and lacking > 0 and n_cuts + 1 == node.n_cuts:
            break  # the rows that lack the number are alone, as in the first cut of the list before
        most_right = np.int64(0)
        for c in range(classes):
            most_right = max(most_right, count[TOTAL, c] - count[LEFT, c])
        cell = node.table + n_cuts
        arena[cell], arena[cell + CUT_RANK * n_rows] = i + 1 - begin, rank
        arena[cell + CUT_WEIGHT * n_rows], arena[cell + CUT_NUMBER * n_rows] = weight, in_left
        cell += CUT_LOWS * n_rows
        write_lows(arena, cell, n_rows, width, rule, weight - most, forced)
        raise_lows(arena, cell, n_rows, width, rule, node.min_leaf, in_left, count, np.int64(0))
        cell += width * n_rows
        write_lows(arena, cell, n_rows, width, rule, all_weight - weight - most_right, node.forced - forced)
        raise_lows(arena, cell, n_rows, width, rule, node.min_leaf, node.number - in_left, count, np.int64(1))
        if kind is not None:
            for column in range(2 * width):
                low, is_right = cell + (column - width) * n_rows, column >= width
                arena[low] = max(arena[low], whole[column % width] - (weight if is_right else all_weight - weight))
                if lacking > 0:  # the same cut of the list before is one further on, and not yet overwritten
                    arena[low] = max(arena[low], arena[low + 1] - (0 if is_right else lacking))
        for s in range(2 * width if keeps_relaxed(rule, node) else 0):
            arena[cell + (width + s) * n_rows] = 0
        n_cuts += 1
    return n_cuts


@inner
def write_lows(arena, at, step, width, rule, leaf, forced):
    """Write lower bounds of a set of rows: the cost as a leaf, or a split and the equivalent points bound.

    at, step     : position of the first bound in the arena, and words from one bound to the next
    leaf, forced : cost as a leaf; equivalent points bound
    """
    if rule.counts_splits:
        arena[at] = leaf
        for splits in range(1, width):
            arena[at + splits * step] = min(leaf, rule.price + forced)
    else:
        arena[at] = min(leaf, rule.price + forced)


@inner
def raise_lows(lows, at, step, width, rule, min_leaf, number, count, side):
    """Raise the bounds of the rows on one side of a cut by the weights of the classes alone (class bounds).

    This is done if the search is thorough and all splits are binary. A tree with s binary splits has s + 1 leaves, so
    it predicts at most s + 1 classes. All rows of other classes are errors. If a class has fewer rows than `min_leaf`,
    any leaf that predicts it contains rows of other classes, at least as many as the class is short of `min_leaf`. So
    the errors of a tree that predicts k classes are at least the weight of the other classes, and at least the sum of
    these shortfalls. Both are least for the k heaviest classes. The tree also costs at least k - 1 splits.

    lows, at, step, width : the bounds, by number of splits, are lows[at], lows[at + step], ..., `width` in all
    min_leaf : fewest rows in a leaf
    number   : rows on this side, counted before merging
    count    : (2, classes) weight of each class at the node in row TOTAL, and left of the cut in row LEFT
    side     : 0: left of the cut; 1: right of it
    """
    if not (rule.thorough and rule.binary):
        return
    classes, rest, short, best = len(count[TOTAL]), np.int64(0), np.int64(0), np.int64(NEVER)
    for c in range(classes):
        rest += count[TOTAL, c] - count[LEFT, c] if side else count[LEFT, c]
    predicted = min(classes, number // min_leaf)
    before, last = np.int64(NEVER), np.int64(-1)
    for k in range(max(width, predicted)):
        if k < predicted:  # the next class by weight
            heaviest, chosen = np.int64(-1), np.int64(-1)
            for c in range(classes):
                weight = count[TOTAL, c] - count[LEFT, c] if side else count[LEFT, c]
                if heaviest < weight and (weight < before or (weight == before and c > last)):
                    heaviest, chosen = weight, np.int64(c)
            before, last = heaviest, chosen
            rest -= heaviest
            short += max(np.int64(0), min_leaf * rule.row_weight - heaviest)
            best = min(best, max(rest, short) + k * rule.price)
        if k < width and rule.counts_splits:
            lows[at + k * step] = max(lows[at + k * step], best)
    if not rule.counts_splits:
        lows[at] = max(lows[at], best)


@inner
def _promising(arena, node, cut, width, rule, levels, level):
    """Whether a cut may give a better tree, by the bounds of its two sides in the table."""
    n_rows = node.rows
    left = node.table + CUT_LOWS * n_rows + cut
    right = left + width * n_rows
    if not rule.counts_splits:
        useful = min(levels.best[level, 0], levels.limit[level, 0])
        return rule.price + arena[left] + arena[right] < useful
    for a in range(width):
        for b in range(min(width, node.width - 1 - a)):
            useful = min(levels.best[level, a + b + 1], levels.limit[level, a + b + 1])
            if rule.price + arena[left + a * n_rows] + arena[right + b * n_rows] < useful:
                return True
    return False


@inner
def relaxed_min_leaf(arena, node):
    """For each side of the current cut, the fewest rows per leaf of relaxed trees that bound all of its interval."""
    n_rows = node.rows
    numbers = node.table + CUT_NUMBER * n_rows
    here = arena[numbers + node.cut]
    left = node.min_leaf - (arena[numbers + node.last] - here)
    right = node.min_leaf - (here - arena[numbers + node.first])
    return max(np.int64(1), left), max(np.int64(1), right)


@inner
def keeps_relaxed(rule, node):
    """Whether the table of cuts has columns for relaxed trees."""
    return rule.thorough and node.min_leaf > 1 and node.reach > 2


@inner
def bound_cuts(arena, node, width, rule, scratch):
    """Raise the bounds of the cuts of the current interval by those of the current cut, which are in `scratch`."""
    n_rows, cut, first, last = node.rows, node.cut, node.first, node.last
    weights, lows = node.table + CUT_WEIGHT * n_rows, node.table + CUT_LOWS * n_rows
    here, keeps = arena[weights + cut], keeps_relaxed(rule, node)
    for side in range(2):
        more_from, more_to = (cut + 1, last + 1) if side == 0 else (first, cut)  # cuts with more rows on this side
        fewer_from, fewer_to = (first, cut) if side == 0 else (cut + 1, last + 1)
        any_size = keeps and relaxed_min_leaf(arena, node)[side] == 1
        for s in range(width):
            low = lows + (side * width + s) * n_rows
            relaxed_low = low + 2 * width * n_rows
            solved, relaxed = scratch.side_low[side, s], scratch.side_relaxed[side, s]
            arena[low + cut] = max(arena[low + cut], solved)
            for t in range(more_from, more_to):
                arena[low + t] = max(arena[low + t], relaxed)
                if keeps:
                    arena[relaxed_low + t] = max(arena[relaxed_low + t], relaxed)
            for t in range(fewer_from, fewer_to if rule.weight_bounds else fewer_from):
                between = abs(arena[weights + t] - here)
                arena[low + t] = max(arena[low + t], solved - between)
                if any_size:
                    arena[relaxed_low + t] = max(arena[relaxed_low + t], relaxed - between)


@inner
def next_cut(arena, node, first, last, width, rule, levels, level):
    """Shrink an interval to its first and last promising cut; return (first, middle, last), all promising cuts.

    The middle is -1 if no cut is promising.
    """
    while first <= last and not _promising(arena, node, first, width, rule, levels, level):
        first += 1
    while first < last and not _promising(arena, node, last, width, rule, levels, level):
        last -= 1
    if first > last:
        return first, np.int64(-1), last
    middle = (first + last) // 2
    while not _promising(arena, node, middle, width, rule, levels, level):
        middle += 1
    return first, middle, last
