"""The 16 greedy algorithms and the five minima over many tables in words."""

import numpy as np

from algorithms._numba.decorators import inner, kernel
from algorithms._numba.primitives import any_bit, lowest, popcount, read
from algorithms.batch.small_subtables import cost_of_three, splits_of_three
from algorithms.batch.word_greedy import ALGORITHMS, greedy_costs
from algorithms.batch.word_minima import minima
from algorithms.batch.word_table import load
from algorithms.exact.packed_cost import KNOWN_DEPTHS, KNOWN_SUMS, PAIR, TERMINAL, unpack

ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


@inner
def _known_minimum(table, every_row):
    """The known cost of the minima of a table of three rows or fewer or of one decision, else 0."""
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
    """Fill rows (tables,), greedy (tables, algorithms, 5) and least (tables, 5) for codes (tables, rows, attributes).

    The five costs are depth, total path length, nodes, nonterminal and terminal nodes. `algorithms` lists the numbers
    of the requested algorithms. It starts at table `start` and returns where it stopped: the number of tables, or the
    table whose graph needs larger `nodes`. With `give_up` the minima of table `start` become -1 in that case. The other
    arguments are scratch.
    """
    sums, depth = np.zeros(ALGORITHMS, np.uint64), np.zeros(ALGORITHMS, np.uint64)
    requested = ZERO
    for algorithm in algorithms:
        requested |= ONE << np.uint64(algorithm)
    for i in range(start, len(codes)):
        every_row = load(table, codes[i], decisions[i], votes)
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
