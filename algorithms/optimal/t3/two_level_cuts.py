"""Two-level trees with a given attribute at the root, compiled: cuts of a number as in `best_cuts`, or labels."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import inlined, inner, outer
from algorithms._numba.primitives import by_reference
from algorithms._numba.sorting import sort
from algorithms.optimal.t3.one_level import attribute_errors
from algorithms.optimal.t3.scratch import (
    BEST,
    BOUND,
    CUTS,
    ENTRIES,
    EVALUATED,
    FIRST,
    LAST,
    LEFT,
    LEFT_HIGH,
    MIDDLE,
    MOST_WORK,
    PLACE,
    RECENT,
    RIGHT,
    RIGHT_HIGH,
    SLICE,
    STOPPED,
    VALUES,
    WAITING,
    WANTED,
    WORK,
)

__all__ = ["copy_known", "cut_number", "sort_codes", "split_labels"]


@outer
def sort_codes(column, known, order, ends):
    """Sort the rows by code, and write where those of each code begin; `ends` (known + 2,) ends with their number."""
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
def cut_number(node, asked, fewest, most, limit, scratch):
    """(errors, number of cuts) of `best_cuts` with `monotone`; the cuts begin the last row of `scratch.places`.

    If `scratch.tally[STOPPED]` is set, it must be called again; it continues from its memo.
    """
    node, scratch = by_reference(node), by_reference(scratch)
    values = node.width[asked]
    _begin(node, scratch, asked)
    best, number = limit, 0
    for pieces in range(min(fewest, values), min(most, values) + 1):
        found, cuts = limit, 0
        if pieces == 3:
            found, cuts = _cut_in_three(node, scratch, 0, best)
        elif pieces == 2:
            found, cuts = _cut_in_two(node, scratch, 0, best)
        elif best > 0:
            found = _known(node, scratch, 0, values)
        if found < best - node.tie:
            best, number = found, cuts
            for index in range(cuts):
                scratch.places[2, index] = scratch.places[pieces - 2, index]
    return best, number


@outer
def split_labels(node, asked, limit, scratch):
    """The fewest errors of one-level trees for each code's rows, in total; if not below the limit, any number from it.

    The largest subsets come first, because they have most errors.
    """
    node, scratch = by_reference(node), by_reference(scratch)
    known = node.width[asked]
    parts, ends, number = scratch.parts, scratch.ends, 0
    sort_codes(node.codes[asked], known, scratch.order, ends)
    for code in range(known + 1):
        if ends[code + 1] > ends[code]:
            parts[number] = (ends[code] - ends[code + 1]) * (known + 1) + code
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
def _begin(node, scratch, asked):
    """Sort the rows."""
    values = node.width[asked]
    scratch.tally[VALUES] = values
    sort_codes(node.codes[asked], values, scratch.order, scratch.ends)
    weight, one, other, place = 0.0, np.uint64(0), np.uint64(0), 0
    for value in range(values + 1):
        while place < scratch.ends[value]:
            row = scratch.order[place]
            weight += node.weights[row]
            one ^= node.words[row, 0]
            other ^= node.words[row, 1]
            place += 1
        scratch.before[value], scratch.hashes[value, 0], scratch.hashes[value, 1] = weight, one, other
    for attribute in range(len(node.width)):
        scratch.queue[attribute] = attribute
    scratch.recent[RECENT, 0] = 0


@inner
def _cut_in_three(node, scratch, start, limit):
    """(errors, number of cuts) of the best two or three intervals from a value on."""
    _open(scratch, 1, start, limit)
    while _next(node, scratch, 1, start):
        state, after = scratch.state[1], 0
        left, right, wanted = state[LEFT], state[RIGHT], state[WANTED]
        if left + right < wanted:
            middle = np.int64(state[MIDDLE])
            right = _known(node, scratch, middle, scratch.tally[VALUES])
            found, cuts = _cut_in_two(node, scratch, middle, min(wanted - left, right))
            if found < right:
                right, after = found, cuts
            state[RIGHT_HIGH] = right if left + right < wanted else state[RIGHT_HIGH]
        _settle(node, scratch, 1, right, after)
    return scratch.state[1, BEST], np.int64(scratch.state[1, CUTS])


@inner
def _cut_in_two(node, scratch, start, limit):
    """(errors, number of cuts) of the best two intervals from a value on, see `cuts._Search.cut`."""
    _open(scratch, 0, start, limit)
    while _next(node, scratch, 0, start):
        state = scratch.state[0]
        right = state[RIGHT]
        if state[LEFT] + right < state[WANTED]:
            right = _known(node, scratch, np.int64(state[MIDDLE]), scratch.tally[VALUES])
            state[RIGHT_HIGH] = right if state[LEFT] + right < state[WANTED] else state[RIGHT_HIGH]
        _settle(node, scratch, 0, right, 0)
    return scratch.state[0, BEST], np.int64(scratch.state[0, CUTS])


@inlined
def _open(scratch, level, start, limit):
    """Begin a search with the range of all cuts."""
    state = scratch.state[level]
    state[BEST], state[CUTS], state[PLACE], state[WAITING] = limit, 0, scratch.tally[VALUES], 0
    _push(scratch, level, start + 1, scratch.tally[VALUES] - 1, 0.0, np.inf, 0.0, np.inf)


@inner
def _next(node, scratch, level, start):
    """Whether a range may have better cuts; its middle's left errors, or a bound of them, are then in the state."""
    state, ranges = scratch.state[level], scratch.ranges[level]
    while state[WAITING] and not scratch.tally[STOPPED]:
        state[WAITING] -= 1
        one = ranges[np.int64(state[WAITING])]
        _exchange(ranges, np.int64(state[WAITING]))
        earlier = state[CUTS] > 0 and one[FIRST] < state[PLACE]
        if one[BOUND] >= state[BEST] + (node.tie if earlier else -node.tie):
            continue
        middle = (np.int64(one[FIRST]) + np.int64(one[LAST])) // 2
        wanted = state[BEST] + (2 * node.tie if earlier else 0.0)
        left = one[LEFT]
        if left < one[LEFT_HIGH]:
            left = _known(node, scratch, start, middle)
        state[LEFT], state[RIGHT], state[RIGHT_HIGH] = left, one[RIGHT], one[RIGHT_HIGH]
        state[LEFT_HIGH] = left if left + one[RIGHT] < wanted else one[LEFT_HIGH]
        state[MIDDLE], state[WANTED] = middle, wanted
        return not scratch.tally[STOPPED]
    return False


