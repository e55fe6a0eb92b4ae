"""The best single split (stump) of each of two disjoint sets of rows, in one pass over sorted lists that have both.

A cut helps only if its leaves predict different classes, c on the left and d on the right. It gets right the weight of
c on the left plus that of d on the right. A row that moves from right to left changes this by at most its weight. So if
a cut gets less right than the best cut so far, at least the difference must move before another cut can be better.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.kernel_arrays import array
from algorithms.optimal.mixed.packed_rows import CUTS, NEVER, RANK_SHIFT, ROW_MASK

ALL_CODES = (1 << 31) - 1
"""The split of a nominal attribute with a branch for each value. Any other number is a set of values, as bits."""

TOTAL, LEFT, GRAINS = 0, 1, 2

MOVED_ENOUGH = 1 << 31
MOVED_FIELD = (1 << 32) - 1
MOVED_FLAGS = -(1 << 63) | MOVED_ENOUGH

SIDE = np.dtype(
    [
        ("weight", np.int64),
        ("rows", np.int64),
        ("leaf", np.int64),
        ("floor", np.int64),
        ("cost", np.int64),
        ("relaxed", np.int64),
        ("attribute", np.int64),
        ("split", np.int64),
        ("left_rows", np.int64),
        ("moved", np.int64),
        ("wanted", np.int64),
        ("grains", np.int64),
        ("grains_zero", np.int64),
        ("grains_one", np.int64),
        ("useful", np.int64),
        ("least", np.int64),
        ("relaxed_least", np.int64),
    ],
    align=True,
)
"""A side: a set of rows and its best stump.

