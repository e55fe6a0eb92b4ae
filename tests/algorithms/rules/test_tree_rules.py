"""A tree's rules: equal to the tree on every row, and counted as its leaves are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import AttributeKind, DataSet
from algorithms.data.rule_sets import RULE_SETS
from algorithms.data.table import Labels
from algorithms.rules.rule_list import Rule, RuleList
from algorithms.rules.tree_rules import tree_rules
from algorithms.trees.arrays import NodeKind, TreeError
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_set_of, data_sets
from tests.algorithms.grown_trees import cart_tree, generate_tree
from tests.algorithms.trees import BOUNDS, TERMINAL, every_kind, stump, tree_of

NAN, INF = np.nan, np.inf


def strange_rows(data: DataSet, draw: st.DataObject) -> np.ndarray:
    """Rows with missing values, codes that no training row has, and numbers beyond."""
    value = st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.0, 9.0, -7.5, 0.3, 1e9])
    width = len(data.attributes)
    rows = draw.draw(st.lists(st.lists(value, min_size=width, max_size=width), min_size=1, max_size=20))
    return np.array(rows)


@given(data_sets(max_rows=20), st.data())
def test_equal_to_a_grown_tree(data: DataSet, draw: st.DataObject) -> None:
    tree = generate_tree(data)
    rules = tree_rules(tree)
    rows = np.concatenate([data.values(), strange_rows(data, draw)])
    assert rules.predict(rows).tolist() == tree.predict(rows).tolist()
    first = rules.first_rules(data.values())
    for index, rule in enumerate(rules.rules):
        decided = data.decisions[first == index]
        assert list(rule.counts) == np.bincount(decided, minlength=len(data.classes)).tolist()
        if len(decided):
            assert rule.accuracy == (decided == rule.decision).mean()
    assert rules.coverage().sum() == pytest.approx(1)
    assert rules.coverage().tolist() == pytest.approx([(first == index).mean() for index in range(len(rules.rules))])


@given(data_sets(max_rows=20, missing=True), st.data())
def test_equal_to_a_tree_of_cart(data: DataSet, draw: st.DataObject) -> None:
    """Its edges for labels, and the unknown branch, lead to the same nodes."""
    data = replace(data, columns=tuple(np.nan_to_num(column) for column in data.columns))
    tree = cart_tree(data, np.ones(data.rows))
    rows = np.concatenate([data.values(), strange_rows(data, draw)])
    assert tree_rules(tree).predict(rows).tolist() == tree.predict(rows).tolist()


def test_equal_to_a_tree_of_every_kind_of_node() -> None:
    tree = every_kind()
    rows = np.random.default_rng(0).choice([0, 1, 2, 0.3, 3, -4, 0.5, NAN, INF, -INF], (3000, 3))
    rules = tree_rules(tree)
    with np.errstate(invalid="ignore"):
        assert rules.predict(rows).tolist() == tree.predict(rows).tolist()
    labels = Labels(("a", "b", "c"), (("x", "y", "z"), (), ()), ("no", "maybe", "yes"))
    assert [rule.text(labels) for rule in rules.rules] == [
        "if a in {x, z} and b <= 0.5 then no",
        "if a in {x, z} and 0.5 < b <= 2 then maybe",
        "if a in {x, z} and b > 2 then yes",
        "if a in {x, z} and b is unknown then no",
        "if a in {x, z} then no",
        "if a = y and 2 b + -1 c <= 1 then maybe",
        "if a = y and 2 b + -1 c > 1 then yes",
        "if a = y then yes",
        "if not a in {x, y, z} then maybe",
        "else maybe",
    ]


def test_intervals_apart_that_lead_to_one_node() -> None:
    tree = stump(
        BOUNDS,
        edge_to=[1, 1, 2, 1],
        edge_bound=[1, 2, 3, INF],
        unknown_to=[1, -1, -1],
        counts=[[5, 2], [5, 0], [0, 2]],
    )
    rules = tree_rules(tree)
    rows = np.array([[0.0], [1.5], [2], [2.5], [3.5], [NAN]])
    assert rules.predict(rows).tolist() == tree.predict(rows).tolist() == [0, 0, 0, 1, 0, 0]
    assert sum(rule.covered for rule in rules.rules) == 7


def test_rules_for_rows_that_stay_are_left_out_where_they_change_nothing() -> None:
    """Many a node above the leaves of MONK-1 decides the same as the one above it."""
    tree = generate_tree(RULE_SETS["monks-1"]())
    leaves = (tree.kind == NodeKind.TERMINAL).sum()
    rules = tree_rules(tree)
    assert leaves <= len(rules.rules) < tree.nodes


def test_how_a_list_reads() -> None:
    data = data_set_of([[0, 0, 1, 1, 1], [1.0, 2.0, 1.0, 1.0, 1.0]], [0, 1, 1, 1, 1], [False, True])
    tree = generate_tree(data)
    labels = Labels(("sky", "wind"), (("grey", "blue"), ()), ("stay", "go"))
    assert tree_rules(tree).text(labels).splitlines() == [
        "if sky = grey and wind <= 1.5 then stay  [20.0 % of rows, 100.0 % of them right]",
        "if sky = grey and wind > 1.5 then go  [20.0 % of rows, 100.0 % of them right]",
        "if sky = grey then stay  [0.0 % of rows]",
        "if sky = blue then go  [60.0 % of rows, 100.0 % of them right]",
        "else go  [0.0 % of rows]",
    ]


def test_what_is_no_list_and_no_counted_tree_is_refused() -> None:
    with pytest.raises(ValueError, match="the list has no default rule"):
        RuleList(())
    with pytest.raises(TreeError, match="the tree has no `counts`"):
        tree_rules(tree_of([TERMINAL], [-1], [0], [0, 0], [], []))
    assert Rule((), 1).text() == "else 1"
    assert np.isnan(Rule((), 1).accuracy)


def test_deep_trees_need_no_recursion() -> None:
    numbers = np.arange(3000.0)
    data = data_set_of([numbers], (np.arange(3000) % 2).tolist(), [True])
    tree: DecisionTree = generate_tree(data, impurity="gini")
    assert data.attributes[0].kind is AttributeKind.NUMERIC
    assert tree_rules(tree).predict(numbers[:, None]).tolist() == data.decisions.tolist()
