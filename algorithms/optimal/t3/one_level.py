"""Trees of one level: the attribute of fewest errors, with numbers cut into the best few intervals."""

import numpy as np

from algorithms._numba.decorators import inlined, inner, kernel
from algorithms._numba.primitives import lowest

LEAF = -1
"""Instead of an attribute."""
NO_CLASS, MIXED = -1, -2
"""Instead of the class of all rows with a value: there are no such rows, or they are of several classes."""


@kernel
def best_attribute(codes, width, numeric, decisions, weights, rows, classes, intervals, tie, counts):
    """(fewest errors of a tree of one level, its attribute); LEAF if no attribute beats the leaf by more than `tie`.

    codes   : (attributes, rows) codes from 0, ranks of numbers; `width` (attributes,) is that of an unknown value
    numeric : (attributes,) whether an attribute is cut into at most `intervals`, instead of split by value
    rows    : indices into the second axis of `codes`
    counts  : (greatest width + 1, classes) of zeros, restored on return
    """
    total = np.zeros(classes)
    for row in rows:
        total[decisions[row]] += weights[row]
    weight = total.sum()
    least, best = weight - total.max(), LEAF
    present = np.zeros((len(counts) + 63) // 64, np.uint64)  # a bit for each value that occurs
    only = np.full(len(counts), NO_CLASS)  # the class of all rows with a value, NO_CLASS or MIXED
    correct = np.empty((intervals, classes))
    most = np.empty(intervals)
    for attribute in range(len(width)):
        if least <= tie:
            break
        pieces = intervals if numeric[attribute] else 0
        errors = attribute_errors(
            codes[attribute],
            decisions,
            weights,
            rows,
            width[attribute],
            pieces,
            least - tie,
            counts,
            present,
            only,
            correct,
            most,
        )
        if errors < least - tie:
            least, best = errors, attribute
    return least, best


@inner
def attribute_errors(column, decisions, weights, rows, unknown, intervals, limit, counts, present, only, correct, most):
    """The fewest errors of a one-level tree that tests an attribute; if not below `limit`, any number from it.

    intervals : most intervals of the known values; 0: a branch for each value

    `counts`, `present` and `only`, as in `best_attribute`, are restored on return; `correct` and `most` are scratch.
    """
    for index in range(len(rows)):
        row = rows[index]
        value, decision = column[row], decisions[row]
        counts[value, decision] += weights[row]
        present[value >> 6] |= np.uint64(1) << np.uint64(value & 63)
        if only[value] != decision:
            only[value] = decision if only[value] == NO_CLASS else MIXED
    return _errors(counts, present, only, unknown, intervals, limit, correct, most)


@inner
def _errors(counts, present, only, unknown, intervals, limit, correct, most):
    """The result of `attribute_errors`, from the weights by value and class.

    correct : [pieces - 1, class] the most weight classified correctly with at most so many intervals (pieces), the last
              of which has that class
    most    : [pieces - 1] the maximum over the classes

    An interval need not begin at a value without rows of its class, because the interval before it can continue. So
    neighbouring values whose rows all have the same class are merged. Errors on the first values are never more than
    those on all.
    """
    errors = mixed_errors = weight = run_weight = 0.0
    run_class = NO_CLASS
    for pieces in range(intervals):
        most[pieces] = 0
        for c in range(counts.shape[1]):
            correct[pieces, c] = 0
    for word in range(unknown // 64 + 1):
        left = present[word]
        present[word] = 0
        while left:
            value = np.int64(word * 64) + np.int64(lowest(left))
            left &= left - np.uint64(1)
            value_class = only[value]
            only[value] = NO_CLASS
            if errors >= limit or not intervals or value == unknown:
                if value_class >= 0:
                    counts[value, value_class] = 0
                else:
                    mixed_errors += _wrong(counts, value)
                    errors = max(errors, mixed_errors)
            elif value_class >= 0 and value_class == run_class:
                run_weight += counts[value, value_class]
                counts[value, value_class] = 0
            else:
                if run_class >= 0:
                    _extend(correct, most, intervals, run_class, run_weight)
                    weight += run_weight
                run_class = value_class
                if value_class >= 0:
                    run_weight = counts[value, value_class]
                    counts[value, value_class] = 0
                else:
                    weight += _extend_mixed(correct, most, intervals, counts, value)
                errors = mixed_errors + weight - most[intervals - 1]
    if run_class >= 0 and errors < limit:
        _extend(correct, most, intervals, run_class, run_weight)
        weight += run_weight
    return mixed_errors + weight - (most[intervals - 1] if intervals else 0.0)


@inlined
def _wrong(counts, value):
    """The errors of one leaf for the rows of a value, whose counts are reset to 0."""
    weight = most = 0.0
    for c in range(counts.shape[1]):
        weight += counts[value, c]
        most = max(most, counts[value, c])
        counts[value, c] = 0
    return weight - most


@inlined
def _extend(correct, most, intervals, c, weight):
    """Add the next rows, all of class c: they extend the last interval, or begin one after one interval fewer."""
    start = 0.0
    for pieces in range(intervals):
        reached, before = correct[pieces, c], most[pieces]
        reached = (start if start > reached else reached) + weight
        correct[pieces, c] = reached
        most[pieces] = reached if reached > before else before
        start = before


@inlined
def _extend_mixed(correct, most, intervals, counts, value):
    """Add the rows of the next value in the same way, and reset its counts to 0; return the weight of the rows."""
    start = weight = 0.0
    for pieces in range(intervals):
        best = before = most[pieces]
        for c in range(counts.shape[1]):
            reached = correct[pieces, c]
            reached = (start if start > reached else reached) + counts[value, c]
            correct[pieces, c] = reached
            best = reached if reached > best else best
        most[pieces] = best
        start = before
    for c in range(counts.shape[1]):
        weight += counts[value, c]
        counts[value, c] = 0
    return weight


@inlined
def _first_most(correct, tie):
    """The first class of most weight; weights are equal if they differ by no more than `tie`."""
    most, first = 0.0, 0
    for c in range(len(correct)):
        most = max(most, correct[c])
    while correct[first] < most - tie:
        first += 1
    return first


@kernel
def interval_cuts(table, intervals, tie):
    """Where intervals begin, after the first, for the fewest intervals that classify the most weight correctly.

    table : (values, classes) weights of values that occur. There are at most `intervals` intervals, which is at most
            the number of values. Of equally good ways, an interval extends as far as possible from the right.
    """
    values, classes = table.shape
    correct = np.zeros((intervals, classes))
    begun = np.zeros((values, intervals, classes), np.bool_)
    class_before = np.zeros((values, intervals), np.int64)
    most = np.empty(intervals)
    for value in range(values):
        for pieces in range(intervals):
            class_before[value, pieces] = _first_most(correct[pieces], tie)
            most[pieces] = correct[pieces].max()
        for pieces in range(intervals):
            for c in range(classes):
                before = correct[pieces, c]
                if pieces and most[pieces - 1] > before + tie:
                    before = most[pieces - 1]
                    begun[value, pieces, c] = True
                correct[pieces, c] = before + table[value, c]
    pieces = 0
    while correct[pieces].max() < correct[intervals - 1].max() - tie:
        pieces += 1
    cuts = np.empty(pieces, np.int64)
    number, leaf_class = pieces, _first_most(correct[pieces], tie)
    for value in range(values - 1, 0, -1):
        if begun[value, pieces, leaf_class]:
            pieces -= 1
            leaf_class = class_before[value, pieces]
            number -= 1
            cuts[number] = value
    return cuts[number:]


@kernel
def recoded(codes, width, numeric, rows):
    """The codes of some rows, with numbers ranked anew among them, and the width of each attribute."""
    result = np.empty((len(codes), len(rows)), np.int32)
    widths = width.copy()
    for attribute in range(len(codes)):
        column = codes[attribute]
        if not numeric[attribute]:
            for index in range(len(rows)):
                result[attribute, index] = column[rows[index]]
            continue
        known = width[attribute]
        rank = np.zeros(known + 1, np.int32)
        for row in rows:
            rank[column[row]] = 1
        ranks = 0
        for value in range(known):
            occurs = rank[value]
            rank[value] = ranks
            ranks += occurs
        rank[known] = ranks
        widths[attribute] = ranks
        for index in range(len(rows)):
            result[attribute, index] = rank[column[rows[index]]]
    return result, widths
