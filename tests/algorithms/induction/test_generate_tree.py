"""GenerateTree: against the document's pseudocode, against scikit-learn's CART, and what it refuses."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.data.rule_sets import RULE_SETS
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_set_of, data_sets
from tests.algorithms.grown_trees import generate_tree
from tests.algorithms.timed import timed
from tests.oracles import generate_tree as oracle

IMPURITIES = ["entropy", "gini", "misclassification"]


def rows_of(data: DataSet, weights: list[int]) -> list[oracle.Row]:
    rows = zip(data.values().tolist(), data.decisions.tolist(), map(Fraction, weights), strict=True)
    return [row for row in rows if row[2]]


def same(tree: DecisionTree, node: int, expected: Any) -> bool:
    """Whether the subtree is the oracle's; a cut may be anywhere between the oracle's two numbers."""
    if not isinstance(expected, tuple):
        return tree.kind[node] == NodeKind.TERMINAL and tree.decision[node] == expected
    edges = tree.edges_of(node)
    attribute, branches = expected
    if tree.attribute[node] != attribute or edges.stop - edges.start != len(branches):
        return False
    if tree.kind[node] == NodeKind.BOUNDS:
        lower, upper, _ = next(iter(branches))
        fits = lower <= tree.edge_bound[edges][0] < upper
    else:
        fits = tree.edge_code[edges].tolist() == sorted(branches)
    return fits and all(
        same(tree, int(to), branches[branch]) for to, branch in zip(tree.edge_to[edges], sorted(branches), strict=True)
    )


@given(
    data_sets(),
    st.sampled_from(IMPURITIES),
    st.sampled_from([0.0, 0.2, 0.5, 1.0]),
    st.sampled_from([0.0, 0.05, 0.3]),
    st.sampled_from([0.0, 0.25, 0.5]),
    st.data(),
)
def test_against_the_pseudocode(
    data: DataSet, impurity: Any, threshold: float, penalty: float, min_share: float, more: st.DataObject
) -> None:
    weights = more.draw(st.lists(st.integers(0, 3), min_size=data.rows, max_size=data.rows).filter(any))
    tree = generate_tree(
        data, weights, impurity=impurity, threshold=threshold, branching_penalty=penalty, min_share=min_share
    )
    rows = rows_of(data, weights)
    numeric = [attribute.kind is AttributeKind.NUMERIC for attribute in data.attributes]
    expected = oracle.tree(rows, numeric, impurity, threshold, penalty, min_share * sum(weights))
    assert same(tree, 0, expected)


@given(data_sets(), st.sampled_from(IMPURITIES))
def test_counts_are_those_of_the_rows_that_reach_a_node(data: DataSet, impurity: Any) -> None:
    tree = generate_tree(data, impurity=impurity)
    for node, rows in tree.rows_of_nodes(data.values()):
        counts = np.bincount(data.decisions[rows], minlength=len(data.classes))
        assert tree.counts[node].tolist() == counts.tolist()
        assert tree.decision[node] == counts.argmax()


@pytest.mark.parametrize(("criterion", "seed"), list(product(["entropy", "gini"], [1, 4, 5, 6, 10, 11, 12, 13])))
def test_equals_cart_on_numbers(criterion: Any, seed: int) -> None:
    """Seeds where no two splits of 40 rows or more are equally good, as CART's own draws of attributes show."""
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(400, 4)).astype(np.float32).astype(np.float64)
    noisy = values[:, 0] + values[:, 1] * values[:, 2] + generator.normal(size=400)
    decisions = np.digitize(noisy, [-0.5, 0.7]).astype(np.int32)
    data = data_set_of(list(values.T), decisions.tolist(), [True] * 4)
    cart = [
        DecisionTreeClassifier(criterion=criterion, min_samples_split=40, random_state=draw).fit(values, decisions)
        for draw in range(10)
    ]
    assert len({tuple(other.tree_.threshold) for other in cart}) == 1
    tree = generate_tree(data, impurity=criterion, min_share=0.1)
    theirs = cart[0].tree_
    assert tree.nodes == theirs.node_count > 15
    waiting = [(0, 0)]
    while waiting:
        mine, other = waiting.pop()
        assert tree.counts[mine].tolist() == pytest.approx(theirs.value[other, 0] * theirs.n_node_samples[other])
        if theirs.children_left[other] < 0:
            assert tree.kind[mine] == NodeKind.TERMINAL
            continue
        assert tree.attribute[mine] == theirs.feature[other]
        assert tree.edge_bound[tree.edges_of(mine)][0] == pytest.approx(theirs.threshold[other], rel=1e-9)
        children = theirs.children_left[other], theirs.children_right[other]
        waiting += zip(tree.children(mine), children, strict=True)


def test_fractional_weights_change_nothing_but_the_counts() -> None:
    data = RULE_SETS["monks-1"]()
    whole, part = generate_tree(data), generate_tree(data, np.full(data.rows, 1 / 3))
    assert np.array_equal(whole.attribute, part.attribute)
    assert part.counts * 3 == pytest.approx(whole.counts)


def test_a_threshold_equal_to_the_impurity_stops_whatever_rounding_says() -> None:
    for n in range(1, 60):
        data = data_set_of([[0] * n + [1] * n], [0] * n + [1] * n, [False])
        assert generate_tree(data, threshold=1.0).nodes == 1
        assert generate_tree(data, threshold=0.999).nodes == 3


def test_a_deep_chain() -> None:
    """Deep trees need no recursion: with gini every number of alternating classes is cut off one after another."""
    numbers = np.arange(2000.0)
    data = data_set_of([numbers], (np.arange(2000) % 2).tolist(), [True])
    tree = generate_tree(data, impurity="gini")
    assert tree.predict(numbers[:, None]).tolist() == data.decisions.tolist()
    assert tree.depths().max() > 500


def test_a_cut_separates_numbers_next_to_each_other() -> None:
    lower = 1.0
    upper = np.nextafter(lower, 2)
    data = data_set_of([[lower, upper]], [0, 1], [True])
    assert generate_tree(data).predict([[lower], [upper]]).tolist() == [0, 1]


def test_few_heavy_rows_take_no_time_for_logarithms() -> None:
    data = data_set_of([list(range(16))], [0, 1] * 8, [True])
    light = generate_tree(data)
    heavy, seconds = timed(lambda: [generate_tree(data, np.full(16, 1e6)) for _ in range(5)])
    assert heavy[0].edge_bound.tolist() == light.edge_bound.tolist()
    assert seconds < 0.25


def test_data_that_it_cannot_grow_from_are_reported() -> None:
    with pytest.raises(ValueError, match=r"attribute 'a2' has 1 missing value in 2 rows, the first in row 1"):
        generate_tree(data_set_of([[0, 1], [1.0, np.nan]], [0, 1], [False, True]))
