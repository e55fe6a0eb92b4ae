"""T2, T3 and T3C beside C4.5: claims, sweeps, and printed trees beside the best of their form."""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
import yaml

from pipeline.discovery import conf_folder
from pipeline.grids.t3c_vs_c45.comparison import OPTIMA, SUMMARY, SWEEPS
from pipeline.summary.verdicts import Verdict
from tests.summaries.builder_rows import published, result_row, summary_rows, written

SETS = tuple(f"set{index}" for index in range(8))
SHAPES = {  # gain in training and test accuracy over C4.5, and nodes for its ten
    "c45": (0.0, 0.0, 10),
    "t3c_printed": (0.05, 0.0, 5),
    "t3c_exhaustive": (0.06, -0.03, 5),
    "t3c_depth_2": (0.02, 0.0, 3),
    "t3c_depth_4": (0.08, -0.02, 9),
    "t3c_depth_5": (0.08, 0.05, 12),
    "t3c_branches_2": (0.01, 0.02, 4),
}
BUILDERS = tuple(SHAPES)


def made_up(seed: int = 0) -> list[dict[str, Any]]:
    """Two folds of each set; in the first the best tree is proven, and better than the printed one on even sets."""
    rng = np.random.default_rng(seed)
    rows = []
    for index, source in enumerate(SETS):
        base = rng.uniform(0.6, 0.8)
        for fold in (1, 2):
            for builder, (train, test, nodes) in SHAPES.items():
                noise = rng.normal(0, 0.001, 2)
                measures: dict[str, Any] = {
                    "train_accuracy": base + 0.1 + train + noise[0],
                    "test_accuracy": base + test + noise[1],
                    "nodes": nodes + int(rng.integers(0, 2)),
                    "build_seconds": rng.uniform(0.01, 0.02),
                    "terminal_nodes": nodes // 2 + 1,
                    "rows": 90,
                    "test_rows": 10,
                }
                if builder == "t3c_printed":
                    measures |= {"optimal": False, "objective": 0.5, "bound": 0.0}
                if builder == "t3c_exhaustive":
                    better = 0.4 if index % 2 == 0 else 0.5
                    measures |= {"optimal": fold == 1, "objective": better, "bound": better if fold == 1 else 0.0}
                rows.append(result_row(source, builder, fold, **measures))
    return rows


def test_claims_hold_fail_or_stay_open() -> None:
    verdicts = {(row["claim"], row["left"]): row["verdict"] for row in summary_rows(SUMMARY, made_up())["claims"]}
    agrees, differs = Verdict.AGREES, Verdict.DIFFERS
    assert verdicts == {
        ("T3C generates smaller trees than C4.5", "t3c_printed"): agrees,
        ("T3C generates smaller trees than C4.5", "t3c_exhaustive"): agrees,
        ("T3C performs as C4.5 does: no worse", "t3c_printed"): agrees,
        ("T3C performs as C4.5 does: no worse", "t3c_exhaustive"): differs,
        ("T3C performs as C4.5 does: no better", "t3c_printed"): agrees,
        ("T3C performs as C4.5 does: no better", "t3c_exhaustive"): agrees,
        ("increasing depth improves classification accuracy", "t3c_printed"): agrees,
        ("increasing depth improves classification accuracy", "t3c_depth_4"): agrees,
        ("increasing depth improves classification accuracy", "t3c_depth_5"): Verdict.OPEN,
        ("T3C does not perform better when the depth is larger than 3", "t3c_depth_4"): agrees,
        ("T3C does not perform better when the depth is larger than 3", "t3c_depth_5"): differs,
        ("reducing splits could improve generalization accuracy", "t3c_branches_2"): agrees,
    }


def test_steps_are_differences_to_the_builder_that_is_swept() -> None:
    rows = made_up()
    by_key = {(row["sweep"], row["step"]): row for row in summary_rows(SUMMARY, rows)["sweeps"]}
    assert list(by_key) == [
        *(("levels", step) for step in "2345"),
        *(("branches at most", step) for step in ("2", "any")),
        ("acceptable error", "0"),
    ]

    def gain(measure: str) -> float:
        deep, swept = (
            fmean(row[measure] for row in rows if row["builder"] == each) for each in ("t3c_depth_4", "t3c_printed")
        )
        return 100 * (deep - swept)

    four = by_key["levels", "4"]
    assert four["train_difference"] == pytest.approx(gain("train_accuracy"))
    assert four["test_difference"] == pytest.approx(gain("test_accuracy"))
    assert by_key["levels", "3"]["test_difference"] == 0
    assert by_key["acceptable error", "0"]["nodes_ratio"] == 1


def test_only_proven_optima_show_what_is_not_optimal() -> None:
    rows = made_up()
    rows[1] |= {"status": "failed", "test_accuracy": None}  # of the first set, the first fold
    assert (rows[1]["source"], rows[1]["fold"], rows[1]["builder"]) == ("set0", 1, "t3c_printed")
    optima = summary_rows(SUMMARY, rows)["optima"]
    by_key = {row["source"]: (row["n"], row["proven"], row["not_optimal"]) for row in optima}
    assert by_key == {"set0": (1, 0, 0)} | {source: (2, 1, 1 - index % 2) for index, source in enumerate(SETS) if index}
    both = [row for row in rows if (row["source"], row["fold"]) == ("set0", 2)]  # the split on which neither failed
    for who, builder in (("algorithm", "t3c_printed"), ("search", "t3c_exhaustive")):
        fit = next(row for row in both if row["builder"] == builder)
        for which in ("train", "test"):
            assert optima[0][f"{who}_{which}_accuracy"] == pytest.approx(fit[f"{which}_accuracy"])


def test_tables_and_figure_are_written(tmp_path: Path) -> None:
    summary = written(SUMMARY, published(made_up(), tmp_path), tmp_path / "s", builders=BUILDERS)
    assert {path.name for path in (tmp_path / "s").glob("*.csv")} == {
        f"{name}.csv" for name in ("t3c_vs_c45", "claims", "sweeps", "optima", "accuracies", "classes")
    }
    best = list(csv.DictReader((tmp_path / "s/optima.csv").read_text().splitlines()))
    assert [row["not_optimal"] for row in best] == ["1", "0"] * 4
    assert (
        "has more training errors than the best tree of its form in 4 of the 8 fits with a proven optimum (of 16)"
        in str(summary.screen(80)[4])
    )
    assert {path.name for path in summary.figures} == {"t3c_vs_c45.svg", "t3c_vs_c45.png"}
    assert "tests agree with the claims of Li (slides), 2 differ (" in summary.finding
    assert [tree.row["builder"] for tree in summary.trees] == ["t3c_printed", "t3c_exhaustive"]
    assert len({(tree.row["source"], tree.row["fold"]) for tree in summary.trees}) == 1


def test_the_grid_has_every_builder_that_the_summary_speaks_of() -> None:
    grid = yaml.safe_load((conf_folder() / "grid/t3c_vs_c45.yaml").read_text())
    names = {each if isinstance(each, str) else each["name"] for each in grid["builders"]}
    spoken = {row[side] for row in SUMMARY.constants["claims"] for side in ("left", "right")}
    spoken |= {name for builders in SWEEPS.values() for name in builders.values()}
    assert spoken | OPTIMA.keys() | set(OPTIMA.values()) <= names
