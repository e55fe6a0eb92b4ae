"""The buffers of a sweep, which solves up to LANES cuts of a node with two levels left in one pass over its lists."""

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
    missing_rank,
)

WEIGHT_SHIFT = LANES + CLASS_BITS
"""The first bit of the weight in a *mark*. A mark is an int64 of a merged row:

- bits 0 to 31 (LANES): a flag for each current cut, set if the row lies before the cut;
- bits 32 to 43 (CLASS_BITS): its class, numbered among those of the node;
- bits 44 to 62: its weight in units of `grain`, at most HEAVIEST; or 1 if `sweep_bits` is 64.
"""

BEFORE = (1 << LANES) - 1
"""The bits of a mark that are flags of cuts."""

HEAVIEST = (1 << (63 - WEIGHT_SHIFT)) - 1
"""The greatest weight that a mark holds: 2¹⁹ - 1."""

CLASSES, SOLVED, OPEN, WINDOW, APART = range(5)
LEFT, RIGHT, RELAXED = 0, 2, 4
POSITIONS = 1 << 17
"""About how many positions of cuts the buffers hold, but always those of one attribute."""


class Sweep(NamedTuple):
    """The cuts of a window of consecutive lists of a node, and the costs of their sides. All weights are in `grain`s.

    A cut is named by its position. That is its list's index in the window times (rows of the node + 1), plus the number
    of merged rows before it. The ends of a list, with no rows and with all rows before them, have positions, too.
    """

    number: Any = array("5")
    """The number of CLASSES at the node; of SOLVED cuts, including both ends of each list; of OPEN cuts; of lists in
    the WINDOW; and of those that first split rows APART."""
    cut: Any = array("lanes")  # positions of the current cuts, increasing; 0 in unused lanes
    mark: Any = array("rows")  # see WEIGHT_SHIFT
    lacks: Any = array("rows")  # flags as in a mark, for the cuts that send the row to a third branch
    end: Any = array("attributes")  # of each list: merged rows before those that have a third branch
    apart: Any = array("attributes 2")  # cost of this branch, as a LEAF and with at most one SPLIT, as in `cost`
    slot_of: Any = array("classes")  # number of each class among those of the node
    before: Any = array("positions")  # weight of the rows before each position
    solved: Any = array("positions", np.int32)  # positions of solved cuts and of ends, increasing
    cost: Any = array("positions 6")
    """Of a solved cut, in the unit of the weights of rows: LEFT + LEAF and LEFT + SPLIT, the left side as a leaf and
    with at most one split; RIGHT + LEAF and RIGHT + SPLIT; RELAXED and RELAXED + 1, both sides with at most one split
    of relaxed trees."""
    known: Any = array("positions 2")  # weight that the best stump of each side of a solved cut classifies correctly
    open: Any = array("positions", np.int32)  # positions of cuts that may still give a better tree, increasing
    total: Any = array("classes 2 lanes")  # weight of each class on each side of the current cuts
    right: Any = array("8 lanes")  # results of the current cuts, as in `list_sweeps`
    missing: Any = array("classes 2 lanes")  # weight of the rows without the number of a list, by class and side
    same_cut: Any = array("attributes")
    """Of each list whose attribute appears twice in the window: the distance from a cut to the cut of the other list
    that splits the rows with a number in the same way; else 0."""
    lacking: Any = array("attributes")  # of such a list: weight of the rows without a number
    kept: Any = array("2 lanes")  # weight that the best stumps classified correctly before rows were left out


