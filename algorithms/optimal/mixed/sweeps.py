"""Sweeps: solve the cuts of a node with two levels left, LANES at a time, by the best stumps of both sides of each.

The cuts of several attributes are solved together. They are chosen at even distances from all that may still give a
better tree. With good bounds, the middle cut of an attribute often rules out all others. Then one pass over the lists
is enough for LANES attributes.

If leaves have a minimum size, all rows must have the same weight, so that weights count rows. The same pass finds the
best relaxed stumps (see `cut_bounds`). Their leaves may be smaller by the number of rows up to the next cut that is
solved or current.

If missing numbers have a branch of their own, a node first splits the rows without the number of an attribute from all
others. This gives the cost of their branch, which is the same for all cuts of the attribute. Then the cuts are solved.
The rows of that branch are on neither side of them.
"""

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import LANES
from algorithms.optimal.mixed.cut_windows import (
    APART,
    CLASSES,
    LEFT,
    OPEN,
    RELAXED,
    RIGHT,
    SOLVED,
    WEIGHT_SHIFT,
    WINDOW,
    leaf_of,
    mark_rows,
    open_cuts_of_known,
    write_fewest,
    write_known_right,
)
from algorithms.optimal.mixed.list_sweeps import sweep_list, sweep_list_of_two_classes
from algorithms.optimal.mixed.node_entry import NONE, take, take_fewer
from algorithms.optimal.mixed.node_levels import SPLIT_BITS, WORK, NodePhase
from algorithms.optimal.mixed.packed_rows import (
    BELOW,
    CLASS_MASK,
    CUTS,
    RANK_SHIFT,
    ROW_MASK,
    THREE_LABELS,
    has_missing,
    missing_rank,
)

LEAF, SPLIT = np.int64(0), np.int64(1)
"""A column of `Sweep.cost` is LEFT or RIGHT plus LEAF or SPLIT; or RELAXED plus the side."""
NO_SLACK = np.int64(0)


