"""Cuts of some attributes of a node with two levels left, laid out for a pass that solves LANES of them at a time."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import LANES
from algorithms.kernel_arrays import array, arrays_of
from algorithms.optimal.mixed.packed_rows import CLASS_BITS, CLASS_MASK, RANK_SHIFT, ROW_BITS, ROW_MASK

__all__ = [
    "CLASSES",
    "HEAVIEST",
    "OPEN",
    "SOLVED",
    "WEIGHT_SHIFT",
    "WINDOW",
    "Sweep",
    "empty_sweep",
    "lay_fewest",
    "lay_right",
    "lay_sweep",
    "lay_totals",
    "leaf_of",
]

WEIGHT_SHIFT = LANES + CLASS_BITS
BEFORE = (1 << LANES) - 1
"""The bits of a mark for the cuts that a row lies before."""

HEAVIEST = (1 << (63 - WEIGHT_SHIFT)) - 1
"""The greatest weight of a row that a mark holds, in units of `grain`."""

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
def lay_totals(rows, rule, arena, node, number, sweep):
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
def lay_fewest(node, number, sweep, fewest):
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
def lay_right(node, number, sweep, fewest):
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
            weight, most = leaf_of(sweep, lane, side)
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
def leaf_of(sweep, lane, side):
    """(weight of a side of a cut in hand, weight that a leaf gets right)."""
    weight, most = np.int64(0), np.int64(0)
    for c in range(sweep.number[CLASSES]):
        weight += sweep.total[c, side, lane]
        most = max(most, sweep.total[c, side, lane])
    return weight, most
