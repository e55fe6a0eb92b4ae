"""Minima of subtables of three and four rows, without a search and without unpredictable branches.

Most nodes of the graph of separable subtables are that small. There are few ways to split so few rows. For each way, a
few bit operations find all attributes that split the rows like this, from the words of `word_table.differing`: the
attributes on which two rows differ, as the highest bits of their fields.
"""

import numpy as np

from algorithms._numba.decorators import of_words, outer
from algorithms._numba.primitives import any_bit, lane_min, lowest, without_lowest
from algorithms.batch.word_table import differing, unlike
from algorithms.exact.packed_cost import (
    INFEASIBLE,
    KNOWN_DEPTHS,
    KNOWN_SUMS,
    TERMINAL,
    cost_of_three,
    ways_to_split_three,
)

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)


@of_words
def splits_of_three(other_decision, code, field_tops, field_rests, subtable):
    """For three rows of two or three decisions: (attributes that split by decision, attributes that split in three).

    A split by decision separates the only row of its decision from two rows of another. A split in three has a branch
    per row, also if all three decisions differ. Every other attribute that splits the subtable leaves two rows of
    different decisions together.
    """
    i = lowest(subtable)
    rest = without_lowest(subtable)
    j = lowest(rest)
    k = lowest(without_lowest(rest))
    return ways_to_split_three(
        differing(code, field_tops, field_rests, i, j),
        differing(code, field_tops, field_rests, i, k),
        differing(code, field_tops, field_rests, j, k),
        unlike(other_decision, subtable, i, j),
        unlike(other_decision, subtable, i, k),
        unlike(other_decision, subtable, j, k),
    )


@of_words
def _minimum_of_three(ij, ik, jk, unlike_ij, unlike_ik, unlike_jk):
    """As `cost_of_three`, from the arguments of `ways_to_split_three`; TERMINAL if the three rows have one decision."""
    by_decision, in_three = ways_to_split_three(ij, ik, jk, unlike_ij, unlike_ik, unlike_jk)
    cost = cost_of_three(by_decision, in_three)
    return cost if unlike_ij | unlike_ik else TERMINAL


@of_words
def _better(sums, depth, attributes, first, second, third):
    """Lower the minima (sums, depth) to the costs of a way to split, if any of `attributes` splits the rows like this.

    first, second, third: the indices in KNOWN_SUMS of the costs of the branches; 0 for no branch
    """
    infeasible = ZERO - np.uint64(not any_bit(attributes))
    split = KNOWN_SUMS[first] + KNOWN_SUMS[second] + KNOWN_SUMS[third]
    split_depth = KNOWN_DEPTHS[first] | KNOWN_DEPTHS[second] | KNOWN_DEPTHS[third]
    return lane_min(sums, split | (infeasible & KNOWN_SUMS[INFEASIBLE])), depth & (split_depth | infeasible)


@outer
def minimum_of_four(other_decision, code, field_tops, field_rests, subtable):
    """Least (sums, depth) words over all attributes that split a subtable of four rows.

    The root is not included: `nonterminal` and `deeper` add it.
    """
    i = lowest(subtable)
    rest = without_lowest(subtable)
    j = lowest(rest)
    rest = without_lowest(rest)
    k = lowest(rest)
    m = lowest(without_lowest(rest))
    ij = differing(code, field_tops, field_rests, i, j)
    ik = differing(code, field_tops, field_rests, i, k)
    im = differing(code, field_tops, field_rests, i, m)
    jk = differing(code, field_tops, field_rests, j, k)
    jm = differing(code, field_tops, field_rests, j, m)
    km = differing(code, field_tops, field_rests, k, m)
    u_ij = unlike(other_decision, subtable, i, j)
    u_ik = unlike(other_decision, subtable, i, k)
    u_im = unlike(other_decision, subtable, i, m)
    u_jk = unlike(other_decision, subtable, j, k)
    u_jm = unlike(other_decision, subtable, j, m)
    u_km = unlike(other_decision, subtable, k, m)
    three_ijk = _minimum_of_three(ij, ik, jk, u_ij, u_ik, u_jk)
    three_ijm = _minimum_of_three(ij, im, jm, u_ij, u_im, u_jm)
    three_ikm = _minimum_of_three(ik, im, km, u_ik, u_im, u_km)
    three_jkm = _minimum_of_three(jk, jm, km, u_jk, u_jm, u_km)
    # TERMINAL + u_ij is TERMINAL if rows i and j have one decision, else PAIR
    sums, depth = KNOWN_SUMS[INFEASIBLE], KNOWN_DEPTHS[INFEASIBLE]
    # two and two
    sums, depth = _better(sums, depth, ~(ij | km) & ik, TERMINAL + u_ij, TERMINAL + u_km, ZERO)
    sums, depth = _better(sums, depth, ~(ik | jm) & ij, TERMINAL + u_ik, TERMINAL + u_jm, ZERO)
    sums, depth = _better(sums, depth, ~(im | jk) & ij, TERMINAL + u_im, TERMINAL + u_jk, ZERO)
    # three and one
    sums, depth = _better(sums, depth, ~(ij | ik) & im, three_ijk, TERMINAL, ZERO)
    sums, depth = _better(sums, depth, ~(ij | im) & ik, three_ijm, TERMINAL, ZERO)
    sums, depth = _better(sums, depth, ~(ik | im) & ij, three_ikm, TERMINAL, ZERO)
    sums, depth = _better(sums, depth, ~(jk | jm) & ij, three_jkm, TERMINAL, ZERO)
    # two, one and one
    sums, depth = _better(sums, depth, ~ij & ik & im & km, TERMINAL + u_ij, TERMINAL, TERMINAL)
    sums, depth = _better(sums, depth, ~ik & ij & im & jm, TERMINAL + u_ik, TERMINAL, TERMINAL)
    sums, depth = _better(sums, depth, ~im & ij & ik & jk, TERMINAL + u_im, TERMINAL, TERMINAL)
    sums, depth = _better(sums, depth, ~jk & ij & jm & im, TERMINAL + u_jk, TERMINAL, TERMINAL)
    sums, depth = _better(sums, depth, ~jm & ij & jk & ik, TERMINAL + u_jm, TERMINAL, TERMINAL)
    sums, depth = _better(sums, depth, ~km & ik & jk & ij, TERMINAL + u_km, TERMINAL, TERMINAL)
    # one each
    infeasible = ZERO - np.uint64(not any_bit(ij & ik & im & jk & jm & km))
    four = KNOWN_SUMS[TERMINAL] << TWO
    return lane_min(sums, four | (infeasible & KNOWN_SUMS[INFEASIBLE])), depth & infeasible
