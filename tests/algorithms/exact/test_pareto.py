"""Pareto fronts: those of all trees, listed and costed one by one, of an independent recursion, and their ends."""

from __future__ import annotations

import itertools
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given

from algorithms.data.random_tables import RandomTables
from algorithms.data.table import DecisionTable
from algorithms.exact.graph import SubtableGraph
from algorithms.exact.pareto import FrontTooLargeError, ParetoFront, pareto_front
from algorithms.exact.tree_set import TreeSet
from algorithms.trees.costs import (
    AVERAGE_DEPTH,
    COST_FUNCTIONS,
    DEPTH,
    NODES,
    TERMINAL_NODES,
    TOTAL_PATH_LENGTH,
    CostFunction,
)
from algorithms.trees.json_text import to_json
from tests.algorithms.data_sets import uci_table
from tests.algorithms.strategies import GivenTable, random_given_table, tables
from tests.oracles import brute_force as bf
from tests.oracles import sets_of_trees as oracle
from tests.oracles.tree_for_table import check_tree_for_table

PAIRS = list(itertools.permutations(oracle.COSTS, 2))


def all_trees(table: DecisionTable) -> TreeSet:
    return TreeSet.of(SubtableGraph.of(table))


def front_of(trees: TreeSet, first: str, second: str) -> ParetoFront:
    return pareto_front(trees, COST_FUNCTIONS[first], COST_FUNCTIONS[second])


def as_floats(points: list[oracle.Point]) -> list[tuple[float, float]]:
    return [(float(a), float(b)) for a, b in points]


def check_witnesses(front: ParetoFront, trees: TreeSet) -> None:
    """Every point has a tree of its costs, for the table and of the set."""
    first, second = front.costs
    for index, point in enumerate(front.points):
        tree = front.tree(index)
        check_tree_for_table(tree, trees.graph.table)
        costs = tree.costs(trees.graph.table)
        assert (costs[first.name], costs[second.name]) == point
        assert tree in trees


@given(tables())
def test_fronts_are_those_of_all_trees(given_table: GivenTable) -> None:
    assume(bf.count_trees(given_table.oracle, 500) <= 500)
    costed = [oracle.costs_of(given_table.oracle, tree) for tree in bf.all_trees(given_table.oracle)]
    trees = all_trees(given_table.table)
    for first, second in PAIRS:
        front = front_of(trees, first, second)
        assert list(front.points) == as_floats(oracle.front([(costs[first], costs[second]) for costs in costed]))
        check_witnesses(front, trees)


@pytest.mark.parametrize(
    ("values", "rows", "weighted"),
    [
        ((2, 3, 4, 9), 200, False),
        ((2, 3, 5, 7), 150, True),
        ((2, 2, 3, 4, 6), 150, True),
        ((2, 2, 2, 2, 2, 8), 120, False),
        ((3, 3, 3, 3, 3), 80, True),
    ],
)
def test_fronts_of_more_trees_are_those_of_an_independent_recursion(
    values: tuple[int, ...], rows: int, weighted: bool
) -> None:
    generator = np.random.default_rng([23, rows, weighted])
    codes = np.column_stack([generator.integers(0, top, rows) for top in values])
    decisions = (generator.random(rows) < 0.3).astype(int)
    weights = np.floor(5 * generator.pareto(1, rows)).astype(int) + 1
    given_table = GivenTable(codes.tolist(), decisions.tolist(), weights.tolist() if weighted else None)
    trees = all_trees(given_table.table)
    points = 0
    for first, second in itertools.combinations(oracle.COSTS, 2):
        front = front_of(trees, first, second)
        assert list(front.points) == as_floats(oracle.front_by_recursion(given_table.oracle, first, second))
        check_witnesses(front, trees)
        assert front_of(trees, second, first).points == tuple((b, a) for a, b in reversed(front.points))
        points += len(front.points)
    assert points >= 12, "the fronts are too short to tell"


@pytest.mark.parametrize(
    ("file", "first", "second", "points"),
    [
        ("breast-cancer/breast-cancer.data", "average_depth", "nodes", 29),
        ("breast-cancer/breast-cancer.data", "nonterminal_nodes", "terminal_nodes", 14),
        ("breast-cancer/breast-cancer.data", "depth", "nonterminal_nodes", 2),
        ("car/car.data", "average_depth", "nonterminal_nodes", 5),
        ("car/car.data", "nonterminal_nodes", "terminal_nodes", 3),
    ],
)
def test_fronts_of_data_sets_are_those_of_an_independent_recursion(
    file: str, first: str, second: str, points: int, shared: Path
) -> None:
    table = uci_table(shared, file)
    front = front_of(all_trees(table), first, second)
    assert list(front.points) == as_floats(
        oracle.front_by_recursion(bf.table_of(table.codes, table.decisions), first, second)
    )
    assert len(front.points) == points


