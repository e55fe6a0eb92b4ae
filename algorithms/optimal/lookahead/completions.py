"""Greedy trees for sets of rows, and the split of a node that costs least if greedy trees complete its branches.

A list has one word for each row, sorted by the value of its attribute (see `packed_rows`).
"""

import numpy as np

from algorithms._numba.decorators import inner, large
from algorithms._numba.primitives import cells
from algorithms.optimal.lookahead.greedy_splits import choose_split
from algorithms.optimal.mixed.packed_rows import CLASS_MASK, CUTS, RANK_SHIFT, ROW_BITS, ROW_MASK
from algorithms.optimal.mixed.sides import ALL_CODES, price_of
from algorithms.optimal.never import NEVER
from algorithms.trees.node_kinds import NO_ATTRIBUTE

FIRST, LAST, DEPTH, PARENT, LISTS, ATTRIBUTE, SPLIT, LEAF_COST, SPLIT_COST = range(9)
"""Fields of a node: the index of its first word in each list, and of the word after its last; the greatest depth of its
tree; its parent, -1 at the root; the index of its lists in `GreedyBuffers.lists`; its attribute and its split, as in
`CompletedSplit`; its cost as a leaf, and with the split."""

WORK, NODES = range(2)
"""Indices of `GreedyBuffers.state`."""

AT_ATTRIBUTE, AT_ROW, BEST_COST, BEST_ATTRIBUTE, BEST_SPLIT, CURSOR_FIELDS = range(6)
"""Fields of the cursor of `search_splits`, and their number: the attribute and the row, as `_next_row` returns it, of
the split tried last; the least cost so far, and its split."""


@large
def grow(problem, scratch, words, depth):
    """Grow the greedy tree of some rows, at most this deep; return its cost. Its nodes are in `scratch.nodes`.

    words : (attributes, rows) the list of each attribute
    """
    words = cells(words)
    for attribute in range(len(words)):
        for i in range(words.shape[1]):
            scratch.lists[0, attribute, i] = words[attribute, i]
    return _complete(problem, scratch, 0, words.shape[1], depth)


@large
def search_splits(problem, scratch, words, depth, floor, cursor, until):
    """Complete the branches of each split of some rows by greedy trees; keep the first split of least cost.

    words  : (attributes, rows) the list of each attribute
    depth  : the greatest depth of the tree of a branch
    floor  : a lower bound of the cost of all splits; the first split that reaches it ends the search
    cursor : (CURSOR_FIELDS,) where to continue. At first, BEST_COST is a limit: only splits that cost less are kept
    until  : units of work after which to stop

    Returns whether all splits have been tried.
    """
    words, cursor = cells(words), cells(cursor)
    rows, start = words.shape[1], scratch.start_at_root
    while cursor[AT_ATTRIBUTE] < len(words) and cursor[BEST_COST] > floor:
        attribute = cursor[AT_ATTRIBUTE]
        index = _next_row(problem, words[attribute], attribute, cursor[AT_ROW])
        if index < 0:
            cursor[AT_ATTRIBUTE], cursor[AT_ROW] = attribute + 1, 0
            continue
        cursor[AT_ROW] = index
        split = words[attribute, index - 1] >> RANK_SHIFT if problem.kind[attribute] == CUTS else np.int64(ALL_CODES)
        branches = _branch(problem, scratch, words[attribute], 0, rows, split, start)
        cost = price_of(problem, branches)
        if branches and cost < cursor[BEST_COST]:
            _distribute(scratch, words, scratch.lists[0], 0, rows, branches, start)
            for branch in range(branches):
                if cost < cursor[BEST_COST]:
                    cost += _complete(problem, scratch, start[branch], start[branch + 1], depth)
            if cost < cursor[BEST_COST]:
                cursor[BEST_COST], cursor[BEST_ATTRIBUTE], cursor[BEST_SPLIT] = cost, attribute, split
        scratch.state[WORK] += rows
        if scratch.state[WORK] >= until:
            return False
    return True


@inner
def _next_row(problem, words, attribute, index):
    """The index of the first row right of the next cut to try; -1 after the last one.

    For a branch of each value, it is the number of rows. A cut is tried if it lies in a later one of `thresholds` + 1
    equal parts of the rows than the cut tried last.

    words : (rows,) the list of the attribute
    """
    rows = len(words)
    if problem.kind[attribute] != CUTS:
        return rows if index < rows else -1
    share = index * (problem.thresholds + 1) // rows
    for i in range(index + 1, rows):
        if words[i] >> RANK_SHIFT != words[i - 1] >> RANK_SHIFT and i * (problem.thresholds + 1) // rows > share:
            return i
    return -1


