"""Pessimistic pruning: Weka's and Quinlan's own figures, and the tree it leaves against the definition."""

from __future__ import annotations

from math import isclose, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from algorithms.pruning.pessimistic import added_errors, pessimistic
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.grown_trees import c45_tree
from tests.algorithms.pruning.grown import Grown, grown
from tests.algorithms.trees import TERMINAL, stump, tree_of
from tests.oracles import pruned_trees
from tests.oracles.j48 import added


@given(st.floats(0.05, 500), st.floats(0, 1), st.floats(0.01, 0.5))
def test_added_errors_are_wekas(weight: float, share: float, confidence: float) -> None:
    assert float(added_errors(weight, share * weight, confidence)) == pytest.approx(
        added(weight, share * weight, confidence), rel=1e-9, abs=1e-9
    )


def test_quinlans_figures() -> None:
    """U25%(0, 6) = 0.206, U(0, 9) = 0.143, U(0, 1) = 0.750 (C4.5, section 4.2), for which the leaves add 2.35...."""
    assert [round(float(added_errors(n, 0)) / n, 3) for n in (6, 9, 1)] == [0.206, 0.143, 0.75]
    assert added_errors([0, 0], [0, 0]).tolist() == [0, 0]


@given(grown(max_rows=20), st.sampled_from([0.01, 0.1, 0.25, 0.5]))
def test_subtrees_are_replaced_from_the_bottom_up(given_tree: Grown, confidence: float) -> None:
    tree = given_tree.tree
    kept: set[int] = set()

    def estimate(node: int) -> float:
        """Prunes below the node, then decides: returns its pessimistic errors, and gathers terminal nodes."""
        weight = float(tree.counts[node].sum())
        errors = weight - float(tree.counts[node].max())
        as_leaf = errors + added(weight, errors, confidence)
        below = sum(estimate(child) for child in tree.children(node)) if tree.children(node) else as_leaf
        if as_leaf <= below + 0.1 + 1e-6:
            kept.add(node)
            return as_leaf
        return below

    estimate(0)
    mine = pruned_trees.leaves_of(tree, pessimistic(tree, confidence))
    assert mine <= kept
    for leaf in mine:  # and nothing above it was decided to be one
        above = int(tree.parents()[leaf])
        while above >= 0:
            assert above not in kept
            above = int(tree.parents()[above])


@pytest.mark.parametrize("seed", range(20))
def test_c45_without_raising_is_its_unpruned_tree_pruned(seed: int) -> None:
    """Another program of the project, with missing values whose rows go down all branches in shares."""
    generator = np.random.default_rng(seed)
    numbers = generator.normal(size=(2, 250)).round(1)
    codes = generator.integers(-1, 4, (2, 250))
    decisions = (numbers[0] > 0.5) ^ (codes[0] == 1) ^ (generator.random(250) < 0.2)
    numbers[generator.random((2, 250)) < 0.1] = np.nan
    data = data_set_of([*numbers, *codes], decisions.astype(int).tolist(), [True, True, False, False])
    unpruned = c45_tree(data, pruned=False)
    for confidence in (0.05, 0.25, 0.5):
        mine, theirs = pessimistic(unpruned, confidence), c45_tree(data, confidence=confidence, raising=False)
        assert mine.nodes == theirs.nodes
        assert mine.predict(data.values()).tolist() == theirs.predict(data.values()).tolist()
        assert sorted(mine.counts.sum(axis=1)) == pytest.approx(sorted(theirs.counts.sum(axis=1)))
    assert pessimistic(unpruned, 0.005).nodes < unpruned.nodes


def test_rows_that_end_on_the_way_are_a_leaf_of_their_own() -> None:
    """Two pure branches of 10; with 5 rows of class 0 that fit neither the node is wrong about none of them."""
    assert pessimistic(stump(counts=[[15, 10], [10, 0], [0, 10]])).nodes == 3
    assert isclose(added(10, 0, 0.25) * 2 + added(5, 0, 0.25), 3.8, abs_tol=0.1)
    assert pessimistic(stump(counts=[[15, 1], [10, 0], [5, 1]])).nodes == 1


@pytest.mark.parametrize("confidence", [1e-16, 1e-17, 5e-324])
def test_any_confidence_above_0_has_a_limit(confidence: float) -> None:
    deviate = norm.isf(confidence)
    root = sqrt(0.15 / 10 - 0.15**2 / 10 + deviate**2 / 400)
    share = (0.15 + deviate**2 / 20 + deviate * root) / (1 + deviate**2 / 10)
    assert float(added_errors(10, 1, confidence)) == pytest.approx(10 * share - 1)


@pytest.mark.parametrize("confidence", [0, 0.51, 1, float("nan")])
def test_invalid_confidences_are_refused(confidence: float) -> None:
    tree = tree_of([TERMINAL], [-1], [0], [0, 0], [], [], counts=[[1]])
    with pytest.raises(ValueError, match="confidence is"):
        pessimistic(tree, confidence)
