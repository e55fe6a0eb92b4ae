"""The trace of a search: against every tree there is, against its solution, and its integral against a sum of steps."""

from __future__ import annotations

import inspect
import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.estimators.data_set_classifier import DataSetClassifier
from algorithms.optimal import driver
from algorithms.optimal.binary.bit_search import BitSearch
from algorithms.optimal.exact_search import solve
from algorithms.optimal.instance import Instance
from algorithms.optimal.mixed import rank_search, solve_ranks
from algorithms.optimal.optimal_classifier import ProvenTreeClassifier
from algorithms.optimal.search import OCTClassifier
from algorithms.optimal.solution import Effort, Progress, Solution, Status
from algorithms.optimal.trace import Recorder, Trace
from algorithms.options import ParameterError
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.estimators import every_estimator, quick
from tests.algorithms.optimal.instances import KINDS, instances
from tests.oracles.optimal_trees import best_objective

EXACT = [kind for kind in every_estimator() if "time_limit" in inspect.signature(kind).parameters]


def reported(instance: Instance, effort: Effort | None = None, **options: Any) -> tuple[list[Progress], Solution]:
    """All reports of a search, of which there are as many as there can be: after each unit of work."""
    seen: list[Progress] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "SLICE_SECONDS", 1e-9)
        patch.setattr(driver, "SMALLEST_SLICE", 1)
        patch.setattr(rank_search, "FIRST_SLICE", 1)
        patch.setattr("algorithms.optimal.binary.bit_search.FIRST_SLICE", 1)
        patch.setattr(solve_ranks, "BRIEF_WORK", 20)
        patch.setattr(solve_ranks, "LONG_WORK", 20)
        return seen, solve(instance, effort, on_progress=seen.append, **options)


def optimum(instance: Instance, **options: Any) -> float:
    return best_objective(instance, **options) if instance.baseline else instance.objective(0.0, 0, 1)


@pytest.mark.parametrize("kind", KINDS)
@given(st.data(), st.booleans())
@settings(max_examples=40)
def test_the_optimum_is_never_outside_of_what_is_reported(kind: str, data: st.DataObject, subsets: bool) -> None:
    instance = data.draw(instances(kind, max_rows=8))
    ended = instance.max_depth is not None or instance.max_splits is not None
    frontier = ended and data.draw(st.booleans())
    least = optimum(instance, subsets=subsets)
    seen, solution = reported(instance, subsets=subsets, frontier=frontier)
    for progress in seen:
        assert progress.bound <= least + 1e-9
        assert progress.objective >= least - 1e-9
    check_trace(trace_of(seen, solution), solution)


def test_a_search_that_counts_splits_does_not_report_what_leaves_cost() -> None:
    """A split into three branches adds two leaves, so the frontier over splits has another objective."""
    data = data_set_of([[0, 1, 2, 0, 1, 2]], [0, 1, 2, 0, 1, 2], [False], 3)
    instance = Instance(data, np.ones(6), max_depth=1, alpha=0.125, penalty="leaves")
    seen, solution = reported(instance, frontier=True)
    assert min(progress.objective for progress in seen) == solution.objective == 3 * 0.125


@given(instances(max_rows=40, max_attributes=4, max_depth=3), st.sampled_from([1, 10, 100, 400]))
@settings(max_examples=40)
def test_a_search_that_a_limit_stops_has_a_trace_that_ends_with_its_tree(instance: Instance, work: int) -> None:
    seen, solution = reported(instance, Effort(work=work))
    check_trace(trace_of(seen, solution), solution)
    assert all(progress.bound <= solution.objective + 1e-9 for progress in seen)


def test_a_search_reports_what_it_finds_on_the_way() -> None:
    for numeric in (False, True):
        seen, solution = reported(noise(numeric=numeric))
        trace = trace_of(seen, solution)
        assert trace[0].objective == 1.0
        assert len({progress.objective for progress in trace}) > 2
        assert len({progress.bound for progress in trace}) > 1


def test_a_search_under_conditions_reports_what_it_finds_on_the_way() -> None:
    model = OCTClassifier(max_depth=3, trace=True, conditions={"once": [0, 1, 2, 3]}).fit(noise(numeric=True).data)
    check_trace(model.trace_, model.solution_)
    assert len({progress.objective for progress in model.trace_}) > 2
    assert len({progress.bound for progress in model.trace_}) > 1


@pytest.mark.parametrize("kind", EXACT)
def test_every_exact_estimator_has_a_trace_on_request(kind: type[DataSetClassifier]) -> None:
    instance = noise(rows=24, numeric=False)
    model = quick(kind, trace=True).fit(instance.data)
    assert isinstance(model, ProvenTreeClassifier)
    check_trace(model.trace_, model.solution_)
    assert pickle.loads(pickle.dumps(model)).trace_ == model.trace_
    same = quick(kind).fit(instance.data)
    assert not hasattr(same, "trace_")
    assert same.solution_.objective == model.solution_.objective
    assert not hasattr(model.set_params(trace=False).fit(instance.data), "trace_")


