"""Nodes of a C4.5 tree during growth and pruning, and their conversion to the arrays of a decision tree."""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms.induction.c45.shares import TestKind
from algorithms.kernel_arrays import array


class C45Nodes(NamedTuple):
    """Nodes of a tree. Children are linked lists in increasing order of branch."""

    attribute: Any = array("nodes")  # the tested attribute; -1 for a leaf
    split: Any = array("nodes")  # the code that the test compares with; -1 for a branch per code
    code: Any = array("nodes")  # the branch that leads to the node, see `shares.partition_rows`
    first_child: Any = array("nodes")  # -1 for a leaf
    next_sibling: Any = array("nodes")  # -1 for a last child
    counts: Any = array("nodes classes", np.float64)  # weight of each class
    path: Any = array("nodes")  # scratch of growth: the attribute tested at each depth above the node in progress
    errors: Any = array("nodes", np.float64)  # scratch: errors of the subtree; in pruning, estimated errors


class TreeLayout(NamedTuple):
    """The order of nodes, and the edges, in the arrays of a decision tree."""

    order: Any = array("nodes")  # the nodes that the root reaches, depth-first, each before its children
    position: Any = array("nodes")  # the position of each node in `order`
    stack: Any = array("nodes+1")  # scratch
    first: Any = array("nodes+1")  # by position: the first edge of each node, and the end
    code: Any = array("edges", np.int32)  # the code of each edge; 0 for bounds
    to: Any = array("edges", np.int32)  # the position of the node that each edge leads to
    bound: Any = array("edges", np.float64)  # the upper bound of each edge; infinite for codes


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
    """Write the order of the nodes that the root reaches, and their positions; return how many there are."""
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
    """Write the layout of the nodes that the root reaches; return (number of nodes, number of edges)."""
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
