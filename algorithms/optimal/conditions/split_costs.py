"""The cost of every test of a set of rows with leaves below it, and a lower bound of its cost with any trees."""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, outer
from algorithms.kernel_arrays import array

WITH_ABOVE, WITH_BELOW, APART = range(3)
"""Where a cut sends rows that lack the number: with the larger ones, with the smaller ones, or apart from both."""

COUNT_TOLERANCE = 1e-9
"""Numbers of rows are sums of shares, which are rounded: a smaller number is 0."""


class Coded(NamedTuple):
    """The rows, the tests and the costs. Classes are in the order of the condition, see `ConditionTerms.classes`."""

    code: Any  # (attributes, rows) int32: the index of the value; `values` if it is missing, unless that is a value
    values: Any  # (attributes,) int64: how many values each attribute has
    numeric: Any  # (attributes,) bool: whether tests are cuts; otherwise a branch for each value, or two sets of values
    monotone: Any  # (attributes,) int64: 1 if classes must not fall with the attribute, -1 if not rise, 0 for neither
    first: Any  # (attributes + 1,) int64: the first test of each attribute
    cut: Any  # (tests,) int64: the last value below a cut; those of an attribute rise, once for each of `missing`
    missing: Any  # (tests,) int64: where a cut sends missing values
    chosen: Any  # (tests,) uint64: the values of a set, as bits; 0 for other tests
    shared: Any  # bool: whether rows without a value go down all branches instead, by the shares of the known ones
    decision: Any  # (rows,) int32
    weight: Any  # (rows,) float64
    forced: Any  # (rows,) float64: parts of costs that no tree avoids, among equal rows at the first of them
    cost: Any  # (classes, classes) float64: of a row of the first class in a leaf of the second
    plain: Any  # bool: whether all errors cost 1
    least: Any  # fewest rows in a leaf, less COUNT_TOLERANCE
    split: Any  # the price of a split
    leaf: Any  # the price of a leaf


class RowSums(NamedTuple):
    """Sums over rows, in this order: the weight of each class, `forced`, and the number of rows."""

    here: Any = array("sums", np.float64)
    lacking: Any = array("sums", np.float64)  # over the rows without a value
    below: Any = array("sums", np.float64)  # over those with a value below a cut, or in a set
    left: Any = array("sums", np.float64)
    right: Any = array("sums", np.float64)
    of_value: Any = array("values sums", np.float64)


@inlined
def leaf_cost(coded, sums, low, high):
    """The least cost of a leaf whose class is within bounds, and the class."""
    best, best_class, classes = np.inf, low, len(sums) - 2
    if coded.plain:
        total = 0.0
        for c in range(classes):
            total += sums[c]
        for k in range(low, high + 1):
            if total - sums[k] < best:
                best, best_class = total - sums[k], k
    else:
        for k in range(low, high + 1):
            total = 0.0
            for c in range(classes):
                total += sums[c] * coded.cost[c, k]
            if total < best:
                best, best_class = total, k
    return best + coded.leaf, best_class


@inlined
def add_row(coded, row, share, sums):
    """Add a share of a row to sums."""
    sums[coded.decision[row]] += coded.weight[row] * share
    sums[len(sums) - 2] += coded.forced[row] * share
    sums[len(sums) - 1] += share


@inlined
def weight_of(sums):
    """The weight of the rows of sums."""
    weight = 0.0
    for c in range(len(sums) - 2):
        weight += sums[c]
    return weight


@outer
def leaf_of(coded, rows, share, low, high, scratch):
    """(cost of a leaf, its class, a bound of the cost of any tree without its leaves, the weight, the number of rows).

    rows, share : (rows,) the rows, and how much of each there is
    """
    sums = scratch.here
    sums[:] = 0
    for index in range(len(rows)):
        add_row(coded, rows[index], share[index], sums)
    leaf, best_class = leaf_cost(coded, sums, low, high)
    return leaf, best_class, sums[len(sums) - 2], weight_of(sums), sums[len(sums) - 1]


@inlined
def _bound(coded, sums, leaf):
    """A lower bound of the cost of trees for these rows: each is a leaf, or has a split and two leaves."""
    return min(leaf, sums[len(sums) - 2] + coded.split + 2 * coded.leaf)


@inlined
def _cost_of_two(coded, sign, scratch, low, high):
    """The cost of the leaves of two branches, and a bound of that of any trees.

    sign : 1 if classes must not fall from the left to the right, -1 if they must not rise, 0 for neither
    """
    left, _ = leaf_cost(coded, scratch.left, low, high)
    right, _ = leaf_cost(coded, scratch.right, low, high)
    bound = _bound(coded, scratch.left, left) + _bound(coded, scratch.right, right)
    if sign == 0:
        return left + right, bound
    best = np.inf
    for middle in range(low, high + 1):
        if sign > 0:
            left, _ = leaf_cost(coded, scratch.left, low, middle)
            right, _ = leaf_cost(coded, scratch.right, middle, high)
        else:
            left, _ = leaf_cost(coded, scratch.left, middle, high)
            right, _ = leaf_cost(coded, scratch.right, low, middle)
        best = min(best, left + right)
    return best, bound


