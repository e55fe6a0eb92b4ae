"""The five costs of a tree in two machine words, so that all costs are added and compared at once.

The *sums* word has four lanes of 16 bits, each below 2**15: total path length in bits 0 to 15, then nodes, nonterminal
nodes and terminal nodes. One addition adds all costs of two disjoint subtrees, without a carry between lanes. The
*depth* word is unary: for depth d, at most 64, its lowest d bits are ones. The greater of two depths is OR, the lesser
is AND, and one level more is a shift. Both words are wide enough for trees of at most 512 rows and 64 attributes: a
total path length of 2**15 would need all rows at depth 64, which no tree has.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from algorithms._numba.decorators import of_words
from algorithms._numba.primitives import any_bit, keep_if, popcount

ONE = np.uint64(1)
MOST_PATH_LENGTH = 2**15 - 1
LANE = np.uint64(0xFFFF)


def _sums(total_path_length: int, nodes: int, nonterminal: int, terminal: int) -> int:
    return total_path_length | nodes << 16 | nonterminal << 32 | terminal << 48


# Subtables of at most three rows have one of six costs, so they need neither a node nor a search. The index of a cost
# is 0 for an empty branch, TERMINAL for a terminal node, PAIR for two rows with different decisions. Three rows may be
# split into a branch per decision, into three branches, or twice, one split below the other. INFEASIBLE is no tree.
TERMINAL, PAIR, SPLIT_BY_DECISION, SPLIT_IN_THREE, SPLIT_TWICE, INFEASIBLE = (np.uint64(i) for i in range(1, 7))
KNOWN_SUMS = np.array(
    [
        0,
        _sums(0, 1, 0, 1),
        _sums(2, 3, 1, 2),
        _sums(3, 3, 1, 2),
        _sums(3, 4, 1, 3),
        _sums(5, 5, 2, 3),
        _sums(0x7FFF, 0x7FFF, 0x7FFF, 0x7FFF),
    ],
    dtype=np.uint64,
)
NONTERMINAL_NODE = np.uint64(_sums(0, 1, 1, 0))
KNOWN_DEPTHS = np.array([0, 0, 0b1, 0b1, 0b1, 0b11, 2**64 - 1], dtype=np.uint64)


@of_words
def nonterminal(sums, rows):
    """Sums word of a tree whose root has rows of total weight `rows` and whose subtrees add up to `sums`."""
    return sums + rows + NONTERMINAL_NODE


@of_words
def deeper(depth):
    """Depth word one level deeper."""
    return (depth << ONE) | ONE


@of_words
def ways_to_split_three(ij, ik, jk, unlike_ij, unlike_ik, unlike_jk):
    """(attributes that split rows i, j, k by decision, attributes that split them in three).

    ij, ik, jk: the attributes on which two rows differ; unlike_ij, unlike_ik, unlike_jk: 1 if their decisions differ,
    else 0.
    """
    alike_ij, alike_ik, alike_jk = unlike_ij - ONE, unlike_ik - ONE, unlike_jk - ONE
    by_decision = keep_if(alike_ij, ik & ~ij) | keep_if(alike_ik, ij & ~ik) | keep_if(alike_jk, ij & ~jk)
    return by_decision, ij & ik & jk


@of_words
def cost_of_three(by_decision, in_three):
    """The index in KNOWN_SUMS of the cheapest way to split three rows: by decision, else in three, else twice."""
    splits_by_decision = any_bit(by_decision)
    return SPLIT_TWICE - np.uint64(splits_by_decision) - np.uint64(splits_by_decision | any_bit(in_three))


@njit
def unpack(sums, depth, costs, unknown):
    """Write depth, total path length, nodes, nonterminal and terminal nodes into `costs` (5,); -1 if `unknown`."""
    costs[0] = popcount(depth)
    for lane in range(4):
        costs[1 + lane] = (sums >> np.uint64(16 * lane)) & LANE
    if unknown:
        for cost in range(5):
            costs[cost] = -1
