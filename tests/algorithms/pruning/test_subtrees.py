"""What is left of a tree when nodes are made terminal: against a walk of the tree itself."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.pruning.pessimistic import pessimistic
from algorithms.pruning.subtrees import pruned, rows_that_end
from algorithms.trees.arrays import ALL_BRANCHES, NodeKind, TreeError
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.pruning.grown import Grown, grown
from tests.algorithms.trees import BOUNDS, CODES, TERMINAL, every_kind, stump, tree_of
from tests.oracles import pruned_trees


def same(first: DecisionTree, second: DecisionTree) -> bool:
    return all(
        np.array_equal(getattr(first, field.name), getattr(second, field.name)) for field in fields(DecisionTree)
    )


@given(grown(), st.data())
def test_rows_answer_what_the_first_terminal_node_on_their_way_answers(given_tree: Grown, data: st.DataObject) -> None:
    tree, rows = given_tree.tree, given_tree.data.values()
    leaves = data.draw(st.sampled_from(sorted(pruned_trees.all_of(tree), key=sorted)))
    smaller = pruned(tree, np.array(sorted(leaves)))
    assert pruned_trees.leaves_of(tree, smaller) == leaves
    expected = [next(node for node in pruned_trees.path(tree, row) if node in leaves) for row in rows.tolist()]
    assert smaller.predict(rows).tolist() == tree.decision[expected].tolist()
    assert smaller.counts[smaller.last_nodes(rows)].tolist() == tree.counts[expected].tolist()


@pytest.mark.parametrize("node", range(10))
def test_every_kind_of_node_is_kept(node: int) -> None:
    """Subsets, intervals, unknown branches, linear tests."""
    tree = every_kind()
    smaller = pruned(tree, np.array([node]))
    rows = np.random.default_rng(node).choice([0, 1, 2, 0.3, 3, np.nan], (300, 3))
    below = np.zeros(10, int)
    below[node] = 1
    reaches = np.zeros(300, bool)
    for visited, reached in tree.rows_of_nodes(rows):
        if visited == node:
            reaches[reached] = True
    assert reaches.any()
    expected = np.where(reaches, tree.decision[node], tree.predict(rows))
    assert smaller.predict(rows).tolist() == expected.tolist()
    assert len(smaller.coefficients) == (smaller.kind == NodeKind.LINEAR).sum()


def test_nothing_made_terminal_is_the_same_tree() -> None:
    assert same(pruned(every_kind(), np.zeros(10, bool)), every_kind())


def test_rows_shared_by_all_branches_stay_shared() -> None:
    tree = tree_of(
        [CODES, BOUNDS, TERMINAL, TERMINAL, TERMINAL],
        [0, 1, -1, -1, -1],
        [0, 0, 1, 0, 0],
        [0, 2, 4, 4, 4, 4],
        [0, 1, 0, 0],
        [1, 2, 3, 4],
        edge_bound=[np.inf, np.inf, 1, np.inf],
        unknown_to=[ALL_BRANCHES, ALL_BRANCHES, -1, -1, -1],
        counts=[[6, 2], [6, 0], [0, 2], [3, 0], [3, 0]],
    )
    smaller = pruned(tree, np.array([1]))
    assert smaller.unknown_to.tolist() == [ALL_BRANCHES, -1, -1]
    assert smaller.distribution([[np.nan, 0]]).tolist() == [[0.75, 0.25]]


def test_rows_that_end_on_the_way_are_what_the_branches_do_not_hold() -> None:
    tree = stump(counts=[[4, 3 + 1e-12], [3, 1e-12], [0, 3]])
    assert rows_that_end(tree).tolist() == [[1, 0], [3, 1e-12], [0, 3]]


def test_sums_over_subtrees() -> None:
    assert every_kind().sums_over_subtrees(2 ** np.arange(10)).tolist() == [
        1023,
        2 + 16 + 32 + 64 + 128,
        4 + 256 + 512,
        *(2 ** np.arange(3, 10)),
    ]


def test_a_tree_without_counts_is_refused() -> None:
    tree = tree_of([TERMINAL], [-1], [0], [0, 0], [], [])
    with pytest.raises(TreeError, match="the tree has no `counts`"):
        pessimistic(tree)
