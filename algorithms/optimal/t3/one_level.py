"""Trees of one level: the attribute of fewest errors, with numbers cut into the best few intervals."""

from __future__ import annotations

import numpy as np

from algorithms._numba.decorators import inlined, inner, kernel
from algorithms._numba.primitives import lowest

LEAF = -1
NOBODY = -1
MIXED = -2


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
    only = np.full(len(counts), NOBODY)  # the class of all rows with a value; MIXED if there are several
    right = np.empty((intervals, classes))
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
            right,
            most,
        )
        if errors < least - tie:
            least, best = errors, attribute
    return least, best


@inner
def attribute_errors(column, decisions, weights, rows, unknown, intervals, limit, counts, present, only, right, most):
    """The fewest errors of a one-level tree that tests an attribute; if not below `limit`, any number from it.

    intervals : most intervals of the known values; 0: a branch for each value

    `counts`, `present` and `only`, as in `best_attribute`, are restored on return; `right` and `most` are scratch.
    """
    for index in range(len(rows)):
        row = rows[index]
        value, label = column[row], decisions[row]
        counts[value, label] += weights[row]
        present[value >> 6] |= np.uint64(1) << np.uint64(value & 63)
        if only[value] != label:
            only[value] = label if only[value] == NOBODY else MIXED
    return _errors(counts, present, only, unknown, intervals, limit, right, most)


@inner
def _errors(counts, present, only, unknown, intervals, limit, right, most):
    """The same, from the weights by value and class.

    right : [pieces - 1, class], the most weight classified correctly with at most `pieces`, the last of that class
    most  : [pieces - 1], the maximum over the classes

    A piece need not begin at a value without rows of its class, because the piece before it can continue. So
    neighbouring values whose rows all have the same class are merged. Errors on the first values are never more than
    those on all.
    """
    errors = mixed_errors = weight = run_weight = 0.0
    run_class = NOBODY
    for pieces in range(intervals):
        most[pieces] = 0
        for c in range(counts.shape[1]):
            right[pieces, c] = 0
    for word in range(unknown // 64 + 1):
        left = present[word]
        present[word] = 0
        while left:
            value = np.int64(word * 64) + np.int64(lowest(left))
            left &= left - np.uint64(1)
            value_class = only[value]
            only[value] = NOBODY
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
                    _extend(right, most, intervals, run_class, run_weight)
                    weight += run_weight
                run_class = value_class
                if value_class >= 0:
                    run_weight = counts[value, value_class]
                    counts[value, value_class] = 0
                else:
                    weight += _extend_mixed(right, most, intervals, counts, value)
                errors = mixed_errors + weight - most[intervals - 1]
    if run_class >= 0 and errors < limit:
        _extend(right, most, intervals, run_class, run_weight)
        weight += run_weight
    return mixed_errors + weight - (most[intervals - 1] if intervals else 0.0)


@inlined
def _wrong(counts, value):
    """The errors of one leaf for the rows of a value, whose counts are reset to 0."""
    weight = most = 0.0
    for label in range(counts.shape[1]):
        weight += counts[value, label]
        most = max(most, counts[value, label])
        counts[value, label] = 0
    return weight - most


@inlined
def _extend(right, most, intervals, label, weight):
    """Add rows of one class."""
    start = 0.0
    for pieces in range(intervals):
        correct, before = right[pieces, label], most[pieces]
        correct = (start if start > correct else correct) + weight
        right[pieces, label] = correct
        most[pieces] = correct if correct > before else before
        start = before


@inlined
def _extend_mixed(right, most, intervals, counts, value):
    """Add the rows of a value, whose counts are reset to 0; return their weight."""
    start = weight = 0.0
    for pieces in range(intervals):
        best = before = most[pieces]
        for label in range(counts.shape[1]):
            correct = right[pieces, label]
            correct = (start if start > correct else correct) + counts[value, label]
            right[pieces, label] = correct
            best = correct if correct > best else best
        most[pieces] = best
        start = before
    for label in range(counts.shape[1]):
        weight += counts[value, label]
        counts[value, label] = 0
    return weight


@kernel
def interval_cuts(table, intervals, tie):
    """Where intervals begin, after the first, for the fewest intervals that classify the most weight correctly.

    table : (values, classes) weights of values that occur. There are at most `intervals` intervals, which is at most
            the number of values. Of equally good ways, an interval extends as far as possible from the right.
    """
    values, classes = table.shape
    right = np.zeros((intervals, classes))
    begun = np.zeros((values, intervals, classes), np.bool_)
    label_before = np.zeros((values, intervals), np.int64)
    most = np.empty(intervals)
    for value in range(values):
        for pieces in range(intervals):
            label_before[value, pieces] = right[pieces].argmax()
            most[pieces] = right[pieces].max()
        for pieces in range(intervals):
            for label in range(classes):
                before = right[pieces, label]
                if pieces and most[pieces - 1] > before + tie:
                    before = most[pieces - 1]
                    begun[value, pieces, label] = True
                right[pieces, label] = before + table[value, label]
    pieces = 0
    while right[pieces].max() < right[intervals - 1].max() - tie:
        pieces += 1
    cuts = np.empty(pieces, np.int64)
    number, label = pieces, right[pieces].argmax()
    for value in range(values - 1, 0, -1):
        if begun[value, pieces, label]:
            pieces -= 1
            label = label_before[value, pieces]
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
