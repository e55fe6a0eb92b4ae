"""Exhaustive T3 with two intervals everywhere has the form of trees that the search finds: two ways to one optimum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

from algorithms.data.data_set import Attribute, AttributeKind, DataSet
from algorithms.optimal.instance import Instance
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.t3.classifiers import T3Classifier
from tests.algorithms.data_sets import data_set_of, data_sets
from tests.oracles.optimal_trees import fewest_errors


def numeric(load: Any) -> DataSet:
    values, decisions = load(return_X_y=True)
    return data_set_of(list(values.T), decisions, [True] * values.shape[1])


def mixed(rows: int = 400) -> DataSet:
    generator = np.random.default_rng(11)
    codes = [generator.integers(0, labels, rows).astype(np.int32) for labels in (2, 3, 4, 5)]
    numbers = [generator.integers(0, values, rows).astype(np.float64) for values in (6, 40, 400)]
    decisions = (codes[1] * (numbers[1] > 17) + (numbers[2] > 150) + generator.integers(0, 3, rows) // 2) % 3
    labels = tuple(Attribute(f"n{at}", AttributeKind.NOMINAL, tuple("abcde")) for at in range(len(codes)))
    others = tuple(Attribute(f"x{at}", AttributeKind.NUMERIC) for at in range(len(numbers)))
    return DataSet((*labels, *others), (*codes, *numbers), ("0", "1", "2"), decisions.astype(np.int32))


@pytest.mark.parametrize(
    ("data", "errors"),
    [
        (numeric(load_iris), {2: 6, 3: 1}),  # as pycontree has them
        (numeric(load_wine), {2: 6, 3: 0}),
        (mixed(), {}),
    ],
    ids=["iris", "wine", "mixed"],
)
@pytest.mark.parametrize("depth", [2, 3])
def test_two_searches_agree(data: DataSet, errors: dict[int, int], depth: int) -> None:
    solution = T3Classifier(method="exhaustive", max_intervals=2, max_depth=depth).fit(data).solution_
    other = OCTClassifier(max_depth=depth).fit(data).solution_
    assert solution.optimal
    assert other.optimal
    assert solution.errors == other.errors == errors.get(depth, other.errors)
    assert solution.objective == pytest.approx(other.objective)


@given(data_sets(max_rows=8, max_attributes=3), st.integers(0, 3))
@settings(max_examples=100, deadline=None)
def test_no_tree_of_two_intervals_has_fewer_errors(data: DataSet, depth: int) -> None:
    instance = Instance(data, np.ones(data.rows), max_depth=depth)
    solution = T3Classifier(method="exhaustive", max_intervals=2, max_depth=depth).fit(data).solution_
    assert solution.errors == min(fewest_errors(instance).values())
