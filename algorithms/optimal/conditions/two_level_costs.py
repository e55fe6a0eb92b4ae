"""The best tree of two levels for rows that are shared among branches: every test, with the best tests below it.

The sums over the rows of a node, by each value of each attribute, are computed once. As a cut rises, rows move from one
branch to the other, and their sums with them. Rows that lack the number are in both branches, by the shares of the
other rows. So the tests below a branch read its sums only, not its rows.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms.kernel_arrays import array
from algorithms.optimal.conditions.split_costs import add_row, leaf_cost, try_attribute

NONE = np.int64(-1)
ALL, BELOW = range(2)


class ValueSums(NamedTuple):
    """Sums over rows as in `RowSums`. An attribute has a cell for each value, then one for rows without a value."""

    first: Any = array("attributes+1")  # the first cell of each attribute
    node: Any = array("cells sums", np.float64)  # over all rows of the node
    lacking: Any = array("cells sums", np.float64)  # over those without a value of the tested attribute
    known: Any = array("cells sums", np.float64)  # over those of the branch that have a value of this attribute
    branch: Any = array("cells sums", np.float64)  # over all rows of the branch
    rest: Any = array("cells sums", np.float64)  # over all other rows of the node
    order: Any = array("rows")  # indices into the node's rows, sorted by the value of the tested attribute
    begin: Any = array("values+2")  # where each value begins in `order`
    weight: Any = array("2", np.float64)  # of the rows with a value: ALL, and those BELOW the current cut or in its set
    cost: Any = array("tests", np.float64)  # of each test below a branch, with leaves
    bound: Any = array("tests", np.float64)  # scratch


@inner
def _add(coded, row, share, first, table):
    """Add a share of a row to its cells in a table (cells, sums)."""
    for attribute in range(len(first) - 1):
        add_row(coded, row, share, table[first[attribute] + coded.code[attribute, row]])


@outer
def sum_node(coded, rows, share, sums):
    """Write `sums.node`; rows, share : (rows,) the rows, and which share of each reaches the node."""
    sums.node[:] = 0
    for index in range(len(rows)):
        _add(coded, rows[index], share[index], sums.first, sums.node)


@inner
def _sort_rows(coded, attribute, rows, share, sums):
    """Sort the rows by their values of an attribute, and sum those without a value."""
    values, begin = coded.values[attribute], sums.begin
    begin[:] = 0
    sums.lacking[:] = sums.known[:] = 0
    sums.weight[:] = 0
    for row in rows:
        begin[coded.code[attribute, row] + 1] += 1
    for v in range(values + 1):
        begin[v + 1] += begin[v]
    for index in range(len(rows)):
        code = coded.code[attribute, rows[index]]
        if code < values:
            sums.weight[ALL] += coded.weight[rows[index]] * share[index]
        sums.order[begin[code]] = index
        begin[code] += 1
        if code == values:
            _add(coded, rows[index], share[index], sums.first, sums.lacking)
    for v in range(values, -1, -1):
        begin[v + 1] = begin[v]
    begin[0] = 0


@inner
def _add_value(coded, value, rows, share, sums):
    """Add the rows of a value to `sums.known`; return their weight."""
    weight = 0.0
    for at in range(sums.begin[value], sums.begin[value + 1]):
        index = sums.order[at]
        _add(coded, rows[index], share[index], sums.first, sums.known)
        weight += coded.weight[rows[index]] * share[index]
    return weight


@inner
def _sum_branch(share, sums):
    """Write `sums.branch`, with this share of the rows without a value, and `sums.rest`."""
    for at in range(len(sums.node)):
        for c in range(sums.node.shape[1]):
            sums.branch[at, c] = sums.known[at, c] + share * sums.lacking[at, c]
            sums.rest[at, c] = sums.node[at, c] - sums.branch[at, c]


@inner
def _best_below(coded, table, allowed, scratch, sums):
    """The least cost of a leaf or of a test with leaves, for a branch; `table` (cells, sums) has its sums."""
    here, high = scratch.here, len(coded.cost) - 1
    here[:] = 0
    for at in range(sums.first[0], sums.first[1]):
        for c in range(len(here)):
            here[c] += table[at, c]
    best, _ = leaf_cost(coded, here, 0, high)
    if best <= here[high + 1] + coded.split + 2 * coded.leaf or here[high + 2] < 2 * coded.least:
        return best
    for attribute in range(len(allowed)):
        if allowed[attribute]:
            of_value = table[sums.first[attribute] : sums.first[attribute + 1]]
            first, last = coded.first[attribute], coded.first[attribute + 1]
            sums.cost[first:last] = np.inf
            try_attribute(coded, attribute, coded.split, of_value, 0, high, scratch, sums.cost, sums.bound)
            for test in range(first, last):
                best = min(best, sums.cost[test])
    return best


@outer
def best_of_tests(coded, tests, rows, share, allowed, bound, best, scratch, sums):
    """(cost, root test) of the best tree of at most two levels with one of some tests at the root.

    If none costs less than `best`, the result is (`best`, NONE).

    tests       : (attribute, first, end): the tests from `first` to `end` - 1, all of this attribute
    rows, share : (rows,) the rows, whose sums `sum_node` wrote, and which share of each reaches the node
    allowed     : (attributes,) whether each may be tested
    bound       : (tests,) a lower bound of the cost of trees with each test at the root, as `try_tests` writes it
    """
    attribute, first, end = tests
    values, chosen, weight = coded.values[attribute], NONE, sums.weight
    _sort_rows(coded, attribute, rows, share, sums)
    if coded.numeric[attribute]:
        for v in range(coded.cut[first]):
            weight[BELOW] += _add_value(coded, v, rows, share, sums)
    for test in range(first, end):
        by_value = not coded.numeric[attribute] and coded.chosen[test] == 0
        if coded.numeric[attribute]:
            weight[BELOW] += _add_value(coded, coded.cut[test], rows, share, sums)
        if bound[test] >= best:
            continue
        total = coded.split
        if by_value:
            for v in range(values):
                if sums.begin[v] < sums.begin[v + 1] and total < best:
                    sums.known[:] = 0
                    _sum_branch(_add_value(coded, v, rows, share, sums) / weight[ALL], sums)
                    total += _best_below(coded, sums.branch, allowed, scratch, sums)
        else:
            if not coded.numeric[attribute]:
                sums.known[:] = 0
                weight[BELOW] = 0
                for v in range(values):
                    if (coded.chosen[test] >> np.uint64(v)) & np.uint64(1):
                        weight[BELOW] += _add_value(coded, v, rows, share, sums)
            _sum_branch(weight[BELOW] / weight[ALL], sums)
            total += _best_below(coded, sums.branch, allowed, scratch, sums)
            if total < best:
                total += _best_below(coded, sums.rest, allowed, scratch, sums)
        if total < best:
            best, chosen = total, np.int64(test)
    return best, chosen
