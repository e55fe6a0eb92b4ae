"""A lower bound of the cost of some rows from the weights of their classes alone.

A tree with s splits predicts at most s + 1 classes, and no more than there can be leaves. All rows of other classes are
errors. A leaf of a class with fewer rows than a leaf must have contains errors, too: at least the rows that the class
lacks. So a tree that predicts k classes costs at least the weight of the other classes, and at least what these k lack.
Both are least for the k heaviest classes.
"""

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.optimal.mixed.node_levels import LEFT, TOTAL
from algorithms.optimal.never import NEVER


@inner
def raise_lows(lows, at, step, width, rule, min_leaf, number, count, side):
    """Raise the bounds of some rows, every `step` words; only in a thorough search for binary trees.

    min_leaf : fewest rows in a leaf
    count    : weight of each class at the node in TOTAL, and LEFT of a cut
    side     : 0 for the rows left of the cut, 1 for those right of it
    """
    if not (rule.thorough and rule.binary):
        return
    classes, rest, short, best = len(count[TOTAL]), np.int64(0), np.int64(0), np.int64(NEVER)
    for c in range(classes):
        rest += count[TOTAL, c] - count[LEFT, c] if side else count[LEFT, c]
    predicted = min(classes, number // min_leaf)
    before, last = np.int64(NEVER), np.int64(-1)
    for k in range(max(width, predicted)):
        if k < predicted:  # the next class by weight
            heaviest, chosen = np.int64(-1), np.int64(-1)
            for c in range(classes):
                weight = count[TOTAL, c] - count[LEFT, c] if side else count[LEFT, c]
                if heaviest < weight and (weight < before or (weight == before and c > last)):
                    heaviest, chosen = weight, np.int64(c)
            before, last = heaviest, chosen
            rest -= heaviest
            short += max(np.int64(0), min_leaf * rule.row_weight - heaviest)
            best = min(best, max(rest, short) + k * rule.price)
        if k < width and rule.counts_splits:
            lows[at + k * step] = max(lows[at + k * step], best)
    if not rule.counts_splits:
        lows[at] = max(lows[at], best)
