"""Growth of a C4.5 tree by the rules of Weka's J48; subtrees that classify no better than a leaf are collapsed."""

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import cells
from algorithms.induction.c45.entries import count_codes, counted_entries, sorted_entries, write_logarithms
from algorithms.induction.c45.gain_ratio import best_bound, best_code, every_code
from algorithms.induction.c45.nodes import add_leaf, errors_below
from algorithms.induction.c45.numbers import bound_code
from algorithms.induction.c45.shares import (
    DEPTH,
    EPSILON,
    N_NODES,
    N_PENDING,
    TestKind,
    count_classes,
    has_capacity,
    largest_class,
    partition_rows,
    write_pending,
)

GUARD = 1e-3  # bits by which the gain of a test may be below the average
COLLAPSE = 1e-3  # weight of errors that a subtree must save, compared with a leaf


@inner
def _evaluate(columns, attribute, entries, size, total, min_rows):
    kind = columns.kind[attribute]
    if kind == TestKind.BOUND:
        begin = columns.first_value[attribute]
        values = columns.value[begin : begin + columns.width[attribute]]
        return best_bound(entries, size, total, min_rows, values)
    if kind == TestKind.ONE_CODE:
        return best_code(entries, size, total, min_rows)
    return every_code(entries, size, total, min_rows)


@inner
def _select(columns, used, rows, share, first, end, total, min_rows, counting, entries, splits):
    """The attribute of largest gain ratio among those of at least average gain that are not `used`; -1 if none."""
    attributes = len(columns.width)
    counted = count_codes(columns, used, rows, share, first, end, counting)
    sum_of_gains, valid, next_counted = 0.0, 0, 0
    for attribute in range(attributes):
        if used[attribute]:
            splits.valid[attribute] = False
            continue
        if next_counted < counted and counting.counted[next_counted] == attribute:
            size = counted_entries(columns, attribute, counting.first_cell[next_counted], counting.cells, entries)
            next_counted += 1
        else:
            size = sorted_entries(columns, attribute, rows, share, first, end, counting, entries)
        split = _evaluate(columns, attribute, entries, size, total, min_rows)
        splits.valid[attribute], splits.gain[attribute], splits.ratio[attribute] = split.valid, split.gain, split.ratio
        splits.code[attribute], splits.middle[attribute] = split.code, split.middle
        if split.valid and columns.averaged[attribute]:
            sum_of_gains += split.gain
            valid += 1
    best, best_ratio = -1, 0.0
    if valid > 0:
        least = sum_of_gains / valid - GUARD
        for attribute in range(attributes):
            allowed = splits.valid[attribute] and splits.gain[attribute] >= least
            if allowed and splits.ratio[attribute] - best_ratio > EPSILON:
                best, best_ratio = attribute, splits.ratio[attribute]
    return best


@inner
def _collapse(nodes, number):
    """Turn a node into a leaf if its subtree classifies the training rows no better than a leaf would."""
    errors = nodes.errors
    for node in range(number - 1, -1, -1):
        largest, total = largest_class(nodes.counts, node)
        if nodes.attribute[node] < 0:
            errors[node] = total - largest
            continue
        errors[node] = errors_below(nodes, node)
        if errors[node] >= total - largest - COLLAPSE:
            nodes.attribute[node] = nodes.first_child[node] = -1


@outer
def grow(columns, min_rows, runs, nodes, pending, used, parts, counting, entries, splits, state):
    """Grow and collapse the unpruned tree; return whether it is complete.

    If it is not, `state` has the lengths that arrays must have before the next call, which continues. Before the first
    call, `state` is 0, and `runs` has all rows with their weights, which are positive.

    used (attributes,) bool, False at first : the attributes that were split by every code above the node in progress
    """
    path, used, state = nodes.path, cells(used), cells(state)
    if state[N_NODES] == 0:
        write_logarithms(entries.log)
        add_leaf(nodes, 0, 0)
        write_pending(pending, 0, 0, 0, len(parts.old_row), 0, 0)
        state[N_NODES], state[N_PENDING] = 1, 1
    while state[N_PENDING] > 0:
        if not has_capacity(nodes, pending, len(parts.code), state):
            return False
        last, number, depth = state[N_PENDING] - 1, state[N_NODES], state[DEPTH]
        node, first, end = pending.node[last], pending.first[last], pending.end[last]
        while depth > pending.depth[last]:
            depth -= 1
            used[path[depth]] = False
        state[DEPTH] = depth
        count_classes(columns, runs, first, end, nodes.counts, node)
        largest, total = largest_class(nodes.counts, node)
        attribute = np.int64(-1)
        if total >= 2 * min_rows - EPSILON and abs(total - largest) >= EPSILON:
            attribute = _select(
                columns, used, runs.rows, runs.share, first, end, total, min_rows, counting, entries, splits
            )
        if attribute < 0:
            state[N_PENDING] = last
            continue
        split = splits.code[attribute]
        if columns.kind[attribute] == TestKind.BOUND:
            split = bound_code(columns, attribute, splits.middle[attribute], counting.keys)
        branches, begin = partition_rows(columns, attribute, split, runs, first, end, first, parts, state)
        if branches == 0:
            return False
        nodes.attribute[node], nodes.split[node], nodes.first_child[node] = attribute, split, number
        path[depth] = attribute
        used[attribute] = columns.kind[attribute] == TestKind.EVERY_CODE
        for j in range(branches):
            add_leaf(nodes, number + j, parts.code[j])
            if j > 0:
                nodes.next_sibling[number + j - 1] = number + j
            write_pending(pending, last + j, number + j, begin, parts.end[j], depth + 1, 0)
            begin = parts.end[j]
        state[N_NODES], state[N_PENDING], state[DEPTH] = number + branches, last + branches, depth + 1
    _collapse(nodes, state[N_NODES])
    return True
