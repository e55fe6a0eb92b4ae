"""Trees beside exact minima on real tables: rows that the definitions give, and a summary of them."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from algorithms.data.data_set_of import data_set_of
from algorithms.data.table import DecisionTable
from algorithms.greedy import greedy_tree
from algorithms.induction.cart import CARTClassifier
from algorithms.measures.impurity import impurity_function
from algorithms.trees.costs import COST_FUNCTIONS, COUNTED_COSTS
from pipeline.builders import Builder, builders_named
from pipeline.configuration.settings import Data
from pipeline.data.sources import sources_named
from pipeline.data.table_options import TableOptions
from pipeline.discovery import conf_folder
from pipeline.grammar.axes import Item
from pipeline.grammar.table_rows import built, minima
from pipeline.grids.induction_gap.grid import InductionGapGrid
from pipeline.grids.induction_gap.summary import GAPS, SUMMARY
from tests.algorithms.grown_trees import did_tree, gain_ratio_tree, generate_tree, id3_tree
from tests.oracles import brute_force
from tests.pipeline.questions import computed_run, summarised
from tests.summaries.builder_rows import published, result_row, written

FEW = ("max/rt", "w_sum/gini")
ALL = {"name": "mid-level all", "builder": "mid_level", "parameters": {"width": None}}
BUILDERS = builders_named(["id3", "gain_ratio", "did", "cart", "generate_tree", ALL], (), [conf_folder()])
WEIGHTED = TableOptions("mode", "values", 10, (), "drop", "first_seen", "multiplicity")
SETS = ("rule/monks-1", "uci/balloons/adult-stretch")


def grid(names: tuple[str, ...] = SETS, **changes: object) -> InductionGapGrid:
    sources = sources_named(list(names), None, Data(None, None))
    made = InductionGapGrid(
        sources=sources,
        options=WEIGHTED,
        heuristics=tuple(map(impurity_function, FEW)),
        builders=BUILDERS,
        graph_bytes=2**28,
        seed=0,
    )
    return replace(made, **changes)


def builder_row(table: DecisionTable, builder: Builder) -> dict[str, Any]:
    return built(table, builder, 0).measures


def exact_row(table: DecisionTable, limit: int) -> dict[str, Any]:
    return minima(table, limit).measures


@dataclass(frozen=True, kw_only=True)
class GivenTable(InductionGapGrid):
    """Its first item is this table."""

    given: DecisionTable = field(compare=False)

    def decision_table(self, item: Item) -> DecisionTable:
        return self.given


def random_table(seed: int) -> DecisionTable:
    rng = np.random.default_rng(seed)
    return DecisionTable.from_codes(rng.integers(0, 3, (14, 4)), rng.integers(0, 3, 14), weights=rng.integers(1, 5, 14))


@pytest.mark.parametrize("seed", range(4))
def test_a_weight_is_as_good_as_so_many_rows(seed: int) -> None:
    """Trees of the table's rows, each written out as often as it weighs, have the costs of the rows of the grid."""
    table = random_table(seed)
    data = data_set_of(table).take(np.repeat(np.arange(table.rows), table.weights))
    trees = {
        "id3": id3_tree(data),
        "gain_ratio": gain_ratio_tree(data),
        "did": did_tree(data),
        "cart": CARTClassifier().fit(data).tree_,
        "generate_tree": generate_tree(data),
    }
    for builder in BUILDERS[:-1]:
        row = builder_row(table, builder)
        costs = trees[builder.name].costs_of_rows(data.values())
        assert row["status"] == "ok"
        assert [row[cost] for cost in COST_FUNCTIONS] == pytest.approx([costs[cost] for cost in COST_FUNCTIONS])
    least = exact_row(table, 2**28)
    assert builder_row(table, BUILDERS[-1])["average_depth"] == pytest.approx(least["average_depth"])
    given = brute_force.table_of(table.codes.tolist(), table.decisions.tolist(), table.weights.tolist())
    assert tuple(least[cost] for cost in COUNTED_COSTS) == brute_force.least_by_recursion(given)


def test_no_tree_with_a_branch_a_value_is_below_the_minimum_and_the_heuristics_are_those_of_the_paper() -> None:
    made = grid()
    rows = made.work(0, made.items)["results"].to_pylist()
    assert len(rows) == made.items * made.cells_per_item
    for item in range(made.items):
        *trees, exact = rows[item * made.cells_per_item : (item + 1) * made.cells_per_item]
        table = made.table(item)
        for name, row in zip(FEW, trees, strict=False):
            costs = greedy_tree(table, impurity_function(name)).costs(table)
            assert [row[cost] for cost in COST_FUNCTIONS] == [costs[cost] for cost in COST_FUNCTIONS]
        for row in trees:
            assert row["builder"] == "cart" or all(row[cost] >= exact[cost] for cost in COST_FUNCTIONS)


