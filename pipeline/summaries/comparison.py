"""Means of the grid experiment set against the paper's: each cell by itself, and the best two of each cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from pipeline.summaries.grid_rows import COSTS
from pipeline.summaries.printed_values import Means
from pipeline.summaries.sample_moments import CostMoments
from pipeline.summaries.statistics import Estimate, PairedMoments, critical_z
from pipeline.summaries.verdicts import Verdict, verdict

__all__ = ["LEAST_COMPARED", "Best", "Cell", "best_two", "compare"]

LEAST_COMPARED = 30
"""Decision tables from which on a mean is compared with print: of fewer, skewed costs are far from normal."""


@dataclass(frozen=True)
class Cell:
    """The mean relative difference of a heuristic in a cost; group is None where all groups are pooled."""

    group: int | None
    heuristic: str
    cost_function: str
    estimate: Estimate
    printed: float | None
    z: float | None
    verdict: Verdict | None


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
            z = None if theirs is None or estimate.n < LEAST_COMPARED else estimate.z(theirs, printed_n)
            cells.append(Cell(group, heuristic, cost, estimate, theirs, z, None))
    compared = sum(cell.z is not None for cell in cells)
    return tuple(replace(cell, verdict=verdict(cell.z, compared)) for cell in cells)


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
    """The verdict of a printed best pair, by the columns of all heuristics from best to worst and of the printed two.

    It agrees if each printed heuristic is one of our two, or not significantly worse than our second: paired z at
    most the critical z over the five costs. None where a printed heuristic is worse by a gap without any spread to
    measure it by.
    """
    gaps = [moments.difference(column, ranked[1]) for column in printed if column not in ranked[:2]]
    zs = [0.0 if gap.mean == 0 else gap.z(0.0) for gap in gaps]
    if any(z is None for z in zs):
        return None
    worst = max((z for z in zs if z is not None), default=0.0)
    return Verdict.AGREES if worst <= critical_z(len(COSTS)) else Verdict.DIFFERS
