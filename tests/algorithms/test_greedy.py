"""Greedy trees: the algorithm of the paper's section 3 in exact arithmetic, ties to the first attribute."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from algorithms.data.table import DecisionTable
from algorithms.exact.graph import exact_costs
from algorithms.greedy import greedy_costs, greedy_tree
from algorithms.greedy.greedy_growth import grow
from algorithms.measures.impurity import IMPURITY_FUNCTIONS, ImpurityFunction
from algorithms.trees.costs import COST_FUNCTIONS, COUNTED_COSTS
from algorithms.trees.decision_tree import cost_of_tree
from tests.algorithms.strategies import GivenTable, random_given_table, tables
from tests.algorithms.trees import as_oracle
from tests.oracles import brute_force as bf
from tests.oracles.tree_for_table import check_tree_for_table

EACH_FUNCTION = pytest.mark.parametrize("function", IMPURITY_FUNCTIONS, ids=lambda f: f.name)
FOUR_FUNCTIONS = pytest.mark.parametrize("function", IMPURITY_FUNCTIONS[::5], ids=lambda f: f.name)
"""One of each type and of each uncertainty."""


def expected(given_table: GivenTable, function: ImpurityFunction) -> object:
    return bf.greedy(given_table.oracle, function.impurity_type, function.uncertainty)


@EACH_FUNCTION
@settings(max_examples=40)
@given(given_table=tables())
def test_trees_are_those_of_exact_arithmetic(function: ImpurityFunction, given_table: GivenTable) -> None:
    assert as_oracle(greedy_tree(given_table.table, function)) == expected(given_table, function)


@EACH_FUNCTION
def test_trees_of_larger_tables_are_those_of_exact_arithmetic(function: ImpurityFunction) -> None:
    generator = np.random.default_rng(function.number)
    for shape in [(12, 5, 2, 2), (20, 5, 3, 3), (40, 4, 4, 3)] * 4:
        given_table = random_given_table(generator, *shape)
        assert as_oracle(greedy_tree(given_table.table, function)) == expected(given_table, function)


@FOUR_FUNCTIONS
@settings(max_examples=40)
@given(given_table=tables())
def test_trees_are_for_the_table_and_cost_what_is_reported(function: ImpurityFunction, given_table: GivenTable) -> None:
    table = given_table.table
    tree, costs, least = greedy_tree(table, function), greedy_costs(table, function), exact_costs(table)
    check_tree_for_table(tree, table)
    assert tree.costs(table) == costs
    assert tuple(costs[name] for name in COUNTED_COSTS) == bf.costs(given_table.oracle, as_oracle(tree))
    for name, cost in COST_FUNCTIONS.items():
        assert cost_of_tree(tree, table, cost) == pytest.approx(costs[name])
        assert costs[name] >= least[name]


@EACH_FUNCTION
def test_rounding_decides_nothing(function: ImpurityFunction) -> None:
    """An attribute that is another one with its values renamed ties with it, however the sums are rounded."""
    generator = np.random.default_rng(5)
    tested = set()
    for _ in range(40):
        column = generator.integers(0, 5, 60)
        codes = np.column_stack([generator.permutation(5)[column], column, generator.integers(0, 4, (60, 2))])
        table = DecisionTable.from_codes(codes, generator.integers(0, 3, 60), weights=generator.integers(1, 50, 60))
        tested |= set(greedy_tree(table, function).attribute.tolist())
    assert tested == {-1, 0, 2, 3}


@pytest.mark.parametrize(("codes", "decisions"), [([[4, 0, 2]], [3]), ([[0], [1], [2]], [1, 1, 1]), ([[], []], [1, 0])])
def test_one_row_or_one_decision_is_a_leaf(codes: list, decisions: list) -> None:
    table, function = DecisionTable.from_codes(codes, decisions), IMPURITY_FUNCTIONS[0]
    tree, costs = greedy_tree(table, function), greedy_costs(table, function)
    assert tree.nodes == 1
    assert tree.decision[0] == table.decisions[0]
    assert [costs[name] for name in COUNTED_COSTS] == [0, 0, 1, 0, 1]
    assert costs.average_depth == 0


def test_every_node_has_its_most_common_decision() -> None:
    generator = np.random.default_rng(3)
    table = random_given_table(generator, 40, 5, 3, 3).table
    tree = greedy_tree(table, IMPURITY_FUNCTIONS[13])
    for node, rows in tree.rows_of_nodes(table.codes):
        assert tree.decision[node] == table.decision_counts(rows).argmax()


@FOUR_FUNCTIONS
def test_a_large_sparse_table(function: ImpurityFunction) -> None:
    """300 rows that differ in one bit each: every split takes off one row, so the tree is as deep as can be."""
    n = 300
    table = DecisionTable.from_codes(np.eye(n, dtype=int), np.arange(n))
    costs = greedy_costs(table, function)
    assert (costs.depth, costs.nodes, costs.terminal_nodes) == (n - 1, 2 * n - 1, n)
    assert costs.total_path_length == n * (n + 1) // 2 - 1


def test_tables_of_any_shape_share_one_compiled_kernel() -> None:
    for codes in ([[0], [1]], [[0, 1], [1, 0]], [[0, 1, 0]]):
        greedy_tree(DecisionTable.from_codes(codes, [0, 1][: len(codes)]), IMPURITY_FUNCTIONS[0])
    assert len(grow.signatures) == 1


@pytest.mark.parametrize("name", ["max/ent", "w_max/ent", "w_sum/ent"])
def test_one_row_may_outweigh_all_others(name: str) -> None:
    """A branch of either attribute is pure; in the other, a row of weight 1 meets one of 2**40, or of 1 more."""
    codes, weights = np.array([[1, 1], [0, 1], [0, 1], [1, 0]]), [1, 1, 2**40, 2**40]
    for ordered in (codes, 1 - codes):
        table = DecisionTable.from_codes(ordered, [0, 1, 1, 1], weights=weights)
        assert greedy_tree(table, name).attribute[0] == 0
