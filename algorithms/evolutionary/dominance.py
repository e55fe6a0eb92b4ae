"""Fronts of two costs: which trees are dominated, and how crowded they are (Deb et al. 2002: NSGA-II, section III)."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers

Costs = NDArray[np.integer[Any]]


def front_of(errors: Costs, leaves: Costs) -> NDArray[np.int64]:
    """(trees,): the front of each tree, from 0, the best.

    No tree of a front is dominated by a tree outside the earlier fronts. A tree dominates another if it has no more of
    either cost, and less of one. Of trees of equal costs the first dominates the others, so that a front has each pair
    of costs once.
    """
    front = np.empty(len(errors), np.int64)
    least: list[int] = []  # errors in each front, among trees of no more leaves: increasing from front to front
    errors_of = errors.tolist()
    for tree in np.lexsort((errors, leaves)).tolist():
        index = bisect_right(least, errors_of[tree])
        least[index : index + 1] = [errors_of[tree]]
        front[tree] = index
    return front


def crowding(errors: Costs, leaves: Costs, front: NDArray[np.int64]) -> Numbers:
    """(trees,): the distance between a tree's neighbours in its front, as a share of the front's range of each cost.

    The sum over both costs; infinite at the ends of a front.
    """
    distance = np.full(len(errors), np.inf)
    order = np.lexsort((leaves, front))
    for along in np.split(order, np.flatnonzero(np.diff(front[order])) + 1):
        if len(along) > 2:
            distance[along[1:-1]] = sum(
                np.abs(cost[along[2:]] - cost[along[:-2]]) / abs(int(cost[along[-1]]) - int(cost[along[0]]))
                for cost in (errors, leaves)
            )
    return distance


def by_front_and_crowding(errors: Costs, leaves: Costs) -> NDArray[np.int64]:
    """(trees,): all trees, earlier fronts first, and within a front the least crowded first."""
    front = front_of(errors, leaves)
    return np.lexsort((-crowding(errors, leaves, front), front))
