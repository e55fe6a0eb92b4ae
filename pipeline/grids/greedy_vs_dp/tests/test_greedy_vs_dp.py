"""The grid of greedy heuristics against exact minima: what it is made from, and its rows."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.data.random_tables import RandomTables
from algorithms.exact.graph import exact_costs
from algorithms.greedy import greedy_tree
from algorithms.measures.impurity import IMPURITY_FUNCTIONS
from algorithms.trees.costs import COST_FUNCTIONS
from pipeline.data.sources import DataLocation
from pipeline.grammar import random_table_rows
from pipeline.grid import RESULTS_TABLE
from pipeline.grids.greedy_vs_dp.grid import GreedyVsDpGrid
from pipeline.grids.greedy_vs_dp.summary import SUMMARY
from pipeline.storage.parts import publish
from tests.oracles.tree_for_table import check_tree_for_table
from tests.pipeline.small_grids import grid

ALL = tuple(function.name for function in IMPURITY_FUNCTIONS)
MEASURES = ("depth", "average_depth", "total_path_length", "nodes", "nonterminal_nodes", "terminal_nodes")
AS_PRINTED = grid(ALL, groups=4, count=10_000, shape=RandomTables())
Rows = list[dict[str, object]]


def hold_true(grid: GreedyVsDpGrid, rows: Rows) -> None:
    """Hold rows against trees and minima made one by one."""
    size = grid.cells_per_item
    for index in range(0, len(rows), size):
        *greedy, exact = rows[index : index + size]
        table = grid.table(grid.number_of(exact))
        minima = exact_costs(table)
        assert [exact[name] for name in COST_FUNCTIONS] == [minima[name] for name in COST_FUNCTIONS]
        for row, heuristic in zip(greedy, grid.heuristics, strict=True):
            tree = greedy_tree(table, heuristic)
            check_tree_for_table(tree, table)
            costs = tree.costs(table)
            assert {name: row[name] for name in COST_FUNCTIONS} == {name: costs[name] for name in COST_FUNCTIONS}
            assert row["rows"] == table.rows


def test_rows_are_those_of_trees_and_minima_made_one_by_one() -> None:
    hold_true(AS_PRINTED, AS_PRINTED.work(19_998, 20_002)["results"].to_pylist())


@pytest.mark.parametrize(
    "shape", [RandomTables(rows=80, attributes=6), RandomTables(rows=20, attributes=33), RandomTables(12, 65)]
)
def test_rows_of_tables_that_do_not_fit_a_word_are_true(shape: RandomTables) -> None:
    hold_true(wide := grid(groups=1, count=10, shape=shape), wide.work(0, 2)["results"].to_pylist())


@settings(max_examples=40)
@given(
    st.builds(RandomTables, *(st.integers(1, most) for most in (12, 5, 4, 4))),
    st.integers(0, 2**70),
    st.integers(1, 20),
)
def test_rows_of_any_shape_of_table_are_true(shape: RandomTables, seed: int, count: int) -> None:
    small = grid(seed=seed, groups=2, count=count, shape=shape)
    hold_true(small, small.work(count - 1, count + 1)["results"].to_pylist())


def test_a_table_is_the_same_whatever_else_there_is() -> None:
    few, many = grid(groups=1, count=5), grid(("max/rt",), groups=9, count=50)
    ours = [row for row in few.work(3, 4)["results"].to_pylist() if row["impurity_type"] == "max"]
    theirs = [row for row in many.work(3, 4)["results"].to_pylist() if row["impurity_type"] == "max"]
    assert ours == theirs != []


@pytest.mark.parametrize("shape", [RandomTables(rows=1), RandomTables(decisions=1), RandomTables(values=1)])
def test_tables_that_need_no_question_are_single_leaves_without_difference(shape: RandomTables, tmp_path: Path) -> None:
    small = grid(shape=shape, count=3)
    leaves = small.work(0, 3)["results"]
    expected = {"depth": 0, "average_depth": 0.0, "total_path_length": 0, "nodes": 1, "terminal_nodes": 1}
    for row in leaves.to_pylist():
        assert {name: row[name] for name in expected} == expected
        assert (row["nonterminal_nodes"], row["status"]) == (0, "ok")
    part = publish(leaves, tmp_path, "x", 0, 3)
    cells = SUMMARY.rows_of({RESULTS_TABLE: [part]}, **small.context)["cells"]
    assert [(row["mean_relative_difference"], row["tables"]) for row in cells] == [(0.0, 3)] * 10


def test_refused_tables_fail_with_the_rows_at_fault() -> None:
    refusing = grid(equal_rows="refuse")  # 6 rows of 8 that there are: nearly always two are equal
    rows = refusing.work(0, 30)["results"].to_pylist()
    merged = grid().work(0, 30)["results"].to_pylist()
    assert {row["status"] for row in rows} == {"failed", "ok"}
    for row, other in zip(rows, merged, strict=True):
        if row["status"] == "ok":
            assert row == other
            assert row["rows"] == 6
        else:
            assert other["rows"] < 6
            assert "equal" in row["error"]
            assert any(digit.isdigit() for digit in row["error"])
            assert {row[name] for name in MEASURES} == {None}
    by_table = {(row["table_index"], row["status"]) for row in rows}
    assert len(by_table) == 30  # all rows of a table fail, or none


def test_a_graph_that_is_too_large_costs_the_exact_row_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    large = grid(count=10, shape=RandomTables(rows=64, attributes=12, values=2, decisions=4))
    before = large.work(0, 2)["results"].to_pylist()
    monkeypatch.setattr(random_table_rows, "GRAPH_BYTES", 0)
    rows = large.work(0, 2)["results"].to_pylist()
    for row, was in zip(rows, before, strict=True):
        if row["builder"] == "greedy":
            assert row == was
        else:
            assert was["status"] == "ok"
            assert row["status"] == "memory_limit"
            assert "too large" in row["error"]
            assert {row[name] for name in MEASURES} == {None}
            assert row["rows"] == was["rows"]


@pytest.mark.parametrize("shape", [RandomTables(rows=80, attributes=12), RandomTables(12, 65)])
def test_the_limit_holds_for_tables_that_do_not_fit_a_word(
    monkeypatch: pytest.MonkeyPatch, shape: RandomTables
) -> None:
    monkeypatch.setattr(random_table_rows, "GRAPH_BYTES", 0)
    wide = grid(count=10, shape=shape)
    assert [row["status"] for row in wide.work(0, 1)["results"].to_pylist()] == ["ok", "ok", "memory_limit"]


def test_a_grid_is_small_to_send_and_comes_back_from_its_identity() -> None:
    given = grid(ALL, shape=RandomTables(values=2, value_probabilities=(0.25, 0.75)), equal_rows="refuse")
    assert len(pickle.dumps(given)) < 10_000
    assert pickle.loads(pickle.dumps(given)) == given
    assert GreedyVsDpGrid.from_identity(json.loads(json.dumps(given.identity())), DataLocation()) == given


@pytest.mark.parametrize(
    ("changes", "comparable"),
    [
        ({"seed": 9, "count": 7, "groups": 1}, True),
        ({"shape": RandomTables(rows=49)}, False),
        ({"shape": RandomTables(value_probabilities=(0.2, 0.3, 0.5))}, False),
        ({"equal_rows": "refuse"}, False),
    ],
)
def test_runs_that_differ_in_seed_and_sizes_alone_are_compared_with_the_paper(
    changes: dict[str, object], comparable: bool
) -> None:
    assert grid(ALL, **({"shape": RandomTables()} | changes)).comparable is comparable
