"""Rows kept for pruning: a share of them, or folds; each stratified by class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from algorithms.array_types import Rows
from algorithms.plurals import counted


def rows_to_prune_by(decisions: NDArray[np.int32], share: float, random_state: Any = None) -> NDArray[np.bool_]:
    """(rows,): a mask of random rows, this share of each class, rounded down over all classes together.

    Raises ValueError for a share below 0, or of 1 and more.
    """
    if not 0 <= share < 1:
        raise ValueError(f"the share of pruning rows is {share}: expected 0 or more and less than 1")
    taken = np.floor(np.arange(len(decisions) + 1) * share)
    mask = np.zeros(len(decisions), np.bool_)
    mask[_shuffled_by_class(decisions, random_state)] = np.diff(taken) > 0
    return mask


def folds_to_prune_by(decisions: NDArray[np.int32], folds: int, random_state: Any = None) -> list[tuple[Rows, Rows]]:
    """(rows to grow from, rows to prune by) for each fold: rows shuffled, classes dealt out in turn.

    Raises ValueError for fewer than 2 folds, or fewer rows than folds.
    """
    if not 2 <= folds <= len(decisions):
        given = f"`folds` is {folds} for {counted(len(decisions), 'row')}"
        raise ValueError(f"{given}: expected at least 2 folds, and a row for each fold")
    fold = np.empty(len(decisions), np.int64)
    fold[_shuffled_by_class(decisions, random_state)] = np.arange(len(decisions)) % folds
    return [(np.flatnonzero(fold != index), np.flatnonzero(fold == index)) for index in range(folds)]


def _shuffled_by_class(decisions: NDArray[np.int32], random_state: Any) -> Rows:
    shuffled = check_random_state(random_state).permutation(len(decisions))
    ordered: Rows = shuffled[np.argsort(decisions[shuffled], kind="stable")]
    return ordered
