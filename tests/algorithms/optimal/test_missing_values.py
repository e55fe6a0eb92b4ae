"""Optimal trees of rows with missing values: against every tree there is, and what becomes of missing values after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from algorithms.data.data_set import MISSING, AttributeKind, DataSet
from algorithms.optimal.conditions.conditioned_rows import ConditionedRows
from algorithms.optimal.conditions.conditions import Conditions
from algorithms.optimal.conditions.free_rows import FreeRows
from algorithms.optimal.conditions.solve_under import solve_under
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance, MissingRule, Penalty
from algorithms.optimal.missing_values import solved
from algorithms.optimal.solution import Status, measures
from algorithms.pruning.complexity_tuning import validation_rows
from orchard import OCTClassifier, TunedOCTClassifier, to_python
from tests.algorithms.data_sets import data_set_of, data_sets
from tests.algorithms.optimal.instances import instances, with_missing
from tests.oracles.conditioned_trees import all_rows, best_under, depth_of, number_of_trees

NAN = np.nan


def possible_splits(data: DataSet, rows: Any) -> Iterator[list[Any]]:
    """The parts of each split of some rows, by the definition: missing values on either side, or alone."""
    for attribute, column in zip(data.attributes, data.values().T, strict=True):
        values, absent = column[rows], np.isnan(column[rows])
        known = np.unique(values[~absent])
        few = len(np.unique(column[~np.isnan(column)])) <= 2 and np.isnan(column).any()
        if attribute.kind is AttributeKind.NOMINAL and not few:
            parts = [rows[values == value] for value in known]
            yield [*parts, rows[absent]] if absent.any() else parts
            continue
        yield [rows[absent], rows[~absent]]
        for bound in known[:-1]:
            yield [rows[(values <= bound) | absent], rows[values > bound]]
            yield [rows[values <= bound], rows[(values > bound) | absent]]


def least_cost(data: DataSet, weights: Any, rows: Any, levels: int, fewest: int, price: float) -> float:
    """The least errors and prices of splits of all trees of some rows."""
    by_class = np.bincount(data.decisions[rows], weights[rows])
    least: float = by_class.sum() - by_class.max()
    for parts in possible_splits(data, rows) if levels else ():
        if len(parts) > 1 and min(map(len, parts)) >= fewest:
            least = min(
                least, price + sum(least_cost(data, weights, part, levels - 1, fewest, price) for part in parts)
            )
    return least


@given(st.data())
@settings(max_examples=200)
def test_no_tree_is_better(drawn: st.DataObject) -> None:
    data = drawn.draw(data_sets(max_rows=9, max_attributes=3, missing=True))
    weights = np.array(drawn.draw(st.lists(st.sampled_from([1.0, 2.0, 5.0]), min_size=data.rows, max_size=data.rows)))
    depth, frontier = drawn.draw(st.integers(0, 3)), drawn.draw(st.booleans())
    fewest = drawn.draw(st.integers(1, min(2, data.rows)))
    alpha = drawn.draw(st.sampled_from([0.0, 1 / 64, 1 / 4]))
    model = OCTClassifier(max_depth=depth, min_samples_leaf=fewest, alpha=alpha, frontier=frontier)
    solution = model.fit(data, sample_weight=weights).solution_
    by_class = np.bincount(data.decisions, weights)
    price = alpha * (by_class.sum() - by_class.max())
    assert solution.status is Status.OPTIMAL
    assert solution.errors + price * solution.splits == pytest.approx(
        least_cost(data, weights, np.arange(data.rows), depth, fewest, price)
    )
    assert measures(solution.tree) == (solution.errors, solution.splits, solution.leaves)
    for errors, tree in (
        (solution.errors, solution.tree),
        *((point.errors, point.tree) for point in solution.frontier),
    ):
        assert weights[tree.predict(data.values()) != data.decisions].sum() == errors


@pytest.mark.parametrize(("rule", "labels"), [("best_side", 0), ("best_side", 3), ("own_branch", 0), ("own_branch", 2)])
def test_few_missing_values_take_little_more_work_than_filled_ones(rule: MissingRule, labels: int) -> None:
    generator = np.random.default_rng(1)
    rows = generator.integers(0, 40, (200, 6)).astype(float)
    decisions = (rows[:, 0] > 20) ^ (rows[:, 1] > 15) ^ (rows[:, 2] > 30)
    decisions = np.where(generator.random(200) < 0.1, generator.integers(0, 2, 200), decisions)
    label = (rows[:, 5] % labels).astype(int) if labels else None
    lacking = generator.random(rows.shape) < 0.02

    def work(cells: Any) -> int:
        columns, numeric = cells.T.tolist(), [True] * 6
        if label is not None:
            columns.append(np.where(np.isnan(cells[:, 5]) & (labels == 2), MISSING, label).tolist())
            numeric.append(False)
        data = data_set_of(columns, decisions.tolist(), numeric, 2)
        return solved(Instance(data, np.full(200, 1.0), 3, missing=rule), solve).work

    assert work(np.where(lacking, NAN, rows)) < 3 * work(np.where(lacking, 20.0, rows))


@given(st.integers(0, 2**63))
@settings(max_examples=40)
def test_no_tree_of_two_levels_is_better_for_more_rows_and_attributes(seed: int) -> None:
    generator = np.random.default_rng(seed)
    number, classes = int(generator.integers(12, 30)), int(generator.integers(2, 4))
    rows = generator.integers(0, generator.integers(2, 9), (number, 5)).astype(float)
    decisions = np.where(generator.random(number) < 0.7, rows[:, 0] % classes, generator.integers(0, classes, number))
    rows[generator.random(rows.shape) < 0.3 * generator.random(5)] = NAN
    labels = int(generator.integers(0, 2))  # two labels, beside numbers of more values
    columns = [*rows.T[labels:].tolist(), *([np.nan_to_num(rows[:, 0] % 2, nan=MISSING).astype(int)] if labels else [])]
    data = data_set_of(columns, decisions.astype(int).tolist(), [True] * (5 - labels) + [False] * labels, classes)
    weights, fewest = generator.integers(1, 4, number) / 2, int(generator.choice([1, 1, 2]))
    result = solved(Instance(data, weights, 2, fewest, missing="best_side"), solve)
    assert result.errors == pytest.approx(least_cost(data, weights, np.arange(number), 2, fewest, 0.0))


@given(st.data())
@settings(max_examples=60)
def test_of_trees_tuned_on_rows_with_missing_values_none_is_better(drawn: st.DataObject) -> None:
    data = drawn.draw(data_sets(min_rows=6, max_rows=12, max_attributes=3, missing=True))
    assume(min(np.bincount(data.decisions)) > 2)
    depth, refit = drawn.draw(st.integers(0, 2)), drawn.draw(st.booleans())
    model = TunedOCTClassifier(max_depth=depth, refit=refit).fit(data)
    apart = validation_rows(data.decisions, 1 / 3, 0)
    learned, held = data.take(~apart), data.take(apart)
    every = np.arange(learned.rows)
    for candidate in model.tuned_.candidates:
        wrong = candidate.tree.predict(learned.values()) != learned.decisions
        price = candidate.alpha * (learned.rows - np.bincount(learned.decisions).max())
        assert wrong.sum() + price * candidate.splits == pytest.approx(
            least_cost(learned, np.ones(learned.rows), every, depth, 1, price)
        )
    right = [(candidate.tree.predict(held.values()) == held.decisions).mean() for candidate in model.tuned_.candidates]
    assert model.tuned_.validation_accuracy == pytest.approx(max(right))
    rows = data if refit else learned
    price = model.tuned_.alpha * (rows.rows - np.bincount(rows.decisions).max())
    assert model.solution_.errors + price * model.solution_.splits == pytest.approx(
        least_cost(rows, np.ones(rows.rows), np.arange(rows.rows), depth, 1, price)
    )
    assert (model.tree_.predict(rows.values()) != rows.decisions).sum() == model.solution_.errors


@given(instances(max_rows=8, max_attributes=3, max_depth=2), st.integers(0, 2**63))
@settings(max_examples=100)
def test_of_trees_with_a_branch_for_missing_values_none_of_a_frontier_is_better(complete: Instance, seed: int) -> None:
    instance = with_missing(complete, np.random.default_rng(seed), "own_branch")
    assume(number_of_trees(instance, all_rows(instance), depth_of(instance), subsets=False) < 3000)
    result = solved(instance, partial(solve, frontier=True))
    for point in result.frontier:
        assert measures(point.tree)[:2] == (point.errors, point.splits)
        wrong = point.tree.predict(instance.data.values()) != instance.data.decisions
        assert point.errors == pytest.approx(instance.weights[wrong].sum())
    errors = {point.splits: point.errors for point in result.frontier}
    for splits in range(3 if instance.max_splits is None else min(instance.max_splits, 2) + 1):
        least = min(error for used, error in errors.items() if used <= splits)
        best = best_under(replace(instance, alpha=0.0, max_splits=splits), Conditions())
        assert least == pytest.approx(best * (instance.baseline or 1.0))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("penalty", ["splits", "leaves"])
@pytest.mark.parametrize("least", [1, 3])
@pytest.mark.parametrize("labels", [0, 3])
def test_the_search_under_conditions_finds_the_same_branches_for_missing_values(
    classes: int, penalty: Penalty, least: int, labels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = np.random.default_rng(classes + labels)
    rows = generator.integers(0, 4, (50, 11)).astype(float)
    rows[generator.random(rows.shape) < 0.1 * generator.integers(0, 3, 11)] = NAN
    numeric = [True] * (11 - labels) + [False] * labels
    decisions = np.where(
        generator.random(50) < 0.3, generator.integers(0, classes, 50), np.nan_to_num(rows[:, 0]) % classes
    )
    columns = [
        column.tolist() if number else np.nan_to_num(column, nan=MISSING).astype(int).tolist()
        for column, number in zip(rows.T, numeric, strict=True)
    ]
    data = data_set_of(columns, decisions.astype(int).tolist(), numeric, classes)
    weights = generator.integers(1, 4, 50) / 2
    instance = Instance(data, weights, 2, least, alpha=1 / 64, penalty=penalty, missing="own_branch")
    result = solved(instance, solve)
    monkeypatch.setattr(FreeRows, "can_solve", lambda *_: False)
    monkeypatch.setattr(FreeRows, "can_bound", lambda *_: False)
    assert result.objective == pytest.approx(solve_under(instance, Conditions()).objective)


@given(st.integers(0, 2**63))
@settings(max_examples=100)
def test_two_labels_beside_numbers_have_a_branch_for_each_and_for_missing_ones(seed: int) -> None:
    generator = np.random.default_rng(seed)
    classes, latent = int(generator.integers(2, 4)), generator.random(11)
    hidden = np.where(generator.random((3, 11)) < 0.4, latent, generator.random((3, 11)))
    columns = [*(hidden[:2] * 2).astype(int).tolist(), (hidden[2] * 5).round().tolist()]
    decisions = (np.where(generator.random(11) < 0.8, latent * 2 % 1, hidden[0]) * classes).astype(int).tolist()
    weights = generator.choice([1.0, 2.0, 2.0**20 + 1, 2.0**40 + 1], 11)
    complete = Instance(data_set_of(columns, decisions, [False, False, True], classes), weights, 3, max_splits=4)
    instance = with_missing(replace(complete, alpha=float(generator.choice([0.0, 1 / 64]))), generator, "own_branch")
    result = solved(instance, solve)
    assert result.objective == pytest.approx(best_under(instance, Conditions()))
    values = instance.data.values()
    for node, rows in result.tree.rows_of_nodes(values):
        if 0 <= result.tree.attribute[node] < 2:
            found = values[rows, result.tree.attribute[node]]
            assert len(result.tree.children(node)) == len(np.unique(found))  # NaN is equal to itself there


@pytest.mark.parametrize("subsets", [False, True])
@pytest.mark.parametrize("least", [1, 4])
def test_bounds_and_sums_of_shared_rows_change_no_optimum(
    subsets: bool, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = np.random.default_rng(least)
    rows = generator.integers(0, 4, (40, 5)).astype(float)
    rows[generator.random(rows.shape) < 0.15] = NAN
    decisions = np.where(generator.random(40) < 0.2, generator.integers(0, 3, 40), np.nansum(rows, axis=1) % 3)
    columns = [*rows.T[:3].tolist(), *np.nan_to_num(rows.T[3:], nan=MISSING).astype(int).tolist()]
    data = data_set_of(columns, decisions.astype(int).tolist(), [True] * 3 + [False] * 2, 3)
    weights = generator.integers(1, 5, 40) / 4
    instance = Instance(data, weights, 3, least, alpha=1 / 64, missing="all_branches")
    result = solve_under(instance, Conditions(), subsets=subsets)
    monkeypatch.setattr(FreeRows, "can_bound", lambda *_: False)
    monkeypatch.setattr(ConditionedRows, "bytes_of_sums", np.inf)
    assert result.objective == pytest.approx(solve_under(instance, Conditions(), subsets=subsets).objective)


def test_shared_rows_that_no_test_separates_are_a_leaf() -> None:
    model = OCTClassifier(missing="all_branches").fit([[1.0], [NAN]], list("ab"))
    assert model.get_n_leaves() == 1


@pytest.mark.parametrize("known", [[7.0, 7.0, 7.0], [7.0, 8.0, 8.0], [-1e37, 8.0, 1e37], [-1e307, 5e-324, 1e307]])
def test_missing_numbers_may_be_alone(known: list[float]) -> None:
    model = OCTClassifier(max_depth=1).fit([[value] for value in [*known, NAN]], list("aaab"))
    assert model.predict([[-1e308], [0.0], [1e308], [NAN]]).tolist() == ["a", "a", "a", "b"]
    assert model.export_text() == "f1 known: a\nf1 unknown: b"


def test_where_no_row_lacked_a_value_missing_ones_go_to_the_heavier_side() -> None:
    rows = [[0.0, 1.0], [0.0, 2.0], [0.0, 3.0], [0.0, 3.0], [1.0, NAN], [1.0, NAN]]
    for decisions in ("aabbcc", "abbbcc"):
        model = OCTClassifier(max_depth=2).fit(rows, list(decisions))
        assert model.score(rows, list(decisions)) == 1
        expected = {"aabbcc": {"a", "b"}, "abbbcc": {"b"}}[decisions]
        assert set(model.predict([[0.0, NAN]])) <= expected


def test_numbers_too_large_beside_missing_ones_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"attribute 'f1' has missing values and a number of size 1.7e\+308: expected"):
        OCTClassifier().fit([[1.7e308], [0.0], [1.0], [NAN]], list("abab"))


@pytest.mark.parametrize("scale", [1.0, 1e33])
def test_a_limited_search_begins_with_cart_without_a_warning(scale: float) -> None:
    generator = np.random.default_rng(0)
    rows = np.where(generator.random((40, 3)) < 0.3, NAN, scale * generator.normal(size=(40, 3)))
    model = OCTClassifier(max_work=1).fit(rows, generator.integers(0, 2, 40))
    assert model.solution_.status is Status.WORK_LIMIT
    assert model.get_n_leaves() > 1


@pytest.mark.parametrize("missing", ["own_branch", "all_branches"])
def test_good_trees_of_numbers_send_missing_ones_to_the_better_side_only(missing: MissingRule) -> None:
    with pytest.raises(
        ValueError, match=f"X has missing values, and missing='{missing}': expected missing='best_side'"
    ):
        OCTClassifier(missing=missing).rashomon_set([[1.0], [NAN]], list("ab"))


def test_good_trees_send_missing_values_to_either_side_or_alone() -> None:
    rows, decisions = [[1.0, "u"], [2.0, "v"], [3.0, None], [NAN, "v"]], list("abbb")
    good = OCTClassifier(max_depth=1).rashomon_set(rows, decisions, epsilon=1.0)
    values = good.instance.data.values()
    splits = Counter(
        (
            int(tree.attribute[0]),
            frozenset(frozenset(there.tolist()) for node, there in tree.rows_of_nodes(values) if node),
        )
        for tree in good.trees()
        if tree.nodes > 1
    )
    low_numbers, left_labels = ([0], [0, 3], [0, 1], [0, 1, 3], [3]), ([0], [0, 2], [2])
    expected = [(0, low) for low in low_numbers] + [(1, left) for left in left_labels]
    every = frozenset(range(4))
    assert splits == Counter((index, frozenset((every & {*part}, every - {*part}))) for index, part in expected)
    assert good.number == len(expected) + 1


def test_a_tree_in_which_rows_stay_at_a_node_is_no_good_tree() -> None:
    rows, decisions = [["u"], ["v"], ["w"]], list("abb")
    good = OCTClassifier(max_depth=1).rashomon_set(rows, decisions, epsilon=1.0)
    whole = good.tree()
    assert whole in good
    without_last = replace(
        whole,
        edges=np.array([0, 2, 2, 2]),
        **{name: getattr(whole, name)[:2] for name in ("edge_code", "edge_bound", "edge_to")},
        **{name: getattr(whole, name)[:3] for name in ("kind", "attribute", "decision", "unknown_to", "counts")},
    )
    assert without_last not in good


def test_missing_numbers_may_have_a_branch_of_their_own() -> None:
    model = OCTClassifier(max_depth=1, missing="own_branch").fit([[1.0], [3.0], [NAN]], list("abc"))
    assert model.export_text() == "f1 <= 2: a\nf1 > 2: b\nf1 unknown: c"
    model = OCTClassifier(max_depth=1, missing="own_branch").fit([["x"], ["y"], [None]], list("abc"))
    assert model.export_text() == "f1 = x: a\nf1 = y: b\nf1 unknown: c"


def test_rows_may_go_down_all_branches_by_shares() -> None:
    rows, decisions = [[1.0], [2.0], [3.0], [8.0], [NAN]], list("aaabb")
    model = OCTClassifier(max_depth=1, missing="all_branches").fit(rows, decisions)
    assert (model.solution_.errors, model.tree_.counts.tolist()) == (0.75, [[3, 2], [3, 0.75], [0, 1.25]])
    assert model.predict_proba([[NAN], [9.0]]).tolist() == [[pytest.approx(0.6), pytest.approx(0.4)], [0, 1]]


@pytest.mark.parametrize("rule", ["own_branch", "all_branches"])
def test_a_limit_leaves_a_tree_and_a_bound_that_hold(rule: Any) -> None:
    generator = np.random.default_rng(5)
    rows, decisions = generator.integers(0, 5, (40, 3)).astype(float), generator.integers(0, 3, 40)
    rows[generator.random(rows.shape) < 0.2] = NAN
    proven = OCTClassifier(max_depth=2, missing=rule).fit(rows, decisions).solution_
    for work in (1, 3, 10):
        limited = OCTClassifier(max_depth=2, missing=rule, max_work=work).fit(rows, decisions).solution_
        assert limited.status is Status.WORK_LIMIT
        assert limited.bound <= proven.objective <= limited.objective


def test_the_frontier_has_no_trees_that_share_rows() -> None:
    with pytest.raises(ValueError, match=r"X has missing values, and missing=.*: expected .* for frontier=True"):
        OCTClassifier(frontier=True, missing="all_branches").fit([[1.0], [NAN]], list("ab"))


def test_python_reads_the_same_tree() -> None:
    rows = [[1.0, 0.0], [2.0, NAN], [NAN, 1.0], [4.0, 1.0], [5.0, 0.0], [NAN, NAN]]
    model = OCTClassifier(max_depth=2).fit(rows, list("abbaab"))
    written: dict[str, Any] = {}
    exec(to_python(model), written)
    assert [written["predict"](dict(zip(("f1", "f2"), row, strict=True))) for row in rows] == list("abbaab")


def test_an_attribute_without_any_value_cannot_be_first() -> None:
    with pytest.raises(ValueError, match="`first` names attribute 'f1', which has no value in any row: choose another"):
        OCTClassifier(conditions={"first": ("f1", 1.0)}).fit([[NAN, 1.0], [NAN, 2.0]], list("ab"))
