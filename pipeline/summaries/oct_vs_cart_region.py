"""The high-performance region: which data sets are in it, and how OCT and CART stand inside and outside."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import NormalDist

import numpy as np

from pipeline.grids.oct_vs_cart import CART, OCT
from pipeline.summaries.oct_vs_cart_printed import MEASURES, Printed, printed
from pipeline.summaries.oct_vs_cart_sets import SetResult
from pipeline.summaries.statistics import HALF_WIDTH_95, Estimate, PairedMoments
from pipeline.summaries.verdicts import Verdict

__all__ = [
    "ACCURACIES",
    "CALIBRATED",
    "LEAST_SETS",
    "RATIOS",
    "TOLERANCES",
    "Cell",
    "Region",
    "Standing",
    "cells",
    "standing",
    "sweep",
]

LEAST_SETS = 40
"""Data sets at a depth from which on figures are compared with print's, which are of 53."""
LEVEL = 0.05
ACCURACIES = (70.0, 74.0, 78.0, 80.0, 82.0, 84.0, 86.0, 88.0, 90.0)
RATIOS = (0.0, 5.0, 7.5, 10.25, 15.0, 20.0)
TOLERANCES = (0.0, 0.1, 0.25, 0.5, 1.0)


@dataclass(frozen=True)
class Region:
    """CART's accuracy is high at the depth, and there are rows enough.

    accuracy : mean test accuracy of CART in percent, at least
    ratio    : n / (p ln K), at least
    """

    accuracy: float
    ratio: float

    def has(self, one: SetResult) -> bool:
        """Whether a data set is in it, at its depth."""
        return one.cart_accuracy >= self.accuracy and one.ratio >= self.ratio


CALIBRATED = Region(82.0, 10.25)
"""Print draws the region and does not tell its rule. This one was calibrated beforehand to print's counts, 14, 22, 23
and 24 at depths 1 to 4, by scikit-learn's CART on the published benchmark of 54 data sets: it gave 14, 22, 23, 23."""


@dataclass(frozen=True)
class Standing:
    """How often each wins on some data sets at a depth, and by how much OCT is more accurate.

    improvement : mean over the data sets, in points; None where there is none
    proven, searches : splits on which OCT was searched for, and those with a proof
    """

    max_depth: int
    inside: bool
    sets: int
    cart_wins: int
    oct_wins: int
    ties: int
    improvement: Estimate | None
    proven: int
    searches: int

    @property
    def printed(self) -> Printed | None:
        """Print's row of this depth and side."""
        return printed().get((self.max_depth, self.inside))


@dataclass(frozen=True)
class Cell:
    """A figure of a standing beside print's.

    measure   : of `MEASURES`
    low, high : 95 % interval: of a count Wilson's, times the data sets; of the improvement the normal one
    p         : two-sided, that ours and print's are draws of the same: of counts by Fisher's exact test, which takes
                the data sets for different ones; None where they are not compared
    """

    standing: Standing
    measure: str
    ours: float | None
    low: float | None
    high: float | None
    printed: float | None
    p: float | None = None
    verdict: Verdict | None = None


def standing(
    found: Sequence[SetResult], max_depth: int, inside: bool, region: Region = CALIBRATED, tolerance: float = 0.0
) -> Standing:
    """The standing on the data sets inside or outside a region at a depth; a tie is within a tolerance in points."""
    mine = [one for one in found if one.max_depth == max_depth and region.has(one) == inside]
    winners = [one.winner(tolerance) for one in mine]
    differences = np.array([[one.difference.mean] for one in mine])
    return Standing(
        *(max_depth, inside, len(mine)),
        cart_wins=winners.count(CART),
        oct_wins=winners.count(OCT),
        ties=winners.count("tie"),
        improvement=PairedMoments.of(differences).estimate(0) if mine else None,
        proven=sum(one.proven for one in mine),
        searches=sum(len(one.oct) for one in mine),
    )


def sweep(found: Sequence[SetResult]) -> Iterator[tuple[Region, Standing]]:
    """The standings inside, as the two thresholds of the region move."""
    depths = dict.fromkeys(one.max_depth for one in found)
    for max_depth, accuracy, ratio in product(depths, ACCURACIES, RATIOS):
        region = Region(accuracy, ratio)
        yield region, standing(found, max_depth, True, region)


def cells(standings: Sequence[Standing]) -> tuple[Cell, ...]:
    """Every figure of the standings, with a verdict where there are sets enough at the depth.

    It agrees where p is at least 5 % over the number of compared figures (Bonferroni).
    """
    at_depth: dict[int, int] = {}
    for one in standings:
        at_depth[one.max_depth] = at_depth.get(one.max_depth, 0) + one.sets
    made = [_cell(one, name, at_depth[one.max_depth] >= LEAST_SETS) for one in standings for name in MEASURES]
    compared = sum(cell.p is not None for cell in made)
    return tuple(cell if cell.p is None else replace(cell, verdict=_verdict(cell.p, compared)) for cell in made)


def _verdict(p: float, compared: int) -> Verdict:
    return Verdict.AGREES if p >= LEVEL / compared else Verdict.DIFFERS


def _cell(one: Standing, measure: str, compared: bool) -> Cell:
    theirs = one.printed
    figure = theirs.figures[measure] if theirs else None
    if measure == MEASURES[3]:
        found = one.improvement
        ours, low, high = (found.mean, found.low, found.high) if found else (None, None, None)
        z = found.z(theirs.figures[measure], theirs.sets) if found and theirs else None
        p = None if z is None else 2 * NormalDist().cdf(-abs(z))
    else:
        count = int(getattr(one, measure))
        ours, (low, high) = float(count), _wilson(count, one.sets)
        p = _fisher(count, one.sets, int(theirs.figures[measure]), theirs.sets) if theirs and one.sets else None
    return Cell(one, measure, ours, low, high, figure, p if compared else None)


def _wilson(count: int, of: int) -> tuple[float | None, float | None]:
    """Wilson's 95 % interval of a share, as counts."""
    if not of:
        return None, None
    squared = HALF_WIDTH_95**2
    centre = (count + squared / 2) / (of + squared)
    half = HALF_WIDTH_95 / (of + squared) * math.sqrt(count * (of - count) / of + squared / 4)
    return of * max(centre - half, 0.0), of * min(centre + half, 1.0)


def _fisher(count: int, of: int, other: int, other_of: int) -> float:
    """Two-sided p of Fisher's exact test that two shares are the same."""
    from scipy.stats import fisher_exact

    return float(fisher_exact([[count, of - count], [other, other_of - other]]).pvalue)
