"""Weights and numbers of any size, and of very different sizes: no scale changes a tree, and none stops a builder."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from algorithms.baselines.random_tree import RandomTreeClassifier
from algorithms.estimators.tree_classifier import TreeClassifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.did import DIDClassifier
from algorithms.induction.generate_tree import GenerateTreeClassifier
from algorithms.induction.id3 import GainRatioClassifier, ID3Classifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier
from algorithms.induction.mid_level import MidLevelClassifier
from algorithms.induction.tuned_cart import TunedCARTClassifier

FLOWERS, SPECIES = load_iris(return_X_y=True)
WEIGHTS = np.arange(1.0, 151.0) % 7 + 0.5


@pytest.mark.parametrize("exponent", [-960, 960])
@pytest.mark.parametrize(
    "model",
    [
        CARTClassifier(min_gain=0.01),
        TunedCARTClassifier(),
        RandomTreeClassifier(),
        GenerateTreeClassifier(impurity="gini"),
        ID3Classifier(),
    ],
    ids=str,
)
def test_the_scale_of_the_weights_changes_no_tree_and_no_importance(model: TreeClassifier, exponent: int) -> None:
    near_one = model.fit(FLOWERS, SPECIES, WEIGHTS)
    tree, importances = near_one.tree_, near_one.feature_importances_
    scaled = model.fit(FLOWERS, SPECIES, np.ldexp(WEIGHTS, exponent))
    assert scaled.tree_.nodes > 1
    for name in ("kind", "attribute", "edge_bound", "edge_to", "decision"):
        np.testing.assert_array_equal(getattr(scaled.tree_, name), getattr(tree, name), name)
    np.testing.assert_array_equal(np.ldexp(scaled.tree_.counts, -exponent), tree.counts)
    np.testing.assert_array_equal(scaled.feature_importances_, importances)


@pytest.mark.parametrize("model", [ID3Classifier(), GenerateTreeClassifier(), DIDClassifier()], ids=str)
def test_weights_too_small_to_be_multiplied_are_refused(model: TreeClassifier) -> None:
    with pytest.raises(ValueError, match=r"the weights add up to 7.4e-322: expected at least 1e-300; multiply all"):
        model.fit(FLOWERS, SPECIES, np.full(150, 5e-324))


@pytest.mark.filterwarnings("ignore:.*NewtonCholeskySolver")
def test_weights_beside_which_a_penalty_is_nothing_give_one_logistic_tree() -> None:
    model = LogisticTreeClassifier()
    tree = model.fit(FLOWERS, SPECIES, np.ldexp(WEIGHTS, 300)).tree_
    heavier = model.fit(FLOWERS, SPECIES, np.ldexp(WEIGHTS, 960)).tree_
    assert tree.nodes > 3
    np.testing.assert_array_equal(heavier.coefficients, tree.coefficients)
    np.testing.assert_array_equal(heavier.edge_bound, tree.edge_bound)


@pytest.mark.parametrize(
    "model",
    [GainRatioClassifier(), DIDClassifier(distance="mantaras"), MidLevelClassifier(distance="mantaras")],
    ids=str,
)
def test_one_row_may_outweigh_all_others(model: Any) -> None:
    values = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    for heavy in range(4):
        weights = np.where(np.arange(4) == heavy, 1e20, 1.0)
        model.fit(values, [0, 1, 1, 0], weights)
        assert model.predict(values).tolist() == [0, 1, 1, 0]
        assert np.isfinite(model.feature_importances_).all()


@pytest.mark.parametrize("impurity", ["gini", "entropy", "misclassification"])
def test_a_branch_may_lose_its_weight_to_rounding(impurity: Any) -> None:
    model = GenerateTreeClassifier(impurity=impurity).fit([[0], [1], [2]], [0, 1, 2], [1e16, 1e16, 1.0])
    assert model.predict([[0], [1], [2]]).tolist() == [0, 1, 1]


@pytest.mark.parametrize("exponent", [-1000, -600, 700, 1000])
def test_the_scale_of_the_numbers_changes_no_logistic_tree(exponent: int) -> None:
    model = LogisticTreeClassifier()
    tree = model.fit(FLOWERS, SPECIES, WEIGHTS).tree_
    scaled = model.fit(np.ldexp(FLOWERS, exponent), SPECIES, WEIGHTS).tree_
    assert tree.nodes > 3
    np.testing.assert_array_equal(np.ldexp(scaled.coefficients, exponent), tree.coefficients)
    np.testing.assert_array_equal(scaled.edge_bound, tree.edge_bound)
