"""What tests make of a set of rows: its parts, and their errors as leaves."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import inlined, inner, kernel, outer
from algorithms._numba.primitives import lowest, popcount
from algorithms.optimal.rashomon.bit_instance import CODES, CUT

__all__ = ["branches", "class_weights", "errors_of", "forced_errors", "one_split", "one_split_of", "parts_of"]

ZERO, ONE = np.uint64(0), np.uint64(1)


@inlined
def _weight(rows, word, w):
    """The weight of the rows of word w."""
    if rows.each:
        return rows.each * np.int64(popcount(word))
    total = np.int64(0)
    while word:
        total += rows.weight[64 * w + np.int64(lowest(word))]
        word &= word - ONE
    return total


@inner
def class_weights(rows, words, counts):
    """Write the weight of each class of a set of rows; return the number of its rows."""
    number = np.int64(0)
    for c in range(len(counts)):
        counts[c] = 0
        for w in range(rows.start[c], rows.start[c + 1]):
            number += np.int64(popcount(words[w]))
            counts[c] += _weight(rows, words[w], w)
    return number


@inner
def _masked(rows, words, mask, part):
    """Write the weight of each class of the rows in a mask; return their number."""
    number = np.int64(0)
    for c in range(len(part)):
        part[c] = 0
        for w in range(rows.start[c], rows.start[c + 1]):
            word = words[w] & mask[w]
            number += np.int64(popcount(word))
            part[c] += _weight(rows, word, w)
    return number


@inlined
def errors_of(part):
    """The weight of all classes but the heaviest."""
    total, most = np.int64(0), np.int64(0)
    for c in range(len(part)):
        total += part[c]
        most = max(most, part[c])
    return total - most


@inner
def one_split(rows, tests, least, words, number, counts, part, errors):
    """Write the errors of one split by each test, -1 where it does not split a set of rows.

    number, counts : how many rows the set has, and the weight of each class
    """
    before, attribute, present = np.int64(0), np.int64(-1), ZERO
    for q in range(len(tests.kind)):
        errors[q] = -1
        if tests.attribute[q] != attribute:
            attribute, before = tests.attribute[q], np.int64(0)
        first = tests.first[q]
        if tests.kind[q] == CODES:
            present, together, branches, allowed = ZERO, np.int64(0), 0, True
            for m in range(first, tests.first[q + 1]):
                inside = _masked(rows, words, tests.mask[m], part)
                if inside > 0:
                    branches += 1
                    allowed &= inside >= least
                    together += errors_of(part)
                    present |= ONE << np.uint64(m - first)
            if allowed and branches > 1:
                errors[q] = together
            continue
        if tests.kind[q] != CUT:
            chosen = tests.chosen[q]
            above = present & ~chosen
            if chosen & ~present or above <= chosen or popcount(present) < 3:
                continue  # of two equal splits, this is the other; or one of a single code
        inside = _masked(rows, words, tests.mask[first], part)
        if tests.kind[q] == CUT:
            if inside == before:
                continue
            before = inside
        if inside < least or number - inside < max(least, 1):
            continue
        together = errors_of(part)
        for c in range(len(part)):
            part[c] = counts[c] - part[c]
        errors[q] = together + errors_of(part)


@inner
def forced_errors(rows, words):
    """The weight of the rows of a set that every tree misclassifies."""
    total = np.int64(0)
    for w in range(len(words)):
        total += _weight(rows, words[w] & rows.forced[w], w)
    return total


@inner
def branches(tests, q, words):
    """How many parts a test makes of a set of rows."""
    if tests.kind[q] != CODES:
        return 2
    number = 0
    for m in range(tests.first[q], tests.first[q + 1]):
        any_row = ZERO
        for w in range(len(words)):
            any_row |= words[w] & tests.mask[m, w]
        number += any_row != ZERO
    return number


@outer
def parts_of(tests, q, words, parts):
    """Write the parts of a set of rows by a test, without empty ones; return how many.

    `parts` has room for one of each mask, and for two.
    """
    first = tests.first[q]
    if tests.kind[q] != CODES:
        for w in range(len(words)):
            parts[0, w] = words[w] & tests.mask[first, w]
            parts[1, w] = words[w] & ~tests.mask[first, w]
        return 2
    number = 0
    for m in range(first, tests.first[q + 1]):
        any_row = ZERO
        for w in range(len(words)):
            parts[number, w] = words[w] & tests.mask[m, w]
            any_row |= parts[number, w]
        number += any_row != ZERO
    return number


@kernel
def one_split_of(search, words):
    """(tests,), (tests,): what `one_split` writes for a set of rows, and the number of branches of each."""
    rows, tests, terms, _, room, _, _ = search
    errors, parts = np.empty(len(tests.kind), np.int64), np.zeros(len(tests.kind), np.int64)
    number = class_weights(rows, words, room.counts[0])
    one_split(rows, tests, terms.least, words, number, room.counts[0], room.part, errors)
    for q in range(len(errors)):
        if errors[q] >= 0:
            parts[q] = branches(tests, q, words)
    return errors, parts