@pytest.mark.filterwarnings("ignore:the counts of all pairs")
@pytest.mark.parametrize("options", [{"max_work": 3000}, {"time_limit": 1e-9}, {"memory_limit": 1000}])
@pytest.mark.parametrize("numeric", [False, True])
def test_a_trace_ends_with_the_tree_where_a_limit_stops_the_search(options: dict[str, Any], numeric: bool) -> None:
    model = OCTClassifier(max_depth=4, trace=True, **options).fit(noise(numeric=numeric).data)
    check_trace(model.trace_, model.solution_)


@pytest.mark.parametrize("numeric", [False, True])
def test_a_trace_ends_with_the_tree_after_ctrl_c(numeric: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel: Any = rank_search.RankSearch if numeric else BitSearch
    whole = kernel.advance

    def interrupted(self: Any, until: int) -> bool:
        if self.work > 2000:
            raise KeyboardInterrupt
        return bool(whole(self, min(until, self.work + 500)))

    monkeypatch.setattr(kernel, "advance", interrupted)
    model = OCTClassifier(max_depth=5, trace=True).fit(noise(rows=200, numeric=numeric).data)
    assert model.solution_.status is Status.INTERRUPTED
    check_trace(model.trace_, model.solution_)


def test_rounding_errors_are_not_in_a_trace() -> None:
    """A solver counts in floats, and its tolerance may put its objective below that of its tree."""
    recorder = Recorder()
    for objective, bound in ((1.0, 0.0), (0.5 - 1e-12, 0.3), (0.6, 0.2), (0.5 - 1e-12, 0.5 + 1e-12)):
        recorder(Progress(0.0, objective, bound))
    solution = OCTClassifier().fit([[0], [1]], [0, 1]).solution_
    object.__setattr__(solution, "objective", 0.5)
    object.__setattr__(solution, "bound", 0.5)
    trace = recorder.trace(solution)
    assert [(progress.objective, progress.bound) for progress in trace] == [(1.0, 0.0), (0.5, 0.3), (0.5, 0.5)]


progresses = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 20)), max_size=6)


@given(progresses, st.integers(0, 8), st.integers(1, 50))
def test_the_primal_integral_is_a_sum_over_steps(drawn: list[tuple[int, int]], least: int, until: int) -> None:
    """Seconds and objectives are whole numbers here, so that the gap is the same within each second."""
    times = sorted(second for second, _ in drawn)
    objectives = sorted((max(objective, least) for _, objective in drawn), reverse=True)
    trace = Trace(Progress(float(s), float(x), 0.0) for s, x in zip(times, objectives, strict=True))
    expected = 0.0
    for second in range(until):
        results = [x for s, x in zip(times, objectives, strict=True) if s <= second]
        expected += 1.0 if not results else 0.0 if results[-1] == least else (results[-1] - least) / results[-1]
    assert trace.primal_integral(float(least), float(until)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("least", "seconds", "message"),
    [
        (-0.1, 1.0, "least is -0.1: expected a finite number of 0 or more"),
        (float("nan"), 1.0, "least is nan"),
        (0.0, 0.0, "seconds is 0.0: expected a finite number above 0"),
        (0.0, float("inf"), "seconds is inf"),
    ],
)
def test_numbers_that_no_integral_can_have_are_named(least: float, seconds: float, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Trace().primal_integral(least, seconds)


def noise(rows: int = 60, *, numeric: bool) -> Instance:
    generator = np.random.default_rng(5)
    attributes = 4 if numeric else 16
    values = generator.random((attributes, rows)) if numeric else generator.integers(0, 2, (attributes, rows))
    data = data_set_of(list(values), generator.integers(0, 2, rows).tolist(), [numeric] * attributes)
    return Instance(data, np.ones(rows), max_depth=3)


def trace_of(seen: list[Progress], solution: Solution) -> Trace:
    recorder = Recorder()
    for progress in seen:
        recorder(progress)
    return recorder.trace(solution)


def check_trace(trace: Trace, solution: Solution) -> None:
    assert (trace[-1].objective, trace[-1].bound) == (solution.objective, solution.bound)
    assert trace[0].seconds >= 0
    assert all(progress.bound <= progress.objective for progress in trace)
    for before, after in pairwise(trace):
        assert after.seconds >= before.seconds
        assert after.objective <= before.objective
        assert after.bound >= before.bound
        assert (after.objective, after.bound) != (before.objective, before.bound)