@inlined
def _cost_of_cut(coded, sign, missing, scratch, low, high):
    """The cost of a test of the rows in `below` and those in none of `below` and `lacking`, and a bound.

    It is inf if a branch has too few rows, or there is one branch only.
    """
    here, lacking, below, left, right, _ = scratch
    sums = len(here)
    number = sums - 1  # the index of the number of rows
    for c in range(sums):
        left[c] = below[c]
        right[c] = here[c] - lacking[c] - below[c]
    if left[number] < COUNT_TOLERANCE:
        return np.inf, np.inf
    without_right = right[number] < COUNT_TOLERANCE
    cost, bound = 0.0, 0.0
    if coded.shared and lacking[number] >= COUNT_TOLERANCE:
        share = weight_of(left) / (weight_of(left) + weight_of(right))
        for c in range(sums):
            left[c] += lacking[c] * share
            right[c] += lacking[c] * (1 - share)
    elif lacking[number] < COUNT_TOLERANCE:
        pass
    elif missing == WITH_BELOW:
        for c in range(sums):
            left[c] += lacking[c]
    elif missing == WITH_ABOVE or without_right:
        for c in range(sums):
            right[c] += lacking[c]
    elif lacking[number] < coded.least:
        return np.inf, np.inf
    else:
        cost, _ = leaf_cost(coded, lacking, low, high)
        bound = _bound(coded, lacking, cost)
    if left[number] < coded.least or right[number] < coded.least or (without_right and coded.shared):
        return np.inf, np.inf
    of_two, bound_of_two = _cost_of_two(coded, 0 if without_right else sign, scratch, low, high)
    return cost + of_two, bound + bound_of_two


@inlined
def _cost_of_values(coded, values, of_value, scratch, low, high):
    """The cost of a test with a branch for each value that rows have, and a bound; inf where `_cost_of_cut` is inf."""
    here, lacking, _, left, _, _ = scratch
    sums = len(here)
    number = sums - 1  # the index of the number of rows
    known = weight_of(here) - weight_of(lacking)
    branches, cost, bound, large_enough = 0, 0.0, 0.0, True
    for v in range(values):
        if of_value[v, number] < COUNT_TOLERANCE:
            continue
        share = weight_of(of_value[v]) / known
        for c in range(sums):
            left[c] = of_value[v, c] + lacking[c] * share
        branches += 1
        large_enough &= left[number] >= coded.least
        leaf, _ = leaf_cost(coded, left, low, high)
        cost += leaf
        bound += _bound(coded, left, leaf)
    if branches < 2 or not large_enough:
        return np.inf, np.inf
    return cost, bound


@inlined
def try_attribute(coded, attribute, price, of_value, low, high, scratch, cost, bound):
    """Write `cost` and `bound` of the tests of an attribute like `try_tests`; cuts after a value without rows stay.

    of_value : (values + 1, sums) the sums of the rows by value, those without a value last; `scratch.here` has all rows
    """
    here, lacking, below, _, _, _ = scratch
    sums, values = len(here), coded.values[attribute]
    for c in range(sums):
        lacking[c] = of_value[values, c]
    for q in range(coded.first[attribute], coded.first[attribute + 1]):
        if coded.numeric[attribute]:
            v = coded.cut[q]
            if v == 0:
                below[:] = 0
            if of_value[v, sums - 1] == 0:
                continue
            for c in range(sums):
                below[c] += of_value[v, c]
            with_leaves, with_any = _cost_of_cut(coded, coded.monotone[attribute], coded.missing[q], scratch, low, high)
        elif coded.chosen[q] == 0:
            with_leaves, with_any = _cost_of_values(coded, values, of_value, scratch, low, high)
        else:
            below[:] = 0
            for v in range(values):
                if (coded.chosen[q] >> np.uint64(v)) & np.uint64(1):
                    for c in range(sums):
                        below[c] += of_value[v, c]
            with_leaves, with_any = _cost_of_cut(coded, 0, WITH_ABOVE, scratch, low, high)
        cost[q], bound[q] = price + with_leaves, price + with_any


@outer
def try_tests(coded, rows, share, allowed, prices, low, high, scratch, cost, bound):
    """Write the cost of each test with leaves below it, inf where it cannot be made, and a bound with any trees.

    rows, share     : (rows,) the rows, and how much of each there is
    allowed, prices : (attributes,) whether it may be tested, and the price of that for a row of weight 1
    """
    here, of_value = scratch.here, scratch.of_value
    here[:] = 0
    for index in range(len(rows)):
        add_row(coded, rows[index], share[index], here)
    cost[:] = np.inf
    bound[:] = np.inf
    for a in range(len(allowed)):
        if not allowed[a]:
            continue
        values, price = coded.values[a], prices[a] * weight_of(here) + coded.split
        of_value[: values + 1] = 0
        for index in range(len(rows)):
            add_row(coded, rows[index], share[index], of_value[coded.code[a, rows[index]]])
        try_attribute(coded, a, price, of_value, low, high, scratch, cost, bound)
