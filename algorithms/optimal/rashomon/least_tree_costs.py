"""Least costs of the trees for sets of rows, by branch and bound with a memo."""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.kernel_arrays import array
from algorithms.optimal.binary.bit_memo import hash_of
from algorithms.optimal.rashomon.cost_memo import NO_KEY, WORK, find, is_stopped, keep
from algorithms.optimal.rashomon.node_splits import (
    branches,
    class_weights,
    forced_errors,
    leaf_errors,
    one_split,
    parts_of,
)
from algorithms.optimal.rashomon.pair_costs import cost_below

SUSPENDED, OPEN = 1e300, -1.0
"""Values that are no costs: the search must stop, see `is_stopped`; the cost is not known yet."""


class LeastCostBuffers(NamedTuple):
    """The stack of the search: the current node of each level, from the root of the search."""

    level: Any = array("1")  # the level at which `least_cost` stopped, or 0
    node: Any = array("levels words", np.uint64)  # the rows, see `node_splits`
    parts: Any = array("levels branches words", np.uint64)  # the parts into which the current test splits them
    bound: Any = array("levels branches", np.float64)  # the costs of these parts, or lower bounds
    weights: Any = array("levels classes")  # the weight of each class
    errors: Any = array("levels tests")  # of each test with leaves as branches; -1 if it is impossible or was tried
    key: Any = array("levels 2", np.uint64)  # a hash of 128 bits of the rows, see `hash_of`
    depth: Any = array("levels")  # greatest depth of the subtree
    part_count: Any = array("levels")  # how many parts the current test has
    solved: Any = array("levels")  # how many of them have their cost in `bound`
    ceiling: Any = array("levels", np.float64)  # costs above it are of no interest
    best: Any = array("levels", np.float64)  # the least cost so far
    total: Any = array("levels", np.float64)  # a lower bound of the cost of trees with the current test at the root
    part_weights: Any = array("classes")  # scratch: the weight of each class of a part


class LeastCostSearch(NamedTuple):
    """The arguments of the kernels."""

    rows: Any  # WeightedBits
    tests: Any  # BitTests
    terms: Any  # TreeTerms
    memo: Any  # LeastCostMemo
    scratch: Any  # LeastCostBuffers


