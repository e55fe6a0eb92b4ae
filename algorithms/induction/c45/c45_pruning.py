"""Pessimistic pruning of a C4.5 tree, with subtree raising, by the rules of Weka's J48."""

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import cells
from algorithms.induction.c45.nodes import add_leaf, errors_below
from algorithms.induction.c45.shares import (
    EPSILON,
    N_NODES,
    N_PENDING,
    PENDING_NEEDED,
    ROWS_NEEDED,
    count_classes,
    has_capacity,
    largest_class,
    partition_rows,
    write_pending,
)
from algorithms.pruning.added_errors import added_errors_of_leaf

MARGIN = 0.1  # additional errors accepted for a smaller tree
TOO_SHORT = -1.0  # returned in place of errors if arrays must be longer


@inner
def _estimated_errors(counts, node, confidence):
    """Estimated errors of a leaf with the class counts of a node."""
    largest, total = largest_class(counts, node)
    if total < EPSILON:
        return 0.0
    return total - largest + added_errors_of_leaf(total, total - largest, confidence)


@inner
def _largest_child(nodes, node):
    """The child of largest weight; if several have it, the last."""
    best, most = np.int64(-1), 0.0
    child = nodes.first_child[node]
    while child >= 0:
        weight = 0.0
        for decision in range(nodes.counts.shape[1]):
            weight += nodes.counts[child, decision]
        if weight > most - EPSILON:
            best, most = child, weight
        child = nodes.next_sibling[child]
    return best


@inner
def _estimated_errors_below(columns, nodes, runs, pending, parts, branch, confidence, leaf, state):
    """Estimated errors if the subtree of node `branch` received all rows of the last pending node.

    Returns TOO_SHORT if arrays must be longer; `state` has the lengths. leaf (1, classes) : scratch
    """
    base = state[N_PENDING]
    first, end, top = pending.first[base - 1], pending.end[base - 1], pending.top[base - 1]
    if top + end - first > len(runs.rows):
        state[ROWS_NEEDED] = top + end - first
        return TOO_SHORT
    for index in range(end - first):
        runs.rows[top + index], runs.share[top + index] = runs.rows[first + index], runs.share[first + index]
    write_pending(pending, base, branch, top, top + end - first, 0, top)
    errors, waiting = 0.0, base + 1
    while waiting > base:
        waiting -= 1
        node, first, end = pending.node[waiting], pending.first[waiting], pending.end[waiting]
        if node < 0 or nodes.attribute[node] < 0:
            count_classes(columns, runs, first, end, leaf, 0)
            errors += _estimated_errors(leaf, 0, confidence)
            continue
        state[PENDING_NEEDED] = waiting + len(parts.code)
        if state[PENDING_NEEDED] > len(pending.node):
            return TOO_SHORT
        attribute, split = nodes.attribute[node], nodes.split[node]
        branches, begin = partition_rows(columns, attribute, split, runs, first, end, first, parts, state)
        if branches == 0:
            return TOO_SHORT
        child = nodes.first_child[node]
        for j in range(branches):
            while child >= 0 and nodes.code[child] < parts.code[j]:
                child = nodes.next_sibling[child]
            exists = child >= 0 and nodes.code[child] == parts.code[j]  # a branch that had no rows in growth is a leaf
            write_pending(pending, waiting, child if exists else -1, begin, parts.end[j], 0, top)
            begin = parts.end[j]
            waiting += 1
    return errors


@inner
def _child(nodes, node, before, code, state):
    """The child of `node` for `code`, created if missing; `before` is the preceding child."""
    child = nodes.first_child[node] if before < 0 else nodes.next_sibling[before]
    while child >= 0 and nodes.code[child] < code:
        before, child = child, nodes.next_sibling[child]
    if child >= 0 and nodes.code[child] == code:
        return child
    new = state[N_NODES]
    add_leaf(nodes, new, code)
    nodes.next_sibling[new] = child
    if before < 0:
        nodes.first_child[node] = new
    else:
        nodes.next_sibling[before] = new
    state[N_NODES] = new + 1
    return new


@inner
def _expand(columns, nodes, runs, pending, parts, confidence, state):
    """Estimate the errors of the last pending node as a leaf, and put its children on the stack.

    Returns whether the arrays are long enough for this.
    """
    last, counts = state[N_PENDING] - 1, nodes.counts
    node, first, end, top = pending.node[last], pending.first[last], pending.end[last], pending.top[last]
    count_classes(columns, runs, first, end, counts, node)
    nodes.errors[node] = _estimated_errors(counts, node, confidence)
    attribute = nodes.attribute[node]
    if attribute < 0:
        state[N_PENDING] = last
        return True
    branches, begin = partition_rows(columns, attribute, nodes.split[node], runs, first, end, top, parts, state)
    if branches == 0:
        return False
    pending.done[last] = 1
    free, child = max(top, parts.end[branches - 1]), np.int64(-1)
    for j in range(branches):
        child = _child(nodes, node, child, parts.code[j], state)
        write_pending(pending, last + 1 + j, child, begin, parts.end[j], 0, free)
        begin = parts.end[j]
    state[N_PENDING] = last + 1 + branches
    return True


@outer
def prune(columns, nodes, runs, pending, parts, confidence, raising, leaf, state):
    """Prune the tree and update the class counts of its nodes; return whether this is complete.

    From the leaves up, a node is replaced by a leaf or, with `raising`, by its largest subtree if the estimated errors
    rise by no more than MARGIN. A raised subtree receives all rows of the node and is pruned again. Afterwards, the
    root may no longer reach all nodes.

    If pruning is not complete, `state` has the lengths that arrays must have before the next call, which continues.
    Before the first call, the only pending node is the root, and `runs` has all rows.

    leaf : (1, classes) scratch
    """
    leaf, state = cells(leaf), cells(state)
    while state[N_PENDING] > 0:
        if not has_capacity(nodes, pending, len(parts.code), state):
            return False
        last = state[N_PENDING] - 1
        if not pending.done[last]:
            if not _expand(columns, nodes, runs, pending, parts, confidence, state):
                return False
            continue
        node = pending.node[last]
        largest, as_leaf, of_largest = _largest_child(nodes, node), nodes.errors[node], np.inf
        below = errors_below(nodes, node)
        if raising:
            of_largest = _estimated_errors_below(columns, nodes, runs, pending, parts, largest, confidence, leaf, state)
            if of_largest == TOO_SHORT:
                return False
        if as_leaf < below + MARGIN + EPSILON and as_leaf < of_largest + MARGIN + EPSILON:
            nodes.attribute[node] = nodes.first_child[node] = -1
        elif of_largest < below + MARGIN + EPSILON:
            nodes.attribute[node], nodes.split[node] = nodes.attribute[largest], nodes.split[largest]
            nodes.first_child[node] = nodes.first_child[largest]
            pending.done[last] = 0
            continue
        else:
            nodes.errors[node] = below
        state[N_PENDING] = last
    return True
