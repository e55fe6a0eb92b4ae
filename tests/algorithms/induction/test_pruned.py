"""Builders with pruning after them, as estimators: the same as doing it by hand, and what it is good for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from algorithms.data.data_set import DataSet
from algorithms.evolutionary.evo_tree import EVOTreeClassifier
from algorithms.induction.c45 import C45Classifier
from algorithms.induction.cart import CARTClassifier
from algorithms.induction.generate_tree import GenerateTreeClassifier
from algorithms.induction.logistic_tree import LogisticTreeClassifier
from algorithms.induction.pruned import CostComplexityClassifier, PessimisticClassifier, ReducedErrorClassifier
from algorithms.options import ParameterError
from algorithms.pruning.cost_complexity import cost_complexity
from algorithms.pruning.pessimistic import pessimistic
from algorithms.pruning.pruning_rows import rows_to_prune_by
from algorithms.pruning.reduced_error import reduced_error
from algorithms.rules.rule_classifiers import TreeRulesClassifier
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.grown_trees import generate_tree


def noisy(rows: int, seed: int) -> DataSet:
    """Class 1 where a number is above 0.5 and a label is not the first, one in five wrong; and what means nothing."""
    generator = np.random.default_rng(seed)
    numbers = generator.random((3, rows)).round(3)
    codes = generator.integers(0, 4, (2, rows))
    decisions = ((numbers[0] > 0.5) & (codes[0] > 0)) ^ (generator.random(rows) < 0.2)
    return data_set_of([*numbers, *codes], decisions.astype(int).tolist(), [True] * 3 + [False] * 2)


def same(first: DecisionTree, second: DecisionTree) -> bool:
    return first.nodes == second.nodes and np.array_equal(first.counts, second.counts)


DATA, NEW = noisy(500, 0), noisy(2000, 1)


def test_each_is_what_its_functions_do() -> None:
    whole, values = generate_tree(DATA), DATA.values()
    assert same(GenerateTreeClassifier().fit(DATA).tree_, whole)
    assert same(PessimisticClassifier(confidence=0.1).fit(DATA).tree_, pessimistic(whole, 0.1))
    apart = rows_to_prune_by(DATA.decisions, 0.25, 7)
    by_hand = reduced_error(generate_tree(DATA.take(~apart)), values[apart], DATA.decisions[apart])
    assert same(ReducedErrorClassifier(pruning_share=0.25, random_state=7).fit(DATA).tree_, by_hand)
    assert same(GenerateTreeClassifier(pruning_share=0.25, random_state=7).fit(DATA).tree_, by_hand)
    chosen = CostComplexityClassifier(random_state=7).fit(DATA).tree_
    assert any(same(chosen, cost_complexity(whole).step(n)) for n in range(len(cost_complexity(whole).leaves)))


@pytest.mark.parametrize("pruned", [PessimisticClassifier(), ReducedErrorClassifier(), CostComplexityClassifier()])
@pytest.mark.parametrize("builder", [None, GenerateTreeClassifier(impurity="gini"), CARTClassifier()])
def test_pruned_trees_are_smaller_and_predict_better(pruned: Any, builder: Any) -> None:
    grown = clone(builder or GenerateTreeClassifier()).fit(DATA)
    fitted = clone(pruned).set_params(builder=builder).fit(DATA)
    assert fitted.tree_.nodes < 0.6 * grown.tree_.nodes
    right = [(estimator.predict(NEW) == np.array(NEW.classes)[NEW.decisions]).mean() for estimator in (fitted, grown)]
    assert right[0] > right[1]


def test_prepruning_makes_smaller_trees() -> None:
    shares = [0, 0.01, 0.05, 0.2, 1]
    trees = [GenerateTreeClassifier(min_share=share).fit(DATA).tree_ for share in shares]
    sizes = [tree.nodes for tree in trees]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == len(sizes)
    for tree, share in zip(trees, shares, strict=True):
        assert (tree.counts.sum(axis=1)[tree.kind != 0] >= share * DATA.rows).all()


def test_missing_values_are_as_the_builder_has_them() -> None:
    with_missing = data_set_of([[0.0, 1.0, 2.0, np.nan] * 10], [0, 0, 1, 1] * 10, [True])
    fitted = CostComplexityClassifier(C45Classifier(pruned=False)).fit(with_missing)
    assert fitted.predict(with_missing).shape == (40,)
    with pytest.raises(ValueError, match=r"contains NaN: attribute 'a1'.* GenerateTreeClassifier does not accept"):
        CostComplexityClassifier().fit(with_missing)


@pytest.mark.parametrize(
    "around", [PessimisticClassifier, ReducedErrorClassifier, CostComplexityClassifier, TreeRulesClassifier]
)
def test_missing_values_are_filled_if_the_builder_fills_them(around: Any) -> None:
    """The mean is 7, whose class is not the one of most rows."""
    numbers = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 15.0, 16.0, 16.0, 14.0]
    classes = ["low"] * 6 + ["high"] * 4
    rows = [*([[number, "a"] for number in numbers]), [None, None]]
    fitted = around(EVOTreeClassifier(individuals=50, generations=5, missing="fill")).fit(rows, [*classes, "high"])
    assert fitted.fills_missing
    assert fitted.predict([[None, "a"]]).tolist() == fitted.predict([[7.0, "a"]]).tolist() == ["high"]


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_few_rows(rows: int) -> None:
    few = noisy(rows, 3)
    for pruned in (CostComplexityClassifier(), ReducedErrorClassifier(), PessimisticClassifier()):
        assert pruned.fit(few).predict(few).shape == (rows,)


@pytest.mark.parametrize("given", [{"class_weight": {0: 9}}, {"categorical_features": [0]}])
def test_what_is_given_to_the_builder_alone_is_refused(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(ParameterError, match=f"`builder` has {name}=.*, .* give it to PessimisticClassifier instead"):
        PessimisticClassifier(C45Classifier(**given)).fit([[0], [1]], [0, 1])
    PessimisticClassifier(C45Classifier(), **given).fit([[0], [1]], [0, 1])


@pytest.mark.parametrize("none", ["auto", [], np.array([], int)], ids=str)
def test_no_categorical_features_of_the_builder_are_no_error(none: Any) -> None:
    PessimisticClassifier(C45Classifier(categorical_features=none)).fit([[0], [1]], [0, 1])


@pytest.mark.parametrize(
    "around", [PessimisticClassifier, ReducedErrorClassifier, CostComplexityClassifier, TreeRulesClassifier]
)
def test_a_builder_whose_tree_tests_columns_is_refused(around: Any) -> None:
    with pytest.raises(ParameterError, match=r"`builder` is LogisticTreeClassifier\(\), which tests weighted sums"):
        around(builder=LogisticTreeClassifier()).fit([["red"], ["green"], ["blue"]], [0, 1, 0])
