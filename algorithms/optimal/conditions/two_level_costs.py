"""The best tree of two levels for rows that are shared among branches: every test, with the best tests below it.

Rows are summed by each value of each attribute, once for a node. As a cut rises, rows move from one of its branches to
the other, and so do their sums. Rows that lack the number are in both, by the shares of the others. The tests below a
branch then need its sums only, not its rows.
"""

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms.kernel_arrays import array
from algorithms.optimal.conditions.split_costs import add_row, leaf_cost, try_attribute

NONE = np.int64(-1)
ALL, BELOW = range(2)


class ValueSums(NamedTuple):
    """Sums over rows as in `RowSums`, by each value of each attribute, those of its rows without a value last."""

    first: Any = array("attributes+1")  # where the values of each attribute begin
    node: Any = array("cells sums", np.float64)  # all rows of the node
    lacking: Any = array("cells sums", np.float64)  # those without a value of the attribute that is tested
    known: Any = array("cells sums", np.float64)  # those of a branch that have one
    branch: Any = array("cells sums", np.float64)  # all of a branch
    rest: Any = array("cells sums", np.float64)  # of the other
    order: Any = array("rows")  # the rows by the value of the attribute that is tested
    begin: Any = array("values+2")  # where those of each value begin
    weight: Any = array("2", np.float64)  # of the rows that have a value: of all, and of those below the last cut
    cost: Any = array("tests", np.float64)  # of the tests below a branch
    bound: Any = array("tests", np.float64)


@inner
def _add(coded, row, share, first, table):
    for attribute in range(len(first) - 1):
        add_row(coded, row, share, table[first[attribute] + coded.code[attribute, row]])


@outer
def sum_node(coded, rows, share, sums):
    """Write the sums of all rows (rows,) of a node, each with its share."""
    sums.node[:] = 0
    for index in range(len(rows)):
        _add(coded, rows[index], share[index], sums.first, sums.node)


@inner
def _sort_rows(coded, attribute, rows, share, sums):
    """Order the rows by their values of an attribute, and sum those without one."""
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
    """Add the rows of a value to those of the branch that have a value; return their weight."""
    weight = 0.0
    for at in range(sums.begin[value], sums.begin[value + 1]):
        index = sums.order[at]
        _add(coded, rows[index], share[index], sums.first, sums.known)
        weight += coded.weight[rows[index]] * share[index]
    return weight


@inner
def _sum_branch(share, sums):
    """Write the sums of the branch, which gets this share of the rows without a value, and of all other rows."""
    for at in range(len(sums.node)):
        for c in range(sums.node.shape[1]):
            sums.branch[at, c] = sums.known[at, c] + share * sums.lacking[at, c]
            sums.rest[at, c] = sums.node[at, c] - sums.branch[at, c]


@inner
def _best_below(coded, table, allowed, scratch, sums):
    """The least cost of a leaf or of a test with leaves for the rows of a branch."""
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
    """(the least cost below `best` of trees with one of some tests at the root, and at most one more level; that test).

    The test is NONE without such a tree.

    tests       : their attribute, the first, and the last + 1
    rows, share : (rows,) the rows, whose sums `sum_node` wrote, and how much of each there is
    allowed     : (attributes,) whether it may be tested
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
