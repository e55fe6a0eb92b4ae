"""Two disjoint sets of rows, the sides of a split, for which the best single splits (stumps) are sought."""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, inner
from algorithms.kernel_arrays import array
from algorithms.optimal.never import NEVER

ALL_CODES = (1 << 31) - 1
"""The split of a nominal attribute with a branch for each code. Any other split of such an attribute is a set of codes,
as bits."""

TOTAL, LEFT, GRAINS, MISSING = range(4)

SIDE = np.dtype(
    [
        (name, np.int64) for name in (
            "weight", "rows", "leaf", "floor", "cost", "relaxed", "attribute", "split", "left_rows", "moved", "wanted",
            "grains", "grains_zero", "grains_one", "useful", "min_leaf", "relaxed_min_leaf",
            "missing_cost", "missing_rows", "either",
        )
    ],
    align=True,
)  # fmt: skip
"""A side: a set of rows and its best stump.

weight, rows       : of the set; rows are counted before merging, here and below
leaf, floor        : cost as a leaf; lower bound of the cost of a leaf or stump
cost, attribute, split : of the best stump so far; of a leaf, whose attribute is -1, if no stump costs less
relaxed            : the least cost so far of a leaf or relaxed stump (see `cut_bounds`)
left_rows          : rows left of the current cut
moved, wanted      : weight moved left since the last cut that was tried; weight that must be exceeded to try the next
grains, grains_zero, grains_one : with packed weights, in units of `grain`: all weight; of the first class; of the rest
useful             : with packed weights, in units of `grain`: with fewer errors, a cut is the best so far
min_leaf, relaxed_min_leaf : fewest rows in a leaf; in a leaf of a relaxed stump
missing_cost, missing_rows : cost of the branch of the rows that lack the current number, and their number; 0 and NEVER
                             without such a branch
either             : rows that lack the current number and may be on either side of a cut
"""


class SideCounts(NamedTuple):
    """Both sides, and the weights of their classes. A *slot* is a class of a side: side * classes + class."""

    side: Any = array("2", SIDE)
    slot: Any = array("rows", np.int32)  # of each row
    count: Any = array("4 2*classes")
    """By slot: TOTAL weight; weight LEFT of the current cut; total weight in GRAINS; weight of rows whose number is
    MISSING."""
    table: Any = array("codes 2*classes+3")
    """Of each code: weight by slot; rows in the first and in the second side; the code."""


@inner
def price_of(rule, branches):
    """The cost of a split with this many branches."""
    return rule.price * (branches - 1) if rule.per_leaf else rule.price


@inner
def useful_errors(rule, cost):
    """The errors of two leaves, in units of `grain`, below which a stump costs less than `cost`."""
    return -((rule.price - cost) // rule.grain)


@inner
def clear_sides(sides):
    """Make both sides empty."""
    for slot in range(sides.count.shape[1]):
        sides.count[TOTAL, slot] = 0
    for s in range(2):
        sides.side[s].rows = 0
        sides.side[s].missing_cost, sides.side[s].missing_rows, sides.side[s].either = 0, NEVER, 0


@inner
def close_sides(sides, rule, floor_0, floor_1):
    """Write the cost of each side as a leaf, after its rows are counted; the floors are lower bounds of its stumps."""
    classes = rule.classes
    for s in range(2):
        side = sides.side[s]
        weight, most = np.int64(0), np.int64(0)
        for slot in range(s * classes, s * classes + classes):
            weight += sides.count[TOTAL, slot]
            most = max(most, sides.count[TOTAL, slot])
        side.weight = weight
        side.leaf = side.cost = side.relaxed = weight - most
        side.floor = min(weight - most, floor_1 if s else floor_0)
        side.attribute = -1
        write_grains(rule, sides, s)


@inner
def leave_out(rule, sides, s, number, attribute, last):
    """Leave out the rows of a side that lack a number, after trying the split between them and all others.

    number : rows that lack it, counted before merging
    last   : the greatest rank of the others
    """
    side, count, classes = sides.side[s], sides.count, rule.classes
    if number == 0:
        return
    missing, most_missing, others, most = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for slot in range(s * classes, s * classes + classes):
        count[TOTAL, slot] -= count[MISSING, slot]
        missing += count[MISSING, slot]
        most_missing = max(most_missing, count[MISSING, slot])
        others += count[TOTAL, slot]
        most = max(most, count[TOTAL, slot])
    side.rows -= number
    if side.rows > 0:
        cost = price_of(rule, 2) + missing - most_missing + others - most
        offer_stump(rule, sides, s, attribute, last, cost, min(number, side.rows))
    side.weight -= missing
    side.missing_cost, side.missing_rows = missing - most_missing + price_of(rule, 3) - rule.price, number
    write_grains(rule, sides, s)


@inner
def put_back(rule, sides, s, number):
    """Undo `leave_out`."""
    side, count, classes = sides.side[s], sides.count, rule.classes
    if number == 0:
        return
    for slot in range(s * classes, s * classes + classes):
        count[TOTAL, slot] += count[MISSING, slot]
        side.weight += count[MISSING, slot]
    side.rows += number
    side.missing_cost, side.missing_rows = 0, NEVER
    write_grains(rule, sides, s)


@inlined
def write_grains(rule, sides, s):
    """Write the fields of a side that are in units of `grain`, if weights are packed."""
    side, count, classes = sides.side[s], sides.count, rule.classes
    if rule.packed_bits:
        for slot in range(s * classes, s * classes + classes):
            count[GRAINS, slot] = count[TOTAL, slot] // rule.grain
        side.grains = side.weight // rule.grain
        side.grains_zero = count[GRAINS, s * classes]
        side.grains_one = side.grains - side.grains_zero
        side.useful = useful_errors(rule, side.cost - side.missing_cost)


@inner
def offer_stump(rule, sides, s, attribute, split, cost, smallest_leaf):
    """Keep a split of a side if it is the best so far; `smallest_leaf` is the number of rows of its smallest leaf."""
    side = sides.side[s]
    if smallest_leaf >= side.relaxed_min_leaf:
        side.relaxed = min(side.relaxed, cost)
    if cost < side.cost and smallest_leaf >= side.min_leaf:
        side.cost, side.attribute, side.split = cost, attribute, split
        if rule.packed_bits:
            side.useful = useful_errors(rule, cost)
