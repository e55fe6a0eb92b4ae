"""How a greedy tree splits a node: by the greatest information gain or, if the branches are leaves, the least cost."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, inner
from algorithms.kernel_arrays import array
from algorithms.optimal.mixed.packed_rows import CLASS_MASK, CUTS, RANK_SHIFT, ROW_BITS, ROW_MASK, PackedRows
from algorithms.optimal.mixed.sides import ALL_CODES, price_of
from algorithms.trees.node_kinds import NO_ATTRIBUTE

TIE = 2.0**-43
"""Information gains are equal if they differ by less than this share of w log2 w, for a node of weight w in grains."""


class GreedyProblem(NamedTuple):
    """The rows, the limits of a tree, and what it costs."""

    rows: PackedRows
    kind: Any  # (attributes,) CUTS or BRANCHES
    price: Any  # the cost of a split, in the unit of the weights
    per_leaf: Any  # whether a split with k branches costs k - 1 times as much
    least: Any  # fewest rows in a leaf
    grain: Any  # the weight of a row whose `grains` are 1
    thresholds: Any  # most cuts of an attribute that `search_splits` tries


class GreedyBuffers(NamedTuple):
    """Scratch of `completions`."""

    lists: Any = array("2 attributes rows")  # the words of nodes at even levels, and at odd levels
    branch: Any = array("rows")  # the branch of each row at the current split
    start: Any = array("codes+1")  # where the branches of a split in a tree begin, and where the last one ends
    start_at_root: Any = array("codes+1")  # the same of the split that `search_splits` tries
    free: Any = array("codes+1")  # where the next row of each branch goes
    nodes: Any = array("2*rows+1 9")  # by node and field, see FIRST
    by_class: Any = array("classes")  # the weight of each class of the current node, in grains
    left: Any = array("classes")  # the same of one of its branches
    logs: Any = array("logs", np.float64)  # w log2 w for each whole w below the length
    split: Any = array("2")  # the attribute and the split that were chosen last
    state: Any = array("2")  # units of work done; number of nodes of the last tree


@inlined
def w_log_w(scratch, weight):
    """For a weight w, w log2 w; 0 for 0."""
    return scratch.logs[weight] if weight < len(scratch.logs) else weight * np.log2(np.float64(weight))


@inner
def choose_split(problem, scratch, words, first, last, leaf, by_cost):
    """Write the best split of a node to `scratch.split`, with NO_ATTRIBUTE if none qualifies.

    words       : (attributes, rows) lists, see `completions`
    first, last : the node has the words from `first` to `last` - 1; `scratch.by_class` has the weights of its classes
    leaf        : the cost of a leaf
    by_cost     : whether the split has the least cost with leaves as its branches, below `leaf`; else it has the
                  greatest information gain

    Returns the cost of the split, or the entropy of the class after it, in bits times the weight in grains.
    """
    weight, rows = np.int64(0), np.int64(0)
    for c in range(len(scratch.by_class)):
        weight += scratch.by_class[c]
    for i in range(first, last):
        rows += problem.rows.count[words[0, i] & ROW_MASK]
    best, tie = np.float64(leaf), 0.0
    if not by_cost:
        best, tie = np.inf, TIE * w_log_w(scratch, weight)
    scratch.split[0] = NO_ATTRIBUTE
    if rows < 2 * problem.least:
        return best
    for attribute in range(len(words)):
        if words[attribute, first] >> RANK_SHIFT == words[attribute, last - 1] >> RANK_SHIFT:
            continue
        if problem.kind[attribute] == CUTS:
            best = _best_cut(
                problem, scratch, words[attribute], first, last, attribute, rows, weight, by_cost, best, tie
            )
        else:
            best = _branches(problem, scratch, words[attribute], first, last, attribute, by_cost, best, tie)
    return best


@inner
def _best_cut(problem, scratch, words, first, last, attribute, rows, weight, by_cost, best, tie):
    """Choose the best cut of an attribute, if it is better than the best so far; return the value of the better one."""
    scratch.left[:] = 0
    counted, weighed = np.int64(0), np.int64(0)
    rank = words[first] >> RANK_SHIFT
    for i in range(first, last - 1):
        row, value_rank = words[i] & ROW_MASK, rank
        grains = problem.rows.grains[row]
        scratch.left[(words[i] >> ROW_BITS) & CLASS_MASK] += grains
        weighed += grains
        counted += problem.rows.count[row]
        rank = words[i + 1] >> RANK_SHIFT
        if rank == value_rank or counted < problem.least or rows - counted < problem.least:
            continue
        value = _value_of_cut(problem, scratch, weighed, weight - weighed, by_cost)
        if value < best - tie:
            best = value
            scratch.split[0], scratch.split[1] = attribute, value_rank
    return best


@inlined
def _value_of_cut(problem, scratch, left, right, by_cost):
    """The cost of a cut with two leaves, or the entropy of the class after it."""
    if by_cost:
        most_left, most_right = np.int64(0), np.int64(0)
        for c in range(len(scratch.left)):
            most_left = max(most_left, scratch.left[c])
            most_right = max(most_right, scratch.by_class[c] - scratch.left[c])
        return np.float64(problem.price + problem.grain * (left - most_left + right - most_right))
    value = w_log_w(scratch, left) + w_log_w(scratch, right)
    for c in range(len(scratch.left)):
        value -= w_log_w(scratch, scratch.left[c]) + w_log_w(scratch, scratch.by_class[c] - scratch.left[c])
    return value


@inner
def _branches(problem, scratch, words, first, last, attribute, by_cost, best, tie):
    """Do the same for the split of an attribute into a branch for each value."""
    value, branches, counted = 0.0, 0, np.int64(0)
    scratch.left[:] = 0
    for i in range(first, last):
        row = words[i] & ROW_MASK
        scratch.left[(words[i] >> ROW_BITS) & CLASS_MASK] += problem.rows.grains[row]
        counted += problem.rows.count[row]
        if i + 1 < last and words[i + 1] >> RANK_SHIFT == words[i] >> RANK_SHIFT:
            continue
        if counted < problem.least:
            return best
        value += _value_of_branch(problem, scratch, by_cost)
        branches, counted = branches + 1, 0
        scratch.left[:] = 0
    value += price_of(problem, branches) if by_cost else 0
    if branches < 2 or value >= best - tie:
        return best
    scratch.split[0], scratch.split[1] = attribute, ALL_CODES
    return value


@inlined
def _value_of_branch(problem, scratch, by_cost):
    """The cost of a leaf for the branch whose classes `scratch.left` weighs, or the entropy of the class there."""
    weight, most, of_classes = np.int64(0), np.int64(0), 0.0
    for c in range(len(scratch.left)):
        weight += scratch.left[c]
        most = max(most, scratch.left[c])
        of_classes += 0.0 if by_cost else w_log_w(scratch, scratch.left[c])
    return np.float64(problem.grain * (weight - most)) if by_cost else w_log_w(scratch, weight) - of_classes
