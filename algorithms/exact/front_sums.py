"""Pareto fronts of two additive costs for every node of a graph, computed in the order of node numbers.

A front is a sequence of points (x, y) with increasing x and decreasing y. The graph is as in `split_graph`. The cost x
counts nodes of some kind, so its values are close together, and points can be merged in an array indexed by x.
"""

import numpy as np
from numba import njit

from algorithms._numba.copies import copy_into
from algorithms._numba.decorators import allocating, kernel

NOWHERE = np.iinfo(np.int64).max


@allocating
def _front(best, low):
    """(x, y) of the front of the points (low + i, best[i]); best[i] is NOWHERE if there is no such point."""
    count, least = 0, NOWHERE
    for i in range(len(best)):
        if best[i] < least:
            least = best[i]
            count += 1
    x, y = np.empty(count, np.int64), np.empty(count, np.int64)
    count, least = 0, NOWHERE
    for i in range(len(best)):
        if best[i] < least:
            least = best[i]
            x[count], y[count] = low + i, least
            count += 1
    return x, y


@kernel
def sums_of_fronts(a_x, a_y, b_x, b_y, x_limit, y_limit):
    """(x, y) of the front of the sums of a point of front a and a point of front b, up to the limits."""
    low = a_x[0] + b_x[0]
    best = np.full(max(min(a_x[-1] + b_x[-1], x_limit) - low + 1, 0), NOWHERE, np.int64)
    for i in range(len(a_x)):
        for j in range(len(b_x)):
            x, y = a_x[i] + b_x[j], a_y[i] + b_y[j]
            if x > x_limit:
                break
            if y <= y_limit and y < best[x - low]:
                best[x - low] = y
    return _front(best, low)


@njit
def _ends(split, added_x, added_y, split_edges, edge_to, start, xs, ys):
    """For the front of a split: its least x, the y at this x, its greatest x, its least y."""
    least_x, y_at_least_x, greatest_x, least_y = added_x, added_y, added_x, added_y
    for edge in range(split_edges[split], split_edges[split + 1]):
        first, last = start[edge_to[edge]], start[edge_to[edge] + 1] - 1
        least_x += xs[first]
        y_at_least_x += ys[first]
        greatest_x += xs[last]
        least_y += ys[last]
    return least_x, y_at_least_x, greatest_x, least_y


@njit
def _merge_split(best, low, high, split, ends, split_edges, edge_to, start, xs, ys):
    """Merge the points of a split that can be on the front into `best`, the least y by x from `low` to `high`."""
    rest_x, y_at_least_x, _, rest_y = ends
    y_limit = best[0] - 1  # points right of the first are on the front only if they are lower
    # first the children that have one point
    x_done, y_done = rest_x, y_at_least_x
    for edge in range(split_edges[split], split_edges[split + 1]):
        child = edge_to[edge]
        if start[child + 1] - start[child] > 1:
            x_done -= xs[start[child]]
            y_done -= ys[start[child]]
    a_x, a_y = np.array([x_done]), np.array([y_done])
    # rest_x, rest_y: the least x and y that the remaining children add
    rest_x -= x_done
    rest_y -= y_done
    for edge in range(split_edges[split], split_edges[split + 1]):
        child = edge_to[edge]
        first, end = start[child], start[child + 1]
        if end - first > 1:
            rest_x -= xs[first]
            rest_y -= ys[end - 1]
            a_x, a_y = sums_of_fronts(a_x, a_y, xs[first:end], ys[first:end], high - rest_x, y_limit - rest_y)
            if not len(a_x):
                return
    for i in range(len(a_x)):
        best[a_x[i] - low] = min(best[a_x[i] - low], a_y[i])


@njit
def _can_add(best, low, least_x, least_y):
    """Whether no point in `best` is as good as (least_x, least_y) in both costs."""
    for i in range(least_x - low + 1):  # noqa: SIM110 - numba knows no all()
        if best[i] <= least_y:
            return False
    return True


@njit
def _front_of_node(node, added_x, added_y, splits, split_edges, edge_to, start, xs, ys):
    low, y_at_low, high, least_y = NOWHERE, NOWHERE, NOWHERE, NOWHERE
    for split in range(splits[node], splits[node + 1]):
        first_x, first_y, last_x, last_y = _ends(split, added_x, added_y, split_edges, edge_to, start, xs, ys)
        if first_x < low or (first_x == low and first_y < y_at_low):
            low, y_at_low = first_x, first_y
        if last_y < least_y or (last_y == least_y and last_x < high):
            high, least_y = last_x, last_y
    best = np.full(high - low + 1, NOWHERE, np.int64)
    best[-1] = least_y
    best[0] = y_at_low
    for split in range(splits[node], splits[node + 1]):
        ends = _ends(split, added_x, added_y, split_edges, edge_to, start, xs, ys)
        if ends[0] <= high and _can_add(best, low, ends[0], ends[3]):
            _merge_split(best, low, high, split, ends, split_edges, edge_to, start, xs, ys)
    return _front(best, low)


@kernel
def fronts(added_x, added_y, leaf_x, leaf_y, splits, split_edges, edge_to, limit):
    """(start, x, y): the front of node i is the points from start[i] up to, not including, start[i + 1].

    All three arrays are empty if there are more than `limit` points. added_x, added_y (nodes,): the amounts that a
    nonterminal node adds to the two costs; leaf_x, leaf_y: the costs of a terminal node.
    """
    nodes = len(added_x)
    start = np.zeros(nodes + 1, np.int64)
    xs, ys = np.empty(2 * nodes, np.int64), np.empty(2 * nodes, np.int64)
    for node in range(nodes):
        if splits[node] == splits[node + 1]:
            x, y = np.array([leaf_x]), np.array([leaf_y])
        else:
            x, y = _front_of_node(node, added_x[node], added_y[node], splits, split_edges, edge_to, start, xs, ys)
        begin, end = start[node], start[node] + len(x)
        if end > limit:
            return start[:0], xs[:0], ys[:0]
        if end > len(xs):
            more = np.empty(end, np.int64)
            xs, ys = np.concatenate((xs[:begin], more)), np.concatenate((ys[:begin], more))
        copy_into(x, xs[begin:end])
        copy_into(y, ys[begin:end])
        start[node + 1] = end
    return start, xs[: start[nodes]], ys[: start[nodes]]
