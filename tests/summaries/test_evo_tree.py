"""EVO-Tree beside print: tables as printed, verdicts by the rule told, claims on one data set, curves, the whole."""

from __future__ import annotations

import csv
import math
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from pipeline.configuration.folders import conf_folder
from pipeline.data.catalogue.catalogue import catalogue
from pipeline.data.catalogue.entry import ColumnKind
from pipeline.grammar.claims import Claim, rulings
from pipeline.grammar.comparison.accuracies import scores_of
from pipeline.grammar.comparison.learning_curves import curve_table, curves_of
from pipeline.grids.evo_tree.cells import compare
from pipeline.grids.evo_tree.claims import CLAIMS
from pipeline.grids.evo_tree.printed import (
    AVERAGE,
    BUILDERS,
    CASES,
    CUT,
    MLP,
    WHY,
    printed_accuracies,
    printed_ranks,
    printed_sizes,
)
from pipeline.grids.evo_tree.summary import our_accuracies, rankings, summarise
from pipeline.summary.verdicts import Verdict
from tests.summaries.builder_rows import made_up_run, published, result_row, tables_of
from tests.summaries.readers import summary_for_readers

ABALONE = ("uci/abalone", "210 rows")


def reference(shared: Path, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((shared / f"papers/tables/evo_tree_{name}.csv").read_text().splitlines()))


def by_cell(rows: list[dict[str, str]], measure: str) -> dict[tuple[str, str], float]:
    return {(row["dataset"], BUILDERS[row["classifier"]]): float(row[measure]) for row in rows}


def test_print_is_what_the_reference_has(shared: Path) -> None:
    cells = reference(shared, "accuracy")
    assert len(cells) == 48
    assert printed_accuracies() == by_cell(cells, "accuracy")
    assert printed_ranks() == by_cell(reference(shared, "ranks"), "rank")
    sizes = {name: [str(value) for value in astuple(one)] for name, one in printed_sizes().items()}
    columns = ("instances", "attributes", "classes")
    assert sizes == {row["dataset"]: [row[name] for name in columns] for row in reference(shared, "datasets")}


def test_the_grid_has_every_case_and_builder_of_print() -> None:
    grid = yaml.safe_load((conf_folder() / "grid/evo_tree.yaml").read_text())
    sources = {source.removesuffix(":all") for source in grid["source"]}
    assert sources == {case.source for case in CASES.values()} | {"uci/abalone:210"}
    assert {one if isinstance(one, str) else one["name"] for one in grid["builders"]} == set(BUILDERS.values())
    assert {name for claim in CLAIMS for name in (claim.left, claim.right)} <= set(BUILDERS.values())
    assert set(CASES) == {case for case, _ in printed_accuracies()}
    assert set(WHY) <= set(printed_accuracies())


def test_the_attributes_of_a_case_are_those_of_the_catalogue() -> None:
    for case in CASES.values():
        columns = catalogue().entry(case.source).layout.columns
        assert case.attributes == sum(one.kind in {ColumnKind.NUMERIC, ColumnKind.NOMINAL} for one in columns)


def test_ranks_of_the_printed_accuracies_are_the_printed_ranks() -> None:
    """Print has no ties, so that its ranks follow from its accuracies."""
    found = rankings(printed_accuracies(), {})
    assert list(found) == ["printed", "printed, without the MLP"]
    for (case, builder), rank in printed_ranks().items():
        if case == AVERAGE:
            assert found["printed"].mean[builder] == pytest.approx(rank, abs=0.00501)
        else:
            assert found["printed"].of(case, builder) == rank


def test_what_a_working_mlp_does_to_the_ranks() -> None:
    ours = {(case, MLP): 0.999 for case in CASES}
    found = rankings(printed_accuracies(), ours)
    assert found["printed, with our MLP"].mean[MLP] == 1
    assert found["printed, with our MLP"].mean["evo_tree"] == found["printed, without the MLP"].mean["evo_tree"] + 1
    alone = rankings(printed_accuracies(), {("seeds", MLP): 0.9})["printed, with our MLP"]
    assert (alone.data_sets, alone.of("seeds", MLP)) == (
        ("seeds",),
        3.5,
    )  # tied with the SVM, after 0.909 and 0.901