@inner
def sweep_cuts(rows, kind, branches, rule, arena, levels, level, sweep, numbers, grains, fewest, scratch):
    """Solve up to LANES cuts that may give a better tree; return the next phase.

    All arguments but `level`, the level of the node, are those of `phases.search`.
    """
    node = levels.node[level]
    if branches is not None and sweep.number[OPEN] == 0 and sweep.number[APART] > 0:
        open_cuts_of_known(rows, kind, branches, arena, node, sweep)
        _open_cuts(branches, rule, levels, level, sweep)
    if sweep.number[OPEN] == 0:
        node.current += sweep.number[WINDOW] - 1
        return NodePhase.NEXT_ATTRIBUTE
    number, n_open = min(sweep.number[OPEN], LANES), sweep.number[OPEN]
    for lane in range(LANES):  # choose open cuts at even distances
        sweep.cut[lane] = sweep.open[(2 * lane + 1) * n_open // (2 * number)] if lane < number else 0
    mark_rows(rows, branches, rule, arena, node, number, sweep)
    if fewest is not None:
        write_fewest(node, number, sweep, fewest)
    write_known_right(node, number, sweep, fewest)
    swept = _sweep_lists(rows, kind, branches, rule, arena, node, sweep, numbers, grains, fewest)
    scratch.state[WORK] += node.rows * (swept + sweep.number[WINDOW])
    for lane in range(number):
        _take_cut(kind, branches, rule, arena, levels, level, sweep, fewest, lane)
    _merge_cuts(sweep, number)
    _open_cuts(branches, rule, levels, level, sweep)
    if kind is not None and branches is None and fewest is None:
        _open_same_cuts(rule, levels, level, sweep)
    return NodePhase.SWEEP


@inner
def _sweep_lists(rows, kind, branches, rule, arena, node, sweep, numbers, grains, fewest):
    """Find the best stumps of the sides of the current cuts; return the number of lists that were read.

    With two classes and leaves of any size, the second list of an attribute that appears twice tries missing numbers on
    either side of each split, and the first list is skipped. A branch of their own costs as much as the better side.
    """
    classes, total, right, swept = sweep.number[CLASSES], sweep.total, sweep.right, np.int64(0)
    lacks = None if branches is None else sweep.lacks
    for k in range(node.n_lists):
        begin, swept = arena[node.lists + 2 * k + 1], swept + 1
        end = lacking = begin + node.rows
        if kind is not None:
            attribute = arena[node.lists + 2 * k]
            if classes == 2 and fewest is None and kind[attribute] != CUTS:
                if kind[attribute] == BELOW:  # the next list tries these splits, too
                    swept -= 1
                    continue
                while arena[lacking - 1] >> RANK_SHIFT == missing_rank(kind, attribute):
                    lacking -= 1
        if classes == 2:
            stop = None if kind is None else end
            sweep_list_of_two_classes(
                arena, begin, lacking, stop, sweep.mark, lacks, grains, total, fewest, right, numbers
            )
            continue
        if branches is not None:
            end = _leave_out(rows, kind, rule, arena, arena[node.lists + 2 * k], begin, end, sweep)
        sweep_list(arena, begin, end, sweep.mark, lacks, grains, classes, total, fewest, right, numbers)
        if branches is not None and end < begin + node.rows:
            _put_back(sweep)
    return swept


@inner
def _leave_out(rows, kind, rule, arena, attribute, begin, end, sweep):
    """Subtract the rows that lack the number of a list from `total` and `right`; return the end of the other rows.

    On each side, these rows get a leaf of their own.
    """
    if not has_missing(kind, attribute, arena, begin, end - begin):
        return end
    total, missing, classes = sweep.total, sweep.missing, sweep.number[CLASSES]
    missing[:] = 0
    while arena[end - 1] >> RANK_SHIFT == missing_rank(kind, attribute):
        end -= 1
        row = arena[end] & ROW_MASK
        mark, lacks = sweep.mark[row], sweep.lacks[row]
        weight = mark >> WEIGHT_SHIFT if rule.sweep_bits < 64 else rows.grains[row]
        for lane in range(LANES):
            if not lacks >> lane & 1:
                missing[(mark >> LANES) & CLASS_MASK, 1 - (mark >> lane & 1), lane] += weight
    for side in range(2):
        for lane in range(LANES):
            for c in range(classes):
                total[c, side, lane] -= missing[c, side, lane]
            sweep.kept[side, lane] = sweep.right[side, lane]
            sweep.right[side, lane] -= _missing_right(sweep, lane, side)
    return end


@inner
def _put_back(sweep):
    """Undo `_leave_out`, and add a leaf for the rows that lack the number to the best stump or leaf of the others."""
    total, missing, classes = sweep.total, sweep.missing, sweep.number[CLASSES]
    for side in range(2):
        for lane in range(LANES):
            leaf = np.int64(0)
            for c in range(classes):
                leaf = max(leaf, total[c, side, lane])
                total[c, side, lane] += missing[c, side, lane]
            best = _missing_right(sweep, lane, side) + max(sweep.right[side, lane], leaf)
            sweep.right[side, lane] = max(best, sweep.kept[side, lane])


@inner
def _missing_right(sweep, lane, side):
    """The weight that a leaf for the rows of a side that lack the number classifies correctly."""
    most = np.int64(0)
    for c in range(sweep.number[CLASSES]):
        most = max(most, sweep.missing[c, side, lane])
    return most


@inner
def _right_of(sweep, lane, side, split, weight):
    """The weight that the best stump (`split` 0) or relaxed stump (1) of a side of a current cut classifies correctly.

    weight : of the side, which the result does not exceed
    """
    right = sweep.right[2 * split + side, lane]
    if sweep.number[CLASSES] == 2:
        more, less = sweep.right[4 * split + side, lane], sweep.right[4 * split + 2 + side, lane]
        right = max(sweep.total[1, side, lane] + more, sweep.total[0, side, lane] - less)
    return min(weight, right)


@inner
def _take_cut(kind, branches, rule, arena, levels, level, sweep, fewest, lane):
    """Write the costs of the sides of a current cut, and keep its tree if it is the best so far."""
    node, cut = levels.node[level], sweep.cut[lane]
    cost = sweep.cost[cut]
    for side in range(2):
        weight, most = leaf_of(sweep, lane, side)
        right = relaxed = _right_of(sweep, lane, side, 0, weight)
        if fewest is not None:
            relaxed = _right_of(sweep, lane, side, 1, weight)
        leaf = (weight - most) * rule.grain
        sweep.known[cut, side] = right
        cost[2 * side + LEAF] = leaf
        cost[2 * side + SPLIT] = min(leaf, rule.price + (weight - right) * rule.grain)
        cost[RELAXED + side] = min(leaf, rule.price + (weight - relaxed) * rule.grain)
    k = cut // (node.rows + 1)
    at = node.lists + 2 * (node.current + k)
    choice = (arena[at] << SPLIT_BITS) | arena[arena[at + 1] + cut - k * (node.rows + 1) - 1] >> RANK_SHIFT
    if branches is not None and sweep.number[APART] > 0 and _has_three_labels(kind, arena, at, choice):
        return
    if not rule.counts_splits:
        apart = 0 if branches is None else sweep.apart[k, SPLIT]
        take(levels, level, NONE, rule.price + cost[LEFT + SPLIT] + cost[RIGHT + SPLIT] + apart, choice)
        return
    for c in range(1 if branches is None else 2):
        price = rule.price if branches is None else rule.price + sweep.apart[k, c]
        for a in range(2):
            for b in range(2):
                if a + b + c + 1 < node.width:
                    take(levels, level, a + b + c + 1, price + cost[LEFT + a] + cost[RIGHT + b], choice)
    take_fewer(levels, level)


@inner
def _has_three_labels(kind, arena, at, choice):
    """Whether an attribute has three labels at the node, so that no split may separate only the last one."""
    return kind[arena[at]] > THREE_LABELS and arena[arena[at + 1]] >> RANK_SHIFT < choice & 1


@inner
def _merge_cuts(sweep, number):
    """Merge the `number` current cuts into the solved ones."""
    k, lane = sweep.number[SOLVED] - 1, number - 1
    sweep.number[SOLVED] += number
    for at in range(sweep.number[SOLVED] - 1, -1, -1):
        if lane < 0:
            return
        if sweep.cut[lane] > sweep.solved[k]:
            sweep.solved[at] = sweep.cut[lane]
            lane -= 1
        else:
            sweep.solved[at] = sweep.solved[k]
            k -= 1


@inner
def _open_cuts(branches, rule, levels, level, sweep):
    """Keep those open cuts that may give a better tree by the bounds from the solved cuts on either side."""
    weight, kept, at = sweep.before, np.int64(0), np.int64(0)
    for k in range(sweep.number[SOLVED] - 1):
        first, last = sweep.solved[k], sweep.solved[k + 1]
        if at == sweep.number[OPEN] or sweep.open[at] > last:
            continue
        behind = weight[last] - weight[first]
        low_0, high_0 = _open_weights(branches, rule, levels, level, sweep, first, last, behind, LEAF, LEAF, NO_SLACK)
        low_1, high_1 = _open_weights(branches, rule, levels, level, sweep, first, last, behind, LEAF, SPLIT, NO_SLACK)
        low_2, high_2 = _open_weights(branches, rule, levels, level, sweep, first, last, behind, SPLIT, LEAF, NO_SLACK)
        low_3, high_3 = _open_weights(branches, rule, levels, level, sweep, first, last, behind, SPLIT, SPLIT, NO_SLACK)
        while at < sweep.number[OPEN] and sweep.open[at] <= last:
            cut = sweep.open[at]
            more = (weight[cut] - weight[first]) * rule.grain
            sweep.open[kept] = cut
            kept += cut < last and (
                low_0 < more < high_0 or low_1 < more < high_1 or low_2 < more < high_2 or low_3 < more < high_3
            )
            at += 1
    sweep.number[OPEN] = kept


@inner
def _open_same_cuts(rule, levels, level, sweep):
    """Keep those open cuts that may give a better tree by the solved cuts of the other list of the same attribute.

    In the other list, the same cut has the missing numbers on its other side. The side that loses them costs at least
    as much, less their weight; the side that gains them costs at least as much.
    """
    weight, positions = sweep.before, levels.node[level].rows + 1
    kept = k = attribute = first = last = end = low = high = np.int64(0)
    for at in range(sweep.number[OPEN]):
        cut = sweep.open[at]
        if cut >= end:
            attribute, last = cut // positions, np.int64(-1)
            end = (attribute + 1) * positions
        same, may_be_better = cut + sweep.same_cut[attribute], True
        if same != cut:
            if same > last:
                while sweep.solved[k] > same:
                    k -= 1
                while sweep.solved[k + 1] < same:
                    k += 1
                first, last = sweep.solved[k], sweep.solved[k + 1]
                slack, behind = sweep.lacking[attribute] * rule.grain, weight[last] - weight[first]
                low, high = _open_weights(None, rule, levels, level, sweep, first, last, behind, SPLIT, SPLIT, slack)
            may_be_better = rule.counts_splits or low < (weight[same] - weight[first]) * rule.grain < high
        sweep.open[kept] = cut
        kept += may_be_better
    sweep.number[OPEN] = kept


@inner
def _open_weights(branches, rule, levels, level, sweep, first, last, behind, a, b, slack):
    """The range of the weight between a solved cut and a later cut within which the later cut may give a better tree.

    Take a cut between two neighbouring solved cuts, `first` and `last`. By the bounds of `cut_bounds`, its left side
    costs at least as much as a relaxed stump of the left side of `first`; and at least as much as the left side of
    `last`, less the weight that it lacks of this side. For its right side, exchange `first` and `last`. Each sum of a
    left and a right bound must be below the limit. The range is in the unit of the weights of rows; it is (0, 0) if no
    cut between them may give a better tree.

    a, b   : LEAF or SPLIT, for the left and the right side
    behind : weight between `first` and `last`, in units of `grain`
    slack  : cost by which the sum of the bounds may be too high
    """
    splits = a + b + 1 if rule.counts_splits else NONE
    if splits >= levels.node[level].width or not (rule.counts_splits or a + b == 2):
        return NONE, NONE
    before, after = sweep.cost[first], sweep.cost[last]
    useful = min(levels.best[level, splits], levels.limit[level, splits])
    if branches is not None:
        apart = sweep.apart[first // (levels.node[level].rows + 1)]
        more = min(splits + 1, levels.node[level].width - 1)
        with_split = min(levels.best[level, more], levels.limit[level, more]) - apart[SPLIT]
        useful = max(useful - apart[LEAF], with_split)
    useful += slack - rule.price
    more_left, less_left = before[RELAXED if a else LEFT], after[LEFT + a] - behind * rule.grain
    more_right, less_right = after[RELAXED + 1 if b else RIGHT], before[RIGHT + b]
    if more_left + more_right >= useful or less_left + less_right >= useful:
        return NONE, NONE
    return more_left + less_right - useful, useful - less_left - more_right
