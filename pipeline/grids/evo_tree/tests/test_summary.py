"""EVO-Tree beside the paper: verdicts by the rule, claims on one data set, curves, the whole."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from pipeline.grammar.columns import Row
from pipeline.grammar.comparison.claims import claims
from pipeline.grammar.comparison.sections import comparison
from pipeline.grids.evo_tree.tests.paper import (
    ABALONE,
    ACCURACIES,
    CASES,
    CUT,
    MLP,
    NAMES,
    SUMMARY,
)
from pipeline.summary.verdicts import Verdict
from tests.summaries.builder_rows import made_up_run, published, result_row, summary_rows, tables_of
from tests.summaries.readers import summary_for_readers


def splits_about(case: str, builder: str, away: float, spread: float) -> list[dict[str, Any]]:
    """Ten splits whose mean is so far above the printed value."""
    pattern = np.array([-1.0, 1.0] * 5) * spread
    mean = ACCURACIES[case, builder] + away
    return [
        result_row(
            CASES[case]["source"], builder, 1 + index % 2, repeat=1 + index // 2, test_accuracy=float(mean + each)
        )
        for index, each in enumerate(pattern)
    ]


def test_a_cell_differs_beyond_the_larger_of_two_hundredths_and_two_and_a_half_standard_errors() -> None:
    wide = 2.5 * np.std([-0.05, 0.05] * 5, ddof=1) / math.sqrt(10) * math.sqrt(2)
    assert wide > 0.02
    rows = [
        *splits_about("seeds", "j48", 0.0199, 0.001),
        *splits_about("ecoli", "j48", -0.0201, 0.001),  # significant, and within a tenth of the printed value
        *splits_about("page-blocks", "j48", -0.11, 0.001),
        *splits_about("seeds", "svm", -wide + 1e-4, 0.05),
        *splits_about("ecoli", "svm", wide + 1e-4, 0.05),
        *splits_about("seeds", MLP, 0.6, 0.0),
        *splits_about("page-blocks", "svm", 0.0, 0.0),
        *splits_about("seeds", "evo_tree", 0.015, 0.0),  # no spread to judge by
        *splits_about("ecoli", "evo_tree", 0.0, 0.0)[:1],
        result_row(CASES["abalone"]["source"], "j48", 1, status="failed", error="no"),
    ]
    cells = {(row["case"], row["builder"]): row for row in summary_rows(SUMMARY, rows, NAMES)["evo_tree"]}
    assert next(iter(cells))[0] == "ecoli"  # in the order of the paper's data sets
    assert {name: row["verdict"] for name, row in cells.items()} == {
        ("seeds", "j48"): Verdict.AGREES,
        ("ecoli", "j48"): Verdict.AGREES,
        ("page-blocks", "j48"): Verdict.DIFFERS,
        ("seeds", "svm"): Verdict.CONSISTENT,
        ("ecoli", "svm"): Verdict.DIFFERS,
        ("seeds", MLP): Verdict.DIFFERS,
        ("page-blocks", "svm"): Verdict.AGREES,
        ("seeds", "evo_tree"): None,
        ("ecoli", "evo_tree"): None,
        ("abalone", "j48"): None,
    }
    assert cells["seeds", "svm"]["significant_beyond"] == pytest.approx(wide)
    assert cells["seeds", "svm"]["tolerance"] == pytest.approx(0.1 * ACCURACIES["seeds", "svm"])
    assert "failed run" in str(cells["seeds", MLP]["why"])
    assert cells["seeds", "j48"]["why"] is None


def test_a_cell_of_the_cut_data_set_has_a_reason_and_no_verdict() -> None:
    rows = [row | {"source": ABALONE[0], "part": ABALONE[1]} for row in splits_about("abalone", "svm", -0.1, 0.001)]
    (cell,) = summary_rows(SUMMARY, rows, NAMES)["evo_tree"]
    assert (cell["case"], cell["verdict"]) == ("abalone", None)
    assert "4,177 rows" in cell["why"]


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
        [result_row("uci/seeds", "evo_tree", fold, test_accuracy=0.9) for fold in (1, 2)], tmp_path, (), curves
    )
    summary = SUMMARY.of(parts, tmp_path / "s", builders=["evo_tree"])
    (table,) = (document for document in summary.documents if document.name == "curves")
    assert table.rows == [
        ["uci/seeds", "all", "evo_tree", 2, 2.0, 1, 3, *map(pytest.approx, (0.7, 0.4, 1.4, 0.8, 1.5))]
    ]
    ((points),) = drawn
    assert [row["generation"] for row in points] == [0, 1, 2, 3]
    assert [row["n"] for row in points] == [2] * 4
    assert [(row["best_low"], row["best_high"]) for row in points] == [(0.6, 0.8), (0.4, 0.6), (0.4, 0.6), (0.2, 0.6)]
    assert [row["mean"] for row in points] == pytest.approx([1.4, 1.0, 1.0, 0.8])


def made_up() -> list[dict[str, Any]]:
    """All cells as printed, but for a working MLP that is the best; EVO-Tree has a third of J48's leaves."""
    rows = []
    for (case, builder), theirs in ACCURACIES.items():
        for index in range(4):
            accuracy = 0.97 if builder == MLP else theirs
            measures = {"rows": 50, "test_rows": 50, "build_seconds": 0.1, "train_accuracy": 0.98}
            leaves = {"evo_tree": 9, "j48": 27 + len(case), "random_tree": 81 + len(case)}.get(builder)
            measures |= {} if leaves is None else {"terminal_nodes": leaves, "nodes": 2 * leaves - 1, "depth": 5}
            noise = (-0.001, 0.001, 0.002, -0.002)[index]
            split = {"repeat": 1 + index // 2, "test_accuracy": accuracy + noise}
            rows.append(result_row(CASES[case]["source"], builder, 1 + index % 2, **split, **measures))
            if case == "abalone":
                rows.append(rows[-1] | {"part": ABALONE[1]})
    return rows


def class_rows() -> list[dict[str, Any]]:
    """Three classes of seeds, of 30 rows, of 10, and of none."""
    support = {"source": "uci/seeds", "part": "all", "repeat": 1, "fold": 1, "builder": "j48"}
    classes = [
        support | {"class": name, "support": n, "predicted": n, "correct": n} for name, n in (("a", 30), ("b", 10))
    ]
    classes.append(support | {"class": "c", "support": 0, "predicted": 1, "correct": 0})
    return classes


def test_tables_and_figures_are_written(tmp_path: Path) -> None:
    parts = published(made_up(), tmp_path, class_rows(), [*curve_rows(1, [0.8, 0.4]), *curve_rows(2, [0.6, 0.6])])
    summary = SUMMARY.of(parts, tmp_path / "s", builders=NAMES)
    assert {path.stem for path in (tmp_path / "s").glob("*.csv")} == {
        *("data_sets", "evo_tree", "ranks", "tests", "wins", "claims", "curves", "accuracies", "classes")
    }
    assert {path.name for path in summary.figures} == {
        f"{name}.{kind}" for name in ("evo_tree", "ranks", "curves") for kind in ("svg", "png")
    }

    def table(name: str) -> list[dict[str, str]]:
        return list(csv.DictReader((tmp_path / f"s/{name}.csv").read_text().splitlines()))

    sizes = {(row["source"], row["part"]): row for row in table("data_sets")}
    assert len(sizes) == 9
    seeds = sizes["uci/seeds", "all"]
    assert (seeds["printed_rows"], seeds["rows"], seeds["classes"], seeds["largest_class"]) == (
        "210",
        "100",
        "2",
        "0.75",
    )
    assert sizes[ABALONE]["printed_rows"] == "210"
    cells = {(row["case"], row["builder"]): row for row in table("evo_tree")}
    assert len(table("evo_tree")) == 54
    assert {name[1] for name, row in cells.items() if row["verdict"] == "differs"} == {MLP}
    assert cells["seeds", "evo_tree"]["decision_rules"] == "9.0"
    ranks = {(row["case"], row["builder"]): row for row in table("ranks")}
    average = ranks["average", "evo_tree"]
    assert (average["printed"], average["by_printed"], average["by_ours_without_the_mlp"]) == ("2.5", "2.5", "2.5")
    assert ranks["average", MLP]["by_printed_without_the_mlp"] == ""
    assert float(ranks["average", MLP]["by_printed_with_our_mlp"]) < 1.5
    tests = {(row["ranking"], row["test"], row["against"]): row for row in table("tests")}
    assert float(tests["printed", "Friedman", ""]["p"]) == pytest.approx(0.00165, abs=1e-5)
    assert float(tests["ours, without the MLP", "Friedman", ""]["p"]) == pytest.approx(0.319, abs=1e-3)
    assert tests["ours", "Wilcoxon", "svm"]["wins"] == "7"
    claims = {(row["claim"], row["right"], row["on"]): row["verdict"] for row in table("claims")}
    assert claims["EVO-Tree reduces the number of decision rules", "j48", ""] == "agrees"
    assert {(row["tree"], row["other"]): row["wins"] for row in table("wins")}["evo_tree", "naive_bayes"] == "5"
    assert {row["verdict"] for row in table("evo_tree") if (row["source"], row["part"]) == ABALONE} == {""}
    message = "\n".join(map(str, summary.screen(100)))
    assert summary.finding.startswith(
        "40 of 48 accuracies agree with the paper, 6 differ and 2 are misprints. By builder, "
    )
    assert "mlp 0 of 8" in summary.finding
    assert summary.finding.count(" 8 of 8") == 5
    assert "ours: a significant difference (Friedman, p =" in message
    won = (
        "trees beat svm in 19 of 24 printed cases and 19 of 24 here, naive_bayes in 14 of 24 printed cases and 14 of "
        "24 here, mlp in 24 of 24 printed cases and 0 of 24 here"
    )
    assert won in message
    assert won in summary.finding


def test_what_a_reader_gets(tmp_path: Path) -> None:
    rows = made_up()
    for row in rows:
        if (row["source"], row["fold"]) == (CASES["seeds"]["source"], 1):
            better = {"j48": {"nodes": 39, "terminal_nodes": 20}, "evo_tree": {"test_accuracy": 0.99}}
            row.update(better.get(row["builder"], {}))
    rows[0] |= {"status": "failed", "test_accuracy": None, "error": "no"}
    tables = tables_of(rows, class_rows(), [*curve_rows(1, [0.8, 0.4, 0.4]), *curve_rows(2, [0.6, 0.6])])
    run = made_up_run(tables, tmp_path, lambda *given: SUMMARY.of(*given, builders=NAMES))
    summary = summary_for_readers(run, tmp_path / "s")
    for message in (
        "mlp 0 of 8",
        "trees beat svm in 19 of 24 printed cases",
        "significant difference (Friedman, p = ",
        "1 of 216 fits failed",
    ):
        assert message in summary.finding
    smaller = [tree.row for tree in summary.trees[:2]]
    assert [row["builder"] for row in smaller] == ["j48", "evo_tree"]
    assert {row["source"] for row in smaller} == {CASES["seeds"]["source"]}


def test_other_data_sets_and_builders_are_summarised_without_the_paper(tmp_path: Path) -> None:
    rows = [
        result_row(source, builder, fold, test_accuracy=0.9, build_seconds=0.1, rows=9, test_rows=9)
        for source in ("sklearn/iris", "sklearn/wine")
        for fold in (1, 2)
        for builder in ("evo_tree", "mine")
    ]
    summary = SUMMARY.of(published(rows, tmp_path), tmp_path / "s", builders=["evo_tree", "mine"])
    documents = {table.name: table.rows for table in summary.documents}
    assert documents["evo_tree"] == documents["data_sets"] == []
    assert {row[0] for row in documents["tests"]} == {"printed", "printed, without the MLP"}
    assert "no printed value, of 48, is in this run" in "\n".join(map(str, summary.screen(80)))
    assert "claims.csv" not in "\n".join(map(str, summary.screen(80)))  # none was tested
    assert summary.finding.startswith("No accuracies were compared with the paper; ")
    assert not (tmp_path / "s/curves.csv").exists()
