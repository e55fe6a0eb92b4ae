"""Decide whether rows have a consistent tree of at most a given number of leaves, by branch and bound with a memo.

A consistent tree has no errors. A subset of the rows never needs more leaves. So only a few cuts of an attribute
matter: for each number of leaves, the last cut below which that number suffices. Rows in pairwise conflict (see
`find_conflicts`) need a leaf each, so the size of a clique of conflicts is a lower bound.

A set of rows has a bit for each row: bit i % 64 of word i // 64 for row i.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, outer, part
from algorithms._numba.primitives import lowest
from algorithms.kernel_arrays import array
from algorithms.optimal.binary.bit_memo import hash_of

NO, YES, STOPPED = 0, 1, -1
"""Answers of `decide`. STOPPED means that the work limit is reached."""

PROBES = 8
"""Slots that the entry of a set of rows may take. If all are filled, the entry of the least lower bound is replaced."""

UNKNOWN = 1 << 30
"""A number of leaves that no tree has, if no consistent tree is known."""

ZERO, ONE = np.uint64(0), np.uint64(1)


class LeavesMemo(NamedTuple):
    """Bounds by set of rows, in a hash table. `slots` is a power of two."""

    key: Any = array("slots 2", np.uint64)  # of the rows, see `bit_memo.hash_of`; zeros in an empty slot
    low: Any = array("slots", np.int32)  # lower bound of the leaves of a consistent tree
    high: Any = array("slots", np.int32)  # a number of leaves that suffices, or UNKNOWN


class ConsistentBuffers(NamedTuple):
    """The nodes from the root to the current one, and buffers."""

    mask: Any = array("levels+2 words", np.uint64)  # the rows of the node of each level, the root's first
    key: Any = array("levels+2 2", np.uint64)  # their key in the memo
    left: Any = array("pivots", np.uint64)  # buffer, of as many words as `SeparatingTests.conflicts` has for a pivot
    work: Any = array("2")  # units of work done; units at which to stop


@outer
def leaves_at_least(tests, mask, left, most):
    """A lower bound of the leaves of a consistent tree for a set of rows: its classes, or a greedy clique of conflicts.

    If the bound exceeds `most`, the result is some number above `most`.

    mask : (words,) uint64, the rows
    left : `ConsistentBuffers.left`
    """
    classes = 0
    for c in range(len(tests.classes)):
        any_row = ZERO
        for w in range(len(mask)):
            any_row |= mask[w] & tests.classes[c, w]
            if any_row != ZERO:
                classes += 1
                break
    if classes <= 1 or classes > most:
        return classes
    result, words = 0, len(left)
    for w in range(words):
        left[w] = mask[w]
    for w in range(words):
        while left[w] != ZERO:
            result += 1
            if result > most:
                return result
            pivot = 64 * w + np.int64(lowest(left[w]))
            for u in range(w, words):
                left[u] &= tests.conflicts[pivot, u]
    return max(result, classes)


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
                between = ~ZERO
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


@inner
def _none_in(rows, inside, mask, class_rows, of_class):
    """Whether no row of a mask is in a set of rows (or outside it) and of a class (or of others), as the flags say."""
    flip, complement = ZERO if inside else ~ZERO, ZERO if of_class else ~ZERO
    for w in range(len(mask)):  # noqa: SIM110 - numba knows no all()
        if (rows[w] ^ flip) & mask[w] & (class_rows[w] ^ complement) != ZERO:
            return False
    return True


@inner
def _separates(tests, mask, attribute, class_rows):
    """Whether one test of an attribute separates the two classes of a set of rows, in two leaves.

    class_rows : (words,) the rows of one of the two classes
    """
    first, end = tests.first[attribute], tests.first[attribute + 1]
    if tests.branches[attribute]:
        branches = 0
        for s in range(first, end):
            none_of_class = _none_in(tests.sets[s], True, mask, class_rows, True)
            none_of_other = _none_in(tests.sets[s], True, mask, class_rows, False)
            if not (none_of_class or none_of_other):
                return False
            branches += not (none_of_class and none_of_other)
        return branches == 2
    for below in (False, True):
        low, high = first - 1, end - 1  # the last cut with only one class below
        while low < high:
            middle = (low + high + 1) >> 1
            if _none_in(tests.sets[middle], True, mask, class_rows, below):
                low = middle
            else:
                high = middle - 1
        if low >= first and _none_in(tests.sets[low], False, mask, class_rows, not below):
            return True
    return False


@inner
def _one_test_separates(tests, mask):
    """Whether a single test separates the two classes of a set of rows, in two leaves."""
    chosen = 0
    for c in range(len(tests.classes)):
        for w in range(len(mask)):
            if mask[w] & tests.classes[c, w] != ZERO:
                chosen = c
    for attribute in range(len(tests.branches)):  # noqa: SIM110 - numba knows no any()
        if _separates(tests, mask, attribute, tests.classes[chosen]):
            return True
    return False


@inner
def _find(memo, key):
    """The slot of a key or, if it has no entry, the slot where to write it."""
    last = np.uint64(len(memo.low) - 1)
    slot = key[1] & last
    chosen = slot
    for _ in range(PROBES):
        if memo.key[slot, 0] == key[0] and memo.key[slot, 1] == key[1]:
            return slot
        if memo.key[slot, 0] == ZERO:
            return slot
        if memo.low[slot] < memo.low[chosen]:
            chosen = slot
        slot = (slot + ONE) & last
    return chosen


@inner
def _store(memo, key, low, high):
    slot = _find(memo, key)
    if memo.key[slot, 0] != key[0] or memo.key[slot, 1] != key[1]:
        memo.key[slot, 0], memo.key[slot, 1] = key[0], key[1]
        memo.low[slot], memo.high[slot] = low, high
    else:
        memo.low[slot], memo.high[slot] = max(memo.low[slot], low), min(memo.high[slot], high)


@inner
def _descend(tests, scratch, level, s, inside):
    """Write the rows of a level inside set `s`, or outside it, as the next level; return whether there are any."""
    flip, any_row = ZERO if inside else ~ZERO, ZERO
    mask, below = scratch.mask[level], scratch.mask[level + 1]
    for w in range(len(mask)):
        below[w] = mask[w] & (tests.sets[s, w] ^ flip)
        any_row |= below[w]
    scratch.work[0] += (len(mask) + 7) >> 3  # one unit for each 512 rows
    return any_row != ZERO


@inner
def _may_suffice(tests, scratch, level, s, inside, most):
    """Whether `most` leaves may suffice for one side of a cut, by the lower bound."""
    _descend(tests, scratch, level, s, inside)
    return leaves_at_least(tests, scratch.mask[level + 1], scratch.left, most) <= most


@inner
def _cut(first, end, side, index):
    """The set of a cut, by its index. Index 0 is the cut with the fewest rows on a side: 0 for below, 1 for above."""
    return first + index if side == 0 else end - 1 - index


@outer
def decide(tests, memo, scratch, level, most):
    """Whether the rows of a level have a consistent tree of at most `most` leaves: YES, NO or STOPPED.

    tests, memo, scratch : `SeparatingTests`, `LeavesMemo`, `ConsistentBuffers`
    most : at least 1
    """
    if scratch.work[0] >= scratch.work[1]:
        return STOPPED
    low = leaves_at_least(tests, scratch.mask[level], scratch.left, most)
    if low > most:
        return NO
    if low <= 1:
        return YES
    if most == 2:
        scratch.work[0] += len(tests.branches) * ((len(tests.rows) + 7) >> 3)
        return YES if _one_test_separates(tests, scratch.mask[level]) else NO
    key = scratch.key[level]
    hash_of(scratch.mask[level], tests.rows, True, key)
    slot = _find(memo, key)
    if memo.key[slot, 0] == key[0] and memo.key[slot, 1] == key[1]:
        if memo.high[slot] <= most:
            return YES
        if memo.low[slot] > most:
            return NO
    answer = NO
    for attribute in range(len(tests.branches)):
        first, end = tests.first[attribute], tests.first[attribute + 1]
        if tests.branches[attribute]:
            answer = _by_branches(tests, memo, scratch, level, most, first, end)
        else:
            answer = _by_cuts(tests, memo, scratch, level, most, first, end)
        if answer != NO:
            break
    if answer != STOPPED:
        _store(memo, scratch.key[level], low if answer == YES else most + 1, most if answer == YES else UNKNOWN)
    return answer


@part
def _by_branches(tests, memo, scratch, level, most, first, end):
    """Whether `most` leaves suffice with a branch for each value, whose sets are from `first` to `end` - 1."""
    total, branches = 0, 0
    for s in range(first, end):
        if _descend(tests, scratch, level, s, True):
            branches += 1
            total += leaves_at_least(tests, scratch.mask[level + 1], scratch.left, most)
    if branches < 2 or total > most:
        return NO
    for s in range(first, end):
        if _descend(tests, scratch, level, s, True):
            leaves = leaves_at_least(tests, scratch.mask[level + 1], scratch.left, most)
            while True:
                _descend(tests, scratch, level, s, True)
                answer = decide(tests, memo, scratch, level + 1, leaves)
                if answer == STOPPED:
                    return STOPPED
                if answer == YES:
                    break
                leaves += 1
                total += 1
                if total > most:
                    return NO
    return YES


@inner
def _first_index(tests, scratch, level, first, end, side, begin, inside, any_rows):
    """The first index of a cut (see `_cut`), from `begin` on, whose set has rows inside (or outside), or has none."""
    stop = end - first
    while begin < stop:
        middle = (begin + stop) >> 1
        if _descend(tests, scratch, level, _cut(first, end, side, middle), inside) == any_rows:
            stop = middle
        else:
            begin = middle + 1
    return begin


@inner
def _bounded_indices(tests, scratch, level, first, end, side, begin, stop, leaves, rest):
    """The first and last index where, by lower bounds, `leaves` may suffice for a side and `rest` for the other one.

    Only indices from `begin` to `stop` - 1 are examined. If there is no such index, the last is less than the first.
    """
    low, high = begin, stop
    while low < high:
        middle = (low + high) >> 1
        if _may_suffice(tests, scratch, level, _cut(first, end, side, middle), side == 1, rest):
            high = middle
        else:
            low = middle + 1
    lowest, low, high = low, low - 1, stop - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if _may_suffice(tests, scratch, level, _cut(first, end, side, middle), side == 0, leaves):
            low = middle
        else:
            high = middle - 1
    return lowest, low


@part
def _by_cuts(tests, memo, scratch, level, most, first, end):
    """Whether `most` leaves suffice with some cut at the root, whose sets are from `first` to `end` - 1.

    For each number of leaves up to half of `most`, one side gets as many rows as this number suffices for. Then the
    remaining leaves must suffice for the other side. `refused` is the last index at which they did not.
    """
    for side in range(2):
        begin = _first_index(tests, scratch, level, first, end, side, 0, side == 0, True)  # where the side has rows
        stop = _first_index(tests, scratch, level, first, end, side, begin, side == 1, False)  # where it has all rows
        refused = begin - 1
        for leaves in range(1, (most - side) // 2 + 1):
            begin, high = _bounded_indices(tests, scratch, level, first, end, side, begin, stop, leaves, most - leaves)
            if begin == stop:
                break
            low = max(begin - 1, refused)
            index = begin
            while low < high:  # find the last index at which `leaves` suffice for the side
                if index > low:
                    _descend(tests, scratch, level, _cut(first, end, side, index), side == 0)
                    answer = decide(tests, memo, scratch, level + 1, leaves)
                    if answer == STOPPED:
                        return STOPPED
                    if answer == YES:
                        low = index
                    elif index == begin:
                        break
                    else:
                        high = index - 1
                index = (low + high + 1) >> 1
            if low < begin or low == refused:
                continue
            _descend(tests, scratch, level, _cut(first, end, side, low), side == 1)
            answer = decide(tests, memo, scratch, level + 1, most - leaves)
            if answer != NO:
                return answer
            if low == stop - 1:
                return NO
            refused = low
    return NO
