"""Cost-complexity pruning: the document's example step by step, and every tree of the sequence against all."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.data_set import DataSet
from algorithms.options import ParameterError
from algorithms.pruning.cost_complexity import cost_complexity
from algorithms.pruning.cross_validation import cross_validated
from algorithms.pruning.pruning_rows import folds_to_prune_by
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.grown_trees import generate_tree
from tests.algorithms.pruning.grown import Grown, grown
from tests.algorithms.trees import CODES, TERMINAL, tree_of
from tests.oracles import pruned_trees


def documents_tree() -> DecisionTree:
    """t1 (8 + 8 rows): a leaf of 4 and t2 (4 + 8): a leaf of 6 and t3 (4 + 2): two leaves; all leaves pure."""
    return tree_of(
        [CODES, TERMINAL, CODES, TERMINAL, CODES, TERMINAL, TERMINAL],
        [0, -1, 1, -1, 2, -1, -1],
        [0, 0, 1, 1, 0, 0, 1],
        [0, 2, 2, 4, 4, 6, 6, 6],
        [0, 1] * 3,
        [1, 2, 3, 4, 5, 6],
        counts=[[8, 8], [4, 0], [4, 8], [0, 6], [4, 2], [4, 0], [0, 2]],
    )


def test_the_documents_example() -> None:
    sequence = cost_complexity(documents_tree())
    assert sequence.alphas == (0, Fraction(1, 8), Fraction(1, 8), Fraction(1, 4))
    assert sequence.nodes.tolist() == [4, 2, 0]
    assert sequence.leaves.tolist() == [4, 3, 2, 1]
    assert sequence.errors.tolist() == [0, 2, 4, 8]
    assert [sequence.step(number).nodes for number in range(4)] == [7, 5, 3, 1]
    # "if 0 <= alpha < 1/8, then T1 ..."; at 1/8 T2 and T3 are as good, and the smaller is taken
    chosen = [sequence.number(alpha) for alpha in (0, 0.124, 0.125, Fraction(1, 8), 0.24, 0.25, 9)]
    assert chosen == [0, 0, 2, 2, 2, 3, 3]


@given(grown())
def test_every_tree_minimises_over_all_that_can_be_made(given_tree: Grown) -> None:
    sequence = cost_complexity(given_tree.tree)
    size = Fraction(given_tree.weights.sum())
    every = [
        (Fraction(given_tree.wrong(leaves)) / size, len(leaves)) for leaves in pruned_trees.all_of(given_tree.tree)
    ]
    last = len(sequence.nodes)
    assert sequence.leaves[last] == 1
    for number, alpha in enumerate(sequence.alphas):
        mine = pruned_trees.leaves_of(given_tree.tree, sequence.step(number))
        assert len(mine) == sequence.leaves[number]
        assert given_tree.wrong(mine) == sequence.errors[number]
        cost = Fraction(given_tree.wrong(mine)) / size
        beyond = sequence.alphas[number + 1] if number < last else alpha + 1
        for price in (alpha, (alpha + beyond) / 2, beyond):
            assert cost + price * len(mine) == min(errors + price * leaves for errors, leaves in every)


@given(grown(), st.fractions(0, 1))
def test_the_tree_for_an_alpha_is_the_smallest_minimiser(given_tree: Grown, alpha: Fraction) -> None:
    chosen = pruned_trees.leaves_of(given_tree.tree, cost_complexity(given_tree.tree).pruned(alpha))
    size = Fraction(given_tree.weights.sum())
    costs = {
        leaves: Fraction(given_tree.wrong(leaves)) / size + alpha * len(leaves)
        for leaves in pruned_trees.all_of(given_tree.tree)
    }
    best = [leaves for leaves, cost in costs.items() if cost == min(costs.values())]
    assert min(best, key=len) == chosen


@given(grown())
def test_fractional_counts_give_the_same_sequence(given_tree: Grown) -> None:
    whole = given_tree.tree
    third = generate_tree(given_tree.data, given_tree.weights / 3, impurity="gini")
    whole = generate_tree(given_tree.data, given_tree.weights, impurity="gini")
    expected, result = cost_complexity(whole), cost_complexity(third)
    assert result.nodes.tolist() == expected.nodes.tolist()
    assert [float(alpha) for alpha in result.alphas] == pytest.approx([float(alpha) for alpha in expected.alphas])
    assert len(set(result.alphas)) == len(set(expected.alphas))
    assert result.number(0) == expected.number(0)


@pytest.mark.parametrize("weight", [1.0, 0.1, 1e17, 1e290])
def test_rounding_of_large_counts_keeps_no_subtree_that_saves_no_errors(weight: float) -> None:
    column = [0, 0, 1, 1, 1, 0, 0, 0, 1, 1]
    data = data_set_of([column], [2, 1, 1, 0, 0, 0, 0, 1, 0, 1], [True])
    tree = generate_tree(data, np.full(10, weight))
    assert tree.nodes == 3
    assert cost_complexity(tree).pruned(0).nodes == 1


def test_a_node_of_one_branch_saves_no_leaf() -> None:
    tree = tree_of(
        [CODES, CODES, TERMINAL, TERMINAL],
        [0, 1, -1, -1],
        [1, 0, 0, 1],
        [0, 1, 3, 3, 3],
        [0, 0, 1],
        [1, 2, 3],
        counts=[[3, 6], [3, 2], [3, 0], [0, 2]],  # four rows end at the root
    )
    sequence = cost_complexity(tree)
    assert sequence.nodes.tolist() == [1]
    assert sequence.alphas == (0, Fraction(2, 9))


@pytest.mark.parametrize("alpha", [-1, float("nan"), "a"])
def test_a_leaf_costs_nothing_or_more(alpha: float) -> None:
    with pytest.raises(ParameterError, match=f"alpha is {alpha!r}: expected a number of 0 or more"):
        cost_complexity(documents_tree()).pruned(alpha)


@pytest.mark.parametrize("number", [-1, 99])
def test_a_sequence_has_no_tree_beside_its_steps(number: int) -> None:
    with pytest.raises(IndexError, match=f"`number` is {number}: expected the number of a tree"):
        cost_complexity(documents_tree()).step(number)


def noisy(rows: int, seed: int) -> DataSet:
    """A number above 0.5 is class 1, with one in five wrong; and two numbers that mean nothing."""
    generator = np.random.default_rng(seed)
    numbers = generator.random((3, rows)).round(3)
    decisions = (numbers[0] > 0.5) ^ (generator.random(rows) < 0.2)
    return data_set_of(list(numbers), decisions.astype(int).tolist(), [True] * 3)


def test_cross_validation_finds_the_one_test_there_is() -> None:
    data = noisy(400, 1)
    folds = folds_to_prune_by(data.decisions, 10, 0)
    chosen = cross_validated(data, np.ones(400), generate_tree, folds)
    assert generate_tree(data).nodes > 100
    assert chosen.tree.nodes == 3
    assert chosen.tree.edge_bound[0] == pytest.approx(0.5, abs=0.02)
    assert chosen.error_rates.min() == pytest.approx(0.2, abs=0.05)
    assert chosen.error_rates[0] > 0.28
    # by hand: each fold's tree is pruned at the geometric mean, and predicts rows it has not seen
    index = chosen.alphas.index(chosen.alpha)
    between = float(chosen.alphas[index] * chosen.alphas[index + 1]) ** 0.5
    wrong = 0
    for training, test in folds:
        tree = cost_complexity(generate_tree(data.take(training))).pruned(between)
        wrong += (tree.predict(data.values()[test]) != data.decisions[test]).sum()
    assert chosen.error_rates[index] == pytest.approx(wrong / 400)


def test_standard_errors_choose_smaller_trees() -> None:
    data = noisy(150, 2)
    folds = folds_to_prune_by(data.decisions, 5, 0)
    trees = [cross_validated(data, np.ones(150), generate_tree, folds, standard_errors=n).tree for n in (0, 1, 99)]
    assert trees[0].nodes >= trees[1].nodes >= trees[2].nodes == 1


@pytest.mark.parametrize("folds", [2, 5, 6])
def test_a_rate_that_rounding_puts_above_1_is_1(folds: int) -> None:
    data = data_set_of([np.arange(10.0)], list(range(10)), [True])  # no row has the class of another: all are wrong
    weights = np.arange(1, 11) / 10
    for order in (weights, weights[::-1]):
        rates = cross_validated(data, order, generate_tree, folds_to_prune_by(data.decisions, folds, 0)).error_rates
        assert rates == pytest.approx(1)
        assert rates.max() <= 1


def test_folds_hold_every_row_once_and_the_classes_in_proportion() -> None:
    decisions = np.repeat([0, 1, 2], [50, 30, 3]).astype(np.int32)
    folds = folds_to_prune_by(decisions, 5, 3)
    assert sorted(np.concatenate([test for _, test in folds]).tolist()) == list(range(83))
    for training, test in folds:
        assert sorted([*training, *test]) == list(range(83))
        assert (abs(np.bincount(decisions[test], minlength=3) - [10, 6, 0.6]) <= 1).all()
    with pytest.raises(ValueError, match="`folds` is 9 for 3 rows"):
        folds_to_prune_by(decisions[:3], 9)
