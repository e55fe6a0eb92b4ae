"""A lower bound of the cost of a set of rows from the weights of its classes alone.

A tree with s binary splits has s + 1 leaves, so it predicts at most s + 1 classes. All rows of other classes are
errors. If a class has fewer rows than `min_leaf`, any leaf that predicts it contains rows of other classes, at least as
many as the class is short of `min_leaf`. So the errors of a tree that predicts k classes are at least the weight of the
other classes, and at least the sum of these shortfalls. Both are least for the k heaviest classes. The tree also costs
at least k - 1 splits.
"""

import numpy as np

from algorithms._numba.decorators import inner
from algorithms.optimal.mixed.node_levels import LEFT, TOTAL
from algorithms.optimal.never import NEVER


@inner
def raise_lows(lows, at, step, width, rule, min_leaf, number, count, side):
    """Raise the bounds of the rows on one side of a cut, if the search is thorough and all splits are binary.

    lows, at, step, width : the bounds, by number of splits, are lows[at], lows[at + step], ..., `width` in all
    min_leaf : fewest rows in a leaf
    number   : rows on this side, counted before merging
    count    : (2, classes) weight of each class at the node in row TOTAL, and left of the cut in row LEFT
    side     : 0: left of the cut; 1: right of it
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
