"""Learning curves: the best and mean fitness by generation of each fit, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.grammar.questions import WHERE_ITS_SOURCE
from pipeline.summary.tables import SummaryTable, Value

__all__ = ["Curve", "curve_table", "curves_of"]

COLUMNS = (
    *("source", "part", "builder", "n", "generations", "fewest", "most", "first_best", "last_best", "first_mean"),
    *("last_mean", "last_improvement"),
)
NEGLIGIBLE = 1e-12
"""Fitness by which nothing is improved."""
QUESTION = (
    "with steps as (\n  select *, lag(best) over (partition by repeat, fold order by generation) - best as gain\n"
    f"  from curves {WHERE_ITS_SOURCE} and builder = {{builder}}),\n"
    "fits as (\n  select max(generation) as last, arg_min(best, generation) as first_best, "
    "arg_max(best, generation) as last_best,\n    arg_min(mean, generation) as first_mean, "
    f"arg_max(mean, generation) as last_mean,\n    max(if(gain is null or gain > {NEGLIGIBLE}, generation, 0)) "
    "as improved\n  from steps group by repeat, fold)\n"
    "select count(*) as n, avg(last) as generations, min(last) as fewest, max(last) as most, "
    "avg(first_best) as first_best, avg(last_best) as last_best, avg(first_mean) as first_mean, "
    "avg(last_mean) as last_mean, avg(improved) as last_improvement\nfrom fits"
)


@dataclass(frozen=True, eq=False)
class Curve:
    """The fits of a builder on a data set, generation by generation; one that ended stays where it was.

    best, mean  : (fits, generations), the fitness of the best individual, and the mean fitness
    generations : (fits,) that each fit ran, the initial one not counted
    improved    : (fits,) the generation of its last improvement
    """

    source: str
    part: str
    builder: str
    best: NDArray[np.float64]
    mean: NDArray[np.float64]
    generations: NDArray[np.int64]
    improved: NDArray[np.int64]

    @property
    def title(self) -> str:
        """The data set, and its part where that is not the whole."""
        return self.source if self.part == "all" else f"{self.source} ({self.part})"


def curves_of(rows: Iterable[Mapping[str, Any]]) -> tuple[Curve, ...]:
    """The curves of rows of the table `curves`, by data set and builder in the order in which these first come."""
    fits: dict[tuple[str, str, str], dict[tuple[int, int], list[tuple[int, float, float]]]] = {}
    for row in rows:
        fit = fits.setdefault((row["source"], row["part"], row["builder"]), {})
        fit.setdefault((row["repeat"], row["fold"]), []).append((row["generation"], row["best"], row["mean"]))
    return tuple(_curve(*key, [sorted(fit) for fit in found.values()]) for key, found in fits.items())


def curve_table(curves: Sequence[Curve]) -> SummaryTable:
    """A row for each data set and builder."""
    rows: list[tuple[Value, ...]] = []
    for one in curves:
        ran, ends = one.generations, [table[:, place].mean() for table in (one.best, one.mean) for place in (0, -1)]
        counts = (len(ran), float(ran.mean()), int(ran.min()), int(ran.max()))
        rows.append((one.source, one.part, one.builder, *counts, *map(float, ends), fmean(one.improved.tolist())))
    note = (
        "n: fits; generations, fewest, most: that they ran, mean, least and greatest; first_best to last_mean: fitness "
        "of the best individual and of the mean one, of the initial and of the last population; last_improvement: the "
        "generation in which the best one last improved. Means over the fits."
    )
    return SummaryTable("curves", "Learning curves", COLUMNS, rows, note, QUESTION)


def _curve(source: str, part: str, builder: str, fits: Sequence[Sequence[tuple[int, float, float]]]) -> Curve:
    longest = max(map(len, fits))
    held = np.array([[*fit, *[fit[-1]] * (longest - len(fit))] for fit in fits])
    best, mean = held[:, :, 1], held[:, :, 2]
    lower = np.diff(best, axis=1, prepend=np.inf) < -NEGLIGIBLE
    improved = longest - 1 - np.argmax(lower[:, ::-1], axis=1)
    return Curve(source, part, builder, best, mean, np.array([len(fit) - 1 for fit in fits]), improved)
