"""A Rashomon set as a sequence of Python: loops, indices, slices and its length; and how epsilon is given."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from algorithms.optimal.instance import Instance
from algorithms.optimal.rashomon.rashomon_set import RashomonSet
from algorithms.optimal.search import OCTClassifier
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import structure

XOR = Instance(data_set_of([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0], [False, False]), np.ones(4), alpha=0.01)


def test_loops_indices_and_slices_give_the_trees_in_order() -> None:
    good = RashomonSet.of(XOR, 0.99)

    def same(trees: list[DecisionTree], indices: list[int]) -> bool:
        return [structure(tree, XOR) for tree in trees] == [structure(good.tree(index), XOR) for index in indices]

    assert len(good) == good.number == 9
    assert same(list(good), list(range(9)))
    assert same([good[0], good[np.int64(3)], good[-1]], [0, 3, 8])
    assert same(good[:5], [0, 1, 2, 3, 4])
    assert same(good[-2:], [7, 8])
    assert same(good[::-4], [8, 4, 0])
    assert good[9:] == []
    for index in (9, -10):
        with pytest.raises(IndexError, match=f"`index` is {index}: expected 0 or more"):
            good[index]


def test_a_set_of_too_many_trees_for_len_has_slices_and_loops() -> None:
    codes, side = np.repeat(np.arange(40), 4), np.tile([0, 0, 1, 1], 40)
    data = data_set_of([codes, *[np.arange(160)] * 5], side.tolist(), [False, *[True] * 5])
    good = RashomonSet.of(replace(XOR, data=data, weights=np.ones(160), max_depth=2, alpha=0.001))
    assert good
    assert len(good[:3]) == len(good[-3:]) == len(list(islice(good, 3))) == 3
    with pytest.raises(OverflowError, match=r"the set has about 1e27 trees.*use `number`, or a slice such as \[:5\]"):
        len(good)


def test_epsilon_is_given_by_its_name() -> None:
    model = OCTClassifier(max_depth=1)
    with pytest.raises(TypeError, match=r"sample_weight is 0.01: .* rashomon_set\(X, y, epsilon=0.01\)"):
        model.rashomon_set([[0], [1]], [0, 1], 0.01)
    assert model.rashomon_set([[0], [1]], [0, 1], [1, 1], epsilon=0.01).number == 1
