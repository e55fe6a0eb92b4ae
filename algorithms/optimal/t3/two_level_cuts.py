"""Trees of two levels with a given attribute at the root: cuts of a number, as in `cuts`, or a branch for each label.

A value is the rank of the number that is cut, among the rows of the node.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inlined, inner, outer
from algorithms._numba.sorting import sort
from algorithms.kernel_arrays import array
from algorithms.optimal.t3.one_level import attribute_errors, weigh_leaf

WORK, MOST_WORK, EVALUATED, SLICE, ENTRIES, STOPPED, VALUES = range(7)
"""Indices into `TwoLevelBuffers.tally`: the work done, and its limit; the work on intervals that were not in the memo,
and its limit; the number of intervals in the memo; whether the search stopped early; the number of values.
"""

RECENT = 32
"""Number of recent intervals that bound the errors of attributes on the next one."""

LEFT, LEFT_HIGH, RIGHT, RIGHT_HIGH, BOUND, FIRST, LAST = range(7)
"""Fields of a range of cuts, see `cuts._Range`."""
MIDDLE, TOO_MANY, BEST, CUTS, FIRST_CUT, WAITING = range(4, 10)
"""Fields of a search, after LEFT to RIGHT_HIGH: its current cut; a number of errors that is too many; the fewest errors
so far, the number of their cuts and the first of these; the number of waiting ranges.
"""


class TwoLevelBuffers(NamedTuple):
    """Scratch of a search, sized for a maximum of rows, values and attributes."""

    order: Any = array("rows")  # the rows sorted by the number that is cut, see `CodedRows.ordered`
    ends: Any = array("known+2")  # how many rows have a value before each
    weight_before: Any = array("known+1", np.float64)  # the weight of these rows
    hashes: Any = array("known+1 2", np.uint64)  # the exclusive or of their words
    counts: Any = array("known+1 classes", np.float64)  # the weight of each class at each value
    present: Any = array("words", np.uint64)  # bit v % 64 of word v // 64: whether value v occurs
    only: Any = array("known+1")  # for each value, the class of all its rows, NO_CLASS or MIXED
    correct: Any = array("intervals classes", np.float64)  # this and the next as in `one_level._errors`
    most: Any = array("intervals", np.float64)
    total: Any = array("classes", np.float64)
    queue: Any = array("attributes")  # the attributes, in the order in which they are tried
    bounds: Any = array("recent+1 attributes", np.float64)  # lower bounds of errors on each of `recent`; last, scratch
    recent: Any = array("recent+1 2")  # the first value of each, and the value after its last; the last: their number
    ranges: Any = array("2 known+2 7", np.float64)  # [intervals - 2, index, field] of searches for two or three
    state: Any = array("2 10", np.float64)  # [intervals - 2, field] of these
    cuts: Any = array("3 2")  # [intervals - 2, index] their best cuts; in the third row those of all searches
    parts: Any = array("known+1")  # the codes that occur, with their numbers of rows, see `split_labels`
    keys: Any = array("slots 2", np.uint64)  # a hash of 128 bits of a set of rows; zeros in an empty slot
    errors: Any = array("slots", np.float64)  # the fewest errors of one level on this set
    tally: Any = array("7")  # see WORK


class T3Node(NamedTuple):
    """The rows of a node, see `CodedRows`, and the allowed trees of one level for some of them."""

    codes: Any  # (attributes, rows) int32: codes or ranks of numbers, from 0; `width` for an unknown value
    width: Any  # (attributes,)
    numeric: Any  # (attributes,) whether an attribute is cut into intervals, instead of split by value
    decisions: Any  # (rows,) int32
    weights: Any  # (rows,) float64
    words: Any  # (rows, 2) uint64
    intervals: Any  # most intervals of a number
    acceptable: Any  # a node with at most this error rate is a leaf
    tie: Any


@outer
def sort_codes(column, known, order, ends):
    """Sort the rows by code, from 0 to `known`, which stands for unknown values.

    column : (rows,) their codes
    order  : (rows,) the rows, sorted; in the order given if their codes are equal
    ends   : (known + 2,) where each code begins in `order`; the last element is the number of rows
    """
    for code in range(known + 2):
        ends[code] = 0
    for row in range(len(column)):
        ends[column[row] + 1] += 1
    for code in range(known + 1):
        ends[code + 1] += ends[code]
    for row in range(len(column)):
        code = column[row]
        order[ends[code]] = row
        ends[code] += 1
    for code in range(known + 1, 0, -1):
        ends[code] = ends[code - 1]
    ends[0] = 0


@outer
def cut_number(node, tested, fewest, most, limit, scratch):
    """(errors, number of cuts), like `best_cuts` with `monotone`; the cuts are the first elements of `scratch.cuts[2]`.

    If `scratch.tally[STOPPED]` is set, the search is not finished: call it again, and the memo has its results so far.
    """
    values = node.width[tested]
    _sort_by_number(node, scratch, tested)
    best, number = limit, 0
    for pieces in range(min(fewest, values), min(most, values) + 1):
        errors, cuts = limit, 0
        if pieces == 3:
            errors, cuts = _cut_in_three(node, scratch, best)
        elif pieces == 2:
            errors, cuts = _cut_in_two(node, scratch, 0, best)
        elif best > 0:
            errors = _interval_errors(node, scratch, 0, values)
        if errors < best - node.tie:
            best, number = errors, cuts
            for index in range(cuts):
                scratch.cuts[2, index] = scratch.cuts[pieces - 2, index]
    return best, number


@outer
def split_labels(node, tested, limit, scratch):
    """The fewest errors of one-level trees for the rows of each code, in total.

    If they are not below the limit, it is any number that is not. The largest subsets come first, because they tend to
    have most errors.
    """
    known = node.width[tested]
    parts, ends, number = scratch.parts, scratch.ends, 0
    sort_codes(node.codes[tested], known, scratch.order, ends)
    for code in range(known + 1):
        if ends[code + 1] > ends[code]:
            parts[number] = (ends[code] - ends[code + 1]) * (known + 1) + code  # sorts by -rows, then by code
            number += 1
    if number < 2:
        return limit
    sort(parts[:number])
    low, total = scratch.bounds[RECENT], 0.0
    for attribute in range(len(node.width)):
        scratch.queue[attribute] = attribute
    for part in range(number):
        if total >= limit - node.tie:
            break
        code = parts[part] % (known + 1)
        scratch.tally[WORK] += (ends[code + 1] - ends[code]) * len(node.width)
        for attribute in range(len(node.width)):
            low[attribute] = 0
        total += _errors(node, scratch, ends[code], ends[code + 1], low)
    return total


@inner
def _sort_by_number(node, scratch, tested):
    """Sort the rows by the number that is cut, sum their weights and words before each value, and clear `recent`."""
    values = node.width[tested]
    scratch.tally[VALUES] = values
    sort_codes(node.codes[tested], values, scratch.order, scratch.ends)
    weight, first_word, second_word, index = 0.0, np.uint64(0), np.uint64(0), 0
    for value in range(values + 1):
        while index < scratch.ends[value]:
            row = scratch.order[index]
            weight += node.weights[row]
            first_word ^= node.words[row, 0]
            second_word ^= node.words[row, 1]
            index += 1
        scratch.weight_before[value] = weight
        scratch.hashes[value, 0], scratch.hashes[value, 1] = first_word, second_word
    for attribute in range(len(node.width)):
        scratch.queue[attribute] = attribute
    scratch.recent[RECENT, 0] = 0


@inner
def _cut_in_three(node, scratch, limit):
    """(errors, number of cuts) of the best two or three intervals of all values."""
    _begin_search(scratch, 1, 0, limit)
    while _next_cut(node, scratch, 1, 0):
        state, after = scratch.state[1], 0
        left, right, too_many = state[LEFT], state[RIGHT], state[TOO_MANY]
        if left + right < too_many:
            middle = np.int64(state[MIDDLE])
            right = _interval_errors(node, scratch, middle, scratch.tally[VALUES])
            errors, cuts = _cut_in_two(node, scratch, middle, min(too_many - left, right))
            if errors < right:
                right, after = errors, cuts
            state[RIGHT_HIGH] = right if left + right < too_many else state[RIGHT_HIGH]
        _settle(node, scratch, 1, right, after)
    return scratch.state[1, BEST], np.int64(scratch.state[1, CUTS])


@inner
def _cut_in_two(node, scratch, start, limit):
    """(errors, number of cuts) of the best two intervals of the values from `start`, see `cuts._CutSearch.cut`."""
    _begin_search(scratch, 0, start, limit)
    while _next_cut(node, scratch, 0, start):
        state = scratch.state[0]
        right = state[RIGHT]
        if state[LEFT] + right < state[TOO_MANY]:
            right = _interval_errors(node, scratch, np.int64(state[MIDDLE]), scratch.tally[VALUES])
            state[RIGHT_HIGH] = right if state[LEFT] + right < state[TOO_MANY] else state[RIGHT_HIGH]
        _settle(node, scratch, 0, right, 0)
    return scratch.state[0, BEST], np.int64(scratch.state[0, CUTS])


@inlined
def _begin_search(scratch, level, start, limit):
    """Begin a search with the range of all cuts."""
    state = scratch.state[level]
    state[BEST], state[CUTS], state[FIRST_CUT], state[WAITING] = limit, 0, scratch.tally[VALUES], 0
    _push(scratch, level, start + 1, scratch.tally[VALUES] - 1, 0.0, np.inf, 0.0, np.inf)


@inner
def _next_cut(node, scratch, level, start):
    """Write the next cut to the state, with its errors on the left or a bound of them; return whether there is one."""
    state, ranges = scratch.state[level], scratch.ranges[level]
    while state[WAITING] and not scratch.tally[STOPPED]:
        state[WAITING] -= 1
        span = ranges[np.int64(state[WAITING])]
        _swap_least_with_last(ranges, np.int64(state[WAITING]))
        earlier = state[CUTS] > 0 and span[FIRST] < state[FIRST_CUT]
        if span[BOUND] >= state[BEST] + (node.tie if earlier else -node.tie):
            continue
        middle = (np.int64(span[FIRST]) + np.int64(span[LAST])) // 2
        too_many = state[BEST] + (2 * node.tie if earlier else 0.0)
        left = span[LEFT]
        if left < span[LEFT_HIGH]:
            left = _interval_errors(node, scratch, start, middle)
        state[LEFT], state[RIGHT], state[RIGHT_HIGH] = left, span[RIGHT], span[RIGHT_HIGH]
        state[LEFT_HIGH] = left if left + span[RIGHT] < too_many else span[LEFT_HIGH]
        state[MIDDLE], state[TOO_MANY] = middle, too_many
        return not scratch.tally[STOPPED]
    return False


@inner
def _settle(node, scratch, level, right, after):
    """Keep the current cuts if they are better, or as good and earlier; add the ranges left and right of the cut."""
    if scratch.tally[STOPPED]:
        return
    state, weight_before, tie = scratch.state[level], scratch.weight_before, node.tie
    span = scratch.ranges[level, np.int64(state[WAITING])]
    middle, left = np.int64(state[MIDDLE]), state[LEFT]
    first, last = np.int64(span[FIRST]), np.int64(span[LAST])
    low, high, right_low = span[LEFT], span[LEFT_HIGH], span[RIGHT]
    total, earlier = left + right, state[CUTS] > 0 and first < state[FIRST_CUT]
    if total < state[BEST] - tie or (earlier and total <= state[BEST] + tie):
        state[BEST], state[CUTS], state[FIRST_CUT] = min(total, state[BEST]), after + 1, middle
        scratch.cuts[level, 0] = middle
        for cut in range(after):
            scratch.cuts[level, cut + 1] = scratch.cuts[level - 1, cut]
    excess, below, above = total - state[BEST] - tie, middle - 1, middle + 1
    if excess > 0:  # a moved cut has fewer errors by at most the weight of the rows between the two cuts
        while below >= 0 and weight_before[below] > weight_before[middle] - excess:
            below -= 1
        while above <= scratch.tally[VALUES] and weight_before[above] < weight_before[middle] + excess:
            above += 1
    _push(scratch, level, first, below, low, state[LEFT_HIGH], right, span[RIGHT_HIGH])
    _push(scratch, level, above, last, left, high, right_low, state[RIGHT_HIGH])


@inlined
def _push(scratch, level, first, last, left, left_high, right, right_high):
    """Add a range unless it has no cut."""
    if first <= last:
        span = scratch.ranges[level, np.int64(scratch.state[level, WAITING])]
        span[BOUND], span[FIRST], span[LAST] = left + right, first, last
        span[LEFT], span[LEFT_HIGH], span[RIGHT], span[RIGHT_HIGH] = left, left_high, right, right_high
        scratch.state[level, WAITING] += 1


@inlined
def _swap_least_with_last(ranges, last):
    """Swap the range of the least bound, the first of several, with the last."""
    least = 0
    for index in range(1, last + 1):
        if ranges[index, BOUND] < ranges[least, BOUND] or (
            ranges[index, BOUND] == ranges[least, BOUND] and ranges[index, FIRST] < ranges[least, FIRST]
        ):
            least = index
    for field in range(ranges.shape[1]):
        ranges[least, field], ranges[last, field] = ranges[last, field], ranges[least, field]


@inner
def _interval_errors(node, scratch, first, stop):
    """The fewest errors of one level on the rows with values from `first` to `stop` - 1, by the memo; inf if it stops.

    The key of a set of rows in the memo is the exclusive or of their words.
    """
    tally, keys = scratch.tally, scratch.keys
    work = (scratch.ends[stop] - scratch.ends[first]) * len(node.width)
    tally[WORK] += work
    if tally[STOPPED] or tally[WORK] > tally[MOST_WORK]:
        tally[STOPPED] = 1
        return np.inf
    first_word = scratch.hashes[stop, 0] ^ scratch.hashes[first, 0]
    second_word = scratch.hashes[stop, 1] ^ scratch.hashes[first, 1]
    slot = _slot(keys, first_word, second_word)
    if keys[slot, 0] or keys[slot, 1]:
        return scratch.errors[slot]
    if tally[EVALUATED] > tally[SLICE] or 2 * tally[ENTRIES] >= len(keys):
        tally[STOPPED] = 1
        return np.inf
    tally[EVALUATED] += work
    tally[ENTRIES] += 1
    keys[slot, 0], keys[slot, 1] = first_word, second_word
    low = scratch.bounds[_lower_bounds(node, scratch, first, stop)]
    scratch.errors[slot] = errors = _errors(node, scratch, scratch.ends[first], scratch.ends[stop], low)
    return errors


@inlined
def _slot(keys, first_word, second_word):
    """The slot of a key in the memo, or the empty slot for it."""
    slot = np.int64(first_word & np.uint64(len(keys) - 1))
    while (keys[slot, 0] or keys[slot, 1]) and (keys[slot, 0] != first_word or keys[slot, 1] != second_word):
        slot = (slot + 1) & (len(keys) - 1)
    return slot


@outer
def copy_memo(keys, errors, scratch):
    """Copy a memo, keys (slots, 2) and errors (slots,), into that of `scratch`."""
    for index in range(len(keys)):
        if keys[index, 0] or keys[index, 1]:
            slot = _slot(scratch.keys, keys[index, 0], keys[index, 1])
            scratch.keys[slot, 0], scratch.keys[slot, 1] = keys[index, 0], keys[index, 1]
            scratch.errors[slot] = errors[index]
            scratch.tally[ENTRIES] += 1


@inner
def _errors(node, scratch, begin, end, low):
    """The fewest errors of one level on the rows from `begin` to `end` - 1 of `scratch.order`.

    low : (attributes,) a lower bound of the errors of each attribute, which is raised to the errors found; attributes
          whose bound does not beat the best so far are skipped
    """
    rows, tie = scratch.order[begin:end], node.tie
    weight, least = weigh_leaf(node, rows, scratch.total)
    if least <= node.acceptable * weight + tie:
        return least
    for index in range(len(node.width)):
        attribute = scratch.queue[index]
        if low[attribute] >= least - tie:
            continue
        errors = attribute_errors(node, attribute, rows, least - tie, scratch)
        low[attribute] = max(low[attribute], errors)
        if errors < least - tie:
            least = errors
            for later in range(index, 0, -1):
                scratch.queue[later] = scratch.queue[later - 1]
            scratch.queue[0] = attribute
        if least <= tie:
            break
    return least


@inner
def _lower_bounds(node, scratch, first, stop):
    """Write lower bounds of each attribute's errors on the rows with values from `first` to `stop` - 1.

    This is the similarity bound (Demirović et al. 2022): these rows have at least the errors of a recent interval, less
    the weight of the rows that only the recent interval has. Return the index of the bounds in `scratch.bounds`.
    """
    recent, weight_before, number = scratch.recent, scratch.weight_before, scratch.recent[RECENT, 0]
    own = number % RECENT
    low = scratch.bounds[RECENT]
    for attribute in range(len(node.width)):
        low[attribute] = 0
    for interval in range(min(number, RECENT)):
        begin, end = recent[interval, 0], recent[interval, 1]
        beyond = weight_before[end] - weight_before[begin]
        if max(begin, first) < min(end, stop):
            beyond -= weight_before[min(end, stop)] - weight_before[max(begin, first)]
            for attribute in range(len(node.width)):
                low[attribute] = max(low[attribute], scratch.bounds[interval, attribute] - beyond)
    for attribute in range(len(node.width)):
        scratch.bounds[own, attribute] = low[attribute]
    recent[own, 0], recent[own, 1] = first, stop
    recent[RECENT, 0] = number + 1
    return own
