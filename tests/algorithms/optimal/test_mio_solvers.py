"""Every solver, where it is installed: equal to brute force, limits, starts, and models beyond its licence."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from algorithms.optimal.instance import Instance
from algorithms.optimal.mio.oct_model import oct_model
from algorithms.optimal.mio.problem import SolverProblem
from algorithms.optimal.mio.solve import solve_mio, starting_tree
from algorithms.optimal.mio.solver import SOLVERS, Limits, SolverError, SolverMissingError, solver_named
from algorithms.optimal.solution import Effort, Progress, Status
from tests.algorithms.data_sets import data_set_of
from tests.algorithms.optimal.instances import instances
from tests.algorithms.optimal.mio_instances import cut_short, iris, noise, one_hot
from tests.oracles.optimal_trees import best_objective


@pytest.fixture(params=list(SOLVERS))
def solver(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    pytest.importorskip(SOLVERS[name][1], reason=f"{SOLVERS[name][1]} is not installed")
    return name


def test_trees_are_as_good_as_by_brute_force(solver: str) -> None:
    @given(instances(max_rows=8, max_attributes=2, max_depth=2), st.sampled_from(["oct", "flow"]))
    @settings(max_examples=30)
    def equal(instance: Instance, formulation: Any) -> None:
        assume(SolverProblem.of(instance).depth)
        solution = solve_mio(instance, formulation=formulation, solver=solver, start="none")
        assert solution.status is Status.OPTIMAL
        assert solution.bound == solution.objective
        assert solution.objective == pytest.approx(best_objective(one_hot(instance)), abs=1e-6)

    equal()


def test_a_start_is_taken(solver: str) -> None:
    problem = SolverProblem.of(noise())
    model = oct_model(problem.instance, problem.splits, 2)
    best = starting_tree(problem.instance, problem.splits, 2, "cart", 1)[0] or {}
    placed, cost = problem.splits.pruned(best, problem.instance)
    seen: list[float] = []

    def hear(objective: float, _: float) -> bool:
        seen.append(objective)
        return math.isfinite(objective)

    outcome = solver_named(solver)(model.model, model.values(placed), Limits(seconds=30), hear)
    assert next(objective for objective in seen if math.isfinite(objective)) <= cost + 1e-6
    assert outcome.values is not None
    assert outcome.objective <= cost + 1e-6
    assert outcome.status is Status.INTERRUPTED


def test_nothing_is_printed(solver: str, capfd: pytest.CaptureFixture[str]) -> None:
    """By the solver's own code, too, which writes to the file descriptor."""
    solve_mio(noise(), solver=solver, effort=Effort(seconds=1))
    assert capfd.readouterr() == ("", "")


def test_limits_of_time_and_nodes(solver: str) -> None:
    limited, reports, beyond = cut_short(noise(), solver=solver, start="cart")
    assert beyond < 9  # a tenth of a second where the machine is not shared
    assert (limited.status, limited.gap > 0) == (Status.TIME_LIMIT, True)
    assert 0 <= limited.bound <= best_objective(noise()) <= limited.objective < 1
    assert [r.seconds for r in reports] == sorted(r.seconds for r in reports)
    assert [r.objective for r in reports] == sorted((r.objective for r in reports), reverse=True)
    assert [r.bound for r in reports] == sorted(r.bound for r in reports)
    assert reports[-1].objective >= limited.objective - 1e-9
    assert reports[-1].bound <= limited.bound + 1e-9
    first, second = (solve_mio(noise(30), Effort(work=2), solver=solver, start="cart") for _ in range(2))
    assert first.status is Status.WORK_LIMIT
    assert (first.errors, first.bound, first.work) == (second.errors, second.bound, second.work)


def test_ctrl_c_keeps_the_incumbent(solver: str) -> None:
    program = f"""
from algorithms.optimal.mio.solve import solve_mio
from tests.algorithms.optimal.mio_instances import noise
solution = solve_mio(
    noise(), formulation="oct", start="cart", solver={solver!r}, on_progress=lambda _: print("at work", flush=True)
)
print("result", solution.status, solution.errors, solution.bound < solution.objective, flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "at work\n"
        time.sleep(0.1)
        run.send_signal(signal.SIGINT)
        (result,) = (line.split() for line in run.stdout.read().splitlines() if line.startswith("result"))
        assert run.wait(60) == 0  # where it would search for hours
    _, status, errors, gap = result
    assert (status, gap) == ("interrupted", "True")
    assert float(errors) < noise().baseline


def test_ctrl_c_while_scip_reads_the_model_keeps_the_incumbent(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyscipopt")

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("algorithms.optimal.mio.scip._build", interrupted)
    solution = solve_mio(noise(), solver="scip", start="cart")
    assert (solution.status, solution.gap > 0) == (Status.INTERRUPTED, True)
    assert solution.errors < noise().baseline


def test_an_error_of_on_progress_ends_the_solver(solver: str) -> None:
    calls = []

    def fail(progress: Progress) -> None:
        calls.append(progress)
        if len(calls) == 2:  # the first is not of the solver
            raise RuntimeError(f"at {progress.objective}")

    instance = Instance(data_set_of([list(range(12))] * 2, [0, 1] * 6, [True] * 2), np.ones(12), max_depth=2)
    with pytest.raises(RuntimeError, match=r"at \d"):
        solve_mio(instance, solver=solver, start="none", on_progress=fail)


@pytest.mark.parametrize("name", ["gurobi", "cplex"])
def test_models_beyond_a_licence_are_reported(name: str) -> None:
    pytest.importorskip(SOLVERS[name][1])
    try:
        solve_mio(iris(), Effort(seconds=5), solver=name, start="cart")
    except SolverError as error:
        assert "refuses the model of 654 columns and 2606 rows" in str(error)  # noqa: PT017
        return
    pytest.skip(f"{name} has a licence for larger models")


def test_a_solver_that_is_not_installed_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyscipopt", None)
    with pytest.raises(SolverMissingError, match=r"needs the package pyscipopt.*`pip install 'orchard-trees\[scip\]'"):
        solver_named("scip")
