"""The best single split (stump) of each of two disjoint sets of rows, in one pass over sorted lists that contain both.

A cut is useful only if its leaves predict different classes, c on the left and d on the right. It classifies correctly
the weight of c on the left plus the weight of d on the right. A row that moves from right to left changes this sum by
at most its weight. So if a cut has more errors than the best cut so far, rows with at least the difference in weight
must move before another cut can be better.

If missing numbers may go to either side, one pass over the other rows tries each cut with them on the right and with
them on the left. Then rows with the lesser of the two differences must move.
"""

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.optimal.mixed.node_entry import NONE
from algorithms.optimal.mixed.packed_rows import (
    BELOW,
    BRANCHES,
    RANK_SHIFT,
    ROW_MASK,
    THREE_LABELS,
    has_missing,
    missing_rank,
)
from algorithms.optimal.mixed.sides import (
    ALL_CODES,
    GRAINS,
    LEFT,
    MISSING,
    TOTAL,
    leave_out,
    offer_stump,
    price_of,
    put_back,
)
from algorithms.optimal.never import NEVER

MOVED_ENOUGH = 1 << 31
MOVED_FIELD = (1 << 32) - 1
MOVED_FLAGS = -(1 << 63) | MOVED_ENOUGH
"""Masks of the int64 `moved` of `_try_packed_cuts`: the flag of a field; a field; the flags of both fields."""


@inner
def best_stumps(rows, kind, branches, rule, arena, lists, n_lists, n_rows, sides, packed):
    """Find the best stump of each side, and of its relaxed stumps.

    rows to arena  : as in `phases.search`
    lists, n_lists : position of the table of the lists with the rows of both sides; their number
    n_rows         : merged rows of both sides, the words of each list
    sides          : `SideCounts`, after `close_sides`
    packed         : (rows, 2) int64, or None. It is used if `rule.packed_bits` is b > 0. Then packed[row, 0] is the
                     weight of the row shifted by b times its slot, so that a sum of these has a field of b bits for
                     each class of both sides, and 2 * classes * b <= 63. packed[row, 1] is the weight shifted by 32
                     times its side. Weights are in units of `grain`
    """
    for k in range(n_lists):
        attribute, begin = arena[lists + 2 * k], arena[lists + 2 * k + 1]
        if sides.side[0].cost <= sides.side[0].floor and sides.side[1].cost <= sides.side[1].floor:
            return
        if kind is not None and kind[attribute] == BELOW:  # the next attribute tries these cuts, too
            continue
        lacks = has_missing(kind, attribute, arena, begin, n_rows)
        if kind is not None and (
            lacks or (kind[attribute] < BELOW and arena[begin + n_rows - 1] >> RANK_SHIFT == -kind[attribute])
        ):
            _try_missing(rows, kind, branches, rule, arena, attribute, begin, n_rows, sides, packed)
        elif branches is not None and kind[attribute] == BRANCHES:
            _try_codes(rows, rule, arena, attribute, begin, n_rows, sides)
        elif packed is not None and rule.packed_bits:
            _try_packed_cuts(rule, arena, attribute, begin, n_rows, sides, packed, NONE)
        else:
            _try_cuts(rows, rule, arena, attribute, begin, n_rows, sides)


@inner
def _try_cuts(rows, rule, arena, attribute, begin, n_rows, sides):
    """Try the cuts of an attribute, except those that are too close to a worse cut to be the best."""
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
                        wanted = _try_cut(rule, sides, s, attribute, before)
                        if sides.side[s].either > 0:
                            _move_missing(sides, s, classes, 1)
                            wanted = min(wanted, _try_cut(rule, sides, s, attribute - 1, before + 1))
                            _move_missing(sides, s, classes, -1)
                        sides.side[s].wanted = wanted


@inner
def _move_missing(sides, s, classes, sign):
    """Move the rows of a side that lack the current number to the left of the cut, or back."""
    sides.side[s].left_rows += sign * sides.side[s].either
    for slot in range(s * classes, s * classes + classes):
        sides.count[LEFT, slot] += sign * sides.count[MISSING, slot]


@inner
def _try_packed_cuts(rule, arena, attribute, begin, n_rows, sides, packed, either):
    """Try cuts like `_try_cuts`, with packed weights.

    `left` has the weight left of the cut in a field for each slot. `moved` has a field of 32 bits for each side, the
    first in the low half: 2³¹ - 1, minus the weight that must still move before a cut can be better. So bit 31 of a
    field is set when enough weight has moved.

    either : packed weight of the rows that lack the number, which may also be on the left of a cut; 0 without such rows
    """
    bits, classes = rule.packed_bits, rule.classes
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
            side, errors, weight = sides.side[s], np.int64(NEVER), np.int64(0)
            for below in range(2 if either else 1):
                inside = (left + either if below else left) >> (bits * classes * s)
                if classes == 2:
                    zero, one = inside & mask, (inside >> bits) & mask
                    weight, more = zero + one, zero - one
                    right = max(side.grains_one + more, side.grains_zero - more)
                else:
                    weight, right = _right_with_two_classes(sides.count, s * classes, classes, bits, inside)
                if side.grains - right < side.useful:
                    _take_packed_cut(rule, side, attribute - below, rank + below, side.grains - right, weight)
                errors = min(errors, side.grains - right)
            wanted = max(np.int64(0), errors - side.useful)
            if side.cost <= side.floor or wanted >= side.grains - weight:
                wanted = MOVED_ENOUGH - 1  # more than the rest: no later cut of this attribute is better
            moved += (MOVED_ENOUGH - 1 - wanted - field) << (32 * s)
        if moved == 0:
            return


