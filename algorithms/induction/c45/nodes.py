"""Nodes of a C4.5 tree as they grow, and as the arrays of a decision tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import allocating, kernel
from algorithms.induction.c45.shares import TestKind, room

__all__ = ["Nodes", "add_leaf", "lay_out", "no_nodes"]


class Nodes(NamedTuple):
    """Nodes of a tree, children in increasing order of the code that leads to them."""

    attribute: Any  # (nodes,): -1 at a leaf
    split: Any  # (nodes,): the code that the test compares with
    code: Any  # (nodes,): the branch by which the node is reached
    first_child: Any  # (nodes,): -1 of a leaf
    next_sibling: Any  # (nodes,): -1 of a last child
    counts: Any  # (nodes, classes): weight of each class


@allocating
def _room_for_node(nodes, needed):
    if needed <= len(nodes.attribute):
        return nodes
    counts = np.zeros((2 * needed, nodes.counts.shape[1]))
    copy_into(nodes.counts.ravel(), counts.ravel())
    return Nodes(
        room(nodes.attribute, 2 * needed),
        room(nodes.split, 2 * needed),
        room(nodes.code, 2 * needed),
        room(nodes.first_child, 2 * needed),
        room(nodes.next_sibling, 2 * needed),
        counts,
    )


@allocating
def add_leaf(nodes, number, code):
    """The nodes with one more, number `number`: a leaf without rows."""
    nodes = _room_for_node(nodes, number + 1)
    nodes.attribute[number] = nodes.split[number] = nodes.first_child[number] = nodes.next_sibling[number] = -1
    nodes.code[number] = code
    nodes.counts[number] = 0.0
    return nodes


@allocating
def no_nodes(classes):
    """Buffers for a few nodes."""
    numbers = np.zeros((5, 16), np.int64)
    return Nodes(
        numbers[0].copy(),
        numbers[1].copy(),
        numbers[2].copy(),
        numbers[3].copy(),
        numbers[4].copy(),
        np.zeros((16, classes)),
    )


@kernel
def lay_out(columns, nodes, number):
    """The nodes that the root reaches, each before its children, and their edges, as the fields of DecisionTree.

    (which nodes they are, edges, edge_code, edge_to, edge_bound)
    """
    order, place, edges = np.empty(number, np.int64), np.empty(number, np.int64), 0
    waiting, stack, reached = 1, np.zeros(number + 1, np.int64), 0
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        order[reached] = node
        reached += 1
        child, begin = nodes.first_child[node], waiting
        while child >= 0:
            stack[waiting] = child
            waiting += 1
            child = nodes.next_sibling[child]
        copy_into(stack[begin:waiting][::-1].copy(), stack[begin:waiting])
        attribute = nodes.attribute[node]
        if attribute >= 0:
            every = columns.kind[attribute] == TestKind.EVERY_CODE
            bound = columns.kind[attribute] == TestKind.BOUND
            edges += waiting - begin if every else 2 if bound else columns.width[attribute]
    for i in range(reached):
        place[order[i]] = i
    first, code = np.zeros(reached + 1, np.int64), np.zeros(edges, np.int32)
    to, bound_of = np.zeros(edges, np.int32), np.full(edges, np.inf)
    edge = 0
    for i in range(reached):
        node = order[i]
        attribute, child = nodes.attribute[node], nodes.first_child[node]
        if attribute >= 0 and columns.kind[attribute] == TestKind.ONE_CODE:
            for asked in range(columns.width[attribute]):
                only = nodes.first_child[node]
                code[edge] = asked
                to[edge] = place[only if asked == nodes.split[node] else nodes.next_sibling[only]]
                edge += 1
        elif attribute >= 0:
            begin = edge
            while child >= 0:
                to[edge] = place[child]
                code[edge] = nodes.code[child] if columns.kind[attribute] == TestKind.EVERY_CODE else 0
                edge += 1
                child = nodes.next_sibling[child]
            if columns.kind[attribute] == TestKind.BOUND:
                bound_of[begin] = columns.value[columns.first_value[attribute] + nodes.split[node]]
        first[i + 1] = edge
    return order[:reached].copy(), first, code, to, bound_of
