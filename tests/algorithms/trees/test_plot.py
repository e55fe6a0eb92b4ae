"""Trees drawn: where nodes are, and that every word of the tree is in the picture."""

from __future__ import annotations

import sys
from collections import Counter
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given

from algorithms.data.table import Labels
from algorithms.induction.cart import CARTClassifier
from algorithms.trees.decision_tree import DecisionTree
from algorithms.trees.plot import draw_tree, positions
from tests.algorithms.grown_trees import id3_tree
from tests.algorithms.induction.data_sets import data_of
from tests.algorithms.strategies import GivenTable, tables
from tests.algorithms.trees import TERMINAL, every_kind, stump, tree_of

Figure = pytest.importorskip("matplotlib.figure").Figure


@given(given_table=tables(max_rows=12))
def test_leaves_stand_side_by_side_and_others_over_their_children(given_table: GivenTable) -> None:
    tree = id3_tree(data_of(given_table))
    x, level = positions(tree)

    def leaves(node: int) -> list[int]:
        below = tree.children(node)
        return [leaf for child in below for leaf in leaves(child)] if below else [node]

    assert x[leaves(0)].tolist() == list(range(len(leaves(0))))
    for node in range(tree.nodes):
        below = tree.children(node)
        if below:
            assert x[node] == pytest.approx((x[below[0]] + x[below[-1]]) / 2)
            assert (level[below] == level[node] + 1).all()
    for depth in range(int(level.max()) + 1):  # no two nodes at one position
        assert len(np.unique(x[level == depth])) == int((level == depth).sum())


def words_of(tree: DecisionTree, labels: Labels) -> Counter[str]:
    figure = Figure()
    axes = figure.add_axes((0, 0, 1, 1))
    draw_tree(axes, tree, labels)
    return Counter(text.get_text() for text in axes.texts)


def test_tests_and_decisions_are_in_the_picture() -> None:
    tree = stump(attribute=1, counts=[[3, 2], [3, 0], [0, 2]])
    labels = Labels(("size", "colour"), (("s",), ("red", "blue")), ("no", "yes"))
    assert words_of(tree, labels) == Counter(["colour", "red", "blue", "no", "yes", "3", "2"])


def test_names_are_no_formulas() -> None:
    """Matplotlib reads what is between two dollars as one."""
    tree = stump()
    figure = Figure()
    draw_tree(figure.add_axes((0, 0, 1, 1)), tree, Labels((r"$\x$",), ((r"$\y$", "b"),), (r"$\z$", "$_$")))
    figure.savefig(BytesIO())


def test_shares_of_rows_are_drawn_to_two_digits() -> None:
    tree = tree_of([TERMINAL], [-1], [0], [0, 0], [], [], counts=[[100 / 3, 1.0]])
    assert words_of(tree, Labels((), (), ("no", "yes"))) == Counter(["no", "33.33 + 1"])


def test_rows_of_little_weight_are_not_drawn_as_no_rows() -> None:
    tree = tree_of([TERMINAL], [-1], [0], [0, 0], [], [], counts=[[0.004, 1 / 3000]])
    assert words_of(tree, Labels((), (), ("no", "yes"))) == Counter(["no", "0.004 + 0.00033"])


def test_every_kind_of_node_is_drawn() -> None:
    tree = every_kind()
    labels = Labels(("a", "b", "c"), (("u", "v", "w"),) * 3, tuple(f"d{k}" for k in range(9)))
    result = words_of(tree, labels)
    assert {"a", "b", "in {u, w}", "unknown"} <= set(result)
    assert sum(result[f"d{k}"] for k in range(9)) == int((tree.kind == TERMINAL).sum())


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = CARTClassifier().fit([[0.0], [1.0]], [0, 1])
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="run `pip install matplotlib`"):
        fitted.plot()
