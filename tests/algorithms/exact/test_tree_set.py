"""Sets of optimal trees: all trees, listed and costed one by one, and figures of independent programs."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from algorithms.data.table import DecisionTable
from algorithms.exact.graph import SubtableGraph
from algorithms.exact.tree_set import TreeSet, TreeSetTooLargeError
from algorithms.trees.costs import (
    AVERAGE_DEPTH,
    COST_FUNCTIONS,
    DEPTH,
    NODES,
    TOTAL_PATH_LENGTH,
    CostFunction,
)
from tests.algorithms.data_sets import uci_table
from tests.algorithms.strategies import GivenTable, random_given_table, tables
from tests.algorithms.trees import CODES, TERMINAL, as_oracle, every_kind, stump, tree_of
from tests.oracles import brute_force as bf
from tests.oracles import sets_of_trees as oracle
from tests.oracles.tree_for_table import check_tree_for_table

MOST_TREES = 200

OWN_COSTS = [
    CostFunction("thirds", Fraction(1), lambda n, parts: Fraction(n, 3) + sum(parts)),
    CostFunction("squares", 1, lambda n, parts: n + sum(part * part for part in parts)),
    CostFunction("beyond_64_bits", 1, lambda n, parts: 2**70 + n + sum(parts)),
    CostFunction("beyond_53_bits", 0.0, lambda n, parts: 2**60 + n + sum(int(part) for part in parts)),
    CostFunction("halves", 0, lambda n, parts: n + 0.5 * sum(parts), per_row=True),
]
SEQUENCES = [names for k in (1, 2, 3) for names in itertools.permutations(oracle.COSTS, k)]


def all_trees(table: DecisionTable) -> TreeSet:
    return TreeSet.of(SubtableGraph.of(table))


def listed(trees: TreeSet) -> list[Any]:
    return [oracle.frozen(as_oracle(tree)) for tree in trees.trees()]


def costed(table: bf.Table) -> list[tuple[bf.Tree, dict[str, Fraction]]]:
    return [(tree, oracle.costs_of(table, tree)) for tree in bf.all_trees(table)]


def costed_if_few(table: bf.Table, most: int = MOST_TREES) -> list[tuple[bf.Tree, dict[str, Fraction]]]:
    assume(bf.count_trees(table, most) <= most)
    return costed(table)


@given(tables())
def test_all_trees_are_listed_once_in_their_order(given_table: GivenTable) -> None:
    expected = [oracle.frozen(tree) for tree, _ in costed_if_few(given_table.oracle)]
    trees = all_trees(given_table.table)
    assert trees.number() == len(expected)
    assert listed(trees) == expected
    assert [oracle.frozen(as_oracle(trees.tree(index))) for index in range(len(expected))] == expected


@given(tables())
def test_trees_are_for_the_table_and_have_the_most_common_decisions(given_table: GivenTable) -> None:
    table = given_table.table
    for tree in all_trees(table).optimal(DEPTH).trees(limit=5):
        check_tree_for_table(tree, table)
        for node, rows in tree.rows_of_nodes(table.codes):
            assert tree.decision[node] == table.decision_counts(rows).argmax()


@given(tables())
def test_sequences_of_costs_leave_the_trees_that_sifting_leaves(given_table: GivenTable) -> None:
    table = costed_if_few(given_table.oracle)
    trees = all_trees(given_table.table)
    for names in SEQUENCES:
        expected = [oracle.frozen(tree) for tree in oracle.optimal(table, names)]
        kept = trees.optimal(*(COST_FUNCTIONS[name] for name in names))
        assert kept.number() == len(expected), names
        assert listed(kept) == expected, names


@pytest.mark.parametrize("seed", range(2))
def test_sequences_on_many_random_tables_leave_the_trees_that_sifting_leaves(seed: int) -> None:
    generator = np.random.default_rng([17, seed])
    compared, bundle_by_bundle_is_wrong = 0, 0
    for _ in range(120):
        rows, attributes, values, decisions = (int(generator.integers(*s)) for s in ((4, 9), (3, 6), (2, 4), (2, 4)))
        given_table = random_given_table(generator, rows, attributes, values, decisions)
        if not 2 <= bf.count_trees(given_table.oracle, 1500) <= 1500:
            continue
        table = costed(given_table.oracle)
        trees = all_trees(given_table.table)
        for names in SEQUENCES:
            kept = trees.optimal(*(COST_FUNCTIONS[name] for name in names))
            assert kept.number() == len(oracle.optimal(table, names)), names
        shallow = oracle.optimal(table, ["depth"])
        assert listed(trees.optimal(DEPTH)) == [oracle.frozen(tree) for tree in shallow]
        compared += 1
        bundle_by_bundle_is_wrong += trees.optimal(local_depth()).number() < len(shallow)
    assert compared >= 40
    assert bundle_by_bundle_is_wrong >= 3, "these tables do not tell the budget from pruning bundle by bundle"


def local_depth() -> CostFunction:
    """The depth, taken for a cost of one's own: pruned bundle by bundle, as it must not be."""
    return CostFunction("local_depth", 0, lambda _, parts: 1 + max(parts))


