"""The 16 greedy algorithms and the five minima over many tables of at most 64 rows."""

from __future__ import annotations

import numpy as np
from numba import njit

from algorithms.kernels.bits import lowest, popcount
from algorithms.kernels.packed_cost import KNOWN_DEPTHS, KNOWN_SUMS, PAIR, unpack
from algorithms.kernels.small_subtables import cost_of_three, splits_of_three
from algorithms.kernels.word_greedy import ALGORITHMS, empty_pending, greedy_costs
from algorithms.kernels.word_minima import empty_nodes, minima
from algorithms.kernels.word_table import MAX_ROWS, empty_word_table, load

__all__ = ["FIRST_SIZE", "costs_of_word_tables"]

ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
TERMINAL = np.uint64(1)
FIRST_SIZE = 2048


@njit(nogil=True, cache=True)
def _known_minimum(table, every_row):
    """The known cost of the minima of a table of three rows or fewer or of one decision, else 0."""
    if every_row & table.other_decision[lowest(every_row)] == ZERO:
        return TERMINAL
    if popcount(every_row) == TWO:
        return PAIR
    if popcount(every_row) > THREE:
        return ZERO
    by_decision, in_three = splits_of_three(
        table.other_decision, table.code, table.field_tops, table.field_rests, every_row
    )
    return cost_of_three(by_decision, in_three)


@njit(nogil=True, cache=True)
def costs_of_word_tables(codes, decisions, values, n_decisions, algorithms, most_nodes, rows, greedy, least):
    """Fill rows (tables,), greedy (tables, algorithms, 5) and least (tables, 5) for codes (tables, rows, attributes).

    The five are depth, total path length, nodes, nonterminal and terminal nodes. `algorithms` lists the numbers of
    those wanted. `least` is -1 where the graph would have more than `most_nodes` nodes.
    """
    tables, _, attributes = codes.shape
    table = empty_word_table(attributes, values, n_decisions)
    votes = np.zeros((MAX_ROWS, n_decisions), np.int64)
    pending = empty_pending(attributes, values)
    nodes = empty_nodes(FIRST_SIZE, attributes * values)
    sums, depth = np.zeros(ALGORITHMS, np.uint64), np.zeros(ALGORITHMS, np.uint64)
    wanted = ZERO
    for algorithm in algorithms:
        wanted |= ONE << np.uint64(algorithm)
    for i in range(tables):
        every_row = load(table, codes[i], decisions[i], votes)
        rows[i] = popcount(every_row)
        known = _known_minimum(table, every_row)
        if known:
            unpack(KNOWN_SUMS[known], KNOWN_DEPTHS[known], least[i])
        else:
            least_sums, least_depth, fits = minima(table, nodes, every_row)
            while not fits and 2 * len(nodes.rows) <= most_nodes:
                nodes = empty_nodes(2 * len(nodes.rows), attributes * values)
                least_sums, least_depth, fits = minima(table, nodes, every_row)
            if fits:
                unpack(least_sums, least_depth, least[i])
            else:
                least[i] = -1
        if known == TERMINAL:
            greedy[i] = least[i]
            continue
        greedy_costs(table, pending, every_row, wanted, sums, depth)
        for place, algorithm in enumerate(algorithms):
            unpack(sums[algorithm], depth[algorithm], greedy[i, place])