weight, rows       : of the set
leaf, floor        : cost of one leaf; lower bound of the cost of any tree
cost, attribute, split : of the best stump so far, or of a leaf, whose attribute is -1
relaxed            : the least cost of a relaxed stump, see `cut_bounds`
left_rows          : number of rows left of the current cut
moved, wanted      : weight moved left since the last cut that was tried; weight that must move before the next is
grains, grains_zero, grains_one : with packed weights, in units of `grain`: all weight; of the first class; of the rest
useful             : with packed weights, in units of `grain`: errors below which a stump is the best so far
least, relaxed_least : fewest rows in a leaf; in a leaf of a relaxed stump
"""


class SideCounts(NamedTuple):
    """Two sets of rows."""

    side: Any = array("2", SIDE)  # each side
    slot: Any = array("rows", np.int32)  # of each row: its class; in the second side, plus the number of classes
    count: Any = array(
        "3 2*classes"
    )  # by slot: TOTAL weight; weight LEFT of the current cut; total weight in units of `grain`
    table: Any = array(
        "codes 2*classes+3"
    )  # of each code: weight by slot; rows in the first and in the second side; the code


@inner
def price_of(rule, branches):
    """The cost of a split with this many branches."""
    return rule.price * (branches - 1) if rule.per_leaf else rule.price


@inner
def _useful(rule, cost):
    """The errors of a stump, in units of `grain`, below which it costs less than `cost`."""
    return -((rule.price - cost) // rule.grain)


@inner
def clear_sides(sides):
    """Make both sets empty."""
    for slot in range(sides.count.shape[1]):
        sides.count[TOTAL, slot] = 0
    for s in range(2):
        sides.side[s].rows = 0


@inner
def close_sides(sides, rule, floor_0, floor_1):
    """Write the cost of one leaf for each side, after its rows are counted; the floors are lower bounds."""
    classes = rule.classes
    for s in range(2):
        side = sides.side[s]
        weight, most = np.int64(0), np.int64(0)
        for slot in range(s * classes, s * classes + classes):
            count = sides.count[TOTAL, slot]
            weight += count
            most = max(most, count)
            if rule.bits:
                sides.count[GRAINS, slot] = count // rule.grain
        side.weight = weight
        side.leaf = side.cost = side.relaxed = weight - most
        side.floor = min(weight - most, floor_1 if s else floor_0)
        side.attribute = -1
        if rule.bits:
            side.grains = weight // rule.grain
            side.grains_zero = sides.count[GRAINS, s * classes]
            side.grains_one = side.grains - side.grains_zero
            side.useful = _useful(rule, side.cost)


@inner
def best_stumps(rows, kind, rule, arena, lists, n_lists, n_rows, sides, packed):
    """Find the best stump of each side.

    lists            : start of the table of their lists, each of `n_rows` words
    packed (rows, 2) : with packed weights (see `TreeRule`), the weight of a row in the field of its slot, and in the
                       half word of its side
    """
    for k in range(n_lists):
        attribute, begin = arena[lists + 2 * k], arena[lists + 2 * k + 1]
        if sides.side[0].cost <= sides.side[0].floor and sides.side[1].cost <= sides.side[1].floor:
            return
        if kind is not None and kind[attribute] != CUTS:
            _try_codes(rows, rule, arena, attribute, begin, n_rows, sides)
        elif packed is not None and rule.bits:
            _try_packed_cuts(rule, arena, attribute, begin, n_rows, sides, packed)
        else:
            _try_cuts(rows, rule, arena, attribute, begin, n_rows, sides)


@inner
def _try_cuts(rows, rule, arena, attribute, begin, n_rows, sides):
    """Try the cuts of an attribute, except those too close to a bad cut to be the best."""
    count, classes = sides.count, rule.classes
    for slot in range(2 * classes):
        count[LEFT, slot] = 0
    for s in range(2):
        side = sides.side[s]
        side.left_rows, side.moved = 0, 0
        side.wanted = 0 if side.cost > side.floor else NEVER
    for i in range(begin, begin + n_rows - 1):
        row = arena[i] & ROW_MASK
        slot = sides.slot[row]
        side = sides.side[1 if slot >= classes else 0]
        count[LEFT, slot] += rows.weight[row]
        side.moved += rows.weight[row]
        side.left_rows += rows.count[row]
        if sides.side[0].moved > sides.side[0].wanted or sides.side[1].moved > sides.side[1].wanted:
            before = arena[i] >> RANK_SHIFT
            if arena[i + 1] >> RANK_SHIFT != before:
                for s in range(2):
                    if sides.side[s].moved > sides.side[s].wanted:
                        sides.side[s].moved = 0
                        sides.side[s].wanted = _try_cut(rule, sides, s, attribute, before)


@inner
def _try_packed_cuts(rule, arena, attribute, begin, n_rows, sides, packed):
    """Do the same with packed weights: one word has the weights of all slots left of a cut, in units of `grain`.

    `moved` has a field for each side. Its highest bit is set when enough weight has moved for a better cut.
    """
    bits, classes = rule.bits, rule.classes
    mask = (np.int64(1) << bits) - 1
    left, moved = np.int64(0), np.int64(0)
    for s in range(2):
        if sides.side[s].cost > sides.side[s].floor:
            moved += MOVED_ENOUGH - 1 << (32 * s)
    for i in range(begin, begin + n_rows - 1):
        row = arena[i] & ROW_MASK
        left += packed[row, 0]
        moved += packed[row, 1]
        if moved & MOVED_FLAGS == 0:
            continue
        rank = arena[i] >> RANK_SHIFT
        if arena[i + 1] >> RANK_SHIFT == rank:
            continue
        for s in range(2):
            field = (moved >> (32 * s)) & MOVED_FIELD
            if field < MOVED_ENOUGH:
                continue
            side = sides.side[s]
            inside = left >> (bits * classes * s)
            if classes == 2:
                zero, one = inside & mask, (inside >> bits) & mask
                weight, more = zero + one, zero - one
                right = max(side.grains_one + more, side.grains_zero - more)
            else:
                weight, right = _two_answers(sides.count, s * classes, classes, bits, inside)
            errors = side.grains - right
            if errors < side.useful:
                _take_packed_cut(rule, side, attribute, rank, errors, weight)
            wanted = max(np.int64(0), errors - side.useful)
            if side.cost <= side.floor or wanted >= side.grains - weight:
                wanted = MOVED_ENOUGH - 1  # more than is left: no cut of this attribute is better
            moved += (MOVED_ENOUGH - 1 - wanted - field) << (32 * s)
        if moved == 0:
            return


@inner
def _two_answers(count, first, classes, bits, inside):
    """The (weight left of a cut, weight that it gets right with two different classes), in units of `grain`."""
    mask = (np.int64(1) << bits) - 1
    weight, most, second, answer = np.int64(0), np.int64(0), np.int64(0), -1
    for c in range(classes):
        here = (inside >> (bits * c)) & mask
        weight += here
        if here > most:
            most, second, answer = here, most, c
        elif here > second:
            second = here
    right = np.int64(0)
    for c in range(classes):
        outside = count[GRAINS, first + c] - ((inside >> (bits * c)) & mask)
        right = max(right, outside + (second if c == answer else most))
    return weight, right


@inner
def _take_packed_cut(rule, side, attribute, rank, errors, weight):
    """Keep a cut with fewer errors than the best so far. If leaves have a least size, a row weighs one `grain`."""
    cost = rule.price + errors * rule.grain
    fewest = min(weight, side.grains - weight)
    if fewest >= side.relaxed_least or side.least == 1:
        side.relaxed = min(side.relaxed, cost)
    if fewest >= side.least or side.least == 1:
        side.cost, side.attribute, side.split, side.useful = cost, attribute, rank, errors


@inner
def _try_cut(rule, sides, s, attribute, before):
    """Try the current cut of a side; return the weight that must move before another cut may be better."""
    side, count, classes = sides.side[s], sides.count, rule.classes
    most, second, answer = np.int64(0), np.int64(0), -1
    for slot in range(s * classes, s * classes + classes):
        inside = count[LEFT, slot]
        if inside > most:
            most, second, answer = inside, most, slot
        elif inside > second:
            second = inside
    right = np.int64(0)
    for slot in range(s * classes, s * classes + classes):
        right = max(right, count[TOTAL, slot] - count[LEFT, slot] + (second if slot == answer else most))
    cost = rule.price + side.weight - right
    if cost < side.cost:
        fewest = min(side.left_rows, side.rows - side.left_rows)
        if fewest >= side.relaxed_least:
            side.relaxed = min(side.relaxed, cost)
        if fewest >= side.least:
            side.cost, side.attribute, side.split = cost, attribute, before
    return np.int64(NEVER) if side.cost <= side.floor else max(np.int64(0), cost - side.cost)


@inner
def _try_codes(rows, rule, arena, attribute, begin, n_rows, sides):
    """Try a branch for each code of a nominal attribute and, with `subsets`, each partition of the codes in two."""
    table, classes = sides.table, rule.classes
    count_of = 2 * classes
    codes, before = np.int64(-1), np.int64(-1)
    for i in range(begin, begin + n_rows):
        word = arena[i]
        rank = word >> RANK_SHIFT
        if rank != before:
            codes += 1
            for index in range(count_of + 2):
                table[codes, index] = 0
            table[codes, count_of + 2] = rank
            before = rank
        row = word & ROW_MASK
        slot = sides.slot[row]
        table[codes, slot] += rows.weight[row]
        table[codes, count_of + (1 if slot >= classes else 0)] += rows.count[row]
    codes += 1
    for s in range(2):
        branches, cost, fewest = np.int64(0), np.int64(0), np.int64(NEVER)
        for code in range(codes):
            if table[code, count_of + s] == 0:
                continue
            branches += 1
            fewest = min(fewest, table[code, count_of + s])
            weight, most = np.int64(0), np.int64(0)
            for slot in range(s * classes, s * classes + classes):
                weight += table[code, slot]
                most = max(most, table[code, slot])
            cost += weight - most
        if branches > 1:
            _offer(rule, sides, s, attribute, np.int64(ALL_CODES), cost + price_of(rule, branches), fewest)
            if rule.subsets and branches > 2:
                _try_sets(rule, sides, s, attribute, codes)


@inner
def _try_sets(rule, sides, s, attribute, codes):
    """Try each partition of the codes of a side in two; the last code is never in the first set."""
    table, count, classes = sides.table, sides.count, rule.classes
    present, last = np.int64(0), np.int64(0)
    for code in range(codes):
        if table[code, 2 * classes + s] > 0:
            present, last = present + 1, np.int64(code)
    for chosen in range(1, 1 << (present - 1)):
        for slot in range(s * classes, s * classes + classes):
            count[LEFT, slot] = 0
        in_left, mask, index = np.int64(0), np.int64(0), np.int64(0)
        for code in range(last):
            if table[code, 2 * classes + s] == 0:
                continue
            if chosen >> index & 1:
                mask |= np.int64(1) << table[code, 2 * classes + 2]
                in_left += table[code, 2 * classes + s]
                for slot in range(s * classes, s * classes + classes):
                    count[LEFT, slot] += table[code, slot]
            index += 1
        most_left, most_right = np.int64(0), np.int64(0)
        for slot in range(s * classes, s * classes + classes):
            most_left = max(most_left, count[LEFT, slot])
            most_right = max(most_right, count[TOTAL, slot] - count[LEFT, slot])
        cost = rule.price + sides.side[s].weight - most_left - most_right
        _offer(rule, sides, s, attribute, mask, cost, min(in_left, sides.side[s].rows - in_left))


@inner
def _offer(rule, sides, s, attribute, split, cost, fewest):
    """Keep a split of a side if it is the best so far."""
    side = sides.side[s]
    if fewest >= side.relaxed_least:
        side.relaxed = min(side.relaxed, cost)
    if cost < side.cost and fewest >= side.least:
        side.cost, side.attribute, side.split = cost, attribute, split
        if rule.bits:
            side.useful = _useful(rule, cost)
