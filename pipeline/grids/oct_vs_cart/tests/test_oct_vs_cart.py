"""The grid of OCT beside CART: rows that plain loops and brute force give, whatever the chunks, and the command."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from sklearn.tree import DecisionTreeClassifier

from algorithms.data.data_set import DataSet
from algorithms.optimal.instance import Instance
from pipeline.configuration.settings import Data
from pipeline.conformance import without_seconds
from pipeline.data.protocols import Protocol
from pipeline.data.sources import sources_named
from pipeline.discovery import conf_folder
from pipeline.grids.oct_vs_cart.grid import OctVsCartGrid
from pipeline.grids.oct_vs_cart.rows import SplitRows, split_rows
from pipeline.grids.oct_vs_cart.tables import PRINTED
from tests.oracles.optimal_trees import fewest_errors

THREE_WAY = Protocol("holdout", test_share=0.25, validation_share=0.25, repeats=2)
BALLOONS = "uci/balloons/yellow-small+adult-stretch"
SETS = (BALLOONS, "sklearn/iris")


def grid(names: tuple[str, ...] = SETS, **changes: Any) -> OctVsCartGrid:
    sources = sources_named(list(names), None, Data(None, None))
    made = OctVsCartGrid(
        sources=sources,
        protocol=THREE_WAY,
        depths=(1, 2),
        min_rows_leaf=0.05,
        refit=False,
        work_limit=None,
        seed=0,
    )
    return replace(made, **changes)


def rows_split(made: OctVsCartGrid, repeat: int) -> SplitRows:
    return split_rows(made, made.item(made.number_of({"repeat": repeat})))


def computed(
    made: OctVsCartGrid, first: int = 0, stop: int | None = None
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each result row but its times, with its tuning."""
    tables = made.work(first, made.items if stop is None else stop)
    results = without_seconds(tables["results"])
    return list(zip(results, tables["tunings"].to_pylist(), strict=True))


def test_a_row_for_each_source_repeat_depth_and_builder() -> None:
    made = grid()
    assert made.items == 2 * 2 * 2
    rows = computed(made)
    assert [(row["source"], row["repeat"], tuning["max_depth"], row["builder"]) for row, tuning in rows] == [
        (source, repeat, depth, builder)
        for source in SETS
        for repeat in (1, 2)
        for depth in (1, 2)
        for builder in ("cart", "oct")
    ]
    for row, tuning in rows:
        assert {row["status"], tuning["status"]} == {"ok"}
        assert all(row[name] == tuning[name] for name in ("source", "part", "repeat", "builder", "parameters"))
        assert row["depth"] <= tuning["max_depth"] == json.loads(row["parameters"])["max_depth"]
        assert row["rows"] + tuning["validation_rows"] + row["test_rows"] == tuning["rows"]
        assert tuning["alpha_low"] <= tuning["alpha"] <= tuning["alpha_high"]
        assert (tuning["attributes"], tuning["classes"]) == ((4, 2) if row["source"] == BALLOONS else (4, 3))
        assert (row["builder"] == "cart") == (row["optimal"] is None) == (tuning["work"] is None)


def test_oct_is_the_optimum_of_its_alpha_by_brute_force() -> None:
    """Trees of every size on the rows of balloons, whose four attributes have two values each."""
    made = grid((BALLOONS,), min_rows_leaf=0.15)
    rows = [pair for pair in computed(made) if pair[0]["builder"] == "oct"]
    assert len(rows) == 4
    for row, tuning in rows:
        train, validation, test, _ = rows_split(made, row["repeat"])
        assert 1 < math.ceil(0.15 * train.rows) < 4
        least = math.ceil(0.15 * train.rows)
        instance = Instance(train, np.ones(train.rows), max_depth=tuning["max_depth"], min_samples_leaf=least)
        fewest = fewest_errors(instance)
        costs = {splits: errors / instance.baseline + tuning["alpha"] * splits for splits, errors in fewest.items()}
        assert row["objective"] == pytest.approx(min(costs.values()))
        assert row["optimal"]
        assert row["bound"] == pytest.approx(row["objective"])
        assert row["objective"] == pytest.approx(costs[row["nonterminal_nodes"]])
        wrong = round((1 - row["train_accuracy"]) * train.rows)
        assert wrong == fewest[row["nonterminal_nodes"]]
        assert (len(validation.decisions), len(test.decisions)) == (tuning["validation_rows"], row["test_rows"])


def plain_cart(train: DataSet, validation: DataSet, depth: int, least: float) -> tuple[float, int]:
    """The best validation accuracy of scikit-learn's CART over many alphas, and the fewest nodes that have it."""
    best = (0.0, 0)
    for alpha in np.linspace(0, 0.7, 141):
        peer = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=least, ccp_alpha=alpha, random_state=0)
        peer.fit(train.values(), train.decisions)
        best = max(best, (peer.score(validation.values(), validation.decisions), -peer.tree_.node_count))
    return best[0], -best[1]


def test_cart_is_tuned_as_a_plain_loop_over_alphas_would() -> None:
    made = grid(("sklearn/iris",))
    for row, tuning in computed(made):
        if row["builder"] == "cart":
            train, validation, _, _ = rows_split(made, row["repeat"])
            accuracy, nodes = plain_cart(train, validation, tuning["max_depth"], 0.05)
            assert (tuning["validation_accuracy"], row["nodes"]) == (pytest.approx(accuracy), nodes)


def test_refitted_trees_are_of_the_validation_rows_too() -> None:
    once, again = computed(grid((BALLOONS,))), computed(grid((BALLOONS,), refit=True))
    for (row, tuning), (refitted, tuned_again) in zip(once, again, strict=True):
        assert refitted["rows"] == row["rows"] + tuning["validation_rows"]
        assert refitted["test_rows"] == row["test_rows"]
        assert tuned_again["alpha"] == tuning["alpha"]


def test_a_budget_of_work_gives_the_same_trees_again_and_says_what_is_proven() -> None:
    made = grid(("sklearn/wine",), depths=(3,), work_limit=1)
    rows = computed(made)
    assert rows == computed(made)
    for row, _ in rows:
        assert row["status"] == "ok"
        if row["builder"] == "oct":
            assert row["optimal"] == (row["bound"] >= row["objective"])
            assert row["bound"] <= row["objective"]


def test_nominal_attributes_are_dummy_coded_and_incomplete_rows_left_out(tmp_path: Path) -> None:
    lines = [f"{'abc'[k % 3]},{'xy'[k % 2]},{k},{'uv'[k // 13]}" for k in range(26)]
    (tmp_path / "mine.csv").write_text("letter,pair,number,class\n" + "\n".join([*lines, "a,,3,u"]) + "\n")
    made = grid((str(tmp_path / "mine.csv"),))
    (_, tuning), *_ = computed(made, 0, 1)
    assert (tuning["rows"], tuning["attributes"], tuning["classes"]) == (26, 2 + 1 + 1, 2)


def test_a_failed_cell_is_a_row_with_the_reason() -> None:
    made = grid(protocol=replace(THREE_WAY, stratified=True, test_share=0.01))
    for row, tuning in computed(made, 0, 1):
        assert (row["status"], tuning["status"]) == ("failed", "failed")
        assert "cannot be split" in row["error"]


def test_the_sources_are_the_printed_ones_of_the_catalogue() -> None:
    config = yaml.safe_load((conf_folder() / "grid" / "oct_vs_cart.yaml").read_text())
    listed = csv.DictReader((PRINTED / "listed.csv").read_text().splitlines())
    assert [name.partition(":")[0] for name in config["source"]] == [row["source"] for row in listed if row["source"]]
