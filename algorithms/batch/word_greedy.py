"""Costs of the trees of all 16 greedy algorithms for tables in words, without building the trees.

A subtable is visited once for all algorithms that made the same splits above it. They share its impurities until they
choose different attributes. All 16 split subtables of two and three rows in the same way.

The number of an algorithm is 4 * type + uncertainty: the types of impurity are max, sum, w_max and w_sum, the
uncertainties ent, gini, me and rt. A set of algorithms is a word with a bit for each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algorithms._numba.decorators import inner, of_words
from algorithms._numba.primitives import (
    any_bit,
    beside,
    choose,
    greater,
    lowest,
    popcount,
    read,
    store,
    vector,
    without_lowest,
    write,
)
from algorithms.batch.small_subtables import splits_of_three
from algorithms.exact.packed_cost import (
    KNOWN_DEPTHS,
    KNOWN_SUMS,
    PAIR,
    SPLIT_BY_DECISION,
    SPLIT_IN_THREE,
    SPLIT_TWICE,
    TERMINAL,
    deeper,
    nonterminal,
)
from algorithms.kernel_arrays import array, arrays_of
from algorithms.rounding import EQUAL_RATIO

ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
ALGORITHMS = 16
INFINITE, NONE = (np.inf,) * ALGORITHMS, (0,) * ALGORITHMS


class PendingSubtables(NamedTuple):
    """A stack of subtables still to split, and scratch of the splits."""

    rows: Any = array("limit words", np.uint64)
    algorithms: Any = array("limit", np.uint64)  # the set of algorithms that split the subtable
    depth: Any = array("limit", np.uint64)  # the depth word of the subtable, see `packed_cost`
    chosen: Any = array("16", np.uint64)  # the attribute of least impurity, by algorithm
    entropy_terms: Any = array("rows+1", np.float64)  # n log2 n by n


def empty_pending(rows: int) -> PendingSubtables:
    """The arrays for tables of at most `rows` rows. Pending subtables of one algorithm have no rows in common."""
    pending = arrays_of(PendingSubtables, limit=ALGORITHMS * rows, words=-(-rows // 64), rows=rows)
    for n in range(1, rows + 1):
        pending.entropy_terms[n] = n * np.log2(n)
    return pending


@of_words
def _known_cost(other_decision, code, field_tops, field_rests, part):
    """The index in KNOWN_SUMS of the costs of the tree for a nonempty branch, if it is the same for all algorithms.

    This holds for branches of one decision or at most three rows; of others the result is 0. Three rows are split by
    the first attribute that leaves no uncertainty, else by the first that splits them.
    """
    if not any_bit(part & read(other_decision, lowest(part), part)):
        return TERMINAL
    size = popcount(part)
    if size == TWO:
        return PAIR
    if size > THREE:
        return ZERO
    by_decision, in_three = splits_of_three(other_decision, code, field_tops, field_rests, part)
    certain = by_decision | in_three
    first = certain ^ without_lowest(certain)
    if any_bit(by_decision & first):
        return SPLIT_BY_DECISION
    return SPLIT_IN_THREE if any_bit(first) else SPLIT_TWICE


@of_words
def _levels_below(depth, above):
    """The depth word of a subtree, counted from the root of the tree; `above` is that of the subtree's own root."""
    for _ in range(popcount(above)):
        depth = deeper(depth)
    return depth


@of_words
def _impurities(part, decision_rows, entropy_terms):
    """The uncertainties (ent, gini, me, rt) of a part as a vector, and the same times its number of rows."""
    size, most, squares, terms = np.int64(popcount(part)), np.int64(0), np.int64(0), 0.0
    for decision in range(len(decision_rows)):
        count = np.int64(popcount(part & read(decision_rows, decision, part)))
        most, squares, terms = max(most, count), squares + count * count, terms + entropy_terms[count]
    share, rt = 1.0 / max(size, 1), np.float64((size * size - squares) >> 1)
    me, gini, ent = np.float64(size - most), 2.0 * rt * share, entropy_terms[size] - terms
    return vector((ent * share, gini * share, me, rt)), vector((ent, gini, me * size, rt * size))


@of_words
def _choose_least(value_rows, decision_rows, entropy_terms, rows, chosen):
    """Write into `chosen` (16,) the first attribute of least impurity on a set of rows, for each algorithm.

    Weighted impurities are not divided by the number of rows of the set, which is the same for each attribute.
    """
    values = value_rows.shape[1]
    least, first = vector(INFINITE), vector(NONE)
    for attribute in range(value_rows.shape[0]):
        worst = total = weighted_worst = weighted_total = vector((0.0, 0.0, 0.0, 0.0))
        constant = False
        for index in range(attribute * values, (attribute + 1) * values):
            part = rows & read(value_rows, index, rows)
            constant |= part == rows
            impurities, weighted = _impurities(part, decision_rows, entropy_terms)
            worst, total = greater(impurities, worst), total + impurities
            weighted_worst, weighted_total = greater(weighted, weighted_worst), weighted_total + weighted
        if not constant:
            impurities = beside(beside(worst, total), beside(weighted_worst, weighted_total))
            less = impurities < least * EQUAL_RATIO
            least, first = choose(less, impurities, least), choose(less, attribute, first)
    store(chosen, 0, first)


@inner
def greedy_costs(table, pending, every_row, algorithms, sums, depth):
    """Write the sums and depth words of the trees of a set of algorithms into `sums` and `depth`, (16,) each.

    The table has rows of different decisions.
    """
    value_rows, decision_rows, other_decision, code, _, field_tops, field_rests, no_rows = table
    pending_rows, pending_algorithms, pending_depth, chosen, entropy_terms = pending
    for algorithm in range(ALGORITHMS):
        sums[algorithm], depth[algorithm] = ZERO, ZERO
    write(pending_rows, 0, every_row)
    pending_algorithms[0], pending_depth[0] = algorithms, ZERO
    values = np.uint64(value_rows.shape[1])
    waiting = 1
    while waiting:
        waiting -= 1
        rows = read(pending_rows, waiting, no_rows)
        undecided, above = pending_algorithms[waiting], pending_depth[waiting]
        _choose_least(value_rows, decision_rows, entropy_terms, rows, chosen)
        below = deeper(above)
        while undecided:
            attribute = chosen[lowest(undecided)]
            same = ZERO
            rest = undecided
            while rest:
                algorithm = lowest(rest)
                rest &= rest - ONE
                same |= np.uint64(chosen[algorithm] == attribute) << algorithm
            undecided ^= same
            added, added_depth = nonterminal(ZERO, popcount(rows)), below
            for index in range(attribute * values, (attribute + ONE) * values):
                part = rows & read(value_rows, index, rows)
                if not any_bit(part):
                    continue
                known = _known_cost(other_decision, code, field_tops, field_rests, part)
                if known:
                    added += KNOWN_SUMS[known]
                    added_depth |= _levels_below(KNOWN_DEPTHS[known], below)
                else:
                    write(pending_rows, waiting, part)
                    pending_algorithms[waiting], pending_depth[waiting] = same, below
                    waiting += 1
            while same:
                algorithm = lowest(same)
                same &= same - ONE
                sums[algorithm] += added
                depth[algorithm] |= added_depth
