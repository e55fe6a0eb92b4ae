"""Collapse and pessimistic pruning of a C4.5 tree, with subtree raising, by the rules of Weka's J48."""

from __future__ import annotations

import numpy as np

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import allocating, kernel
from algorithms.induction.c45.nodes import add_leaf
from algorithms.induction.c45.shares import (
    EPSILON,
    count,
    largest_class,
    put_on_stack,
    room,
    room_for_parts,
    room_on_stack,
    spread,
)
from algorithms.pruning.added_errors import added_errors

__all__ = ["collapse", "prune"]

COLLAPSE = 1e-3  # fewer errors that a subtree must make than a leaf
MARGIN = 0.1  # additional errors accepted for a smaller tree


@allocating
def _estimate(counts, confidence):
    """Estimated errors of a leaf."""
    largest, total = largest_class(counts)
    if total < EPSILON:
        return 0.0
    return total - largest + added_errors(total, total - largest, confidence)


@kernel
def collapse(nodes, number):
    """Make nodes leaves if the training rows below are no better classified than by a leaf."""
    errors = np.zeros(number)
    for node in range(number - 1, -1, -1):
        largest, total = largest_class(nodes.counts[node])
        if nodes.attribute[node] < 0:
            errors[node] = total - largest
            continue
        child = nodes.first_child[node]
        while child >= 0:
            errors[node] += errors[child]
            child = nodes.next_sibling[child]
        if errors[node] >= total - largest - COLLAPSE:
            nodes.attribute[node] = nodes.first_child[node] = -1


@allocating
def _largest_child(nodes, node):
    """The child of largest weight; of several, the last."""
    best, most = -1, 0.0
    child = nodes.first_child[node]
    while child >= 0:
        weight = nodes.counts[child].sum()
        if weight > most - EPSILON:
            best, most = child, weight
        child = nodes.next_sibling[child]
    return best


@allocating
def _estimate_below(columns, nodes, branch, rows, share, first, end, top, parts, confidence):
    """(rows, share, estimated errors) of a run of rows if they were all sent down from node `branch`."""
    counts = np.zeros(columns.classes)
    rows, share = room(rows, top + end - first), room(share, top + end - first)
    copy_into(rows[first:end], rows[top : top + end - first])
    copy_into(share[first:end], share[top : top + end - first])
    stack = np.zeros((16, 3), np.int64)
    put_on_stack(stack, 0, (branch, top, top + end - first))
    errors, waiting = 0.0, 1
    while waiting > 0:
        waiting -= 1
        node, first, end = stack[waiting]
        if node < 0 or nodes.attribute[node] < 0:
            count(columns, rows, share, first, end, counts)
            errors += _estimate(counts, confidence)
            continue
        rows, share, branches, begin = spread(
            columns, nodes.attribute[node], nodes.split[node], rows, share, first, end, first, parts
        )
        stack = room_on_stack(stack, waiting + branches)
        child = nodes.first_child[node]
        for j in range(branches):
            while child >= 0 and nodes.code[child] < parts.code[j]:
                child = nodes.next_sibling[child]
            there = child >= 0 and nodes.code[child] == parts.code[j]  # a branch that had no rows is a leaf
            put_on_stack(stack, waiting, (child if there else -1, begin, parts.end[j]))
            begin = parts.end[j]
            waiting += 1
    return rows, share, errors


@allocating
def _child(nodes, number, node, before, code):
    """(nodes, their number, the child of `node` for `code`), created if missing; `before` is the preceding child."""
    child = nodes.first_child[node] if before < 0 else nodes.next_sibling[before]
    while child >= 0 and nodes.code[child] < code:
        before, child = child, nodes.next_sibling[child]
    if child >= 0 and nodes.code[child] == code:
        return nodes, number, child
    nodes = add_leaf(nodes, number, code)
    nodes.next_sibling[number] = child
    if before < 0:
        nodes.first_child[node] = number
    else:
        nodes.next_sibling[before] = number
    return nodes, number + 1, number


@kernel
def prune(columns, weights, nodes, number, confidence, raising):
    """(nodes, their number) after pruning, counts and all; some may not be reached any more from the root.

    From the leaves up, a node becomes a leaf, or its largest subtree, if the estimated errors rise by no more than
    MARGIN. A raised subtree gets the node's rows and is pruned again.
    """
    n = len(weights)
    rows, share = np.arange(n).astype(np.int32), weights.copy()
    parts = room_for_parts(columns, n)
    errors = np.zeros(number)  # estimated errors of the subtree
    # Pending nodes, the run of their rows, the first free index above it, and whether all below is done.
    stack = np.zeros((16, 5), np.int64)
    put_on_stack(stack, 0, (0, 0, n, n, 0))
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node, first, end, top, done = stack[waiting]
        if not done:
            count(columns, rows, share, first, end, nodes.counts[node])
            errors[node] = _estimate(nodes.counts[node], confidence)
            attribute = nodes.attribute[node]
            if attribute < 0:
                continue
            rows, share, branches, begin = spread(
                columns, attribute, nodes.split[node], rows, share, first, end, top, parts
            )
            stack = room_on_stack(stack, waiting + branches + 1)
            put_on_stack(stack, waiting, (node, first, end, top, 1))
            waiting += 1
            above, child = max(top, parts.end[branches - 1]), -1
            for j in range(branches):
                nodes, number, child = _child(nodes, number, node, child, parts.code[j])
                put_on_stack(stack, waiting, (child, begin, parts.end[j], above, 0))
                begin = parts.end[j]
                waiting += 1
            errors = room(errors, number)
            continue
        below, child = 0.0, nodes.first_child[node]
        while child >= 0:
            below += errors[child]
            child = nodes.next_sibling[child]
        largest, of_largest = _largest_child(nodes, node), np.inf
        if raising:
            rows, share, of_largest = _estimate_below(
                columns, nodes, largest, rows, share, first, end, top, parts, confidence
            )
        if errors[node] < below + MARGIN + EPSILON and errors[node] < of_largest + MARGIN + EPSILON:
            nodes.attribute[node] = nodes.first_child[node] = -1
        elif of_largest < below + MARGIN + EPSILON:
            nodes.attribute[node], nodes.split[node] = nodes.attribute[largest], nodes.split[largest]
            nodes.first_child[node] = nodes.first_child[largest]
            put_on_stack(stack, waiting, (node, first, end, top, 0))
            waiting += 1
        else:
            errors[node] = below
    return nodes, number