def test_a_failure_is_a_row_that_says_so() -> None:
    rng = np.random.default_rng(0)
    table = DecisionTable.from_codes(rng.integers(0, 2, (200, 14)), rng.integers(0, 2, 200))
    (small,) = builders_named([ALL | {"parameters": {"width": None, "limit": 100_000}}], (), [conf_folder()])
    made = GivenTable(**vars(grid()) | {"builders": (small,), "graph_bytes": 1}, given=table)
    *greedy, grown, exact = made.work(0, 1)["results"].to_pylist()
    assert {row["status"] for row in greedy} == {"ok"}
    for row in (grown, exact):
        assert (row["status"], row["rows"], row["nodes"]) == ("memory_limit", table.rows, None)
        assert "14 attributes" in row["error"]


def test_the_summary_is_that_of_a_plain_loop(tmp_path: Path) -> None:
    made = grid((*SETS, "rule/corral"))
    computed = made.work(0, 2)["results"]
    failed = made.failed_item(2, "failed", "why")["results"]
    run = computed_run(made, [((0, 2), {"results": computed}), ((2, 3), {"results": failed})], tmp_path)
    summary = summarised(run, tmp_path / "s", drawn=True)
    assert summary.has_results
    assert {path.name for path in summary.figures} == {"induction_gap.svg", "induction_gap.png"}
    excess: dict[tuple[str, str], list[float]] = {}
    cells = made.cells_per_item
    for item in range(2):
        *trees, exact = computed.to_pylist()[item * cells : (item + 1) * cells]
        for cost in COST_FUNCTIONS:
            own = [(row[cost] - exact[cost]) / exact[cost] for row in trees]
            names = [*FEW, *(builder.name for builder in BUILDERS)]
            for name, result in zip(names, own, strict=True):
                excess.setdefault((name, cost), []).append(result)
            excess.setdefault(("best of 2 heuristics", cost), []).append(min(own[: len(FEW)]))
    means = list(csv.DictReader((tmp_path / "s/induction_gap.csv").read_text().splitlines()))
    assert {(row["builder"], row["cost"]) for row in means} == excess.keys()
    for row in means:
        own = excess[row["builder"], row["cost"]]
        assert int(row["n"]) == 2
        assert float(row["mean_excess"]) == pytest.approx(fmean(own))
        assert float(row["worst"]) == pytest.approx(max(own))
        assert int(row["minima_met"]) == sum(result < 1e-9 for result in own)
    tables = list(csv.DictReader((tmp_path / "s/induction_gap_tables.csv").read_text().splitlines()))
    assert {row["status"] for row in tables if row["source"] == "rule/corral"} == {"failed"}
    assert "why" in str(summary.screen(100)[-1])


def test_a_tree_below_the_minima_of_others_is_not_called_near_to_them() -> None:
    costs = dict.fromkeys(COST_FUNCTIONS, 10)
    rows = []
    for source in ("a", "b"):
        for builder, nodes in (("id3", 11), ("cart", 7), ("did", 12), ("exact", 10)):
            rows.append(result_row(source, builder, 1, rows=9, **{**costs, "nodes": nodes}))
    with TemporaryDirectory() as folder:
        parts = published(rows, Path(folder) / "p")
        builders = ["id3", "cart", "did", "exact"]
        finding = written(SUMMARY, parts, Path(folder) / "s", drawn=False, builders=builders).finding
        results = SUMMARY.rows_of(parts, builders=builders)
    assert {
        row["builder"]: row["mean_excess"] for row in results[GAPS.name] if row["cost"] == "nodes"
    } == pytest.approx({"id3": 0.1, "cart": -0.3, "did": 0.2})
    assert finding.startswith(
        "The unpruned trees with the lowest mean costs on 2 tables are those of “id3” and 2 more for average depth "
        "(0.0 % above), depth (0.0 % above), nonterminal nodes (0.0 % above)"
    )
    assert finding.endswith(
        "; of “cart” for nodes (30.0 % below); percentages are above or below the exact minimum of trees with a branch "
        "for each value."
    )
