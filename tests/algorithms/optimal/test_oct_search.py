"""The estimator of optimal trees by search: options and rows that are wrong, and limits."""

from __future__ import annotations

import _thread
import threading
from typing import Any

import numpy as np
import pytest

from algorithms.induction.cart import CARTClassifier
from algorithms.optimal.binary.bit_search import BitSearch
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.lookahead.split_classifiers import LicketySPLITClassifier, SPLITClassifier
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import Effort, Solution, Status
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.proofs import check_solution
from tests.algorithms.timed import timed

VALUES = np.array([[0, 1.5], [1, 2.0], [0, 3.0], [1, 4.0]])
LABELS = ["a", "b", "a", "b"]


@pytest.mark.parametrize("values", [VALUES, VALUES[:, :1]], ids=["numbers", "two values"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_samples_leaf": 5}, "min_samples_leaf is 5 for 4 rows: expected 1 to 4"),
        ({"alpha": 1e308}, "alpha is 1e.308, and the errors of a tree without splits are 2.0: expected their product"),
    ],
)
def test_options_out_of_range_are_named(values: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        OCTClassifier(**options).fit(values, LABELS)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ({"seconds": 0}, "seconds is 0: expected a number above 0, or None"),
        ({"seconds": float("nan")}, "seconds is nan: expected a number above 0, or None"),
        ({"work": 1.5}, "work is 1.5: expected a whole number of 1 or more, or None"),
        ({"memory": None}, "memory is None: expected a number above 0"),
    ],
)
def test_an_effort_may_be_what_the_parameters_of_an_estimator_may(limit: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Effort(**limit)


@pytest.mark.parametrize("weights", [[1e-12, 1e12, 1, 3], [1e-300] * 4, [1e299] * 4, [0.1, 0.2, 0.3, 0.1]])
@pytest.mark.parametrize("values", [VALUES, VALUES[:, :1], VALUES[:, 1:]], ids=["both", "two values", "numbers"])
def test_weights_of_any_size(values: Any, weights: list[float]) -> None:
    solution = OCTClassifier(alpha=0.01).fit(values, LABELS, sample_weight=weights).solution_
    assert solution.errors <= 1e-9 * sum(weights)


@pytest.mark.parametrize("kind", [OCTClassifier, SPLITClassifier, LicketySPLITClassifier])
def test_splits_of_any_finite_price_and_weights_that_are_too_small(kind: Any) -> None:
    solution = kind(alpha=1e300).fit(VALUES, LABELS).solution_
    assert (solution.splits, solution.objective) == (0, 1)
    with pytest.raises(
        ValueError, match="the weights add up to 2e-323: expected at least 1e-300; multiply all weights"
    ):
        kind().fit(VALUES, LABELS, [5e-324] * 4)
    with pytest.raises(
        ValueError, match="the weights of all classes except the heaviest add up to 2e-310: expected at least"
    ):
        kind().fit(VALUES, LABELS, [1, 1e-310, 1, 1e-310])


def test_rounding_makes_no_errors_negative() -> None:
    rows, decisions, weights = [["a"], ["b"], ["d"], ["c"]], [0, 1, 1, 0], [1.0, 4.0, 2.0, 4.0]
    solution = OCTClassifier(max_depth=1, class_weight="balanced").fit(rows, decisions, weights).solution_
    assert (solution.errors, solution.objective, solution.optimal) == (0, 0, True)


@pytest.mark.parametrize("scale", [1.0, 1e307, 5e-324])
def test_numbers_of_any_size_and_nearest_neighbours(scale: float) -> None:
    model = OCTClassifier().fit(VALUES * scale, LABELS)
    assert model.predict(VALUES * scale).tolist() == LABELS
    next_to = np.array([[1.0], [np.nextafter(1.0, 2)]])
    assert OCTClassifier().fit(next_to, ["a", "b"]).predict(next_to).tolist() == ["a", "b"]


def hard(rows: int = 1500, attributes: int = 60, numeric: bool = False) -> Instance:
    """Noise, of which no search of depth 5 makes an end in a second."""
    generator = np.random.default_rng(3)
    values = generator.random((attributes, rows)) if numeric else generator.integers(0, 2, (attributes, rows))
    data = data_set_of(list(values), generator.integers(0, 2, rows).tolist(), [numeric] * attributes)
    return Instance(data, np.ones(rows), max_depth=5)


@pytest.fixture(scope="module", params=[False, True], ids=["two values", "numbers"])
def hard_instance(request: Any) -> Instance:
    instance = hard(numeric=request.param)
    solve(instance, Effort(work=3_000_000))  # compiled, with what enlarges the buffers, so that no limit counts it
    return instance


def test_a_time_limit_is_kept_with_a_tree_no_worse_than_cart(hard_instance: Instance) -> None:
    solution, taken = timed(lambda: solve(hard_instance, Effort(seconds=1)))
    assert taken < 1.3
    check_cut_short(solution, hard_instance, Status.TIME_LIMIT)
    cart = CARTClassifier(max_depth=5).fit(hard_instance.data)
    wrong = cart.tree_.predict(hard_instance.data.values()) != hard_instance.data.decisions
    assert solution.errors <= wrong.sum()


def test_the_same_work_comes_to_the_same_tree(hard_instance: Instance) -> None:
    first, second = (solve(hard_instance, Effort(work=3_000_000)) for _ in range(2))
    check_cut_short(first, hard_instance, Status.WORK_LIMIT)
    assert (first.objective, first.bound, first.work) == (second.objective, second.bound, second.work)
    assert first.tree.attribute.tolist() == second.tree.attribute.tolist()


def test_a_memory_limit_is_reported_or_kept(hard_instance: Instance) -> None:
    solution = solve(hard_instance, Effort(seconds=1, memory=3_000_000))
    check_solution(solution, hard_instance, proven=False)
    assert solution.status in {Status.MEMORY_LIMIT, Status.TIME_LIMIT}


def test_ctrl_c_gives_the_tree_so_far(hard_instance: Instance) -> None:
    interrupt = threading.Timer(0.5, _thread.interrupt_main)
    interrupt.start()
    solution, taken = timed(lambda: solve(hard_instance, Effort(seconds=200)))
    assert taken < 15
    check_cut_short(solution, hard_instance, Status.INTERRUPTED)


def test_ctrl_c_while_buffers_grow_gives_the_tree_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BitSearch, "grow", lambda self: _thread.interrupt_main())
    instance = hard(numeric=False)
    check_cut_short(solve(instance, Effort(seconds=20)), instance, Status.INTERRUPTED)


