"""The best single split of each of two disjoint sets of rows, in one pass over the sorted lists of both together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from algorithms.kernels.mixed_rows import CUTS, NEVER, RANK_SHIFT, ROW_MASK

__all__ = ["ALL_CODES", "SIDE", "TOTAL", "Sides", "best_stumps", "clear_sides", "close_sides", "price_of"]

ALL_CODES = (1 << 31) - 1
"""The split of a nominal attribute that has a branch per value; any other number is a set of values, as bits."""

TOTAL, LEFT = 0, 1

SIDE = np.dtype(
    [
        ("weight", np.int64),
        ("rows", np.int64),
        ("leaf", np.int64),
        ("floor", np.int64),
        ("cost", np.int64),
        ("loose", np.int64),
        ("attribute", np.int64),
        ("split", np.int64),
        ("left_rows", np.int64),
    ],
    align=True,
)
"""What is known of a set of rows: its weight and number; what it costs in one leaf; what no tree costs less than; the
least cost of a leaf or one split, and that where leaves may have any number of rows; the attribute of that split, -1
for a leaf, and the split; the rows left of a cut in hand."""


class Sides(NamedTuple):
    """Two sets of rows.

    side (2,) SIDE           : what is known of each
    slot (rows,) int32       : of each row of the two: its class, plus the number of classes in the second
    count (2, 2 * classes)   : TOTAL weight by slot; LEFT of a cut in hand
    table (codes, 2 * classes + 3) : of a code: weight by slot, rows in the first and in the second, the code
    """

    side: Any
    slot: Any
    count: Any
    table: Any


@njit(inline="always")
def price_of(rule, branches):
    """What a split with so many branches costs."""
    return rule.price * (branches - 1) if rule.per_leaf else rule.price


@njit(nogil=True, cache=True, error_model="numpy")
def clear_sides(sides):
    """Make both sets empty."""
    for slot in range(sides.count.shape[1]):
        sides.count[TOTAL, slot] = 0
    for s in range(2):
        sides.side[s].rows = 0


@njit(nogil=True, cache=True, error_model="numpy")
def close_sides(sides, classes, floor_0, floor_1):
    """After rows are counted in: the costs without a split."""
    for s in range(2):
        side = sides.side[s]
        weight, most = np.int64(0), np.int64(0)
        for slot in range(s * classes, s * classes + classes):
            count = sides.count[TOTAL, slot]
            weight += count
            most = max(most, count)
        side.weight = weight
        side.leaf = side.cost = side.loose = weight - most
        side.floor = min(weight - most, floor_1 if s else floor_0)
        side.attribute = -1


@njit(nogil=True, cache=True, error_model="numpy")
def best_stumps(rows, rule, arena, lists, n_lists, n_rows, sides):
    """Find the best split of each side; `lists` is where the table of their lists stands, each of `n_rows` words."""
    for k in range(n_lists):
        attribute, begin = arena[lists + 2 * k], arena[lists + 2 * k + 1]
        if sides.side[0].cost <= sides.side[0].floor and sides.side[1].cost <= sides.side[1].floor:
            return
        if rows.kind[attribute] == CUTS:
            _try_cuts(rows, rule, arena, attribute, begin, n_rows, sides)
        else:
            _try_codes(rows, rule, arena, attribute, begin, n_rows, sides)


@njit(nogil=True, cache=True, error_model="numpy")
def _try_cuts(rows, rule, arena, attribute, begin, n_rows, sides):
    """All cuts of one attribute; those that too few rows lie from a cut too bad to be the best are passed over."""
    count, classes, counted = sides.count, rule.classes, rule.least > 1
    for slot in range(2 * classes):
        count[LEFT, slot] = 0
    for s in range(2):
        sides.side[s].left_rows = 0
    moved, wanted = np.int64(0), np.int64(0)
    remaining = sides.side[0].weight + sides.side[1].weight
    before = arena[begin] >> RANK_SHIFT
    for i in range(begin, begin + n_rows):
        word = arena[i]
        if moved > wanted:
            rank = word >> RANK_SHIFT
            if rank != before:
                wanted = _try_cut(rule, sides, attribute, before)
                remaining -= moved
                moved = 0
                if remaining <= wanted:
                    return
        before = word >> RANK_SHIFT
        row = word & ROW_MASK
        slot = sides.slot[row]
        weight = rows.weight[row]
        count[LEFT, slot] += weight
        moved += weight
        if counted:
            sides.side[1 if slot >= classes else 0].left_rows += rows.count[row]


@njit(nogil=True, cache=True, error_model="numpy")
def _try_cut(rule, sides, attribute, before):
    """Offer the cut in hand to both sides: the weight that must be moved before another may be better."""
    count, classes = sides.count, rule.classes
    wanted = np.int64(NEVER)
    for s in range(2):
        side = sides.side[s]
        if side.cost <= side.floor:
            continue
        most_left, most_right = np.int64(0), np.int64(0)
        for slot in range(s * classes, s * classes + classes):
            most_left = max(most_left, count[LEFT, slot])
            most_right = max(most_right, count[TOTAL, slot] - count[LEFT, slot])
        cost = rule.price + side.weight - most_left - most_right
        if cost < side.cost:
            side.loose = min(side.loose, cost)
            if rule.least == 1 or (side.left_rows >= rule.least and side.rows - side.left_rows >= rule.least):
                side.cost, side.attribute, side.split = cost, attribute, before
        wanted = min(wanted, max(np.int64(0), cost - side.cost))
    return wanted


@njit(nogil=True, cache=True, error_model="numpy")
def _try_codes(rows, rule, arena, attribute, begin, n_rows, sides):
    """A branch per code of one nominal attribute and, where asked, each parting of its codes into two sets."""
    table, classes = sides.table, rule.classes
    count_of = 2 * classes
    codes, before = np.int64(-1), np.int64(-1)
    for i in range(begin, begin + n_rows):
        word = arena[i]
        rank = word >> RANK_SHIFT
        if rank != before:
            codes += 1
            for place in range(count_of + 2):
                table[codes, place] = 0
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


@njit(nogil=True, cache=True, error_model="numpy")
def _try_sets(rule, sides, s, attribute, codes):
    """Each parting of the codes that a side has into two sets; the last of them is never in the first set."""
    table, count, classes = sides.table, sides.count, rule.classes
    present, last = np.int64(0), np.int64(0)
    for code in range(codes):
        if table[code, 2 * classes + s] > 0:
            present, last = present + 1, np.int64(code)
    for chosen in range(1, 1 << (present - 1)):
        for slot in range(s * classes, s * classes + classes):
            count[LEFT, slot] = 0
        in_left, mask, place = np.int64(0), np.int64(0), np.int64(0)
        for code in range(last):
            if table[code, 2 * classes + s] == 0:
                continue
            if chosen >> place & 1:
                mask |= np.int64(1) << table[code, 2 * classes + 2]
                in_left += table[code, 2 * classes + s]
                for slot in range(s * classes, s * classes + classes):
                    count[LEFT, slot] += table[code, slot]
            place += 1
        most_left, most_right = np.int64(0), np.int64(0)
        for slot in range(s * classes, s * classes + classes):
            most_left = max(most_left, count[LEFT, slot])
            most_right = max(most_right, count[TOTAL, slot] - count[LEFT, slot])
        cost = rule.price + sides.side[s].weight - most_left - most_right
        _offer(rule, sides, s, attribute, mask, cost, min(in_left, sides.side[s].rows - in_left))


@njit(nogil=True, cache=True, error_model="numpy")
def _offer(rule, sides, s, attribute, split, cost, fewest):
    """Take a split for a side if it is better than what was found."""
    side = sides.side[s]
    side.loose = min(side.loose, cost)
    if cost < side.cost and fewest >= rule.least:
        side.cost, side.attribute, side.split = cost, attribute, split