@pytest.mark.parametrize("cost", OWN_COSTS, ids=lambda cost: cost.name)
@given(given_table=tables(max_rows=7, max_attributes=4))
def test_strictly_monotone_costs_of_ones_own_take_part(cost: CostFunction, given_table: GivenTable) -> None:
    table = costed_if_few(given_table.oracle)
    own = [bf.inductive_cost(given_table.oracle, tree, cost.psi_zero, cost.combine) for tree, _ in table]
    with_own = [(tree, costs | {"own": value}) for (tree, costs), value in zip(table, own, strict=True)]
    trees = all_trees(given_table.table)
    assert trees.minimum(cost) == (min(own) / given_table.table.size if cost.per_row else min(own))
    for names in (["own"], ["depth", "own"], ["own", "depth", "nodes"], ["terminal_nodes", "own"]):
        expected = [oracle.frozen(tree) for tree in oracle.optimal(with_own, names)]
        assert listed(trees.optimal(*(COST_FUNCTIONS.get(name, cost) for name in names))) == expected, names


@given(tables())
def test_trees_of_limited_depth_are_those(given_table: GivenTable) -> None:
    table = costed_if_few(given_table.oracle)
    depths = sorted({int(costs["depth"]) for _, costs in table})
    trees = all_trees(given_table.table)
    for depth in range(depths[0], depths[-1] + 3):
        shallow = [(tree, costs) for tree, costs in table if costs["depth"] <= depth]
        kept = trees.within_depth(depth)
        assert listed(kept) == [oracle.frozen(tree) for tree, _ in shallow]
        assert kept.costs() == trees.within_depth(depth).within_depth(depth).costs()
        for name, cost in COST_FUNCTIONS.items():
            least = min(costs[name] for _, costs in shallow)
            assert kept.minimum(cost) == kept.costs()[name] == pytest.approx(float(least), rel=1e-15)
    with pytest.raises(ValueError, match=f"`depth` is {depths[0] - 1}: expected a whole number of {depths[0]} or more"):
        trees.within_depth(depths[0] - 1)


@given(tables(max_rows=7, max_attributes=4))
def test_a_set_has_its_trees_and_no_others(given_table: GivenTable) -> None:
    table = costed_if_few(given_table.oracle, 60)
    trees = all_trees(given_table.table)
    every_tree = list(trees.trees())
    for names in (["nodes"], ["depth"], ["depth", "average_depth"], ["terminal_nodes", "depth"]):
        expected = {oracle.frozen(tree) for tree in oracle.optimal(table, names)}
        kept = trees.optimal(*(COST_FUNCTIONS[name] for name in names))
        for tree in every_tree:
            assert (tree in kept) == (oracle.frozen(as_oracle(tree)) in expected)


