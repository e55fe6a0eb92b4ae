"""Ranks of builders over data sets, and what tests make of them: Friedman, Nemenyi, Wilcoxon with Holm's correction."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.summary.statistics import holm

__all__ = ["Accuracies", "Against", "Friedman", "Ranking", "against", "ranking"]

Accuracies = Mapping[tuple[str, str], float]
"""Accuracies by data set and builder."""

DIGITS = 9
"""After the point: accuracies that differ by less are tied, and so are differences of them."""
MOST_PERMUTED = 13
"""Data sets up to which all signs of their differences are gone through for the exact p of Wilcoxon's test."""
LEVEL = 0.05


@dataclass(frozen=True)
class Friedman:
    """Friedman's test that all builders are as good: chi-squared over builders - 1 degrees of freedom."""

    statistic: float
    p: float


@dataclass(frozen=True, eq=False)
class Ranking:
    """Builders ranked on each of several data sets, from 1, the most accurate; tied ones share the mean of their ranks.

    ranks : (data sets, builders)
    """

    data_sets: tuple[str, ...]
    builders: tuple[str, ...]
    ranks: NDArray[np.float64]

    @property
    def mean(self) -> dict[str, float]:
        """The average rank of each builder."""
        return dict(zip(self.builders, self.ranks.mean(axis=0).tolist(), strict=True))

    def of(self, data_set: str, builder: str) -> float:
        """The rank of a builder on a data set."""
        return float(self.ranks[self.data_sets.index(data_set), self.builders.index(builder)])

    def friedman(self) -> Friedman | None:
        """The test over all data sets; None of fewer than three builders or two data sets, or where all are tied."""
        from scipy.stats import friedmanchisquare

        if len(self.builders) < 3 or len(self.data_sets) < 2 or not np.ptp(self.ranks, axis=1).any():
            return None
        found = friedmanchisquare(*self.ranks.T)
        return Friedman(float(found.statistic), float(found.pvalue))

    def critical_difference(self) -> float:
        """Average ranks that differ by less are level by Nemenyi's test at 5 % (Demšar 2006, equation 1)."""
        from scipy.stats import studentized_range

        k, n = len(self.builders), len(self.data_sets)
        quantile = studentized_range.isf(LEVEL, k, math.inf) / math.sqrt(2)
        return float(quantile * math.sqrt(k * (k + 1) / (6 * n)))

    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """The largest groups of builders, from the best, whose average ranks are level by Nemenyi's test."""
        mean, apart = self.mean, self.critical_difference()
        ordered = sorted(self.builders, key=lambda builder: mean[builder])
        groups: list[tuple[str, ...]] = []
        for place, first in enumerate(ordered):
            group = tuple(one for one in ordered[place:] if mean[one] - mean[first] < apart)
            if len(group) > 1 and not (groups and set(group) <= set(groups[-1])):
                groups.append(group)
        return tuple(groups)


@dataclass(frozen=True)
class Against:
    """Wilcoxon's signed-rank test of one builder against another, over the data sets of both.

    wins, losses : data sets on which the first is more, and less, accurate
    p, adjusted  : two-sided, and after Holm's correction over all that the first is held against
    """

    other: str
    n: int
    wins: int
    losses: int
    statistic: float
    p: float
    adjusted: float


def ranking(accuracies: Accuracies, builders: Sequence[str]) -> Ranking:
    """The ranks of those of the builders that have any accuracy, on the data sets on which all of these have one."""
    from scipy.stats import rankdata

    known = tuple(one for one in builders if any(builder == one for _, builder in accuracies))
    data_sets = dict.fromkeys(name for name, _ in accuracies)
    whole = tuple(name for name in data_sets if all((name, one) in accuracies for one in known))
    values = np.array([[accuracies[name, one] for one in known] for name in whole]).reshape(len(whole), len(known))
    ranks = rankdata(-np.round(values, DIGITS), axis=1) if values.size else values
    return Ranking(whole, known, np.asarray(ranks, np.float64))


def against(accuracies: Accuracies, first: str, builders: Sequence[str]) -> tuple[Against, ...]:
    """The first builder against each of the others with which it shares a data set.

    p is exact, over all signs of the differences, up to MOST_PERMUTED data sets; differences of 0 are left out.
    """
    pairs = {
        other: np.round([accuracies[name, first] - accuracies[name, other] for name in shared], DIGITS)
        for other in builders
        if other != first and (shared := _shared(accuracies, first, other))
    }
    tests = {other: _wilcoxon(apart) for other, apart in pairs.items()}
    adjusted = holm([p for _, p in tests.values()])
    return tuple(
        Against(other, len(apart), int((apart > 0).sum()), int((apart < 0).sum()), *tests[other], after)
        for (other, apart), after in zip(pairs.items(), adjusted, strict=True)
    )


def _shared(accuracies: Accuracies, first: str, other: str) -> list[str]:
    return [name for name, builder in accuracies if builder == first and (name, other) in accuracies]


def _wilcoxon(apart: NDArray[np.float64]) -> tuple[float, float]:
    """Statistic and two-sided p."""
    from scipy.stats import PermutationMethod, wilcoxon

    differences = apart[apart != 0]
    if len(differences) < 2:  # either sign is as likely
        return 0.0, 1.0
    exact = len(differences) <= MOST_PERMUTED
    method = PermutationMethod(n_resamples=2**MOST_PERMUTED) if exact else "approx"
    found = wilcoxon(differences, method=method)
    return float(found.statistic), float(found.pvalue)
