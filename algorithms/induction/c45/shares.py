"""Rows with shares on a stack, and how C4.5 sends them down the branches of a test.

A row with a missing value goes down every branch with a share of its weight. So the rows of a node are pairs (row,
share), a run of the arrays `rows` and `share`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import allocating, inner, of_words
from algorithms._numba.sorting import sort

__all__ = [
    "EPSILON",
    "Columns",
    "Parts",
    "TestKind",
    "count",
    "largest_class",
    "put_on_stack",
    "room",
    "room_for_parts",
    "room_on_stack",
    "spread",
]

EPSILON = 1e-6
"""Weka's: weights, gains and numbers that differ by less are equal."""


class TestKind(IntEnum):
    """The test of an attribute: its code, whether it is one code, or whether its code exceeds another."""

    __test__ = False

    EVERY_CODE = 0
    ONE_CODE = 1
    BOUND = 2


class Columns(NamedTuple):
    """The data set as the kernels read it."""

    codes: Any  # (rows, attributes): codes of labels, or ranks of the attribute's distinct numbers; `width` if missing
    width: Any  # (attributes,): how many labels or distinct numbers the attribute has
    kind: Any  # (attributes,) TestKind
    averaged: Any  # (attributes,): whether the attribute counts in the average gain
    value: Any  # (distinct numbers,): those of all numeric attributes, increasing, one attribute after another
    first_row: Any  # (distinct numbers,): the first row that has each
    first_value: Any  # (attributes,): where an attribute's begin
    decisions: Any  # (rows,)
    classes: Any  # (): how many there are


class Parts(NamedTuple):
    """The end of each branch of a test, and scratch to compute it."""

    code: Any  # of each branch, increasing
    end: Any  # of its run of rows
    weight: Any  # (codes,): known weight of each code; 0 between calls
    rows: Any  # (codes,): number of its rows; 0 between calls
    old_row: Any  # (rows,): copy of the run in progress
    old_share: Any  # (rows,)


@allocating
def room_for_parts(columns, rows):
    """Buffers for any test on up to `rows` rows."""
    codes = np.int64(2)
    for width in columns.width:
        codes = max(codes, width)
    return Parts(
        np.zeros(codes, np.int64),
        np.zeros(codes, np.int64),
        np.zeros(codes),
        np.zeros(codes, np.int64),
        np.empty(rows, np.int32),
        np.empty(rows),
    )


@allocating
def room(array, needed):
    """The array, or a copy of twice its length (or of the needed length) if it is too short."""
    if needed <= len(array):
        return array
    longer = np.zeros(max(needed, 2 * len(array)), array.dtype)
    copy_into(array, longer)
    return longer


@allocating
def room_on_stack(stack, needed):
    """The stack (length, fields), or a longer copy if it has fewer than `needed` entries."""
    if needed <= len(stack):
        return stack
    higher = np.zeros((2 * needed, stack.shape[1]), stack.dtype)
    copy_into(stack.ravel(), higher.ravel())
    return higher


@inner
def put_on_stack(stack, place, fields):
    """Write an entry of a stack (numba compiles error messages for `stack[place] = fields`)."""
    for field in range(len(fields)):
        stack[place, field] = fields[field]


@inner
def count(columns, rows, share, first, end, counts):
    """Set `counts` (classes,) to the weight of each class in a run of rows."""
    counts[:] = 0.0
    for i in range(first, end):
        counts[columns.decisions[rows[i]]] += share[i]


@inner
def largest_class(counts):
    """(the largest weight of a class, the sum of them all); a class is larger if it is by more than EPSILON."""
    total, largest = 0.0, 0.0
    for weight in counts:
        total += weight
        if weight - largest > EPSILON:
            largest = weight
    return largest, total


@of_words
def _branch(kind, split, code):
    if kind == TestKind.BOUND:
        return np.int64(code > split)
    if kind == TestKind.ONE_CODE:
        return np.int64(code != split)
    return np.int64(code)


@allocating
def spread(columns, attribute, split, rows, share, first, end, top, parts):
    """Group the rows of a run by branch: (rows, share, number of branches, start of the branches).

    The branches of EVERY_CODE are its codes, those of the other tests 0 (the code, or at most the bound) and 1. They
    replace the run if every value is known; otherwise they begin at `top`, and the run stays.
    """
    width, kind = columns.width[attribute], columns.kind[attribute]
    known, unknown_rows, branches = 0.0, 0, 0
    for i in range(first, end):
        row = rows[i]
        parts.old_row[i - first], parts.old_share[i - first] = row, share[i]
        code = columns.codes[row, attribute]
        if code == width:
            unknown_rows += 1
            continue
        branch = _branch(kind, split, code)
        if parts.rows[branch] == 0:
            parts.code[branches] = branch
            branches += 1
        parts.rows[branch] += 1
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
    place = begin
    for j in range(branches):
        branch = parts.code[j]
        start = place
        place += parts.rows[branch]
        if parts.weight[branch] > EPSILON * known:
            place += unknown_rows
        parts.end[j] = place
        parts.rows[branch] = start  # from now on the index for the branch's next row
    rows, share = room(rows, place), room(share, place)
    for i in range(end - first):
        row, old = parts.old_row[i], parts.old_share[i]
        code = columns.codes[row, attribute]
        if code == width:
            for j in range(branches):
                branch = parts.code[j]
                if parts.weight[branch] > EPSILON * known:
                    to = parts.rows[branch]
                    rows[to], share[to] = row, old * (parts.weight[branch] / known)
                    parts.rows[branch] += 1
        else:
            branch = _branch(kind, split, code)
            to = parts.rows[branch]
            rows[to], share[to] = row, old
            parts.rows[branch] += 1
    for j in range(branches):
        parts.rows[parts.code[j]] = 0
        parts.weight[parts.code[j]] = 0.0
    return rows, share, branches, begin
