"""The cuts of a node with two levels left, LANES at a time: both sides of each by one more split.

The cuts of many attributes are solved together, evenly chosen from all that may still make a better tree. Where the
bounds are good, the middle cut of an attribute tells that no other is of use; then one pass over the lists is enough
for LANES attributes.

Where leaves have a least size, the rows must weigh alike: their number is their weight. Then looser trees (see
`cut_bounds`) are found beside the others. Their leaves may be smaller by the rows up to the next cut that is known.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import LANES, list_sweeps
from algorithms.kernel_arrays import array, arrays_of
from algorithms.optimal.mixed.node_entry import NONE, take, take_fewer
from algorithms.optimal.mixed.node_levels import BEST, LIMIT, SPLIT_BITS, WORK, Phase
from algorithms.optimal.mixed.packed_rows import CLASS_BITS, CLASS_MASK, RANK_SHIFT, ROW_BITS, ROW_MASK

__all__ = ["HEAVIEST", "Sweep", "empty_sweep", "lay_sweep", "sweep_cuts"]

WEIGHT_SHIFT = LANES + CLASS_BITS
BEFORE = (1 << LANES) - 1
"""The bits of a mark for the cuts that a row lies before."""

sweep_of_two_classes_16, sweep_16 = list_sweeps(RANK_SHIFT, ROW_MASK, WEIGHT_SHIFT, 16)
sweep_of_two_classes_32, sweep_32 = list_sweeps(RANK_SHIFT, ROW_MASK, WEIGHT_SHIFT, 32)
sweep_of_two_classes_64, sweep_64 = list_sweeps(RANK_SHIFT, ROW_MASK, WEIGHT_SHIFT, 64)

HEAVIEST = (1 << (63 - WEIGHT_SHIFT)) - 1
"""The greatest weight of a row that a mark holds, in units of `grain`."""

LEFT, RIGHT, LOOSER = 0, 2, 4
LEAF, SPLIT = np.int64(0), np.int64(1)
CLASSES, SOLVED, OPEN, WINDOW = range(4)
PLACES = 1 << 17
"""About how many cuts there is room for, if those of a single attribute are not more."""


class Sweep(NamedTuple):
    """Cuts of some attributes, one after another, and what their sides cost.

    A place is a cut by how many rows lie before it: from 0 to all rows of the node, for each attribute in hand.
    """

    number: Any = array("4")
    """CLASSES of the node; cuts that are SOLVED, with the two ends of each attribute; OPEN ones; attributes in hand."""
    cut: Any = array("lanes")  # those in hand; 0 where there are fewer
    mark: Any = array("rows")
    """Of each row, a bit for each cut in hand that it lies before; its class, counted among those of the node; its
    weight in units of `grain`, 1 where numbers have 64 bits."""
    slot_of: Any = array("classes")  # of each class of the node, its number there
    before: Any = array("places")  # weight of the rows before each cut, in units of `grain`
    solved: Any = array("places", np.int32)  # the cuts that were solved, in order, and the ends
    cost: Any = array("places 6")
    """Of a cut that is solved, LEFT and RIGHT: as a LEAF, with a SPLIT at most; then, for each, of LOOSER trees."""
    known: Any = array("places 2")  # of a cut that is solved, what a split gets right of its sides, in units of `grain`
    open: Any = array("places", np.int32)  # cuts that may still make a better tree, in order
    total: Any = array("classes 2 lanes")  # what each class weighs on each side of the cuts in hand, in `grain`s
    right: Any = array("8 lanes")  # this and the next are those of `list_sweeps`
    room: Any = array("3 classes 2 lanes")


def empty_sweep(rows: int, classes: int, attributes: int) -> Sweep:
    """Room for any cuts of so many rows."""
    places = (rows + 1) * min(attributes, LANES, max(1, PLACES // (rows + 1)))
    return arrays_of(Sweep, _aligned, rows=rows, classes=classes, lanes=LANES, places=places)


def _aligned(shape: tuple[int, ...], dtype: Any) -> Any:
    """Zeros that begin with a line of the processor's cache."""
    size, line = math.prod(shape) * np.dtype(dtype).itemsize, 8 * LANES
    room = np.zeros(size + line, np.uint8)
    begin = -room.ctypes.data % line
    return room[begin : begin + size].view(dtype).reshape(shape)


