"""Trees of one level with the fewest errors, where numbers are cut into a limited number of intervals."""

import numpy as np

from algorithms._numba.decorators import inlined, inner, kernel, outer
from algorithms._numba.primitives import lowest

LEAF = -1
"""The attribute of a tree without a split."""
NO_CLASS, MIXED = -1, -2
"""Instead of the class of all rows with a value: there are no such rows, or they are of several classes."""


@outer
def best_attribute(node, rows, scratch):
    """(errors, attribute) of the best tree of one level; LEAF if no attribute beats the leaf by more than `tie`.

    node, scratch : `two_level_cuts.T3Node`, `TwoLevelBuffers`
    rows          : indices of the rows, into the second axis of `node.codes`
    """
    (_, least), best = weigh_leaf(node, rows, scratch.total), LEAF
    for attribute in range(len(node.width)):
        if least <= node.tie:
            break
        errors = attribute_errors(node, attribute, rows, least - node.tie, scratch)
        if errors < least - node.tie:
            least, best = errors, attribute
    return least, best


@inner
def weigh_leaf(node, rows, total):
    """(weight of some rows, errors of a leaf for them); `total` (classes,) is scratch."""
    for c in range(len(total)):
        total[c] = 0
    for index in range(len(rows)):
        total[node.decisions[rows[index]]] += node.weights[rows[index]]
    weight = greatest = 0.0
    for c in range(len(total)):
        weight += total[c]
        greatest = max(greatest, total[c])
    return weight, weight - greatest


@inner
def attribute_errors(node, attribute, rows, limit, scratch):
    """The fewest errors of a one-level tree that tests an attribute; if not below `limit`, any number that is not.

    A number is cut into at most `node.intervals` intervals. Of `scratch`, `counts` and `present`, which are 0, and
    `only`, which is NO_CLASS, are restored on return.
    """
    column, decisions, weights = node.codes[attribute], node.decisions, node.weights
    counts, present, only = scratch.counts, scratch.present, scratch.only
    for index in range(len(rows)):
        row = rows[index]
        value, decision = column[row], decisions[row]
        counts[value, decision] += weights[row]
        present[value >> 6] |= np.uint64(1) << np.uint64(value & 63)
        if only[value] != decision:
            only[value] = decision if only[value] == NO_CLASS else MIXED
    intervals = node.intervals if node.numeric[attribute] else 0
    return _errors(counts, present, only, node.width[attribute], intervals, limit, scratch.correct, scratch.most)


@inner
def _errors(counts, present, only, unknown, intervals, limit, correct, most):
    """The result of `attribute_errors`, by dynamic programming over the values, from the weights by value and class.

    counts  : (values, classes) the weights, which are reset to 0
    correct : [pieces - 1, c] the greatest weight that at most this many intervals (pieces) classify correctly, if the
              last of them has class c
    most    : [pieces - 1] the greatest of these over the classes

    An interval need not begin at a value without rows of its class, because the interval before it can continue. So a
    run of values whose rows all have the same class counts as one value. The errors on the values so far are a lower
    bound of those on all: once they reach `limit`, the search for intervals ends.
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
    """Add the rows of the next values, all of class c: they extend the last interval, or begin a new one."""
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
    """The values at which intervals begin, without the first: the fewest intervals that classify most weight correctly.

    table     : (values, classes) float64: the weight of each class at each value that occurs, by increasing value
    intervals : the most intervals; not more than values

    Of equally good cuts, each interval, from the last one on, extends as far to the left as possible.
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
    """(attributes, rows), (attributes,): the codes of some rows, numbers ranked among these rows; and the widths."""
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
