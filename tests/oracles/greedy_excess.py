"""Greedy heuristics against exact minima by NumPy: relative differences, the best two of a cost, and their verdicts."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pipeline.grids.greedy_vs_dp
from pipeline.grammar.columns import COSTS
from pipeline.summary.statistics import Estimate, critical_z
from pipeline.summary.verdicts import Tolerance, Verdict, verdict
from tests.oracles.paired import Paired

__all__ = ["PRINTED", "Best", "best_two", "excess", "pair_verdict"]

LEAST_COMPARED = 30
TOLERANCE = Tolerance(rounding=0.5e-6)


def _printed(name: str) -> list[dict[str, str]]:
    text = (Path(pipeline.grids.greedy_vs_dp.__file__).with_name("printed") / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


PRINTED = {
    (int(row["table"]), f"{row['impurity_type']}/{row['uncertainty']}", row["cost_function"]): float(
        row["mean_relative_difference"]
    )
    for row in _printed("greedy_vs_dp_tables_1_to_4.csv")
}
PAIRS = {
    (row["cost_function"], int(row["listed_position"])): f"{row['impurity_type']}/{row['uncertainty']}"
    for row in _printed("greedy_vs_dp_table_5.csv")
}


@dataclass(frozen=True)
class Best:
    """A heuristic at position 1 or 2 of a cost, how much worse the next is, and the verdict on the printed pair."""

    cost_function: str
    position: int
    heuristic: str
    gap: Estimate
    verdict: Verdict | None


def excess(rows: Sequence[Mapping[str, Any]], heuristics: Sequence[str]) -> NDArray[np.float64]:
    """Relative differences (costs, tables, heuristics) of rows, those of each table together, the minima last."""
    size = len(heuristics) + 1
    costs = np.array([[float(row[cost]) for row in rows] for cost in COSTS]).reshape(len(COSTS), -1, size)
    least = costs[:, :, -1:]
    return (costs[:, :, :-1] - least) / np.where(least == 0, 1, least)


def best_two(values: NDArray[np.float64], heuristics: Sequence[str]) -> list[Best]:
    """The two of least mean for each cost, of more than two heuristics; equal ones in the order given."""
    best = []
    for cost, of_cost in zip(COSTS, values, strict=True):
        moments = Paired(of_cost)
        means = [round(float(mean), 12) for mean in moments.mean]
        ranked = sorted(range(len(heuristics)), key=lambda column: means[column])
        printed = [heuristics.index(PAIRS[cost, index]) for index in (1, 2)]
        ruling = pair_verdict(moments, ranked, printed) if moments.n >= LEAST_COMPARED else None
        for index, column in enumerate(ranked[:2]):
            gap = moments.difference(ranked[index + 1], column)
            best.append(Best(cost, index + 1, heuristics[column], gap, ruling))
    return best


def pair_verdict(moments: Paired, ranked: Sequence[int], printed: Sequence[int]) -> Verdict | None:
    """The verdict on a printed pair of columns, which are ranked from best to worst."""
    behind = [moments.difference(column, ranked[1]) for column in printed if column not in ranked[:2]]
    zs = [0.0 if each.mean == 0 else each.z for each in behind]
    if any(z is None for z in zs):
        return None
    rival = next(column for column in ranked if column not in printed)
    highs = [moments.difference(column, rival).high for column in printed]
    return verdict(
        0.0,
        None if None in highs else max(high for high in highs if high is not None),
        TOLERANCE.of(float(moments.mean[rival])),
        differs=any(z > critical_z(len(COSTS)) for z in zs if z is not None),
    )
