"""The buffers of a sweep, which solves LANES cuts of a node with two levels left in one pass over its lists."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import LANES
from algorithms.kernel_arrays import array, arrays_of
from algorithms.optimal.mixed.packed_rows import (
    BELOW,
    CLASS_BITS,
    CLASS_MASK,
    RANK_SHIFT,
    ROW_BITS,
    ROW_MASK,
    has_missing,
)

WEIGHT_SHIFT = LANES + CLASS_BITS
BEFORE = (1 << LANES) - 1
"""The bits of a mark that say which cuts a row lies before."""

HEAVIEST = (1 << (63 - WEIGHT_SHIFT)) - 1
"""The greatest weight of a row that a mark holds, in units of `grain`."""

CLASSES, SOLVED, OPEN, WINDOW = range(4)
POSITIONS = 1 << 17
"""About how many cuts the buffers hold; always those of one attribute."""


class Sweep(NamedTuple):
    """The cuts of a window of attributes, one attribute after another, and the costs of their sides.

    The position of a cut is the number of rows before it, from 0 to all rows of the node, counted on from attribute to
    attribute.
    """

    number: Any = array("4")
    """Number of CLASSES of the node, of SOLVED cuts (with both ends of each attribute), of OPEN cuts, of attributes."""
    cut: Any = array("lanes")  # the current cuts; 0 in unused lanes
    mark: Any = array("rows")
    """Of each row: a bit for each current cut that it lies before; the number of its class among those of the node; its
    weight in units of `grain`, or 1 if numbers have 64 bits."""
    slot_of: Any = array("classes")  # number of each class among those of the node
    before: Any = array("positions")  # weight of the rows before each cut, in units of `grain`
    solved: Any = array("positions", np.int32)  # cuts that are solved, in order, with the ends
    cost: Any = array("positions 6")
    """Of a solved cut: LEFT and RIGHT side, each as a LEAF and with at most one SPLIT; then both of RELAXED trees."""
    known: Any = array("positions 2")  # weight that a split gets right on each side of a solved cut, in `grain`s
    open: Any = array("positions", np.int32)  # cuts that may still make a better tree, in order
    total: Any = array("classes 2 lanes")  # weight of each class on each side of the current cuts, in units of `grain`
    right: Any = array("8 lanes")  # as in `list_sweeps`
    missing: Any = array("classes 2 lanes")  # weight of each class on each side whose number is missing in a list
    same_cut: Any = array("attributes")
    """Of each attribute, if it appears twice in the window: from a cut to the one that splits all rows alike, except
    those that lack the number; else 0."""
    lacking: Any = array("attributes")  # the weight of these rows, in units of `grain`
    kept: Any = array("2 lanes")  # weight that the best split of each side got right before such a list


def empty_sweep(rows: int, classes: int, attributes: int) -> Sweep:
    """Buffers for the cuts of this many rows and of a window of at most so many attributes."""
    positions = (rows + 1) * min(attributes, max(1, POSITIONS // (rows + 1)))
    return arrays_of(Sweep, rows=rows, classes=classes, attributes=attributes, lanes=LANES, positions=positions)


def scratch_of_sweeps(bits: int, classes: int) -> NDArray[np.signedinteger]:
    """Scratch for `list_sweeps`, of numbers with these bits, from the beginning of a line of the processor's cache."""
    line, scratch = 64 // (bits // 8), np.zeros((6 * classes * LANES + 64), f"i{bits // 8}")
    begin = -(scratch.__array_interface__["data"][0] // scratch.itemsize) % line
    return scratch[begin : begin + 6 * classes * LANES]


@inner
def start_sweep(rows, kind, rule, arena, node, any_cut, sweep):
    """Begin with the attributes from the current one on. All their cuts are open; only the ends are solved.

    They end before an attribute that some rows lack.

    any_cut : whether the node may make any cut, so that none need be solved twice
    """
    classes, n_rows = np.int64(0), node.rows
    for c in range(rule.classes):
        weighs = arena[node.totals + c] > 0
        sweep.slot_of[c] = classes if weighs else 0  # rows may weigh 0 units: they count in no class
        classes += weighs
    window = min(node.n_lists - node.current, np.int64(len(sweep.lacking)), len(sweep.before) // (n_rows + 1))
    if kind is not None:
        window = _window_of(kind, arena, node, window)
    sweep.number[CLASSES], sweep.number[SOLVED], sweep.number[WINDOW] = classes, 2 * window, window
    sweep.number[OPEN] = 0
    for i in range(node.base, node.base + n_rows):
        row = arena[i] & ROW_MASK
        weight = rows.grains[row] if rule.sweep_bits < 64 else np.int64(1)
        sweep.mark[row] = weight << WEIGHT_SHIFT | sweep.slot_of[(arena[i] >> ROW_BITS) & CLASS_MASK] << LANES
    follows_below = False
    for k in range(window):
        is_below = kind is not None and any_cut and kind[arena[node.lists + 2 * (node.current + k)]] == BELOW
        _write_cuts(rows, arena, node, k, is_below, sweep)
        sweep.same_cut[k] = 0
        if follows_below:
            begin, lacking = arena[node.lists + 2 * (node.current + k) - 1], np.int64(0)
            while arena[begin + lacking] >> RANK_SHIFT == 0:
                lacking += 1
            sweep.same_cut[k - 1], sweep.same_cut[k] = n_rows + 1 - lacking, lacking - n_rows - 1
            sweep.lacking[k - 1] = sweep.lacking[k] = sweep.before[(k - 1) * (n_rows + 1) + lacking]
        follows_below = is_below
        for end in range(2):
            position = k * (n_rows + 1) + end * n_rows
            sweep.solved[2 * k + end] = position
            sweep.cost[position] = 0
            sweep.known[position] = 0


@inner
def _window_of(kind, arena, node, most):
    """The number of attributes from the current one on that no row lacks; 1 if the node is cut by one only."""
    window = np.int64(1)
    while node.only < 0 and window < most:
        at = node.lists + 2 * (node.current + window)
        if has_missing(kind, arena[at], arena, arena[at + 1], node.rows):
            break
        window += 1
    return window


@inner
def _write_cuts(rows, arena, node, k, is_below, sweep):
    """Write the weight before each position of an attribute, and its cuts as open ones.

    is_below : whether the first cut is the last one of the next attribute, and is left out
    """
    begin, first = arena[node.lists + 2 * (node.current + k) + 1], k * (node.rows + 1)
    before, kept, repeated = np.int64(0), sweep.number[OPEN], 0 if is_below else -1
    for i in range(node.rows):
        sweep.before[first + i] = before
        enough = node.min_leaf == 1 or node.min_leaf <= before <= node.number - node.min_leaf
        sweep.open[kept] = first + i
        rank = arena[begin + i - 1] >> RANK_SHIFT if i > 0 else np.int64(-1)
        kept += i > 0 and enough and rank != repeated and rank != arena[begin + i] >> RANK_SHIFT
        before += rows.grains[arena[begin + i] & ROW_MASK]
    sweep.before[first + node.rows] = before
    sweep.number[OPEN] = kept


@inner
def mark_rows(rows, rule, arena, node, number, sweep):
    """Mark the current cuts that each row lies before; write the weight of each class on the sides of these cuts."""
    total, n_rows, lane = sweep.total, node.rows, np.int64(0)
    for i in range(node.base, node.base + n_rows):
        sweep.mark[arena[i] & ROW_MASK] &= ~BEFORE
    while lane < number:
        k = sweep.cut[lane] // (n_rows + 1)
        first, begin, end = k * (n_rows + 1), arena[node.lists + 2 * (node.current + k) + 1], lane + 1
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
                weight = mark >> WEIGHT_SHIFT if rule.sweep_bits < 64 else rows.grains[row]
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
def write_fewest(node, number, sweep, fewest):
    """Write the fewest rows in a leaf, of the trees asked for and of relaxed trees.

    A relaxed tree bounds the cuts up to the next one that is solved or current, and up to the last that leaves enough
    rows.
    """
    before, k = sweep.before, np.int64(0)
    for lane in range(LANES):
        fewest[0, lane] = fewest[1, lane] = fewest[2, lane] = fewest[3, lane] = node.min_leaf
    for lane in range(number):
        cut = sweep.cut[lane]
        while sweep.solved[k + 1] < cut:
            k += 1
        first = before[max(sweep.solved[k], sweep.cut[lane - 1] if lane else 0)]
        last = before[min(sweep.solved[k + 1], sweep.cut[lane + 1] if lane < number - 1 else sweep.solved[k + 1])]
        more = max(np.int64(0), min(last, node.number - node.min_leaf) - before[cut])
        fewer = max(np.int64(0), before[cut] - max(first, node.min_leaf))
        fewest[2, lane] = max(np.int64(1), node.min_leaf - more)
        fewest[3, lane] = max(np.int64(1), node.min_leaf - fewer)


@inner
def write_known_right(node, number, sweep, fewest):
    """Write the weight that the sides of the current cuts are known to get right.

    Where one leaf gets all rows right, and in unused lanes, no split can get more right.
    """
    total, right, classes, k = sweep.total, sweep.right, sweep.number[CLASSES], np.int64(0)
    everything = sweep.before[node.rows]
    for row in range(len(right)):
        right[row] = -everything if row & 2 and classes == 2 else everything
    for lane in range(number):
        while sweep.solved[k + 1] < sweep.cut[lane]:
            k += 1
        for side in range(2):
            weight, most = leaf_of(sweep, lane, side)
            if most == weight:
                continue
            most = max(most, _known_right(sweep, k, lane, side, fewest))
            for split in range(1 if fewest is None else 2):
                if classes == 2:
                    right[4 * split + side, lane] = most - total[1, side, lane]
                    right[4 * split + 2 + side, lane] = total[0, side, lane] - most
                else:
                    right[2 * split + side, lane] = most


@inner
def _known_right(sweep, k, lane, side, fewest):
    """The least weight that a split of a side of a current cut gets right, by the solved cuts k and k + 1 beside it.

    A tree gets as much right of a superset as of a subset. Of a subset it gets less right by at most the weight that is
    missing, if its leaves may have any size.
    """
    first, cut, last = sweep.solved[k], sweep.cut[lane], sweep.solved[k + 1]
    inside, beyond = (first, last) if side == 0 else (last, first)
    known = sweep.known[inside, side]
    if fewest is None:
        known = max(known, sweep.known[beyond, side] - abs(sweep.before[beyond] - sweep.before[cut]))
    return known


@inner
def leaf_of(sweep, lane, side):
    """The (weight of a side of a current cut, weight that a single leaf gets right)."""
    weight, most = np.int64(0), np.int64(0)
    for c in range(sweep.number[CLASSES]):
        weight += sweep.total[c, side, lane]
        most = max(most, sweep.total[c, side, lane])
    return weight, most