@inner
def _right_with_two_classes(count, first, classes, bits, inside):
    """The weight left of a cut, and the weight that two leaves of different classes classify correctly, in `grain`s.

    count  : `SideCounts.count`
    first  : first slot of the side
    inside : packed weights left of the cut, shifted so that the first slot is in the low field
    """
    mask = (np.int64(1) << bits) - 1
    weight, most, second, heaviest = np.int64(0), np.int64(0), np.int64(0), -1
    for c in range(classes):
        here = (inside >> (bits * c)) & mask
        weight += here
        if here > most:
            most, second, heaviest = here, most, c
        elif here > second:
            second = here
    right = np.int64(0)
    for c in range(classes):
        outside = count[GRAINS, first + c] - ((inside >> (bits * c)) & mask)
        right = max(right, outside + (second if c == heaviest else most))
    return weight, right


@inner
def _take_packed_cut(rule, side, attribute, rank, errors, weight):
    """Keep a cut with fewer errors than the best so far, if its leaves have enough rows.

    If leaves have a minimum size, each row weighs one `grain`.

    errors, weight : errors of both leaves; weight of the left one; in units of `grain`
    """
    cost = rule.price + side.missing_cost + errors * rule.grain
    smallest_leaf = min(weight, side.grains - weight, side.missing_rows)
    if smallest_leaf >= side.relaxed_min_leaf or side.min_leaf == 1:
        side.relaxed = min(side.relaxed, cost)
    if smallest_leaf >= side.min_leaf or side.min_leaf == 1:
        side.cost, side.attribute, side.split, side.useful = cost, attribute, rank, errors


@inner
def _try_cut(rule, sides, s, attribute, before):
    """Try the current cut of a side; return the weight that must move before another cut may be better."""
    side, count, classes = sides.side[s], sides.count, rule.classes
    most, second, heaviest = np.int64(0), np.int64(0), -1
    for slot in range(s * classes, s * classes + classes):
        inside = count[LEFT, slot]
        if inside > most:
            most, second, heaviest = inside, most, slot
        elif inside > second:
            second = inside
    right = np.int64(0)
    for slot in range(s * classes, s * classes + classes):
        right = max(right, count[TOTAL, slot] - count[LEFT, slot] + (second if slot == heaviest else most))
    cost = rule.price + side.missing_cost + side.weight - right
    if cost < side.cost:
        smallest_leaf = min(side.left_rows, side.rows - side.left_rows, side.missing_rows)
        offer_stump(rule, sides, s, attribute, before, cost, smallest_leaf)
    return np.int64(NEVER) if side.cost <= side.floor else max(np.int64(0), cost - side.cost)


@inner
def _try_missing(rows, kind, branches, rule, arena, attribute, begin, n_rows, sides, packed):
    """Try the split of the rows that lack the number from all others, and the cuts of the others.

    Beside such a cut, the rows that lack the number have a branch of their own, or go to either side of it.
    """
    count, classes, end, has_branch = sides.count, rule.classes, begin + n_rows, kind[attribute] > BRANCHES
    for slot in range(2 * classes):
        count[MISSING, slot] = 0
    missing_0, missing_1, either = np.int64(0), np.int64(0), np.int64(0)
    while arena[end - 1] >> RANK_SHIFT == missing_rank(kind, attribute):
        end -= 1
        row = arena[end] & ROW_MASK
        slot = sides.slot[row]
        count[MISSING, slot] += rows.weight[row]
        if slot < classes:
            missing_0 += rows.count[row]
        else:
            missing_1 += rows.count[row]
        if packed is not None and not has_branch:
            either += packed[row, 0]
    if branches is not None and has_branch:
        # three labels never have two branches; if the best leaves of the first two are equal, no cut helps
        last = arena[begin if kind[attribute] > THREE_LABELS else end - 1] >> RANK_SHIFT
        leave_out(rule, sides, 0, missing_0, attribute, last)
        leave_out(rule, sides, 1, missing_1, attribute, last)
    else:
        sides.side[0].either, sides.side[1].either = missing_0, missing_1
        end += 1  # the last cut has only the rows that lack the number on its right
    if packed is not None and rule.packed_bits:
        _try_packed_cuts(rule, arena, attribute, begin, end - begin, sides, packed, either)
    else:
        _try_cuts(rows, rule, arena, attribute, begin, end - begin, sides)
    if branches is not None and has_branch:
        put_back(rule, sides, 0, missing_0)
        put_back(rule, sides, 1, missing_1)
    sides.side[0].either = sides.side[1].either = 0


@inner
def _try_codes(rows, rule, arena, attribute, begin, n_rows, sides):
    """Try a branch for each code of a nominal attribute and, with `subsets`, each two sets of its codes."""
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
        branches, cost, smallest_leaf = np.int64(0), np.int64(0), np.int64(NEVER)
        for code in range(codes):
            if table[code, count_of + s] == 0:
                continue
            branches += 1
            smallest_leaf = min(smallest_leaf, table[code, count_of + s])
            weight, most = np.int64(0), np.int64(0)
            for slot in range(s * classes, s * classes + classes):
                weight += table[code, slot]
                most = max(most, table[code, slot])
            cost += weight - most
        if branches > 1:
            offer_stump(rule, sides, s, attribute, np.int64(ALL_CODES), cost + price_of(rule, branches), smallest_leaf)
            if rule.subsets and branches > 2:
                _try_sets(rule, sides, s, attribute, codes)


@inner
def _try_sets(rule, sides, s, attribute, codes):
    """Try each partition of the codes of a side in two sets. The last code is always in the second set."""
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
        offer_stump(rule, sides, s, attribute, mask, cost, min(in_left, sides.side[s].rows - in_left))
