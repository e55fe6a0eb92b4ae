"""Nodes of a C4.5 tree as they grow, and as the arrays of a decision tree."""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import by_reference
from algorithms.induction.c45.shares import TestKind
from algorithms.kernel_arrays import array


class C45Nodes(NamedTuple):
    """Nodes of a tree, children in increasing order of the code that leads to them."""

    attribute: Any = array("nodes")  # -1 at a leaf
    split: Any = array("nodes")  # the code that the test compares with
    code: Any = array("nodes")  # the branch by which the node is reached
    first_child: Any = array("nodes")  # -1 of a leaf
    next_sibling: Any = array("nodes")  # -1 of a last child
    counts: Any = array("nodes classes", np.float64)  # weight of each class
    path: Any = array("nodes")  # scratch of growth: the attribute tested at each depth above a node
    errors: Any = array("nodes", np.float64)  # scratch: the errors of the subtree, estimated where it is pruned


class TreeLayout(NamedTuple):
    """The positions of nodes and edges in the arrays of a decision tree."""

    order: Any = array("nodes")  # the nodes that the root reaches, each before its children
    position: Any = array("nodes")  # the position of each node in that order
    stack: Any = array("nodes+1")  # scratch
    first: Any = array("nodes+1")  # edge of each node in that order
    code: Any = array("edges", np.int32)
    to: Any = array("edges", np.int32)
    bound: Any = array("edges", np.float64)


@inner
def add_leaf(nodes, number, code):
    """Write a leaf without rows as node `number`."""
    nodes.attribute[number] = nodes.split[number] = nodes.first_child[number] = nodes.next_sibling[number] = -1
    nodes.code[number] = code
    for decision in range(nodes.counts.shape[1]):
        nodes.counts[number, decision] = 0.0


@inner
def errors_below(nodes, node):
    """The sum of the errors of the children."""
    errors, child = 0.0, nodes.first_child[node]
    while child >= 0:
        errors += nodes.errors[child]
        child = nodes.next_sibling[child]
    return errors


@inner
def _order(nodes, layout):
    """Write the order of the nodes and the position of each; returns how many there are."""
    order, stack, waiting, reached = layout.order, layout.stack, 1, 0
    stack[0] = 0
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        order[reached], layout.position[node] = node, reached
        reached += 1
        child, begin = nodes.first_child[node], waiting
        while child >= 0:
            stack[waiting] = child
            waiting += 1
            child = nodes.next_sibling[child]
        for swapped in range((waiting - begin) // 2):
            low, high = begin + swapped, waiting - 1 - swapped
            stack[low], stack[high] = stack[high], stack[low]
    return reached


@outer
def write_layout(columns, nodes, layout):
    """Write the nodes that the root reaches and their edges as those of a decision tree: how many there are of each."""
    columns, nodes, layout = by_reference(columns), by_reference(nodes), by_reference(layout)
    code, to, bound = layout.code, layout.to, layout.bound
    reached, edge, layout.first[0] = _order(nodes, layout), 0, 0
    for i in range(reached):
        node = layout.order[i]
        attribute, child = nodes.attribute[node], nodes.first_child[node]
        if attribute >= 0 and columns.kind[attribute] == TestKind.ONE_CODE:
            for label in range(columns.width[attribute]):
                to_child = child if label == nodes.split[node] else nodes.next_sibling[child]
                code[edge], to[edge], bound[edge] = label, layout.position[to_child], np.inf
                edge += 1
        elif attribute >= 0:
            begin = edge
            while child >= 0:
                code[edge] = nodes.code[child] if columns.kind[attribute] == TestKind.EVERY_CODE else 0
                to[edge], bound[edge] = layout.position[child], np.inf
                edge += 1
                child = nodes.next_sibling[child]
            if columns.kind[attribute] == TestKind.BOUND:
                bound[begin] = columns.value[columns.first_value[attribute] + nodes.split[node]]
        layout.first[i + 1] = edge
    return reached, edge