def test_the_printed_mlp_is_below_the_largest_class_on_five_sets(shared: Path) -> None:
    known = catalogue(str(shared / "data"))
    below = []
    for name, case in CASES.items():
        data = known.load(case.source).part("all")
        assert data.missing.sum() == 0
        if printed_accuracies()[name, MLP] < np.bincount(data.decisions).max() / data.rows:
            below.append(name)
    assert below == ["page-blocks", "seeds", "winequality-red", "winequality-white", "abalone"]
    assert "five of the eight" in WHY["seeds", MLP]


def splits_about(case: str, builder: str, away: float, spread: float) -> list[dict[str, Any]]:
    """Ten splits whose mean lies so far above print."""
    pattern = np.array([-1.0, 1.0] * 5) * spread
    mean = printed_accuracies()[case, builder] + away
    return [
        result_row(CASES[case].source, builder, 1 + place % 2, repeat=1 + place // 2, test_accuracy=float(mean + one))
        for place, one in enumerate(pattern)
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
        *splits_about("seeds", "evo_tree", 0.015, 0.0),  # no spread to tell by
        *splits_about("ecoli", "evo_tree", 0.0, 0.0)[:1],
        result_row(CASES["abalone"].source, "j48", 1, status="failed", error="no"),
    ]
    cells = {(cell.case, cell.score.builder): cell for cell in compare(scores_of(rows))}
    assert next(iter(cells))[0] == "ecoli"  # in the order of the paper's data sets
    assert {name: cell.verdict for name, cell in cells.items()} == {
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
    assert cells["seeds", "svm"].significant_beyond == pytest.approx(wide)
    assert cells["seeds", "svm"].tolerance == pytest.approx(0.1 * printed_accuracies()["seeds", "svm"])
    assert "broken run" in str(cells["seeds", MLP].why)
    assert cells["seeds", "j48"].why is None


def test_a_claim_about_one_data_set_is_tested_over_its_splits() -> None:
    """By hand: gains of 1, 2, 3, 2 points have the variance 2/3, which counts 1/4 + 1 times."""
    rows = []
    for place, gain in enumerate((1, 2, 3, 2)):
        split = {"repeat": 1 + place // 2, "part": ABALONE[1], "rows": 105, "test_rows": 105, "train_accuracy": 0.5}
        rows.append(result_row(ABALONE[0], "j48", 1 + place % 2, test_accuracy=0.2, **split))
        rows.append(result_row(ABALONE[0], "evo_tree", 1 + place % 2, test_accuracy=0.2 + gain / 100, **split))
    claims = (
        Claim("more accurate", "evo_tree", "j48", "accuracy", above=True, on=CUT),
        Claim("less overfitted", "evo_tree", "j48", "overfitting", above=False, on=CUT),
        Claim("everywhere", "evo_tree", "j48", "accuracy", above=True),
        Claim("elsewhere", "evo_tree", "j48", "accuracy", above=True, on="uci/abalone"),
    )
    scores = scores_of(rows)
    found = rulings(scores, claims, apart=(CUT,))
    assert [one.claim.words for one in found] == ["more accurate", "less overfitted"]
    assert [one.difference.mean for one in found] == pytest.approx([2.0, -2.0])
    error = math.sqrt((1 / 4 + 1) * 2 / 3)
    assert [one.difference.standard_error for one in found] == pytest.approx([error] * 2)
    assert [one.difference.n for one in found] == [4, 4]
    assert [one.verdict for one in found] == [Verdict.OPEN] * 2  # 2 / 0.91 is below the critical z of two claims, 2.24
    assert rulings(scores, claims[:1])[0].verdict is Verdict.AGREES


def curve_rows(fold: int, best: list[float], source: str = "uci/seeds") -> list[dict[str, Any]]:
    named = {"source": source, "part": "all", "repeat": 1, "fold": fold, "builder": "evo_tree"}
    return [named | {"generation": place, "best": one, "mean": 2 * one} for place, one in enumerate(best)]


def test_a_fit_that_ended_stays_where_it_was() -> None:
    (found,) = curves_of([*curve_rows(1, [0.8, 0.4, 0.4, 0.2]), *curve_rows(2, [0.6, 0.6])])
    assert found.best.tolist() == [[0.8, 0.4, 0.4, 0.2], [0.6, 0.6, 0.6, 0.6]]
    assert found.mean.tolist()[1] == [1.2] * 4
    assert (found.generations.tolist(), found.improved.tolist()) == ([3, 1], [3, 0])
    (row,) = curve_table((found,)).rows
    assert row == ("uci/seeds", "all", "evo_tree", 2, 2.0, 1, 3, *map(pytest.approx, (0.7, 0.4, 1.4, 0.8, 1.5)))


def made_up() -> list[dict[str, Any]]:
    """All cells at print, but for a working MLP that is the best; EVO-Tree has a third of J48's leaves."""
    rows = []
    for (case, builder), theirs in printed_accuracies().items():
        for place in range(4):
            accuracy = 0.97 if builder == MLP else theirs
            measures = {"rows": 50, "test_rows": 50, "build_seconds": 0.1, "train_accuracy": 0.98}
            leaves = {"evo_tree": 9, "j48": 27 + len(case), "random_tree": 81 + len(case)}.get(builder)
            measures |= {} if leaves is None else {"terminal_nodes": leaves, "nodes": 2 * leaves - 1, "depth": 5}
            noise = (-0.001, 0.001, 0.002, -0.002)[place]
            split = {"repeat": 1 + place // 2, "test_accuracy": accuracy + noise}
            rows.append(result_row(CASES[case].source, builder, 1 + place % 2, **split, **measures))
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


def test_tables_and_figures_are_written_and_figures_are_the_same_each_time(tmp_path: Path) -> None:
    parts = published(made_up(), tmp_path, class_rows(), [*curve_rows(1, [0.8, 0.4]), *curve_rows(2, [0.6, 0.6])])
    summary = summarise(parts, list(BUILDERS.values()), tmp_path / "s")
    assert {path.stem for path in (tmp_path / "s").glob("*.csv")} == {
        *("data_sets", "evo_tree", "ranks", "tests", "wins", "claims", "curves", "accuracies", "classes")
    }
    assert {path.name for path in summary.figures} == {
        f"{name}.{kind}" for name in ("evo_tree", "ranks", "curves") for kind in ("svg", "png")
    }
    again = summarise(parts, list(BUILDERS.values()), tmp_path / "t")
    assert [path.read_bytes() for path in summary.figures] == [path.read_bytes() for path in again.figures]

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
    said = "\n".join(map(str, summary.screen(100)))
    assert (
        "40 of 48 cells agree with the paper, 0 are consistent with it and 8 differ (without the MLP: 40 of 40" in said
    )
    assert "ours: Friedman's p =" in said
    assert "trees beat SVM and naive Bayes in 33 of 48 cases of print, here in 33 of 48; the MLP in 24 of 24" in said
    assert "cases of print, here in 0 of 24" in said


def test_what_a_reader_gets(tmp_path: Path) -> None:
    rows = made_up()
    for row in rows:
        if (row["source"], row["fold"]) == (CASES["seeds"].source, 1):
            better = {"j48": {"nodes": 39, "terminal_nodes": 20}, "evo_tree": {"test_accuracy": 0.99}}
            row.update(better.get(row["builder"], {}))
    rows[0] |= {"status": "failed", "test_accuracy": None, "error": "no"}
    tables = tables_of(rows, class_rows(), [*curve_rows(1, [0.8, 0.4, 0.4]), *curve_rows(2, [0.6, 0.6])])
    names = list(BUILDERS.values())
    run = made_up_run(tables, tmp_path, lambda parts, folder: summarise(parts, names, folder))
    summary = summary_for_readers(run, tmp_path / "s")
    for said in (
        "(without the MLP: ",
        "trees beat SVM and naive Bayes in 33 of 48",
        "Friedman's p = ",
        "1 of 216 fits failed",
    ):
        assert said in summary.finding
    smaller = [tree.row for tree in summary.trees[:2]]
    assert [row["builder"] for row in smaller] == ["j48", "evo_tree"]
    assert {row["source"] for row in smaller} == {CASES["seeds"].source}


def test_other_data_sets_and_builders_are_summarised_without_print(tmp_path: Path) -> None:
    rows = [
        result_row(source, builder, fold, test_accuracy=0.9, build_seconds=0.1, rows=9, test_rows=9)
        for source in ("sklearn/iris", "sklearn/wine")
        for fold in (1, 2)
        for builder in ("evo_tree", "mine")
    ]
    summary = summarise(published(rows, tmp_path), ["evo_tree", "mine"], tmp_path / "s")
    assert (summary.cells, our_accuracies(summary.scores)) == ((), {})
    assert list(summary.rankings) == ["printed", "printed, without the MLP"]
    assert "no cells were compared with the paper" in "\n".join(map(str, summary.screen(80)))
    assert "claims.csv" not in "\n".join(map(str, summary.screen(80)))  # none was tested
    assert summary.finding.startswith("No cells were compared with the paper; ")
    assert not (tmp_path / "s/curves.csv").exists()
