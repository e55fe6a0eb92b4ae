"""Reduced-error pruning: against all trees that can be made, and the rows set apart for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.induction.cart import CARTClassifier
from algorithms.induction.id3 import ID3Classifier
from algorithms.pruning.pruning_rows import rows_to_prune_by
from algorithms.pruning.reduced_error import reduced_error
from algorithms.trees.arrays import ALL_BRANCHES
from tests.algorithms.pruning.grown import Grown, grown
from tests.algorithms.trees import TERMINAL, stump, tree_of
from tests.oracles import pruned_trees


@given(grown(), st.data())
def test_fewest_errors_on_the_pruning_set_of_all_trees_and_then_fewest_nodes(
    given_tree: Grown, data: st.DataObject
) -> None:
    """Rows of the set may have codes that no training row has, or miss values: they end on the way."""
    tree, width = given_tree.tree, len(given_tree.data.attributes)
    value = st.sampled_from([0.0, 1.0, 2.0, 5.0, -1.5, 0.25, float("nan")])
    rows = data.draw(st.lists(st.lists(value, min_size=width, max_size=width), max_size=10))
    decisions = data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    smaller = reduced_error(tree, np.array(rows).reshape(-1, width), np.array(decisions, np.int32), weights)
    mine = pruned_trees.leaves_of(tree, smaller)
    wrong = {leaves: pruned_trees.wrong(tree, leaves, rows, decisions, weights) for leaves in pruned_trees.all_of(tree)}
    assert wrong[mine] == min(wrong.values())
    assert len(mine) == min(len(leaves) for leaves, errors in wrong.items() if errors == wrong[mine])
    differ = smaller.predict(np.array(rows).reshape(-1, width)) != decisions
    assert (np.array(weights, float) * differ).sum() == wrong[mine]


def test_parts_of_rows_count_by_their_shares() -> None:
    """A row of class 1 with a missing value is 0.75 in branch 0: wrong by that in the tree, by 1 in a leaf."""
    tree = stump(unknown_to=[ALL_BRANCHES, -1, -1], counts=[[3, 1], [3, 0], [0, 1]])
    assert reduced_error(tree, [[np.nan]], [1]).nodes == 3
    assert reduced_error(tree, [[np.nan]], [0]).nodes == 1
    assert reduced_error(tree, [[np.nan], [1]], [1, 0], [1, 0.25]).nodes == 1  # 0.75 + 0.25 against 1
    assert reduced_error(tree, [[np.nan], [1]], [1, 0], [1, 0.24]).nodes == 3


@pytest.mark.parametrize("heavy", [1.0, 1e9, 1e17])
def test_a_row_of_any_weight_hides_no_errors_of_the_others(heavy: float) -> None:
    tree = stump()
    assert reduced_error(tree, [[0], [1]], [0, 1], [heavy, 1]).nodes == 3
    assert reduced_error(tree, [[0], [1], [1], [1], [1]], [0, 1, 0, 0, 0], [heavy, 0.6, 0.1, 0.2, 0.3]).nodes == 1


@pytest.mark.parametrize(("kind", "last"), [(np.bool_, 1), (np.int8, 127), (np.uint8, 255), (np.uint64, 3)])
def test_decisions_may_have_the_narrowest_type(kind: type[Any], last: int) -> None:
    tree = stump(decision=[0, 0, last], counts=np.ones((3, 1)))
    assert reduced_error(tree, [[0], [1]], np.array([0, last], kind)).nodes == 3
    assert reduced_error(tree, [[0], [1]], np.array([0, 0], kind)).nodes == 1


def test_invalid_sets_are_refused() -> None:
    tree = tree_of([TERMINAL], [-1], [0], [0, 0], [], [], counts=[[1.0]])
    with pytest.raises(ValueError, match="the pruning set has 1 row, 2 decisions and 2 weights"):
        reduced_error(tree, [[0]], [0, 0])
    with pytest.raises(ValueError, match=r"`decisions` has shape \(2,\) and the smallest value -1: expected shape"):
        reduced_error(tree, [[0], [1]], [-1, 0])
    with pytest.raises(ValueError, match=r"`decisions` has shape \(1, 1\) and the smallest value 0: expected"):
        reduced_error(tree, [[0]], [[0]])


def test_numbers_of_an_estimator_that_could_be_codes_are_refused() -> None:
    by_class = CARTClassifier().fit([[0], [1], [2], [3]], [1, 2, 1, 2])
    with pytest.raises(ValueError, match=r"are 1, 2, so `decisions` could have .* 0, 1, …: pass codes, and the"):
        reduced_error(by_class, [[0], [3]], [1, 2])
    assert reduced_error(by_class.tree_, [[0], [3]], [0, 1]).nodes == 3
    by_label = ID3Classifier().fit([[1], [2], [3], [3]], [0, 1, 0, 0])
    with pytest.raises(ValueError, match="the labels of attribute 'f1' of the estimator are 1, 2, 3, so `values`"):
        reduced_error(by_label, [[1], [2]], [0, 1])
    by_truth = ID3Classifier().fit([[False], [True]], [False, True])
    assert reduced_error(by_truth, [[0], [1]], [0, 1]).nodes == 3


def test_a_class_that_no_node_has_is_an_error_wherever_its_rows_end() -> None:
    tree = stump()
    assert reduced_error(tree, [[0], [1]], [10**15, 1]).nodes == 3
    assert reduced_error(tree, [[0], [1]], [0, 10**15]).nodes == 1


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.floats(0, 0.99), st.integers(0, 9))
def test_a_share_of_every_class_is_set_apart(decisions: list[int], share: float, seed: int) -> None:
    classes = np.array(decisions, np.int32)
    apart = rows_to_prune_by(classes, share, seed)
    assert apart.sum() == int(len(decisions) * share)
    for label in set(decisions):
        assert abs(apart[classes == label].sum() - share * (classes == label).sum()) < 1.01
    assert np.array_equal(apart, rows_to_prune_by(classes, share, seed))


def test_invalid_shares_are_refused() -> None:
    with pytest.raises(ValueError, match="share of pruning rows is 1"):
        rows_to_prune_by(np.zeros(3, np.int32), 1)
