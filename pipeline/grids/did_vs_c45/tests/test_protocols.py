"""What trees of drawn rows say of the test rows, and which printed values that explains, by plain loops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from algorithms.data.data_set import DataSet
from algorithms.trees.decision_tree import DecisionTree
from pipeline.builders import builders_named
from pipeline.data.protocols import Protocol, drawn_seed
from pipeline.discovery import conf_folder
from pipeline.grammar.comparison.candidates import HALVES
from pipeline.grids.did_vs_c45.readings import printed_cells
from pipeline.grids.did_vs_c45.rows import _range_by_ties
from pipeline.grids.did_vs_c45.tests.test_grid import cells_of, comparison, depth_grid, path
from tests.algorithms.grown_trees import gain_ratio_tree, id3_tree

DRAWS = 3
FEW = Protocol("holdout", test_share=0.95, repeats=DRAWS)
"""So few rows that branches are missing."""
SOME = Protocol("holdout", test_share=0.7, repeats=DRAWS)
"""So many that some printed values are explained."""
PRINTED = Path(__file__).parents[1] / "printed"


def depths_of(protocol: Protocol) -> list[dict[str, Any]]:
    made = depth_grid(comparison(["rule/monks-3"], protocol), orders=0)
    return list(made.work(0, made.items)["depths"].to_pylist())


@pytest.fixture(scope="module")
def depths() -> list[dict[str, Any]]:
    return depths_of(SOME)


def answer(tree: DecisionTree, row: tuple[int, ...]) -> tuple[int, bool]:
    """The class that a row gets, and whether it ends at a leaf."""
    node = path(tree, row)[-1]
    return int(tree.decision[node]), tree.attribute[node] < 0


def counts(tree: DecisionTree, test: DataSet) -> dict[str, float]:
    """What the columns of the table of depths have, a row at a time."""
    answers = [answer(tree, row) for row in zip(*test.columns, strict=True)]
    right = [message == true for (message, _), true in zip(answers, test.decisions, strict=True)]
    precisions = []
    for decision in range(len(test.classes)):
        own = [good for (message, _), good in zip(answers, right, strict=True) if message == decision]
        precisions.append(sum(own) / len(own) if own else 0.0)
    return {
        "test_rows": test.rows,
        "correct": sum(right),
        "classified": sum(leaf for _, leaf in answers),
        "classified_correct": sum(good and leaf for (_, leaf), good in zip(answers, right, strict=True)),
        "mean_precision": sum(precisions) / len(precisions),
    }


def test_test_rows_are_counted_as_a_walk_of_each_counts_them() -> None:
    drawn, depths = comparison(["rule/monks-3"], FEW), depths_of(FEW)
    selected = drawn.select_rows(drawn.sources[0], drawn.sources[0].load())
    unclassified = 0.0
    for repeat in range(1, DRAWS + 1):
        split = FEW.split(selected.split_source, 0, repeat, 1)
        train, test = selected.data.take(split.train), selected.data.take(split.test)
        for name, tree in (("id3", id3_tree(train)), ("gain_ratio", gain_ratio_tree(train))):
            (row,) = (depth for depth in depths if (depth["builder"], depth["repeat"]) == (name, repeat))
            expected = counts(tree, test)
            unclassified += expected["test_rows"] - expected["classified"]
            assert {key: row[key] for key in expected} == pytest.approx(expected)
    assert unclassified > 0


def test_trees_of_all_rows_are_tested_on_none() -> None:
    made = depth_grid(comparison(["uci/balloons/adult-stretch"], Protocol("k_fold", folds=2)), orders=0)
    rows = made.work(0, 1)["depths"].to_pylist()
    assert len(rows) > 1
    assert {row[key] for row in rows for key in ("correct", "classified", "classified_correct", "mean_precision")} == {
        None
    }


def test_printed_pairs_are_read_by_each_measure(depths: list[dict[str, Any]]) -> None:
    result = cells_of(*depths, table="did_vs_c45_readings")
    printed = {c["printed_builder"]: c for c in printed_cells(PRINTED) if c["source"] == "rule/monks-3"}
    assert len(result) == 9
    both: dict[str, int] = {}
    likelihoods: dict[str, float] = {}
    for row in result:
        own = [depth for depth in depths if depth["builder"] == row["builder"]]
        shares = {
            "accuracy": [each["correct"] / each["test_rows"] for each in own],
            "accuracy of classified rows": [each["classified_correct"] / each["classified"] for each in own],
            "mean precision": [each["mean_precision"] for each in own],
        }
        values = {
            "depth": [each["search_depth"] for each in own],
            "accuracy": [100 * x for x in shares[row["measure"]]],
        }
        assert (row["draws"], row["test_share"]) == (DRAWS, 0.7)
        for name, near in (("depth", 0.05), ("accuracy", 1)):
            cell, mean = printed[row["printed_builder"]], np.mean(values[name])
            low, high = np.quantile(values[name], [0.025, 0.975])
            assert [row[key] for key in (name, f"{name}_low", f"{name}_high")] == pytest.approx([mean, low, high])
            rounding = cell[f"{name}_rounding"]
            like = low - rounding <= cell[name] <= high + rounding or abs(mean - cell[name]) <= near + rounding
            assert row[f"{name}_agrees"] == like
            error = np.sqrt(np.var(values[name], ddof=1) * (1 + 1 / DRAWS) + rounding**2 / 3)
            assert row[f"{name}_likelihood"] == pytest.approx(norm.logpdf(cell[name], mean, error))
            likelihoods[row["measure"]] = likelihoods.get(row["measure"], 0.0) + row[f"{name}_likelihood"]
        both[row["measure"]] = both.get(row["measure"], 0) + (row["depth_agrees"] and row["accuracy_agrees"])
    totals = cells_of(*depths, table="did_vs_c45_protocols")
    assert {row["measure"]: row["both_agree"] for row in totals} == both
    assert {row["pairs"] for row in totals} == {3}
    assert {row["measure"]: row["log_likelihood"] for row in totals} == pytest.approx(likelihoods)
    assert sum(row["won"] for row in totals) == HALVES
    assert 0 < sum(both.values()) < 9


def test_a_single_set_of_rows_is_no_draw(depths: list[dict[str, Any]]) -> None:
    with pytest.raises(KeyError, match="did_vs_c45_readings"):
        cells_of(*(row for row in depths if row["repeat"] == 1), table="did_vs_c45_readings")


def test_ties_are_settled_against_the_test_rows_and_with_them_over_all_orders() -> None:
    drawn = comparison(["rule/monks-3"], Protocol("holdout", test_share=0.95))
    selected = drawn.select_rows(drawn.sources[0], drawn.sources[0].load())
    split = drawn.protocol.split(selected.split_source, 0, 1, 1)
    train, test = selected.data.take(split.train), selected.data.take(split.test)
    result = _range_by_ties(builders_named(["id3"], (), [conf_folder()])[0], train, test, seed=0, orders=3)
    generator = np.random.default_rng(drawn_seed(0, "orders"))
    orders = [np.arange(len(train.attributes)), *(generator.permutation(len(train.attributes)) for _ in range(3))]
    fewest, most = [], []
    for order in orders:
        a, b = train.select(order.tolist()), test.select(order.tolist())
        tree = id3_tree(a)
        surely = perhaps = 0
        for row, true in zip(zip(*b.columns, strict=True), b.decisions, strict=True):
            node = path(tree, row)[-1]
            usual = np.flatnonzero(tree.counts[node] == tree.counts[node].max())
            surely += usual.tolist() == [true]
            perhaps += true in usual
        fewest.append(surely)
        most.append(perhaps)
    assert min(fewest) < max(most)
    assert (result["fewest_correct"], result["most_correct"]) == (min(fewest), max(most))