@inner
def _settle(node, scratch, level, right, after):
    """Keep the cuts if they are better, or as good and earlier, and the rest of the range on either side."""
    if scratch.tally[STOPPED]:
        return
    state, before, tie = scratch.state[level], scratch.before, node.tie
    one = scratch.ranges[level, np.int64(state[WAITING])]
    middle, left = np.int64(state[MIDDLE]), state[LEFT]
    first, last = np.int64(one[FIRST]), np.int64(one[LAST])
    low, high, right_low = one[LEFT], one[LEFT_HIGH], one[RIGHT]
    total, earlier = left + right, state[CUTS] > 0 and first < state[PLACE]
    if total < state[BEST] - tie or (earlier and total <= state[BEST] + tie):
        state[BEST], state[CUTS], state[PLACE] = min(total, state[BEST]), after + 1, middle
        scratch.places[level, 0] = middle
        for cut in range(after):
            scratch.places[level, cut + 1] = scratch.places[level - 1, cut]
    excess, below, above = total - state[BEST] - tie, middle - 1, middle + 1
    if excess > 0:  # an excess that only rows of that weight, moved across the cut, can remove
        while below >= 0 and before[below] > before[middle] - excess:
            below -= 1
        while above <= scratch.tally[VALUES] and before[above] < before[middle] + excess:
            above += 1
    _push(scratch, level, first, below, low, state[LEFT_HIGH], right, one[RIGHT_HIGH])
    _push(scratch, level, above, last, left, high, right_low, state[RIGHT_HIGH])


@inlined
def _push(scratch, level, first, last, left, left_high, right, right_high):
    """Add a range unless it has no cut."""
    if first <= last:
        one = scratch.ranges[level, np.int64(scratch.state[level, WAITING])]
        one[BOUND], one[FIRST], one[LAST] = left + right, first, last
        one[LEFT], one[LEFT_HIGH], one[RIGHT], one[RIGHT_HIGH] = left, left_high, right, right_high
        scratch.state[level, WAITING] += 1


