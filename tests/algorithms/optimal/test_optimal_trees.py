"""The number of optimal trees and each of them, against every tree there is, and optima published for real data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

from algorithms.data_set import DataSet
from algorithms.optimal.counted_costs import EffortSpentError
from algorithms.optimal.instance import Instance
from algorithms.optimal.optimal_trees import OptimalTrees
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import Effort
from algorithms.trees.arrays import NodeKind
from algorithms.trees.decision_tree import DecisionTree
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import KINDS, instances
from tests.algorithms.optimal.proofs import check_allowed
from tests.oracles.optimal_trees import best_objective, fewest_errors, number_of_optimal_trees

XOR = Instance(data_set_of([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0], [False, False]), np.ones(4))


@pytest.mark.parametrize("kind", KINDS)
@given(st.data())
@settings(max_examples=120)
def test_numbers_are_those_of_trying_every_tree(kind: str, data: st.DataObject) -> None:
    instance = data.draw(instances(kind))
    for subsets in (False, True):
        found = OptimalTrees.of(instance, subsets=subsets)
        assert found.number == number_of_optimal_trees(instance, subsets=subsets)
        assert found.objective == pytest.approx(best_objective(instance, subsets=subsets))


@pytest.mark.parametrize("options", [{}, {"alpha": 0.1}, {"max_splits": 2, "subsets": True}, {"max_depth": 1}])
def test_an_estimator_gives_those_of_its_options(options: dict[str, Any]) -> None:
    X = [["u", 1.0], ["u", 2.0], ["v", 1.0], ["v", 2.0], ["w", 2.0]]
    y, weights = ["no", "yes", "yes", "no", "no"], [1.0, 1.0, 2.0, 1.0, 0.0]
    model = OCTClassifier(**{"max_depth": 2, **options}, class_weight={"no": 3})
    found = model.optimal_trees(X, y, weights)
    assert vars(model) == vars(OCTClassifier(**{"max_depth": 2, **options}, class_weight={"no": 3}))  # not fitted by it
    fitted = model.fit(X, y, weights)
    columns = [[0, 0, 1, 1], [1.0, 2.0, 1.0, 2.0]]
    instance = Instance(
        data_set_of(columns, [0, 1, 1, 0], [False, True]),
        np.array([3.0, 1.0, 2.0, 3.0]),
        **{"max_depth": 2, **{name: value for name, value in options.items() if name != "subsets"}},
    )
    assert found.number == number_of_optimal_trees(instance, subsets="subsets" in options)
    assert found.objective == pytest.approx(fitted.solution_.objective)
    assert repr(found) == f"<OptimalTrees: {found.number} of objective {found.objective:g}>"
    with pytest.raises(EffortSpentError):
        OCTClassifier(max_work=1).optimal_trees(X, y)


@given(instances(), st.booleans())
@settings(max_examples=200)
def test_each_tree_is_listed_once_and_is_optimal(instance: Instance, subsets: bool) -> None:
    found = OptimalTrees.of(instance, subsets=subsets)
    listed = list(found.trees(limit=50))
    assert len(listed) == min(50, found.number)
    assert len({structure(tree, instance) for tree in listed}) == len(listed)
    for tree in listed:
        of_tree = instance.objective(*check_allowed(tree, instance, subsets=subsets))
        assert of_tree == pytest.approx(found.objective)
    last = structure(found.tree(found.number - 1), instance)
    assert (last == structure(listed[-1], instance)) == (found.number <= 50)


def structure(tree: DecisionTree, instance: Instance) -> Any:
    """What tells trees apart: the attribute that each node asks, and the rows that reach each of its children."""
    rows = {node: frozenset(there.tolist()) for node, there in tree.rows_of_nodes(instance.data.values())}
    return frozenset(
        (rows[node], int(tree.attribute[node]), frozenset(rows[child] for child in tree.children(node)))
        for node in range(tree.nodes)
    )


def test_more_trees_than_any_integer_of_a_machine_holds() -> None:
    """40 codes with 4 rows each, and 5 equal attributes that part the rows of a code: 40 branches with 5 trees each."""
    codes, side = np.repeat(np.arange(40), 4), np.tile([0, 0, 1, 1], 40)
    data = data_set_of([codes, *[np.arange(160)] * 5], side.tolist(), [False, *[True] * 5])
    found = OptimalTrees.of(Instance(data, np.ones(160), max_depth=2, alpha=0.001))
    assert found.number == 5**40
    assert found.objective == pytest.approx(0.041)
    assert len({structure(tree, found.instance) for tree in found.trees(7)}) == 7


def test_splits_that_cost_nothing_may_not_help_and_a_limit_leaves_them_out() -> None:
    assert OptimalTrees.of(XOR).number == OptimalTrees.of(replace(XOR, alpha=0.01)).number == 2
    useless = Instance(data_set_of([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 0, 1, 1], [False, False]), np.ones(4))
    assert OptimalTrees.of(useless).number == number_of_optimal_trees(useless) == 5
    assert OptimalTrees.of(replace(useless, max_splits=1)).number == 1


def test_the_majority_rule_without_errors_is_the_one_tree() -> None:
    pure = Instance(data_set_of([[0, 1]], [0, 0], [False]), np.ones(2), alpha=0.5, penalty="leaves")
    found = OptimalTrees.of(pure)
    assert (found.number, found.objective) == (1, 0.5)
    assert [tree.nodes for tree in found.trees()] == [1]


def test_a_place_that_no_tree_has_is_named() -> None:
    found = OptimalTrees.of(replace(XOR, alpha=0.01))
    for place in (-1, 2):
        with pytest.raises(IndexError, match=f"place is {place}: expected one from 0 on, below the number of trees, 2"):
            found.tree(place)


@pytest.mark.parametrize(("load", "depth", "errors"), [(load_iris, 2, 6), (load_iris, 3, 1), (load_wine, 2, 6)])
def test_optima_known_for_numbers(load: Any, depth: int, errors: int) -> None:
    values, decisions = load(return_X_y=True)
    data = data_set_of(list(values.T), decisions, [True] * values.shape[1])
    found = OptimalTrees.of(Instance(data, np.ones(len(values)), max_depth=depth))
    assert found.objective * found.instance.baseline == pytest.approx(errors)
    for tree in islice(found.trees(), 3):
        assert (tree.predict(values) != decisions).sum() == errors


def benchmark(shared: Path, name: str) -> DataSet:
    table = np.loadtxt(shared / "data" / "binary_benchmarks" / f"{name}.txt", dtype=np.int32)
    return data_set_of(list(table[:, 1:].T), table[:, 0].tolist(), [False] * (table.shape[1] - 1))


@pytest.mark.parametrize(
    ("name", "optima"),
    [
        ("tic-tac-toe", (282, 216)),
        ("vote", (17, 12)),
        ("heart-cleveland", (60, 41)),
        ("anneal", (137, 112)),
        ("german-credit", (267,)),
        ("kr-vs-kp", (418,)),
        ("hypothyroid", (70,)),
    ],
)
def test_optima_that_other_solvers_find(shared: Path, name: str, optima: tuple[int, ...]) -> None:
    data = benchmark(shared, name)
    for depth, errors in enumerate(optima, start=2):
        found = OptimalTrees.of(Instance(data, np.ones(data.rows), max_depth=depth))
        assert found.objective * found.instance.baseline == pytest.approx(errors)
        tree = found.tree(found.number // 2)
        assert (tree.predict(data.values()) != data.decisions).sum() == errors


@pytest.mark.parametrize("name", ["tic-tac-toe", "vote", "lymph"])
def test_trees_of_two_levels_of_real_data_counted_by_hand(shared: Path, name: str) -> None:
    data = benchmark(shared, name)
    values, decisions = data.values().astype(bool), data.decisions

    def best_below(rows: np.ndarray) -> tuple[int, int]:
        found = [errors(rows)]
        for column in values.T:
            left, right = rows[column[rows]], rows[~column[rows]]
            found += [errors(left) + errors(right)] if len(left) and len(right) else []
        return min(found), found.count(min(found))

    def errors(rows: np.ndarray) -> int:
        return len(rows) - int(np.bincount(decisions[rows]).max())

    def trees() -> Iterator[tuple[int, int]]:
        yield errors(np.arange(data.rows)), 1
        for column in values.T:
            sides = [np.flatnonzero(column), np.flatnonzero(~column)]
            if all(map(len, sides)):
                (left, n), (right, m) = map(best_below, sides)
                yield left + right, n * m

    every = list(trees())
    least = min(cost for cost, _ in every)
    found = OptimalTrees.of(Instance(data, np.ones(data.rows), max_depth=2))
    assert found.number == sum(number for cost, number in every if cost == least)
    assert len({structure(tree, found.instance) for tree in found.trees(300)}) == min(found.number, 300)


def test_the_budget_of_splits_of_real_data(shared: Path) -> None:
    data = benchmark(shared, "tic-tac-toe")
    whole = Instance(data, np.ones(data.rows), max_depth=3)
    errors = []
    for splits in range(8):
        found = OptimalTrees.of(replace(whole, max_splits=splits))
        errors.append(found.objective * whole.baseline)
        tree = found.tree()
        assert (tree.kind != NodeKind.TERMINAL).sum() <= splits
        assert (tree.predict(data.values()) != data.decisions).sum() == pytest.approx(errors[-1])
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] == pytest.approx(216)
    assert OptimalTrees.of(replace(whole, max_splits=7)).number == OptimalTrees.of(whole).number


@pytest.mark.parametrize(
    ("effort", "limit"),
    [
        (Effort(work=1000), "its limit of 1000 units of work"),
        (Effort(seconds=1e-9), "its limit of 1e-09 seconds"),
        (Effort(memory=20_000), "its limit of 20,000 bytes"),
        (Effort(memory=2_000), "150 rows and 119 values take 17,850 bytes, but 2,000 are allowed"),
    ],
)
def test_what_is_too_much_is_refused(effort: Effort, limit: str) -> None:
    values, decisions = load_iris(return_X_y=True)
    data = data_set_of(list(values.T), decisions, [True] * 4)
    with pytest.raises(EffortSpentError, match=limit):
        OptimalTrees.of(Instance(data, np.ones(150), max_depth=3), effort)


def test_memory_for_the_table_alone_suffices() -> None:
    values, decisions = load_iris(return_X_y=True)
    data = data_set_of(list(values[50:, 2:].T), decisions[50:] - 1, [True] * 2)
    instance = Instance(data, np.ones(100), max_depth=3)
    ample = OptimalTrees.of(instance)
    tight = OptimalTrees.of(instance, Effort(memory=ample._costs._held))
    assert len(tight._costs._one_level_costs) < len(ample._costs._one_level_costs)
    assert (tight.objective, tight.number, tight._costs.work) == (ample.objective, ample.number, ample._costs.work)


def test_fewest_errors_agree_with_the_counts_by_splits() -> None:
    data = data_set_of([[0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1]], [0, 1, 1, 0, 2, 2], [False, False])
    instance = Instance(data, np.ones(6))
    for splits, errors in fewest_errors(instance).items():
        least = min(value for k, value in fewest_errors(instance).items() if k <= splits)
        found = OptimalTrees.of(replace(instance, max_splits=splits))
        assert found.objective * instance.baseline == pytest.approx(least)
        assert least <= errors
