"""Optimal trees of attributes of two labels, where missing labels have a branch of their own, from counts of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.data.data_set import MISSING, DataSet
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed import rank_search
from algorithms.optimal.mixed.rank_search import paired_rows
from algorithms.optimal.solution import Status, measures
from algorithms.trees.arrays import NodeKind
from orchard import OCTClassifier
from tests.algorithms.data_sets import data_set_of

WEIGHTS = ("ones", "whole", "by class", "any")


def two_labels(generator: np.random.Generator, rows: int, attributes: int, classes: int) -> DataSet:
    """A data set of attributes of two labels, which lack many, few or no values."""
    codes = generator.integers(0, 2, (attributes, rows))
    followed = (codes[0] + codes[-1] * codes[1 % attributes]) % classes
    decisions = np.where(generator.random(rows) < 0.7, followed, generator.integers(0, classes, rows))
    codes[generator.random(codes.shape) < generator.choice([0.0, 0.05, 0.4], (attributes, 1))] = MISSING
    return data_set_of(codes.tolist(), decisions.tolist(), [False] * attributes, classes)


def weights_of(kind: str, generator: np.random.Generator, decisions: Any) -> Any:
    """Weights of rows: all 1, small whole numbers, thirds by class, or numbers between 0.1 and 1.1."""
    rows = len(decisions)
    if kind == "by class":
        return np.array([1 / 3, 1.0, 5 / 3])[decisions]
    return {"ones": np.ones(rows), "whole": generator.integers(1, 5, rows) * 1.0}.get(
        kind, 0.1 + generator.random(rows)
    )


def least_cost(data: DataSet, weights: Any, rows: Any, levels: int, fewest: int, price: float) -> float:
    """The least errors and prices of splits of all trees of some rows; a missing label is one more label."""
    by_class = np.bincount(data.decisions[rows], weights[rows])
    least: float = by_class.sum() - by_class.max()
    for column in data.columns if levels else ():
        parts = [rows[column[rows] == code] for code in np.unique(column[rows])]
        if len(parts) > 1 and min(map(len, parts)) >= fewest:
            below = (least_cost(data, weights, part, levels - 1, fewest, price) for part in parts)
            least = min(least, price + sum(below))
    return least


@given(st.integers(0, 2**63))
@settings(max_examples=300)
def test_no_tree_is_better(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows, attributes, classes = (int(generator.integers(*ends)) for ends in ((1, 15), (1, 5), (2, 4)))
    data = two_labels(generator, rows, attributes, classes)
    weights = weights_of(str(generator.choice(WEIGHTS)), generator, data.decisions)
    depth, fewest = int(generator.integers(0, 4)), min(rows, int(generator.choice([1, 1, 2, 3])))
    alpha, frontier = float(generator.choice([0.0, 1 / 64, 1 / 8])), bool(generator.integers(2))
    model = OCTClassifier(
        max_depth=depth, min_samples_leaf=fewest, alpha=alpha, frontier=frontier, missing="own_branch"
    )
    solution = model.fit(data, sample_weight=weights).solution_
    by_class = np.bincount(data.decisions, weights)
    price = alpha * (by_class.sum() - by_class.max())
    assert solution.status is Status.OPTIMAL
    assert solution.errors + price * solution.splits == pytest.approx(
        least_cost(data, weights, np.arange(rows), depth, fewest, price)
    )
    for errors, tree in (
        (solution.errors, solution.tree),
        *((point.errors, point.tree) for point in solution.frontier),
    ):
        assert weights[tree.predict(data.values()) != data.decisions].sum() == pytest.approx(errors)
    leaf = solution.tree.kind == NodeKind.TERMINAL
    assert np.bincount(solution.tree.last_nodes(data.values()), minlength=len(leaf))[leaf].min() >= fewest


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize(
    ("least", "limits"), [(1, {}), (4, {}), (1, {"max_splits": 4}), (1, {"alpha": 1 / 64}), (1, {"penalty": "leaves"})]
)
def test_pair_counts_find_the_optima_of_sorted_lists(
    classes: int, weights: str, least: int, limits: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    paired: list[Any] = []

    def recorded(*given: Any) -> Any:
        paired.append(paired_rows(*given))
        return paired[-1]

    generator = np.random.default_rng(classes)
    data = two_labels(generator, 90, 37, classes)  # more attributes than lanes of a tile
    of_rows = weights_of(weights, generator, data.decisions)
    instances = [Instance(data, of_rows, depth, least, missing="own_branch", **limits) for depth in (2, 3)]
    monkeypatch.setattr(rank_search, "paired_rows", recorded)
    results = [solve(instance) for instance in instances]
    assert all(rows is not None for rows in paired) is (least == 1 or weights == "ones")
    monkeypatch.setattr(rank_search, "paired_rows", lambda *_: None)
    for instance, result in zip(instances, results, strict=True):
        assert result.optimal
        assert result.objective == pytest.approx(solve(instance).objective)
        assert measures(result.tree) == (pytest.approx(result.errors), result.splits, result.leaves)


def test_counts_of_every_width_find_the_same_tree() -> None:
    data = two_labels(np.random.default_rng(5), 60, 9, 2)
    few, many, most = (
        solve(Instance(data, np.full(60, 1.0), 3, missing="own_branch")),
        solve(Instance(data.take(np.repeat(np.arange(60), 300)), np.ones(18_000), 3, missing="own_branch")),
        solve(Instance(data, np.where(np.arange(60), 1.0, 1 + 2.0**-40), 3, missing="own_branch")),
    )
    assert (many.errors, most.errors) == (300 * few.errors, pytest.approx(few.errors))


def test_a_search_within_limits_keeps_a_tree_and_a_bound_that_hold() -> None:
    data = two_labels(np.random.default_rng(6), 200, 20, 2)
    proven = OCTClassifier(max_depth=3, missing="own_branch").fit(data).solution_
    for work in (1, 10_000, 50_000):
        model = OCTClassifier(max_depth=3, missing="own_branch", max_work=work).fit(data)
        limited = model.solution_
        assert limited.status is Status.WORK_LIMIT
        assert limited.bound <= proven.objective <= limited.objective
        assert (model.tree_.predict(data.values()) != data.decisions).sum() == limited.errors
    few_bytes = OCTClassifier(max_depth=3, missing="own_branch", memory_limit=1 << 15).fit(data).solution_
    assert few_bytes.objective == proven.objective


@pytest.mark.parametrize(
    ("options", "counts_pairs"),
    [({}, True), ({"penalty": "leaves", "alpha": 0.1}, False), ({"missing": "best_side"}, False)],
)
def test_pairs_are_counted_where_prices_and_order_allow_it(
    options: dict[str, Any], counts_pairs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def recorded(*given: Any) -> Any:
        result = paired_rows(*given)
        seen.append(result is not None)
        return result

    monkeypatch.setattr(rank_search, "paired_rows", recorded)
    rows = [["x", "r"], ["y", "s"], [None, "t"], ["x", "t"], ["y", "r"]]
    OCTClassifier(**{"max_depth": 2, "missing": "own_branch", **options}).fit(rows, list("abaab"))
    assert set(seen) == {counts_pairs}


@pytest.mark.parametrize("missing", ["best_side", "own_branch", "all_branches"])
def test_an_attribute_without_any_label_splits_nothing(missing: Any) -> None:
    labels = pa.array([None] * 4, pa.bool_())
    rows = pa.table({"none": labels, "size": [1.0, 2.0, 3.0, 4.0]})
    model = OCTClassifier(max_depth=1, missing=missing).fit(rows, [0, 0, 1, 1])
    assert model.predict(rows).tolist() == [0, 0, 1, 1]
