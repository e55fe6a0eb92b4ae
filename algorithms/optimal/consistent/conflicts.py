"""Pairs of rows that cannot share a leaf of a consistent tree."""

import numpy as np

from algorithms._numba.decorators import outer

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ZERO = np.uint64(0)


@outer
def find_conflicts(tests, ranks, decisions, other_rows, conflicts):
    """Mark the pairs of the first rows that conflict, which means that no leaf of a consistent tree contains both.

    A leaf with two rows contains all rows between them: those that have the same value in every nominal attribute in
    which the two agree, and a value between theirs (or equal to one) in every numeric attribute. Two rows conflict if
    their classes differ, or if a row of another class is between them.

    tests      : `SeparatingTests`, of which `conflicts` is not read
    ranks      : (rows, attributes) int64, the number of smaller distinct values of the attribute
    decisions  : (rows,) the class of each row
    other_rows : (words,) uint64, a buffer
    conflicts  : (pivots, pivots) bool, initially False
    """
    words = len(other_rows)
    for i in range(len(conflicts)):
        for j in range(i):
            if decisions[i] == decisions[j]:
                for c in range(len(tests.classes)):
                    if tests.classes[c, i >> 6] >> np.uint64(i & 63) & np.uint64(1) != ZERO:
                        for w in range(words):
                            other_rows[w] = tests.rows[w] & ~tests.classes[c, w]
                between = ALL
                for a in range(len(tests.branches)):
                    between = ZERO
                    low, high = min(ranks[i, a], ranks[j, a]), max(ranks[i, a], ranks[j, a])
                    first, end = tests.first[a], tests.first[a + 1]
                    for w in range(words):
                        if tests.branches[a]:
                            if low == high:
                                other_rows[w] &= tests.sets[first + low, w]
                        else:
                            if first + high < end:
                                other_rows[w] &= tests.sets[first + high, w]
                            if low > 0:
                                other_rows[w] &= ~tests.sets[first + low - 1, w]
                        between |= other_rows[w]
                    if between == ZERO:
                        break
                if between == ZERO:
                    continue
            conflicts[i, j] = conflicts[j, i] = True