def empty_sweep(rows: int, classes: int, attributes: int) -> Sweep:
    """Buffers for nodes of at most this many rows and windows of at most this many lists."""
    positions = (rows + 1) * min(attributes, max(1, POSITIONS // (rows + 1)))
    return arrays_of(Sweep, rows=rows, classes=classes, attributes=attributes, lanes=LANES, positions=positions)


def scratch_of_sweeps(bits: int, classes: int) -> NDArray[np.signedinteger]:
    """Scratch for `list_sweeps`: 6 * classes * LANES integers of `bits` bits, aligned to a cache line of 64 bytes."""
    line, scratch = 64 // (bits // 8), np.zeros((6 * classes * LANES + 64), f"i{bits // 8}")
    begin = -(scratch.__array_interface__["data"][0] // scratch.itemsize) % line
    return scratch[begin : begin + 6 * classes * LANES]


@inner
def start_sweep(rows, kind, branches, rule, arena, node, any_cut, sweep):
    """Begin a window with the current list of a node. All its cuts are open, and only its ends are solved.

    But if missing numbers have a branch of their own, first only the splits of such rows from all others are open.

    any_cut : whether the node may make any cut; then a cut that occurs in two lists is open only in the second
    """
    classes, n_rows = np.int64(0), node.rows
    for c in range(rule.classes):
        weighs = arena[node.totals + c] > 0
        sweep.slot_of[c] = classes if weighs else 0  # a class without rows at the node needs no number
        classes += weighs
    window = min(node.n_lists - node.current, np.int64(len(sweep.lacking)), len(sweep.before) // (n_rows + 1))
    if kind is not None and node.only >= 0:
        window = np.int64(1)
    sweep.number[CLASSES], sweep.number[SOLVED], sweep.number[WINDOW] = classes, 2 * window, window
    sweep.number[OPEN] = 0
    for i in range(node.base, node.base + n_rows):
        row = arena[i] & ROW_MASK
        weight = rows.grains[row] if rule.sweep_bits < 64 else np.int64(1)
        sweep.mark[row] = weight << WEIGHT_SHIFT | sweep.slot_of[(arena[i] >> ROW_BITS) & CLASS_MASK] << LANES
    follows_below = False
    for k in range(window):
        is_below = kind is not None and any_cut and kind[arena[node.lists + 2 * (node.current + k)]] == BELOW
        _write_cuts(rows, kind, branches, arena, node, k, is_below, sweep)
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
    if branches is not None:
        _split_apart(node, window, sweep)


@inner
def _split_apart(node, window, sweep):
    """If there are lists with rows that have a third branch, open only the splits of these rows from all others."""
    apart = np.int64(0)
    for k in range(window):
        sweep.apart[k] = 0
        if sweep.end[k] < node.rows:
            sweep.open[apart] = k * (node.rows + 1) + sweep.end[k]
            apart += 1
    sweep.number[APART] = apart
    if apart > 0:
        sweep.number[OPEN] = apart


@inner
def open_cuts_of_known(rows, kind, branches, arena, node, sweep):
    """Open all cuts, once the rows without a number were split from all others, to find the cost of their branch."""
    sweep.number[APART] = sweep.number[OPEN] = 0
    for k in range(sweep.number[WINDOW]):
        _write_cuts(rows, kind, branches, arena, node, k, False, sweep)
        if sweep.end[k] < node.rows:
            end = k * (node.rows + 1) + sweep.end[k]
            for splits in range(2):
                sweep.apart[k, splits] = sweep.cost[end, RIGHT + splits]
                sweep.cost[end, RIGHT + splits] = 0
            sweep.cost[end, RELAXED + 1] = sweep.known[end, 1] = 0


@inner
def _write_cuts(rows, kind, branches, arena, node, k, is_below, sweep):
    """Write the weight before each position of the k-th list of the window, and add its cuts to the open ones.

    is_below : whether the first cut is also the last cut of the next list, and is left out
    """
    begin, first = arena[node.lists + 2 * (node.current + k) + 1], k * (node.rows + 1)
    before, kept, repeated, end = np.int64(0), sweep.number[OPEN], 0 if is_below else -1, node.rows
    if branches is not None:
        attribute = arena[node.lists + 2 * (node.current + k)]
        if has_missing(kind, attribute, arena, begin, end):
            while arena[begin + end - 1] >> RANK_SHIFT == missing_rank(kind, attribute):
                end -= 1
        sweep.end[k] = end
    for i in range(node.rows):
        sweep.before[first + i] = before
        enough = node.min_leaf == 1 or node.min_leaf <= before <= node.number - node.min_leaf
        sweep.open[kept] = first + i
        rank = arena[begin + i - 1] >> RANK_SHIFT if i > 0 else np.int64(-1)
        kept += 0 < i < end and enough and rank != repeated and rank != arena[begin + i] >> RANK_SHIFT
        before += rows.grains[arena[begin + i] & ROW_MASK]
    sweep.before[first + node.rows] = before
    sweep.number[OPEN] = kept


@inner
def mark_rows(rows, branches, rule, arena, node, number, sweep):
    """Set the flags of the `number` current cuts in the marks; write the weight of each class on both sides of them.

    Rows without the number of a cut, if they have a third branch, are on neither side.
    """
    total, n_rows, lane = sweep.total, node.rows, np.int64(0)
    for i in range(node.base, node.base + n_rows):
        sweep.mark[arena[i] & ROW_MASK] &= ~BEFORE
        if branches is not None:
            sweep.lacks[arena[i] & ROW_MASK] = 0
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
                total[c, 1, now] = 0
            for i in range(begin + at, begin + sweep.cut[now] - first):
                row = arena[i] & ROW_MASK
                mark = sweep.mark[row]
                sweep.mark[row] = mark | bits
                weight = mark >> WEIGHT_SHIFT if rule.sweep_bits < 64 else rows.grains[row]
                total[(mark >> LANES) & CLASS_MASK, 0, now] += weight
            at = sweep.cut[now] - first
        if branches is not None and sweep.number[APART] == 0:
            for i in range(begin + sweep.end[k], begin + n_rows):
                row = arena[i] & ROW_MASK
                mark = sweep.mark[row]
                sweep.lacks[row] |= (np.int64(1) << end) - (np.int64(1) << lane)
                weight = mark >> WEIGHT_SHIFT if rule.sweep_bits < 64 else rows.grains[row]
                for now in range(lane, end):
                    total[(mark >> LANES) & CLASS_MASK, 1, now] -= weight
        lane = end
    for c in range(rule.classes):
        of_class, slot = arena[node.totals + c] // rule.grain, sweep.slot_of[c]
        for lane in range(LANES if of_class else 0):
            if lane >= number:
                total[slot, 0, lane] = total[slot, 1, lane] = 0
            total[slot, 1, lane] += of_class - total[slot, 0, lane]


@inner
def write_fewest(node, number, sweep, fewest):
    """Write the fewest rows in a leaf on each side of the current cuts, and in a leaf of relaxed trees.

    Relaxed trees of a side bound the cuts with more rows on it, up to the next cut that is solved or current, or to the
    last cut that leaves `min_leaf` rows.

    fewest : (4, LANES) written: `min_leaf` for both sides, then the numbers of relaxed trees for both sides
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
    """Write the weight that stumps of the sides of the current cuts are known to classify correctly.

    If one leaf classifies all rows of a side correctly, and in unused lanes, it is the weight of all rows, which no
    stump exceeds.
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
    """A lower bound of the weight that the best stump of a side of a current cut classifies correctly.

    It follows from the solved cuts k and k + 1 on either side. The best stump of a superset classifies at least as much
    weight correctly as that of a subset. If leaves may have any size, that of a subset classifies at least as much
    correctly as that of a superset, less the weight that the subset lacks.
    """
    first, cut, last = sweep.solved[k], sweep.cut[lane], sweep.solved[k + 1]
    inside, beyond = (first, last) if side == 0 else (last, first)
    known = sweep.known[inside, side]
    if fewest is None:
        known = max(known, sweep.known[beyond, side] - abs(sweep.before[beyond] - sweep.before[cut]))
    return known


@inner
def leaf_of(sweep, lane, side):
    """The (weight of a side of a current cut, weight that a leaf classifies correctly)."""
    weight, most = np.int64(0), np.int64(0)
    for c in range(sweep.number[CLASSES]):
        weight += sweep.total[c, side, lane]
        most = max(most, sweep.total[c, side, lane])
    return weight, most
