"""Decision trees: where rows go, what a tree costs, and which arrays are no tree or not one for a table."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from algorithms.data.data_set_of import data_set_of
from algorithms.data.table import DecisionTable
from algorithms.induction.id3 import ID3Classifier
from algorithms.trees.arrays import TreeError
from algorithms.trees.costs import COST_FUNCTIONS, COUNTED_COSTS, CostFunction
from algorithms.trees.decision_tree import DecisionTree, cost_of_tree
from tests.algorithms.strategies import GivenTable, tables
from tests.algorithms.trees import BOUNDS, CODES, LINEAR, TERMINAL, as_oracle, every_kind, tree_of
from tests.oracles import brute_force as bf
from tests.oracles.tree_for_table import check_tree_for_table

NAN, INF = np.nan, np.inf

# a table of three attributes, the last constant, and a tree for it: f1, then f2 where f1 is 0
TABLE = DecisionTable.from_codes([[0, 0, 5], [0, 1, 5], [0, 2, 5], [1, 0, 5], [1, 1, 5]], [0, 1, 0, 2, 2])


def parts(**changes: Any) -> dict[str, Any]:
    given_parts: dict[str, Any] = {
        "kind": [CODES, CODES, TERMINAL, TERMINAL, TERMINAL, TERMINAL],
        "attribute": [0, 1, -1, -1, -1, -1],
        "decision": [0, 0, 2, 0, 1, 0],
        "edges": [0, 2, 5, 5, 5, 5, 5],
        "edge_code": [0, 1, 0, 1, 2],
        "edge_to": [1, 2, 3, 4, 5],
    }
    return given_parts | changes


def from_oracle(tree: Any) -> DecisionTree:
    """A tree of the oracle's form as arrays, breadth first."""
    nodes, kind, attribute, decision, edges, code, to = [tree], [], [], [], [0], [], []
    for node in nodes:
        inner = isinstance(node, tuple)
        kind.append(CODES if inner else TERMINAL)
        attribute.append(node[0] if inner else -1)
        decision.append(0 if inner else node)
        for value, child in node[1].items() if inner else ():
            code.append(value)
            to.append(len(nodes))
            nodes.append(child)
        edges.append(len(to))
    return tree_of(kind, attribute, decision, edges, code, to)


ROWS = [
    # values, last node
    ([0, 0.5, 9], 4),
    ([2, 0.50001, 9], 5),
    ([0, 2, 9], 5),
    ([2, 2.1, 9], 6),
    ([0, INF, 9], 6),
    ([0, -INF, 9], 4),
    ([0, NAN, 9], 7),
    ([1, 1, 1], 8),
    ([1, 1, 0.5], 9),
    ([1, NAN, 0], 2),
    ([1, 0, NAN], 2),
    ([3, 0, 0], 3),
    ([-1, 0, 0], 3),
    ([NAN, 0, 0], 3),
    ([0.5, 0, 0], 3),
    ([INF, 0, 0], 3),
]


def test_rows_of_any_values_end_where_the_edges_lead() -> None:
    tree = every_kind()
    values = np.array([row for row, _ in ROWS])
    assert tree.last_nodes(values).tolist() == [node for _, node in ROWS]
    assert tree.predict(values).tolist() == [int(tree.decision[node]) for _, node in ROWS]
    assert tree.predict(values).dtype == np.int32


def test_rows_of_nodes_are_in_order_and_whole() -> None:
    tree = every_kind()
    results = {node: rows.tolist() for node, rows in tree.rows_of_nodes(np.array([row for row, _ in ROWS]))}
    assert list(results) == list(range(10))
    assert results[0] == list(range(len(ROWS)))
    assert results[1] == [0, 1, 2, 3, 4, 5, 6]  # both edges of the subset, in the order of the rows
    assert results[2] == [7, 8, 9, 10]
    assert results[3] == [11, 12, 13, 14, 15]
    assert results[5] == [1, 2]


def test_rows_stay_where_there_is_no_branch_for_them() -> None:
    tree = tree_of(**parts())
    assert tree.last_nodes([[2, 0], [-1, 0], [0, 3], [0, 2], [1, 9]]).tolist() == [0, 0, 1, 5, 2]


def test_no_rows_end_nowhere() -> None:
    assert every_kind().predict(np.zeros((0, 3))).tolist() == []


def test_children_depths_and_nodes() -> None:
    tree = every_kind()
    assert tree.nodes == 10
    assert [tree.children(node) for node in range(4)] == [[1, 2, 3], [4, 5, 6, 7], [8, 9], []]
    assert tree.depths().tolist() == [0, 1, 1, 1, 2, 2, 2, 2, 2, 2]


def test_costs_count_only_what_rows_reach() -> None:
    table = DecisionTable.from_codes([[0, 0, 0], [1, 9, 0]], [0, 2], weights=[3, 1])
    costs = every_kind().costs(table)  # nodes 0, 1, 2, 4 and 9
    assert [costs[name] for name in COUNTED_COSTS] == [2, 8, 5, 3, 2]
    assert costs.average_depth == 2


