"""Alpha-decision trees: all of them, listed one by one."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given

from algorithms.data.table import DecisionTable
from algorithms.exact.alpha import alpha_trees
from algorithms.exact.graph import SubtableGraph
from algorithms.exact.pareto import pareto_front
from algorithms.exact.tree_set import TreeSet
from algorithms.trees.costs import COST_FUNCTIONS, DEPTH, NODES
from tests.algorithms.strategies import GivenTable, random_given_table, tables
from tests.algorithms.trees import TERMINAL, as_oracle
from tests.oracles import brute_force as bf
from tests.oracles import sets_of_trees as oracle

ALPHAS = (0, 0.3, 0.6)
MOST_TREES = 200
SEQUENCES = [names for k in (1, 2) for names in itertools.permutations(oracle.COSTS, k)]


def exactly(alpha: float) -> Fraction:
    return Fraction(round(10 * alpha), 10)


def listed(trees: TreeSet) -> list:
    return [oracle.frozen(as_oracle(tree)) for tree in trees.trees()]


@pytest.mark.parametrize("alpha", ALPHAS)
@given(given_table=tables())
def test_sets_sequences_and_fronts_are_those_of_all_alpha_trees(alpha: float, given_table: GivenTable) -> None:
    assume(bf.count_trees(given_table.oracle, MOST_TREES) <= MOST_TREES)
    expected = list(oracle.alpha_trees(given_table.oracle, exactly(alpha)))
    costed = [(tree, oracle.costs_of(given_table.oracle, tree)) for tree in expected]
    trees = alpha_trees(SubtableGraph.of(given_table.table), alpha)
    assert listed(trees) == [oracle.frozen(tree) for tree in expected]
    for name, cost in COST_FUNCTIONS.items():
        least = float(min(costs[name] for _, costs in costed))
        assert trees.minimum(cost) == trees.costs()[name] == pytest.approx(least, rel=1e-15)
    for names in SEQUENCES:
        kept = trees.optimal(*(COST_FUNCTIONS[name] for name in names))
        assert listed(kept) == [oracle.frozen(tree) for tree in oracle.optimal(costed, names)]
    for first, second in itertools.combinations(oracle.COSTS, 2):
        front = pareto_front(trees, COST_FUNCTIONS[first], COST_FUNCTIONS[second])
        points = oracle.front([(costs[first], costs[second]) for _, costs in costed])
        assert list(front.points) == [(float(a), float(b)) for a, b in points]
        for index, point in enumerate(front.points):
            costs = front.tree(index).costs(given_table.table)
            assert (costs[first], costs[second]) == point


def test_pairs_of_heavy_rows_are_counted_exactly() -> None:
    codes = [[0, 0, 1, 0], [0, 0, 0, 1], [1, 1, 1, 0], [1, 1, 0, 1], [1, 1, 1, 1]]
    given_table = GivenTable(codes, [0, 1, 0, 0, 1], [1000, 10**6, 2**40, 2, 10**6])
    trees = alpha_trees(SubtableGraph.of(given_table.table), 0.5)
    assert listed(trees) == [oracle.frozen(tree) for tree in oracle.alpha_trees(given_table.oracle, Fraction(1, 2))]


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_fronts_of_more_alpha_trees_are_those_of_an_independent_recursion(alpha: float) -> None:
    generator = np.random.default_rng([29, round(100 * alpha)])
    codes = np.column_stack([generator.integers(0, top, 120) for top in (2, 2, 3, 4, 5)])
    weights = np.floor(5 * generator.pareto(1, 120)).astype(int) + 1
    given_table = GivenTable(codes.tolist(), generator.integers(0, 3, 120).tolist(), weights.tolist())
    trees = alpha_trees(SubtableGraph.of(given_table.table), alpha)
    for first, second in itertools.combinations(oracle.COSTS, 2):
        front = pareto_front(trees, COST_FUNCTIONS[first], COST_FUNCTIONS[second])
        points = oracle.front_by_recursion(given_table.oracle, first, second, Fraction(round(100 * alpha), 100))
        assert list(front.points) == [(float(a), float(b)) for a, b in points]
        for index, point in enumerate(front.points):
            tree = front.tree(index)
            assert tree in trees
            costs = tree.costs(given_table.table)
            assert (costs[first], costs[second]) == point


@given(tables(max_rows=7))
def test_a_set_has_the_alpha_trees_and_no_others(given_table: GivenTable) -> None:
    assume(bf.count_trees(given_table.oracle, 25) <= 25)
    graph = SubtableGraph.of(given_table.table)
    trees = {oracle.frozen(as_oracle(tree)): tree for alpha in ALPHAS for tree in alpha_trees(graph, alpha).trees()}
    for alpha in ALPHAS:
        right = {oracle.frozen(tree) for tree in oracle.alpha_trees(given_table.oracle, exactly(alpha))}
        result = alpha_trees(graph, alpha)
        for form, tree in trees.items():
            assert (form in right) == (tree in result)
            for leaf in np.flatnonzero(tree.kind == TERMINAL):
                decision = tree.decision.copy()
                decision[leaf] += 1
                assert replace(tree, decision=decision) not in result


@pytest.mark.parametrize("alpha", ALPHAS[1:])
@given(given_table=tables(max_rows=7, max_attributes=3))
def test_trees_that_are_free_to_go_on_are_no_better(alpha: float, given_table: GivenTable) -> None:
    assume(bf.count_trees(given_table.oracle, 20) <= 20)
    free = list(oracle.alpha_trees(given_table.oracle, exactly(alpha), must_stop=False))
    costed = [(tree, oracle.costs_of(given_table.oracle, tree)) for tree in free]
    trees = alpha_trees(SubtableGraph.of(given_table.table), alpha)
    for name, cost in COST_FUNCTIONS.items():
        ours, theirs = (
            set(listed(trees.optimal(cost))),
            {oracle.frozen(tree) for tree in oracle.optimal(costed, [name])},
        )
        assert ours <= theirs if cost == DEPTH else ours == theirs


def test_alpha_is_the_decimal_that_it_is_written_as() -> None:
    # 10 pairs in all, 3 of them where the first attribute is 0: the binary 0.3 is a little less than 3/10
    table = DecisionTable.from_codes([[0, 0], [0, 1], [0, 2], [0, 3], [1, 0], [1, 1], [1, 2]], [0, 0, 0, 1, 0, 0, 1])
    assert bf.uncertainty(bf.table_of(table.codes, table.decisions), "rt") == 10
    graph = SubtableGraph.of(table)
    expected = (0, {0: 0, 1: 0})
    for alpha in (0.3, np.float64(0.3), Fraction(3, 10)):
        assert as_oracle(alpha_trees(graph, alpha).optimal(DEPTH, NODES).tree()) == expected
    assert alpha_trees(graph, 0.3 - 1e-12).minimum(NODES) > 3


def test_rows_count_by_their_weights() -> None:
    codes, decisions = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 0, 1]
    light = alpha_trees(SubtableGraph.of(DecisionTable.from_codes(codes, decisions)), 0.3)
    assert [as_oracle(tree)[0] for tree in light.trees()] == [0, 1], "1 of 4 pairs is left in either half"
    heavy = DecisionTable.from_codes(codes, decisions, weights=[1, 2**20, 2**20, 1])
    tree = alpha_trees(SubtableGraph.of(heavy), 0.3).tree()
    assert as_oracle(tree) == (0, {0: 1, 1: 0}), "2**20 of (2**20 + 1)**2 pairs are left in either half"


@pytest.mark.parametrize("alpha", [-0.1, 1, 1.5, float("nan")])
def test_alpha_out_of_range_is_refused(alpha: float) -> None:
    table = DecisionTable.from_codes([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="expected a number, at least 0 and below 1"):
        alpha_trees(SubtableGraph.of(table), alpha)


def test_a_larger_table_has_smaller_trees_the_larger_alpha_is() -> None:
    table = random_given_table(np.random.default_rng(8), 60, 8, 2, 3).table
    graph = SubtableGraph.of(table)
    before = None
    for alpha in (0, 0.05, 0.1, 0.2, 0.4, 0.8):
        trees = alpha_trees(graph, alpha)
        costs = trees.costs()
        for cost in COST_FUNCTIONS.values():
            tree = trees.optimal(cost).tree()
            assert tree in trees
            assert tree.costs(table)[cost.name] == costs[cost.name]
            assert before is None or costs[cost.name] <= before[cost.name]
        before = costs
    assert before is not None
    assert before.nodes == 3
