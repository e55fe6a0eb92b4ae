"""The rows of nodes and their shares, and how C4.5 sends them down the branches of a test.

A row with a missing value goes down every branch, with a share of its weight. So the rows of a node are pairs (row,
share): a run, from `first` up to `end`, of the arrays of `Runs`. A share is a weight, at first that of the row.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, of_words
from algorithms._numba.sorting import sort
from algorithms.kernel_arrays import array

EPSILON = 1e-6
"""Weka's: weights, gains and numbers that differ by less are equal."""


class TestKind(IntEnum):
    """How an attribute is tested: a branch for each code, `code == c`, or `code <= c`."""

    __test__ = False

    EVERY_CODE = 0
    ONE_CODE = 1
    BOUND = 2


class C45Columns(NamedTuple):
    """The data set as the kernels read it."""

    codes: Any  # (rows, attributes): codes of labels, or ranks of the attribute's distinct numbers; `width` if missing
    width: Any  # (attributes,): the number of labels or of distinct numbers
    kind: Any  # (attributes,) TestKind
    averaged: Any  # (attributes,): whether the attribute counts in the average gain
    value: Any  # (distinct numbers,): the numbers of each attribute, increasing, one attribute after another
    first_row: Any  # (distinct numbers,): the first row that has each number
    first_value: Any  # (attributes,): where the numbers of an attribute begin
    decisions: Any  # (rows,): the classes
    classes: Any  # int: the number of classes


class Runs(NamedTuple):
    """The rows of all nodes in progress, one run after another, and the share of each."""

    rows: Any = array("rows", np.int32)
    share: Any = array("rows", np.float64)


class Parts(NamedTuple):
    """The branches of a test, and scratch to compute them; `codes` is the largest number of branches."""

    code: Any = array("codes")  # the branches, increasing, see `partition_rows`
    end: Any = array("codes")  # the end of the run of each of them
    weight: Any = array("codes", np.float64)  # by branch: weight of its rows with known values; 0 between calls
    number: Any = array("codes")  # by branch: the number of these rows; 0 between calls
    next: Any = array("codes")  # by branch: the index for its next row
    old_row: Any = array("rows", np.int32)  # copy of the run in progress
    old_share: Any = array("rows", np.float64)


class PendingNodes(NamedTuple):
    """The stack of the nodes that are still to grow or to prune."""

    node: Any = array("pending")  # -1: a leaf that is not in the tree
    first: Any = array("pending")  # where the run of its rows begins
    end: Any = array("pending")  # where the run ends
    depth: Any = array("pending")  # in growth: the depth of the node
    top: Any = array("pending")  # in pruning: the first index of `runs` that is free
    done: Any = array("pending")  # in pruning: whether the subtrees of its children are pruned


N_NODES, N_PENDING, DEPTH, NODES_NEEDED, PENDING_NEEDED, ROWS_NEEDED = range(6)
"""Indices of the array `state`, which a kernel keeps between its calls: the number of nodes, of pending nodes, and the
depth; then the lengths that the arrays of nodes, pending nodes and runs must have before it continues."""


@inner
def has_capacity(nodes, pending, most, state):
    """Whether there is space for `most` more nodes and most + 1 pending nodes; writes the lengths to `state`."""
    state[NODES_NEEDED], state[PENDING_NEEDED] = state[N_NODES] + most, state[N_PENDING] + most + 1
    return state[NODES_NEEDED] <= len(nodes.attribute) and state[PENDING_NEEDED] <= len(pending.node)


@inner
def write_pending(pending, index, node, first, end, depth, top):
    """Write an entry of the stack that is not done."""
    pending.node[index], pending.first[index], pending.end[index] = node, first, end
    pending.depth[index], pending.top[index], pending.done[index] = depth, top, 0


@inner
def count_classes(columns, runs, first, end, counts, node):
    """Set the `counts` (nodes, classes) of a node to the weight of each class in a run of rows."""
    for decision in range(columns.classes):
        counts[node, decision] = 0.0
    for i in range(first, end):
        counts[node, columns.decisions[runs.rows[i]]] += runs.share[i]


@inner
def largest_class(counts, node):
    """(largest weight of a class, sum of all) at a node. A weight is larger only if it is by more than EPSILON."""
    total, largest = 0.0, 0.0
    for decision in range(counts.shape[1]):
        weight = counts[node, decision]
        total += weight
        if weight - largest > EPSILON:
            largest = weight
    return largest, total


@of_words
def _branch(kind, split, code):
    """The branch that a code takes, see `partition_rows`."""
    if kind == TestKind.BOUND:
        return np.int64(code > split)
    if kind == TestKind.ONE_CODE:
        return np.int64(code != split)
    return np.int64(code)


@inner
def partition_rows(columns, attribute, split, runs, first, end, top, parts, state):
    """Group the rows of a run by branch, and describe the branches in `parts`: (number of branches, their start).

    A branch of EVERY_CODE is a code. The branches of the other tests are 0, for the code or for numbers up to the
    bound, and 1. If all values are known, the grouped rows replace the run. Otherwise they begin at `top`, and the run
    stays. If `runs` is too short for them, the number of branches is 0, `runs` is unchanged, and `state` has the
    required length.
    """
    width, kind, rows, share = columns.width[attribute], columns.kind[attribute], runs.rows, runs.share
    known, unknown_rows, branches = 0.0, 0, 0
    for i in range(first, end):
        row = rows[i]
        parts.old_row[i - first], parts.old_share[i - first] = row, share[i]
        code = columns.codes[row, attribute]
        if code == width:
            unknown_rows += 1
            continue
        branch = _branch(kind, split, code)
        if parts.number[branch] == 0:
            parts.code[branches] = branch
            branches += 1
        parts.number[branch] += 1
        parts.weight[branch] += share[i]
        known += share[i]
    if branches == 0:  # no known value: equal shares
        branches = width if kind == TestKind.EVERY_CODE else 2
        known = np.float64(branches)
        for branch in range(branches):
            parts.code[branch] = branch
            parts.weight[branch] = 1.0
    else:
        sort(parts.code[:branches])
    begin = first if unknown_rows == 0 else top
    position = begin
    for j in range(branches):
        branch = parts.code[j]
        parts.next[branch] = position
        position += parts.number[branch]
        if parts.weight[branch] > EPSILON * known:
            position += unknown_rows
        parts.end[j] = position
    grouped = branches
    if position > len(rows):
        state[ROWS_NEEDED] = position
        branches = 0
    for i in range(end - first if branches > 0 else 0):
        row, old = parts.old_row[i], parts.old_share[i]
        code = columns.codes[row, attribute]
        if code == width:
            for j in range(branches):
                branch = parts.code[j]
                if parts.weight[branch] > EPSILON * known:
                    to = parts.next[branch]
                    rows[to], share[to] = row, old * (parts.weight[branch] / known)
                    parts.next[branch] += 1
        else:
            branch = _branch(kind, split, code)
            to = parts.next[branch]
            rows[to], share[to] = row, old
            parts.next[branch] += 1
    for j in range(grouped):
        parts.number[parts.code[j]] = 0
        parts.weight[parts.code[j]] = 0.0
    return branches, begin
