"""All cuts of one attribute at a node with two levels left, so many at a time: both sides of each by one more split."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import LANES, list_sweeps
from algorithms.kernel_arrays import array, arrays_of
from algorithms.optimal.mixed.node_entry import NONE, take, take_fewer
from algorithms.optimal.mixed.node_levels import BEST, LIMIT, SPLIT_BITS, WORK, Phase
from algorithms.optimal.mixed.packed_rows import CLASS_BITS, CLASS_MASK, NEVER, RANK_SHIFT, ROW_BITS, ROW_MASK

__all__ = ["HEAVIEST", "Sweep", "empty_sweep", "lay_sweep", "sweep_cuts"]

SLOT = 2 * LANES
WEIGHT_SHIFT = CLASS_BITS + SLOT.bit_length() - 1

sweep_of_two_classes_32, sweep_32 = list_sweeps(RANK_SHIFT, ROW_MASK, WEIGHT_SHIFT, 32)
sweep_of_two_classes_64, sweep_64 = list_sweeps(RANK_SHIFT, ROW_MASK, WEIGHT_SHIFT, 64)

HEAVIEST = (1 << (31 - WEIGHT_SHIFT)) - 1
"""The greatest weight of a row that a mark holds, in units of `grain`."""

LEFT, RIGHT, LEAF, SPLIT = 0, 2, 0, 1
CLASSES, SOLVED, OPEN = range(3)

ANY = np.int64(NEVER)
"""More rows than there are; a plain number would be a type of its own, for which kernels are compiled once more."""


class Sweep(NamedTuple):
    """Cuts of an attribute, each known by how many rows lie before it, and what their sides cost."""

    number: Any = array("3")  # CLASSES of the node; cuts that are SOLVED, with the two ends; OPEN ones
    cut: Any = array("lanes", np.int32)  # those in hand; 0 where there are fewer
    mark: Any = array("rows", np.int32)
    """Of each row, SLOT times its class, counted among those of the node, plus how many of the cuts in hand it does not
    lie before; from WEIGHT_SHIFT on its weight in units of `grain`, 1 where numbers have 64 bits."""
    laid: Any = array("rows", np.int32)  # marks in the order of the list, before cuts are in hand
    slot_of: Any = array("classes", np.int32)  # of each class of the node, its mark
    before: Any = array("rows+1")  # weight of the rows before each cut, in units of `grain`
    solved: Any = array("rows+1", np.int32)  # the cuts that were solved, in order, and the two ends
    merged: Any = array("rows+1", np.int32)  # room for them
    cost: Any = array("rows+1 4")  # of a cut that is solved, LEFT and RIGHT: as a LEAF, with a SPLIT at most
    known: Any = array("rows+1 2")  # of a cut that is solved, what a split gets right of its sides, in units of `grain`
    open: Any = array("rows", np.int32)  # cuts that may still make a better tree, in order
    total: Any = array("classes 2 lanes")  # what each class weighs on each side of the cuts in hand, in `grain`s
    right: Any = array("4 lanes")  # this and the next are those of `list_sweeps`
    room: Any = array("3 classes 2 lanes")


def empty_sweep(rows: int, classes: int) -> Sweep:
    """Room for any cuts of so many rows."""
    return arrays_of(Sweep, _aligned, rows=rows, classes=classes, lanes=LANES)


def _aligned(shape: tuple[int, ...], dtype: Any) -> Any:
    """Zeros that begin with a line of the processor's cache."""
    size, line = math.prod(shape) * np.dtype(dtype).itemsize, 8 * LANES
    room = np.zeros(size + line, np.uint8)
    begin = -room.ctypes.data % line
    return room[begin : begin + size].view(dtype).reshape(shape)


@inner
def lay_sweep(rows, rule, arena, node, sweep):
    """Make ready to sweep the attribute in hand: all its cuts are open, and no more is known than its two ends."""
    begin, classes = arena[node.lists + 2 * node.place + 1], np.int64(0)
    for c in range(rule.classes):
        sweep.slot_of[c] = classes * SLOT
        classes += arena[node.totals + c] > 0
    sweep.number[CLASSES], sweep.number[SOLVED] = classes, 2
    sweep.number[OPEN] = _lay_rows(rows, rule, arena, begin, node.rows, sweep)
    sweep.solved[0], sweep.solved[1] = 0, node.rows
    sweep.cost[0] = 0
    sweep.cost[node.rows] = 0
    sweep.known[0] = 0
    sweep.known[node.rows] = 0


@inner
def sweep_cuts(rows, rule, arena, levels, level, sweep, room):
    """Solve some cuts of the attribute in hand that may make a better tree: the phase that follows."""
    node = levels.node[level]
    begin = arena[node.lists + 2 * node.place + 1]
    if sweep.number[OPEN] == 0:
        return Phase.NEXT_ATTRIBUTE
    number = _choose_cuts(sweep.number[OPEN], sweep)
    _lay_totals(rows, rule, arena, node, begin, number, sweep)
    _sweep_lists(rows, rule, arena, node, sweep)
    room.state[WORK] += node.rows * (node.n_lists + 1)
    for lane in range(number):
        _take_cut(rule, arena, levels, level, begin, sweep, lane)
    _merge_cuts(sweep, number)
    _open_cuts(rule, levels, level, sweep)
    return Phase.SWEEP


