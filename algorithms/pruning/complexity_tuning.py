"""Tunes the complexity parameter alpha on validation rows.

Optimal trees and CART are tuned in this way (Li): of the trees that are best for some alpha, take the tree with the
best accuracy on the validation rows. Its alpha is the middle of the interval for which this tree is best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.options import Constraint, Number
from algorithms.pruning.pruning_rows import rows_to_prune_by
from algorithms.rounding import EQUAL_RATIO
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree

VALIDATION_SHARE: tuple[Constraint, ...] = (Number(0, 1, "neither", what="share of the rows"),)
"""The range of the share of validation rows."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A tree that is best for each alpha from `low` to `high`."""

    tree: DecisionTree
    low: float
    high: float

    @property
    def alpha(self) -> float:
        """The middle of the interval."""
        return (self.low + self.high) / 2

    @property
    def splits(self) -> int:
        """Nonterminal nodes."""
        return int(np.count_nonzero(self.tree.kind != NodeKind.TERMINAL))


@dataclass(frozen=True, eq=False)
class Tuned:
    """The chosen candidate, its accuracy (0 to 1) on the validation rows, and all candidates by decreasing size."""

    chosen: Candidate
    validation_accuracy: float
    candidates: tuple[Candidate, ...]

    @property
    def alpha(self) -> float:
        """The middle of the interval for which the chosen tree is best."""
        return self.chosen.alpha


def tuned(candidates: Sequence[Candidate], validation: DataSet, weights: Numbers) -> Tuned:
    """The candidate with the best accuracy on weighted validation rows; if several are best, that of fewest splits.

    Raises ValueError if there are no validation rows.
    """
    if not validation.rows:
        raise ValueError("there are no validation rows: expected at least one, for the choice of `alpha`")
    values = validation.values()
    ordered = tuple(sorted(candidates, key=lambda candidate: -candidate.splits))
    right = np.array([weights[candidate.tree.predict(values) == validation.decisions].sum() for candidate in ordered])
    equally_good = np.flatnonzero(right >= right.max() * EQUAL_RATIO).tolist()
    best = min(equally_good, key=lambda index: ordered[index].splits)
    return Tuned(ordered[best], float(right[best] / weights.sum()), ordered)


def validation_rows(decisions: NDArray[np.int32], share: float, random_state: Any) -> NDArray[np.bool_]:
    """(rows,): a mask of the validation rows: a random sample of this share of each class, in VALIDATION_SHARE.

    Raises ValueError if the share is too small for one row.
    """
    mask = rows_to_prune_by(decisions, share, random_state)
    if not mask.any():
        raise ValueError(
            f"validation_share is {share:g}, which gives no validation row for n_samples = {len(decisions)}: "
            "increase validation_share, or give more rows"
        )
    return mask
