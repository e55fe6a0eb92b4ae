"""Look-ahead against all trees of as many levels, and at full depth against the exact minimum."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.exact.graph import exact_costs
from algorithms.exact.subtables import GraphTooLargeError
from tests.algorithms.data_sets import uci_table
from tests.algorithms.grown_trees import look_ahead_tree
from tests.algorithms.induction.data_sets import coded, data_of, data_of_table, oracle_of, path_length, weights_of
from tests.algorithms.strategies import GivenTable, random_given_table, tables
from tests.algorithms.trees import as_oracle
from tests.oracles import dual_information as oracle
from tests.oracles.tree_for_table import check_tree_for_table

EXACT_TABLES = [
    "balloons/adult-stretch.data",
    "lenses/lenses.data",
    "hayes-roth/hayes-roth.data",
    "balance-scale/balance-scale.data",
    "car/car.data",
    "zoo/zoo.data",
    "tic-tac-toe/tic-tac-toe.data",
]
"""The exact table of the notes."""


@settings(max_examples=60)
@given(given_table=tables(max_rows=8, max_attributes=3), depth=st.integers(1, 3))
def test_trees_are_those_of_all_trees_within_the_horizon(given_table: GivenTable, depth: int) -> None:
    tree = look_ahead_tree(data_of(given_table), weights_of(given_table), depth=depth)
    assert as_oracle(tree) == oracle.grown(oracle_of(given_table), oracle.by_look_ahead(depth))


@settings(max_examples=60)
@given(given_table=tables(max_rows=10, max_attributes=4), depth=st.integers(1, 4))
def test_path_lengths_are_those_of_the_definition(given_table: GivenTable, depth: int) -> None:
    """On decision tables: without rows that contradict, no estimate is of rows without a difference."""
    table = given_table.table
    data, weights = data_of_table(table), table.weights.astype(float)
    tree = look_ahead_tree(data, weights, depth=depth, estimate="path_length")
    rows = oracle.table_of_rows(table.codes.tolist(), table.decisions.tolist(), table.weights.tolist())
    most_values = max(2, *(len(attribute.labels) for attribute in data.attributes))
    assert as_oracle(tree) == oracle.grown(rows, oracle.by_path_length(depth, most_values))


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_larger_trees_are_those_of_the_definition(depth: int) -> None:
    """Large enough that a subtable is met with several numbers of levels left."""
    generator = np.random.default_rng(depth)
    for _ in range(6):
        table = random_given_table(generator, 24, 5, 2, 3).table
        data, rows = data_of_table(table), oracle.table_of_rows(table.codes.tolist(), table.decisions.tolist(), None)
        expected = oracle.grown(rows, oracle.by_look_ahead(depth, oracle.least_impurity_by_parts))
        assert as_oracle(look_ahead_tree(data, depth=depth)) == expected
        expected = oracle.grown(rows, oracle.by_path_length(depth, 2))
        assert as_oracle(look_ahead_tree(data, depth=depth, estimate="path_length")) == expected


@given(given_table=tables(max_rows=12))
def test_full_depth_has_the_least_average_depth(given_table: GivenTable) -> None:
    table = given_table.table
    data, weights = data_of_table(table), table.weights.astype(float)
    tree = look_ahead_tree(data, weights, depth=None, estimate="path_length")
    check_tree_for_table(tree, table)
    assert tree.costs(table).total_path_length == exact_costs(table).total_path_length
    for depth in (len(data.attributes), 50):
        same = look_ahead_tree(data, weights, depth=depth, estimate="path_length")
        assert as_oracle(same) == as_oracle(tree)


@given(given_table=tables(max_rows=10, max_attributes=4))
def test_contradicting_rows_are_a_leaf_at_full_depth(given_table: GivenTable) -> None:
    data, weights = data_of(given_table), weights_of(given_table)
    tree = look_ahead_tree(data, weights, depth=None, estimate="path_length")
    every = oracle.least_path_length(oracle_of(given_table), len(data.attributes), oracle.minus_gain)
    assert path_length(tree, data, weights) == every


@pytest.mark.parametrize("file", EXACT_TABLES)
def test_full_depth_is_the_exact_minimum_of_the_notes_tables(file: str, shared: Path) -> None:
    table = uci_table(shared, file)
    tree = look_ahead_tree(data_of_table(table), depth=None, estimate="path_length")
    check_tree_for_table(tree, table)
    assert tree.costs(table).total_path_length == exact_costs(table).total_path_length


def test_the_memory_it_takes_has_a_ceiling() -> None:
    generator = np.random.default_rng(0)
    data = coded(generator.integers(0, 2, (200, 14)), generator.integers(0, 2, 200))
    with pytest.raises(GraphTooLargeError, match=r"200 rows and 14 attributes outgrew its limit of 100,000 bytes"):
        look_ahead_tree(data, depth=None, estimate="path_length", limit=100_000)
    assert look_ahead_tree(data, depth=1, limit=100_000).nodes > 1
