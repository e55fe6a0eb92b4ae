"""Folds of cross-validation as Weka draws them, so that accuracies can be compared with Weka's fold for fold."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from algorithms.array_types import Rows
from algorithms.data.java_random import random_state, shuffle, stratify


def weka_folds(decisions: ArrayLike, folds: int, seed: int = 1) -> Iterator[tuple[Rows, Rows]]:
    """The indices of the training rows and of the test rows of each fold, in Weka's order.

    decisions : (rows,) the class of each row
    folds     : 2 or more, at most the number of rows
    seed      : of java.util.Random, Weka's -s; Weka's own default is 1

    The rows are shuffled, stratified by class and cut into blocks; the training rows of a fold are shuffled again by
    the same generator (Weka 3.6: Instances.randomize, stratify, testCV, trainCV, as Evaluation.crossValidateModel
    calls them). Several runs with the seeds 1, 2, ... are Weka's repeated cross-validation; with two folds and the
    seeds 1 to 5, its 5x2.
    """
    classes = np.asarray(decisions)
    rows = len(classes)
    if not 2 <= folds <= rows:
        raise ValueError(f"folds is {folds}: expected 2 to {rows}, the number of rows")
    order = np.arange(rows, dtype=np.int64)
    state = shuffle(order, random_state(seed))
    stratify(order, classes)
    dealt = np.concatenate([order[first::folds] for first in range(folds)])
    return _drawn(np.array_split(dealt, folds), state)


def _drawn(blocks: list[Rows], state: int) -> Iterator[tuple[Rows, Rows]]:
    for fold, test in enumerate(blocks):
        train = np.concatenate([*blocks[:fold], *blocks[fold + 1 :]])
        state = shuffle(train, state)
        yield train, test
