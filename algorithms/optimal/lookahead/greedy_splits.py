"""The split of a node of a greedy tree: the greatest information gain or, where its branches are leaves, least cost."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, inner
from algorithms.kernel_arrays import array
from algorithms.optimal.mixed.packed_rows import CLASS_MASK, CUTS, RANK_SHIFT, ROW_BITS, ROW_MASK, Rows
from algorithms.optimal.mixed.stumps import ALL_CODES, price_of

__all__ = ["NO_ATTRIBUTE", "Asked", "Space", "choose_split", "log_of"]

NO_ATTRIBUTE = -1

TIE = 2.0**-43
"""Gains are equal if they differ by less than this share of w log2 w, for the weight w of the node in grains."""


class Asked(NamedTuple):
    """The rows, and the terms of the objective."""

    rows: Rows
    kind: Any  # (attributes,) CUTS or BRANCHES
    price: Any  # what a split costs, in the unit of the weights
    per_leaf: Any  # ... for each of its branches less one
    least: Any  # fewest rows in a leaf
    grain: Any  # the weight of a row whose `grains` are 1
    thresholds: Any  # cuts of an attribute that a search completes at most


class Space(NamedTuple):
    """Room to work in; the words of nodes at odd levels are in other lists than those of nodes at even levels."""

    lists: Any = array("2 attributes rows")
    branch: Any = array("rows")  # the branch of each row at the split in hand
    start: Any = array("codes+1")  # where the branches of the split in hand begin, and where the last one ends
    ends: Any = array("codes+1")  # the same of the branches that are completed
    free: Any = array("codes+1")  # where the next row of each branch goes
    nodes: Any = array("2*rows+1 9")
    by_class: Any = array("classes")  # weight in grains: of the node in hand
    left: Any = array("classes")  # ... of a branch of it
    logs: Any = array("logs", np.float64)  # w log2 w of each w
    split: Any = array("2")  # the attribute and the split that were chosen last
    state: Any = array("2")  # units of work done, and the nodes of the last tree


@inlined
def log_of(space, weight):
    """The weight times its binary logarithm."""
    return space.logs[weight] if weight < len(space.logs) else weight * np.log2(np.float64(weight))


@inner
def choose_split(asked, space, words, first, last, leaf):
    """Write the split of the rows in a part of the `words` (attributes, rows), of the classes in `space.by_class`.

    leaf : the cost of a leaf, which a split into leaves must save; -1 if the greatest gain is sought instead

    Returns the cost of the split into leaves, or how much of the information on the classes remains.
    """
    weight, rows = np.int64(0), np.int64(0)
    for c in range(len(space.by_class)):
        weight += space.by_class[c]
    for at in range(first, last):
        rows += asked.rows.count[words[0, at] & ROW_MASK]
    best, tie = np.float64(leaf), 0.0
    if leaf < 0:
        best, tie = np.inf, TIE * log_of(space, weight)
    space.split[0] = NO_ATTRIBUTE
    if rows < 2 * asked.least:
        return best
    for attribute in range(len(words)):
        if words[attribute, first] >> RANK_SHIFT == words[attribute, last - 1] >> RANK_SHIFT:
            continue
        if asked.kind[attribute] == CUTS:
            best = _best_cut(asked, space, words[attribute], first, last, attribute, rows, weight, leaf, best, tie)
        else:
            best = _branches(asked, space, words[attribute], first, last, attribute, leaf, best, tie)
    return best


@inner
def _best_cut(asked, space, words, first, last, attribute, rows, weight, leaf, best, tie):
    """Choose the best cut of an attribute, if it is better than the best so far; return the better of the two."""
    space.left[:] = 0
    counted, weighed = np.int64(0), np.int64(0)
    rank = words[first] >> RANK_SHIFT
    for at in range(first, last - 1):
        row, here = words[at] & ROW_MASK, rank
        grains = asked.rows.grains[row]
        space.left[(words[at] >> ROW_BITS) & CLASS_MASK] += grains
        weighed += grains
        counted += asked.rows.count[row]
        rank = words[at + 1] >> RANK_SHIFT
        if rank == here or counted < asked.least or rows - counted < asked.least:
            continue
        value = _value_of_cut(asked, space, weighed, weight - weighed, leaf)
        if value < best - tie:
            best = value
            space.split[0], space.split[1] = attribute, here
    return best


@inlined
def _value_of_cut(asked, space, left, right, leaf):
    """What leaves on both sides of a cut cost, or the information that remains there."""
    if leaf >= 0:
        most_left, most_right = np.int64(0), np.int64(0)
        for c in range(len(space.left)):
            most_left = max(most_left, space.left[c])
            most_right = max(most_right, space.by_class[c] - space.left[c])
        return np.float64(asked.price + asked.grain * (left - most_left + right - most_right))
    value = log_of(space, left) + log_of(space, right)
    for c in range(len(space.left)):
        value -= log_of(space, space.left[c]) + log_of(space, space.by_class[c] - space.left[c])
    return value


@inner
def _branches(asked, space, words, first, last, attribute, leaf, best, tie):
    """Choose a branch for each value of an attribute, if that is better than the best so far; return the better."""
    value, branches, counted = 0.0, 0, np.int64(0)
    space.left[:] = 0
    for at in range(first, last):
        row = words[at] & ROW_MASK
        space.left[(words[at] >> ROW_BITS) & CLASS_MASK] += asked.rows.grains[row]
        counted += asked.rows.count[row]
        if at + 1 < last and words[at + 1] >> RANK_SHIFT == words[at] >> RANK_SHIFT:
            continue
        if counted < asked.least:
            return best
        value += _value_of_branch(asked, space, leaf)
        branches, counted = branches + 1, 0
        space.left[:] = 0
    value += price_of(asked, branches) if leaf >= 0 else 0
    if branches < 2 or value >= best - tie:
        return best
    space.split[0], space.split[1] = attribute, ALL_CODES
    return value


@inlined
def _value_of_branch(asked, space, leaf):
    """What a leaf costs for the classes of `space.left`, or the information that they hold."""
    weight, most, of_classes = np.int64(0), np.int64(0), 0.0
    for c in range(len(space.left)):
        weight += space.left[c]
        most = max(most, space.left[c])
        of_classes += log_of(space, space.left[c]) if leaf < 0 else 0.0
    return np.float64(asked.grain * (weight - most)) if leaf >= 0 else log_of(space, weight) - of_classes
