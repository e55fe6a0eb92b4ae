"""Lower bounds of the two sides of each attribute, which exclude attributes without further search.

By the similarity bound (Demirović et al. 2022), results for a set of rows A bound those for a set B: a tree for B
misclassifies of A at most its errors on B, and the rows of A that are not in B. So B costs at least as much as A, less
the weight of these rows. This holds only if leaves may have any size, because a tree that is allowed for B may not be
allowed for A.
"""

import numpy as np

from algorithms._numba.decorators import inner, outer
from algorithms._numba.primitives import popcount


@inner
def forced_weight(problem, mask, column, value):
    """The equivalent points bound of the rows of `mask` whose bit in `column` is `value`, True or False."""
    return _weight(problem.start, problem.forced, problem.weight, mask, column, value)


@inner
def _weight(start, forced, weights, mask, column, value):
    flip = np.uint64(0) if value else np.uint64(0xFFFFFFFFFFFFFFFF)
    weight = 0.0
    for s in range(len(start) - 1):
        rows = 0
        for w in range(start[s], start[s + 1]):
            rows += np.int64(popcount(mask[w] & (column[w] ^ flip) & forced[w]))
        if weights is None:  # numba removes a branch if an argument is None, but not if a field is
            weight += rows
        else:
            weight += rows * weights[s]
    return weight


@inner
def rows_of_side(problem, pairs, totals, index, side):
    """The number of rows of a side of an attribute, by local index."""
    ones, rows = 0.0, 0.0
    if problem.rows_plane >= 0:
        ones, rows = pairs[problem.rows_plane, index, index], totals[problem.rows_plane]
    else:
        for c in range(problem.classes):
            ones += pairs[c, index, index]
            rows += totals[c]
    return ones if side == 0 else rows - ones


@inner
def leaf_errors(problem, pairs, totals, index, side):
    """The errors of a leaf for a side of an attribute, by local index."""
    total, most = 0.0, 0.0
    for c in range(problem.classes):
        one = np.float64(pairs[c, index, index])
        of_class = one if side == 0 else np.float64(totals[c]) - one
        total += of_class
        most = max(most, of_class)
    return total - most


@inner
def open_bounds(problem, levels, level):
    """Write the bounds of all sides, from leaves, trees of one split and, for more splits, the equivalent points."""
    cost = problem.split_cost
    pairs, totals = levels.pairs[level], levels.totals[level]
    any_forced = levels.forced[level] > 0
    for index in range(levels.number[level]):
        column = problem.columns[levels.attributes[level, index]]
        barred = level == 0 and problem.barred[levels.attributes[level, index]]
        for side in range(2):
            forced = forced_weight(problem, levels.mask[level], column, side == 0) if any_forced else 0.0
            leaf = leaf_errors(problem, pairs, totals, index, side)
            one_split = np.float64((levels.after_one if side == 0 else levels.after_zero)[level, index])
            lower = levels.lower[level, side, index]
            too_few = problem.min_leaf > 1 and rows_of_side(problem, pairs, totals, index, side) < problem.min_leaf
            if barred or too_few:
                lower[:] = np.inf  # not even a leaf is allowed
            elif problem.sizes == 1:
                lower[0] = min(leaf, one_split + cost, forced + 2 * cost)
            else:
                lower[:] = forced
                lower[0] = leaf
                lower[1] = min(leaf, one_split)
                for size in range(2, problem.sizes):
                    lower[size] = min(forced, lower[1])


@inner
def spread_bound(problem, levels, level, index, side):
    """Raise the bounds of the sides of all other attributes by those of one side (similarity bound)."""
    if problem.min_leaf > 1:
        return
    number = levels.number[level]
    pairs, totals = levels.pairs[level], levels.totals[level]
    mine, everything = 0.0, 0.0
    for c in range(problem.classes):
        mine += pairs[c, index, index]
        everything += totals[c]
    for size in range(problem.sizes):
        value = levels.lower[level, side, index, size] - problem.slack
        if value <= 0:
            continue
        ones, zeros = levels.lower[level, 0, :, size], levels.lower[level, 1, :, size]
        for other in range(number):
            both, theirs = 0.0, 0.0
            for c in range(problem.classes):
                both += pairs[c, index, other]
                theirs += pairs[c, other, other]
            if side == 0:
                not_one, not_zero = mine - both, both
            else:
                not_one, not_zero = everything - mine - theirs + both, theirs - both
            ones[other] = max(ones[other], value - not_one)
            zeros[other] = max(zeros[other], value - not_zero)


@inner
def bound_of_sides(problem, levels, level, index, size):
    """A lower bound of the cost of trees with the attribute at the root, or of their errors with `size` splits."""
    one, zero = levels.lower[level, 0, index], levels.lower[level, 1, index]
    if problem.sizes == 1:
        return one[0] + zero[0] + problem.split_cost
    least = np.inf
    for first in range(size):
        least = min(least, one[first] + zero[size - 1 - first])
    return least


@inner
def ruled_out(problem, levels, level, index):
    """Whether no tree with the attribute at the root can be better than the best so far and below the limit."""
    best = levels.best[level]
    if problem.sizes == 1:
        least = best[0]
        if levels.current_depth[level] == levels.depth[level]:
            least = min(least, levels.limit[level])
        return bound_of_sides(problem, levels, level, index, 0) >= least - problem.slack
    for size in range(1, problem.sizes):
        if bound_of_sides(problem, levels, level, index, size) < best[size] - problem.slack:
            return False
    return True


@outer
def bound_of_root(problem, levels, bounds):
    """Write the lower bounds (sizes,) that the search of level 0 has proven so far."""
    for size in range(problem.sizes):
        bounds[size] = levels.best[0, size]
    deepest = levels.current_depth[0] == levels.depth[0]
    searched = levels.current_depth[0] - (levels.position[0] < levels.number[0])  # all trees of this depth are known
    for size in range(problem.sizes):
        if not deepest:
            more = problem.split_cost * (searched + 1) if problem.sizes == 1 else 0.0
            if problem.sizes == 1 or size > searched:
                bounds[size] = min(bounds[size], levels.forced[0] + more)
            continue
        if problem.sizes > 1 and size == 0:
            continue
        for position in range(levels.position[0], levels.number[0]):
            index = levels.order[0, position]
            bounds[size] = min(bounds[size], bound_of_sides(problem, levels, 0, index, size))
