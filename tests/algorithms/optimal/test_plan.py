"""Plans as trees: every kind of node, what is counted there, and rows that fit no branch."""

from __future__ import annotations

import numpy as np

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.optimal.plan import ByBounds, ByCodes, Leaf, tree_of_plan

NAN = float("nan")
DATA = DataSet(
    (
        Attribute("colour", AttributeKind.NOMINAL, ("red", "green", "blue", "black")),
        Attribute("size", AttributeKind.NUMERIC),
    ),
    (np.array([0, 1, 2, 2, 3, -1], np.int32), np.array([1.0, 5, 2, 7, 9, NAN])),
    ("no", "yes", "perhaps"),
    np.array([0, 1, 0, 1, 1, 2], np.int32),
)
WEIGHTS = np.array([1.0, 1, 1, 2, 1, 0.5])


def test_a_leaf_is_the_majority() -> None:
    tree = tree_of_plan(Leaf(), DATA, WEIGHTS)
    assert tree.nodes == 1
    assert tree.counts.tolist() == [[2, 4, 0.5]]
    assert tree.predict(DATA.values()).tolist() == [1] * 6


def test_codes_groups_bounds_and_the_unknown_branch() -> None:
    by_size = ByBounds(1, (2.0, 8.0), (Leaf(), Leaf(), Leaf()))
    tree = tree_of_plan(ByCodes(0, ((0, 1), (2,)), (by_size, Leaf()), unknown=Leaf()), DATA, WEIGHTS)
    assert tree.counts.sum(axis=1).tolist() == [6.5, 2, 1, 1, 0, 3, 1.5]
    assert tree.predict(DATA.values()).tolist() == [0, 1, 1, 1, 1, 1]  # black goes where missing values go
    assert tree.last_nodes(DATA.values()).tolist() == [2, 3, 5, 5, 6, 6]


def test_a_leaf_without_rows_has_its_parents_class() -> None:
    tree = tree_of_plan(ByBounds(1, (0.5, 6.0), (Leaf(), Leaf(), Leaf())), DATA, WEIGHTS)
    assert tree.decision[1] == tree.decision[0] == 1
    assert tree.predict([[0, 0.0], [0, 6.0], [0, NAN]]).tolist() == [1, 0, 1]


def test_a_leaf_may_have_a_class_of_its_own() -> None:
    tree = tree_of_plan(ByBounds(1, (0.5, 6.0), (Leaf(2), Leaf(1), Leaf())), DATA, WEIGHTS)
    assert tree.decision.tolist() == [1, 2, 1, 1]
    assert tree.counts[1:].tolist() == [[0, 0, 0], [2, 1, 0], [0, 3, 0]]


def test_unknown_branches_without_missing_rows() -> None:
    rows = DATA.take(np.arange(5))
    tree = tree_of_plan(ByBounds(1, (6.0,), (Leaf(), Leaf()), unknown=Leaf()), rows, WEIGHTS[:5])
    assert tree.predict([[0, NAN], [0, 1.0], [0, 6.5]]).tolist() == [1, 0, 1]
