"""Costs of the trees of the 16 greedy algorithms, and the minima of the five costs, for many tables in words."""

import numpy as np

from algorithms._numba.decorators import inner, kernel
from algorithms._numba.primitives import any_bit, by_reference, lowest, popcount, read
from algorithms.batch.small_subtables import splits_of_three
from algorithms.batch.word_greedy import ALGORITHMS, greedy_costs
from algorithms.batch.word_minima import minima
from algorithms.batch.word_table import load
from algorithms.exact.packed_cost import KNOWN_DEPTHS, KNOWN_SUMS, PAIR, TERMINAL, cost_of_three, unpack

ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


@inner
def _known_minimum(table, every_row):
    """The index in KNOWN_SUMS of the minima of a table of one decision or at most three rows; 0 for other tables."""
    if not any_bit(every_row & read(table.other_decision, lowest(every_row), every_row)):
        return TERMINAL
    if popcount(every_row) == TWO:
        return PAIR
    if popcount(every_row) > THREE:
        return ZERO
    by_decision, in_three = splits_of_three(
        table.other_decision, table.code, table.field_tops, table.field_rests, every_row
    )
    return cost_of_three(by_decision, in_three)


@kernel
def costs_of_word_tables(
    codes, decisions, algorithms, table, votes, pending, nodes, start, give_up, rows, greedy, least
):
    """Write the costs of the tables from `start` on; return the first that is not done, or the number of tables.

    The kernel stops at a table whose graph needs larger `nodes`. If it is table `start` and `give_up` is set, its
    minima become -1 instead. The five costs are depth, total path length, nodes, nonterminal and terminal nodes.

    codes (tables, rows, attributes), decisions (tables, rows) : the tables
    algorithms (algorithms,) int64 : the numbers, below 16, of the requested algorithms, see `word_greedy`
    table, votes, pending, nodes : scratch
    rows (tables,), greedy (tables, algorithms, 5), least (tables, 5) : the results; `rows` counts different rows
    """
    sums, depth = np.zeros(ALGORITHMS, np.uint64), np.zeros(ALGORITHMS, np.uint64)
    requested = ZERO
    for algorithm in algorithms:
        requested |= ONE << np.uint64(algorithm)
    for i in range(start, len(codes)):
        every_row = load(by_reference(table), codes[i], decisions[i], votes)
        rows[i] = popcount(every_row)
        known = _known_minimum(table, every_row)
        fits, least_sums, least_depth = True, KNOWN_SUMS[known], KNOWN_DEPTHS[known]
        if not known:
            least_sums, least_depth, fits = minima(table, nodes, every_row)
        if not fits:
            if not (give_up and i == start):
                return i
            nodes.reached[0] = ZERO
        unpack(least_sums, least_depth, least[i], not fits)
        if known != TERMINAL:
            greedy_costs(table, pending, every_row, requested, sums, depth)
        for index in range(len(algorithms)):
            if known == TERMINAL:
                unpack(least_sums, least_depth, greedy[i, index], False)
            else:
                unpack(sums[algorithms[index]], depth[algorithms[index]], greedy[i, index], False)
    return len(codes)
