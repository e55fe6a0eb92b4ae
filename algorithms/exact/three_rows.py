"""The minima of three rows of several decisions, from the attributes on which each two of the rows differ."""

import numpy as np

from algorithms._numba.decorators import of_words
from algorithms._numba.primitives import any_bit, keep_if
from algorithms.exact.packed_cost import SPLIT_TWICE

ONE = np.uint64(1)


@of_words
def splits(ij, ik, jk, unlike_ij, unlike_ik, unlike_jk):
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
