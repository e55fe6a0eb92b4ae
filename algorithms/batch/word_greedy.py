"""Costs of the trees of all 16 greedy algorithms, without the trees, for tables in words.

A subtable is visited once for all algorithms that made the same splits above it. They share its impurities, and
separate if they choose different attributes. On subtables of two and three rows all 16 do the same.
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
    algorithms: Any = array("limit", np.uint64)  # a bit for each that splits the subtable
    depth: Any = array("limit", np.uint64)  # its depth word
    chosen: Any = array("16", np.uint64)  # the attribute of least impurity, by algorithm
    entropy_terms: Any = array("rows+1", np.float64)  # n log2 n


def empty_pending(rows: int, attributes: int, values: int) -> PendingSubtables:
    """Scratch for a table of these sizes: every level leaves at most its branches, for each algorithm."""
    pending = arrays_of(
        PendingSubtables, limit=ALGORITHMS * rows + attributes * values, words=-(-rows // 64), rows=rows
    )
    for n in range(1, rows + 1):
        pending.entropy_terms[n] = n * np.log2(n)
    return pending


@of_words
def _known_cost(other_decision, code, field_tops, field_rests, part):
    """The known cost of a nonempty branch, which every algorithm splits in the same way; 0 if it is not known.

    Of three rows the algorithms take the first attribute that leaves no uncertainty, else the first that splits them.
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
    """Depth word of a subtree under a node at depth `above`."""
    for _ in range(popcount(above)):
        depth = deeper(depth)
    return depth


@of_words
def _impurities(part, decision_rows, entropy_terms):
    """The impurities of a part, ent, gini, me and rt, and these times its number of rows."""
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

    The algorithms are in the order max, sum, w_max, w_sum, each of ent, gini, me, rt. Weighted impurities are not
    divided by the number of rows of the set, which is the same for each attribute.
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
    """Write the sums and depth words of the trees that the algorithms in the word `algorithms` build.

    `sums` and `depth` are (16,), in the order of the algorithms. The table has two rows or more, which differ in
    decision.
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
