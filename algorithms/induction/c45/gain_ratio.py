"""Gain and gain ratio of the tests that C4.5 considers at a node, by the rules of Weka's J48."""

from math import log
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, of_words
from algorithms.induction.c45.entries import LOG_2, x_log_x
from algorithms.induction.c45.shares import EPSILON
from algorithms.kernel_arrays import array

DISTINCT = 1e-5  # numbers that differ by no more are not separated
LARGEST_MINIMUM = 25.0  # a bound needs no more weight than this on either side, unless min_rows is larger


class ScoredSplit(NamedTuple):
    """The best test of an attribute."""

    valid: Any  # whether there is one; otherwise the other fields mean nothing
    gain: Any  # in bits
    ratio: Any  # gain ratio
    code: Any  # the code that the test compares with; -1 for other tests
    middle: Any  # for a bound, the middle of the gap between the numbers on either side


class ScoredSplits(NamedTuple):
    """The test of each attribute, as in `ScoredSplit`."""

    valid: Any = array("attributes", np.bool_)
    gain: Any = array("attributes", np.float64)
    ratio: Any = array("attributes", np.float64)
    code: Any = array("attributes")
    middle: Any = array("attributes", np.float64)


@of_words
def _gain(before, after, known, total):
    """Gain of a test: (before - after) / total. Both are entropies times `known`, the weight of known values."""
    numerator = known / total * (before - after)
    return 0.0 if abs(numerator) < EPSILON else numerator / known


@of_words
def _ratio(gain, bags, known, total, table):
    """Gain over split information; `bags` is the sum of x log2 x over the weights of the branches."""
    split = x_log_x(total, table) - bags - x_log_x(total - known, table)
    return 0.0 if abs(split) < EPSILON else gain / (split / total)


@inner
def _sum_classes(entries, size):
    """Sum the weight of the entries by class: (the sum of all, the entropy of the classes times this sum).

    All weight is on the right side afterwards.
    """
    for decision in range(len(entries.known)):
        entries.known[decision] = 0.0
    for e in range(size):
        entries.known[entries.decision[e]] += entries.weight[e]
    known, before = 0.0, 0.0
    for decision in range(len(entries.known)):
        weight = entries.known[decision]
        entries.known_log[decision] = x_log_x(weight, entries.log)
        _to_the_right(entries, decision)
        known += weight
        before -= entries.known_log[decision]
    return known, before + x_log_x(known, entries.log)


@of_words
def _to_the_right(entries, decision):
    """Move all weight of a class back to the right side."""
    entries.left[decision] = entries.left_log[decision] = 0.0
    entries.right_log[decision] = entries.known_log[decision]


@of_words
def _to_the_left(entries, e):
    """Move entry e to the left side; return the increase of the sum of x log2 x over the classes of both sides."""
    decision = entries.decision[e]
    before = entries.left_log[decision] + entries.right_log[decision]
    entries.left[decision] += entries.weight[e]
    left = entries.left[decision]
    entries.left_log[decision] = x_log_x(left, entries.log)
    entries.right_log[decision] = x_log_x(entries.known[decision] - left, entries.log)
    return entries.left_log[decision] + entries.right_log[decision] - before


@inner
def every_code(entries, size, total, min_rows):
    """The test with a branch for every code."""
    known, before = _sum_classes(entries, size)
    table = entries.log
    cells, bags, large = 0.0, 0.0, 0
    first = 0
    while first < size:
        end, bag = first, 0.0
        while end < size and entries.code[end] == entries.code[first]:
            entries.left[entries.decision[end]] += entries.weight[end]
            bag += entries.weight[end]
            end += 1
        for e in range(first, end):
            cells += x_log_x(entries.left[entries.decision[e]], table)
            entries.left[entries.decision[e]] = 0.0
        bags += x_log_x(bag, table)
        large += np.int64(bag > min_rows - EPSILON)
        first = end
    if large < 2:
        return ScoredSplit(False, 0.0, 0.0, -1, 0.0)
    gain = _gain(before, bags - cells, known, total)
    return ScoredSplit(True, gain, _ratio(gain, bags, known, total, table), -1, 0.0)


@inner
def best_code(entries, size, total, min_rows):
    """The test of one code against all others with the largest gain ratio; if several have it, the first."""
    known, before = _sum_classes(entries, size)
    table = entries.log
    valid, best_gain, best_ratio, best = False, 0.0, 0.0, -1
    whole = x_log_x(known, table) - before  # the sum of x log2 x over the classes, before a split
    first = 0
    while first < size:
        end, bag, cells = first, 0.0, whole
        while end < size and entries.code[end] == entries.code[first]:
            cells += _to_the_left(entries, end)
            bag += entries.weight[end]
            end += 1
        for e in range(first, end):
            _to_the_right(entries, np.int64(entries.decision[e]))
        if bag > min_rows - EPSILON and known - bag > min_rows - EPSILON:
            valid = True
            bags = x_log_x(bag, table) + x_log_x(known - bag, table)
            gain = _gain(before, bags - cells, known, total)
            ratio = _ratio(gain, bags, known, total, table)
            if entries.code[first] == 0 or ratio - best_ratio > EPSILON:
                best_gain, best_ratio, best = gain, ratio, entries.code[first]
        first = end
    return ScoredSplit(valid, best_gain, best_ratio, best, 0.0)


@inner
def best_bound(entries, size, total, min_rows, values):
    """The bound of largest gain, in the middle of a gap between two numbers; if several have it, the first.

    values (codes,) : the numbers that the codes stand for
    """
    known, before = _sum_classes(entries, size)
    table = entries.log
    least = 0.1 * known / len(entries.known)
    if least < min_rows + EPSILON:
        least = np.float64(min_rows)
    elif least > LARGEST_MINIMUM + EPSILON:
        least = LARGEST_MINIMUM
    cells = x_log_x(known, table) - before
    below, best_below, best_gain, best, candidates = 0.0, 0.0, 0.0, 0, 0
    for e in range(size):
        if e > 0 and values[entries.code[e - 1]] + DISTINCT < values[entries.code[e]]:
            above = known - below
            if below > least - EPSILON and above > least - EPSILON:
                candidates += 1
                after = x_log_x(below, table) + x_log_x(above, table) - cells
                gain = _gain(before, after, known, total)
                if gain - best_gain > EPSILON:
                    best_gain, best_below, best = gain, below, e
        cells += _to_the_left(entries, e)
        below += entries.weight[e]
    if best == 0:
        return ScoredSplit(False, 0.0, 0.0, -1, 0.0)
    gain = best_gain - log(candidates) / LOG_2 / total  # the cost of choosing the bound (MDL)
    if gain < EPSILON:
        return ScoredSplit(False, 0.0, 0.0, -1, 0.0)
    bags = x_log_x(best_below, table) + x_log_x(known - best_below, table)
    lower, upper = values[entries.code[best - 1]], values[entries.code[best]]
    middle = (lower + upper) / 2
    if not np.isfinite(middle):  # the sum overflows
        middle = lower / 2 + upper / 2
    if middle == upper:
        middle = lower
    return ScoredSplit(True, gain, _ratio(gain, bags, known, total, table), -1, middle)