def test_a_node_where_a_row_stays_is_terminal_for_the_costs() -> None:
    table = DecisionTable.from_codes([[0, 0], [0, 9]], [0, 1])
    costs = tree_of(**parts()).costs(table)  # row 1 stays at node 1, which row 0 leaves
    assert (costs.total_path_length, costs.depth, costs.nodes) == (3, 2, 3)


@given(tables(max_rows=6, max_attributes=3), st.data())
def test_any_tree_for_a_table_passes_and_costs_what_the_oracle_counts(
    given_table: GivenTable, data: st.DataObject
) -> None:
    table, oracle = given_table.table, given_table.oracle
    assume(bf.count_trees(oracle, 500) <= 500)
    trees = list(bf.all_trees(oracle))
    expected = data.draw(st.sampled_from(trees))
    tree = from_oracle(expected)
    assert as_oracle(tree) == expected
    check_tree_for_table(tree, table)
    costs = tree.costs(table)
    assert tuple(costs[name] for name in COUNTED_COSTS) == bf.costs(oracle, expected)
    assert tree.predict(table.codes).tolist() == table.decisions.tolist()
    assert [int(tree.depths()[node]) for node in tree.last_nodes(table.codes)] == bf.paths(oracle, expected)
    for cost in COST_FUNCTIONS.values():
        assert cost_of_tree(tree, table, cost) == pytest.approx(costs[cost.name])
    own = CostFunction("own", 2, lambda n, below: n**2 + 3 * max(below) + min(below))
    assert cost_of_tree(tree, table, own) == bf.inductive_cost(oracle, expected, 2, own.combine)


def test_the_example_is_a_tree_for_its_table() -> None:
    check_tree_for_table(tree_of(**parts()), TABLE)


