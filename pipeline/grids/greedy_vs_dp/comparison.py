"""Means of the grid experiment set against the paper's: each cell by itself, and the best two of each cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from pipeline.grammar.costs import COSTS
from pipeline.grammar.sample_moments import CostMoments
from pipeline.grids.greedy_vs_dp.printed_values import Means
from pipeline.summary.statistics import Estimate, PairedMoments, critical_z
from pipeline.summary.verdicts import Comparison, Tolerance, Verdict, verdict, verdicts

__all__ = ["LEAST_COMPARED", "TOLERANCE", "Best", "Cell", "best_two", "compare"]

LEAST_COMPARED = 30
"""Decision tables from which on a mean is compared with the paper: with fewer, skewed costs are far from normal."""

TOLERANCE = Tolerance(rounding=0.5e-6)
"""Of Tables 1 to 5: printed to six decimals."""


@dataclass(frozen=True)
class Cell:
    """The mean relative difference of a heuristic in a cost; group is None where all groups are pooled.

    difference : from the printed value, with the sampling error of both; None where they are not compared
    """

    group: int | None
    heuristic: str
    cost_function: str
    estimate: Estimate
    printed: float | None
    difference: Estimate | None
    verdict: Verdict | None

    @property
    def z(self) -> float | None:
        """The difference in standard errors."""
        return self.difference.z if self.difference else None

    @property
    def tolerance(self) -> float | None:
        """The difference from the printed value that does not matter."""
        return None if self.printed is None else TOLERANCE.of(self.printed)


@dataclass(frozen=True)
class Best:
    """A heuristic at position 1 or 2 of a cost.

    gap     : mean of the next heuristic less that of this one, paired; None where there is no next
    printed : the heuristic that the paper lists at this position
    verdict : of the printed pair, the same at both positions
    """

    cost_function: str
    position: int
    heuristic: str
    estimate: Estimate
    gap: Estimate | None
    printed: str | None
    verdict: Verdict | None

    @property
    def level_with_next(self) -> bool:
        """Whether the 95 % interval of the gap does not clear zero."""
        return self.gap is not None and (self.gap.low is None or self.gap.low <= 0)


def compare(
    moments: Iterable[tuple[int | None, CostMoments]],
    heuristics: Sequence[str],
    printed: Means,
    printed_n: int,
) -> tuple[Cell, ...]:
    """The cells of groups, heuristics and costs, in that order; those of too few tables are not compared.

    Parameters
    ----------
    moments : groups with their moments
    printed : the paper's means; those of cells that are not to be compared are not in it
    printed_n : decision tables behind each of them
    """
    cells = []
    for group, by_cost in moments:
        for (column, heuristic), cost in product(enumerate(heuristics), COSTS):
            estimate, theirs = by_cost[cost].estimate(column), printed.get((group, heuristic, cost))
            difference = None
            if theirs is not None and estimate.n >= LEAST_COMPARED:
                difference = estimate.less(theirs, printed_n)
            cells.append(Cell(group, heuristic, cost, estimate, theirs, difference, None))
    found = verdicts([Comparison.of(cell.difference, cell.tolerance or 0.0) for cell in cells])
    return tuple(replace(cell, verdict=one) for cell, one in zip(cells, found, strict=True))


def best_two(
    pooled: CostMoments, heuristics: Sequence[str], printed: Mapping[str, tuple[str, str]]
) -> tuple[Best, ...]:
    """The two heuristics of least mean per cost, ties in canonical order; printed has the paper's, or nothing.

    Those of too few tables are not compared.
    """
    best = []
    for cost in COSTS:
        moments, pair = pooled[cost], printed.get(cost)
        ranked = np.argsort(moments.mean, kind="stable").tolist()
        compared = [heuristics.index(name) for name in pair] if pair and moments.n >= LEAST_COMPARED else None
        ruling = pair_verdict(moments, ranked, compared) if compared else None
        for place, column in enumerate(ranked[:2]):
            gap = moments.difference(ranked[place + 1], column) if place + 1 < len(ranked) else None
            theirs = pair[place] if pair else None
            best.append(Best(cost, place + 1, heuristics[column], moments.estimate(column), gap, theirs, ruling))
    return tuple(best)


def pair_verdict(moments: PairedMoments, ranked: Sequence[int], printed: Sequence[int]) -> Verdict | None:
    """The verdict on a printed best pair.

    It agrees if the sample excludes that either printed heuristic is worse than the best of all others by more than
    the tolerance: by the upper end of the 95 % interval of the paired difference of the means. Else it differs if a
    printed heuristic that is not one of our two is significantly worse than our second (paired z above the critical z
    over the five costs), and is consistent if none is.

    Parameters
    ----------
    moments : of all heuristics, a column each
    ranked : the columns from best to worst
    printed : the columns of the printed pair

    Returns
    -------
    Verdict or None
        None where a printed heuristic is worse than our second by a difference without spread to measure it by.
    """
    behind = [moments.difference(column, ranked[1]) for column in printed if column not in ranked[:2]]
    zs = [0.0 if one.mean == 0 else one.z for one in behind]
    if any(z is None for z in zs):
        return None
    rival = next(column for column in ranked if column not in printed)
    highs = [moments.difference(column, rival).high for column in printed]
    return verdict(
        0.0,  # to be better than all others is no difference
        None if None in highs else max(high for high in highs if high is not None),
        TOLERANCE.of(float(moments.mean[rival])),
        differs=any(z > critical_z(len(COSTS)) for z in zs if z is not None),
    )
