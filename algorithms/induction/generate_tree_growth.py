"""Growth of one tree with a branch per code and binary cuts of numbers; each numeric column is sorted once."""

import numpy as np

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import allocating, kernel
from algorithms._numba.sorting import sort
from algorithms.rounding import EQUAL_SHARE

ENTROPY, GINI, MISCLASSIFICATION = 0, 1, 2
MOST_LOGARITHMS = 2.0**24  # largest table of n log n: 128 MiB
LOGARITHMS_A_ROW = 256  # largest table per row; a larger one would have more entries than are read from it


@allocating
def _n_log_n(count, table):
    """Return n log2 n of a count n, from a table by n unless it is empty."""
    if len(table):
        return table[int(count)]
    return count * np.log2(count) if count > 0 else 0.0


@allocating
def _impure_weight(counts, size, measure, table):
    """The impurity of class counts, times their sum `size`; 0 if rounding has left no positive `size`."""
    if size <= 0:
        return 0.0
    if measure == MISCLASSIFICATION:
        return size - counts.max()
    terms = 0.0
    if measure == GINI:
        for count in counts:
            terms += count * (count / size)  # a square may overflow
        return size - terms
    for count in counts:
        terms += _n_log_n(count, table)
    return _n_log_n(size, table) - terms


@allocating
def _codes_impurity(codes, decisions, weights, part, table, sizes, occurring, measure, n_log_n):
    """(impure weight after the split of the rows `part` into codes, number of codes).

    The impure weight is the sum of `_impure_weight` over the branches; 0 for a single code. table (codes, classes) and
    sizes (codes,): scratch, 0 before and after; occurring (codes,): receives the codes
    """
    parts = 0
    for row in part:
        code = codes[row]
        if sizes[code] == 0:
            occurring[parts] = code
            parts += 1
        table[code, decisions[row]] += weights[row]
        sizes[code] += weights[row]
    impure = 0.0
    for code in occurring[:parts]:
        if parts > 1:
            impure += _impure_weight(table[code], sizes[code], measure, n_log_n)
        table[code], sizes[code] = 0, 0
    return impure, parts


@allocating
def _best_cut(numbers, decisions, weights, whole, size, lower, upper, measure, n_log_n, margin):
    """(impure weight, last number below, first number above) of the best cut; if several are best, of the first.

    The impure weight is infinite if there is no cut. A cut between two numbers whose rows all have the same class is
    never best and is skipped. A cut is better only by more than `margin`.

    numbers, decisions, weights (rows,) : the rows by increasing number
    whole (classes,), size : the class counts of all rows, and their sum
    lower, upper (classes,) : scratch
    """
    least, below, above = np.inf, 0.0, 0.0
    lower[:] = 0
    copy_into(whole, upper)
    lower_size = 0.0
    class_before = -2  # the class of the rows of the last number, -1 for several
    start, rows = 0, len(numbers)
    while start < rows:
        number, only = numbers[start], decisions[start]
        end = start + 1
        while end < rows and numbers[end] == number:
            if decisions[end] != only:
                only = -1
            end += 1
        if start > 0 and (only == -1 or only != class_before):
            impure = _impure_weight(lower, lower_size, measure, n_log_n)
            impure += _impure_weight(upper, size - lower_size, measure, n_log_n)
            if impure < least - margin:
                least, below, above = impure, numbers[start - 1], number
        for row in range(start, end):
            lower[decisions[row]] += weights[row]
            upper[decisions[row]] -= weights[row]
            lower_size += weights[row]
        class_before = only
        start = end
    return least, below, above


@allocating
def _branches_of_codes(codes, part, branch, occurring, branch_of):
    """Write the branch of each row of `part` into `branch` (rows,): the rank of its code among the codes that occur.

    `occurring` receives these codes in increasing order; `branch_of` (codes,) is scratch, -1 before and after.
    """
    parts = 0
    for row in part:
        if branch_of[codes[row]] < 0:
            branch_of[codes[row]] = 0
            occurring[parts] = codes[row]
            parts += 1
    sort(occurring[:parts])
    for index in range(parts):
        branch_of[occurring[index]] = index
    for row in part:
        branch[row] = branch_of[codes[row]]
    for code in occurring[:parts]:
        branch_of[code] = -1


@allocating
def _group(rows, entries, branch, starts, scratch):
    """Group `entries`, one for each of `rows`, by the branch of its row, stably.

    branch (all rows,); starts (branches + 1,): where each branch begins
    """
    next_index = starts.copy()
    for i in range(len(rows)):
        to = branch[rows[i]]
        scratch[next_index[to]] = entries[i]
        next_index[to] += 1
    copy_into(scratch[: len(rows)], entries)


@allocating
def _logarithms(weights):
    """(sum of weights + 1,): n log2 n by n; empty if a weight is not an integer, or if the sum is too large."""
    size = 0.0
    for weight in weights:
        if weight != np.floor(weight):
            return np.zeros(0)
        size += weight
    if size > min(MOST_LOGARITHMS, LOGARITHMS_A_ROW * len(weights)):
        return np.zeros(0)
    table = np.zeros(int(size) + 1)
    for whole in range(1, len(table)):
        table[whole] = whole * np.log2(whole)
    return table


@allocating
def _longer(array):
    """A copy of twice the length, filled up with zeros."""
    copy = np.zeros(2 * len(array), array.dtype)
    copy_into(array, copy)
    return copy