def test_trees_that_are_not_for_the_table_are_in_no_set() -> None:
    table = DecisionTable.from_codes([[0, 0], [0, 1], [1, 0], [1, 2]], [0, 1, 1, 0])
    trees = all_trees(table)
    tree = trees.tree()
    assert as_oracle(tree) == (0, {0: (1, {0: 0, 1: 1}), 1: (1, {0: 1, 2: 0})})
    assert tree in trees
    shape: dict[str, list[int]] = {
        "kind": tree.kind.tolist(),
        "attribute": tree.attribute.tolist(),
        "decision": tree.decision.tolist(),
        "edges": tree.edges.tolist(),
        "edge_code": tree.edge_code.tolist(),
        "edge_to": tree.edge_to.tolist(),
    }
    assert tree_of(**shape) in trees
    assert tree_of(**(shape | {"decision": [1, *shape["decision"][1:]]})) in trees, (
        "nonterminal decisions do not matter"
    )
    last = len(shape["kind"]) - 1
    assert tree_of(**(shape | {"decision": [*shape["decision"][:-1], 1 - shape["decision"][last]]})) not in trees
    assert tree_of(**(shape | {"edge_code": [0, 1, 0, 1, 0, 1]})) not in trees, "another code"
    assert tree_of(**(shape | {"attribute": [0, 0, *shape["attribute"][2:]]})) not in trees, "a constant attribute"
    leaf: dict[str, list[int]] = {"kind": [TERMINAL], "attribute": [-1], "decision": [0], "edges": [0, 0]}
    assert tree_of(**leaf, edge_code=[], edge_to=[]) not in trees
    assert stump() not in trees, "stops too early"
    pure = all_trees(DecisionTable.from_codes([[0], [1]], [0, 0]))
    assert stump(decision=[0, 0, 0]) not in pure, "goes on too long"
    unknown = tree_of(**(shape | {"unknown_to": [shape["edge_to"][0], *[-1] * last]}))
    assert unknown in trees, "an unknown branch to a node that is there"
    assert every_kind() not in trees
    assert "tree" not in trees


def test_a_branch_for_several_codes_or_for_unknown_values_alone_is_in_no_set() -> None:
    trees = all_trees(DecisionTable.from_codes([[0], [1], [2]], [0, 0, 1]))
    kind, terminal = [CODES, TERMINAL, TERMINAL, TERMINAL], [-1, -1, -1]
    good = tree_of(kind, [0, *terminal], [0, 0, 0, 1], [0, 3, 3, 3, 3], [0, 1, 2], [1, 2, 3])
    assert good in trees
    assert stump(edge_to=[1, 1, 2]) not in trees
    both = tree_of(
        kind, [0, *terminal], [0, 0, 1, 0], [0, 3, 3, 3, 3], [0, 1, 2], [1, 1, 2], unknown_to=[3, -1, -1, -1]
    )
    assert both not in trees
    more = tree_of(
        [*kind, TERMINAL], [0, *terminal, -1], [0, 0, 0, 1, 0], [0, 3, 3, 3, 3, 3], [0, 1, 2], [1, 2, 3],
        unknown_to=[4, -1, -1, -1, -1],
    )  # fmt: skip
    assert more not in trees


def test_indices_and_limits() -> None:
    trees = all_trees(random_given_table(np.random.default_rng(3), 8, 4, 2, 2).table)
    number = trees.number()
    assert number > 3
    assert len(list(trees.trees(limit=3))) == 3
    assert list(trees.trees(limit=0)) == []
    for index in (-1, number):
        with pytest.raises(IndexError, match=f"`index` is {index}"):
            trees.tree(index)
    levels = int(trees.minimum(DEPTH))
    edges = trees.within_depth(levels).edges
    assert trees.within_depth(levels, limit=edges).edges == edges
    with pytest.raises(TreeSetTooLargeError, match=f"would have {edges:,} edges, but the limit is {edges - 1:,}"):
        trees.within_depth(levels, limit=edges - 1)