def check_cut_short(solution: Solution, instance: Instance, status: Status) -> None:
    check_solution(solution, instance, proven=False)
    assert solution.status is status
    assert not solution.optimal
    assert solution.bound < solution.objective
    assert 0 < solution.gap <= 1


@pytest.mark.filterwarnings("ignore:the counts of all pairs of 10000 attributes:RuntimeWarning")
@pytest.mark.parametrize("depth", [2, None])
def test_ten_thousand_attributes_are_no_crash(depth: int | None) -> None:
    instance = hard(rows=200, attributes=10_000)
    cut = Instance(instance.data, instance.weights, max_depth=depth)
    solution = solve(cut, Effort(seconds=1))
    check_solution(solution, cut, proven=False)
    assert solution.splits > 0


def test_a_solution_is_a_line_to_read() -> None:
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 0, 1])
    solution = OCTClassifier(max_depth=1, frontier=True).fit(X, y).solution_
    assert repr(solution) == "Solution(optimal, errors=1, splits=1, objective=0.5, gap=0, frontier of 2)"


@pytest.mark.parametrize("kind", [np.int8, np.uint8])
def test_small_integers_of_numpy_are_limits(kind: Any) -> None:
    for instance in (hard(rows=60, attributes=8, numeric=False), hard(rows=60, attributes=2, numeric=True)):
        plain = Instance(instance.data, instance.weights, max_depth=8, max_splits=5, min_samples_leaf=2)
        small = Instance(
            instance.data, instance.weights, max_depth=kind(8), max_splits=kind(5), min_samples_leaf=kind(2)
        )
        assert solve(small).objective == solve(plain).objective


def test_a_split_may_cost_the_least_number_there_is() -> None:
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    for depth in (3, None):
        solution = OCTClassifier(max_depth=depth, alpha=5e-324).fit(X, y).solution_
        assert (solution.errors, solution.splits, solution.status) == (0, 3, Status.OPTIMAL)
