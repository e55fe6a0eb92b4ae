"""EVO-Tree beside the paper: verdicts by the rule, claims on one data set, curves, the whole."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.claims import claims
from pipeline.grammar.comparison.sections import comparison
from pipeline.grids.evo_tree.tests.paper import (
    ABALONE,
    CUT,
    NAMES,
    SUMMARY,
)
from pipeline.summary.verdicts import Verdict
from tests.summaries.builder_rows import published, result_row, summary_rows, written

Claim = tuple[object, ...]
"""Words, left, right, measure, side, bound and the data set."""


def rulings(rows: list[dict[str, Any]], claimed: Sequence[Claim], printed: Sequence[str] = ()) -> list[Row]:
    """The rows of a table of claims."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "claims.csv"
        with file.open("w", newline="") as text:
            csv.writer(text).writerows([("claim", "left", "right", "measure", "side", "bound", "on"), *claimed])
        return summary_rows(comparison(claims(file, "Claims", "", "the paper", printed)), rows)["claims"]


def test_a_claim_about_one_data_set_is_tested_over_its_splits() -> None:
    """By hand: gains of 2.5, 3.5, 4.5, 3.5 points have the variance 2/3, which counts 1/4 + 1 times."""
    rows = []
    for index, gain in enumerate((2.5, 3.5, 4.5, 3.5)):
        split = {"repeat": 1 + index // 2, "part": ABALONE[1], "rows": 105, "test_rows": 105, "train_accuracy": 0.5}
        rows.append(result_row(ABALONE[0], "j48", 1 + index % 2, test_accuracy=0.2, **split))
        rows.append(result_row(ABALONE[0], "evo_tree", 1 + index % 2, test_accuracy=0.2 + gain / 100, **split))
    claimed = (
        ("more accurate", "evo_tree", "j48", "accuracy", "above", 0, CUT),
        ("less overfitted", "evo_tree", "j48", "overfitting", "below", 0, CUT),
        ("everywhere", "evo_tree", "j48", "accuracy", "above", 0, ""),
        ("elsewhere", "evo_tree", "j48", "accuracy", "above", 0, "uci/abalone"),
    )
    result = rulings(rows, claimed, ["uci/abalone"])
    assert [row["claim"] for row in result] == ["more accurate", "less overfitted"]
    assert [row["difference"] for row in result] == pytest.approx([3.5, -3.5])
    error = math.sqrt((1 / 4 + 1) * 2 / 3)
    assert [row["_difference_error"] for row in result] == pytest.approx([error] * 2)
    assert [row["n"] for row in result] == [4, 4]
    # 3.5 / 0.91 is below 4.18, the critical t of the first of two claims, and above 3.182, that of one
    assert [row["verdict"] for row in result] == [Verdict.OPEN] * 2
    (alone,) = rulings(rows, claimed[:1])
    assert alone["verdict"] is Verdict.AGREES
    assert (alone["low"], alone["high"]) == pytest.approx((3.5 - 3.1824 * error, 3.5 + 3.1824 * error), abs=1e-4)


def test_other_data_sets_count_in_claims_where_none_is_of_the_paper() -> None:
    def gains(*sources: str) -> dict[tuple[str, str], float]:
        rows = [
            result_row(source, builder, 1, test_accuracy=0.5 + 0.1 * index * (builder == "evo_tree"))
            for index, source in enumerate(sources)
            for builder in ("evo_tree", "j48")
        ]
        claims = summary_rows(SUMMARY, rows, NAMES)["claims"]
        return {(row["measure"], row["right"]): row["difference"] for row in claims if row["on"] is None}

    assert gains("mine", "yours", "theirs")["accuracy", "j48"] == pytest.approx(10)
    assert gains("uci/seeds", "uci/ecoli", "theirs")["accuracy", "j48"] == pytest.approx(5)


def curve_rows(fold: int, best: list[float], source: str = "uci/seeds") -> list[dict[str, Any]]:
    named = {"source": source, "part": "all", "repeat": 1, "fold": fold, "builder": "evo_tree"}
    return [named | {"generation": index, "best": each, "mean": 2 * each} for index, each in enumerate(best)]


def test_a_fit_that_ended_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[Row]] = []
    name = "pipeline.grammar.comparison.learning_curves.draw"
    monkeypatch.setattr(name, lambda points, *_: drawn.append(points) or ())
    curves = [*curve_rows(1, [0.8, 0.4, 0.4, 0.2]), *curve_rows(2, [0.6, 0.6])]
    parts = published(
        [result_row("uci/seeds", "evo_tree", fold, test_accuracy=0.9) for fold in (1, 2)], tmp_path, curves=curves
    )
    summary = written(SUMMARY, parts, tmp_path / "s", builders=["evo_tree"])
    (table,) = (document for document in summary.documents if document.name == "curves")
    assert table.rows == [
        ["uci/seeds", "all", "evo_tree", 2, 2.0, 1, 3, *map(pytest.approx, (0.7, 0.4, 1.4, 0.8, 1.5))]
    ]
    ((points),) = drawn
    assert [row["generation"] for row in points] == [0, 1, 2, 3]
    assert [row["n"] for row in points] == [2] * 4
    assert [(row["best_low"], row["best_high"]) for row in points] == [(0.6, 0.8), (0.4, 0.6), (0.4, 0.6), (0.2, 0.6)]
    assert [row["mean"] for row in points] == pytest.approx([1.4, 1.0, 1.0, 0.8])


def test_other_data_sets_and_builders_are_summarised_without_the_paper(tmp_path: Path) -> None:
    rows = [
        result_row(source, builder, fold, test_accuracy=0.9, build_seconds=0.1, rows=9, test_rows=9)
        for source in ("sklearn/iris", "sklearn/wine")
        for fold in (1, 2)
        for builder in ("evo_tree", "mine")
    ]
    summary = written(SUMMARY, published(rows, tmp_path), tmp_path / "s", builders=["evo_tree", "mine"])
    documents = {table.name: table.rows for table in summary.documents}
    assert documents["evo_tree"] == documents["data_sets"] == []
    assert {row[0] for row in documents["tests"]} == {"printed", "printed, without the MLP"}
    assert "this run has none of 48 printed values" in "\n".join(map(str, summary.screen(80)))
    assert "claims.csv" not in "\n".join(map(str, summary.screen(80)))  # none was tested
    assert summary.finding.startswith("No accuracies were compared with the paper; ")
    assert not (tmp_path / "s/curves.csv").exists()