@inner
def _branch(problem, scratch, words, first, last, split, start):
    """Write the branch of each row of a node, and where the branches begin and end; return the number of branches.

    The number is 0 if there is only one, or if a branch has too few rows.

    words : (rows,) the list of the attribute of the split, in which the branches follow one another
    start : (branches + 1,) written: where the branches begin, and where the last one ends
    """
    branch, counted = 0, np.int64(0)
    start[0] = first
    for i in range(first, last):
        rank, row = words[i] >> RANK_SHIFT, words[i] & ROW_MASK
        changes = i > first and rank != words[i - 1] >> RANK_SHIFT
        if changes and (split == ALL_CODES or (branch == 0 and rank > split)):
            if counted < problem.least:
                return 0
            branch, counted = branch + 1, 0
            start[branch] = i
        scratch.branch[row] = branch
        counted += problem.rows.count[row]
    start[branch + 1] = last
    return branch + 1 if branch and counted >= problem.least else 0


@inner
def _distribute(scratch, words, into, first, last, branches, start):
    """Copy the words of a node to the lists `into`, those of each branch together and in the same order."""
    for attribute in range(len(words)):
        for branch in range(branches):
            scratch.free[branch] = start[branch]
        for i in range(first, last):
            word = words[attribute, i]
            branch = scratch.branch[word & ROW_MASK]
            into[attribute, scratch.free[branch]] = word
            scratch.free[branch] += 1
    scratch.state[WORK] += (last - first) * len(words)


@inner
def _complete(problem, scratch, first, last, depth):
    """Grow the greedy tree for the words from `first` to `last` - 1 in `scratch.lists[0]`, and reorder these words.

    Write its nodes, parents first; return its cost.
    """
    _add_node(scratch, 0, -1, first, last, depth, 0)
    number, node = 1, 0
    while node < number:
        number = _grow_node(problem, scratch, node, number)
        node += 1
    nodes = scratch.nodes
    for i in range(number - 1, 0, -1):
        nodes[nodes[i, PARENT], SPLIT_COST] += min(nodes[i, LEAF_COST], nodes[i, SPLIT_COST])
    scratch.state[NODES] = number
    return min(nodes[0, LEAF_COST], nodes[0, SPLIT_COST])


@inner
def _add_node(scratch, node, parent, first, last, depth, lists):
    scratch.nodes[node, PARENT], scratch.nodes[node, LISTS] = parent, lists
    scratch.nodes[node, FIRST], scratch.nodes[node, LAST], scratch.nodes[node, DEPTH] = first, last, depth


@inner
def _grow_node(problem, scratch, node, number):
    """Choose the split of a node, if it may cost less than a leaf, and add its branches; return the number of nodes.

    At depth 1, the branches are leaves, which are not added.
    """
    nodes = scratch.nodes
    first, last, depth, lists = nodes[node, FIRST], nodes[node, LAST], nodes[node, DEPTH], nodes[node, LISTS]
    words = scratch.lists[lists]
    leaf, forced = _count_classes(problem, scratch, words, first, last)
    nodes[node, LEAF_COST], nodes[node, SPLIT_COST], nodes[node, ATTRIBUTE] = leaf, NEVER, NO_ATTRIBUTE
    if depth == 0 or leaf - forced <= problem.price:
        return number
    value = choose_split(problem, scratch, words, first, last, leaf, depth == 1)
    scratch.state[WORK] += (last - first) * len(words)
    nodes[node, ATTRIBUTE], nodes[node, SPLIT] = scratch.split[0], scratch.split[1]
    if scratch.split[0] == NO_ATTRIBUTE:
        return number
    if depth == 1:
        nodes[node, SPLIT_COST] = np.int64(value)
        return number
    start = scratch.start
    branches = _branch(problem, scratch, words[scratch.split[0]], first, last, scratch.split[1], start)
    _distribute(scratch, words, scratch.lists[1 - lists], first, last, branches, start)
    nodes[node, SPLIT_COST] = price_of(problem, branches)
    for branch in range(branches):
        _add_node(scratch, number + branch, node, start[branch], start[branch + 1], depth - 1, 1 - lists)
    return number + branches


@inner
def _count_classes(problem, scratch, words, first, last):
    """Write the weight of each class of a node, in grains; return (cost of a leaf, errors that no tree avoids)."""
    scratch.by_class[:] = 0
    forced, weight, most = np.int64(0), np.int64(0), np.int64(0)
    for i in range(first, last):
        row = words[0, i] & ROW_MASK
        scratch.by_class[(words[0, i] >> ROW_BITS) & CLASS_MASK] += problem.rows.grains[row]
        forced += problem.rows.forced[row]
    for c in range(len(scratch.by_class)):
        weight += scratch.by_class[c]
        most = max(most, scratch.by_class[c])
    scratch.state[WORK] += last - first
    return problem.grain * (weight - most), forced
