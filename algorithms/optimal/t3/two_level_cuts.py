"""Trees of two levels with a given attribute at the root, compiled: cuts of a number as `best_cuts` has, or labels."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import inlined, inner, outer
from algorithms._numba.primitives import by_reference
from algorithms._numba.sorting import sort
from algorithms.optimal.t3.one_level import attribute_errors
from algorithms.optimal.t3.room import (
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
    """Write the rows by code, and where those of each code begin; `ends` (known + 2,) ends with how many there are."""
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
def cut_number(node, asked, fewest, most, limit, room):
    """(errors, how many cuts) of `best_cuts` with `monotone`; the cuts are the first in the last row of `room.places`.

    Where `room.tally[STOPPED]` is set, it must be called again, and finds what it remembers.
    """
    node, room = by_reference(node), by_reference(room)
    values = node.width[asked]
    _begin(node, room, asked)
    best, number = limit, 0
    for pieces in range(min(fewest, values), min(most, values) + 1):
        found, cuts = limit, 0
        if pieces == 3:
            found, cuts = _cut_in_three(node, room, 0, best)
        elif pieces == 2:
            found, cuts = _cut_in_two(node, room, 0, best)
        elif best > 0:
            found = _known(node, room, 0, values)
        if found < best - node.tie:
            best, number = found, cuts
            for place in range(cuts):
                room.places[2, place] = room.places[pieces - 2, place]
    return best, number


@outer
def split_labels(node, asked, limit, room):
    """The fewest errors of trees of one level for the rows with each code together, or from the limit up to them.

    The largest parts come first, since they have most errors.
    """
    node, room = by_reference(node), by_reference(room)
    known = node.width[asked]
    parts, ends, number = room.parts, room.ends, 0
    sort_codes(node.codes[asked], known, room.order, ends)
    for code in range(known + 1):
        if ends[code + 1] > ends[code]:
            parts[number] = (ends[code] - ends[code + 1]) * (known + 1) + code
            number += 1
    if number < 2:
        return limit
    sort(parts[:number])
    low, total = room.bounds[RECENT], 0.0
    for attribute in range(len(node.width)):
        room.queue[attribute] = attribute
    for part in range(number):
        if total >= limit - node.tie:
            break
        code = parts[part] % (known + 1)
        room.tally[WORK] += (ends[code + 1] - ends[code]) * len(node.width)
        for attribute in range(len(node.width)):
            low[attribute] = 0
        total += _errors(node, room, ends[code], ends[code + 1], low)
    return total


@inner
def _begin(node, room, asked):
    """Sort the rows."""
    values = node.width[asked]
    room.tally[VALUES] = values
    sort_codes(node.codes[asked], values, room.order, room.ends)
    weight, one, other, place = 0.0, np.uint64(0), np.uint64(0), 0
    for value in range(values + 1):
        while place < room.ends[value]:
            row = room.order[place]
            weight += node.weights[row]
            one ^= node.words[row, 0]
            other ^= node.words[row, 1]
            place += 1
        room.before[value], room.hashes[value, 0], room.hashes[value, 1] = weight, one, other
    for attribute in range(len(node.width)):
        room.queue[attribute] = attribute
    room.recent[RECENT, 0] = 0


@inner
def _cut_in_three(node, room, start, limit):
    """(errors, how many cuts) of the best of two or three intervals from a value on."""
    _open(room, 1, start, limit)
    while _next(node, room, 1, start):
        state, after = room.state[1], 0
        left, right, wanted = state[LEFT], state[RIGHT], state[WANTED]
        if left + right < wanted:
            middle = np.int64(state[MIDDLE])
            right = _known(node, room, middle, room.tally[VALUES])
            found, cuts = _cut_in_two(node, room, middle, min(wanted - left, right))
            if found < right:
                right, after = found, cuts
            state[RIGHT_HIGH] = right if left + right < wanted else state[RIGHT_HIGH]
        _settle(node, room, 1, right, after)
    return room.state[1, BEST], np.int64(room.state[1, CUTS])


@inner
def _cut_in_two(node, room, start, limit):
    """(errors, how many cuts) of the best two intervals from a value on, see `cuts._Question.cut`."""
    _open(room, 0, start, limit)
    while _next(node, room, 0, start):
        state = room.state[0]
        right = state[RIGHT]
        if state[LEFT] + right < state[WANTED]:
            right = _known(node, room, np.int64(state[MIDDLE]), room.tally[VALUES])
            state[RIGHT_HIGH] = right if state[LEFT] + right < state[WANTED] else state[RIGHT_HIGH]
        _settle(node, room, 0, right, 0)
    return room.state[0, BEST], np.int64(room.state[0, CUTS])


@inlined
def _open(room, level, start, limit):
    """Begin a search with the range of all cuts."""
    state = room.state[level]
    state[BEST], state[CUTS], state[PLACE], state[WAITING] = limit, 0, room.tally[VALUES], 0
    _push(room, level, start + 1, room.tally[VALUES] - 1, 0.0, np.inf, 0.0, np.inf)


@inner
def _next(node, room, level, start):
    """Whether there is a range that may have better cuts; with the errors left of its middle, or a bound of them."""
    state, ranges = room.state[level], room.ranges[level]
    while state[WAITING] and not room.tally[STOPPED]:
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
            left = _known(node, room, start, middle)
        state[LEFT], state[RIGHT], state[RIGHT_HIGH] = left, one[RIGHT], one[RIGHT_HIGH]
        state[LEFT_HIGH] = left if left + one[RIGHT] < wanted else one[LEFT_HIGH]
        state[MIDDLE], state[WANTED] = middle, wanted
        return not room.tally[STOPPED]
    return False


@inner
def _settle(node, room, level, right, after):
    """Take the cuts if they are better, or as good and earlier, and keep what remains of the range on either side."""
    if room.tally[STOPPED]:
        return
    state, before, tie = room.state[level], room.before, node.tie
    one = room.ranges[level, np.int64(state[WAITING])]
    middle, left = np.int64(state[MIDDLE]), state[LEFT]
    first, last = np.int64(one[FIRST]), np.int64(one[LAST])
    low, high, right_low = one[LEFT], one[LEFT_HIGH], one[RIGHT]
    total, earlier = left + right, state[CUTS] > 0 and first < state[PLACE]
    if total < state[BEST] - tie or (earlier and total <= state[BEST] + tie):
        state[BEST], state[CUTS], state[PLACE] = min(total, state[BEST]), after + 1, middle
        room.places[level, 0] = middle
        for cut in range(after):
            room.places[level, cut + 1] = room.places[level - 1, cut]
    excess, below, above = total - state[BEST] - tie, middle - 1, middle + 1
    if excess > 0:  # which only rows of that weight that are moved across the cut can take away
        while below >= 0 and before[below] > before[middle] - excess:
            below -= 1
        while above <= room.tally[VALUES] and before[above] < before[middle] + excess:
            above += 1
    _push(room, level, first, below, low, state[LEFT_HIGH], right, one[RIGHT_HIGH])
    _push(room, level, above, last, left, high, right_low, state[RIGHT_HIGH])


@inlined
def _push(room, level, first, last, left, left_high, right, right_high):
    """Add a range if there is a cut in it."""
    if first <= last:
        one = room.ranges[level, np.int64(room.state[level, WAITING])]
        one[BOUND], one[FIRST], one[LAST] = left + right, first, last
        one[LEFT], one[LEFT_HIGH], one[RIGHT], one[RIGHT_HIGH] = left, left_high, right, right_high
        room.state[level, WAITING] += 1


@inlined
def _exchange(ranges, last):
    """Exchange the range of the least bound, the first of several, with the last."""
    least = 0
    for place in range(1, last + 1):
        if ranges[place, BOUND] < ranges[least, BOUND] or (
            ranges[place, BOUND] == ranges[least, BOUND] and ranges[place, FIRST] < ranges[least, FIRST]
        ):
            least = place
    for field in range(ranges.shape[1]):
        ranges[least, field], ranges[last, field] = ranges[last, field], ranges[least, field]


@inner
def _known(node, room, first, stop):
    """The fewest errors of one level on the rows with some values, which are remembered; infinite when it stops."""
    tally, keys = room.tally, room.keys
    work = (room.ends[stop] - room.ends[first]) * len(node.width)
    tally[WORK] += work
    if tally[STOPPED] or tally[WORK] > tally[MOST_WORK]:
        tally[STOPPED] = 1
        return np.inf
    one = room.hashes[stop, 0] ^ room.hashes[first, 0]
    other = room.hashes[stop, 1] ^ room.hashes[first, 1]
    at = _slot(keys, one, other)
    if keys[at, 0] or keys[at, 1]:
        return room.errors[at]
    if tally[EVALUATED] > tally[SLICE] or 2 * tally[ENTRIES] >= len(keys):
        tally[STOPPED] = 1
        return np.inf
    tally[EVALUATED] += work
    tally[ENTRIES] += 1
    keys[at, 0], keys[at, 1] = one, other
    low = room.bounds[_bounds(node, room, first, stop)]
    room.errors[at] = errors = _errors(node, room, room.ends[first], room.ends[stop], low)
    return errors


@inlined
def _slot(keys, one, other):
    """Where two words are among the keys, or may be put."""
    at = np.int64(one & np.uint64(len(keys) - 1))
    while (keys[at, 0] or keys[at, 1]) and (keys[at, 0] != one or keys[at, 1] != other):
        at = (at + 1) & (len(keys) - 1)
    return at


@outer
def copy_known(keys, errors, room):
    """Remember what another memo has."""
    for place in range(len(keys)):
        if keys[place, 0] or keys[place, 1]:
            at = _slot(room.keys, keys[place, 0], keys[place, 1])
            room.keys[at, 0], room.keys[at, 1], room.errors[at] = keys[place, 0], keys[place, 1], errors[place]
            room.tally[ENTRIES] += 1


@inner
def _errors(node, room, begin, end, low):
    """The fewest errors of one level on some rows in `room.order`; each attribute has at least `low` errors there.

    An attribute that cannot have fewer than the best so far is passed over, and `low` is raised to what is found.
    """
    rows, total, tie = room.order[begin:end], room.total, node.tie
    for label in range(len(total)):
        total[label] = 0
    for place in range(len(rows)):
        total[node.decisions[rows[place]]] += node.weights[rows[place]]
    weight = greatest = 0.0
    for label in range(len(total)):
        weight += total[label]
        greatest = max(greatest, total[label])
    least = weight - greatest
    if least <= node.acceptable * weight + tie:
        return least
    for place in range(len(node.width)):
        attribute = room.queue[place]
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
            room.counts,
            room.there,
            room.only,
            room.right,
            room.most,
        )
        low[attribute] = max(low[attribute], found)
        if found < least - tie:
            least = found
            for later in range(place, 0, -1):
                room.queue[later] = room.queue[later - 1]
            room.queue[0] = attribute
        if least <= tie:
            break
    return least


@inner
def _bounds(node, room, first, stop):
    """Which row of `room.bounds` has the errors that each attribute has at least on the rows with some values.

    On recent rows with errors at least `low` it has at least `low` here, less the weight of those that are not here.
    """
    recent, before, number = room.recent, room.before, room.recent[RECENT, 0]
    mine = number % RECENT
    low = room.bounds[RECENT]
    for attribute in range(len(node.width)):
        low[attribute] = 0
    for one in range(min(number, RECENT)):
        begin, end = recent[one, 0], recent[one, 1]
        beyond = before[end] - before[begin]
        if max(begin, first) < min(end, stop):
            beyond -= before[min(end, stop)] - before[max(begin, first)]
            for attribute in range(len(node.width)):
                low[attribute] = max(low[attribute], room.bounds[one, attribute] - beyond)
    for attribute in range(len(node.width)):
        room.bounds[mine, attribute] = low[attribute]
    recent[mine, 0], recent[mine, 1] = first, stop
    recent[RECENT, 0] = number + 1
    return mine
