"""Pairs of rows that cannot share a leaf of a consistent tree."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import outer

__all__ = ["find_conflicts"]

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ZERO = np.uint64(0)


@outer
def find_conflicts(tests, ranks, decisions, others, conflicts):
    """Mark pairs of the first rows that cannot share a leaf: a row of another class is between them in all attributes.

    A leaf with two rows contains all rows between them: those that have the same value in every nominal attribute in
    which the two agree, and a value between theirs in every numeric attribute.

    ranks (rows, attributes); others (words,) : scratch; conflicts (pivots, pivots) bool, initially False
    """
    words = len(others)
    for i in range(len(conflicts)):
        for j in range(i):
            if decisions[i] == decisions[j]:
                for c in range(len(tests.classes)):
                    if tests.classes[c, i >> 6] >> np.uint64(i & 63) & np.uint64(1) != ZERO:
                        for w in range(words):
                            others[w] = tests.rows[w] & ~tests.classes[c, w]
                there = ALL
                for a in range(len(tests.branches)):
                    there = ZERO
                    low, high = min(ranks[i, a], ranks[j, a]), max(ranks[i, a], ranks[j, a])
                    first, end = tests.first[a], tests.first[a + 1]
                    for w in range(words):
                        if tests.branches[a]:
                            if low == high:
                                others[w] &= tests.sets[first + low, w]
                        else:
                            if first + high < end:
                                others[w] &= tests.sets[first + high, w]
                            if low > 0:
                                others[w] &= ~tests.sets[first + low - 1, w]
                        there |= others[w]
                    if there == ZERO:
                        break
                if there == ZERO:
                    continue
            conflicts[i, j] = conflicts[j, i] = True