@inlined
def _exchange(ranges, last):
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
def _known(node, scratch, first, stop):
    """The fewest errors of one level on the rows with some values, from the memo or computed; infinite if it stops."""
    tally, keys = scratch.tally, scratch.keys
    work = (scratch.ends[stop] - scratch.ends[first]) * len(node.width)
    tally[WORK] += work
    if tally[STOPPED] or tally[WORK] > tally[MOST_WORK]:
        tally[STOPPED] = 1
        return np.inf
    one = scratch.hashes[stop, 0] ^ scratch.hashes[first, 0]
    other = scratch.hashes[stop, 1] ^ scratch.hashes[first, 1]
    at = _slot(keys, one, other)
    if keys[at, 0] or keys[at, 1]:
        return scratch.errors[at]
    if tally[EVALUATED] > tally[SLICE] or 2 * tally[ENTRIES] >= len(keys):
        tally[STOPPED] = 1
        return np.inf
    tally[EVALUATED] += work
    tally[ENTRIES] += 1
    keys[at, 0], keys[at, 1] = one, other
    low = scratch.bounds[_bounds(node, scratch, first, stop)]
    scratch.errors[at] = errors = _errors(node, scratch, scratch.ends[first], scratch.ends[stop], low)
    return errors


@inlined
def _slot(keys, one, other):
    """The slot of two words in the memo, or the one to use for them."""
    at = np.int64(one & np.uint64(len(keys) - 1))
    while (keys[at, 0] or keys[at, 1]) and (keys[at, 0] != one or keys[at, 1] != other):
        at = (at + 1) & (len(keys) - 1)
    return at


@outer
def copy_known(keys, errors, scratch):
    """Copy another memo."""
    for index in range(len(keys)):
        if keys[index, 0] or keys[index, 1]:
            at = _slot(scratch.keys, keys[index, 0], keys[index, 1])
            scratch.keys[at, 0], scratch.keys[at, 1], scratch.errors[at] = keys[index, 0], keys[index, 1], errors[index]
            scratch.tally[ENTRIES] += 1


@inner
def _errors(node, scratch, begin, end, low):
    """The fewest errors of one level on some rows in `scratch.order`; `low` has lower bounds for each attribute.

    An attribute that cannot beat the best so far is skipped. `low` is raised to the errors found.
    """
    rows, total, tie = scratch.order[begin:end], scratch.total, node.tie
    for label in range(len(total)):
        total[label] = 0
    for index in range(len(rows)):
        total[node.decisions[rows[index]]] += node.weights[rows[index]]
    weight = greatest = 0.0
    for label in range(len(total)):
        weight += total[label]
        greatest = max(greatest, total[label])
    least = weight - greatest
    if least <= node.acceptable * weight + tie:
        return least
    for index in range(len(node.width)):
        attribute = scratch.queue[index]
        if low[attribute] >= least - tie:
            continue
        found = attribute_errors(
            node.codes[attribute],
            node.decisions,
            node.weights,
            rows,
            node.width[attribute],
            node.intervals if node.numeric[attribute] else 0,
            least - tie,
            scratch.counts,
            scratch.there,
            scratch.only,
            scratch.right,
            scratch.most,
        )
        low[attribute] = max(low[attribute], found)
        if found < least - tie:
            least = found
            for later in range(index, 0, -1):
                scratch.queue[later] = scratch.queue[later - 1]
            scratch.queue[0] = attribute
        if least <= tie:
            break
    return least


@inner
def _bounds(node, scratch, first, stop):
    """The row of `scratch.bounds` with lower bounds of each attribute's errors on the rows with some values.

    If recent rows have at least `low` errors, these rows have at least `low` minus the weight of recent rows not among
    them.
    """
    recent, before, number = scratch.recent, scratch.before, scratch.recent[RECENT, 0]
    mine = number % RECENT
    low = scratch.bounds[RECENT]
    for attribute in range(len(node.width)):
        low[attribute] = 0
    for one in range(min(number, RECENT)):
        begin, end = recent[one, 0], recent[one, 1]
        beyond = before[end] - before[begin]
        if max(begin, first) < min(end, stop):
            beyond -= before[min(end, stop)] - before[max(begin, first)]
            for attribute in range(len(node.width)):
                low[attribute] = max(low[attribute], scratch.bounds[one, attribute] - beyond)
    for attribute in range(len(node.width)):
        scratch.bounds[mine, attribute] = low[attribute]
    recent[mine, 0], recent[mine, 1] = first, stop
    recent[RECENT, 0] = number + 1
    return mine