@inner
def lay_sweep(rows, rule, arena, node, sweep):
    """Make ready to sweep attributes from the one in hand on: all cuts are open, and no more is known than the ends."""
    classes, n_rows = np.int64(0), node.rows
    for c in range(rule.classes):
        sweep.slot_of[c] = classes
        classes += arena[node.totals + c] > 0
    window = min(node.n_lists - node.place, np.int64(LANES), len(sweep.before) // (n_rows + 1))
    sweep.number[CLASSES], sweep.number[SOLVED], sweep.number[WINDOW] = classes, 2 * window, window
    sweep.number[OPEN] = 0
    for i in range(node.base, node.base + n_rows):
        row = arena[i] & ROW_MASK
        weight = rows.grains[row] if rule.lanes < 64 else np.int64(1)
        sweep.mark[row] = weight << WEIGHT_SHIFT | sweep.slot_of[(arena[i] >> ROW_BITS) & CLASS_MASK] << LANES
    for k in range(window):
        _lay_cuts(rows, arena, node, k, sweep)
        for end in range(2):
            place = k * (n_rows + 1) + end * n_rows
            sweep.solved[2 * k + end] = place
            sweep.cost[place] = 0
            sweep.known[place] = 0


@inner
def sweep_cuts(rows, rule, arena, levels, level, sweep, fewest, room):
    """Solve some cuts of the attributes in hand that may make a better tree: the phase that follows.

    fewest (4, LANES) : room for fewest rows of leaves, see `list_sweeps`; None where they may have any size
    """
    node = levels.node[level]
    if sweep.number[OPEN] == 0:
        node.place += sweep.number[WINDOW] - 1
        return Phase.NEXT_ATTRIBUTE
    number = _choose_cuts(sweep.number[OPEN], sweep)
    _lay_totals(rows, rule, arena, node, number, sweep)
    if fewest is not None:
        _lay_fewest(node, number, sweep, fewest)
    _lay_right(node, number, sweep, fewest)
    _sweep_lists(rows, rule, arena, node, sweep, fewest)
    room.state[WORK] += node.rows * (node.n_lists + sweep.number[WINDOW])
    for lane in range(number):
        _take_cut(rule, arena, levels, level, sweep, fewest, lane)
    _merge_cuts(sweep, number)
    _open_cuts(rule, levels, level, sweep)
    return Phase.SWEEP


@inner
def _lay_cuts(rows, arena, node, k, sweep):
    """Write what the rows before each place of an attribute in hand weigh, and all its cuts."""
    begin, first = arena[node.lists + 2 * (node.place + k) + 1], k * (node.rows + 1)
    before, found = np.int64(0), sweep.number[OPEN]
    for i in range(node.rows):
        sweep.before[first + i] = before
        enough = node.least == 1 or node.least <= before <= node.number - node.least
        sweep.open[found] = first + i
        found += i > 0 and enough and arena[begin + i - 1] >> RANK_SHIFT != arena[begin + i] >> RANK_SHIFT
        before += rows.grains[arena[begin + i] & ROW_MASK]
    sweep.before[first + node.rows] = before
    sweep.number[OPEN] = found


@inner
def _choose_cuts(n_open, sweep):
    """Choose open cuts, evenly if they are too many: how many."""
    number = min(n_open, LANES)
    for lane in range(LANES):
        sweep.cut[lane] = sweep.open[(2 * lane + 1) * n_open // (2 * number)] if lane < number else 0
    return number


@inner
def _lay_totals(rows, rule, arena, node, number, sweep):
    """Write which cuts in hand the rows lie before, and what the classes weigh on their sides."""
    total, n_rows, lane = sweep.total, node.rows, np.int64(0)
    for i in range(node.base, node.base + n_rows):
        sweep.mark[arena[i] & ROW_MASK] &= ~BEFORE
    while lane < number:
        k = sweep.cut[lane] // (n_rows + 1)
        first, begin, end = k * (n_rows + 1), arena[node.lists + 2 * (node.place + k) + 1], lane + 1
        while end < number and sweep.cut[end] <= first + n_rows:
            end += 1
        at = np.int64(0)
        for now in range(lane, end):
            bits = (np.int64(1) << end) - (np.int64(1) << now)
            for c in range(sweep.number[CLASSES]):
                total[c, 0, now] = total[c, 0, now - 1] if now > lane else 0
            for i in range(begin + at, begin + sweep.cut[now] - first):
                row = arena[i] & ROW_MASK
                mark = sweep.mark[row]
                sweep.mark[row] = mark | bits
                weight = mark >> WEIGHT_SHIFT if rule.lanes < 64 else rows.grains[row]
                total[(mark >> LANES) & CLASS_MASK, 0, now] += weight
            at = sweep.cut[now] - first
        lane = end
    for c in range(rule.classes):
        of_class, slot = arena[node.totals + c] // rule.grain, sweep.slot_of[c]
        for lane in range(LANES if of_class else 0):
            if lane >= number:
                total[slot, 0, lane] = 0
            total[slot, 1, lane] = of_class - total[slot, 0, lane]


@inner
def _lay_fewest(node, number, sweep, fewest):
    """Write the fewest rows of leaves: as they are asked for, and of looser trees.

    A looser tree bounds the cuts up to the next one that is solved or in hand, and to the last that leaves rows enough.
    """
    before, k = sweep.before, np.int64(0)
    for lane in range(LANES):
        fewest[0, lane] = fewest[1, lane] = fewest[2, lane] = fewest[3, lane] = node.least
    for lane in range(number):
        cut = sweep.cut[lane]
        while sweep.solved[k + 1] < cut:
            k += 1
        first = before[max(sweep.solved[k], sweep.cut[lane - 1] if lane else 0)]
        last = before[min(sweep.solved[k + 1], sweep.cut[lane + 1] if lane < number - 1 else sweep.solved[k + 1])]
        more = max(np.int64(0), min(last, node.number - node.least) - before[cut])
        fewer = max(np.int64(0), before[cut] - max(first, node.least))
        fewest[2, lane] = max(np.int64(1), node.least - more)
        fewest[3, lane] = max(np.int64(1), node.least - fewer)


@inner
def _lay_right(node, number, sweep, fewest):
    """Write what is known to be right of the sides of the cuts in hand.

    Where a leaf gets all right, and where there is no cut, that is more than any split does: it need not be sought.
    """
    total, right, classes, k = sweep.total, sweep.right, sweep.number[CLASSES], np.int64(0)
    everything = sweep.before[node.rows]
    for place in range(len(right)):
        right[place] = -everything if place % 2 and classes == 2 else everything
    for lane in range(number):
        while sweep.solved[k + 1] < sweep.cut[lane]:
            k += 1
        for side in range(2):
            weight, most = _leaf(sweep, lane, side)
            if most == weight:
                continue
            most = max(most, _known_right(sweep, k, lane, side, fewest))
            for split in range(1 if fewest is None else 2):
                place = 2 * split + side
                if classes == 2:
                    right[2 * place, lane] = most - total[1, side, lane]
                    right[2 * place + 1, lane] = total[0, side, lane] - most
                else:
                    right[place, lane] = most


@inner
def _known_right(sweep, k, lane, side, fewest):
    """Weight of a side of a cut in hand that a split gets right at least, by the solved cuts k and k + 1 beside it.

    What a tree gets right of fewer rows it gets right of more; and of more rows, as much less as there are fewer, if
    its leaves may then have any size.
    """
    first, cut, last = sweep.solved[k], sweep.cut[lane], sweep.solved[k + 1]
    inside, beyond = (first, last) if side == 0 else (last, first)
    known = sweep.known[inside, side]
    if fewest is None:
        known = max(known, sweep.known[beyond, side] - abs(sweep.before[beyond] - sweep.before[cut]))
    return known


@inner
def _leaf(sweep, lane, side):
    """(weight of a side of a cut in hand, weight that a leaf gets right)."""
    weight, most = np.int64(0), np.int64(0)
    for c in range(sweep.number[CLASSES]):
        weight += sweep.total[c, side, lane]
        most = max(most, sweep.total[c, side, lane])
    return weight, most


@inner
def _sweep_lists(rows, rule, arena, node, sweep, fewest):
    """Find what the best splits of the sides of the cuts in hand get right, by all lists of the node."""
    classes, mark, grains = sweep.number[CLASSES], sweep.mark, rows.grains
    total, right, room = sweep.total, sweep.right, sweep.room
    for k in range(node.n_lists):
        begin = arena[node.lists + 2 * k + 1]
        end = begin + node.rows
        if classes == 2 and rule.lanes == 16:
            sweep_of_two_classes_16(arena, begin, end, mark, grains, total, fewest, right)
        elif classes == 2 and rule.lanes == 32:
            sweep_of_two_classes_32(arena, begin, end, mark, grains, total, fewest, right)
        elif classes == 2:
            sweep_of_two_classes_64(arena, begin, end, mark, grains, total, fewest, right)
        elif rule.lanes == 16:
            sweep_16(arena, begin, end, mark, grains, classes, total, fewest, right, room)
        elif rule.lanes == 32:
            sweep_32(arena, begin, end, mark, grains, classes, total, fewest, right, room)
        else:
            sweep_64(arena, begin, end, mark, grains, classes, total, fewest, right, room)


@inner
def _right_of(sweep, lane, side, place):
    """Weight of a side of a cut in hand that the best split gets right; `place` is the side, or 2 + it if looser."""
    weight, _ = _leaf(sweep, lane, side)
    right = sweep.right[place, lane]
    if sweep.number[CLASSES] == 2:
        more, less = sweep.right[2 * place, lane], sweep.right[2 * place + 1, lane]
        right = max(sweep.total[1, side, lane] + more, sweep.total[0, side, lane] - less)
    return min(weight, right)


@inner
def _take_cut(rule, arena, levels, level, sweep, fewest, lane):
    """Take a cut both sides of which are solved."""
    node, cut = levels.node[level], sweep.cut[lane]
    cost = sweep.cost[cut]
    for side in range(2):
        weight, most = _leaf(sweep, lane, side)
        right = looser = _right_of(sweep, lane, side, side)
        if fewest is not None:
            looser = _right_of(sweep, lane, side, 2 + side)
        leaf = (weight - most) * rule.grain
        sweep.known[cut, side] = right
        cost[2 * side + LEAF] = leaf
        cost[2 * side + SPLIT] = min(leaf, rule.price + (weight - right) * rule.grain)
        cost[LOOSER + side] = min(leaf, rule.price + (weight - looser) * rule.grain)
    k = cut // (node.rows + 1)
    at = node.lists + 2 * (node.place + k)
    choice = (arena[at] << SPLIT_BITS) | arena[arena[at + 1] + cut - k * (node.rows + 1) - 1] >> RANK_SHIFT
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
def _open_cuts(rule, levels, level, sweep):
    """Keep the open cuts that may still make a better tree, by those beside them that were solved."""
    weight, found, at = sweep.before, np.int64(0), np.int64(0)
    for k in range(sweep.number[SOLVED] - 1):
        first, last = sweep.solved[k], sweep.solved[k + 1]
        if at == sweep.number[OPEN] or sweep.open[at] > last:
            continue
        behind = weight[last] - weight[first]
        low_0, high_0 = _open_weights(rule, levels, level, sweep, first, last, behind, LEAF, LEAF)
        low_1, high_1 = _open_weights(rule, levels, level, sweep, first, last, behind, LEAF, SPLIT)
        low_2, high_2 = _open_weights(rule, levels, level, sweep, first, last, behind, SPLIT, LEAF)
        low_3, high_3 = _open_weights(rule, levels, level, sweep, first, last, behind, SPLIT, SPLIT)
        while at < sweep.number[OPEN] and sweep.open[at] <= last:
            cut = sweep.open[at]
            more = (weight[cut] - weight[first]) * rule.grain
            sweep.open[found] = cut
            found += cut < last and (
                low_0 < more < high_0 or low_1 < more < high_1 or low_2 < more < high_2 or low_3 < more < high_3
            )
            at += 1
    sweep.number[OPEN] = found


@inner
def _open_weights(rule, levels, level, sweep, first, last, behind, a, b):
    """Between which weights of rows after one solved cut another may make a better tree, with these trees of its sides.

    Left of it lie more rows than left of the first, which cost no less than looser trees of these; and fewer than left
    of the last, which cost less by no more than their weight. Right of it, the other way round. Each sum of a bound of
    the left and one of the right must be less than what is useful.

    behind : what lies between the two cuts
    """
    splits = a + b + 1 if rule.budgeted else NONE
    if splits >= levels.node[level].width or not (rule.budgeted or a + b == 2):
        return NONE, NONE
    before, after = sweep.cost[first], sweep.cost[last]
    useful = min(levels.cost[level, BEST, splits], levels.cost[level, LIMIT, splits]) - rule.price
    more_left, less_left = before[LOOSER if a else LEFT], after[LEFT + a] - behind * rule.grain
    more_right, less_right = after[LOOSER + 1 if b else RIGHT], before[RIGHT + b]
    if more_left + more_right >= useful or less_left + less_right >= useful:
        return NONE, NONE
    return more_left + less_right - useful, useful - less_left - more_right
