"""Least costs of the trees for sets of rows, by branch and bound with a memo."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, inner, kernel, outer
from algorithms._numba.primitives import lowest, popcount
from algorithms.kernel_arrays import array
from algorithms.optimal.binary.bit_memo import hash_of
from algorithms.optimal.rashomon.bit_instance import CODES, CUT
from algorithms.optimal.rashomon.pair_costs import cost_below
from algorithms.optimal.rashomon.similar_sets import note_costs, raise_bounds
from algorithms.splitmix import GOLDEN

__all__ = [
    "ENTRIES",
    "NEVER",
    "UNTIL",
    "WORK",
    "Memo",
    "Room",
    "Search",
    "bound_parts",
    "branches",
    "class_weights",
    "errors_of",
    "forced_errors",
    "is_stopped",
    "least_cost",
    "moved",
    "one_split",
    "one_split_of",
    "parts_of",
    "useful_depth",
]

NEVER, OPEN = 1e300, -1.0
"""In place of a cost: the search must stop, see `Memo.state`; the cost is not known yet."""

ENTRIES, WORK, UNTIL = 0, 1, 2
"""Indices of `Memo.state`."""
ZERO, ONE = np.uint64(0), np.uint64(1)


class Memo(NamedTuple):
    """What is known of sets of rows, by a hash of 128 bits of the set, and the depth; slots are a power of two."""

    key: Any = array("slots 2", np.uint64)  # zeros in an empty slot
    depth: Any = array("slots", np.int32)
    value: Any = array("slots", np.float64)  # the least cost, or a lower bound
    exact: Any = array("slots", np.bool_)  # which of the two
    state: Any = array("3")  # entries; work done; work at which to stop


class Room(NamedTuple):
    """Scratch, by level from the root of a search."""

    node: Any = array("levels words", np.uint64)  # the rows
    words: Any = array("levels branches words", np.uint64)  # the parts that a test makes of them
    bound: Any = array("levels branches", np.float64)  # what is known of the costs of the parts
    counts: Any = array("levels classes")  # the weight of each class
    errors: Any = array("levels tests")  # of one split; -1 where the test cannot be made
    key: Any = array("levels 2", np.uint64)  # hash of the rows
    depth: Any = array("levels")  # levels below
    test: Any = array("levels")  # the last test tried
    branch: Any = array("levels")  # how many of its parts are known
    parts: Any = array("levels")  # how many it has
    ceiling: Any = array("levels", np.float64)  # the most that matters
    best: Any = array("levels", np.float64)  # the least cost so far
    together: Any = array("levels", np.float64)  # the bounds of the parts
    part: Any = array("classes")


class Search(NamedTuple):
    """What kernels need to know: the instance as bits, the memo, and scratch."""

    rows: Any
    tests: Any
    terms: Any
    memo: Any
    room: Any
    pairs: Any
    similar: Any


@inlined
def _weight(rows, word, w):
    """The weight of the rows of a word at place w."""
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


@inlined
def _find(memo, key, depth):
    """The slot of the entry of a set of rows at a depth, or the empty one where it belongs."""
    slots = np.uint64(len(memo.depth) - 1)
    slot = (key[1] + np.uint64(depth) * GOLDEN) & slots
    while memo.key[slot, 0] != ZERO and not (
        memo.key[slot, 0] == key[0] and memo.key[slot, 1] == key[1] and memo.depth[slot] == depth
    ):
        slot = (slot + ONE) & slots
    return slot


@inlined
def _keep(memo, key, depth, value, exact):
    slot = _find(memo, key, depth)
    memo.state[ENTRIES] += memo.key[slot, 0] == ZERO
    memo.key[slot, 0], memo.key[slot, 1], memo.depth[slot] = key[0], key[1], depth
    memo.value[slot], memo.exact[slot] = value, exact


@outer
def moved(memo, larger):
    """Copy all entries into a larger memo."""
    for slot in range(len(memo.depth)):
        if memo.key[slot, 0] != ZERO:
            _keep(larger, memo.key[slot], memo.depth[slot], memo.value[slot], memo.exact[slot])


@inlined
def is_stopped(memo):
    """Whether the memo must grow, or the work is done that was allowed."""
    return 2 * memo.state[ENTRIES] >= len(memo.depth) or memo.state[WORK] > memo.state[UNTIL]


@inner
def useful_depth(terms, number, depth):
    """The greatest depth of a tree for a number of rows, at most this one."""
    return max(min(depth, number // terms.least - 1), 0)


@outer
def least_cost(search, base, depth, ceiling):
    """The least cost of the trees of at most this depth for the rows of `room.node[base]`.

    If it is above the ceiling, a lower bound above the ceiling. NEVER if the search must stop: the memo keeps what is
    found, so that the same call goes on from there.
    """
    room, level = search.room, base
    room.depth[base], room.ceiling[base] = depth, ceiling
    value = _begun(search, base)
    while level > base or value == OPEN:
        if value == NEVER:
            return NEVER
        if value != OPEN:
            level -= 1
            k = room.branch[level]
            room.together[level] += value - room.bound[level, k]
            room.branch[level] += 1
        value = _ended(search, level)
        if value == OPEN:
            level += 1
            value = _begun(search, level)
    return value


@inner
def _begun(search, level):
    """Look at the rows of a level: the answer, or OPEN if its tests must be tried one by one."""
    rows, tests, terms, memo, room, pairs, similar = search
    words, counts, errors, key = room.node[level], room.counts[level], room.errors[level], room.key[level]
    number = class_weights(rows, words, counts)
    leaf = errors_of(counts) + terms.leaf
    through = forced_errors(rows, words) + terms.split + 2 * terms.leaf  # no split costs less
    depth = useful_depth(terms, number, room.depth[level])
    if depth == 0 or leaf <= through:
        return leaf
    if through > room.ceiling[level]:
        return min(leaf, through)
    hash_of(words, words, True, key)
    slot = _find(memo, key, depth)
    if memo.key[slot, 0] != ZERO and (memo.exact[slot] or memo.value[slot] > room.ceiling[level]):
        return memo.value[slot]
    if is_stopped(memo):
        return NEVER
    one_split(rows, tests, terms.least, words, number, counts, room.part, errors)
    memo.state[WORK] += len(errors)
    best = leaf
    for q in range(len(errors)):
        if errors[q] >= 0:
            cost = terms.split + errors[q] + terms.leaf * branches(tests, q, words)
            best = min(best, cost)
    if depth == 1:
        _keep(memo, key, depth, best, True)
        return best
    if len(pairs.below):
        cost_below(rows, tests, terms, words, pairs, level)
        memo.state[WORK] += len(errors) * len(errors) // 2
        for q in range(len(errors)):
            if errors[q] >= 0:
                best = min(best, terms.split + pairs.below[level, q, 0] + pairs.below[level, q, 1])
        deeper = through + 2 * terms.split + 2 * terms.leaf  # three levels have three splits
        if depth == 2 or best <= deeper:
            _keep(memo, key, depth, best, True)
            return best
        if deeper > room.ceiling[level]:
            _keep(memo, key, depth, deeper, False)
            return deeper
    room.depth[level], room.best[level] = depth, best
    room.branch[level] = room.parts[level] = 0
    room.together[level], similar.number[level], similar.rows[level] = best, 0, number
    return OPEN


@inner
def _ended(search, level):
    """The answer for the rows of a level, if all its tests are tried; else OPEN, with a part at the next level."""
    tests, memo, room, similar = search.tests, search.memo, search.room, search.similar
    errors, parts, bound = room.errors[level], room.words[level], room.bound[level]
    bounded = len(similar.test[level]) > 0
    while True:
        most, k = min(room.best[level], room.ceiling[level]), room.branch[level]
        if k < room.parts[level] and room.together[level] <= most:
            for w in range(parts.shape[1]):
                room.node[level + 1, w] = parts[k, w]
            room.depth[level + 1] = room.depth[level] - 1
            room.ceiling[level + 1] = most - (room.together[level] - bound[k])
            return OPEN
        room.best[level] = min(room.best[level], room.together[level])
        if bounded and room.parts[level] > 0:
            note_costs(tests, similar, level, room.node[level], room.test[level], bound)
        q = _most_promising(search, level)
        if q < 0:
            best = room.best[level]
            _keep(memo, room.key[level], room.depth[level], best, best <= room.ceiling[level])
            return best
        errors[q] = -1
        room.test[level] = q
        room.branch[level], room.parts[level] = 0, parts_of(tests, q, room.node[level], parts)
        room.together[level] = bound_parts(search, level, room.node[level], q, room.parts[level])


@inner
def _most_promising(search, level):
    """The untried test of a level with the fewest errors, by trees of one level below it if known; -1 if none."""
    errors, below = search.room.errors[level], search.pairs.below
    chosen, least = np.int64(-1), NEVER
    for q in range(len(errors)):
        if errors[q] >= 0:
            cost = below[level, q, 0] + below[level, q, 1] if len(below) else np.float64(errors[q])
            if cost < least:
                chosen, least = q, cost
    return chosen


@inner
def bound_parts(search, level, words, q, n):
    """Write `room.bound` for the n parts of a level's rows by test q; return the bound of the cost through it."""
    rows, tests, terms, _, room, pairs, similar = search
    parts, bound, together = room.words[level], room.bound[level], terms.split
    for k in range(n):
        least = forced_errors(rows, parts[k])
        bound[k] = least + terms.leaf
        if len(pairs.below):
            bound[k] = max(bound[k], min(pairs.below[level, q, k], least + 2 * terms.split + 3 * terms.leaf))
        together += bound[k]
    if len(similar.test[level]) > 0:
        together += raise_bounds(rows, tests, similar, level, words, q, bound)
    return together


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