@given(tables(max_rows=7))
def test_fronts_of_a_set_are_those_of_its_trees(given_table: GivenTable) -> None:
    assume(bf.count_trees(given_table.oracle, 200) <= 200)
    costed = [(tree, oracle.costs_of(given_table.oracle, tree)) for tree in bf.all_trees(given_table.oracle)]
    for name in oracle.COSTS:
        trees = all_trees(given_table.table).optimal(COST_FUNCTIONS[name])
        of_set = [oracle.costs_of(given_table.oracle, tree) for tree in oracle.optimal(costed, [name])]
        for first, second in itertools.combinations(oracle.COSTS, 2):
            front = front_of(trees, first, second)
            assert list(front.points) == as_floats(oracle.front([(costs[first], costs[second]) for costs in of_set]))
            check_witnesses(front, trees)


def test_total_path_length_is_average_depth_in_rows() -> None:
    table = random_given_table(np.random.default_rng(2), 40, 6, 3, 2).table
    trees = all_trees(table)
    for other in (DEPTH, NODES):
        average, total = (pareto_front(trees, cost, other).points for cost in (AVERAGE_DEPTH, TOTAL_PATH_LENGTH))
        assert average == tuple((length / table.size, b) for length, b in total)
    assert len(pareto_front(trees, AVERAGE_DEPTH, TOTAL_PATH_LENGTH).points) == 1


@pytest.mark.parametrize("costs", [("depth", "nodes"), ("average_depth", "depth"), ("nodes", "average_depth")])
def test_a_pickle_of_a_front_gives_the_same_trees(costs: tuple[str, str]) -> None:
    front = front_of(all_trees(RandomTables(rows=30, attributes=6).table(1, 1, 3)), *costs)
    again = pickle.loads(pickle.dumps(front))
    assert (again.costs, again.points) == (front.costs, front.points)
    for index in range(len(front.points)):
        assert to_json(again.tree(index)) == to_json(front.tree(index))


def test_what_has_no_front_is_refused() -> None:
    trees = all_trees(random_given_table(np.random.default_rng(4), 30, 6, 2, 2).table)
    own = CostFunction("mine", 1, lambda n, parts: n + sum(parts))
    with pytest.raises(ValueError, match="cost 'mine' has no Pareto front"):
        pareto_front(trees, DEPTH, own)
    with pytest.raises(ValueError, match="both costs are 'nodes'"):
        pareto_front(trees, NODES, NODES)
    front = pareto_front(trees, TERMINAL_NODES, AVERAGE_DEPTH)
    for index in (-1, len(front.points)):
        with pytest.raises(IndexError, match=f"`index` is {index}: expected .* 0 to {len(front.points) - 1}"):
            front.tree(index)


def test_too_many_points_are_refused() -> None:
    trees = all_trees(random_given_table(np.random.default_rng(6), 60, 8, 2, 2).table)
    limit = trees.nodes - 1  # every node has a point
    with pytest.raises(
        FrontTooLargeError, match=f"have more than {limit:,} points, summed over the {trees.nodes:,} nodes of the set"
    ):
        pareto_front(trees, AVERAGE_DEPTH, NODES, limit)
    assert pareto_front(trees, AVERAGE_DEPTH, NODES, 5 * trees.nodes).points


@pytest.mark.parametrize(
    "file",
    [
        "car/car.data",
        "tic-tac-toe/tic-tac-toe.data",
        "breast-cancer/breast-cancer.data",
        "lymphography/lymphography.data",
        "mushroom/agaricus-lepiota.data",
    ],
)
def test_ends_of_fronts_of_data_sets_are_the_sequences_of_two_costs(file: str, shared: Path) -> None:
    trees = all_trees(uci_table(shared, file))
    for first, second in itertools.combinations(COST_FUNCTIONS.values(), 2):
        front = pareto_front(trees, first, second)
        assert front.points[0] == (trees.minimum(first), trees.optimal(first).minimum(second))
        assert front.points[-1] == (trees.optimal(second).minimum(first), trees.minimum(second))
        columns = np.array(front.points)
        assert (np.diff(columns[:, 0]) > 0).all()
        assert (np.diff(columns[:, 1]) < 0).all()
        for index in {0, len(front.points) // 2, len(front.points) - 1}:
            costs = front.tree(index).costs(trees.graph.table)
            assert (costs[first.name], costs[second.name]) == front.points[index]
