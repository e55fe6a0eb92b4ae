"""The best single split of each of two disjoint sets of rows, in one pass over the sorted lists of both together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from algorithms.kernels.mixed_rows import CLASS_BITS, CUTS, NEVER, RANK_SHIFT, ROW_BITS, ROW_MASK

__all__ = ["ALL_CODES", "Sides", "best_stumps", "clear_sides", "close_sides", "price_of"]

ALL_CODES = (1 << 31) - 1
"""The split of a nominal attribute that has a branch per value; any other number is a set of values, as bits."""


class Sides(NamedTuple):
    """Two sets of rows, and what is found of each; unless told otherwise, for each of the two.

    slot (rows,) int32   : of each row of the two: its class, plus the number of classes in the second
    total (2 * classes,) : weight of each class
    weight, rows, leaf   : weight; number of rows; cost without a split
    floor                : no tree costs less
    cost                 : least cost of a leaf or one split
    loose                : the same where leaves may have any number of rows
    attribute, split     : the split; NO_SPLIT as attribute where the leaf is best
    left (2 * classes,), left_rows : room for what lies left of a cut
    table (codes, 2 * classes), table_rows (codes, 2) : room for the counts of each code
    present (codes,)     : room for codes
    """

    slot: Any
    total: Any
    weight: Any
    rows: Any
    leaf: Any
    floor: Any
    cost: Any
    loose: Any
    attribute: Any
    split: Any
    left: Any
    left_rows: Any
    table: Any
    table_rows: Any
    present: Any


@njit(inline="always")
def price_of(rule, branches):
    """What a split with so many branches costs."""
    return rule.price * (branches - 1) if rule.per_leaf else rule.price


@njit(nogil=True, cache=True)
def clear_sides(sides):
    """Make both sets empty."""
    sides.total[:] = 0
    sides.rows[:] = 0


@njit(nogil=True, cache=True)
def close_sides(sides, classes, floor_0, floor_1):
    """After rows are counted in: the costs without a split."""
    for side in range(2):
        weight = np.int64(0)
        most = np.int64(0)
        for c in range(classes):
            count = sides.total[side * classes + c]
            weight += count
            most = max(most, count)
        sides.weight[side] = weight
        sides.leaf[side] = weight - most
        sides.cost[side] = weight - most
        sides.loose[side] = weight - most
        sides.attribute[side] = -1
    sides.floor[0] = min(floor_0, sides.leaf[0])
    sides.floor[1] = min(floor_1, sides.leaf[1])


@njit(nogil=True, cache=True)
def best_stumps(rows, rule, arena, lists, n_lists, n_rows, sides):
    """Find the best split of each side, of the lists (n_lists, 2) of `n_rows` words each."""
    classes = rule.classes
    for k in range(n_lists):
        attribute, begin = lists[k, 0], lists[k, 1]
        if sides.loose[0] <= sides.floor[0] and sides.loose[1] <= sides.floor[1]:
            if sides.cost[0] <= sides.floor[0] and sides.cost[1] <= sides.floor[1]:
                return
        if rows.kind[attribute] == CUTS:
            _try_cuts(rows, rule, arena, attribute, begin, n_rows, sides, classes)
        else:
            _try_codes(rows, rule, arena, attribute, begin, n_rows, sides, classes)


@njit(nogil=True, cache=True)
def _try_cuts(rows, rule, arena, attribute, begin, n_rows, sides, classes):
    """All cuts of one attribute; those that too few rows lie from a cut too bad to be the best are passed over."""
    left = sides.left
    left[:] = 0
    counted = rule.least > 1
    sides.left_rows[:] = 0
    price = rule.price
    moved, wanted = np.int64(0), np.int64(0)
    remaining = sides.weight[0] + sides.weight[1]
    before = arena[begin] >> RANK_SHIFT
    for i in range(begin, begin + n_rows):
        word = arena[i]
        rank = word >> RANK_SHIFT
        if moved > wanted and rank != before:
            wanted, moved = np.int64(NEVER), np.int64(0)
            for side in range(2):
                if sides.weight[side] == 0:
                    continue
                most_left, most_right = np.int64(0), np.int64(0)
                for c in range(side * classes, side * classes + classes):
                    most_left = max(most_left, left[c])
                    most_right = max(most_right, sides.total[c] - left[c])
                cost = price + sides.weight[side] - most_left - most_right
                if cost < sides.cost[side]:
                    sides.loose[side] = min(sides.loose[side], cost)
                    allowed = True
                    if counted:
                        rows_left = sides.left_rows[side]
                        allowed = rows_left >= rule.least and sides.rows[side] - rows_left >= rule.least
                    if allowed:
                        sides.cost[side] = cost
                        sides.attribute[side] = attribute
                        sides.split[side] = before
                if sides.cost[side] > sides.floor[side]:
                    wanted = min(wanted, max(np.int64(0), cost - sides.cost[side]))
            if remaining <= wanted:
                return
        before = rank
        row = word & ROW_MASK
        slot = sides.slot[row]
        weight = rows.weight[row]
        left[slot] += weight
        moved += weight
        remaining -= weight
        if counted:
            sides.left_rows[1 if slot >= classes else 0] += rows.count[row]


@njit(nogil=True, cache=True)
def _try_codes(rows, rule, arena, attribute, begin, n_rows, sides, classes):
    """A branch per code of one nominal attribute and, where asked, each parting of its codes into two sets."""
    table, table_rows = sides.table, sides.table_rows
    codes = np.int64(-1)
    before = np.int64(-1)
    for i in range(begin, begin + n_rows):
        word = arena[i]
        rank = word >> RANK_SHIFT
        if rank != before:
            codes += 1
            table[codes, :] = 0
            table_rows[codes, :] = 0
            sides.present[codes] = rank
            before = rank
        row = word & ROW_MASK
        slot = sides.slot[row]
        table[codes, slot] += rows.weight[row]
        table_rows[codes, 1 if slot >= classes else 0] += rows.count[row]
    codes += 1
    for side in range(2):
        branches, cost, fewest = np.int64(0), np.int64(0), np.int64(NEVER)
        for code in range(codes):
            if table_rows[code, side] == 0:
                continue
            branches += 1
            fewest = min(fewest, table_rows[code, side])
            weight, most = np.int64(0), np.int64(0)
            for c in range(side * classes, side * classes + classes):
                weight += table[code, c]
                most = max(most, table[code, c])
            cost += weight - most
        if branches < 2:
            continue
        _offer(rule, sides, side, attribute, ALL_CODES, cost + price_of(rule, branches), fewest)
        if rule.subsets and branches > 2:
            _try_sets(rule, sides, side, attribute, codes, classes)


@njit(nogil=True, cache=True)
def _try_sets(rule, sides, side, attribute, codes, classes):
    """Each parting of the codes that are present on a side into two sets; the last code is never in the first set."""
    table, table_rows, left = sides.table, sides.table_rows, sides.left
    first, last = side * classes, side * classes + classes
    free = 0
    for code in range(codes):  # the codes of this side come first; the other side is looked at before or after
        if table_rows[code, side] > 0:
            sides.left_rows[0] = code
            free += 1
    last_code = sides.left_rows[0]
    for chosen in range(1, 1 << (free - 1)):
        left[first:last] = 0
        in_left, mask, place = np.int64(0), np.int64(0), 0
        for code in range(last_code):
            if table_rows[code, side] == 0:
                continue
            if chosen >> place & 1:
                mask |= np.int64(1) << sides.present[code]
                in_left += table_rows[code, side]
                for c in range(first, last):
                    left[c] += table[code, c]
            place += 1
        most_left, most_right = np.int64(0), np.int64(0)
        for c in range(first, last):
            most_left = max(most_left, left[c])
            most_right = max(most_right, sides.total[c] - left[c])
        cost = rule.price + sides.weight[side] - most_left - most_right
        _offer(rule, sides, side, attribute, mask, cost, min(in_left, sides.rows[side] - in_left))


@njit(nogil=True, cache=True)
def _offer(rule, sides, side, attribute, split, cost, fewest):
    """Take a split if it is better than what was found."""
    sides.loose[side] = min(sides.loose[side], cost)
    if cost < sides.cost[side] and fewest >= rule.least:
        sides.cost[side] = cost
        sides.attribute[side] = attribute
        sides.split[side] = split
