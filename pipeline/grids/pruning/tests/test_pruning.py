"""Ways of pruning beside one another: paired differences, ratios, and claims that hold, fail or stay open."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from pipeline.drawing.figures import house_style
from pipeline.grammar.comparison.standings import ratios_panel
from pipeline.summary.verdicts import Verdict
from tests.summaries.builder_rows import declared, published, result_row, summary_rows, written

SUMMARY = declared("pruning")
SETS = tuple(f"set{index}" for index in range(8))
BUILDERS = ("generate_tree", "pre_pruned", "reduced_error", "random_forest")


def made_up(seed: int = 0) -> list[dict[str, object]]:
    """Per data set: reduced-error a point better than pre-pruning, give or take a tenth, twice as slow; no noise of it
    in the forest, which has no nodes."""
    rng = np.random.default_rng(seed)
    rows = []
    for source in SETS:
        base = rng.uniform(0.6, 0.9)
        for fold in (1, 2):
            seconds = rng.uniform(0.01, 0.1)
            for builder, gain, nodes, slow in (
                ("generate_tree", 0.0, 100, 1.0),
                ("pre_pruned", -0.01 + rng.normal(0, 0.001), 10, 0.5),
                ("reduced_error", 0.0 + rng.normal(0, 0.001), 20, 1.0),
                ("random_forest", rng.normal(0, 0.02), None, 50.0),
            ):
                measures = {"test_accuracy": base + gain, "nodes": nodes, "build_seconds": seconds * slow}
                measures |= {"terminal_nodes": nodes and nodes // 2, "rows": 90, "test_rows": 10}
                rows.append(result_row(source, builder, fold, **measures))
    return rows


def table_rows(rows: list[dict[str, object]], table: str) -> list[dict[str, Any]]:
    return summary_rows(SUMMARY, rows, BUILDERS)[table]


def mean_of(rows: list[dict[str, object]], source: str, builder: str, measure: str) -> float:
    return fmean(row[measure] for row in rows if (row["source"], row["builder"]) == (source, builder))  # type: ignore[misc]


def test_builders_are_held_against_the_first_on_the_same_data_sets() -> None:
    rows = made_up()
    by_builder = {row["builder"]: row for row in table_rows(rows, "pruning")}
    assert list(by_builder) == list(BUILDERS)
    assert by_builder["generate_tree"]["difference"] == 0
    for builder in BUILDERS[1:]:
        gaps = [
            100
            * (mean_of(rows, each, builder, "test_accuracy") - mean_of(rows, each, "generate_tree", "test_accuracy"))
            for each in SETS
        ]
        assert by_builder[builder]["difference"] == pytest.approx(fmean(gaps))
        half = 1.959964 * stdev(gaps) / len(SETS) ** 0.5
        assert by_builder[builder]["high"] == pytest.approx(fmean(gaps) + half)
        times = [mean_of(rows, each, builder, "build_seconds") for each in SETS]
        assert by_builder[builder]["build_seconds"] == pytest.approx(math.exp(fmean(map(math.log, times))))
    assert by_builder["pre_pruned"]["nodes_ratio"] == pytest.approx(0.1)
    assert by_builder["random_forest"]["time_ratio"] == pytest.approx(50)
    assert by_builder["random_forest"]["nodes"] is by_builder["random_forest"]["nodes_ratio"] is None


def test_a_data_set_on_which_a_builder_failed_is_left_out_for_it_alone() -> None:
    rows = made_up()
    rows[1] |= {"status": "failed", "test_accuracy": None}
    assert rows[1]["builder"] == "pre_pruned"
    counts = {row["builder"]: row["n"] for row in table_rows(rows, "pruning")}
    assert counts == {"generate_tree": 8, "pre_pruned": 7, "reduced_error": 8, "random_forest": 8}


def test_claims_hold_fail_or_stay_open() -> None:
    rows = made_up()
    verdicts = {(row["left"], row["right"], row["measure"]): row["verdict"] for row in table_rows(rows, "claims")}
    assert verdicts == {
        ("reduced_error", "pre_pruned", "accuracy"): Verdict.AGREES,
        ("pre_pruned", "reduced_error", "build_seconds"): Verdict.OPEN,  # always half: no spread to measure by
        ("random_forest", "generate_tree", "accuracy"): Verdict.OPEN,
    }
    swapped = {"reduced_error": "pre_pruned", "pre_pruned": "reduced_error"}
    other = [row | {"builder": swapped.get(str(row["builder"]), row["builder"])} for row in rows]
    assert table_rows(other, "claims")[0]["verdict"] is Verdict.DIFFERS


def test_the_finding_names_the_most_accurate_builder_and_the_trees_what_pruning_saves(tmp_path: Path) -> None:
    """Reduced-error pruning leaves of trees of 15 leaves 10 at most, and the accuracy is never less."""
    rows = made_up()
    rows[1] |= {"status": "failed", "test_accuracy": None, "error": "no"}
    for row in rows:
        if row["builder"] == "generate_tree":
            row |= {"nodes": 30, "terminal_nodes": 15}
        if row["builder"] == "reduced_error":
            row["test_accuracy"] = 0.99
    summary = written(SUMMARY, published(rows, tmp_path), tmp_path / "s", drawn=False, builders=BUILDERS)
    gap = 100 * (0.99 - fmean(row["test_accuracy"] for row in rows if row["builder"] == "generate_tree"))  # type: ignore[misc]
    assert f"; reduced_error is the most accurate, {gap:.1f} ± " in summary.finding
    assert "points above generate_tree on average over 8 data sets; 1 of 64 fits failed." in summary.finding
    assert [tree.row["builder"] for tree in summary.trees] == ["generate_tree", "reduced_error"]


def test_three_data_sets_leave_a_claim_open() -> None:
    for number, verdict in ((3, Verdict.OPEN), (4, Verdict.AGREES)):
        rows = [row for row in made_up() if row["source"] in SETS[:number]]
        assert table_rows(rows, "claims")[0]["verdict"] is verdict


@pytest.mark.parametrize(("slowest", "marks"), [(1.0, {1, 2, 3, 5, 10}), (2.5, {1, 3, 10, 30, 100, 300})])
def test_the_marks_of_an_axis_do_not_overlap(slowest: float, marks: set[int]) -> None:
    known: dict[str, Any] = {"difference": 0.5, "low": 0.3, "high": 0.7, "nodes_ratio": None}
    standings = [
        {"builder": builder, **known, "time_ratio": ratio, "time_low": None, "time_high": None}
        for builder, ratio in (("cart", 1.0), ("oct", 10**slowest))
    ]
    with house_style():
        axes = Figure().subplots()
        ratios_panel(axes, standings, "time")
        low, high = axes.get_xlim()
        assert {round(mark) for mark in axes.get_xticks() if low <= mark <= high} == marks
