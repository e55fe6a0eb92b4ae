"""The choice of alpha by cross-validation (Li; Breiman, Friedman, Olshen and Stone 1984, section 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algorithms.array_types import Numbers
from algorithms.data.data_set import DataSet
from algorithms.pruning.cost_complexity import CostComplexity, cost_complexity
from algorithms.trees.decision_tree import DecisionTree

Grow = Callable[[DataSet, Numbers], DecisionTree]
"""A builder: the tree of the rows of a data set with their weights (rows,)."""


@dataclass(frozen=True, eq=False)
class CrossValidated:
    """A cost-complexity sequence and the cross-validated error rates of its alphas."""

    sequence: CostComplexity  # that of the tree of all rows
    alphas: tuple[Fraction, ...]  # the distinct alphas of the sequence, increasing
    error_rates: Numbers
    """(alphas,) share of the total weight that the folds' trees, pruned for this alpha, classify wrongly."""
    alpha: Fraction  # the chosen one

    @property
    def tree(self) -> DecisionTree:
        """The tree of all rows, pruned at the alpha chosen."""
        return self.sequence.pruned(self.alpha)


def cross_validated(
    data: DataSet,
    weights: Numbers,
    grow: Grow,
    folds: Sequence[tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]],
    *,
    standard_errors: float = 0.0,
) -> CrossValidated:
    """The tree that `grow` makes of all rows, pruned at the alpha of least cross-validated error.

    A fold is (rows to grow from, rows to test on). Its tree is pruned at the geometric mean of each pair of
    neighbouring alphas of the sequence of all rows, as in the book, and to one leaf for the last alpha. If several
    alphas have equal errors, the largest of these is taken.

    standard_errors : the largest alpha whose error rate is at most this many standard errors above the least error rate
                      p is taken. A standard error is sqrt(p(1 - p)/N) for N tested rows. The book's rule of one
                      standard error is 1, and chooses smaller trees
    """
    sequence = cost_complexity(grow(data, weights))
    alphas = tuple(sorted(set(sequence.alphas)))
    between = [sqrt(lower * upper) for lower, upper in pairwise(alphas)] + [np.inf]
    values, wrong = data.values(), np.zeros(len(alphas))
    tested = np.concatenate([test for _, test in folds])
    for training, test in folds:
        fold = cost_complexity(grow(data.take(training), weights[training]))
        previous, errors = -1, 0.0
        for index, alpha in enumerate(between):
            number = fold.number(alpha)
            if number != previous:
                differ = fold.step(number).predict(values[test]) != data.decisions[test]
                previous, errors = number, float(weights[test][differ].sum())
            wrong[index] += errors
    rates = np.minimum(wrong / weights[tested].sum(), 1.0)  # which rounding may exceed
    least = float(rates.min())
    allowed = least + standard_errors * sqrt(least * (1 - least) / len(tested))
    chosen = int(np.flatnonzero(rates <= allowed + 1e-12)[-1])
    return CrossValidated(sequence, alphas, rates, alphas[chosen])
