"""CART tuned on validation rows: scikit-learn's own trees at every alpha, and the choice among them."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from algorithms.data.data_set import DataSet
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.tuned_cart import TunedCARTClassifier, pruned_carts, tuned_cart
from algorithms.optimal.plan import ByBounds, Leaf, tree_of_plan
from algorithms.pruning.complexity_tuning import Candidate, tuned
from algorithms.pruning.pruning_rows import rows_to_prune_by
from tests.algorithms.data_sets import data_set_of


def wdbc() -> DataSet:
    x, y = load_breast_cancer(return_X_y=True)
    return data_set_of([column.tolist() for column in x[:, :10].T], y.tolist(), [True] * 10)


DATA = wdbc()
GENERATOR = np.random.default_rng(5)
TRAIN = GENERATOR.random(DATA.rows) < 0.6
VALIDATION = ~TRAIN


def growth(depth: int | None, least: float, seed: int = 0) -> Any:
    return partial(DecisionTreeClassifier, max_depth=depth, min_samples_leaf=least, random_state=seed)


@pytest.mark.parametrize(("depth", "least"), [(None, 1), (3, 0.05), (1, 1), (0, 1)])
def test_the_candidates_are_those_of_scikit_learn_at_any_alpha(depth: int | None, least: float) -> None:
    train, validation = DATA.take(TRAIN), DATA.take(VALIDATION)
    if depth == 0:
        with pytest.raises(ValueError, match="max_depth"):
            pruned_carts(train, np.ones(train.rows), growth(0, least))
        return
    result = pruned_carts(train, np.ones(train.rows), growth(depth, least))
    assert [each.splits for each in result] == sorted({each.splits for each in result}, reverse=True)
    assert result[-1].splits == 0
    assert result[0].low == 0
    assert all(each.high == other.low for each, other in pairwise(result))
    for alpha in GENERATOR.random(30) ** 4 * result[-1].high:
        (chosen,) = [each for each in result if each.low <= alpha < each.high]
        peer = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=least, random_state=0, ccp_alpha=alpha)
        peer.fit(train.values(), train.decisions)
        assert peer.tree_.node_count == chosen.tree.nodes
        assert np.array_equal(peer.predict(validation.values()), chosen.tree.predict(validation.values()))


def test_the_choice_is_that_of_a_plain_loop() -> None:
    train, validation = DATA.take(TRAIN), DATA.take(VALIDATION)
    chosen = tuned_cart(train, validation, growth(4, 0.05))
    peer = DecisionTreeClassifier(max_depth=4, min_samples_leaf=0.05, random_state=0)
    best: tuple[float, int] = (0, 0)
    for alpha in np.linspace(0, 0.5, 251):
        peer.set_params(ccp_alpha=alpha).fit(train.values(), train.decisions)
        score = peer.score(validation.values(), validation.decisions)
        best = max(best, (score, -peer.tree_.node_count))
    assert best == (chosen.validation_accuracy, -chosen.chosen.tree.nodes)
    peer.set_params(ccp_alpha=chosen.alpha).fit(train.values(), train.decisions)
    assert peer.tree_.node_count == chosen.chosen.tree.nodes


def tree(bounds: list[float]) -> Any:
    """A tree over one number with its whole parts of [0, 4) as classes, split at some bounds one after another."""
    plan: Any = Leaf()
    for bound in reversed(bounds):
        plan = ByBounds(0, (bound,), (Leaf(), plan))
    data = data_set_of([[0.5, 1.5, 2.5, 3.5]], [0, 1, 2, 3], [True])
    return tree_of_plan(plan, data, np.ones(4))


def test_of_equal_accuracies_the_fewest_splits() -> None:
    validation = data_set_of([[0.5, 0.6, 1.5, 2.5]], [0, 0, 1, 3], [True])
    candidates = [Candidate(tree([1.0, 2.0, 3.0]), 0, 0.1), Candidate(tree([1.0, 2.0]), 0.1, 0.3)]
    candidates += [Candidate(tree([1.0]), 0.3, 0.5), Candidate(tree([]), 0.5, 1)]
    chosen = tuned(candidates, validation, np.ones(4))
    assert chosen.chosen is candidates[2]  # the last row is wrong in all trees, the one before in the last alone
    assert (chosen.alpha, chosen.validation_accuracy) == (0.4, 0.75)
    assert tuned(candidates[::-1], validation, np.ones(4)).chosen is candidates[2]
    heavy = tuned(candidates, validation, np.array([1.0, 1.0, 1.0, 5.0]))
    assert heavy.validation_accuracy == 0.375
    two_rows_or_one = data_set_of([[1.5, 1.6, 1.7]], [1, 1, 0], [True])
    tenths = tuned(candidates[2:], two_rows_or_one, np.array([0.1, 0.2, 0.3]))  # 0.1 + 0.2 > 0.3 by rounding
    assert tenths.chosen is candidates[3]
    with pytest.raises(ValueError, match="no validation rows"):
        tuned(candidates, validation.take(np.zeros(0, int)), np.ones(0))


def test_the_estimator_draws_its_validation_rows_and_may_learn_again_from_all() -> None:
    apart = rows_to_prune_by(DATA.decisions, 0.25, 7)
    by_hand = tuned_cart(DATA.take(~apart), DATA.take(apart), growth(5, 3, 7))
    options = {"max_depth": 5, "min_samples_leaf": 3, "validation_share": 0.25, "random_state": 7}
    once = TunedCARTClassifier(refit=False, **options).fit(DATA)
    assert np.array_equal(once.tree_.counts, by_hand.chosen.tree.counts)
    again = TunedCARTClassifier(**options).fit(DATA)
    assert again.tuned_.alpha == by_hand.alpha
    peer = DecisionTreeClassifier(max_depth=5, min_samples_leaf=3, random_state=7, ccp_alpha=by_hand.alpha)
    peer.fit(DATA.values(), DATA.decisions)
    assert again.tree_.nodes == peer.tree_.node_count
    assert again.tree_.counts[0].sum() == DATA.rows
    assert clone(again).get_params() == again.get_params()


def test_it_is_smaller_than_cart_and_predicts_better_where_there_is_noise() -> None:
    generator = np.random.default_rng(0)
    x = generator.random((4, 1200)).round(3)
    y = ((x[0] > 0.5) ^ (generator.random(1200) < 0.2)).astype(int)
    data = data_set_of([column.tolist() for column in x], y.tolist(), [True] * 4)
    learn, test = data.take(np.arange(400)), data.take(np.arange(400, 1200))
    whole, pruned = CARTClassifier().fit(learn), TunedCARTClassifier().fit(learn)
    assert pruned.tree_.nodes < 0.2 * whole.tree_.nodes
    right = [(each.tree_.predict(test.values()) == test.decisions).mean() for each in (pruned, whole)]
    assert right[0] > right[1] + 0.05


def test_impossible_requests_are_reported() -> None:
    with pytest.raises(ValueError, match=r"validation_share is 0\.001, which gives no validation row"):
        TunedCARTClassifier(validation_share=0.001).fit(DATA)
    one_class = data_set_of([[1.0, 2.0, 3.0, 4.0]], [0, 0, 0, 0], [True])
    assert TunedCARTClassifier().fit(one_class).tree_.nodes == 1
