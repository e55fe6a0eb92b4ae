"""The equivalent points bound (Angelino et al. 2018): errors that no tree avoids.

Rows with equal values, *equivalent points*, end in the same leaf of any tree, which misclassifies all classes but one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.measures.partitions import Partition, join


def points_of(columns: Iterable[Partition], rows: int) -> Partition:
    """(rows,): the point of each row, numbered from 0 in the order of the codes in the first column, then the next."""
    return join(np.zeros(rows, np.int64), *columns)


def class_weights_of_points(
    point: Partition, decisions: NDArray[np.integer[Any]], weights: NDArray[Any], classes: int
) -> Numbers:
    """(points, classes): the weight of each class at each point; `point`, `decisions` and `weights` are (rows,)."""
    cells = (int(point.max()) + 1) * classes
    by_class = np.bincount(point * np.int64(classes) + decisions, weights, cells)
    return by_class.astype(np.float64, copy=False).reshape(-1, classes)


def unavoidable_errors(by_class: Numbers) -> Numbers:
    """(points,): the weight of all classes but the heaviest, from the weight of each (points, classes)."""
    return np.asarray(by_class.sum(axis=1) - by_class.max(axis=1))
