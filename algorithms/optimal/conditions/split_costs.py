"""The cost of every test of a node with leaves as its branches, and a lower bound of its cost with any trees there."""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, outer
from algorithms.kernel_arrays import array

WITH_ABOVE, WITH_BELOW, APART = range(3)
"""Where a cut sends rows that lack the number: to the greater values, to the smaller values, to a branch of their own.
"""

COUNT_TOLERANCE = 1e-9
"""A number of rows is a sum of shares, which are rounded. Below this, it counts as 0."""


class Coded(NamedTuple):
    """The rows, the tests and the costs. Classes are numbered in the order of `ConditionTerms.classes`."""

    code: Any  # (attributes, rows) int32: the index of the value; `values` if it is missing and not a value of its own
    values: Any  # (attributes,) int64: how many values each attribute has
    numeric: Any  # (attributes,) bool: whether tests are cuts; otherwise a branch for each value, or two sets of values
    monotone: Any  # (attributes,) int64: as the attribute grows, the class must not fall (1) or not rise (-1); 0: free
    first: Any  # (attributes + 1,) int64: the first test of each attribute
    cut: Any  # (tests,) int64: the greatest value below a cut; of an attribute, increasing for each kind of `missing`
    missing: Any  # (tests,) int64: where a cut sends missing values
    chosen: Any  # (tests,) uint64: bit v is set if value v is in the set, of at most 12 values; 0 for other tests
    shared: Any  # bool: whether rows without a value go down all branches instead, in proportion to the known weights
    decision: Any  # (rows,) int32
    weight: Any  # (rows,) float64
    forced: Any  # (rows,) float64: the cost that no tree avoids, at the first row of each equivalent point; else 0
    cost: Any  # (classes, classes) float64: of a row of weight 1 of the first class in a leaf of the second
    plain: Any  # bool: whether every error costs the weight of its row
    least: Any  # float: fewest rows in a leaf, less COUNT_TOLERANCE
    split: Any  # float: the price of a split
    leaf: Any  # float: the price of a leaf


class RowSums(NamedTuple):
    """Sums over rows, of length classes + 2: the weight of each class, then of `forced`, then the number of rows."""

    here: Any = array("sums", np.float64)  # over the rows of the node
    lacking: Any = array("sums", np.float64)  # over those without a value
    below: Any = array("sums", np.float64)  # over those with a value below the cut, or in the set
    left: Any = array("sums", np.float64)  # over those of the first branch
    right: Any = array("sums", np.float64)  # over those of the second branch
    of_value: Any = array("values sums", np.float64)  # over those of each value; the last: without a value


@inlined
def leaf_cost(coded, sums, low, high):
    """The least cost of a leaf whose class is from `low` to `high`, and this class; `sums` as in `RowSums`."""
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
    """(cost of the best leaf, its class, cost that no tree avoids, weight of the rows, number of rows) of a node.

    rows, share : (rows,) the rows, and which share of each reaches the node, from 0 to 1
    low, high   : the lowest and the highest class that a leaf may have
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
    """The least cost of two leaves, for the rows of `left` and `right` in `scratch`, and a bound of any two trees.

    sign : 1 if classes must not fall from the left to the right, -1 if they must not rise, 0 without a condition
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
    """The cost, with leaves, of separating the rows of `scratch.below` from the others with a value; and a bound.

    Rows of `scratch.lacking` go as `missing` says. Both results are inf if a branch has too few rows, or if there is
    only one branch.
    """
    here, lacking, below, left, right = scratch.here, scratch.lacking, scratch.below, scratch.left, scratch.right
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
    """The same as `_cost_of_cut`, for a test with a branch for each value that occurs.

    of_value : (values + 1, sums) as in `RowSums`
    """
    here, lacking, left = scratch.here, scratch.lacking, scratch.left
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
    """Write the cost and the bound of each test of one attribute, as `try_tests` does.

    A cut after a value without rows repeats the cut before it: its cost and its bound are not written.

    price    : of a test
    of_value : (values + 1, sums) as in `RowSums`; `scratch.here` has the sums over all rows of the node
    """
    here, lacking, below = scratch.here, scratch.lacking, scratch.below
    sums, values = len(here), coded.values[attribute]
    for c in range(sums):
        lacking[c] = of_value[values, c]
    for q in range(coded.first[attribute], coded.first[attribute + 1]):
        if coded.numeric[attribute]:
            v = coded.cut[q]
            if v == 0:  # the first cut of a kind of `missing`
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
    """Write the cost of each test of a node with leaves as its branches, and a lower bound with any trees there.

    rows, share     : (rows,) the rows, and which share of each reaches the node, from 0 to 1
    allowed, prices : (attributes,) whether each may be tested, and the price of that for a row of weight 1
    low, high       : the lowest and the highest class that a leaf may have
    cost, bound     : (tests,) float64: the results; inf for tests that are not allowed or not possible
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
