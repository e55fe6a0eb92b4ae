"""Each builder beside every other and the most common class, on a data set: against SciPy and plain arithmetic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

from pipeline.errors import ConfigError
from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.summary import SUMMARY
from pipeline.grammar.sources import MOST_COMMON
from pipeline.summary.statistics import holm
from tests.pipeline.grids.every_grid import grid_composed
from tests.summaries.builder_rows import result_row, summary_rows

FOLDS, TRAIN, TEST = 10, 90, 10
SUPPORTS = [(6, 4), (3, 7), (8, 2), (5, 5), (6, 4), (7, 3), (6, 4), (4, 6), (5, 5), (9, 1)]
"""Test rows of the classes x and y on each fold: x is the more common, but not on each fold."""
COMMON = np.array([100 * x / TEST for x, _ in SUPPORTS])


def drawn(mean: float, seed: int) -> list[float]:
    return np.round(np.random.default_rng(seed).normal(mean, 0.03, FOLDS), 3).tolist()


ACCURACIES = {"first": drawn(0.7, 1), "near": drawn(0.71, 2), "best": drawn(0.9, 3), "worst": drawn(0.5, 4)}


def rows_of(accuracies: Mapping[str, Sequence[float]], source: str = "a") -> list[dict[str, Any]]:
    return [
        result_row(source, builder, fold, test_accuracy=accuracy, rows=TRAIN, test_rows=TEST)
        for builder, own in accuracies.items()
        for fold, accuracy in enumerate(own, start=1)
    ]


def pairs_of(rows: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The table, if every finished fit also has its counts by class."""
    classes = [
        result_row(row["source"], row["builder"], row["fold"], support=support, **{"class": label})
        for row in rows
        if row["status"] == "ok"
        for label, support in zip("xy", SUPPORTS[row["fold"] - 1], strict=True)
    ]
    return summary_rows(SUMMARY, rows, classes=classes)["pairs_by_set"]


def corrected(apart: np.ndarray) -> tuple[float, float]:
    """The p and half the interval of the corrected resampled t test."""
    error = apart.std(ddof=1) * math.sqrt(1 / FOLDS + TEST / TRAIN)
    return 2 * t.sf(abs(apart.mean() / error), FOLDS - 1), t.ppf(0.975, FOLDS - 1) * error


def test_each_builder_is_compared_with_every_other_and_with_the_most_common_class() -> None:
    pairs = pairs_of(rows_of(ACCURACIES))
    percent = {name: 100 * np.array(own) for name, own in ACCURACIES.items()} | {MOST_COMMON: COMMON}
    assert [(row["builder"], row["against"]) for row in pairs] == [
        *(("best", other) for other in ("near", "first", "worst", MOST_COMMON)),
        *(("near", other) for other in ("best", "first", "worst", MOST_COMMON)),
        *(("first", other) for other in ("best", "near", "worst", MOST_COMMON)),
        *(("worst", other) for other in ("best", "near", "first", MOST_COMMON)),
    ]
    for row in pairs:
        apart = percent[row["builder"]] - percent[row["against"]]
        p, half = corrected(apart)
        assert row["difference"] == pytest.approx(apart.mean())
        assert (row["n"], row["p"]) == (FOLDS, pytest.approx(p))
        assert (row["low"], row["high"]) == pytest.approx((apart.mean() - half, apart.mean() + half))


def test_pairs_of_builders_and_the_most_common_class_are_corrected_apart() -> None:
    pairs = pairs_of([row for source in "ab" for row in rows_of(ACCURACIES, source)])
    of_builders = [row for row in pairs if (row["builder"], row["against"]) in list(combinations(ACCURACIES, 2))]
    others = [row for row in pairs if row["against"] == MOST_COMMON]
    assert (len(pairs), len(of_builders), len(others)) == (32, 12, 8)
    for family in (of_builders, others):
        assert [row["p_holm"] for row in family] == pytest.approx(holm([row["p"] for row in family]))
    by_names = {(row["source"], row["builder"], row["against"]): row for row in pairs}
    for row in of_builders:
        other = by_names[row["source"], row["against"], row["builder"]]
        assert [other[name] for name in ("difference", "low", "high")] == pytest.approx(
            [-row[name] for name in ("difference", "high", "low")]
        )
        assert (other["p"], other["p_holm"]) == (row["p"], row["p_holm"])
        assert other["outcome"] == {"win": "loss", "tie": "tie", "loss": "win"}[row["outcome"]]
    outcomes = {(row["builder"], row["against"]): row["outcome"] for row in pairs}
    assert outcomes["best", "near"] == outcomes["best", MOST_COMMON] == "win"
    assert outcomes["near", "first"] == "tie"
    assert outcomes["worst", MOST_COMMON] == "tie"
    worse = pairs_of(rows_of({"poor": [share / 100 - 0.3 - fold / 1000 for fold, share in enumerate(COMMON)]}))
    assert [(row["builder"], row["outcome"]) for row in worse] == [("poor", "loss")]


def test_a_failed_fit_leaves_out_the_pairs_of_its_builder_on_its_data_set() -> None:
    rows = [row for source in "ab" for row in rows_of(ACCURACIES, source)]
    rows[0] |= {"status": "failed", "test_accuracy": None}
    pairs = pairs_of(rows)
    assert not [row for row in pairs if row["source"] == "a" and "first" in (row["builder"], row["against"])]
    assert len(pairs) == 9 + 16
    assert {row["n"] for row in pairs} == {FOLDS}


def test_the_most_common_class_is_not_compared_where_no_fit_of_a_split_finished() -> None:
    rows = rows_of(ACCURACIES)
    for row in rows:
        if row["fold"] == 1:
            row |= {"status": "failed", "test_accuracy": None}
    assert pairs_of(rows) == []


def test_a_difference_of_0_has_no_sign() -> None:
    pairs = pairs_of(rows_of({"one": [0.9, 1 / 3], "two": [0.4, 5 / 6]}))
    assert [str(row["difference"]) for row in pairs if row["against"] == "two"] == ["0.0"]


def test_builders_that_predict_alike_are_in_the_order_of_the_grid() -> None:
    pairs = pairs_of(rows_of({"one": [0.2] * FOLDS, "two": [0.1, 0.3] * (FOLDS // 2)}))
    assert [
        (row["builder"], row["against"], str(row["difference"])) for row in pairs if row["against"] != MOST_COMMON
    ] == [
        ("one", "two", "0.0"),
        ("two", "one", "0.0"),
    ]


def test_no_builder_has_the_name_of_the_most_common_class() -> None:
    with pytest.raises(ConfigError, match=f"`builders` has '{MOST_COMMON}', but the summary .* another name"):
        grid_composed("compare_builders", f'builders=[cart,{{name: "{MOST_COMMON}", builder: cart}}]')
