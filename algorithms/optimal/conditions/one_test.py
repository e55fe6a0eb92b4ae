"""The cost of every test of a set of rows with leaves below it, and a lower bound of its cost with any trees."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, outer
from algorithms.kernel_arrays import array

__all__ = ["Coded", "Scratch", "leaf_of", "try_tests"]


class Coded(NamedTuple):
    """The rows, the tests and the costs. Classes are in the order of the condition, see `Terms.classes`."""

    code: Any  # (attributes, rows) int32: the index of the value
    values: Any  # (attributes,) int64: how many values each attribute has
    numeric: Any  # (attributes,) bool: whether tests are cuts; otherwise a branch for each value, then sets of values
    monotone: Any  # (attributes,) int64: 1 if classes must not fall with the attribute, -1 if not rise, 0 for neither
    first: Any  # (attributes + 1,) int64: the first test of each attribute
    chosen: Any  # (tests,) uint64: the values of a set, as bits; 0 for other tests
    decision: Any  # (rows,) int32
    weight: Any  # (rows,) float64
    forced: Any  # (rows,) float64: parts of costs that no tree avoids, among equal rows at the first of them
    cost: Any  # (classes, classes) float64: of a row of the first class in a leaf of the second
    plain: Any  # bool: whether all errors cost 1
    least: Any  # fewest rows in a leaf
    split: Any  # the price of a split
    leaf: Any  # the price of a leaf


class Scratch(NamedTuple):
    """Sums over rows, whose last column is of `forced`, and the numbers of rows."""

    here: Any = array("sums", np.float64)
    left: Any = array("sums", np.float64)
    right: Any = array("sums", np.float64)
    of_value: Any = array("values sums", np.float64)
    number: Any = array("values")


@inlined
def _leaf(coded, sums, low, high):
    """The least cost of a leaf whose class is within bounds, and the class."""
    best, best_class = np.inf, low
    if coded.plain:
        total = 0.0
        for c in range(len(sums) - 1):
            total += sums[c]
        for k in range(low, high + 1):
            if total - sums[k] < best:
                best, best_class = total - sums[k], k
    else:
        for k in range(low, high + 1):
            total = 0.0
            for c in range(len(sums) - 1):
                total += sums[c] * coded.cost[c, k]
            if total < best:
                best, best_class = total, k
    return best + coded.leaf, best_class


@outer
def leaf_of(coded, rows, low, high, scratch):
    """(cost of a leaf, its class, a bound of the cost of any tree without its leaves, the weight) of a set of rows."""
    sums = scratch.here
    sums[:] = 0
    for row in rows:
        sums[coded.decision[row]] += coded.weight[row]
        sums[len(sums) - 1] += coded.forced[row]
    leaf, best_class = _leaf(coded, sums, low, high)
    weight = 0.0
    for c in range(len(sums) - 1):
        weight += sums[c]
    return leaf, best_class, sums[len(sums) - 1], weight


@inlined
def _bound(coded, sums, leaf):
    """No tree for these rows costs less: it is a leaf, or has a split and two leaves."""
    return min(leaf, sums[len(sums) - 1] + coded.split + 2 * coded.leaf)


@inlined
def _cost_of_two(coded, a, scratch, low, high, price):
    """The cost of a test with two leaves, and a bound of that with any trees."""
    left, _ = _leaf(coded, scratch.left, low, high)
    right, _ = _leaf(coded, scratch.right, low, high)
    bound = price + _bound(coded, scratch.left, left) + _bound(coded, scratch.right, right)
    if coded.monotone[a] == 0:
        return price + left + right, bound
    best = np.inf
    for middle in range(low, high + 1):
        if coded.monotone[a] > 0:
            left, _ = _leaf(coded, scratch.left, low, middle)
            right, _ = _leaf(coded, scratch.right, middle, high)
        else:
            left, _ = _leaf(coded, scratch.left, middle, high)
            right, _ = _leaf(coded, scratch.right, low, middle)
        best = min(best, price + left + right)
    return best, bound


@outer
def try_tests(coded, rows, allowed, prices, low, high, scratch, cost, bound):
    """Write the cost of each test with leaves below it, inf where it cannot be made, and a bound with any trees.

    allowed, prices : (attributes,) whether it may be tested, and the price of that for a row of weight 1
    """
    here, left, right, of_value, number = scratch
    sums, weight = len(here), 0.0
    here[:] = 0
    for row in rows:
        here[coded.decision[row]] += coded.weight[row]
        here[sums - 1] += coded.forced[row]
        weight += coded.weight[row]
    cost[:] = np.inf
    bound[:] = np.inf
    for a in range(len(allowed)):
        if not allowed[a]:
            continue
        values, price, first = coded.values[a], prices[a] * weight + coded.split, coded.first[a]
        of_value[:values] = 0
        number[:values] = 0
        for row in rows:
            v = coded.code[a, row]
            of_value[v, coded.decision[row]] += coded.weight[row]
            of_value[v, sums - 1] += coded.forced[row]
            number[v] += 1
        if coded.numeric[a]:
            below = 0
            left[:] = 0
            for v in range(values - 1):
                if number[v] == 0:
                    continue
                below += number[v]
                for c in range(sums):
                    left[c] += of_value[v, c]
                if below < coded.least or len(rows) - below < coded.least:
                    continue
                for c in range(sums):
                    right[c] = here[c] - left[c]
                cost[first + v], bound[first + v] = _cost_of_two(coded, a, scratch, low, high, price)
            continue
        branches, with_leaves, with_trees, large_enough = 0, price, price, True
        for v in range(values):
            if number[v]:
                branches += 1
                large_enough &= number[v] >= coded.least
                leaf, _ = _leaf(coded, of_value[v], low, high)
                with_leaves += leaf
                with_trees += _bound(coded, of_value[v], leaf)
        if branches > 1 and large_enough:
            cost[first], bound[first] = with_leaves, with_trees
        for q in range(first + 1, coded.first[a + 1]):
            below = 0
            left[:] = 0
            for v in range(values):
                if (coded.chosen[q] >> np.uint64(v)) & np.uint64(1):
                    below += number[v]
                    for c in range(sums):
                        left[c] += of_value[v, c]
            if below >= coded.least and len(rows) - below >= coded.least:
                for c in range(sums):
                    right[c] = here[c] - left[c]
                cost[q], bound[q] = _cost_of_two(coded, a, scratch, low, high, price)