@inner
def useful_depth(terms, number, depth):
    """The greatest depth that a tree for a number of rows can use: each level adds a leaf of at least `least` rows."""
    return max(min(depth, number // terms.least - 1), 0)


@inner
def least_cost(search, pairs, base, depth, ceiling):
    """The least cost of the trees of at most this depth for the rows of `scratch.node[base]`.

    pairs : `Pairs`; None if pairs of tests are not counted

    If it is above the ceiling, the result is a lower bound above the ceiling. If the search must stop, it is SUSPENDED.
    The next call must then be the same; it resumes at `scratch.level`.
    """
    scratch = search.scratch
    level = max(base, scratch.level[0])
    if level == base:
        scratch.depth[base], scratch.ceiling[base] = depth, ceiling
    value = _enter_level(search, pairs, level)
    while value != SUSPENDED and (level > base or value == OPEN):
        if value != OPEN:
            level -= 1
            k = scratch.solved[level]
            scratch.total[level] += value - scratch.bound[level, k]
            scratch.solved[level] += 1
        value = _next_part(search, pairs, level)
        if value == OPEN:
            level += 1
            value = _enter_level(search, pairs, level)
    scratch.level[0] = level if value == SUSPENDED else 0
    return value


@inner
def _enter_level(search, pairs, level):
    """Begin the search for the node of a level; return its cost, or OPEN if its tests must be searched one by one."""
    rows, tests, terms, memo, scratch = search.rows, search.tests, search.terms, search.memo, search.scratch
    words, weights, errors, key = scratch.node[level], scratch.weights[level], scratch.errors[level], scratch.key[level]
    number = class_weights(rows, words, weights)
    leaf = leaf_errors(weights) + terms.leaf
    through = forced_errors(rows, words) + terms.split + 2 * terms.leaf  # a lower bound of trees with a split
    depth = useful_depth(terms, number, scratch.depth[level])
    if depth == 0 or leaf <= through:
        return leaf
    if through > scratch.ceiling[level]:
        return min(leaf, through)
    hash_of(words, words, True, key)
    slot = find(memo, key, depth)
    if memo.key[slot, 0] != NO_KEY and (memo.exact[slot] or memo.value[slot] > scratch.ceiling[level]):
        return memo.value[slot]
    if is_stopped(memo):
        return SUSPENDED
    one_split(rows, tests, terms.least, words, number, weights, scratch.part_weights, errors)
    memo.state[WORK] += len(errors)
    best = leaf
    for q in range(len(errors)):
        if errors[q] >= 0:
            cost = terms.split + errors[q] + terms.leaf * branches(tests, q, words)
            best = min(best, cost)
    if depth == 1:
        keep(memo, key, depth, best, True)
        return best
    if pairs is not None:
        cost_below(rows, tests, terms, words, pairs, level)
        memo.state[WORK] += len(errors) * len(errors) // 2
        for q in range(len(errors)):
            if errors[q] >= 0:
                best = min(best, terms.split + pairs.below[level, q, 0] + pairs.below[level, q, 1])
        deeper = through + 2 * terms.split + 2 * terms.leaf  # trees of three levels have three splits or more
        if depth == 2 or best <= deeper:
            keep(memo, key, depth, best, True)
            return best
        if deeper > scratch.ceiling[level]:
            keep(memo, key, depth, deeper, False)
            return deeper
    scratch.depth[level], scratch.best[level] = depth, best
    scratch.solved[level] = scratch.part_count[level] = 0
    scratch.total[level] = best
    return OPEN


@inner
def _next_part(search, pairs, level):
    """Write the next part to search to the next level, and return OPEN; or return the cost if no test is left."""
    tests, memo, scratch = search.tests, search.memo, search.scratch
    errors, parts, bound = scratch.errors[level], scratch.parts[level], scratch.bound[level]
    while True:
        most, k = min(scratch.best[level], scratch.ceiling[level]), scratch.solved[level]
        if k < scratch.part_count[level] and scratch.total[level] <= most:
            for w in range(parts.shape[1]):
                scratch.node[level + 1, w] = parts[k, w]
            scratch.depth[level + 1] = scratch.depth[level] - 1
            scratch.ceiling[level + 1] = most - (scratch.total[level] - bound[k])
            return OPEN
        scratch.best[level] = min(scratch.best[level], scratch.total[level])
        q = _most_promising(search, pairs, level)
        if q < 0:
            best = scratch.best[level]
            keep(memo, scratch.key[level], scratch.depth[level], best, best <= scratch.ceiling[level])
            return best
        errors[q] = -1
        scratch.solved[level], scratch.part_count[level] = 0, parts_of(tests, q, scratch.node[level], parts)
        scratch.total[level] = bound_parts(search, pairs, level, q, scratch.part_count[level])


@inner
def _most_promising(search, pairs, level):
    """The test of a level to try next; -1 if none is left.

    It is the test of least cost with one more level below it, if these costs are known; otherwise that of fewest
    errors with leaves.
    """
    errors = search.scratch.errors[level]
    chosen, least = np.int64(-1), np.inf
    for q in range(len(errors)):
        if errors[q] >= 0:
            cost = np.float64(errors[q])
            if pairs is not None:
                cost = pairs.below[level, q, 0] + pairs.below[level, q, 1]
            if cost < least:
                chosen, least = q, cost
    return chosen


@inner
def bound_parts(search, pairs, level, q, n):
    """Write lower bounds for the n parts of a node by test q; return the bound of trees with this test at the root.

    A part has at least its unavoidable errors. With `pairs`, its best tree of at most one split is known, and any other
    tree has two splits or more.
    """
    rows, terms, scratch = search.rows, search.terms, search.scratch
    parts, bound, total = scratch.parts[level], scratch.bound[level], terms.split
    for k in range(n):
        least = forced_errors(rows, parts[k])
        bound[k] = least + terms.leaf
        if pairs is not None:
            bound[k] = max(bound[k], min(pairs.below[level, q, k], least + 2 * terms.split + 3 * terms.leaf))
        total += bound[k]
    return total
