"""Bounds of the children of a node from solved children of its other splits, by the similarity bound.

A tree for a set of rows A misclassifies of another set B at most its errors on A, and the rows of B that are not in A.
So A costs at least as much as B, less the weight of the rows of B that A lacks (Demirović et al. 2022). This needs
`TreeRule.weight_bounds`.
"""

import numpy as np

from algorithms._numba.decorators import inner
from algorithms._numba.primitives import popcount
from algorithms.optimal.mixed.packed_rows import ROW_MASK


@inner
def write_siblings(arena, node, number, pairs, group_of):
    """Write the rows of the `number` children of a node as bits; `group_of` (rows,) has the child of each row."""
    pairs.child_rows[:number] = np.uint64(0)
    for i in range(node.base, node.base + node.rows):
        row = arena[i] & ROW_MASK
        bit = pairs.bit[row]
        pairs.child_rows[group_of[row], bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)


@inner
def keep_sibling(rule, pairs, child, lows):
    """Keep the rows and the lower bounds (width,) of a solved child."""
    at = pairs.known[0]
    if not rule.weight_bounds or at == len(pairs.known_rows):
        return
    for w in range(pairs.child_rows.shape[1]):
        pairs.known_rows[at, w] = pairs.child_rows[child, w]
    for s in range(len(lows)):
        pairs.known_low[at, s] = lows[s]
    pairs.known[0] += 1


@inner
def raise_lows_by_siblings(rule, arena, lows, width, pairs, child):
    """Raise the `width` lower bounds of a child, from place `lows` of the arena on, by those of solved children."""
    for k in range(pairs.known[0]):
        if pairs.known_low[k, width - 1] <= arena[lows + width - 1]:
            continue
        lacking = np.int64(0)
        for s in range(len(pairs.weight)):
            rows = np.int64(0)
            for w in range(pairs.first[s], pairs.first[s + 1]):
                rows += np.int64(popcount(pairs.known_rows[k, w] & ~pairs.child_rows[child, w]))
            lacking += rows * np.int64(pairs.weight[s])
        for s in range(width):
            arena[lows + s] = max(arena[lows + s], pairs.known_low[k, s] - lacking * rule.grain)
