"""Rows that go down all branches by their shares, against a walk by hand; and costs over rows with weights."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.trees.arrays import ALL_BRANCHES, TreeError
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.export import to_graphviz
from algorithms.trees.json_text import from_json, to_json
from algorithms.trees.row_walk import BLOCK
from algorithms.trees.text import export_text
from tests.algorithms.trees import BOUNDS, CODES, LINEAR, TERMINAL, every_kind, stump, tree_of

NAN, INF = np.nan, np.inf


def shared_tree(**changes: Any) -> DecisionTree:
    """0 asks attribute 0: {0, 2} to 1, 1 to 2; 1 asks attribute 1: <= 0.5 to 3, else 4; missing values to both."""
    arrays: dict[str, Any] = {
        "kind": [CODES, BOUNDS, TERMINAL, TERMINAL, TERMINAL],
        "attribute": [0, 1, -1, -1, -1],
        "decision": [0, 0, 1, 0, 1],
        "edges": [0, 3, 5, 5, 5, 5],
        "edge_code": [2, 1, 0, 0, 0],
        "edge_to": [1, 2, 1, 3, 4],
        "edge_bound": [INF, INF, INF, 0.5, INF],
        "unknown_to": [ALL_BRANCHES, ALL_BRANCHES, -1, -1, -1],
        "counts": [[5, 3], [4.5, 1.5], [0.5, 1.5], [4, 0], [0.5, 1.5]],
    }
    return tree_of(**(arrays | changes))


def test_a_missing_value_goes_down_all_branches_by_their_counts() -> None:
    tree = shared_tree()
    rows = [[NAN, 0], [NAN, NAN], [0, NAN], [2, 1], [1, NAN], [3, 0], [0.5, 0], [-1, 0]]
    first = [0.75 * 1 + 0.25 * 0.25, 0.75 * 0 + 0.25 * 0.75]
    left = [4 / 6 * 1 + 2 / 6 * 0.25, 2 / 6 * 0.75]
    second = [0.75 * left[0] + 0.25 * 0.25, 0.75 * left[1] + 0.25 * 0.75]
    expected = [first, second, left, [0.25, 0.75], [0.25, 0.75], [5 / 8, 3 / 8], [5 / 8, 3 / 8], first]
    np.testing.assert_allclose(tree.distribution(rows), expected, rtol=1e-15)
    assert tree.last_nodes(rows).tolist() == [0, 0, 1, 4, 2, 0, 0, 0]  # codes 3 and 0.5 have no edge: their rows stay
    assert tree.predict(rows).tolist() == [0, 0, 0, 1, 1, 0, 0, 0]


def test_rows_of_nodes_have_the_rows_that_arrive_in_part() -> None:
    result = {node: rows.tolist() for node, rows in shared_tree().rows_of_nodes([[NAN, 0], [0, NAN], [1, 0], [3, 0]])}
    assert result == {0: [0, 1, 2, 3], 1: [0, 1], 2: [0, 2], 3: [0, 1], 4: [1]}


def test_a_branch_without_weight_gets_no_share_and_branches_without_any_keep_the_row() -> None:
    empty = shared_tree(counts=[[5, 3], [5, 3], [0, 0], [0, 0], [0, 0]])
    assert empty.distribution([[NAN, 0], [NAN, NAN]]).tolist() == [[1, 0], [5 / 8, 3 / 8]]  # node 3 has no weight: sure
    assert empty.last_nodes([[0, NAN]]).tolist() == [1]
    costs = empty.costs_of_rows([[NAN, NAN]])
    assert (costs.nodes, costs.terminal_nodes, costs.average_depth) == (2, 1, 1)


def test_a_tie_of_shares_goes_to_the_first_decision() -> None:
    tied = shared_tree(
        kind=[CODES, *[TERMINAL] * 3],
        attribute=[0, -1, -1, -1],
        decision=[2, 2, 1, 0],
        edges=[0, 3, 3, 3, 3],
        edge_code=[0, 1, 2],
        edge_to=[1, 2, 3],
        edge_bound=[INF] * 3,
        unknown_to=[ALL_BRANCHES, -1, -1, -1],
        counts=[[3, 3, 3], [0, 0, 3], [0, 3, 0], [3, 0, 0]],
    )
    assert tied.predict([[NAN]]).tolist() == [0]


def test_a_tree_without_counts_is_sure_of_its_decisions() -> None:
    tree = shared_tree(counts=np.zeros((0, 0)), unknown_to=[-1] * 5)
    assert tree.distribution([[0, 1], [NAN, 0], [0, 0]]).tolist() == [[0, 1], [1, 0], [1, 0]]


def test_costs_of_rows_weigh_depths_by_shares() -> None:
    costs = shared_tree().costs_of_rows([[NAN, 0], [1, 0], [0, 0]], [2, 1, 0])  # the last row weighs nothing
    assert costs.total_path_length == pytest.approx(2 * (0.75 * 2 + 0.25) + 1)
    assert costs.average_depth == pytest.approx((2 * 1.75 + 1) / 3)
    assert (costs.depth, costs.nodes, costs.nonterminal_nodes, costs.terminal_nodes) == (2, 4, 2, 2)


@pytest.mark.parametrize("weights", [[1.0], [0.0, 0.0], [-1.0, 2.0], [NAN, 1.0]])
def test_invalid_weights_are_refused(weights: list[float]) -> None:
    with pytest.raises(TreeError, match=r"`weights` has (shape|negative or missing)|has a positive weight"):
        shared_tree().costs_of_rows([[0, 0], [1, 0]], weights)


def test_json_keeps_all_branches() -> None:
    assert from_json(to_json(shared_tree())).unknown_to.tolist() == [ALL_BRANCHES, ALL_BRANCHES, -1, -1, -1]


def test_text_says_where_values_go_down_all_branches() -> None:
    assert export_text(shared_tree()).splitlines() == [
        "f1 in {2, 0}", "|   f2 <= 0.5: 0", "|   f2 > 0.5: 1", "f1 = 1: 1", "(unknown: all branches)",
    ]  # fmt: skip
    some = shared_tree(unknown_to=[-1, ALL_BRANCHES, -1, -1, -1])
    assert export_text(some).splitlines() == [
        "f1 in {2, 0}",
        "|   f2 (unknown: all branches) <= 0.5: 0",
        "|   f2 (unknown: all branches) > 0.5: 1",
        "f1 = 1: 1",
    ]
    assert '  label="unknown: all branches";' in to_graphviz(shared_tree()).splitlines()
    assert '  1 [label="f2\\n(unknown: all branches)"];' in to_graphviz(some).splitlines()


def test_a_linear_test_does_not_use_attributes_times_zero() -> None:
    assert every_kind().last_nodes([[1, 1, 0], [1, 1, 1], [1, NAN, 0]]).tolist() == [9, 8, 2]
    zero = stump(LINEAR, edge_bound=[1, INF], coefficients=[[0, 1]])
    assert zero.last_nodes([[NAN, 0], [INF, 2], [0, NAN]]).tolist() == [1, 2, 0]


@st.composite
def trees_and_rows(draw: Any) -> tuple[DecisionTree, list[list[float]], list[int]]:
    """A random tree of CODES, BOUNDS and LINEAR nodes over two attributes, and rows with weights for it."""
    kind, attribute, edges, code, bound, to, unknown, coefficients = [], [], [0], [], [], [], [], []
    nodes, node = 1, 0
    while node < nodes:
        chosen = (
            TERMINAL if nodes > 12 else draw(st.sampled_from([TERMINAL, CODES, BOUNDS, LINEAR] if node else [CODES]))
        )
        kind.append(chosen)
        attribute.append(-1 if chosen == TERMINAL else draw(st.integers(0, 1)))
        number = 0 if chosen == TERMINAL else draw(st.integers(1, 3))
        codes = draw(st.permutations([0, 1, 2, 40]))[:number]
        bounds = sorted(draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0]), unique=True, min_size=3, max_size=3)))
        children = [nodes + draw(st.integers(0, edge)) for edge in range(number)]
        children = [nodes + sorted(set(children)).index(child) for child in children]
        nodes += len(set(children))
        unknown.append(-1 if chosen == TERMINAL else draw(st.sampled_from([-1, ALL_BRANCHES, ALL_BRANCHES, nodes])))
        nodes += unknown[-1] == nodes
        if chosen == LINEAR:
            attribute[-1] = len(coefficients)
            coefficients.append([draw(st.sampled_from([0.0, 1.0, -1.0, 2.0])) for _ in range(2)])
        code += codes if chosen == CODES else [0] * number
        bound += [INF] * number if chosen in {CODES, TERMINAL} else [*bounds[: number - 1], INF]
        to += children
        edges.append(len(to))
        node += 1
    counts = [[draw(st.sampled_from([0, 0, 1, 2, 3.5])) for _ in range(2)] for _ in range(nodes)]
    tree = tree_of(
        kind, attribute, [int(b > a) for a, b in counts], edges, code, to, edge_bound=bound, unknown_to=unknown,
        counts=counts, coefficients=coefficients or np.zeros((0, 0)),
    )  # fmt: skip
    value = st.sampled_from([NAN, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 40.0, 1e300])
    rows = draw(st.lists(st.lists(value, min_size=2, max_size=2), min_size=1, max_size=6))
    return tree, rows, draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))


def parts_by_hand(tree: DecisionTree, row: list[float], node: int = 0, share: Fraction = Fraction(1)) -> Any:
    """(node, share) for each part of a row, by recursion and in exact arithmetic."""
    kind, tested, unknown = tree.kind[node], tree.attribute[node], int(tree.unknown_to[node])
    edges = range(tree.edges[node], tree.edges[node + 1])
    if kind == TERMINAL:
        return [(node, share)]
    coefficients = tree.coefficients[tested].tolist() if kind == LINEAR else [float(tested == 0), float(tested == 1)]
    terms = [(c, v) for c, v in zip(coefficients, row, strict=True) if c]
    value = sum(c * v for c, v in terms)
    missing = value != value or (kind == CODES and value < 0)
    if missing and unknown == ALL_BRANCHES:
        children = sorted({int(tree.edge_to[edge]) for edge in edges})
        weight = {child: Fraction(float(tree.counts[child].sum())) for child in children}
        if not sum(weight.values()):
            return [(node, share)]
        shares = {child: share * weight[child] / sum(weight.values()) for child in children if weight[child]}
        return [part for child, mine in shares.items() for part in parts_by_hand(tree, row, child, mine)]
    fits = [e for e in edges if (tree.edge_code[e] == value if kind == CODES else value <= tree.edge_bound[e])]
    if missing or not fits:
        return parts_by_hand(tree, row, unknown, share) if unknown >= 0 else [(node, share)]
    return parts_by_hand(tree, row, int(tree.edge_to[fits[0]]), share)


@given(trees_and_rows())
def test_any_tree_shares_rows_as_by_hand(made: tuple[DecisionTree, list[list[float]], list[int]]) -> None:
    tree, rows, weights = made
    depth = tree.depths()
    reached, ends, length = set(), set(), 0.0
    for row, weight in zip(rows, weights, strict=True):
        expected = np.zeros(2)
        for node, share in parts_by_hand(tree, row):
            counts = tree.counts[node]
            sure = np.eye(2)[tree.decision[node]]
            expected += float(share) * (counts / counts.sum() if counts.sum() else sure)
            length += weight * float(share) * depth[node]
            ends.add(node)
            above = node
            while above >= 0:
                reached.add(above)
                above = int(tree.parents()[above])
        result = tree.distribution([row])[0]
        np.testing.assert_allclose(result[:2], expected, atol=1e-12)
        assert expected[tree.predict([row])[0]] == pytest.approx(expected.max())
    many = rows * (2 * BLOCK // len(rows) + 1)
    alone = {tuple(row): (tree.predict([row])[0], *tree.distribution([row])[0]) for row in rows}
    together = np.column_stack([tree.predict(many), tree.distribution(many)])
    assert together.tolist() == [list(alone[tuple(row)]) for row in many]
    costs = tree.costs_of_rows(rows, weights)
    assert (costs.nodes, costs.terminal_nodes) == (len(reached), len(ends))
    assert costs.total_path_length == pytest.approx(length)
    assert costs.average_depth == pytest.approx(length / sum(weights))
    assert costs.depth == max(depth[node] for node in ends)
