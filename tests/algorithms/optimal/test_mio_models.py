"""The programmes themselves: what the printed one allows, what the repaired ones do, and trees as their values."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import highspy
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.binary_splits import BinarySplits, CompleteTree
from algorithms.optimal.mio.flow_model import flow_model
from algorithms.optimal.mio.highs import with_model
from algorithms.optimal.mio.model import Model, ModelSizeError
from algorithms.optimal.mio.oct_model import LEAST_EPSILON, oct_model
from algorithms.optimal.mio.problem import ObjectiveValues, SolverProblem, weight_unit
from algorithms.optimal.mio.solve import solve_mio, starting_tree
from algorithms.optimal.mio.solver import Limits
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import instances
from tests.algorithms.optimal.mio_instances import binary_rows, iris
from tests.oracles.optimal_trees import best_objective


def optimum(model: Model) -> tuple[float, Any]:
    """What HiGHS proves, and the values."""
    highs = with_model(model, None, Limits(seconds=60))
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return highs.getInfo().objective_function_value, np.array(highs.getSolution().col_value)


def broken(model: Model, values: Any) -> float:
    """By how much these values (columns,) violate a bound, a row or a whole number at most; 0 if they violate none."""
    sums = model.matrix @ values
    violations = [
        model.lower - values,
        values - model.upper,
        model.row_lower - sums,
        sums - model.row_upper,
        abs(values - values.round())[model.whole],
    ]
    return float(max(0.0, *(violation.max(initial=0.0) for violation in violations)))


@pytest.mark.parametrize("instance", [iris(2, alpha=0.5, every=3), binary_rows(alpha=0.5)], ids=["numbers", "bits"])
def test_the_printed_model_sorts_rows_without_a_split(instance: Instance) -> None:
    splits, depth = BinarySplits.of(instance.data), instance.max_depth
    assert depth is not None
    printed, repaired = (oct_model(instance, splits, depth, printed=printed) for printed in (True, False))
    if len(np.unique(instance.data.decisions)) > 2**depth:
        pytest.fail("a leaf for each class is wanted")
    result, values = optimum(printed.model)
    assert result == pytest.approx(0, abs=1e-6)
    assert printed.placed(values) == {}  # and yet no tree of one leaf has less than
    assert instance.baseline > 0
    assert broken(printed.model, values) <= 1e-5
    assert broken(repaired.model, values) >= 0.5


def test_the_repaired_model_has_the_objective_of_the_best_tree() -> None:
    instance = binary_rows(rows=24, alpha=0.1)
    result, _ = optimum(oct_model(instance, BinarySplits.of(instance.data), 1).model)
    assert result / instance.baseline == pytest.approx(best_objective(instance))
    assert 0 < result / instance.baseline < 1


@given(
    instances(max_depth=3),
    st.sampled_from(["oct", "flow"]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from(["search", "cart"]),
)
def test_trees_and_values_of_columns_become_each_other(
    given: Instance, formulation: str, cuts: int | None, start: Any
) -> None:
    problem = SolverProblem.of(given, cuts)
    assume(problem.depth > 0)
    instance, splits = problem.instance, problem.splits
    programme = (oct_model if formulation == "oct" else flow_model)(instance, splits, problem.depth)
    begun, interrupted = starting_tree(instance, splits, problem.depth, start, 60)
    assert not interrupted
    for tree in ({}, begun):
        assert tree is not None
        placed, cost = splits.pruned(tree, instance)
        values = programme.values(placed)
        assert broken(programme.model, values) <= 1e-9
        assert programme.model.costs @ values + programme.model.constant == pytest.approx(cost)
        again, same = splits.pruned(programme.placed(values), instance)
        if getattr(programme, "complete", False):  # where a leaf is not the deepest it splits, for no good, or some
            assert same <= cost
        else:
            assert (same, len(again)) == (pytest.approx(cost), len(placed))
        solution = problem.solution(placed, 0, "heuristic", 0)  # type: ignore[arg-type]
        assert solution.objective == pytest.approx(problem.objective(cost))
        assert solution.tree.depths().max() <= problem.depth


def test_highs_takes_a_start_as_it_is(tmp_path: Path) -> None:
    for build in oct_model, flow_model:
        problem = SolverProblem.of(iris(every=3))
        programme = build(problem.instance, problem.splits, problem.depth)
        begun, _ = starting_tree(problem.instance, problem.splits, problem.depth, "cart", 1)
        placed, cost = problem.splits.pruned(begun or {}, problem.instance)
        highs = with_model(programme.model, programme.values(placed), Limits(nodes=1, seconds=60))
        highs.setOptionValue("output_flag", True)
        highs.setOptionValue("log_to_console", False)
        log = tmp_path / f"{build.__name__}.log"
        highs.setOptionValue("log_file", str(log))
        highs.run()
        message = (
            rf"MIP start solution is feasible[,:] objective value is {re.escape(f'{cost:g}')}$"  # a colon since 1.16
        )
        assert re.search(message, log.read_text(), re.MULTILINE)


def test_close_values_are_scaled_by_their_ranks() -> None:
    numbers = [0.0, 1e-9, 2e-9, 1.0, 2.0]
    data = data_set_of([numbers, [0, 1, 2, 3, 10]], [0, 1, 0, 1, 0], [True, True])
    instance = Instance(data, np.ones(5), max_depth=2)
    programme = oct_model(instance, BinarySplits.of(data), 2)
    assert programme.scaled.T.tolist() == [[0, 0.25, 0.5, 0.75, 1], [0, 0.1, 0.2, 0.3, 1]]
    assert programme.epsilon == pytest.approx([0.25, 0.1])
    assert programme.epsilon.min() > LEAST_EPSILON


def test_splits_are_of_labels_and_thresholds_that_part_the_rows_differently() -> None:
    data = data_set_of([[0, 0, 1, 1], [0, 1, 2, 2], [3, 3, 3, 3], [1.0, 2, 3, 4]], [0, 1, 0, 1], [False] * 3 + [True])
    splits = BinarySplits.of(data)
    # a1=v0 replaces a1=v1; a2=v2 splits the rows as it does; a2=v3 and a3 split nothing
    assert list(zip(splits.attribute.tolist(), splits.label.tolist(), strict=True)) == [(0, 0), (1, 0), (1, 1), (3, -1)]
    assert splits.levels.tolist() == [2, 2, 2, 4]
    assert BinarySplits.of(data, None, 1).ranks[:, -1].tolist() == [0, 0, 1, 1]
    assert BinarySplits.of(data, None, 2).levels[-1] == 3
    assert BinarySplits.of(data, np.array([5.0, 1, 1, 1]), 1).ranks[:, -1].tolist() == [0, 1, 1, 1]


def test_a_number_of_many_values_replaces_no_label() -> None:
    numbers, labels = [1.0, 3.0, 0.0, 3.0], [0, 1, 2, 1]  # the first number and the first label are of the first row
    data = data_set_of([numbers, labels], [1, 0, 0, 0], [True, False])
    splits = BinarySplits.of(data)
    assert [*zip(splits.attribute.tolist(), splits.label.tolist(), strict=True)] == [(0, -1), (1, 0), (1, 1), (1, 2)]
    assert solve_mio(Instance(data, np.ones(4), max_depth=1), start="none").errors == 0


def test_a_number_whose_only_quantile_is_its_greatest_value_is_constant() -> None:
    data = data_set_of([[0, 1, 2]], [0, 1, 1], [True])
    assert BinarySplits.of(data, np.array([1.0, 1, 5]), 1).columns == 0


def test_the_complete_tree() -> None:
    tree = CompleteTree(2)
    assert (list(tree.branches), list(tree.leaves)) == ([1, 2, 3], [4, 5, 6, 7])
    assert [tree.left_above(node) for node in tree.leaves] == [[2, 1], [1], [3], []]
    assert [tree.right_above(node) for node in tree.leaves] == [[], [2], [1], [3, 1]]
    assert (tree.above(5), tree.below(3)) == ([2, 1], [3, 6, 7])


def test_bounds_are_raised_to_what_trees_can_cost() -> None:
    whole = ObjectiveValues(whole=True, cost=0.0, splits=3, baseline=50, forced=2)
    assert [whole.raised(bound) for bound in (-np.inf, 2.1, 5.9999999, 6.0000001, 60)] == [2, 3, 6, 6, 50]
    assert whole.step == 1
    priced = ObjectiveValues(whole=True, cost=0.4, splits=2, baseline=50, forced=0)
    # errors + 0.4 or 0.8, or 50 without a split
    assert [priced.raised(bound) for bound in (-np.inf, 0.5, 0.9, 1.5)] == pytest.approx([0.4, 0.8, 1.4, 1.8])
    assert priced.step == pytest.approx(0.2)  # 0.8 and 1
    parts = ObjectiveValues(whole=False, cost=0.4, splits=2, baseline=50, forced=0)
    assert (parts.raised(0.9), parts.step) == (0.9, 0)


def test_weights_are_counted_in_a_unit() -> None:
    for weights, unit in ([2, 4, 6], 2), ([6, 9], 3), ([0.1, 0.2, 0.3], 0.1), ([0.375, 0.5], 0.125):
        assert weight_unit(np.array(weights, float)) == (unit, True)
    assert weight_unit(np.array([1.0, np.pi])) == ((1 + np.pi) / 2, False)
    assert weight_unit(np.array([1.0, 1e9 + 1]))[1] is False


def test_models_that_are_too_large_are_estimated_not_built() -> None:
    many = replace(iris(), max_depth=None)
    for build in oct_model, flow_model:
        with pytest.raises(
            ModelSizeError, match=r"depth 12 would have about [\d,]+ columns, .* expected at most 5,000,000"
        ):
            build(many, BinarySplits.of(many.data), 12)
    bits = np.random.default_rng(0).integers(0, 2, (10_000, 200))
    wide = Instance(data_set_of(bits.tolist(), [0, 1] * 100, [False] * 10_000), np.ones(200))
    for build in oct_model, flow_model:
        with pytest.raises(ModelSizeError, match="Reduce max_depth"):
            build(wide, BinarySplits.of(wide.data), 2)
    numbers = np.random.default_rng(0).random((9, 4000))
    long = Instance(data_set_of(numbers.tolist(), [0, 1] * 2000, [True] * 9), np.ones(4000))
    with pytest.raises(ModelSizeError, match="`thresholds`"):
        flow_model(long, BinarySplits.of(long.data), 1)


@pytest.mark.parametrize("build", [oct_model, flow_model])
@pytest.mark.parametrize("min_samples_leaf", [1, 10])
def test_estimates_of_size_are_not_far_off(build: Any, min_samples_leaf: int, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = replace(iris(), min_samples_leaf=min_samples_leaf)
    reported: list[tuple[int, int, int]] = []

    def hear(columns: int, rows: int, nonzeros: int, **_: Any) -> None:
        reported.append((columns, rows, nonzeros))

    monkeypatch.setattr(f"{build.__module__}.check_size", hear)
    model = build(instance, BinarySplits.of(instance.data), 2).model
    rows, columns = model.matrix.shape
    assert reported == [pytest.approx((columns, rows, model.matrix.nnz), rel=0.25)]
