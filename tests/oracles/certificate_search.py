"""Sets of attributes on which rows of different decisions differ, and the smallest sets that intersect them all."""

from __future__ import annotations

from typing import Any

import numpy as np

from algorithms._numba.decorators import compiled, kernel

__all__ = ["NONE", "ONE", "minimal_differences", "smallest", "useful"]

NONE, ONE = np.uint64(0), np.uint64(1)
"""Sets of attributes, as bits: the empty one, and that of the first attribute."""

search: Any = compiled(nogil=True, error_model="numpy")
"""For a recursive kernel."""


@kernel
def minimal_differences(planes, decisions):
    """(rows + 1,) and (sets,): of each row the least sets of attributes in which rows of other decisions differ."""
    rows = len(decisions)
    starts = np.zeros(rows + 1, np.int64)
    sets = np.empty(64 * rows + 64, np.uint64)
    kept = np.empty(rows, np.uint64)
    for row in range(rows):
        count = 0
        for other in range(rows):
            if decisions[other] == decisions[row]:
                continue
            different = NONE
            for plane in range(len(planes)):
                different |= planes[plane, row] ^ planes[plane, other]
            covered = -1
            for index in range(count):
                if kept[index] & different == kept[index]:
                    covered = index
                    break
            if covered >= 0:  # sets that cover much are tried first
                earlier = covered // 2
                kept[covered], kept[earlier] = kept[earlier], kept[covered]
                continue
            left = 0
            for index in range(count):
                if kept[index] & different != different:
                    kept[left] = kept[index]
                    left += 1
            kept[left] = different
            count = left + 1
        begin = starts[row]
        if begin + count > len(sets):
            longer = np.empty(2 * (begin + count), np.uint64)
            longer[:begin] = sets[:begin]
            sets = longer
        _put_by_size(kept[:count], sets[begin : begin + count])
        starts[row + 1] = begin + count
    return starts, sets[: starts[rows]].copy()


@kernel
def _put_by_size(kept, sets):
    """Copy sets, the smallest first, because they leave the fewest choices."""
    sizes = np.empty(len(kept), np.int64)
    for index in range(len(kept)):
        rest, sizes[index] = kept[index], 0
        while rest:
            rest &= rest - ONE
            sizes[index] += 1
    order = np.argsort(sizes)
    for index in range(len(kept)):
        sets[index] = kept[order[index]]


@search
def _used(sets, tested, more):
    """The attributes of all sets of `more` attributes that, with those tested, intersect each of these sets.

    None if there is no such set; `more` is a lower bound on the size of one.
    """
    first = 0
    while first < len(sets) and sets[first] & tested:
        first += 1
    if first == len(sets) or more == 0:
        return NONE
    if more == 1:
        common = sets[first]
        for index in range(first + 1, len(sets)):
            if not sets[index] & tested:
                common &= sets[index]
        return common
    disjoint, number = tested, 0
    for index in range(first, len(sets)):
        if not sets[index] & disjoint:
            disjoint |= sets[index]
            number += 1
            if number > more:
                return NONE
    result, choices = NONE, sets[first]
    while choices:
        attribute = choices & (~choices + ONE)
        choices ^= attribute
        rest = _used(sets, tested | attribute, more - 1)
        if rest:
            result |= rest | attribute
    return result


@kernel
def smallest(starts, sets):
    """(rows,): how many attributes the smallest certificate of each row has."""
    least = np.zeros(len(starts) - 1, np.int64)
    for row in range(len(least)):
        row_sets = sets[starts[row] : starts[row + 1]]
        if len(row_sets):
            least[row] = 1
            while not _used(row_sets, NONE, least[row]):
                least[row] += 1
    return least


@kernel
def useful(starts, sets, rows, tested, least):
    """(rows,): the attributes that occur in a smallest remainder of a row's certificate."""
    result = np.zeros(len(rows), np.uint64)
    for index in range(len(rows)):
        if least[index]:
            result[index] = _used(sets[starts[rows[index]] : starts[rows[index] + 1]], tested, least[index])
    return result
