"""Columns of numbers as codes for C4.5, and its nodes as the arrays of a decision tree."""

from __future__ import annotations

import numpy as np
from numba import njit

from algorithms.kernels.c45_rows import TestKind

__all__ = ["lay_out", "rank"]


@njit(nogil=True, cache=True)
def rank(column, order, codes):
    """Number the distinct numbers of a column in increasing order: (the numbers, the first row that has each).

    order: (rows that are known,) by increasing number; codes: (rows,) where each row's number is put
    """
    value, first_row = np.empty(len(order)), np.empty(len(order), np.int64)
    distinct = 0
    for row in order:
        if distinct == 0 or column[row] > value[distinct - 1]:
            value[distinct], first_row[distinct] = column[row], row
            distinct += 1
        first_row[distinct - 1] = min(first_row[distinct - 1], row)
        codes[row] = distinct - 1
    return value[:distinct].copy(), first_row[:distinct].copy()


@njit(nogil=True, cache=True)
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
        stack[begin:waiting] = stack[begin:waiting][::-1].copy()
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
