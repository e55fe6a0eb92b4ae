"""Growth of a C4.5 tree, unpruned, by the rules of Weka's J48."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import inner, kernel
from algorithms._numba.primitives import by_reference
from algorithms.induction.c45.entries import (
    count_codes,
    counted_entries,
    room_for_counting,
    room_for_entries,
    sorted_entries,
)
from algorithms.induction.c45.gain_ratio import best_bound, best_code, every_code, room_for_splits
from algorithms.induction.c45.nodes import add_leaf, no_nodes
from algorithms.induction.c45.numbers import bound
from algorithms.induction.c45.shares import (
    EPSILON,
    TestKind,
    count,
    largest_class,
    put_on_stack,
    room,
    room_for_parts,
    room_on_stack,
    spread,
)

__all__ = ["grow"]

GUARD = 1e-3  # how far below the average gain a test may be


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
    """The attribute of largest gain ratio among the tests of at least average gain that are not `used`; -1 if none."""
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


@kernel
def grow(columns, weights, min_rows):
    """(nodes, their number) of the unpruned tree for all rows, of positive weight each."""
    n, attributes = len(weights), len(columns.width)
    rows, share = np.arange(n).astype(np.int32), weights.copy()
    counting, parts = room_for_counting(columns, n), room_for_parts(columns, n)
    entries, splits = room_for_entries(columns, n), room_for_splits(attributes)
    nodes = add_leaf(no_nodes(columns.classes), 0, 0)
    number, waiting = 1, 1
    # Pending nodes, each with the run of its rows and its depth; the last has the topmost run, which may grow.
    stack = np.zeros((16, 4), np.int64)
    put_on_stack(stack, 0, (0, 0, n, 0))
    # The attributes tested above; after a test of every code, none of these can separate rows.
    path, depth, used = np.zeros(16, np.int64), 0, np.zeros(attributes, np.bool_)
    while waiting > 0:
        waiting -= 1
        node, first, end, above = stack[waiting]
        while depth > above:
            depth -= 1
            used[path[depth]] = False
        count(columns, rows, share, first, end, nodes.counts[node])
        largest, total = largest_class(nodes.counts[node])
        if total < 2 * min_rows - EPSILON or abs(total - largest) < EPSILON:
            continue
        attribute = _select(
            by_reference(columns),
            used,
            rows,
            share,
            first,
            end,
            total,
            min_rows,
            by_reference(counting),
            by_reference(entries),
            by_reference(splits),
        )
        if attribute < 0:
            continue
        split = splits.code[attribute]
        if columns.kind[attribute] == TestKind.BOUND:
            split = bound(columns, attribute, splits.middle[attribute])
        rows, share, branches, begin = spread(columns, attribute, split, rows, share, first, end, first, parts)
        nodes.attribute[node], nodes.split[node], nodes.first_child[node] = attribute, split, number
        path = room(path, depth + 1)
        path[depth] = attribute
        used[attribute] = columns.kind[attribute] == TestKind.EVERY_CODE
        depth += 1
        stack = room_on_stack(stack, waiting + branches)
        for j in range(branches):
            nodes = add_leaf(nodes, number, parts.code[j])
            if j > 0:
                nodes.next_sibling[number - 1] = number
            put_on_stack(stack, waiting, (number, begin, parts.end[j], depth))
            begin = parts.end[j]
            number += 1
            waiting += 1
    return nodes, number