@pytest.mark.parametrize(
    "changes",
    [
        {"decision": [0, 0, 1, 0, 1, 0]},
        {"attribute": [0, 2, -1, -1, -1, -1]},  # which is constant
        {"edge_code": [0, 1, 0, 1, 7]},
        {"kind": [2, 1, 0, 0, 0, 0], "edge_bound": [0.5, INF, INF, INF, INF]},
    ],
)
def test_a_tree_that_does_not_fit_the_table_is_noticed(changes: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        check_tree_for_table(tree_of(**parts(**changes)), TABLE)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"attribute": [0, 1]}, "`attribute` has 2 entries: expected 6, one for each node"),
        ({"decision": [0]}, "`decision` has 1 entry: expected 6"),
        ({"edges": [0, 2, 5]}, "`edges` has 3 entries: expected 7"),
        ({"edge_code": [0]}, "`edge_code` has 1 entry: expected 5"),
        ({"edge_bound": [INF]}, "`edge_bound` has 1 entry: expected 5"),
        ({"unknown_to": [-1]}, "`unknown_to` has 1 entry: expected 6"),
        ({"counts": [[1.0]]}, "`counts` has 1 entry: expected 6"),
        ({"edges": [1, 2, 5, 5, 5, 5, 5]}, "`edges` does not rise from 0"),
        ({"edges": [0, 2, 5, 5, 5, 5, 4]}, "`edges` does not rise from 0"),
        ({"edges": [0, 5, 2, 5, 5, 5, 5]}, "`edges` does not rise from 0"),
        ({"kind": [1, 1, 0, 0, 0, 4]}, "node 5 is of kind 4"),
        ({"kind": [1, 1, 1, 0, 0, 0]}, "node 2 is of kind 1 and has 0 edges: expected kind 0 .terminal. without"),
        ({"kind": [1, 0, 0, 0, 0, 0]}, "node 1 is of kind 0 and has 3 edges"),
        ({"edge_code": [0, 0, 0, 1, 2]}, "node 0 has two edges for the same code"),
        ({"edge_code": [0, 1, 5, 1, 5]}, "node 1 has two edges for the same code"),  # with one in order between them
        ({"edge_code": [0, 1, -1, 1, 2]}, "node 1 has an edge for code -1: expected 0 or more"),
        ({"attribute": [0, -1, -1, -1, -1, -1]}, "node 1 tests attribute -1, which does not exist"),
        ({"decision": [0, 0, -2, 0, 1, 0]}, "node 2 has decision -2"),
        ({"edge_to": [1, 2, 3, 4, 6]}, "node 1 has an edge to node 6: expected a node from 2 to 5"),
        ({"edge_to": [1, 2, 3, 4, 1]}, "node 1 has an edge to node 1"),
        ({"edge_to": [1, 2, 3, 4, 0]}, "node 1 has an edge to node 0"),
        ({"edge_to": [1, 2, 3, 4, -1]}, "node 1 has an edge to node -1"),
        ({"edge_to": [1, 2, 3, 4, 2]}, "node 2 has 2 parents: expected one parent for each node"),
        ({"edge_to": [1, 2, 3, 4, 4]}, "node 5 has 0 parents"),
        ({"unknown_to": [3, -1, -1, -1, -1, -1]}, "node 3 has 2 parents"),
        ({"unknown_to": [-3, -1, -1, -1, -1, -1]}, "node 0 has an edge to node -3"),
        ({"unknown_to": [-1, -2, -1, -1, -1, -1]}, "node 1 sends missing values down all branches, which needs"),
        ({"unknown_to": [-1, -1, -1, -1, -2, -1]}, "node 4 is terminal, but has a branch for missing"),
        ({"unknown_to": [-1, -1, -1, -1, 5, -1]}, "node 4 is terminal, but has a branch for missing"),
        (
            {"kind": [2, 1, 0, 0, 0, 0]},
            r"node 0 has bounds \[inf, inf\]: expected increasing bounds, the last infinite",
        ),
        ({"kind": [2, 1, 0, 0, 0, 0], "edge_bound": [1, 2, INF, INF, INF]}, r"node 0 has bounds \[1.0, 2.0\]"),
        ({"kind": [2, 1, 0, 0, 0, 0], "edge_bound": [NAN, INF, INF, INF, INF]}, "node 0 has bounds"),
        ({"kind": [2, 1, 0, 0, 0, 0], "edge_bound": [-INF, INF, INF, INF, INF]}, "node 0 has bounds"),
        (
            {"kind": [1, 2, 0, 0, 0, 0], "edge_bound": [INF, INF, 3, 2, INF]},
            r"node 1 has bounds \[3.0, 2.0, inf\]: expected increasing",
        ),
        (
            {"kind": [3, 1, 0, 0, 0, 0], "edge_bound": [1, INF, INF, INF, INF]},
            "node 0 tests attribute 0, which does not exist",
        ),
        (
            {"kind": [], "attribute": [], "decision": [], "edge_code": [], "edge_to": [], "edges": [0]},
            "the tree has no root",
        ),
    ],
)
def test_arrays_that_are_no_tree_are_refused_by_node(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(TreeError, match=words):
        tree_of(**parts(**changes))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("kind", [1, 1, 256, 0, 0, 0]),  # 0 in the type of kinds
        ("edge_to", [1, 2, 3, 4, 2**32 + 5]),
        ("edge_to", [1, 2, 3, 4, 5.5]),
        ("decision", [0, 0, NAN, 0, 1, 0]),
        ("edges", [0, 2.5, 5, 5, 5, 5, 5]),
        ("attribute", [[0], [1], [-1], [-1], [-1], [-1]]),
        ("edge_code", list("01012")),
    ],
)
def test_numbers_that_do_not_fit_their_type_are_refused(name: str, values: list[Any]) -> None:
    tree = tree_of(**parts())
    with pytest.raises(TreeError, match=f"`{name}` has type .* values that fit"):
        replace(tree, **{name: np.array(values)})
    assert replace(tree, **{name: getattr(tree, name).astype(np.int64)}).nodes == 6


def test_rows_with_labels_are_refused_and_the_call_that_codes_them_is_named() -> None:
    rows, classes = [["b", "x"], ["a", "y"], ["b", "y"], ["c", "y"]], ["no", "yes", "no", "yes"]
    model = ID3Classifier().fit(rows, classes)
    with pytest.raises(TreeError, match=r"has shape \(4, 2\) and type <U1: .* pass data_set_of\(X, y\)\.values\(\)"):
        model.tree_.predict(rows)
    assert model.classes_[model.tree_.predict(data_set_of(rows, classes).values())].tolist() == classes


def test_codes_may_stand_in_any_order() -> None:
    tree = tree_of(**parts(edge_code=[1, 0, 4, 0, 2]))
    assert tree.last_nodes([[0, 0], [1, 0], [1, 2], [1, 4]]).tolist() == [2, 4, 5, 3]


def test_a_single_leaf_is_a_tree() -> None:
    tree = tree_of([0], [-1], [3], [0, 0], [], [])
    assert tree.predict(np.zeros((2, 4))).tolist() == [3, 3]
    check_tree_for_table(tree, DecisionTable.from_codes([[0], [1]], [3, 3]))


def test_what_is_left_out_is_filled() -> None:
    tree = tree_of(**parts())
    assert tree.edge_bound.tolist() == [INF] * 5
    assert tree.unknown_to.tolist() == [-1] * 6
    assert tree.counts.shape == tree.coefficients.shape == (0, 0)
    assert {field.name for field in fields(tree)} >= {"edge_bound", "unknown_to", "counts", "coefficients"}


def test_every_kind_has_all_kinds() -> None:
    assert set(every_kind().kind.tolist()) == {TERMINAL, CODES, BOUNDS, LINEAR}
