"""The high-performance region: which data sets are in it, and how OCT and CART stand inside and outside."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from pipeline.grids.oct_vs_cart.grid import CART, OCT
from pipeline.grids.oct_vs_cart.printed import MEASURES, Printed, printed
from pipeline.grids.oct_vs_cart.sets import SetResult
from pipeline.summary.statistics import HALF_WIDTH_95, Estimate, PairedMoments
from pipeline.summary.verdicts import Comparison, Tolerance, Verdict, verdicts

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
"""Data sets at a depth from which on values are compared with the printed ones, which are of 53."""
OF_COUNTS, OF_IMPROVEMENT = Tolerance(rounding=0.5), Tolerance(rounding=0.005)
"""In data sets of the paper, and in points."""
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
    comparison: with the printed value, of counts in data sets of the paper; None where they are not compared
    """

    standing: Standing
    measure: str
    ours: float | None
    low: float | None
    high: float | None
    printed: float | None
    comparison: Comparison | None = None
    verdict: Verdict | None = None

    @property
    def tolerance(self) -> float | None:
        """The difference from the printed value that does not matter."""
        return None if self.printed is None else _tolerance(self.measure).of(self.printed)

    @property
    def p(self) -> float | None:
        """Two-sided probability that ours and the printed value are draws of the same."""
        return self.comparison.p if self.comparison else None


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
    """Every value of the standings, with a verdict where there are sets enough at the depth."""
    at_depth: dict[int, int] = {}
    for one in standings:
        at_depth[one.max_depth] = at_depth.get(one.max_depth, 0) + one.sets
    made = [_cell(one, name, at_depth[one.max_depth] >= LEAST_SETS) for one in standings for name in MEASURES]
    found = verdicts([cell.comparison for cell in made])
    return tuple(replace(cell, verdict=verdict) for cell, verdict in zip(made, found, strict=True))


def _tolerance(measure: str) -> Tolerance:
    return OF_IMPROVEMENT if measure == MEASURES[3] else OF_COUNTS


def _cell(one: Standing, measure: str, compared: bool) -> Cell:
    theirs = one.printed
    figure = theirs.figures[measure] if theirs else None
    comparison = None
    if measure == MEASURES[3]:
        found = one.improvement
        ours, low, high = (found.mean, found.low, found.high) if found else (None, None, None)
        if found and theirs and compared:
            comparison = Comparison.of(found.less(theirs.figures[measure], theirs.sets), OF_IMPROVEMENT.of(figure or 0))
    else:
        count = int(getattr(one, measure))
        ours, (low, high) = float(count), _wilson(count, one.sets)
        if theirs and one.sets and compared:
            comparison = _of_counts(count, one.sets, int(theirs.figures[measure]), theirs.sets)
    return Cell(one, measure, ours, low, high, figure, comparison)


def _of_counts(count: int, of: int, printed: int, printed_of: int) -> Comparison:
    """Two counts of data sets compared as shares, in data sets of the paper.

    The interval is Newcombe's (1998), made of Wilson's two; p is that of Fisher's exact test. Both take the paper's
    data sets for others than ours.
    """
    share, theirs = count / of, printed / printed_of
    (low, high), (their_low, their_high) = _shares(count, of), _shares(printed, printed_of)
    difference = share - theirs
    return Comparison(
        low=printed_of * (difference - math.hypot(share - low, their_high - theirs)),
        high=printed_of * (difference + math.hypot(high - share, theirs - their_low)),
        p=_fisher(count, of, printed, printed_of),
        tolerance=OF_COUNTS.of(printed),
    )


def _wilson(count: int, of: int) -> tuple[float | None, float | None]:
    """Wilson's 95 % interval of a share, as counts."""
    if not of:
        return None, None
    low, high = _shares(count, of)
    return of * low, of * high


def _shares(count: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    squared = HALF_WIDTH_95**2
    centre = (count + squared / 2) / (of + squared)
    half = HALF_WIDTH_95 / (of + squared) * math.sqrt(count * (of - count) / of + squared / 4)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def _fisher(count: int, of: int, other: int, other_of: int) -> float:
    """Two-sided p of Fisher's exact test that two shares are the same."""
    from scipy.stats import fisher_exact

    return float(fisher_exact([[count, of - count], [other, other_of - other]]).pvalue)