@inner
def _lay_rows(rows, rule, arena, begin, n_rows, sweep):
    """Write the marks of the rows of a list, what those before each of them weigh, and all cuts: how many."""
    before, found = np.int64(0), np.int64(0)
    for i in range(n_rows):
        word = arena[begin + i]
        weight = rows.grains[word & ROW_MASK]
        mark = (weight if rule.lanes == 32 else np.int64(1)) << WEIGHT_SHIFT
        sweep.laid[i], sweep.before[i] = mark | sweep.slot_of[(word >> ROW_BITS) & CLASS_MASK], before
        before += weight
        sweep.open[found] = i
        found += i > 0 and arena[begin + i - 1] >> RANK_SHIFT != word >> RANK_SHIFT
    sweep.before[n_rows] = before
    return found


@inner
def _choose_cuts(n_open, sweep):
    """Choose open cuts, evenly if they are too many: how many."""
    number = min(n_open, LANES)
    for lane in range(LANES):
        sweep.cut[lane] = sweep.open[(2 * lane + 1) * n_open // (2 * number)] if lane < number else 0
    return number


@inner
def _lay_totals(rows, rule, arena, node, begin, number, sweep):
    """Write where the rows lie among the cuts in hand, what the classes weigh on their sides, what leaves get right.

    Where a leaf gets all right, and where there is no cut, that is more than any split does: it need not be sought.
    """
    total, right, classes, at = sweep.total, sweep.right, sweep.number[CLASSES], np.int64(0)
    for lane in range(number + 1):
        end = np.int64(sweep.cut[lane]) if lane < number else node.rows
        for c in range(classes if lane < number else 0):
            total[c, 0, lane] = total[c, 0, lane - 1] if lane else 0
        for i in range(at, end):
            row, mark = arena[begin + i] & ROW_MASK, sweep.laid[i]
            sweep.mark[row] = mark + lane
            if lane < number:
                weight = np.int64(mark >> WEIGHT_SHIFT) if rule.lanes == 32 else rows.grains[row]
                total[(mark // SLOT) & CLASS_MASK, 0, lane] += weight
        at = end
    everything = sweep.before[node.rows]
    for k in range(4):
        right[k] = -everything if k % 2 and classes == 2 else everything
    for c in range(rule.classes):
        of_class, slot = arena[node.totals + c] // rule.grain, sweep.slot_of[c] // SLOT
        for lane in range(LANES if of_class else 0):
            if lane >= number:
                total[slot, 0, lane] = of_class
            total[slot, 1, lane] = of_class - total[slot, 0, lane]
    k = np.int64(0)
    for lane in range(number):
        while sweep.solved[k + 1] < sweep.cut[lane]:
            k += 1
        for side in range(2):
            weight, most = _leaf(sweep, lane, side)
            if most == weight:
                continue
            most = max(most, _known_right(sweep, k, lane, side))
            if classes == 2:
                right[2 * side, lane] = most - total[1, side, lane]
                right[2 * side + 1, lane] = total[0, side, lane] - most
            else:
                right[side, lane] = most


@inner
def _known_right(sweep, k, lane, side):
    """Weight of a side of a cut in hand that a split gets right at least, by the solved cuts k and k + 1 beside it.

    What a tree gets right of fewer rows it gets right of more; and of more rows, as much less as there are fewer.
    """
    first, cut, last = sweep.solved[k], sweep.cut[lane], sweep.solved[k + 1]
    inside, beyond = (first, last) if side == 0 else (last, first)
    return max(sweep.known[inside, side], sweep.known[beyond, side] - abs(sweep.before[beyond] - sweep.before[cut]))


@inner
def _leaf(sweep, lane, side):
    """(weight of a side of a cut in hand, weight that a leaf gets right)."""
    weight, most = np.int64(0), np.int64(0)
    for c in range(sweep.number[CLASSES]):
        weight += sweep.total[c, side, lane]
        most = max(most, sweep.total[c, side, lane])
    return weight, most


@inner
def _sweep_lists(rows, rule, arena, node, sweep):
    """Find what the best splits of the sides of the cuts in hand get right, by all lists of the node."""
    classes, mark, total, right, room = sweep.number[CLASSES], sweep.mark, sweep.total, sweep.right, sweep.room
    for k in range(node.n_lists):
        begin = arena[node.lists + 2 * k + 1]
        end = begin + node.rows
        if classes == 2 and rule.lanes == 32:
            sweep_of_two_classes_32(arena, begin, end, mark, rows.grains, right, room)
        elif classes == 2:
            sweep_of_two_classes_64(arena, begin, end, mark, rows.grains, right, room)
        elif rule.lanes == 32:
            sweep_32(arena, begin, end, mark, rows.grains, classes, total, right, room)
        else:
            sweep_64(arena, begin, end, mark, rows.grains, classes, total, right, room)


@inner
def _side_costs(rule, sweep, lane, side, cost, known):
    """Write what a side of a cut in hand costs as a LEAF, and with a SPLIT at most, and what that gets right."""
    weight, most = _leaf(sweep, lane, side)
    right = sweep.right[side, lane]
    if sweep.number[CLASSES] == 2:
        more, less = sweep.right[2 * side, lane], sweep.right[2 * side + 1, lane]
        right = max(sweep.total[1, side, lane] + more, sweep.total[0, side, lane] - less)
    known[side] = min(weight, right)
    cost[2 * side + LEAF] = (weight - most) * rule.grain
    cost[2 * side + SPLIT] = min(cost[2 * side + LEAF], rule.price + (weight - known[side]) * rule.grain)


@inner
def _take_cut(rule, arena, levels, level, begin, sweep, lane):
    """Take a cut both sides of which are solved."""
    node, cut = levels.node[level], sweep.cut[lane]
    cost = sweep.cost[cut]
    for side in range(2):
        _side_costs(rule, sweep, lane, side, cost, sweep.known[cut])
    choice = (arena[node.lists + 2 * node.place] << SPLIT_BITS) | arena[begin + cut - 1] >> RANK_SHIFT
    if not rule.budgeted:
        take(levels, level, NONE, rule.price + cost[LEFT + SPLIT] + cost[RIGHT + SPLIT], choice)
        return
    for a in range(2):
        for b in range(2):
            if a + b + 1 < node.width:
                take(levels, level, a + b + 1, rule.price + cost[LEFT + a] + cost[RIGHT + b], choice)
    take_fewer(levels, level)


@inner
def _merge_cuts(sweep, number):
    """Put the cuts in hand among those that were solved before."""
    k, lane = np.int64(0), np.int64(0)
    sweep.number[SOLVED] += number
    for at in range(sweep.number[SOLVED]):
        if lane < number and sweep.cut[lane] < sweep.solved[k]:
            sweep.merged[at] = sweep.cut[lane]
            lane += 1
        else:
            sweep.merged[at] = sweep.solved[k]
            k += 1
    for at in range(sweep.number[SOLVED]):
        sweep.solved[at] = sweep.merged[at]


@inner
def _open_cuts(rule, levels, level, sweep):
    """Keep the open cuts that may still make a better tree, by those beside them that were solved."""
    weight, grain, found, at = sweep.before, rule.grain, np.int64(0), np.int64(0)
    useful = min(levels.cost[level, BEST, 0], levels.cost[level, LIMIT, 0]) - rule.price
    left, right = LEFT + SPLIT, RIGHT + SPLIT
    for k in range(sweep.number[SOLVED] - 1):
        first, last = sweep.solved[k], sweep.solved[k + 1]
        before, behind = sweep.cost[first], sweep.cost[last]
        promising = _promising(rule, levels, level, before, behind, ANY, ANY)
        low_left, low_right = before[left], behind[right]
        from_last, from_first = behind[left] - weight[last] * grain, before[right] + weight[first] * grain
        while at < sweep.number[OPEN] and sweep.open[at] <= last:
            cut = sweep.open[at]
            at += 1
            if not promising or cut == last:
                continue
            sweep.open[found] = cut
            if rule.budgeted:
                more, fewer = (weight[cut] - weight[first]) * grain, (weight[last] - weight[cut]) * grain
                found += _promising(rule, levels, level, before, behind, more, fewer)
            else:
                here = weight[cut] * grain
                least = max(low_left, from_last + here) + max(low_right, from_first - here)
                found += least < useful
    sweep.number[OPEN] = found


@inner
def _promising(rule, levels, level, first, last, more, fewer):
    """Whether a cut may make a better tree, by what the sides cost of one before it and of one after it.

    Left of it lie more rows than left of the first, which cost no less; and fewer than left of the last, which cost
    less by no more than their weight. Right of it, the other way round.
    """
    if not rule.budgeted:
        left, right = LEFT + SPLIT, RIGHT + SPLIT
        least = max(first[left], last[left] - fewer) + max(last[right], first[right] - more)
        return rule.price + least < min(levels.cost[level, BEST, 0], levels.cost[level, LIMIT, 0])
    for a in range(2):
        for b in range(2):
            splits = a + b + 1
            if splits < levels.node[level].width:
                left, right = LEFT + a, RIGHT + b
                least = max(first[left], last[left] - fewer) + max(last[right], first[right] - more)
                if rule.price + least < min(levels.cost[level, BEST, splits], levels.cost[level, LIMIT, splits]):
                    return True
    return False
