"""Greedy trees for parts of a table, and the split of some rows whose branches they complete at the least cost."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import by_reference, cells
from algorithms.optimal.lookahead.greedy_splits import NO_ATTRIBUTE, choose_split
from algorithms.optimal.mixed.packed_rows import CLASS_MASK, CUTS, NEVER, RANK_SHIFT, ROW_BITS, ROW_MASK
from algorithms.optimal.mixed.stumps import ALL_CODES, price_of

__all__ = [
    "ABOVE",
    "ATTRIBUTE",
    "BELOW",
    "BEST",
    "CHOSEN",
    "CURSOR",
    "CUT",
    "LEAF",
    "NODES",
    "SPLIT",
    "WORK",
    "grow",
    "search_splits",
]

FIRST, LAST, DEPTH, ABOVE, LISTS, ATTRIBUTE, SPLIT, LEAF, BELOW = range(9)
"""What is known of a node: where its rows are in the lists, the levels that it may have, the node above, which of the
lists it is in, the attribute that it tests and the split, what it costs as a leaf, and what it costs with its split."""

WORK, NODES = range(2)

AT, PLACE, BEST, CHOSEN, CUT, CURSOR = range(6)
"""Of a search of splits: the attribute in hand and the row of its list; the least cost, its attribute and split."""


@outer
def grow(asked, space, words, depth):
    """Grow the greedy tree of some rows within a depth: its cost. Its nodes are in `space.nodes`, parents first.

    words : (attributes, rows) the rows by the value of each attribute
    """
    asked, space, words = by_reference(asked), by_reference(space), cells(words)
    for attribute in range(len(words)):
        for at in range(words.shape[1]):
            space.lists[0, attribute, at] = words[attribute, at]
    return _complete(asked, space, 0, words.shape[1], depth)


@outer
def search_splits(asked, space, words, depth, floor, cursor, until):
    """Complete the branches of each split of some rows by greedy trees; keep the first split of least cost.

    words  : (attributes, rows) the rows by the value of each attribute
    depth  : the levels that each branch may have
    floor  : no split costs less, so the first that costs no more ends the search
    cursor : (CURSOR,) where to go on; BEST is at first a limit: splits that cost as much or more are of no use
    until  : units of work after which to stop

    Returns whether all splits have been tried.
    """
    asked, space, words, cursor = by_reference(asked), by_reference(space), cells(words), cells(cursor)
    rows = words.shape[1]
    while cursor[AT] < len(words) and cursor[BEST] > floor:
        attribute = cursor[AT]
        index = _next_place(asked, words[attribute], attribute, cursor[PLACE])
        if index < 0:
            cursor[AT], cursor[PLACE] = attribute + 1, 0
            continue
        cursor[PLACE] = index
        split = words[attribute, index - 1] >> RANK_SHIFT if asked.kind[attribute] == CUTS else np.int64(ALL_CODES)
        branches = _branch(asked, space, words[attribute], 0, rows, split)
        cost = price_of(asked, branches)
        if branches and cost < cursor[BEST]:
            _distribute(space, words, space.lists[0], 0, rows, branches)
            cost += _cost_of_branches(asked, space, branches, depth, cursor[BEST] - cost)
            if cost < cursor[BEST]:
                cursor[BEST], cursor[CHOSEN], cursor[CUT] = cost, attribute, split
        space.state[WORK] += rows
        if space.state[WORK] >= until:
            return False
    return True


@inner
def _next_place(asked, words, attribute, index):
    """The row after the next cut of an attribute; all rows where it has a branch for each value; -1 after the last."""
    rows = len(words)
    if asked.kind[attribute] != CUTS:
        return rows if index < rows else -1
    share = index * (asked.thresholds + 1) // rows
    for at in range(index + 1, rows):
        if words[at] >> RANK_SHIFT != words[at - 1] >> RANK_SHIFT and at * (asked.thresholds + 1) // rows > share:
            return at
    return -1


@inner
def _branch(asked, space, words, first, last, split):
    """Write the branch of each row of a part of a list, and where the branches begin and end; return their number.

    The number is 0 if there is only one, or if a branch has too few rows.
    """
    branch, counted = 0, np.int64(0)
    space.start[0] = first
    for at in range(first, last):
        rank, row = words[at] >> RANK_SHIFT, words[at] & ROW_MASK
        changes = at > first and rank != words[at - 1] >> RANK_SHIFT
        if changes and (split == ALL_CODES or (branch == 0 and rank > split)):
            if counted < asked.least:
                return 0
            branch, counted = branch + 1, 0
            space.start[branch] = at
        space.branch[row] = branch
        counted += asked.rows.count[row]
    space.start[branch + 1] = last
    return branch + 1 if branch and counted >= asked.least else 0


@inner
def _distribute(space, words, into, first, last, branches):
    """Write a part of the lists so that the rows of each branch are together, in their order."""
    for attribute in range(len(words)):
        for branch in range(branches):
            space.free[branch] = space.start[branch]
        for at in range(first, last):
            word = words[attribute, at]
            branch = space.branch[word & ROW_MASK]
            into[attribute, space.free[branch]] = word
            space.free[branch] += 1
    space.state[WORK] += (last - first) * len(words)


@inner
def _cost_of_branches(asked, space, branches, depth, limit):
    """The cost of the greedy trees of all branches; at least the limit if some of them cost so much."""
    cost = np.int64(0)
    for branch in range(branches + 1):
        space.ends[branch] = space.start[branch]
    for branch in range(branches):
        if cost < limit:
            cost += _complete(asked, space, space.ends[branch], space.ends[branch + 1], depth)
    return cost


@inner
def _complete(asked, space, first, last, depth):
    """Grow the greedy tree for a part of the first lists, which it reorders; return its cost."""
    _add_node(space, 0, -1, first, last, depth, 0)
    number, node = 1, 0
    while node < number:
        number = _grow_node(asked, space, node, number)
        node += 1
    nodes = space.nodes
    for at in range(number - 1, 0, -1):
        nodes[nodes[at, ABOVE], BELOW] += min(nodes[at, LEAF], nodes[at, BELOW])
    space.state[NODES] = number
    return min(nodes[0, LEAF], nodes[0, BELOW])


@inner
def _add_node(space, node, above, first, last, depth, lists):
    space.nodes[node, ABOVE], space.nodes[node, LISTS] = above, lists
    space.nodes[node, FIRST], space.nodes[node, LAST], space.nodes[node, DEPTH] = first, last, depth


@inner
def _grow_node(asked, space, node, number):
    """Split a node, if that may help; return the number of nodes."""
    nodes = space.nodes
    first, last, depth, lists = nodes[node, FIRST], nodes[node, LAST], nodes[node, DEPTH], nodes[node, LISTS]
    words = space.lists[lists]
    forced = _count_classes(asked, space, words, first, last)
    leaf = _leaf_cost(asked, space)
    nodes[node, LEAF], nodes[node, BELOW], nodes[node, ATTRIBUTE] = leaf, NEVER, NO_ATTRIBUTE
    if depth == 0 or leaf - forced <= asked.price:
        return number
    value = choose_split(asked, space, words, first, last, leaf if depth == 1 else -1)
    space.state[WORK] += (last - first) * len(words)
    nodes[node, ATTRIBUTE], nodes[node, SPLIT] = space.split[0], space.split[1]
    if space.split[0] == NO_ATTRIBUTE:
        return number
    if depth == 1:
        nodes[node, BELOW] = np.int64(value)
        return number
    branches = _branch(asked, space, words[space.split[0]], first, last, space.split[1])
    _distribute(space, words, space.lists[1 - lists], first, last, branches)
    nodes[node, BELOW] = price_of(asked, branches)
    for branch in range(branches):
        start, end = space.start[branch], space.start[branch + 1]
        _add_node(space, number + branch, node, start, end, depth - 1, 1 - lists)
    return number + branches


@inner
def _count_classes(asked, space, words, first, last):
    """Weigh the classes of the rows of a node; return the errors that no tree avoids."""
    space.by_class[:] = 0
    forced = np.int64(0)
    for at in range(first, last):
        row = words[0, at] & ROW_MASK
        space.by_class[(words[0, at] >> ROW_BITS) & CLASS_MASK] += asked.rows.grains[row]
        forced += asked.rows.forced[row]
    space.state[WORK] += last - first
    return forced


@inner
def _leaf_cost(asked, space):
    """What a leaf costs for the classes of `space.by_class`."""
    weight, most = np.int64(0), np.int64(0)
    for c in range(len(space.by_class)):
        weight += space.by_class[c]
        most = max(most, space.by_class[c])
    return asked.grain * (weight - most)
