"""The rows and the tests of an instance as bits; the parts into which tests split rows, and their errors as leaves.

A set of rows is an array (words,) of uint64. Bits are numbered 64 * w + i for bit i of word w, and each row has one.
Rows are sorted by class, and each class begins at a new word, so that counts of set bits, word by word, give the rows
of each class. The bits after the last row of a class are never set.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, inner, large, outer
from algorithms._numba.primitives import cells, lowest, popcount
from algorithms.rounding import EQUAL_RATIO

ZERO, ONE = np.uint64(0), np.uint64(1)

CUT, CODES, SET = 0, 1, 2
"""Kinds of tests: the rows of a mask and the others; a branch for each of several masks; a set of codes and the others.

Only a code that some row of the node has makes a branch. A cut is made only if it splits the rows differently from the
cut before it. Of the sets of codes that split the rows in the same way, only one is made: it has only codes that occur
in the node, without the last of them.

An attribute whose value some rows lack has its cuts twice: first the mask of these rows, then the cuts that send them
below, then those that send them above. A cut of the last kind is made only if some rows of the node lack the value and
some others lie above it: otherwise it repeats one of the others.
"""


class WeightedBits(NamedTuple):
    """The rows as bits, and their weights."""

    start: Any  # (classes + 1,) int64: the first word of each class, and the number of words
    weight: Any  # (64 * words,) int64: of the row of each bit
    common_weight: Any  # int64: the weight of each row if all are equal, else 0
    forced: Any  # (words,) uint64: the rows of each equivalent point that are not of its heaviest class


class BitTests(NamedTuple):
    """The tests that a node may make, by attribute; the cuts of an attribute increase, its sets follow its codes."""

    kind: Any  # (tests,) uint8: CUT, CODES or SET
    attribute: Any  # (tests,) int64: the attribute, or the first of several that split all rows alike
    lacking: Any  # (tests,) int64: for a cut that sends rows without a value above, the mask of these rows; else -1
    first: Any  # (tests + 1,) int64: the first mask of each test
    chosen: Any  # (tests,) uint64: bit k is set if a set has the code of mask k of its CODES test, of at most 16 codes
    mask: Any  # (masks, words) uint64: a set of rows


class TreeTerms(NamedTuple):
    """The costs of trees, and which trees are allowed."""

    split: Any  # float: the cost of a split, in the unit of the weights
    leaf: Any  # float: the cost of a leaf, in the same unit
    least: Any  # fewest rows in a leaf
    shift: Any  # bits of each of splits and leaves in a key, errors << 2 * shift | splits << shift | leaves
    tie: Any  # costs that differ by no more are equal


@inlined
def _weight(rows, word, w):
    """The weight of the rows whose bits are set in `word`, the word with index w."""
    if rows.common_weight:
        return rows.common_weight * np.int64(popcount(word))
    total = np.int64(0)
    while word:
        total += rows.weight[64 * w + np.int64(lowest(word))]
        word &= word - ONE
    return total


@inner
def _masked(rows, words, mask, weights):
    """Write the weight (classes,) of each class of the rows that are also in a mask (words,); return their number."""
    number = np.int64(0)
    for c in range(len(weights)):
        weights[c] = 0
        for w in range(rows.start[c], rows.start[c + 1]):
            word = words[w] & mask[w]
            number += np.int64(popcount(word))
            weights[c] += _weight(rows, word, w)
    return number


@inner
def class_weights(rows, words, weights):
    """Write the weight (classes,) of each class of a set of rows; return the number of its rows."""
    return _masked(rows, words, words, weights)


@inlined
def leaf_errors(weights):
    """The weight of all classes but the heaviest."""
    total, most = np.int64(0), np.int64(0)
    for c in range(len(weights)):
        total += weights[c]
        most = max(most, weights[c])
    return total - most


@inlined
def most_common(weights):
    """The heaviest class; of classes that are equally heavy up to rounding, as in `first_largest`, the first."""
    most = np.int64(0)
    for c in range(len(weights)):
        most = max(most, weights[c])
    chosen = 0
    while weights[chosen] < most * EQUAL_RATIO:
        chosen += 1
    return chosen


@inner
def one_split(rows, tests, least, words, number, weights, part_weights, errors):
    """Write the errors (tests,) of each test with leaves as branches; -1 where the test cannot be made.

    number, weights : how many rows the set has, and the weight (classes,) of each class
    part_weights    : (classes,) scratch

    While the tests of an attribute are read, `before` is the number of rows below the last cut that splits the set;
    `absent` is the number of rows without a value, for cuts that send these rows above, else -1; and bit k of
    `occurring` is set if some row is in mask k of the attribute's CODES test, for the sets that follow this test.
    """
    before, attribute, lacking, absent, occurring = np.int64(0), np.int64(-1), np.int64(-1), np.int64(-1), ZERO
    for q in range(len(tests.kind)):
        errors[q] = -1
        if tests.attribute[q] != attribute or tests.lacking[q] != lacking:
            attribute, lacking, before, absent = tests.attribute[q], tests.lacking[q], np.int64(0), np.int64(-1)
            if lacking >= 0:
                absent = _masked(rows, words, tests.mask[lacking], part_weights)
        first = tests.first[q]
        if tests.kind[q] == CODES:
            occurring, total, branches, allowed = ZERO, np.int64(0), 0, True
            for m in range(first, tests.first[q + 1]):
                inside = _masked(rows, words, tests.mask[m], part_weights)
                if inside > 0:
                    branches += 1
                    allowed &= inside >= least
                    total += leaf_errors(part_weights)
                    occurring |= ONE << np.uint64(m - first)
            if allowed and branches > 1:
                errors[q] = total
            continue
        if tests.kind[q] != CUT:
            chosen = tests.chosen[q]
            above = occurring & ~chosen
            if chosen & ~occurring or above <= chosen or popcount(occurring) < 3:
                continue  # another set gives the same split, or the CODES test does, with two codes
        inside = _masked(rows, words, tests.mask[first], part_weights)
        if tests.kind[q] == CUT:
            if inside == before or absent == 0 or inside + absent == number:
                continue
            before = inside
        if inside < least or number - inside < max(least, 1):
            continue
        total = leaf_errors(part_weights)
        for c in range(len(part_weights)):
            part_weights[c] = weights[c] - part_weights[c]
        errors[q] = total + leaf_errors(part_weights)


@inner
def forced_errors(rows, words):
    """The errors that no tree avoids for a set of rows: the equivalent points bound (Angelino et al. 2018)."""
    total = np.int64(0)
    for w in range(len(words)):
        total += _weight(rows, words[w] & rows.forced[w], w)
    return total


@inner
def branches(tests, q, words):
    """The number of parts into which a test splits a set of rows."""
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
    """Write the parts of a set of rows by a test, without empty ones; return their number.

    parts : (n, words) uint64, where n is at least 2 and the number of masks of the test
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


@large
def write_one_split(search, words, errors, parts):
    """Write the errors (tests,) of each test as `one_split` does, and its number of branches (tests,)."""
    words, errors = cells(words), cells(errors)
    rows, tests, weights = search.rows, search.tests, search.scratch.weights[0]
    number = class_weights(rows, words, weights)
    one_split(rows, tests, search.terms.least, words, number, weights, search.scratch.part_weights, errors)
    for q in range(len(errors)):
        if errors[q] >= 0:
            parts[q] = branches(tests, q, words)
