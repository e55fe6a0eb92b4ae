"""The least cost of trees of one and two levels over some rows, and how many trees have it.

A tree costs the errors of its leaves, `at_leaf` for each leaf and `at_split` for each split. Rows that are in a cell of
the root's split and in one of a split below are counted with one AND for 64 rows, and the counts of all other branches
follow by subtraction: no tree of two levels is ever grown.

Costs and numbers are told by exact number of splits, as far as the arrays of results are long. Arrays of length 1 are
for trees of any number of splits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms.kernels.inner import allocating, kernel
from algorithms.kernels.shallow.node_cells import node_of, tally

__all__ = ["Terms", "leaf_and_split", "two_levels"]


class Terms(NamedTuple):
    """What trees are allowed, and what they cost: costs that differ by `tie` or less are equal."""

    classes: Any
    least_rows: Any
    at_split: Any
    at_leaf: Any
    tie: Any
    subsets: Any


class _Whole(NamedTuple):
    """Of all rows of a node: how many (cells,) are in each of its cells, and their weight (cells, classes)."""

    rows: Any
    weights: Any


class _Trees(NamedTuple):
    """Some trees: their least cost, and how many have it, by number of splits."""

    values: Any
    numbers: Any


@allocating
def _add_tree(values, numbers, k, value, number, tie):
    """Trees of k splits with a cost are among the best of k splits, become them, or neither."""
    if value < values[k] - tie:
        values[k], numbers[k] = value, number
    elif value <= values[k] + tie and value < np.inf:
        values[k] = min(values[k], value)
        numbers[k] += number


@allocating
def _join_part(values, numbers, part_values, part_numbers, tie):
    """Every tree that (values, numbers) stand for, beside every tree of a part: their costs and splits add up."""
    length = len(values)
    joined, counted = np.empty(length), np.empty(length)
    for k in range(length):
        joined[k], counted[k] = np.inf, 0
    for a in range(length):
        for b in range(min(len(part_values), length - a)):
            if values[a] < np.inf and part_values[b] < np.inf:
                _add_tree(joined, counted, a + b, values[a] + part_values[b], numbers[a] * part_numbers[b], tie)
    for k in range(length):
        values[k], numbers[k] = joined[k], counted[k]


@allocating
def _leaf(rows, of_class, terms):
    """What a leaf costs."""
    if rows < terms.least_rows:
        return np.inf
    total, most = 0.0, 0.0
    for weight in of_class:
        total += weight
        most = max(most, weight)
    return total - most + terms.at_leaf


@allocating
def _add_cells(rows, weights, more_rows, more_weights, sign):
    """Rows of a node are put beside others, or taken away (sign -1): their numbers and weights in its cells."""
    for cell in range(len(rows)):
        rows[cell] += sign * more_rows[cell]
        for i in range(weights.shape[1]):
            weights[cell, i] += sign * more_weights[cell, i]


@allocating
def _rest(rows, weights, whole):
    """Rows of a node become all the others: their numbers and weights in its cells."""
    for cell in range(len(rows)):
        rows[cell] = whole.rows[cell] - rows[cell]
        for i in range(weights.shape[1]):
            weights[cell, i] = whole.weights[cell, i] - weights[cell, i]


@allocating
def _two_leaves(rows, of_class, all_rows, all_of_class, terms):
    """What a split costs whose one branch has these rows, and the other the rest."""
    if rows < terms.least_rows or all_rows - rows < terms.least_rows:
        return np.inf
    most, most_rest, total = 0.0, 0.0, 0.0
    for i in range(len(of_class)):
        total += all_of_class[i]
        most = max(most, of_class[i])
        most_rest = max(most_rest, all_of_class[i] - of_class[i])
    return total - most - most_rest + terms.at_split + 2 * terms.at_leaf


@allocating
def _splits_by_codes(rows, weights, all_rows, all_of_class, terms, best, number):
    """`_one_split` for one nominal attribute."""
    codes, classes = len(rows) + 1, len(all_of_class)
    in_code, of_code, present = np.empty(codes, np.int64), np.empty((codes, classes)), 0
    rest, rest_of_class = all_rows, all_of_class.copy()
    for code in range(codes):
        in_code[present] = rows[code] if code < codes - 1 else rest
        rest -= in_code[present]
        for i in range(classes):
            of_code[present, i] = weights[code, i] if code < codes - 1 else rest_of_class[i]
            rest_of_class[i] -= of_code[present, i]
        present += in_code[present] > 0
    if present < 2:
        return
    value = terms.at_split
    for code in range(present):
        value += _leaf(in_code[code], of_code[code], terms)
    _add_tree(best, number, 0, value, 1.0, terms.tie)
    if terms.subsets and present > 2:
        some = np.empty(classes)
        for chosen in range(1, 1 << (present - 1)):  # never the last code, so that each two sets come once
            in_some = 0
            for i in range(classes):
                some[i] = 0
            for code in range(present):
                if chosen >> code & 1:
                    in_some += in_code[code]
                    for i in range(classes):
                        some[i] += of_code[code, i]
            _add_tree(best, number, 0, _two_leaves(in_some, some, all_rows, all_of_class, terms), 1.0, terms.tie)


@allocating
def _one_split(node, rows, weights, all_rows, all_of_class, terms, best, number):
    """Write the least cost of a tree of one split, and how many have it, where each cell has these rows (cells,)."""
    best[0], number[0] = np.inf, 0
    if all_rows < 2 * terms.least_rows:
        return
    for attribute in range(len(node.numeric)):
        begin, end = node.first[attribute], node.first[attribute + 1]
        if node.numeric[attribute] or (end - begin == 1):
            before = 0
            for cell in range(begin, end):
                if before < rows[cell] < all_rows:
                    value = _two_leaves(rows[cell], weights[cell], all_rows, all_of_class, terms)
                    _add_tree(best, number, 0, value, 1.0, terms.tie)
                before = rows[cell]
        else:
            _splits_by_codes(rows[begin:end], weights[begin:end], all_rows, all_of_class, terms, best, number)


@kernel
def leaf_and_split(cells, rows, terms):
    """Over rows in order: the cost of a leaf, the least of a tree of one split, and how many have it."""
    node = node_of(cells, rows, terms.classes)
    n_cells = len(node.bits)
    in_cell, weights = np.empty(n_cells, np.int64), np.empty((n_cells, terms.classes))
    tally(node, -1, in_cell, weights)
    best, number = np.empty(1), np.empty(1)
    _one_split(node, in_cell, weights, node.rows, node.of_class, terms, best, number)
    return _leaf(node.rows, node.of_class, terms), best[0], number[0]


@kernel
def _one_level(node, rows, weights, all_rows, all_of_class, terms, values, numbers):
    """Write costs and numbers of the trees of one level for rows of the node that are in its cells as given."""
    leaf = _leaf(all_rows, all_of_class, terms)
    best, number = np.empty(1), np.empty(1)
    best[0], number[0] = np.inf, 0
    if leaf >= terms.at_split + 2 * terms.at_leaf - terms.tie:
        _one_split(node, rows, weights, all_rows, all_of_class, terms, best, number)
    for k in range(len(values)):
        values[k], numbers[k] = np.inf, 0
    _add_tree(values, numbers, 0, leaf, 1.0, terms.tie)
    _add_tree(values, numbers, len(values) - 1, best[0], number[0], terms.tie)


@allocating
def _branch(node, rows, weights, all_rows, all_of_class, terms, trees):
    """Join the trees of one level of a branch to `trees`; return the least cost of those alone."""
    below = min(len(trees.values), 2)
    values, numbers = np.empty(below), np.empty(below)
    _one_level(node, rows, weights, all_rows, all_of_class, terms, values, numbers)
    _join_part(trees.values, trees.numbers, values, numbers, terms.tie)
    return min(values[0], values[below - 1])


@allocating
def _begin(trees, terms):
    """A split at the root, before there is anything below it."""
    for k in range(len(trees.values)):
        trees.values[k], trees.numbers[k] = np.inf, 0
    place = min(len(trees.values), 2) - 1
    trees.values[place], trees.numbers[place] = terms.at_split, 1


@allocating
def _end(trees, terms, found):
    """The trees through a split of the root are all joined."""
    for k in range(len(found.values)):
        _add_tree(found.values, found.numbers, k, trees.values[k], trees.numbers[k], terms.tie)


@allocating
def _by_cuts(node, whole, begin, end, terms, ceiling, found):
    """Add the trees of two levels that ask for a numeric attribute first, whose cuts are the cells from begin to end.

    The trees of more rows cost no less, nor less by more than the weight of the rows left out, where leaves may have
    one row. So a cut tells what those beside it cost at least, and most are passed over.
    """
    n_cells, classes = node.bits.shape[0], terms.classes
    rows, weights = np.empty(n_cells, np.int64), np.empty((n_cells, classes))
    trees = _Trees(np.empty(len(found.values)), np.empty(len(found.values)))
    upper_of_class, up_to = np.empty(classes), np.zeros(end - begin)
    for cut in range(end - begin):
        for i in range(classes):
            up_to[cut] += whole.weights[begin + cut, i]
    beside = terms.least_rows == 1
    ranges, costs, waiting = np.empty((end - begin + 1, 2), np.int64), np.zeros((end - begin + 1, 2)), 1
    ranges[0, 0], ranges[0, 1] = 0, end - begin
    while waiting:  # cuts from, up to; what the lower and the upper branch cost at least
        waiting -= 1
        low, high, least_lower, least_upper = (
            ranges[waiting, 0],
            ranges[waiting, 1],
            costs[waiting, 0],
            costs[waiting, 1],
        )
        if len(found.values) == 1:
            ceiling = min(ceiling, found.values[0])
        if low >= high or terms.at_split + least_lower + least_upper > ceiling + terms.tie:
            continue
        cut = (low + high) // 2 if beside else low
        cell = begin + cut
        tally(node, cell, rows, weights)
        _begin(trees, terms)
        lower = _branch(node, rows, weights, whole.rows[cell], whole.weights[cell], terms, trees)
        _rest(rows, weights, whole)
        for i in range(classes):
            upper_of_class[i] = node.of_class[i] - whole.weights[cell, i]
        upper = _branch(node, rows, weights, node.rows - whole.rows[cell], upper_of_class, terms, trees)
        _end(trees, terms, found)
        before, after = cut, cut + 1
        if beside:
            over = terms.at_split + lower + upper - ceiling - terms.tie
            while before > low and up_to[cut] - up_to[before - 1] < over:
                before -= 1
            while after < high and up_to[after] - up_to[cut] < over:
                after += 1
        else:
            before, upper, lower = low, 0.0, 0.0
        ranges[waiting, 0], ranges[waiting, 1], costs[waiting, 0], costs[waiting, 1] = low, before, least_lower, upper
        waiting += 1
        ranges[waiting, 0], ranges[waiting, 1], costs[waiting, 0], costs[waiting, 1] = after, high, lower, least_upper
        waiting += 1


@allocating
def _by_codes(node, whole, begin, end, terms, ceiling, found):
    """Add the trees of two levels that ask for a nominal attribute first, whose cells are those from begin to end."""
    n_cells, codes = node.bits.shape[0], end - begin + 1
    rows, weights = np.empty((codes, n_cells), np.int64), np.empty((codes, n_cells, terms.classes))
    of_code, class_of_code = np.empty(codes, np.int64), np.empty((codes, terms.classes))
    last = codes - 1
    tally(node, -1, rows[last], weights[last])
    of_code[last] = node.rows
    for i in range(terms.classes):
        class_of_code[last, i] = node.of_class[i]
    for code in range(last):
        tally(node, begin + code, rows[code], weights[code])
        _add_cells(rows[last], weights[last], rows[code], weights[code], -1)
        of_code[code] = whole.rows[begin + code]
        of_code[last] -= of_code[code]
        for i in range(terms.classes):
            class_of_code[code, i] = whole.weights[begin + code, i]
            class_of_code[last, i] -= class_of_code[code, i]
    trees = _Trees(np.empty(len(found.values)), np.empty(len(found.values)))
    _begin(trees, terms)
    spent = terms.at_split
    for code in range(codes):
        spent += _branch(node, rows[code], weights[code], of_code[code], class_of_code[code], terms, trees)
        if spent > ceiling + terms.tie:
            break
    else:
        _end(trees, terms, found)
    some_rows, some_weights = np.empty(node.bits.shape[0], np.int64), np.empty((node.bits.shape[0], terms.classes))
    some_of_class = np.empty(terms.classes)
    for chosen in range(1, (1 << last) if terms.subsets and codes > 2 else 1):  # never the last code
        tally(node, -1, some_rows, some_weights)
        some = node.rows
        for i in range(terms.classes):
            some_of_class[i] = node.of_class[i]
        for code in range(last):
            if chosen >> code & 1:
                _add_cells(some_rows, some_weights, rows[code], weights[code], -1)
                some -= of_code[code]
                for i in range(terms.classes):
                    some_of_class[i] -= class_of_code[code, i]
        _begin(trees, terms)
        _branch(node, some_rows, some_weights, some, some_of_class, terms, trees)
        _rest(some_rows, some_weights, whole)
        for i in range(terms.classes):
            some_of_class[i] = node.of_class[i] - some_of_class[i]
        _branch(node, some_rows, some_weights, node.rows - some, some_of_class, terms, trees)
        _end(trees, terms, found)


@kernel
def two_levels(cells, rows, terms, ceiling, values, numbers):
    """Write the least costs of trees of at most two levels over rows in order, and how many there are.

    values, numbers (splits,) or (1,) float64. Costs above `ceiling` may be written as more, or infinite. Numbers above
    2**53 are not exact.
    """
    node = node_of(cells, rows, terms.classes)
    for k in range(len(values)):
        values[k], numbers[k] = np.inf, 0
    _add_tree(values, numbers, 0, _leaf(node.rows, node.of_class, terms), 1.0, terms.tie)
    whole = _Whole(np.empty(len(node.bits), np.int64), np.empty((len(node.bits), terms.classes)))
    tally(node, -1, whole.rows, whole.weights)
    found = _Trees(values, numbers)
    for attribute in range(len(node.numeric)):
        begin, end = node.first[attribute], node.first[attribute + 1]
        if len(values) == 1:
            ceiling = min(ceiling, values[0])
        if node.numeric[attribute]:
            _by_cuts(node, whole, begin, end, terms, ceiling, found)
        else:
            _by_codes(node, whole, begin, end, terms, ceiling, found)