@kernel
def grow(
    codes, most_codes, order, numbers, numeric, index, decisions, weights, classes, measure, theta, penalty, least_size
):
    """The tree as (attribute, parent, code, below, above, counts), each (nodes, ...), in breadth-first order.

    A node is terminal if its rows have one class, their impurity is at most theta, their weight is less than
    least_size, or no attribute differs among them. `attribute` is -1 at terminal nodes. The cut of a numeric test lies
    between `below` and `above` of its node. `code` is the branch from the parent: a code, or 0 for the rows up to the
    cut and 1 for those above it. `counts` is (nodes, classes).

    codes (nominal attributes, rows) : no value is missing
    order, numbers (numeric attributes, rows) : the rows by increasing number, and these numbers; overwritten
    numeric, index (attributes,) : attribute i is row index[i] of `order` if numeric[i], else of `codes`
    weights (rows,) : positive
    penalty : the impure weight of a split rises by penalty * weight of the node * log2(number of branches)
    """
    n = len(decisions)
    limit = 64
    attribute, parent, code = np.full(limit, -1, np.int32), np.full(limit, -1, np.int32), np.zeros(limit, np.int32)
    below, above, counts = np.zeros(limit), np.zeros(limit), np.zeros(limit * classes)
    first, end = np.zeros(limit, np.int64), np.zeros(limit, np.int64)
    rows, branch = np.arange(n).astype(np.int32), np.zeros(n, np.int32)
    scratch, scratch_numbers = np.zeros(n, np.int32), np.zeros(n)
    # classes and weights are kept in each order: looking them up by row would take most of the time
    sorted_classes, sorted_weights = np.empty(order.shape, np.int32), np.empty(order.shape)
    for i in range(len(order)):
        for j in range(n):
            sorted_classes[i, j], sorted_weights[i, j] = decisions[order[i, j]], weights[order[i, j]]
    table, sizes = np.zeros((most_codes, classes)), np.zeros(most_codes)
    occurring, branch_of = np.zeros(max(most_codes, 2), np.int32), np.full(most_codes, -1, np.int32)
    lower, upper = np.zeros(classes), np.zeros(classes)
    n_log_n = _logarithms(weights) if measure == ENTROPY else np.zeros(0)
    for row in range(n):
        counts[decisions[row]] += weights[row]
    end[0] = n
    node, nodes = 0, 1
    while node < nodes:
        class_counts = counts[node * classes : (node + 1) * classes]
        size, part = class_counts.sum(), rows[first[node] : end[node]]
        impure = _impure_weight(class_counts, size, measure, n_log_n)
        if np.count_nonzero(class_counts) == 1 or impure <= theta * size * (1 + EQUAL_SHARE) or size < least_size:
            node += 1
            continue
        # the attribute of least impurity
        least, chosen, branches = np.inf, -1, 0
        for i in range(len(index)):
            if numeric[i]:
                score, low, high = _best_cut(
                    numbers[index[i], first[node] : end[node]],
                    sorted_classes[index[i], first[node] : end[node]],
                    sorted_weights[index[i], first[node] : end[node]],
                    class_counts,
                    size,
                    lower,
                    upper,
                    measure,
                    n_log_n,
                    EQUAL_SHARE * impure,
                )
                parts = 2 if score < np.inf else 1
            else:
                score, parts = _codes_impurity(
                    codes[index[i]], decisions, weights, part, table, sizes, occurring, measure, n_log_n
                )
                low, high = 0.0, 0.0
            if parts < 2:
                continue
            score += size * penalty * np.log2(parts)
            if chosen < 0 or score < least - EQUAL_SHARE * impure:
                least, chosen, branches = score, i, parts
                below[node], above[node] = low, high
        attribute[node] = chosen
        if chosen < 0:
            node += 1
            continue
        while nodes + branches > len(attribute):
            attribute, parent, code = _longer(attribute), _longer(parent), _longer(code)
            below, above, counts = _longer(below), _longer(above), _longer(counts)
            first, end = _longer(first), _longer(end)
        # the branch of each row, and the children
        if numeric[chosen]:
            occurring[0], occurring[1] = 0, 1
            for i in range(first[node], end[node]):
                branch[order[index[chosen], i]] = numbers[index[chosen], i] > below[node]
        else:
            _branches_of_codes(codes[index[chosen]], part, branch, occurring, branch_of)
        starts = np.zeros(branches + 1, np.int64)
        for row in part:
            child = branch[row]
            starts[child + 1] += 1
            counts[(nodes + child) * classes + decisions[row]] += weights[row]
        mixed = False
        for child in range(branches):
            starts[child + 1] += starts[child]
            attribute[nodes + child], parent[nodes + child], code[nodes + child] = -1, node, occurring[child]
            first[nodes + child] = first[node] + starts[child]
            end[nodes + child] = first[node] + starts[child + 1]
            mixed |= np.count_nonzero(counts[(nodes + child) * classes : (nodes + child + 1) * classes]) > 1
        if mixed:  # otherwise all children are leaves, and their rows are not needed
            _group(part, part, branch, starts, scratch)
            for i in range(len(order)):
                by_number = order[i, first[node] : end[node]]
                _group(by_number, numbers[i, first[node] : end[node]], branch, starts, scratch_numbers)
                _group(by_number, sorted_weights[i, first[node] : end[node]], branch, starts, scratch_numbers)
                _group(by_number, sorted_classes[i, first[node] : end[node]], branch, starts, scratch)
                _group(by_number, by_number, branch, starts, scratch)
        nodes += branches
        node += 1
    return (
        attribute[:nodes],
        parent[:nodes],
        code[:nodes],
        below[:nodes],
        above[:nodes],
        counts[: nodes * classes].reshape(nodes, classes),
    )
