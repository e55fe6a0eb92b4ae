"""OCT beside CART on one data set at one depth: accuracies over the splits, who wins, and whether it is significant."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import numpy as np

from pipeline.grids.oct_vs_cart.grid import CART, OCT
from pipeline.summary.statistics import Estimate, PairedMoments, holm

__all__ = ["SAME", "SetResult", "Winner", "corrected_critical", "set_results"]

Row = Mapping[str, Any]

POINTS = 100
SAME = 1e-9
"""Points by which means of accuracies differ that are the same but for rounding."""

Winner = str
"""`cart`, `oct`, or `tie`."""


@dataclass(frozen=True)
class SetResult:
    """Both methods on a data set at a depth, over the splits that neither failed on.

    rows, attributes, classes : of the data set, complete rows, after dummy coding
    cart, oct    : test accuracies in percent, by split
    share        : test rows for each training row, mean
    proven       : splits on which the search proved its tree best
    failed       : splits left out, for a method failed
    p, adjusted  : of the paired test that the difference is 0, and after Holm's correction over the sets of the depth;
                   None where the splits have no spread
    """

    source: str
    part: str
    max_depth: int
    rows: int
    attributes: int
    classes: int
    cart: tuple[float, ...]
    oct: tuple[float, ...]
    cart_splits: float
    oct_splits: float
    alpha: float
    share: float
    proven: int
    failed: int
    p: float | None = None
    adjusted: float | None = None

    @property
    def title(self) -> str:
        """The data set, and its part where that is not the whole."""
        return self.source if self.part == "all" else f"{self.source} ({self.part})"

    @property
    def cart_accuracy(self) -> float:
        """Mean test accuracy of CART in percent."""
        return fmean(self.cart)

    @property
    def oct_accuracy(self) -> float:
        """Mean test accuracy of OCT in percent."""
        return fmean(self.oct)

    @property
    def difference(self) -> Estimate:
        """OCT's accuracy less CART's in points, paired by split; its interval takes the splits for independent."""
        return PairedMoments.of(np.array([self.oct, self.cart]).T).difference(0, 1)

    @property
    def ratio(self) -> float:
        """Rows for each attribute and nat of the class, n / (p ln K); infinite where nothing can be learnt."""
        size = self.attributes * math.log(self.classes)
        return self.rows / size if size else math.inf

    def winner(self, tolerance: float = 0.0) -> Winner:
        """Who has the greater mean accuracy by more than a tolerance in points, or tie."""
        difference = self.difference.mean
        if abs(difference) <= max(tolerance, SAME):
            return "tie"
        return OCT if difference > 0 else CART

    @property
    def corrected_error(self) -> float | None:
        """Standard error of the difference, in points, with what the splits share allowed for."""
        return self.difference.corrected(self.share).standard_error


def set_results(results: Iterable[Row], tunings: Iterable[Row]) -> tuple[SetResult, ...]:
    """Of result rows and the tunings beside them, each data set at each depth, in the order in which they first come.

    Those on which no split was worked by both methods are left out.
    """
    key = ("source", "part", "repeat", "builder", "parameters")
    known = {tuple(row[name] for name in key): row for row in tunings}
    cells: dict[tuple[str, str, int], dict[int, dict[str, tuple[Row, Row]]]] = {}
    for row in results:
        tuning = known[tuple(row[name] for name in key)]
        cell = cells.setdefault((row["source"], row["part"], tuning["max_depth"]), {})
        cell.setdefault(row["repeat"], {})[row["builder"]] = row, tuning
    found = [one for name, cell in cells.items() if (one := _set_result(*name, cell)) is not None]
    return _tested(found)


def _set_result(
    source: str, part: str, max_depth: int, cell: Mapping[int, Mapping[str, tuple[Row, Row]]]
) -> SetResult | None:
    pairs = [
        split for split in cell.values() if all(split[name][0]["test_accuracy"] is not None for name in (CART, OCT))
    ]
    if not pairs:
        return None
    results = {name: [split[name][0] for split in pairs] for name in (CART, OCT)}
    tuning = pairs[0][OCT][1]
    return SetResult(
        *(source, part, max_depth, tuning["rows"], tuning["attributes"], tuning["classes"]),
        cart=tuple(POINTS * row["test_accuracy"] for row in results[CART]),
        oct=tuple(POINTS * row["test_accuracy"] for row in results[OCT]),
        cart_splits=fmean(row["nonterminal_nodes"] for row in results[CART]),
        oct_splits=fmean(row["nonterminal_nodes"] for row in results[OCT]),
        alpha=fmean(split[OCT][1]["alpha"] for split in pairs),
        share=fmean(row["test_rows"] / row["rows"] for row in results[OCT]),
        proven=sum(bool(row["optimal"]) for row in results[OCT]),
        failed=len(cell) - len(pairs),
    )


def _tested(found: Sequence[SetResult]) -> tuple[SetResult, ...]:
    """With p of each, and Holm's correction over the data sets of a depth."""
    with_p = [replace(one, p=_p(one)) for one in found]
    adjusted: dict[int, float] = {}
    for depth in dict.fromkeys(one.max_depth for one in found):
        places = [place for place, one in enumerate(with_p) if one.max_depth == depth and one.p is not None]
        adjusted |= dict(zip(places, holm([p for place in places if (p := with_p[place].p) is not None]), strict=True))
    return tuple(replace(one, adjusted=adjusted.get(place)) for place, one in enumerate(with_p))


def _p(one: SetResult) -> float | None:
    """Two-sided p of the corrected resampled t test that both are as accurate; 1 where all splits are tied."""
    from scipy.stats import t

    found, error = one.difference, one.corrected_error
    if error is None:
        return None
    if error == 0:
        return 1.0 if abs(found.mean) <= SAME else None
    return float(2 * t.sf(abs(found.mean) / error, found.n - 1))


def corrected_critical(splits: int, tests: int, level: float = 0.05) -> float:
    """Corrected standard errors that a difference over so many splits must exceed to be Holm's first of so many."""
    from scipy.stats import t

    return float(t.isf(level / (2 * tests), splits - 1))