def test_sets_of_any_size_are_listed_lazily() -> None:
    trees = all_trees(random_given_table(np.random.default_rng(9), 200, 9, 3, 3).table)
    number = trees.number()
    assert number > 2**100
    first = [oracle.frozen(as_oracle(tree)) for tree in itertools.islice(trees.trees(), 20)]
    assert len(set(first)) == 20
    for index in (19, number // 7, number - 1):
        tree = trees.tree(index)
        check_tree_for_table(tree, trees.graph.table)
        assert tree in trees
        assert (oracle.frozen(as_oracle(tree)) in first) == (index == 19)


@pytest.mark.parametrize("keep", [np.ones(1, bool), np.ones(10**6, bool)])
def test_a_split_needs_a_truth_value(keep: np.ndarray) -> None:
    trees = all_trees(random_given_table(np.random.default_rng(1), 20, 4, 2, 2).table)
    with pytest.raises(ValueError, match=f"`keep` has shape .{len(keep)},. and type bool: expected"):
        trees.restricted(keep)
    with pytest.raises(ValueError, match="type int64: expected"):
        trees.restricted(trees.split_in_graph)
    assert trees.restricted([True] * len(trees.split_in_graph)).number() == trees.number()


def test_a_graph_has_only_what_its_trees_use() -> None:
    trees = all_trees(random_given_table(np.random.default_rng(5), 30, 6, 3, 3).table)
    for kept in (trees.optimal(NODES), trees.optimal(DEPTH), trees.optimal(DEPTH, NODES)):
        reached = {kept.nodes - 1}
        for node in reversed(range(kept.nodes)):
            assert node in reached
            reached |= {child for split in kept.splits_of(node) for child in kept.children(split)}
        assert kept.edges == sum(len(kept.children(j)) for node in range(kept.nodes) for j in kept.splits_of(node))


FIGURES = {
    # optimal trees for total path length and nodes, to the digits known
    "balloons/adult+stretch.data": ("2", "2"),
    "lenses/lenses.data": ("1", "3"),
    "hayes-roth/hayes-roth.data": ("10", "4"),
    "balance-scale/balance-scale.data": ("9.83e+05", "9.83e+05"),
    "car/car.data": ("8", "3840"),
    "zoo/zoo.data": ("18", "10"),
    "tic-tac-toe/tic-tac-toe.data": ("4.9e+12", "9.8e+10"),
}


@pytest.mark.parametrize("file", FIGURES)
def test_numbers_of_optimal_trees_are_those_of_an_independent_program(file: str, shared: Path) -> None:
    trees = all_trees(uci_table(shared, file))
    for cost, figure in zip((TOTAL_PATH_LENGTH, NODES), FIGURES[file], strict=True):
        number = trees.optimal(cost).number()
        digits = len(figure.split("e")[0].replace(".", ""))
        assert (f"{number:.{digits - 1}e}" if "e" in figure else str(number)) == figure


def test_the_number_of_depth_optimal_trees_is_that_of_an_independent_program(shared: Path) -> None:
    trees = all_trees(uci_table(shared, "zoo/zoo.data"))
    assert trees.optimal(DEPTH).number() == 8_893_111_034_708
    assert trees.optimal(local_depth()).number() == 3_006_265, "what pruning bundle by bundle would leave"


@pytest.mark.parametrize(
    ("file", "fewest", "local"),
    [
        ("breast-cancer/breast-cancer.data", 161, 170),
        ("tic-tac-toe/tic-tac-toe.data", 266, 268),
        ("lymphography/lymphography.data", 59, 60),
    ],
)
def test_fewest_nodes_of_trees_of_least_depth_are_those_of_an_independent_program(
    file: str, fewest: int, local: int, shared: Path
) -> None:
    """Of trees of least depth, and of those that pruning bundle by bundle leaves."""
    table = uci_table(shared, file)
    trees = all_trees(table)
    kept = trees.optimal(DEPTH, NODES)
    assert kept.minimum(NODES) == fewest
    assert trees.optimal(local_depth()).minimum(NODES) == local
    tree = kept.tree(kept.number() - 1)
    check_tree_for_table(tree, table)
    costs = tree.costs(table)
    assert (costs.depth, costs.nodes) == (trees.minimum(DEPTH), fewest)
    assert tree in kept
    assert kept.tree(0) in kept
    assert (trees.optimal(NODES).tree() in kept) == (trees.minimum(NODES) == fewest)


@pytest.mark.parametrize("elements", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.long)])
def test_optimal_trees_for_sorting_are_counted_as_by_partial_orders(elements: int) -> None:
    """Of six elements there are more than 10**127; Knuth's 6,896 comparisons and 10 levels: TAOCP, 5.3.1."""
    trees = all_trees(DecisionTable.from_codes(*oracle.sorting_table(elements)))
    best = trees.optimal(AVERAGE_DEPTH)
    assert (trees.minimum(TOTAL_PATH_LENGTH), best.number()) == oracle.sorting_trees(elements)
    assert trees.nodes == [3, 19, 219, 4231, 130_023][elements - 2], "partial orders"
    assert trees.minimum(DEPTH) == [1, 3, 5, 7, 10][elements - 2]
    # Every tree of least average depth has the least depth; AbouEisha, Chikalov and Moshkov (2016), for eight elements
    assert best.optimal(DEPTH).number() == best.number()
    assert trees.optimal(DEPTH, AVERAGE_DEPTH).number() == best.number()
    assert best.tree(best.number() // 3) in best.optimal(DEPTH, NODES)
