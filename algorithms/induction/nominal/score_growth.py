"""Growth of one multiway tree over coded columns, whose attributes are chosen by a score: ID3, gain ratio, DID.

Rows are not moved. One array of their indices is partitioned in place, node by node, so that each level of the tree
takes one pass over the rows.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import allocating, kernel
from algorithms._numba.sorting import INDEX_BITS, INDEX_MASK, sort
from algorithms.induction.nominal.tally import (
    first_least,
    n_log_n,
    tabulate,
    tabulate_decisions,
    write_scores,
)
from algorithms.kernel_arrays import array
from algorithms.trees.node_kinds import NO_ATTRIBUTE

ZERO_GAIN = 1e-6  # a gain of fewer bits counts as 0, as in Weka
SPARSE = 4  # with more values than this per row of a node, rows are sorted by value rather than counted


class NominalGrowth(NamedTuple):
    """Row indices, a stack of pending nodes (`next_…`), and the finished nodes in depth-first order."""

    rows: Any = array("rows")  # row indices; the rows of a node are neighbours
    scratch: Any = array("rows")
    next_first: Any = array("waiting")
    next_end: Any = array("waiting")
    next_parent: Any = array("waiting")
    next_code: Any = array("waiting")
    next_level: Any = array("waiting")
    attribute: Any = array("2*rows", np.int32)  # the tested attribute; a nonterminal node has at least two children
    parent: Any = array("2*rows", np.int32)
    code: Any = array("2*rows", np.int32)  # of the edge from the parent
    first: Any = array("2*rows")  # where the node's rows begin in `rows`
    end: Any = array("2*rows")  # where they end
    candidates: Any = array("levels+1 attributes")  # what the children of the last split node above may test
    n_candidates: Any = array("levels+1")
    counts: Any = array("2")  # pending nodes, finished nodes


@allocating
def partition_rows(table, next_index, rows, scratch, first, end, attribute, ends):
    """Group `rows` from `first` to `end` by code of an attribute, in increasing order, stably.

    Returns the number of groups, and writes the end of each into `ends`.

    next_index (most values + 1,), scratch (rows,) : scratch
    """
    n_values = table.first_value[attribute + 1] - table.first_value[attribute]
    parts = 0
    if n_values > SPARSE * (end - first):
        by_code = np.empty(end - first, np.int64)
        for i in range(first, end):
            by_code[i - first] = (np.int64(table.codes[rows[i], attribute]) << INDEX_BITS) | (i - first)
        sort(by_code)
        for i in range(first, end):
            scratch[i] = rows[first + (by_code[i - first] & INDEX_MASK)]
        copy_into(scratch[first:end], rows[first:end])
        for i in range(first + 1, end + 1):
            if i == end or table.codes[rows[i], attribute] != table.codes[rows[i - 1], attribute]:
                ends[parts] = i
                parts += 1
        return parts
    next_index[: n_values + 1] = 0
    for i in range(first, end):
        next_index[table.codes[rows[i], attribute] + 1] += 1
    for value in range(n_values):
        if next_index[value + 1]:
            ends[parts] = first + next_index[value] + next_index[value + 1]
            parts += 1
        next_index[value + 1] += next_index[value]
    for i in range(first, end):
        value = table.codes[rows[i], attribute]
        scratch[first + next_index[value]] = rows[i]
        next_index[value] += 1
    copy_into(scratch[first:end], rows[first:end])
    return parts


@allocating
def next_node(growth):
    """Take a node from the stack and append it to the finished nodes: (node, first row, end of rows, level)."""
    growth.counts[0] -= 1
    top, node = growth.counts[0], growth.counts[1]
    growth.counts[1] += 1
    growth.attribute[node] = NO_ATTRIBUTE
    growth.parent[node], growth.code[node] = growth.next_parent[top], growth.next_code[top]
    growth.first[node], growth.end[node] = growth.next_first[top], growth.next_end[top]
    return node, growth.next_first[top], growth.next_end[top], growth.next_level[top]


@allocating
def split_node(table, tally, growth, ends, node, level, attribute):
    """Let a node test an attribute: partition its rows, and put its children on the stack, the first on top."""
    growth.attribute[node] = attribute
    first, end = growth.first[node], growth.end[node]
    parts = partition_rows(table, tally.next_index, growth.rows, growth.scratch, first, end, attribute, ends)
    for part in range(parts - 1, -1, -1):
        top = growth.counts[0]
        growth.next_first[top] = ends[part - 1] if part else first
        growth.next_end[top] = ends[part]
        growth.next_parent[top], growth.next_level[top] = node, level + 1
        growth.next_code[top] = table.codes[growth.rows[growth.next_first[top]], attribute]
        growth.counts[0] += 1


@kernel
def grow(table, tally, growth, score, stop_at_zero_gain):
    """Grow the tree in which every node with several decisions tests the first attribute of least score.

    An attribute that is constant on a node is not tested there. With `stop_at_zero_gain`, a node is terminal if the
    chosen attribute has no information gain. At first, only the root is on the stack of `growth`.
    """
    ends = np.zeros(len(tally.next_index), np.int64)
    while growth.counts[0]:
        node, first, end, level = next_node(growth)
        part = growth.rows[first:end]
        size, decision_term, decisions = tabulate_decisions(table, tally, part)
        if decisions == 1:
            continue
        candidates = growth.candidates[level, : growth.n_candidates[level]]
        tabulate(table, tally, part, candidates)
        write_scores(tally, candidates, score, size, decision_term)
        chosen = first_least(tally, candidates, score)
        if chosen == NO_ATTRIBUTE:
            continue
        gain = n_log_n(size) - decision_term - tally.size_term[chosen] + tally.joint_term[chosen]
        if stop_at_zero_gain and gain < ZERO_GAIN * size:
            continue
        below = 0
        for attribute in candidates:
            if attribute != chosen and tally.n_values[attribute] > 1:
                growth.candidates[level + 1, below] = attribute
                below += 1
        growth.n_candidates[level + 1] = below
        split_node(table, tally, growth, ends, node, level, chosen)


@kernel
def count_decisions(table, growth, counts):
    """Fill `counts` (nodes, decisions), all 0: the weight of each decision among the rows of each node."""
    for node in range(len(counts) - 1, -1, -1):
        if growth.attribute[node] == NO_ATTRIBUTE:
            for i in range(growth.first[node], growth.end[node]):
                row = growth.rows[i]
                counts[node, table.decisions[row]] += table.weights[row]
        if node:
            for decision in range(table.n_decisions):
                counts[growth.parent[node], decision] += counts[node, decision]
